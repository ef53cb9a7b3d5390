"""NanoDet, NanoDet-Plus (github.com/RangiLyu/nanodet) and PicoDet without suppression.

A row a cell: class scores in 0..1, and 4 x 8 logits, the distributions (arXiv:2006.04388) of the distances to
the box's left, top, right and bottom, in strides. Some tables may also be YOLOX's; the user chooses.

- `nanodet_plus`: [1, n, classes + 32] of strides 8, 16, 32, 64, from the cells' upper left corners.
- `nanodet`: strides 8, 16, 32, from the centers; or for each stride [1, n, classes] and [1, n, 32].
- `picodet`: for each of strides 8, 16, 32, 64 [1, n, classes] and [1, n, 32], from the cells' centers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import table
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.priors import Priors, distance_boxes, distance_shader
from desktop.vision.tasks.task import Size

_BINS: Final = 8
_COLUMNS: Final = 4 * _BINS
_COCO: Final = 80
_NO_SIZE: Final = ((0.0, 0.0),)
_THREE: Final = Priors(tuple((stride, _NO_SIZE) for stride in (8, 16, 32)))
_FOUR: Final = Priors(tuple((stride, _NO_SIZE) for stride in (8, 16, 32, 64)))


def _one(facts: ModelFacts, priors: Priors) -> tuple[int, int] | None:
    """(anchors, columns) of one table of all."""
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 else None
    if found is None or found[1] <= _COLUMNS or found[0] != sum(priors.counts(input_size(facts))):
        return None
    return found


def _several(facts: ModelFacts, priors: Priors) -> list[tuple[TensorInfo, TensorInfo]] | None:
    """(scores, distributions) of each grid; the classes may be as many as the distributions have columns."""
    if len(facts.outputs) != 2 * len(priors) or not all(input_size(facts)):
        return None
    found = []
    for count in priors.counts(input_size(facts)):
        both = [o for o in facts.outputs if (rows := table(o)) is not None and rows[0] == count]
        if len(both) != 2 or _COLUMNS not in (both[0].shape[2], both[1].shape[2]):
            return None
        found.append((both[0], both[1]) if both[1].shape[2] == _COLUMNS else (both[1], both[0]))
    return found if len({scores.shape[2] for scores, _ in found}) == 1 else None


def _match(facts: ModelFacts, priors: Priors, *, joined: bool, split: bool) -> Match | None:
    if split and _several(facts, priors) is not None:
        return Match(Evidence.DECLARED, sentence("scores and four distributions for each cell of its grids"))
    found = _one(facts, priors) if joined else None
    if found is None:
        return None
    reason = sentence("{columns} columns, {classes} classes and four distributions of {bins}",
                      columns=found[1], classes=found[1] - _COLUMNS, bins=_BINS)  # fmt: skip
    return Match(Evidence.OBSERVED if found[1] - _COLUMNS == _COCO else Evidence.ASSUMED, reason)


def _groups(facts: ModelFacts, priors: Priors) -> tuple[AnchorGroup, ...]:
    several = _several(facts, priors)
    if several is not None:
        return tuple(
            AnchorGroup(s.shape[1], s.shape[2], Columns(s.name, 0), Columns(d.name, 0), bins=_BINS)
            for s, d in several
        )
    found = _one(facts, priors)
    if found is None:
        raise ValueError("outputs of another family")
    name, classes = facts.outputs[0].name, found[1] - _COLUMNS
    return (AnchorGroup(found[0], classes, Columns(name, 0), Columns(name, classes), bins=_BINS),)


_NANODET: Final = {
    **{"colors": "BGR", "scale": "0..255"},
    **{"mean": (103.53, 116.28, 123.675), "std": (57.375, 57.12, 58.395)},
    **{"resize": "stretch", "width": 320, "height": 320},
}
_PICODET: Final = {
    **{"colors": "RGB", "scale": "0..1", "mean": IMAGENET_MEAN, "std": IMAGENET_STD},
    **{"resize": "stretch", "width": 320, "height": 320},
}


def _decoder(
    id_: str,
    title: str,
    priors: Priors,
    offset: float,
    preprocess: Mapping[str, Any],
    *,
    joined: bool = False,
    split: bool = False,
) -> Decoder:
    def boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
        prior = priors.of(anchors, size)
        return distance_boxes((prior.cell + offset) * prior.stride, values * prior.stride)

    def shader(size: Size) -> str:
        middle = f"(p.cell + {offset}) * p.stride"
        return f"{priors.shader()}\n{distance_shader(middle, 'v * p.stride')}"

    return Decoder(
        id_,
        title,
        lambda facts: _match(facts, priors, joined=joined, split=split),
        lambda facts: _groups(facts, priors),
        boxes,
        powers=(0.0, 1.0),
        preprocess=preprocess,
        score=0.35,
        iou=0.6,
        shader=shader,
    )


DECODERS: Final = (
    _decoder("nanodet_plus", "NanoDet-Plus", _FOUR, 0.0, _NANODET, joined=True),
    _decoder("nanodet", "NanoDet", _THREE, 0.5, _NANODET, joined=True, split=True),
    _decoder("picodet", "PicoDet", _FOUR, 0.5, _PICODET, split=True),
)
