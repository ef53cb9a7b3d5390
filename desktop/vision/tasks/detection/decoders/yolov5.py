"""YOLOv5 and YOLOv7: [1, anchors, 5 + classes], centers and sizes in pixels, objectness, classes."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import fits_pyramid, pixel_boxes, pixel_boxes_shader, table
from desktop.vision.tasks.detection.columns import groups_with_objectness, objectness_of
from desktop.vision.tasks.detection.decoder import LETTERBOX_640, UNIT_RGB, Decoder

_PER_CELL: Final = 3
_LISTED: Final = 6
_MOST_LISTED: Final = 1000


def _matches(facts: ModelFacts) -> Match | None:
    # Training exports carry the raw grids as further outputs; the first is the decoded one.
    found = table(facts.outputs[0]) if facts.outputs else None
    if found is None or any(len(output.shape) != 5 for output in facts.outputs[1:]):
        return None
    anchors, columns = found
    if anchors and columns >= anchors:
        return None
    if columns < 6 or not fits_pyramid(anchors, input_size(facts), _PER_CELL):
        return None
    objectness = objectness_of(facts, columns)
    if objectness is not None and not objectness.there:
        return None
    known = anchors and all(input_size(facts))
    if not known and columns == _LISTED and 0 < anchors <= _MOST_LISTED:
        return None  # a list of boxes, see end_to_end.py
    reason = sentence("a table with box, objectness and scores, {count} rows for each cell", count=_PER_CELL)
    return Match(Evidence.OBSERVED if known else Evidence.CUSTOMARY, reason)


DECODER: Final = Decoder(
    "yolov5",
    "YOLOv5",
    _matches,
    groups_with_objectness,
    pixel_boxes,
    preprocess={**UNIT_RGB, **LETTERBOX_640},
    score=0.25,
    shader=pixel_boxes_shader,
    may_be_shares=True,
)
