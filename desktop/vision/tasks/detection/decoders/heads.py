"""YOLO networks whose last convolutions are the outputs: a map of logits for each grid, with anchors.

- `yolov5_heads`: three outputs [1, 3, h, w, 5 + classes] or [1, 3 (5 + classes), h, w] of strides 8, 16, 32.
  Box: center (2 sigmoid(x) - 0.5 + cell) stride, size (2 sigmoid(w))^2 anchor.
- `yolov5_heads_sigmoid`: the same after a sigmoid.
- `yolov7_heads`: as `yolov5_heads`, with the anchors of YOLOv7 and YOLOv4.
- `yolov3_heads`: [1, 3 (5 + classes), h, w]: center (sigmoid(x) + cell) stride, size exp(w) anchor.
- `yolo_fastestv2` (github.com/dog-qiuqiu/Yolo-FastestV2): two outputs [1, h, w, 12 + 3 + classes] of strides
  16, 32: three YOLOv5 boxes, objectness and shared classes after sigmoids and softmax.

Of equal shapes YOLOv5, the most common, is the default; others are chosen by name. Anchors are the published
ones (COCO); for others the boxes are wrong, which nothing in the file shows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import NO_POINTS, box_shader, corners
from desktop.vision.tasks.detection.columns import is_sigmoid
from desktop.vision.tasks.detection.decoder import Activation, AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.priors import Priors
from desktop.vision.tasks.task import Size

_BOX, _OTHERS = 4, 5
# Logits beyond this make no difference.
_LARGEST: Final = 50.0
# exp(10) anchors is more than any image has.
_GROWTH: Final = 10.0
_OF_3: Final = Priors(
    (
        (8, ((10, 13), (16, 30), (33, 23))),
        (16, ((30, 61), (62, 45), (59, 119))),
        (32, ((116, 90), (156, 198), (373, 326))),
    ),
    by_map=True,
)
_OF_7: Final = Priors(
    (
        (8, ((12, 16), (19, 36), (40, 28))),
        (16, ((36, 75), (76, 55), (72, 146))),
        (32, ((142, 110), (192, 243), (459, 401))),
    ),
    by_map=True,
)
_OF_FASTEST: Final = Priors(
    (
        (16, ((12.64, 19.39), (37.88, 51.48), (55.71, 138.31))),
        (32, ((126.91, 78.23), (131.57, 214.55), (279.92, 258.87))),
    ),
    by_map=True,
)


@dataclass(frozen=True)
class _HeadMap:
    """An output as a map of cells: columns of each anchor; `splits` for [1, 3 columns, h, w]."""

    output: TensorInfo
    columns: int
    cells: int
    splits: bool


def _maps(facts: ModelFacts, priors: Priors) -> list[_HeadMap] | None:
    """Return the outputs by rising stride; None if they are not maps of the grids."""
    size = input_size(facts)
    if len(facts.outputs) != len(priors) or not all(size):
        return None
    # The finest grid has the most numbers; a file may list its outputs in any order.
    ordered = sorted(facts.outputs, key=lambda output: -math.prod(output.shape))
    found = [_map(o, priors, size, level) for level, o in enumerate(ordered)]
    maps = [each for each in found if each is not None]
    return maps if len(maps) == len(priors) and len({each.columns for each in maps}) == 1 else None


def _map(output: TensorInfo, priors: Priors, size: Size, level: int) -> _HeadMap | None:
    stride, sizes = priors.levels[level]
    across, down = priors.grid(size, stride)
    shape, each = output.shape, len(sizes)
    if len(shape) == 5 and shape[0] in (0, 1) and shape[1:4] == (each, down, across) and shape[4] > _OTHERS:
        return _HeadMap(output, shape[4], across * down, splits=False)
    if len(shape) == 4 and shape[0] in (0, 1) and shape[2:] == (down, across) and shape[1] % each == 0:
        columns = shape[1] // each
        return _HeadMap(output, columns, across * down, splits=True) if columns > _OTHERS else None
    return None


def _match(facts: ModelFacts, priors: Priors, evidence: Evidence, sigmoid: bool) -> Match | None:
    maps = _maps(facts, priors)
    if maps is None or any(is_sigmoid(facts, each.output) != sigmoid for each in maps):
        return None
    return Match(evidence, sentence("a map for each of its grids, with three anchors a cell"))


def _groups(facts: ModelFacts, priors: Priors, activation: Activation) -> tuple[AnchorGroup, ...]:
    maps = _maps(facts, priors)
    if maps is None:
        raise ValueError("outputs of another family")
    groups: list[AnchorGroup] = []
    for (_, sizes), each in zip(priors.levels, maps, strict=True):
        classes, name = each.columns - _OTHERS, each.output.name
        if not each.splits:
            slots = (Columns(name, first) for first in (_OTHERS, 0, _BOX))
            groups.append(AnchorGroup(each.cells * len(sizes), classes, *slots, activation=activation))
            continue
        for which in range(len(sizes)):
            slots = (Columns(name, which * each.columns + first, False) for first in (_OTHERS, 0, _BOX))
            groups.append(AnchorGroup(each.cells, classes, *slots, activation=activation))
    return tuple(groups)


def _sigmoid(values: np.ndarray) -> np.ndarray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -_LARGEST, _LARGEST))))


def _of_shares(priors: Priors, anchors: np.ndarray, shares: np.ndarray, size: Size) -> np.ndarray:
    """Corners of YOLOv5's four numbers after their sigmoid."""
    prior = priors.of(anchors, size)
    middles = (2.0 * shares[:, :2] - 0.5 + prior.cell) * prior.stride
    return corners(middles, (2.0 * shares[:, 2:]) ** 2 * prior.extent)


def _shares_shader(priors: Priors, shares: str) -> str:
    box = box_shader(
        "let p = prior_of(anchor, size);",
        f"let s = {shares};",
        "let middle = (2.0 * s.xy - 0.5 + p.cell) * p.stride;",
        "let extent = 4.0 * s.zw * s.zw * p.extent;",
    )
    return "\n".join((priors.shader(), box, NO_POINTS))


_SIGMOID: Final = f"1.0 / (1.0 + exp(-clamp(v, vec4f(-{_LARGEST}), vec4f({_LARGEST}))))"


def _of_powers(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Corners of YOLOv3's four numbers."""
    prior = _OF_3.of(anchors, size)
    extent = np.exp(np.minimum(values[:, 2:], _GROWTH)) * prior.extent
    return corners((_sigmoid(values[:, :2]) + prior.cell) * prior.stride, extent)


def _powers_shader(size: Size) -> str:
    box = box_shader(
        "let p = prior_of(anchor, size);",
        f"let s = {_SIGMOID};",
        "let middle = (s.xy + p.cell) * p.stride;",
        f"let extent = exp(min(v.zw, vec2f({_GROWTH}))) * p.extent;",
    )
    return "\n".join((_OF_3.shader(), box, NO_POINTS))


def _heads(id_: str, title: str, priors: Priors, evidence: Evidence, *, sigmoid: bool = False) -> Decoder:
    activation: Activation = "none" if sigmoid else "sigmoid"

    def boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
        return _of_shares(priors, anchors, values if sigmoid else _sigmoid(values), size)

    return Decoder(
        id_,
        title,
        lambda facts: _match(facts, priors, evidence, sigmoid),
        lambda facts: _groups(facts, priors, activation),
        boxes,
        preprocess={
            **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
            **{"resize": "letterbox", "pad": 114 / 255, "width": 640, "height": 640},
        },
        score=0.25,
        shader=lambda size: _shares_shader(priors, "v" if sigmoid else _SIGMOID),
    )


_YOLOV5: Final = _heads("yolov5_heads", "YOLOv5 (raw heads)", _OF_3, Evidence.OBSERVED)


def _fastest(facts: ModelFacts) -> list[tuple[TensorInfo, int, int]] | None:
    """(output, cells, columns) by rising stride."""
    size = input_size(facts)
    if len(facts.outputs) != len(_OF_FASTEST) or not all(size):
        return None
    ordered = sorted(facts.outputs, key=lambda output: -math.prod(output.shape))
    found = []
    for (stride, sizes), output in zip(_OF_FASTEST.levels, ordered, strict=True):
        across, down = _OF_FASTEST.grid(size, stride)
        shape = output.shape
        if len(shape) != 4 or shape[0] not in (0, 1) or shape[1:3] != (down, across):
            return None
        if shape[3] <= _OTHERS * len(sizes):
            return None
        found.append((output, across * down, shape[3]))
    return found if len({columns for _, _, columns in found}) == 1 else None


def _matches_fastest(facts: ModelFacts) -> Match | None:
    if _fastest(facts) is None:
        return None
    return Match(Evidence.OBSERVED, sentence("two maps of three boxes a cell, which share their classes"))


def _fastest_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    maps = _fastest(facts)
    if maps is None:
        raise ValueError("outputs of another family")
    groups = []
    for (_, sizes), (output, cells, columns) in zip(_OF_FASTEST.levels, maps, strict=True):
        each, name = len(sizes), output.name
        scores = Columns(name, _OTHERS * each)
        for which in range(each):
            box, objectness = Columns(name, _BOX * which), Columns(name, _BOX * each + which)
            groups.append(AnchorGroup(cells, columns - _OTHERS * each, scores, box, objectness))
    return tuple(groups)


def _fastest_boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    return _of_shares(_OF_FASTEST, anchors, values, size)


DECODERS: Final = (
    _YOLOV5,
    _heads("yolov5_heads_sigmoid", "YOLOv5 (heads, sigmoid taken)", _OF_3, Evidence.OBSERVED, sigmoid=True),
    _heads("yolov7_heads", "YOLOv7 (raw heads)", _OF_7, Evidence.ASSUMED),
    replace(
        _YOLOV5,
        id="yolov3_heads",
        title="YOLOv3 (raw heads)",
        matches=lambda facts: _match(facts, _OF_3, Evidence.ASSUMED, sigmoid=False),
        boxes=_of_powers,
        shader=_powers_shader,
    ),
    replace(
        _YOLOV5,
        id="yolo_fastestv2",
        title="Yolo-FastestV2",
        matches=_matches_fastest,
        groups=_fastest_groups,
        boxes=_fastest_boxes,
        preprocess={
            **{"colors": "BGR", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
            **{"resize": "stretch", "width": 352, "height": 352},
        },
        score=0.3,
        shader=lambda size: _shares_shader(_OF_FASTEST, "v"),
    ),
)
