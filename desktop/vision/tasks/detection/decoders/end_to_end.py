"""Detectors with built-in suppression (YOLOv10, YOLO26, Ultralytics' exports with `nms=True`): [1, boxes, 6].

Columns: left, top, right, bottom in input pixels, score, class number. Unused rows have score 0.
"""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.labels import metadata_names
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import corner_boxes, corners_shader, fits_pyramid, table
from desktop.vision.tasks.detection.columns import cells_table
from desktop.vision.tasks.detection.decoder import LETTERBOX_640, UNIT_RGB, AnchorGroup, Columns, Decoder

# These networks list at most 300 boxes; YOLOv5's tables with one class have thousands of rows.
_MOST: Final = 1000
_COCO: Final = 80


def _matches(facts: ModelFacts) -> Match | None:
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 else None
    if found is None or found[1] != 6 or not 0 < found[0] <= _MOST:
        return None
    # A small YOLOv5 with one class has its grids' own number of rows.
    size = input_size(facts)
    if all(size) and fits_pyramid(found[0], size, 3):
        return None
    # Of a YOLOX or YOLOv6 with one class it is unlikely that the grids have so few cells.
    likely = cells_table(facts) is None
    return Match(
        Evidence.CUSTOMARY if likely else Evidence.ASSUMED,
        sentence("a list of {count} boxes with score and class", count=found[0]),
    )


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    classes = len(metadata_names(facts.metadata)) or _COCO
    name = output.name
    return (
        AnchorGroup(
            output.shape[1], classes, Columns(name, 4), Columns(name, 0), class_number=Columns(name, 5)
        ),
    )


DECODER: Final = Decoder(
    "end_to_end",
    "YOLO with its own suppression",
    _matches,
    _groups,
    corner_boxes,
    powers=(0.0, 1.0),
    preprocess={**UNIT_RGB, **LETTERBOX_640},
    score=0.25,
    iou=1.0,
    shader=corners_shader,
    may_be_shares=True,
)
