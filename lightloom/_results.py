"""Results of networks: frozen values of NumPy arrays, which know neither a GPU nor how they were computed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import UsageError

Box = tuple[float, float, float, float]
"""(left, top, right, bottom) in pixels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Result(ABC):
    """Result of a network for one image.

    Attributes:
        size: (width, height) of the image in pixels.
        has_nan: the outputs contain NaN, so the result is unreliable; fp32 may help.
        latency_ms: milliseconds from the call to the result.
    """

    size: tuple[int, int]
    has_nan: bool = False
    latency_ms: float = 0.0

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """Return a dict for `json.dumps`. Pixels (masks, depth, images) are summarized."""

    def as_supervision(self) -> Any:
        """Convert it to the matching type of the package `supervision`.

        Raises:
            UsageError: `supervision` is not installed, or has no such type.
        """
        raise UsageError(f"supervision has no type for a result of the kind {type(self).__name__}.")


def _supervision() -> Any:
    try:
        import supervision
    except ImportError as error:
        raise UsageError(
            "The package supervision is not installed; run 'pip install supervision'."
        ) from error
    return supervision


@dataclass(frozen=True)
class Prediction:
    """Class of an image: its index in the network's output, its name, and its probability in 0..1."""

    class_id: int
    label: str
    score: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Classification(Result):
    """Most probable classes of an image.

    Attributes:
        predictions: best first.
    """

    predictions: tuple[Prediction, ...]

    @property
    def top(self) -> Prediction:
        """The most probable class."""
        return self.predictions[0]

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.predictions)

    def __len__(self) -> int:
        return len(self.predictions)

    def as_dict(self) -> dict[str, Any]:
        """Return 'size' and 'predictions', each with 'class_id', 'label' and 'score'."""
        return {"size": list(self.size), "predictions": [dict(vars(each)) for each in self.predictions]}

    def as_supervision(self) -> Any:
        """Return a `supervision.Classifications`."""
        return _supervision().Classifications(
            class_id=np.array([each.class_id for each in self.predictions], int),
            confidence=np.array([each.score for each in self.predictions], np.float32),
        )


@dataclass(frozen=True)
class Detection:
    """Object in an image; see `Detections` for the units.

    Attributes:
        class_id, label: index and name of its class.
        score: in 0..1.
        box: (left, top, right, bottom) in pixels.
        identity: its track number; None for none.
    """

    class_id: int
    label: str
    score: float
    box: Box
    identity: int | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Detections(Result):
    """Objects in an image, best first; arrays have one row for each.

    It has a length, iterates over `Detection`, and can be indexed by a mask, slice or indices:
    `detections[detections.scores > 0.5]`.

    Attributes:
        boxes: float32 [n, 4], (left, top, right, bottom) in pixels; upright bounds of oriented boxes.
        scores: float32 [n], 0 to 1.
        class_ids: int64 [n].
        labels: n names.
        identities: int64 [n], track numbers, 0 for none yet; None without tracking.
        masks: bool [n, height, width], pixels of each; None if the network has none.
        corners: float32 [n, 4, 2], corners of oriented boxes; None for upright ones.
        points: float32 [n, k, 2], key points of each box; None if the detector has none.
        left_out: number of candidates ignored because there were too many.
    """

    boxes: NDArray[np.float32]
    scores: NDArray[np.float32]
    class_ids: NDArray[np.int64]
    labels: tuple[str, ...]
    identities: NDArray[np.int64] | None = None
    masks: NDArray[np.bool_] | None = None
    corners: NDArray[np.float32] | None = None
    points: NDArray[np.float32] | None = None
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Detection]:
        return (self[index] for index in range(len(self)))

    @overload
    def __getitem__(self, which: int) -> Detection: ...
    @overload
    def __getitem__(self, which: slice | NDArray[Any] | list[int] | list[bool]) -> Self: ...
    def __getitem__(self, which: Any) -> Detection | Self:
        """Return one object for an index; several for a slice, list of indices or bool array [n]."""
        if isinstance(which, int | np.integer):
            left, top, right, bottom = (float(value) for value in self.boxes[which])
            identity = int(self.identities[which]) if self.identities is not None else 0
            found = (int(self.class_ids[which]), self.labels[which], float(self.scores[which]))
            return Detection(*found, (left, top, right, bottom), identity or None)
        rows = np.arange(len(self))[which]
        arrays = {name: value[rows] for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return replace(self, **arrays, labels=tuple(self.labels[row] for row in rows))

    def as_dict(self) -> dict[str, Any]:
        """Return 'size', 'left_out', 'objects' ('class_id', 'label', 'score', 'box', 'identity' if tracked).

        Objects have 'area' (fraction of the image under the mask), 'corners' and 'points' if available.
        """
        objects = []
        for index, each in enumerate(self):
            item: dict[str, Any] = {**vars(each), "box": list(each.box)}
            if self.identities is None:
                del item["identity"]
            if self.masks is not None:
                item["area"] = float(self.masks[index].mean())
            for name, value in (("corners", self.corners), ("points", self.points)):
                if value is not None:
                    item[name] = value[index].tolist()
            objects.append(item)
        return {"size": list(self.size), "objects": objects, "left_out": self.left_out}

    def as_supervision(self) -> Any:
        """Return a `supervision.Detections`; an object without an identity has the tracker id -1."""
        data: dict[str, Any] = {"class_name": np.array(self.labels, dtype=str)}
        if self.corners is not None:
            data["xyxyxyxy"] = self.corners.copy()
        return _supervision().Detections(
            xyxy=self.boxes.astype(np.float32),
            confidence=self.scores.copy(),
            class_id=self.class_ids.astype(int),
            mask=None if self.masks is None else self.masks.copy(),
            tracker_id=None
            if self.identities is None
            else np.where(self.identities > 0, self.identities, -1).astype(int),
            data=data,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Keypoints(Result):
    """Points of the bodies, hands or faces in an image, best first; arrays have one row for each of n.

    Attributes:
        points: float32 [n, k, 2], (x, y) in pixels.
        confidences: float32 [n, k], 0 to 1.
        scores: float32 [n].
        class_ids: int64 [n].
        labels: n names.
        names: names of the k points; empty if there is no standard for them.
        edges: pairs of indices of connected points.
        boxes: float32 [n, 4]; None if the network has none.
        identities: int64 [n], see `Detections`.
    """

    points: NDArray[np.float32]
    confidences: NDArray[np.float32]
    scores: NDArray[np.float32]
    class_ids: NDArray[np.int64]
    labels: tuple[str, ...]
    names: tuple[str, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    boxes: NDArray[np.float32] | None = None
    identities: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def as_dict(self) -> dict[str, Any]:
        """Return 'size', 'names', 'edges', 'objects' ('label', 'score', 'points' of x, y, confidence)."""
        objects = []
        for index in range(len(self)):
            points = np.concatenate((self.points[index], self.confidences[index][:, None]), axis=1)
            item: dict[str, Any] = {
                "class_id": int(self.class_ids[index]),
                "label": self.labels[index],
                "score": float(self.scores[index]),
                "points": points.tolist(),
            }
            if self.boxes is not None:
                item["box"] = self.boxes[index].tolist()
            if self.identities is not None:
                item["identity"] = int(self.identities[index]) or None
            objects.append(item)
        edges = [list(edge) for edge in self.edges]
        return {"size": list(self.size), "names": list(self.names), "edges": edges, "objects": objects}

    def as_supervision(self) -> Any:
        """Return a `supervision.KeyPoints`."""
        kind = _supervision().KeyPoints
        # Called so since supervision 0.29.
        named = "keypoint_confidence" if "keypoint_confidence" in signature(kind).parameters else "confidence"
        return kind(
            xy=self.points.copy(), class_id=self.class_ids.astype(int), **{named: self.confidences.copy()}
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Mask(Result):
    """Probability that each pixel belongs to the network's class (such as person).

    Attributes:
        values: float32 [height, width] of the image, 0 to 1; interpolated from the network's resolution.
    """

    values: NDArray[np.float32]

    def above(self, threshold: float = 0.5) -> NDArray[np.bool_]:
        """Return bool [height, width]: the pixels above a probability."""
        return np.asarray(self.values > threshold)

    def as_dict(self) -> dict[str, Any]:
        """Return 'size' and 'area', the share of the image above 0.5."""
        return {"size": list(self.size), "area": float(self.above().mean())}

    def as_supervision(self) -> Any:
        """Return a `supervision.Detections` with one mask of the pixels above 0.5; empty if none are."""
        supervision, mask = _supervision(), self.above()
        if not mask.any():
            return supervision.Detections.empty()
        return supervision.Detections(xyxy=supervision.mask_to_xyxy(mask[None]), mask=mask[None])


@dataclass(frozen=True, kw_only=True, eq=False)
class Segmentation(Result):
    """Class of each pixel.

    Attributes:
        class_ids: int32 [height, width] of the image; the nearest value of the network's resolution.
        labels: names of the classes by index; empty if their number is unknown.
    """

    class_ids: NDArray[np.int32]
    labels: tuple[str, ...] = ()

    def label(self, class_id: int) -> str:
        """Return the name of a class, 'class 7' for one without."""
        return self.labels[class_id] if 0 <= class_id < len(self.labels) else f"class {class_id}"

    def shares(self) -> dict[str, float]:
        """Return the fraction of the image that each class covers, largest first, without absent ones."""
        found, counts = np.unique(self.class_ids, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return {self.label(int(found[i])): float(counts[i] / self.class_ids.size) for i in order}

    def as_dict(self) -> dict[str, Any]:
        """Return 'size' and 'shares'."""
        return {"size": list(self.size), "shares": self.shares()}

    def as_supervision(self) -> Any:
        """Return a `supervision.Detections` with a mask for each class but 0, which is the background."""
        supervision = _supervision()
        present = [int(each) for each in np.unique(self.class_ids) if each]
        if not present:
            return supervision.Detections.empty()
        masks = np.stack([self.class_ids == each for each in present])
        names = np.array([self.label(each) for each in present], dtype=str)
        return supervision.Detections(
            xyxy=supervision.mask_to_xyxy(masks),
            mask=masks,
            class_id=np.array(present),
            data={"class_name": names},
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Depth(Result):
    """Relative depth of each pixel.

    Attributes:
        values: float32 [height, width] of the image; larger is nearer. Without a unit: only order and
            proportions within one image are meaningful. Interpolated from the network's resolution.
    """

    values: NDArray[np.float32]

    def as_dict(self) -> dict[str, Any]:
        """Return 'size', and 'near' and 'far', the largest and the smallest value."""
        return {"size": list(self.size), "near": float(self.values.max()), "far": float(self.values.min())}


@dataclass(frozen=True, kw_only=True, eq=False)
class Image(Result):
    """Image made by a network (a style, an enlargement).

    Attributes:
        array: uint8 [height, width, 3], R'G'B'; its size relative to the input is `scale`.
    """

    array: NDArray[np.uint8]

    @property
    def scale(self) -> float:
        """Width of the result by the width of the image."""
        return self.array.shape[1] / self.size[0]

    def as_dict(self) -> dict[str, Any]:
        """Return 'size', that of the input, and 'made', that of the result."""
        return {"size": list(self.size), "made": [self.array.shape[1], self.array.shape[0]]}


@dataclass(frozen=True, kw_only=True, eq=False)
class Likeness(Result):
    """Similarity of an image to the reference images given to `load` as `likeness`.

    Attributes:
        cosines: by the path of each reference image, -1 to 1 (identical).
    """

    cosines: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        """Return 'size' and 'cosines'."""
        return {"size": list(self.size), "cosines": dict(self.cosines)}


@dataclass(frozen=True)
class Input:
    """Placement of an image in the network's input, for decoding the outputs.

    Attributes:
        size: (width, height) of the image.
        input_size: (width, height) of the network's input.
        scale: (x, y), image pixels per input pixel.
        offset: (x, y), position of the input's upper left corner in image pixels, negative with a border.
    """

    size: tuple[int, int]
    input_size: tuple[int, int]
    scale: tuple[float, float]
    offset: tuple[float, float]

    def to_image(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Map points (x, y) or boxes (x0, y0, x1, y1) of the input, in the last axis, to image pixels."""
        given = np.asarray(points, np.float64)
        repeats = given.shape[-1] // 2
        return np.asarray(given * np.tile(self.scale, repeats) + np.tile(self.offset, repeats))


def detections(
    boxes: NDArray[Any],
    scores: NDArray[Any],
    class_ids: NDArray[Any],
    labels: tuple[str, ...],
    size: tuple[int, int],
    **more: Any,
) -> Detections:
    """Return detections of arrays of any numeric type."""
    return Detections(
        size=size,
        boxes=np.asarray(boxes, np.float32).reshape(-1, 4),
        scores=np.asarray(scores, np.float32).reshape(-1),
        class_ids=np.asarray(class_ids, np.int64).reshape(-1),
        labels=labels,
        **more,
    )
