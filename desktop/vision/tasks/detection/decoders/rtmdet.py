"""RTMDet (Lyu et al. 2022, arXiv:2212.07784) without suppression; with it, see `lists`, mmdeploy.

Strides 8, 16, 32: three maps of logits [1, classes, h, w] and three of distances [1, 4, h, w] in pixels from
the cell's upper left corner to the box's left, top, right and bottom.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.columns import is_sigmoid, tail_of
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.priors import Priors, distance_boxes, distance_shader
from desktop.vision.tasks.task import Size

_PRIORS: Final = Priors(tuple((stride, ((0.0, 0.0),)) for stride in (8, 16, 32)))


def _maps(facts: ModelFacts) -> list[tuple[TensorInfo, TensorInfo]] | None:
    """(logits, distances) of each grid."""
    size = input_size(facts)
    if len(facts.outputs) != 2 * len(_PRIORS) or not all(size):
        return None
    found = []
    for stride, _ in _PRIORS.levels:
        across, down = _PRIORS.grid(size, stride)
        both = [o for o in facts.outputs if len(o.shape) == 4 and o.shape[2:] == (down, across)]
        distances = [o for o in both if o.shape[1] == 4]
        # Of a network of four classes the logits come first.
        if len(both) != 2 or not distances:
            return None
        logits = next(o for o in both if o is not distances[-1])
        found.append((logits, distances[-1]))
    return found


def _matches(facts: ModelFacts) -> Match | None:
    maps = _maps(facts)
    if maps is None:
        return None
    for (stride, _), (logits, distances) in zip(_PRIORS.levels, maps, strict=True):
        if is_sigmoid(facts, logits) or stride not in tail_of(facts, distances).factors:
            return None
    return Match(Evidence.OBSERVED, sentence("logits and distances in pixels for each of its grids"))


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    maps = _maps(facts)
    if maps is None:
        raise ValueError("outputs of another family")
    return tuple(
        AnchorGroup(
            logits.shape[2] * logits.shape[3],
            logits.shape[1],
            Columns(logits.name, 0, False),
            Columns(distances.name, 0, False),
            activation="sigmoid",
        )
        for logits, distances in maps
    )


def _boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    prior = _PRIORS.of(anchors, size)
    return distance_boxes(prior.cell * prior.stride, values)


DECODER: Final = Decoder(
    "rtmdet",
    "RTMDet",
    _matches,
    _groups,
    _boxes,
    powers=(0.0, 1.0),
    preprocess={
        **{"colors": "BGR", "scale": "0..255"},
        **{"mean": (103.53, 116.28, 123.675), "std": (57.375, 57.12, 58.395)},
        **{"resize": "letterbox", "pad": 114 / 255, "width": 640, "height": 640},
    },
    score=0.3,
    iou=0.65,
    shader=lambda size: f"{_PRIORS.shader()}\n{distance_shader('p.cell * p.stride', 'v')}",
)
