"""Detectors that suppress by themselves (YOLOv10, YOLO26, and Ultralytics' exports with `nms=True`): [1, boxes, 6].

The columns are left, top, right, bottom in pixels of the input, score, and the class's number. Unused rows have the score 0.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.labels import metadata_names
from desktop.compute.tasks.common.maps import input_size
from desktop.compute.tasks.detection.decoder import (
    AnchorGroup,
    Columns,
    Decoder,
    corners_shader,
    fits_pyramid,
    table,
)
from desktop.compute.tasks.task import Size

# Such networks list 300 boxes at most as they come; the tables of YOLOv5 with one class have thousands of rows.
_MOST: Final = 1000
_COCO: Final = 80


def _matches(facts: ModelFacts) -> bool:
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 else None
    if found is None or found[1] != 6 or not 0 < found[0] <= _MOST:
        return False
    # A small YOLOv5 with one class has its grids' own number of rows.
    size = input_size(facts)
    return not all(size) or not fits_pyramid(found[0], size, 3)


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    classes = len(metadata_names(facts.metadata)) or _COCO
    name = output.name
    return (
        AnchorGroup(
            output.shape[1], classes, Columns(name, 4), Columns(name, 0), class_number=Columns(name, 5)
        ),
    )


def _boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    return values


DECODER: Final = Decoder(
    "end_to_end",
    "YOLO with its own suppression",
    _matches,
    _groups,
    _boxes,
    powers=(0.0, 1.0),
    preprocess={
        **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 114 / 255, "width": 640, "height": 640},
    },
    score=0.25,
    iou=1.0,
    shader=corners_shader,
)
