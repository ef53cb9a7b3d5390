"""CenterNet (Zhou et al. 2019, arXiv:1904.07850; github.com/xingyizhou/CenterNet): peaks of heat maps.

Maps at a quarter of the input, in the order hm, wh, reg: heat [1, classes, h, w] (probability after a
sigmoid, else logit), sizes [1, 2, h, w] and center offsets [1, 2, h, w], both in cells.
"""

from __future__ import annotations

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

_PRIORS: Final = Priors(((4, ((0.0, 0.0),)),))
_OFFSET_NAMES: Final = ("reg", "off")


def _maps(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo, TensorInfo] | None:
    """(heat, sizes, offsets)."""
    size = input_size(facts)
    if len(facts.outputs) != 3 or not all(size):
        return None
    across, down = _PRIORS.grid(size, _PRIORS.levels[0][0])
    if any(
        len(o.shape) != 4 or o.shape[0] not in (0, 1) or o.shape[2:] != (down, across) for o in facts.outputs
    ):
        return None
    twos = [output for output in facts.outputs if output.shape[1] == 2]
    heat = facts.outputs[0] if len(twos) == 3 else next((o for o in facts.outputs if o not in twos), None)
    twos = [output for output in twos if output is not heat]
    if heat is None or len(twos) != 2:
        return None
    sizes, offsets = twos if not _is_offset(twos[0]) else twos[::-1]
    return heat, sizes, offsets


def _is_offset(output: TensorInfo) -> bool:
    return any(word in output.name.lower() for word in _OFFSET_NAMES)


def _matches(facts: ModelFacts) -> Match | None:
    if _maps(facts) is None:
        return None
    return Match(Evidence.DECLARED, sentence("maps of heat, sizes and offsets at a quarter of the image"))


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _maps(facts)
    if found is None:
        raise ValueError("outputs of another family")
    heat, sizes, offsets = found
    _, classes, down, across = heat.shape
    scores, box, rest = (Columns(each.name, 0, False) for each in (heat, sizes, offsets))
    activation: Activation = "none" if is_sigmoid(facts, heat) else "sigmoid"
    return (AnchorGroup(down * across, classes, scores, box, rest=rest, peaks=across, activation=activation),)


def _boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    prior = _PRIORS.of(anchors, size)
    return corners((prior.cell + values[:, 2:]) * prior.stride, values[:, :2] * prior.stride)


def _shader(size: Size) -> str:
    box = box_shader(
        "let p = prior_of(anchor, size);",
        "let middle = (p.cell + v.zw) * p.stride;",
        "let extent = v.xy * p.stride;",
    )
    return "\n".join((_PRIORS.shader(), box, NO_POINTS))


DECODER: Final = Decoder(
    "centernet",
    "CenterNet",
    _matches,
    _groups,
    _boxes,
    powers=(0.0, 1.0),
    # As in the origin: read by OpenCV, placed on a black input; mean and deviation are in channel order.
    preprocess={
        **{"colors": "BGR", "scale": "0..1", "mean": (0.408, 0.447, 0.470), "std": (0.289, 0.274, 0.278)},
        **{"resize": "letterbox", "width": 512, "height": 512},
    },
    score=0.3,
    iou=1.0,
    shader=_shader,
)
