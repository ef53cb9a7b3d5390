"""YOLOv8, v9 and 11 from Ultralytics: [1, 4 + classes, anchors], centers and sizes in pixels, no objectness.

Some converters transpose it. If mask coefficients or key points follow, 'names' give the number of classes.
"""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.labels import metadata_names
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import fits_pyramid, pixel_boxes, pixel_boxes_shader, table
from desktop.vision.tasks.detection.columns import objectness_of, tail, weakened
from desktop.vision.tasks.detection.decoder import LETTERBOX_640, UNIT_RGB, AnchorGroup, Columns, Decoder


def _matches(facts: ModelFacts) -> Match | None:
    found = table(facts.outputs[0]) if facts.outputs else None
    # A second output is a segmentation network's mask prototypes.
    if found is None or any(len(output.shape) != 4 for output in facts.outputs[1:]):
        return None
    if facts.metadata.get("task", "detect") not in ("detect", "segment", "pose"):
        return None
    if not any(found):
        # Exports with free dimensions leave these free too, but state them in the metadata.
        declared = "task" in facts.metadata and bool(metadata_names(facts.metadata))
        # Such a table together with prototypes is rather one of instance masks.
        evidence = Evidence.DECLARED if len(facts.outputs) == 1 else Evidence.OBSERVED
        return Match(evidence, sentence("Ultralytics' metadata")) if declared else None
    return _matches_transposed(facts) if is_transposed(facts) else _matches_table(facts, *found)


def _matches_table(facts: ModelFacts, columns: int, anchors: int) -> Match | None:
    if columns < 5 or (anchors and columns >= anchors):
        return None
    if not fits_pyramid(anchors, input_size(facts), 1):
        return None
    return Match(Evidence.OBSERVED, sentence("a column for each cell, with box and scores"))


def _matches_transposed(facts: ModelFacts) -> Match | None:
    rows, columns = facts.outputs[0].shape[1:]
    known = objectness_of(facts, columns)
    # With free sizes, only the columns distinguish it from YOLOv5's table.
    is_free = not rows or not all(input_size(facts))
    if columns < 5 or (known.there if known is not None else is_free):
        return None
    if not fits_pyramid(rows, input_size(facts), 1):
        return None
    end = tail(facts)
    if end.is_known and not end.computes:
        return None
    evidence = Evidence.ASSUMED if known is None else known.evidence
    if not end.is_known:
        evidence = weakened(evidence, Evidence.CUSTOMARY)
    return Match(evidence, sentence("a row for each cell, with box and scores and no objectness"))


def is_transposed(facts: ModelFacts) -> bool:
    """Return True for [1, cells, columns], False for [1, columns, cells]; cells outnumber columns."""
    found = table(facts.outputs[0])
    return found is not None and found[1] > 0 and (not found[0] or found[1] < found[0])


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output, rows_first = facts.outputs[0], is_transposed(facts)
    columns, anchors = output.shape[1:][::-1] if rows_first else output.shape[1:]
    name, named = output.name, len(metadata_names(facts.metadata))
    classes = named if 0 < named < columns - 4 else columns - 4
    return (AnchorGroup(anchors, classes, Columns(name, 4, rows_first), Columns(name, 0, rows_first)),)


DECODER: Final = Decoder(
    "yolov8",
    "YOLOv8",
    _matches,
    _groups,
    pixel_boxes,
    powers=(0.0, 1.0),
    preprocess={**UNIT_RGB, **LETTERBOX_640},
    score=0.25,
    shader=pixel_boxes_shader,
    may_be_shares=True,
)
