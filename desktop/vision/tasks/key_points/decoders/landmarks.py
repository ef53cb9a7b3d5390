"""Lists of points: networks that give x and y of each landmark of one hand, face, eye or body.

MediaPipe's (hand, face mesh, iris, body) list input pixels and a presence score, face regressors (PFLD: 68,
98, 106 points) fractions of the input, InsightFace's -1 to 1. The object fills the input.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.key_points.decoder import (
    KeyPointDecoder,
    KeyPointDetections,
    NetworkView,
    PointLimits,
    PointProgram,
    PointReader,
    first_of,
    sigmoid,
    single,
    with_mean_scores,
)
from desktop.vision.tasks.key_points.decoders.heat_maps import is_called_so, is_named
from desktop.vision.tasks.key_points.gpu_points import groups_of
from desktop.vision.tasks.key_points.skeletons import (
    BODY_33,
    FACE_68,
    FACE_98,
    FACE_106,
    FACE_106_INSIGHTFACE,
    FACE_468,
    FACE_478,
    HAND_21,
    IRIS_76,
    Skeleton,
    usual_skeleton,
)
from desktop.vision.tasks.task import Size

Units = Literal["pixels", "shares", "signed"]
UNITS: Final[tuple[Units, ...]] = ("pixels", "shares", "signed")
"""Pixels of the input; 0 to 1; -1 to 1."""
# Points of one object; a longer table is of many objects.
_MOST_LISTED: Final = 500
_NO_SLOT: Final = 0xFFFFFFFF
_UNIT: Final[Mapping[str, Any]] = {
    **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
    **{"resize": "letterbox", "pad": 0.0},
}
_PIXELS_FREE: Final = {"width": 224, "height": 224}


@dataclass(frozen=True)
class ListKind:
    """One sort of lists.

    Attributes:
        numbers: elements of each output that is a list, in their order.
        dimensions: numbers a point.
        units: of x and y.
        first: index of the first point's first number.
        visibility: index of a point's confidence among its numbers; 0 for none.
        visibility_is_logit, score_is_logit: it lacks its sigmoid.
        rows_first: y is before x.
        has_score: one-element outputs are a presence score and, for hands, the class of two.
        labels: of these classes.
        side, output: input side or list's name, if only that distinguishes it; 0 or '' for any.
    """

    numbers: tuple[int, ...]
    dimensions: int
    skeleton: Skeleton
    units: Units
    first: int = 0
    visibility: int = 0
    visibility_is_logit: bool = True
    rows_first: bool = False
    has_score: bool = False
    score_is_logit: bool = False
    labels: tuple[str, ...] = ()
    side: int = 0
    output: str = ""


_KINDS: Final = (
    # MediaPipe's left hand is a right one in an image that is not mirrored.
    ListKind((63,), 3, HAND_21, "pixels", has_score=True, labels=("left hand", "right hand")),
    ListKind((195,), 5, BODY_33, "pixels", visibility=3, has_score=True),
    ListKind((165,), 5, BODY_33, "pixels", visibility=3, has_score=True),
    ListKind((1404,), 3, FACE_468, "pixels", has_score=True, score_is_logit=True),
    ListKind((1434,), 3, FACE_478, "pixels", has_score=True, score_is_logit=True),
    ListKind((213, 15), 3, IRIS_76, "pixels"),
    ListKind((212,), 2, FACE_106_INSIGHTFACE, "signed", output="fc1"),
    ListKind((3309,), 3, FACE_68, "signed", first=3 * (1103 - 68), output="fc1"),
    ListKind((136,), 2, FACE_68, "shares", side=112),
    ListKind((196,), 2, FACE_98, "shares", side=112),
    ListKind((212,), 2, FACE_106, "shares", side=112),
)


def _elements(output: TensorInfo) -> int:
    """Return the elements of an output that is a row of numbers or a table of points; 0 for others."""
    shape = output.shape
    inner = shape[1:] if len(shape) > 1 and shape[0] in (0, 1) else shape
    long = [n for n in inner if n != 1]
    is_list = len(long) <= 1 or (len(long) == 2 and long[1] in (2, 3))
    return math.prod(inner) if is_list and 0 not in inner else 0


def lists_of(facts: ModelFacts, kind: ListKind) -> tuple[TensorInfo, ...] | None:
    """The outputs that are a kind's lists, the first of each size."""
    found = []
    for numbers in kind.numbers:
        output = next((o for o in facts.outputs if _elements(o) == numbers), None)
        if output is None:
            return None
        found.append(output)
    return tuple(found)


def _fits(facts: ModelFacts, kind: ListKind) -> bool:
    lists = lists_of(facts, kind)
    if lists is None:
        return False
    if kind.has_score and not any(_elements(output) == 1 for output in facts.outputs):
        return False
    if kind.output:
        return lists[0].name == kind.output
    return not kind.side or set(input_size(facts)) == {kind.side} or is_named(facts)


def find_kind(facts: ModelFacts) -> ListKind | None:
    """Return the list of a network, by a known size or a table of points with such a name, or None."""
    known = next((kind for kind in _KINDS if _fits(facts, kind)), None)
    if known is not None:
        return known
    for output in facts.outputs:
        shape = output.shape
        is_table = len(shape) == 3 and shape[0] in (0, 1) and shape[2] in (2, 3)
        if is_table and 2 <= shape[1] <= _MOST_LISTED and is_called_so(output.name):
            return ListKind((shape[1] * shape[2],), shape[2], usual_skeleton(shape[1]), "shares")
    return None


class Landmarks(KeyPointDecoder):
    """See the module."""

    id = "landmarks"
    title = "Landmark list"
    order = 6
    preprocess = {**_UNIT, **_PIXELS_FREE}
    score = 0.5
    point = 0.0

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `KeyPointDecoder`: by the size of a known list, and what distinguishes it from class scores."""
        return Evidence.DECLARED if find_kind(facts) is not None else None

    def family(self, facts: ModelFacts) -> Mapping[str, Any]:
        """See `KeyPointDecoder`: InsightFace takes 0..255."""
        kind = find_kind(facts)
        return {**self.preprocess, "scale": "0..255"} if kind and kind.units == "signed" else self.preprocess

    def reader(self, network: NetworkView) -> PointReader:
        kind = find_kind(network.facts)
        if kind is None:
            raise ValueError("no list of points")
        return ListReader(kind, network)


DECODER: Final = Landmarks()


class ListReader(PointReader):
    """Reads a list of points."""

    is_single = True

    def __init__(self, kind: ListKind, network: NetworkView) -> None:
        facts = network.facts
        lists = lists_of(facts, kind)
        skeleton = network.skeleton or kind.skeleton
        if lists is None or skeleton.count > sum(kind.numbers) // kind.dimensions:
            raise ValueError("fewer points than the skeleton has")
        self.skeleton = skeleton
        self.labels = kind.labels
        self.has_confidences = bool(kind.visibility)
        self._kind = kind
        self._lists = tuple(output.name for output in lists)
        single_numbers = [o.name for o in facts.outputs if kind.has_score and _elements(o) == 1]
        self._score = single_numbers[0] if single_numbers else ""
        self._class = single_numbers[1] if kind.labels and len(single_numbers) > 1 else ""
        self._score_is_logit = bool(self._score) and kind.score_is_logit
        self._scale, self._shift = _shares(network.units or kind.units, network.size)

    def outputs(self) -> tuple[str, ...]:
        return tuple(name for name in (*self._lists, self._score, self._class) if name)

    def _counts(self) -> list[tuple[int, int]]:
        """(first point, points) of each list."""
        found, first = [], 0
        for numbers in self._kind.numbers:
            count = min((numbers - self._kind.first) // self._kind.dimensions, self.skeleton.count - first)
            found.append((first, count))
            first += count
        return found

    def finished(self, found: KeyPointDetections) -> KeyPointDetections:
        """See `PointReader`: an object without a score gets the mean of its points'."""
        return with_mean_scores(found) if self.has_confidences and not self._score else found

    def program(self, tensors: Mapping[str, Tensor]) -> PointProgram:
        names, kind = self.outputs(), self._kind
        slots = {name: slot for slot, name in enumerate(names)}
        steps = []
        for name, (first, count) in zip(self._lists, self._counts(), strict=True):
            score, which = slots.get(self._score, _NO_SLOT), slots.get(self._class, _NO_SLOT)
            plan = struct.pack(
                "<14I4f8x",
                *(count, first, slots[name], first_of(tensors[name]) + kind.first, kind.dimensions),
                *(kind.visibility, kind.visibility_is_logit),
                *(score, first_of(tensors[self._score]) if self._score else 0, self._score_is_logit),
                *(which, first_of(tensors[self._class]) if self._class else 0),
                *(kind.rows_first, not kind.rows_first),
                *self._scale,
                *self._shift,
            )
            steps.append(("list", plan, groups_of(count)))
        return PointProgram("key_points_list.wgsl", tuple(tensors[name] for name in names), tuple(steps))

    def read(self, outputs: Mapping[str, np.ndarray], limits: PointLimits) -> KeyPointDetections:
        kind, parts = self._kind, []
        for name, (_, count) in zip(self._lists, self._counts(), strict=True):
            numbers = outputs[name].reshape(-1)[kind.first :].astype(np.float32)
            parts.append(numbers[: count * kind.dimensions].reshape(count, kind.dimensions))
        values = np.concatenate(parts)
        with np.errstate(all="ignore"):
            places = values[:, 1::-1] if kind.rows_first else values[:, :2]
            shares = places * np.array(self._scale) + np.array(self._shift)
        score = 1.0
        if self._score:
            given = outputs[self._score].reshape(-1)[:1]
            score = float((sigmoid(given) if self._score_is_logit else given)[0])
        which = outputs[self._class].reshape(-1)[0] > 0.5 if self._class else False
        if not kind.visibility:
            confidences = np.full(len(values), score)
        else:
            confidences = values[:, kind.visibility]
            confidences = sigmoid(confidences) if kind.visibility_is_logit else confidences
        return single(shares, confidences, score=score, class_index=int(which))


def _shares(units: str, size: Size) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return (scale, shift) from x and y to fractions of the input."""
    match units:
        case "pixels":
            return (1.0 / size[0], 1.0 / size[1]), (0.0, 0.0)
        case "signed":
            return (0.5, 0.5), (0.5, 0.5)
        case _:
            return (1.0, 1.0), (0.0, 0.0)
