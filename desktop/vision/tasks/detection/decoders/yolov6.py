"""YOLOv6 (Li et al. 2022, arXiv:2209.02976) and similar: [1, cells, 5 + classes], in pixels, without anchors.

Columns: center, size, objectness (1 in YOLOv6), classes. YOLOX has the same shape with raw numbers.
"""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.detection.boxes import pixel_boxes, pixel_boxes_shader
from desktop.vision.tasks.detection.columns import (
    cells_table,
    groups_with_objectness,
    objectness_of,
    tail,
    weakened,
)
from desktop.vision.tasks.detection.decoder import LETTERBOX_640, UNIT_RGB, Decoder
from desktop.vision.tasks.detection.decoders.yolox import has_exp

_DECODED: Final = sentence("a row for each cell, with box, objectness and scores, decoded in the graph")
_CELLS: Final = sentence("a row for each cell, with box, objectness and scores")


def _matches(facts: ModelFacts) -> Match | None:
    found = cells_table(facts)
    if found is None or found[1] < 6 or has_exp(facts):
        return None
    known, end = objectness_of(facts, found[1]), tail(facts)
    if known is not None and not known.there:
        return None
    if end.is_known:
        return Match(Evidence.OBSERVED, _DECODED) if end.computes else None
    evidence = Evidence.ASSUMED if known is None else weakened(known.evidence, Evidence.CUSTOMARY)
    return Match(evidence, _CELLS)


DECODER: Final = Decoder(
    "yolov6",
    "YOLOv6",
    _matches,
    groups_with_objectness,
    pixel_boxes,
    preprocess={**UNIT_RGB, **LETTERBOX_640},
    score=0.25,
    shader=pixel_boxes_shader,
    may_be_shares=True,
)
