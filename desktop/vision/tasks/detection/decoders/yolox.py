"""YOLOX (Ge et al. 2021, arXiv:2107.08430): strides 8, 16, 32, offsets and log sizes in cells.

A file exported with `--decode_in_inference` has centers and sizes in pixels; its graph has an Exp.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import (
    STRIDES,
    cells,
    grid_boxes,
    grid_boxes_shader,
    pixel_boxes,
    pixel_boxes_shader,
)
from desktop.vision.tasks.detection.columns import (
    cells_table,
    groups_with_objectness,
    objectness_of,
    tail,
    weakened,
)
from desktop.vision.tasks.detection.decoder import Decoder


def _matches(facts: ModelFacts) -> Match | None:
    known = _objectness(facts)
    if known is None or has_exp(facts):
        return None
    end = tail(facts)
    if end.is_known:
        return None if end.computes else Match(Evidence.OBSERVED, _RAW)
    return Match(weakened(known, Evidence.CUSTOMARY), _CELLS)


def _matches_decoded(facts: ModelFacts) -> Match | None:
    return Match(Evidence.OBSERVED, _DECODED_CELLS) if _objectness(facts) and has_exp(facts) else None


def has_exp(facts: ModelFacts) -> bool:
    """Return True if a graph decodes as in YOLOX: the exponential of a size."""
    end = tail(facts)
    return "Exp" in (end.operators if end.is_known else facts.operators)


def _objectness(facts: ModelFacts) -> Evidence | None:
    """Return the evidence for objectness in a table of cells of strides 8, 16, 32; None for others."""
    found = cells_table(facts)
    if found is None or found[1] < 6 or found[0] != cells(input_size(facts), STRIDES):
        return None
    known = objectness_of(facts, found[1])
    if known is None:
        return Evidence.ASSUMED
    return known.evidence if known.there else None


_CELLS: Final = sentence("a row with box, objectness and scores for each cell of strides 8, 16 and 32")
_RAW: Final = sentence(
    "a row for each cell of strides 8, 16 and 32, and no arithmetic behind the convolutions"
)
_DECODED_CELLS: Final = sentence(
    "a row for each cell of strides 8, 16 and 32, and an exponential of the sizes"
)
_DECODER: Final = Decoder(
    "yolox",
    "YOLOX",
    _matches,
    groups_with_objectness,
    grid_boxes,
    # Since release 0.1.1 images are neither scaled nor normalized; they are read by OpenCV, hence BGR.
    preprocess={
        **{"colors": "BGR", "scale": "0..255", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 114 / 255},
    },
    shader=grid_boxes_shader,
)
_DECODED: Final = replace(
    _DECODER,
    id="yolox_decoded",
    title="YOLOX (decoded)",
    matches=_matches_decoded,
    boxes=pixel_boxes,
    shader=pixel_boxes_shader,
)
DECODERS: Final = (_DECODER, _DECODED)
