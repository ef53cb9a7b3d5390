"""What a decoder declares: which networks it is for, where their scores and boxes lie, and what the boxes' four numbers mean.

A decoder is one file that declares a `Decoder` and is listed in `decoders.py`. Scoring and choosing candidates follow from the
declaration, on the GPU (`gpu_candidates.py`) and on the CPU (`candidates.py`) alike; only `boxes` computes, for the few that stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np

from desktop.compute.models.facts import ModelFacts
from desktop.compute.nn.session import TensorInfo
from desktop.compute.tasks.task import RegionRule, Size

Activation = Literal["none", "sigmoid", "softmax"]


@dataclass(frozen=True)
class Columns:
    """Some columns of an output that is a table with a row an anchor.

    Attributes:
        output: the output's name.
        first: the first column.
        columns_last: True for [1, anchors, columns], False for [1, columns, anchors] and [1, columns, height, width].
    """

    output: str
    first: int
    columns_last: bool = True


@dataclass(frozen=True)
class AnchorGroup:
    """One group of anchors, in the order in which the network numbers them.

    Attributes:
        anchors: how many.
        classes: how many there are: as many columns as `scores` has, unless `class_number` says which class the one column is of.
        scores: the classes' scores, in 0..1.
        box: the box's four numbers, whatever they mean.
        objectness: the score that there is anything at all, in 0..1; None where the network has none.
        class_number: a column with the number of the class, in the scores' output or in one of whole numbers; None where each class has a
            score.
        activation: what makes scores of the classes' columns: 'none', or of logits 'sigmoid' (each for itself) or 'softmax'.
        others: columns behind the classes that the softmax sees too: of there being nothing.
        extra: the first of further columns that are wanted of each candidate, `extras` of them; in networks of one group.
    """

    anchors: int
    classes: int
    scores: Columns
    box: Columns
    objectness: Columns | None = None
    class_number: Columns | None = None
    activation: Activation = field(default="none", kw_only=True)
    others: int = field(default=0, kw_only=True)
    extra: Columns | None = field(default=None, kw_only=True)
    extras: int = field(default=0, kw_only=True)


@dataclass(frozen=True)
class Decoder:
    """A family of detectors.

    Attributes:
        id: its name in presets.
        title: its name for users.
        matches: whether a network is of this family, by the shapes of its outputs; a free dimension is 0.
        groups: where scores and boxes lie, for facts with every dimension known.
        boxes: (anchors int64 (n,), values float64 (n, 4), size of the input) -> corners float64 (n, 4), left, top, right, bottom in pixels.
        points: (anchors, float64 (n, m) of `AnchorGroup.extra`, size) -> key points float64 (n, 2 k), x and y in pixels; None where
            the family has none.
        merges: overlapping boxes become their mean, weighted by their scores, instead of the best of them (BlazeFace, Bazarevsky et al.
            2019, arXiv:1907.05047, section 4).
        shader: (size of the input) -> `boxes` and `points` in WGSL: `fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f` and
            `fn point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f`. None leaves a second network to what is read back.
        region: how the upright surroundings of a thing follow from its box and key points, for a second network (tasks/common/regions.py).
        powers: a candidate's score is objectness^powers[0] * class score^powers[1].
        preprocess: fields of `Preprocess` as this family was trained; what the file or the user says goes before.
        score, iou: usual thresholds: the least score, and the overlap from which the lower of two boxes goes.
        names: of the classes, where the family has always the same.
    """

    id: str
    title: str
    matches: Callable[[ModelFacts], bool]
    groups: Callable[[ModelFacts], tuple[AnchorGroup, ...]]
    boxes: Callable[[np.ndarray, np.ndarray, Size], np.ndarray]
    powers: tuple[float, float] = (1.0, 1.0)
    preprocess: Mapping[str, Any] = field(default_factory=dict)
    score: float = 0.3
    iou: float = 0.45
    names: tuple[str, ...] = ()
    points: Callable[[np.ndarray, np.ndarray, Size], np.ndarray] | None = None
    merges: bool = False
    region: RegionRule | None = None
    shader: Callable[[Size], str] | None = None


def table(output: TensorInfo) -> tuple[int, int] | None:
    """Return the last two dimensions of [1, a, b], or None for any other shape; 0 stands for a free one."""
    shape = output.shape
    return (shape[1], shape[2]) if len(shape) == 3 and shape[0] in (0, 1) else None


def cells(size: Size, strides: tuple[int, ...]) -> int:
    """Return how many cells the grids of an input have together; 0 where its size is free."""
    return sum(-(-size[0] // s) * -(-size[1] // s) for s in strides) if all(size) else 0


# Strides of the YOLO networks that there are: the usual ones, with small or large things (P2, P6), and the tiny ones.
_PYRAMIDS: Final = ((8, 16, 32), (4, 8, 16, 32), (8, 16, 32, 64), (16, 32))


def fits_pyramid(anchors: int, size: Size, per_cell: int) -> bool:
    """Return whether a YOLO network has so many anchors for an input of a size; where one of both is free it may."""
    if not anchors or not all(size):
        return True
    return any(anchors == per_cell * cells(size, strides) for strides in _PYRAMIDS)


def grid(anchors: np.ndarray, size: Size, strides: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return (x, y) of the anchors' cells and the stride of each: float64 (n, 2) and (n, 1). Cells count row by row, grid by grid."""
    corner, stride = np.zeros((len(anchors), 2)), np.ones((len(anchors), 1))
    first = 0
    for s in strides:
        across, down = -(-size[0] // s), -(-size[1] // s)
        inside = (anchors >= first) & (anchors < first + across * down)
        cell = anchors[inside] - first
        corner[inside] = np.stack((cell % across, cell // across), 1)
        stride[inside] = s
        first += across * down
    return corner, stride


Grids = tuple[tuple[int, int], ...]
"""(stride, anchors a cell) of each grid."""

NO_POINTS: Final = "fn point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f { return v; }"
"""WGSL of a family without key points."""


def grid_shader(grids: Grids) -> str:
    """Return WGSL of `fn cell_of(anchor: u32, size: vec2f) -> vec3f`: x and y of an anchor's cell, and its stride; see `grid`."""
    lines = ["fn cell_of(anchor: u32, size: vec2f) -> vec3f {", "    var at = anchor;"]
    for stride, each in grids:
        lines += [
            "    {",
            f"        let across = u32(ceil(size.x / {stride}.0));",
            f"        let count = across * u32(ceil(size.y / {stride}.0)) * {each}u;",
            "        if at < count {",
            f"            let cell = at / {each}u;",
            f"            return vec3f(f32(cell % across), f32(cell / across), {stride}.0);",
            "        }",
            "        at -= count;",
            "    }",
        ]
    return "\n".join([*lines, "    return vec3f(0.0, 0.0, 1.0);", "}"])


def corners_shader(size: Size) -> str:
    """Return WGSL of a family whose four numbers are the corners, in pixels."""
    return f"fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f {{ return v; }}\n{NO_POINTS}"


def box_shader(*lines: str) -> str:
    """Return WGSL of `box_of` with these lines, in which `middle` and `extent` are set."""
    head = ["fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f {"]
    tail = ["    return vec4f(middle - extent / 2.0, middle + extent / 2.0);", "}"]
    return "\n".join([*head, *(f"    {line}" for line in lines), *tail])


def corners(center: np.ndarray, extent: np.ndarray) -> np.ndarray:
    """Return left, top, right, bottom (n, 4) of boxes by their middles and sizes (n, 2)."""
    return np.concatenate((center - extent / 2, center + extent / 2), axis=1)
