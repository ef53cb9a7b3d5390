"""Decoder of key points: the networks it is for, and the reader of their outputs.

A file in `decoders/` has one as DECODER. Its `PointReader` decodes objects and points with equal results on
arrays (`read`) and on the GPU (`program`, in the form of `gpu_points.py`), in fractions of the network's
input; the head converts them to the image.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np

from desktop.compute.nn.session import Tensor
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.common.reduction import first_element
from desktop.vision.tasks.key_points.skeletons import Skeleton
from desktop.vision.tasks.task import Size

MARGIN: Final = 0.5
"""Margin around the input for positions, in fractions of it; farther ones are clamped."""


@dataclass(frozen=True)
class PointLimits:
    """Limits: least score, overlap above which the lower of two is suppressed, maximum of objects."""

    score: float
    iou: float
    most: int


@dataclass(frozen=True)
class KeyPointDetections:
    """Objects and their points, best first.

    Attributes:
        scores: float64 (n,), in 0..1.
        classes: int64 (n,).
        points: float64 (n, points, 2), x and y in fractions of the input, from -0.5 to 1.5.
        confidences: float64 (n, points), in 0..1; 0 for a missing point.
        boxes: float64 (n, 4), left, top, right, bottom in fractions of the input, or None.
        left_out: number of further objects, as far as known.
    """

    scores: np.ndarray
    classes: np.ndarray
    points: np.ndarray
    confidences: np.ndarray
    boxes: np.ndarray | None = None
    left_out: int = 0

    def part(self, kept: np.ndarray) -> KeyPointDetections:
        """Return some of the objects, by indices or by a bool for each."""
        return replace(
            self,
            scores=self.scores[kept],
            classes=self.classes[kept],
            points=self.points[kept],
            confidences=self.confidences[kept],
            boxes=None if self.boxes is None else self.boxes[kept],
        )


@dataclass(frozen=True)
class PointProgram:
    """The GPU part of a reader: dispatches of one shader, each with its own plan.

    Attributes:
        shader: file in `shaders/nn_tasks/`, appended to `key_points.wgsl`, which declares its `struct Plan`.
        tensors: 1 to 4 outputs of one type, float32 or float16, read by `number(slot, ...)`.
        steps: (entry, bytes of its plan, workgroups); they rank candidates if `has_candidates`.
        scratch: bytes shared by the steps, after the list of candidates.
    """

    shader: str
    tensors: tuple[Tensor, ...]
    steps: tuple[tuple[str, bytes, int], ...]
    has_candidates: bool = False
    scratch: int = 0


class PointReader(ABC):
    """Reads the outputs of one network; `is_single` if there is at most one object.

    A class beyond `labels` has the skeleton's label; a point without a confidence the object's score.
    """

    skeleton: Skeleton
    labels: tuple[str, ...] = ()
    has_confidences: bool = True
    has_boxes: bool = False
    is_single: bool = False

    @abstractmethod
    def program(self, tensors: Mapping[str, Tensor]) -> PointProgram:
        """Return the dispatches for the outputs on the GPU, by name."""

    @abstractmethod
    def outputs(self) -> tuple[str, ...]:
        """Return the names of the outputs that it reads."""

    @abstractmethod
    def read(self, outputs: Mapping[str, np.ndarray], limits: PointLimits) -> KeyPointDetections:
        """Decode whole outputs."""

    def finished(self, found: KeyPointDetections) -> KeyPointDetections:
        """Return the results with values that are computed only for the selected objects."""
        return found

    def gpu_limits(self, limits: PointLimits) -> PointLimits:
        """Return the limits in the form that the shader compares."""
        return limits


class KeyPointDecoder(ABC):
    """A family of networks. Stateless.

    Attributes:
        id: its name in presets and sidecars; that of its file.
        order: precedence among families with equal evidence, the least first.
        preprocess: fields of `Preprocess` as this family was trained; the file and the user override them.
        score, iou, point: default settings: least score, overlap, least confidence of a shown point.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int]
    preprocess: ClassVar[Mapping[str, Any]] = {}
    score: ClassVar[float] = 0.3
    iou: ClassVar[float] = 0.45
    point: ClassVar[float] = 0.3

    @abstractmethod
    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """Return the evidence that a network is of this family, by its file; None if it is not. Be narrow."""

    def family(self, facts: ModelFacts) -> Mapping[str, Any]:
        """Return fields of `Preprocess` as usual for a network of this family."""
        return self.preprocess

    @abstractmethod
    def reader(self, network: NetworkView) -> PointReader:
        """Return a network's reader; raise LookupError or ValueError for outputs of another family."""


@dataclass(frozen=True)
class NetworkView:
    """A loaded network, every dimension known, for a decoder; `size` is the input's (width, height).

    `skeleton` and `units` (of positions) are stated by the user; None and '' leave them to the decoder.
    """

    facts: ModelFacts
    size: Size
    skeleton: Skeleton | None = None
    units: str = ""
    shapes: Mapping[str, tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        """Gather the outputs' shapes."""
        object.__setattr__(self, "shapes", {output.name: output.shape for output in self.facts.outputs})


# -- arrays --------------------------------------------------------------------------------------------------


def as_shares(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return positions (..., 2) within `MARGIN`, and bool (...): False for invalid ones, set to 0, 0."""
    known = np.isfinite(positions).all(axis=-1)
    kept = np.clip(np.where(known[..., None], positions, 0.0), -MARGIN, 1.0 + MARGIN).astype(np.float64)
    known &= (kept < 1.0 + MARGIN).any(axis=-1)
    return np.where(known[..., None], kept, 0.0), known


def as_unit(values: np.ndarray) -> np.ndarray:
    """Return scores in 0..1, float64; NaN counts as 0."""
    return np.asarray(np.clip(np.nan_to_num(values.astype(np.float64), nan=0.0), 0.0, 1.0))


def with_mean_scores(found: KeyPointDetections) -> KeyPointDetections:
    """Return objects whose scores are the means of their points' confidences."""
    return replace(found, scores=found.confidences.mean(axis=1))


def single(
    points: np.ndarray,
    confidences: np.ndarray,
    *,
    score: float = 1.0,
    class_index: int = 0,
) -> KeyPointDetections:
    """Return the only object of a network: points (points, 2) in fractions, confidences (points,)."""
    placed, known = as_shares(points)
    sure = as_unit(confidences) * known
    whole = float(as_unit(np.array(score)))
    return KeyPointDetections(np.array([whole]), np.array([class_index], np.int64), placed[None], sure[None])


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + e^-x), of numbers of any size."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x.astype(np.float64))))


# -- tensors -------------------------------------------------------------------------------------------------


def strides(tensor: Tensor) -> tuple[int, ...]:
    """Return elements from one index to the next, for each dimension of a tensor's shape, as it is stored."""
    shape = tensor.shape
    if tensor.layout == "NHWC":
        _, _, rows, columns = shape
        stored = max(tensor.padded_channels, shape[1])
        return (rows * columns * stored, 1, columns * stored, stored)
    found, step = [], 1
    for length in reversed(shape):
        found.append(step)
        step *= length
    return tuple(reversed(found))


def first_of(tensor: Tensor) -> int:
    """Return the place of a tensor's first number in its buffer."""
    return first_element(tensor)
