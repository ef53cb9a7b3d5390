"""Heat maps [1, points, height, width] of one person, hand or face: HRNet, SimpleBaseline and similar.

A point is its map's maximum, moved by a quarter of a cell towards the greater neighbor along each axis
(github.com/leoxiaobing/deep-high-resolution-net.pytorch). The person fills the image.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.key_points.decoder import (
    KeyPointDecoder,
    KeyPointDetections,
    NetworkView,
    PointLimits,
    PointProgram,
    PointReader,
    first_of,
    single,
    strides,
    with_mean_scores,
)
from desktop.vision.tasks.key_points.skeletons import (
    BODY_14,
    HAND_21,
    OPENPOSE_15,
    OPENPOSE_18,
    OPENPOSE_25,
    Skeleton,
    usual_skeleton,
)

IMAGENET: Final[Mapping[str, Any]] = {
    **{"colors": "RGB", "scale": "0..1", "mean": IMAGENET_MEAN, "std": IMAGENET_STD},
    **{"resize": "letterbox", "pad": 0.0, "width": 192, "height": 256},
}
# How a maximum is moved; numbers of the shader.
NOT, QUARTER, BLURRED = 0, 1, 2
# Whole words: every other graph has a 'transpose'.
_WORDS: Final = re.compile(r"(?<![a-z])(heat_?map|key_?point|landmark|joint|pose|kpt)s?(?![a-z])")
# Numbers of points that are no class count of a known segmentation network.
_COUNTS: Final = (14, 16, 17, 23, 26, 29, 68, 98, 106, 133, 136)
# Class counts of well-known segmentation networks (Cityscapes, LIP, VOC, ADE20K, COCO-Stuff), not of poses.
_CLASS_COUNTS: Final = (19, 20, 21, 59, 60, 80, 81, 91, 150, 151, 171, 182)
# Inputs that only networks for persons have.
_PORTRAITS: Final = ((192, 256), (288, 384), (384, 512))
_FEWEST: Final = 13
# Of OpenPose's 18 and 25 points.
_AFFINITIES: Final = {38, 52, 57, 78}
# The same with the background as the last map.
_WITH_BACKGROUND: Final[Mapping[int, Skeleton]] = {
    15: BODY_14,
    19: OPENPOSE_18,
    22: HAND_21,
    26: OPENPOSE_25,
    16: OPENPOSE_15,
}


@dataclass(frozen=True)
class MapPlan:
    """Place of a network's heat maps: the output, its axes of points, rows and columns, and their sizes."""

    output: str
    axes: tuple[int, int, int]
    points: int
    height: int
    width: int

    def of(self, array: np.ndarray) -> np.ndarray:
        """Return the maps (points, height, width) in the output's array."""
        inner = array[0, -1] if array.ndim == 5 else array[0]
        axes = tuple(axis - (array.ndim - inner.ndim) for axis in self.axes)
        return inner.transpose(axes)[: self.points]


def find_maps(facts: ModelFacts) -> MapPlan | None:
    """Return the last output that is maps smaller than the input by 2, 4 or 8 (any if named), or None."""
    if any(_channels(output) & _AFFINITIES for output in facts.outputs):
        return None
    named = is_named(facts)
    for output in reversed(facts.outputs):
        shape = output.shape
        if len(shape) not in (4, 5) or shape[0] not in (0, 1):
            continue
        last = len(shape) - 1
        for axes in ((last - 2, last - 1, last), (last, last - 2, last - 1)):
            points, height, width = (shape[axis] for axis in axes)
            ratio = _ratio(facts, height, width)
            if (ratio in (2, 4, 8) or (named and ratio is not None)) and 1 < points <= 256:
                return MapPlan(output.name, axes, points, height, width)
    return None


def _channels(output: TensorInfo) -> set[int]:
    return {output.shape[1], output.shape[3]} if len(output.shape) == 4 else set()


def _ratio(facts: ModelFacts, height: int, width: int) -> float | None:
    """Return the input's size over the maps', 0 if free; None if below 1 or different by axis."""
    across, down = input_size(facts)
    if 0 in (across, down, height, width):
        return 0.0
    ratio = across / width
    alike = abs(down / height - ratio) < 0.1 * ratio
    return ratio if alike and ratio >= 1.0 and min(height, width) > 1 else None


def is_named(facts: ModelFacts) -> bool:
    """Return True if the name of an output or of its purpose refers to key points."""
    names = " ".join(output.name for output in facts.outputs)
    return is_called_so(f"{names} {facts.metadata.get('task', '')}")


def is_called_so(name: str) -> bool:
    """Return True if a name has a word for key points."""
    return _WORDS.search(name.lower()) is not None


class HeatMaps(KeyPointDecoder):
    """Decoder of heat maps, and base class of other families.

    Attributes:
        refinement: how a maximum is moved: NOT, QUARTER or BLURRED.
        to_edges: the first and last cell lie on the input's edges.
        within: place of a maximum in its cell: 0 for its upper left corner, 0.5 for its center.
    """

    id = "heat_maps"
    title = "HRNet"
    order = 40
    preprocess = IMAGENET
    score = 0.2
    point = 0.2
    refinement: ClassVar[int] = QUARTER
    to_edges: ClassVar[bool] = False
    within: ClassVar[float] = 0.0

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `KeyPointDecoder`: by the maps' name or number, or a portrait input."""
        maps = find_maps(facts)
        if maps is None or facts.last_operator in ("Softmax", "ArgMax"):
            return None
        if is_named(facts):
            return Evidence.DECLARED
        upright = input_size(facts) in _PORTRAITS and maps.points not in _CLASS_COUNTS
        usual = maps.points in _COUNTS or (maps.points >= _FEWEST and upright)
        return Evidence.OBSERVED if usual and _ratio_of(facts, maps) == 4 else None

    def skeleton(self, maps: MapPlan, facts: ModelFacts) -> Skeleton:
        """Return the skeleton of the maps; the last may be the background."""
        return usual_skeleton(maps.points)

    def reader(self, network: NetworkView) -> PointReader:
        maps = find_maps(network.facts)
        if maps is None:
            raise ValueError("no heat maps")
        skeleton = network.skeleton or self.skeleton(maps, network.facts)
        if skeleton.count > maps.points:
            raise ValueError("fewer maps than points")
        return MapReader(maps, skeleton, self.refinement, self.within, to_edges=self.to_edges)


DECODER: Final = HeatMaps()


def without_background(maps: MapPlan) -> Skeleton:
    """Return what maps are of whose last one is the background."""
    return _WITH_BACKGROUND.get(maps.points) or usual_skeleton(maps.points - 1)


def _ratio_of(facts: ModelFacts, maps: MapPlan) -> float | None:
    return _ratio(facts, maps.height, maps.width)


class MapReader(PointReader):
    """Reads a heat map a point."""

    is_single = True

    def __init__(
        self, maps: MapPlan, skeleton: Skeleton, refinement: int, within: float, *, to_edges: bool
    ) -> None:
        self.skeleton = skeleton
        self._maps = maps
        self._refinement = refinement
        self._within = within
        self._to_edges = to_edges

    def outputs(self) -> tuple[str, ...]:
        return (self._maps.output,)

    def program(self, tensors: Mapping[str, Tensor]) -> PointProgram:
        maps, tensor = self._maps, tensors[self._maps.output]
        steps = strides(tensor)
        first = first_of(tensor) + (steps[1] * (tensor.shape[1] - 1) if len(steps) == 5 else 0)
        point, row, column = (steps[axis] for axis in maps.axes)
        size = (maps.width, maps.height, self._refinement, self._to_edges)
        plan = struct.pack("<8If3I", first, point, row, column, *size, self._within, 0, 0, 0)
        return PointProgram("key_points_maps.wgsl", (tensor,), (("heat_maps", plan, self.skeleton.count),))

    def finished(self, found: KeyPointDetections) -> KeyPointDetections:
        """See `PointReader`: the score is the mean confidence."""
        return with_mean_scores(found)

    def read(self, outputs: Mapping[str, np.ndarray], limits: PointLimits) -> KeyPointDetections:
        maps = self._maps.of(outputs[self._maps.output])[: self.skeleton.count].astype(np.float32)
        flat = np.where(np.isnan(maps), -np.inf, maps).reshape(len(maps), -1)
        place = flat.argmax(axis=1)
        rows, columns = np.divmod(place, maps.shape[2])
        at = np.stack((columns, rows), axis=1) + self._within
        with np.errstate(all="ignore"):  # an untrusted network may give anything
            if self._refinement == QUARTER:
                at += _quarter(maps, rows, columns)
            elif self._refinement == BLURRED:
                at += _to_top(maps, rows, columns)
        cells = np.array((maps.shape[2], maps.shape[1]), float) - self._to_edges
        with np.errstate(all="ignore"):
            shares = at / cells
        return single(shares, np.take_along_axis(flat, place[:, None], 1)[:, 0])


def _quarter(maps: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return a quarter cell towards the greater neighbor, (points, 2); 0 within two cells of an edge."""
    _, height, width = maps.shape
    inside = (columns > 1) & (columns < width - 1) & (rows > 1) & (rows < height - 1)
    y, x = np.where(inside, rows, 0), np.where(inside, columns, 0)
    each = np.arange(len(maps))
    right, left = maps[each, y, np.minimum(x + 1, width - 1)], maps[each, y, x - 1]
    below, above = maps[each, np.minimum(y + 1, height - 1), x], maps[each, y - 1, x]
    pairs = np.stack((right, below, left, above))
    pairs = np.where(np.isfinite(pairs), pairs, np.nan)
    step = 0.25 * np.nan_to_num(np.sign(pairs[:2] - pairs[2:]))
    return np.asarray(np.where(inside, step, 0.0).T)


_RADIUS: Final = 5
_DEVIATION: Final = 2.0


def _to_top(maps: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return Newton's step on the blurred map's logarithm, (points, 2), at most a cell; see vitpose.py."""
    _, height, width = maps.shape
    step = np.arange(-_RADIUS, _RADIUS + 1)
    weight = np.exp(-(step**2) / (2.0 * _DEVIATION**2))
    weight /= weight.sum()
    near = np.arange(-1, 2)
    # A cell at the edge is its own neighbor; the blur reflects at edges.
    y = np.clip(rows[:, None] + near, 0, height - 1)
    x = np.clip(columns[:, None] + near, 0, width - 1)
    y, x = _reflected(y[..., None] + step, height), _reflected(x[..., None] + step, width)
    each = np.arange(len(maps))[:, None, None, None, None]
    patch = maps[each, y[:, :, None, :, None], x[:, None, :, None, :]].astype(np.float64)
    a = np.log(np.clip(np.einsum("kyxij,i,j->kyx", patch, weight, weight), 0.001, 50.0))
    gradient_x, gradient_y = 0.5 * (a[:, 1, 2] - a[:, 1, 0]), 0.5 * (a[:, 2, 1] - a[:, 0, 1])
    tiny = np.finfo(np.float32).eps
    xx = a[:, 1, 2] - 2 * a[:, 1, 1] + a[:, 1, 0] + tiny
    yy = a[:, 2, 1] - 2 * a[:, 1, 1] + a[:, 0, 1] + tiny
    xy = 0.5 * (a[:, 2, 2] - a[:, 1, 2] - a[:, 2, 1] + 2 * a[:, 1, 1] - a[:, 1, 0] - a[:, 0, 1] + a[:, 0, 0])
    determinant = xx * yy - xy * xy
    found = np.stack((yy * gradient_x - xy * gradient_y, xx * gradient_y - xy * gradient_x), axis=1)
    moved = -found / determinant[:, None]
    known = np.isfinite(moved).all(axis=1, keepdims=True)
    return np.asarray(np.clip(np.where(known, moved, 0.0), -1.0, 1.0))


def _reflected(index: np.ndarray, length: int) -> np.ndarray:
    inside = np.abs(index)
    return np.clip(np.where(inside > length - 1, 2 * (length - 1) - inside, inside), 0, length - 1)
