"""YOLOv8 and its kin (YOLOv8, v9, 11 as Ultralytics exports them): [1, 4 + classes, anchors], middles and sizes in pixels, no objectness.

Networks for segmentation and pose have further rows (mask coefficients, key points) behind the classes; how many classes there are is then
read in the metadata 'names'.
"""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence, Match
from desktop.compute.models.labels import metadata_names
from desktop.compute.tasks.common.maps import input_size
from desktop.compute.tasks.detection.boxes import fits_pyramid, pixel_boxes, pixel_boxes_shader, table
from desktop.compute.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.wording import sentence


def _matches(facts: ModelFacts) -> Match | None:
    found = table(facts.outputs[0]) if facts.outputs else None
    # A second output is a segmentation network's mask prototypes.
    if found is None or any(len(output.shape) != 4 for output in facts.outputs[1:]):
        return None
    if facts.metadata.get("task", "detect") not in ("detect", "segment", "pose"):
        return None
    rows, anchors = found
    if not rows:
        # Exports with free dimensions leave this one free too, and say what they are in the metadata.
        declared = not anchors and "task" in facts.metadata and bool(metadata_names(facts.metadata))
        return Match(Evidence.DECLARED, sentence("its metadata")) if declared else None
    if anchors and rows >= anchors:
        return None
    if rows < 5 or not fits_pyramid(anchors, input_size(facts), 1):
        return None
    return Match(Evidence.OBSERVED, sentence("a table with a box and scores in the columns of its cells"))


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    rows, anchors = output.shape[1:]
    name, named = output.name, len(metadata_names(facts.metadata))
    classes = named if 0 < named < rows - 4 else rows - 4
    return (AnchorGroup(anchors, classes, Columns(name, 4, False), Columns(name, 0, False)),)


DECODER: Final = Decoder(
    "yolov8",
    "YOLOv8",
    _matches,
    _groups,
    pixel_boxes,
    powers=(0.0, 1.0),
    preprocess={
        **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 114 / 255, "width": 640, "height": 640},
    },
    score=0.25,
    shader=pixel_boxes_shader,
)
