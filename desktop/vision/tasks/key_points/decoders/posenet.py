"""PoseNet and BodyPix: poses of several persons by PersonLab (Papandreou et al. 2018, arXiv:1803.08225).

As in tfjs-models: heat maps of logits, short offsets, and displacements along a tree of points, both ways
from the nose. Confident maxima are roots, the best first, unless within 20 input pixels of that point of a
better pose; displacements lead from it to the others, each corrected twice by the short offset.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.key_points.decoder import (
    KeyPointDecoder,
    KeyPointDetections,
    NetworkView,
    PointLimits,
    PointProgram,
    PointReader,
    as_shares,
    first_of,
    sigmoid,
    strides,
)
from desktop.vision.tasks.key_points.gpu_points import CAPACITY, RANKED, groups_of
from desktop.vision.tasks.key_points.skeletons import COCO_17
from desktop.vision.tasks.task import Size

# (parent, child), in the order of the displacements' channels.
TREE: Final = (
    *((0, 1), (1, 3), (0, 2), (2, 4), (0, 5), (5, 7), (7, 9), (5, 11), (11, 13), (13, 15)),
    *((0, 6), (6, 8), (8, 10), (6, 12), (12, 14), (14, 16)),
)
_POINTS: Final = COCO_17.count
_EDGES: Final = len(TREE)
_ROOT: Final = 0.5
"""The least score of a root."""
RADIUS: Final = 20.0
_REFINEMENTS: Final = 2
_STRIDES: Final = (8, 16, 32)


@dataclass(frozen=True)
class PoseOutputs:
    """The four outputs by name; True if their channels are the last dimension."""

    heat: str
    offsets: str
    forward: str
    backward: str
    channels_last: bool

    def names(self) -> tuple[str, str, str, str]:
        """Return them in the order of the shader's slots."""
        return self.heat, self.offsets, self.forward, self.backward


def find_outputs(facts: ModelFacts) -> PoseOutputs | None:
    """Return the four outputs by their names and channels; None where one is missing."""
    for axis in (3, 1):
        heat = _named(facts, axis, _POINTS, "heat")
        offsets = _named(facts, axis, 2 * _POINTS, "short") or _named(facts, axis, 2 * _POINTS, "offset")
        forward = _named(facts, axis, 2 * _EDGES, "fwd") or _named(facts, axis, 2 * _EDGES, "forward")
        backward = _named(facts, axis, 2 * _EDGES, "bwd") or _named(facts, axis, 2 * _EDGES, "backward")
        if heat and offsets and forward and backward:
            return PoseOutputs(heat.name, offsets.name, forward.name, backward.name, axis == 3)
        # Without names by the order of the original: heat maps, offsets, forward, backward.
        if heat is None and len(facts.outputs) == 4:
            channels = [o.shape[axis] for o in facts.outputs if len(o.shape) == 4]
            if channels == [_POINTS, 2 * _POINTS, 2 * _EDGES, 2 * _EDGES]:
                heat, offsets, forward, backward = facts.outputs
                return PoseOutputs(heat.name, offsets.name, forward.name, backward.name, axis == 3)
    return None


def _named(facts: ModelFacts, axis: int, channels: int, word: str) -> TensorInfo | None:
    return next(
        (
            output
            for output in facts.outputs
            if len(output.shape) == 4 and output.shape[axis] == channels and word in output.name.lower()
        ),
        None,
    )


class PoseNet(KeyPointDecoder):
    """See the module."""

    id = "posenet"
    title = "PoseNet"
    order = 5
    preprocess = {
        **{"colors": "RGB", "scale": "-1..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 0.0, "width": 513, "height": 513},
    }
    score = 0.25
    point = 0.3

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `KeyPointDecoder`: by four unique outputs."""
        return Evidence.DECLARED if find_outputs(facts) is not None else None

    def reader(self, network: NetworkView) -> PointReader:
        outputs = find_outputs(network.facts)
        if outputs is None:
            raise ValueError("no displacements")
        shapes = [network.shapes[name] for name in outputs.names()]
        rows, columns = shapes[0][1:3] if outputs.channels_last else shapes[0][2:]
        inner = [shape[1:3] if outputs.channels_last else shape[2:] for shape in shapes]
        if any(sides != (rows, columns) for sides in inner) or rows * columns * _POINTS >= 1 << 31:
            raise ValueError("maps of different sizes")
        return PoseReader(outputs, (columns, rows), network.size)


DECODER: Final = PoseNet()


def cell_size(cells: int, pixels: int) -> int:
    """Return the input pixels per cell; the nearest integer if no stride gives these sides."""
    found = (s for s in _STRIDES if cells in (math.ceil(pixels / s), (pixels - 1) // s + 1))
    return next(found, max(1, round((pixels - 1) / max(1, cells - 1))))


class PoseReader(PointReader):
    """Follows displacements from the surest points."""

    skeleton = COCO_17

    def __init__(self, outputs: PoseOutputs, cells: Size, size: Size) -> None:
        """Make it for `cells` (columns, rows) of the maps, 0 if unknown, and the input's `size`."""
        self._outputs = outputs
        self._cells = cells
        self._size = size

    def outputs(self) -> tuple[str, ...]:
        return self._outputs.names()

    def gpu_limits(self, limits: PointLimits) -> PointLimits:
        """See `PointReader`: the root's least score, as a logit."""
        return replace(limits, score=math.log(_ROOT / (1.0 - _ROOT)))

    def program(self, tensors: Mapping[str, Tensor]) -> PointProgram:
        chosen = tuple(tensors[name] for name in self.outputs())
        axes = (3, 1, 2) if self._outputs.channels_last else (1, 2, 3)
        places = [n for tensor in chosen for n in (first_of(tensor), *(strides(tensor)[a] for a in axes))]
        edges = [n for edge in TREE for n in (*edge, 0, 0)]
        edges += [0] * (4 * 32 - len(edges))
        cell = float(cell_size(self._cells[0], self._size[0]))
        size = (cell, RADIUS**2, *map(float, self._size))
        plan = struct.pack("<2I8x16I4f128II12x", *self._cells, *places, *size, *edges, _EDGES)
        threads = self._cells[0] * self._cells[1] * _POINTS
        steps = (
            *(("begin", plan, 1), ("peaks", plan, groups_of(threads))),
            *(("rank", plan, groups_of(min(threads, CAPACITY))), ("follow", plan, groups_of(RANKED))),
            ("choose", plan, 1),
        )
        return PointProgram(
            "key_points_poses.wgsl", chosen, steps, has_candidates=True, scratch=4 * 3 * RANKED * _POINTS
        )

    def read(self, outputs: Mapping[str, np.ndarray], limits: PointLimits) -> KeyPointDetections:
        maps = [outputs[name][0].astype(np.float32) for name in self.outputs()]
        heat, offsets, forward, backward = (
            m if self._outputs.channels_last else np.moveaxis(m, 0, -1) for m in maps
        )
        heat = np.where(np.isnan(heat), -np.inf, heat)
        short, away, back = (np.where(np.isfinite(m), m, 0) for m in (offsets, forward, backward))
        roots, logits = _roots(heat)
        cell = cell_size(heat.shape[1], self._size[0])
        points, found = _Followed(heat, short, away, back, cell).from_roots(roots)
        found[np.arange(len(roots)), roots[:, 2]] = logits
        kept = _distinct(points, roots[:, 2])
        chosen = kept[: limits.most]
        placed, known = as_shares(points[chosen] / self._size)
        return KeyPointDetections(
            sigmoid(logits[chosen]),
            np.zeros(len(chosen), np.int64),
            placed,
            sigmoid(found[chosen]) * known,
        )

    def finished(self, found: KeyPointDetections) -> KeyPointDetections:
        """See `PointReader`: a pose's score is the mean of its points' that no better pose has already."""
        points = found.points * self._size
        scores = []
        for i in range(len(points)):
            apart = ((points[:i] - points[i]) ** 2).sum(axis=2)
            new = ~(apart <= RADIUS**2).any(axis=0)
            scores.append(float((found.confidences[i] * new).sum() / _POINTS))
        whole = np.array(scores, float)
        return replace(found, scores=whole).part(np.argsort(-whole, kind="stable"))


@dataclass(frozen=True)
class _Followed:
    """Return poses from their roots; all roots are followed together. Maps are [rows, columns, channels]."""

    heat: np.ndarray
    offsets: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    cell: int

    def from_roots(self, roots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return positions (roots, points, 2) in pixels of the input, and the logits there."""
        count, each = len(roots), np.arange(len(roots))
        points = np.zeros((count, _POINTS, 2))
        logits = np.zeros((count, _POINTS), np.float32)
        placed = np.zeros((count, _POINTS), bool)

        def put(which: np.ndarray, goal: np.ndarray, at: np.ndarray) -> None:
            row, column = self._near(at)
            points[which, goal] = at
            logits[which, goal] = self.heat[row, column, goal]
            placed[which, goal] = True

        put(each, roots[:, 2], self._corrected(*roots.T))
        ways = [(e, child, parent, self.backward) for e, (parent, child) in reversed(list(enumerate(TREE)))]
        ways += [(e, parent, child, self.forward) for e, (parent, child) in enumerate(TREE)]
        for edge, source, goal, moves in ways:
            which = np.flatnonzero(placed[:, source] & ~placed[:, goal])
            row, column = self._near(points[which, source])
            at = points[which, source] + np.stack(
                (moves[row, column, edge + _EDGES], moves[row, column, edge]), axis=1
            )
            goals = np.full(len(which), goal)
            for _ in range(_REFINEMENTS):
                at = self._corrected(*self._near(at), goals)
            put(which, goals, at)
        return points, logits

    def _corrected(self, row: np.ndarray, column: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """Return the points of `goal`'s kinds, refined by the short offsets in cells."""
        short = np.stack((self.offsets[row, column, goal + _POINTS], self.offsets[row, column, goal]), axis=1)
        return np.asarray(np.stack((column, row), axis=1) * float(self.cell) + short)

    def _near(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of the cells next to positions (n, 2)."""
        rows, columns, _ = self.heat.shape
        cell = np.clip(np.floor(at / self.cell + 0.5), 0, (columns - 1, rows - 1)).astype(np.int64)
        return cell[:, 1], cell[:, 0]


def _roots(heat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (row, column, point), (n, 3), of the confident maxima of 3 x 3 cells, and logits, best first."""
    rows, columns, _ = heat.shape
    padded = np.pad(heat, ((1, 1), (1, 1), (0, 0)), constant_values=-np.inf)
    around = [padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
    is_root = (heat >= np.max(around, axis=0)) & (heat >= math.log(_ROOT / (1.0 - _ROOT)))
    found = np.argwhere(is_root)
    logits = heat[is_root]
    order = np.argsort(-logits, kind="stable")[:RANKED]
    return found[order], logits[order]


def _distinct(points: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Return the poses whose root is not near the same point of a better remaining one."""
    stays = np.ones(len(points), bool)
    for i in range(len(points)):
        if not stays[i]:
            continue
        later = np.arange(i + 1, len(points))
        apart = points[i, kinds[later]] - points[later, kinds[later]]
        stays[later[(apart**2).sum(axis=1) <= RADIUS**2]] = False
    return np.flatnonzero(stays)
