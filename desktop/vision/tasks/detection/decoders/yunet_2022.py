"""YuNet of 2021 and 2022 (OpenCV's face_detection_yunet_2022mar): faces with five points, priors of an SSD.

A row a prior: `loc` [n, 14], box and points relative to the prior, with SSD's variances; `conf` [n, 2],
background and face; `iou` [n, 1]. The score is sqrt(face * IoU).
"""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.priors import (
    SMALL_FACES,
    Priors,
    prior_boxes,
    prior_points,
    prior_shader,
)

_PRIORS: Final = Priors(SMALL_FACES, floors=True)
_POINTS: Final = 5
_COLUMNS: Final = 4 + 2 * _POINTS


def _outputs(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo, TensorInfo] | None:
    """(boxes and points, scores, IoU), in whichever order the file has them."""
    rows = {output.shape[-1]: output for output in facts.outputs if len(output.shape) in (2, 3)}
    if len(facts.outputs) != 3 or rows.keys() != {_COLUMNS, 2, 1}:
        return None
    found = rows[_COLUMNS], rows[2], rows[1]
    return found if len({output.shape[-2] for output in found}) == 1 else None


def _matches(facts: ModelFacts) -> Match | None:
    found = _outputs(facts)
    if found is None:
        return None
    size, rows = input_size(facts), found[0].shape[-2]
    if all(size) and rows and rows != sum(_PRIORS.counts(size)):
        return None
    return Match(
        Evidence.DECLARED, sentence("a box with five points, two scores and an IoU for each of its priors")
    )


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _outputs(facts)
    if found is None:
        raise ValueError("outputs of another family")
    boxes, scores, overlap = found
    slots = (Columns(scores.name, 1), Columns(boxes.name, 0), Columns(overlap.name, 0))
    extra = Columns(boxes.name, 4)
    return (AnchorGroup(boxes.shape[-2], 1, *slots, extra=extra, extras=2 * _POINTS),)


DECODER: Final = Decoder(
    "yunet_2022",
    "YuNet (2022)",
    _matches,
    _groups,
    lambda anchors, values, size: prior_boxes(_PRIORS, anchors, values, size),
    powers=(0.5, 0.5),
    preprocess={
        **{"colors": "BGR", "scale": "0..255", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "width": 320, "height": 320},
    },
    score=0.6,
    iou=0.3,
    names=("face",),
    points=lambda anchors, values, size: prior_points(_PRIORS, anchors, values, size),
    shader=lambda size: prior_shader(_PRIORS),
)
