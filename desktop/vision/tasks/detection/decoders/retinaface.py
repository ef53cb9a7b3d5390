"""RetinaFace (Deng et al. 2020, arXiv:1905.00641; github.com/biubug6/Pytorch_Retinaface), with five points.

A row a prior: `loc` [1, n, 4], `conf` [1, n, 2] (background, face), `landms` [1, n, 10]. With a square
prior's center p (a cell's) and side s: center p + 0.1 s loc[0:2], size s exp(0.2 loc[2:4]), points p + 0.1 s
landms. Without points, see `ultraface`.
"""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import table
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.priors import (
    SMALL_FACES,
    Priors,
    prior_boxes,
    prior_points,
    prior_shader,
    squares,
)

_POINTS: Final = 5
_PRIORS: Final = Priors(((8, squares(16, 32)), (16, squares(64, 128)), (32, squares(256, 512))))
# Face-Detector-1MB-with-landmark (slim, RFB).
_SLIM: Final = Priors(SMALL_FACES)


def _outputs(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo, TensorInfo] | None:
    """(boxes, scores, points), in whichever order the file has them."""
    if len(facts.outputs) != 3:
        return None
    tables = {shape[1]: output for output in facts.outputs if (shape := table(output)) is not None}
    if tables.keys() != {4, 2, 2 * _POINTS}:
        return None
    found = tables[4], tables[2], tables[2 * _POINTS]
    return found if len({output.shape[1] for output in found}) == 1 else None


def _match(facts: ModelFacts, priors: Priors) -> Match | None:
    found = _outputs(facts)
    if found is None:
        return None
    size, rows = input_size(facts), found[0].shape[1]
    reason = sentence("two scores, a box and five points for each of its priors")
    if all(size) and rows:
        return Match(Evidence.DECLARED, reason) if rows == sum(priors.counts(size)) else None
    # The same shapes: the family's own is the more usual by far.
    return Match(Evidence.CUSTOMARY if priors is _PRIORS else Evidence.ASSUMED, reason)


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _outputs(facts)
    if found is None:
        raise ValueError("outputs of another family")
    boxes, scores, points = found
    extra = Columns(points.name, 0)
    return (
        AnchorGroup(
            scores.shape[1],
            1,
            Columns(scores.name, 1),
            Columns(boxes.name, 0),
            extra=extra,
            extras=2 * _POINTS,
        ),
    )


def _decoder(id_: str, title: str, priors: Priors) -> Decoder:
    return Decoder(
        id_,
        title,
        lambda facts: _match(facts, priors),
        _groups,
        lambda anchors, values, size: prior_boxes(priors, anchors, values, size),
        powers=(0.0, 1.0),
        preprocess={
            **{"colors": "BGR", "scale": "0..255", "mean": (104.0, 117.0, 123.0), "std": (1.0, 1.0, 1.0)},
            **{"resize": "letterbox", "width": 640, "height": 640},
        },
        score=0.5,
        iou=0.4,
        names=("face",),
        points=lambda anchors, values, size: prior_points(priors, anchors, values, size),
        shader=lambda size: prior_shader(priors),
    )


DECODERS: Final = (
    _decoder("retinaface", "RetinaFace", _PRIORS),
    _decoder("retinaface_slim", "RetinaFace (slim)", _SLIM),
)
