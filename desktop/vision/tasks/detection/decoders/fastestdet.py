"""FastestDet (github.com/dog-qiuqiu/FastestDet): [1, 5 + classes, h, w], stride 16, one anchor a cell.

Objectness, tanh^-1 of the center's offset in cells, sigmoid^-1 of the size as a fraction, classes.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import NO_POINTS, box_shader, corners, grid, grid_shader
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.task import Size

_STRIDE: Final = 16


def _matches(facts: ModelFacts) -> Match | None:
    shape = facts.outputs[0].shape if len(facts.outputs) == 1 else ()
    width, height = input_size(facts)
    if len(shape) != 4 or shape[0] not in (0, 1) or not width or not height:
        return None
    # A segmentation network's map has the input's size, or a quarter or an eighth of it.
    if shape[1] < 6 or shape[2:] != (height // _STRIDE, width // _STRIDE):
        return None
    return Match(
        Evidence.OBSERVED,
        sentence("one map of a sixteenth of the input, with scores and boxes in its channels"),
    )


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    _, columns, height, width = output.shape
    slots = (Columns(output.name, first, False) for first in (5, 1, 0))
    return (AnchorGroup(height * width, columns - 5, *slots),)


def _boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    corner, stride = grid(anchors, size, (_STRIDE,))
    extent = np.array(size) / (1.0 + np.exp(-np.clip(values[:, 2:], -50.0, 50.0)))
    return corners((corner + np.tanh(values[:, :2])) * stride, extent)


def _shader(size: Size) -> str:
    box = box_shader(
        "let cell = cell_of(anchor, size);",
        "let middle = (cell.xy + tanh(clamp(v.xy, vec2f(-20.0), vec2f(20.0)))) * cell.z;",
        "let extent = size / (1.0 + exp(-clamp(v.zw, vec2f(-50.0), vec2f(50.0))));",
    )
    return "\n".join((grid_shader(((_STRIDE, 1),)), box, NO_POINTS))


DECODER: Final = Decoder(
    "fastestdet",
    "FastestDet",
    _matches,
    _groups,
    _boxes,
    powers=(0.6, 0.4),
    preprocess={
        **{"colors": "BGR", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "stretch"},
    },
    score=0.65,
    shader=_shader,
)
