"""UltraFace (github.com/Linzaer/Ultra-Light-Fast-Generic-Face-Detector-1MB), a small SSD (arXiv:1512.02325).

[1, anchors, 2], the probabilities of background and face, and [1, anchors, 4], corners as fractions.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import NO_POINTS, cells, table
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.task import Size

# Stride of each grid, and number of box sizes in each of its cells.
_GRIDS: Final = ((8, 3), (16, 2), (32, 2), (64, 3))


def _outputs(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo] | None:
    """(scores, boxes), in whichever order the file has them."""
    if len(facts.outputs) != 2:
        return None
    for scores, boxes in (facts.outputs, facts.outputs[::-1]):
        first, second = table(scores), table(boxes)
        if first and second and first[1] == 2 and second[1] == 4 and first[0] == second[0]:
            return scores, boxes
    return None


def _matches(facts: ModelFacts) -> Match | None:
    found = _outputs(facts)
    size = input_size(facts)
    expected = sum(count * cells(size, (stride,)) for stride, count in _GRIDS)
    if found is None or found[0].shape[1] not in (0, expected):
        return None
    return Match(Evidence.OBSERVED, sentence("two scores and a box for each anchor of its grids"))


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _outputs(facts)
    if found is None:
        raise ValueError("outputs of another family")
    scores, boxes = found
    return (AnchorGroup(scores.shape[1], 1, Columns(scores.name, 1), Columns(boxes.name, 0)),)


def _boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    return values * np.array((*size, *size))


_SHADER: Final = "fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f { return v * vec4f(size, size); }"

DECODER: Final = Decoder(
    "ultraface",
    "UltraFace",
    _matches,
    _groups,
    _boxes,
    powers=(0.0, 1.0),
    preprocess={
        **{"colors": "RGB", "scale": "0..255", "mean": (127.0,) * 3, "std": (128.0,) * 3},
        **{"resize": "stretch", "width": 320, "height": 240},
    },
    score=0.7,
    iou=0.3,
    names=("face",),
    shader=lambda size: f"{_SHADER}\n{NO_POINTS}",
)
