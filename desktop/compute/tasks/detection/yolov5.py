"""YOLOv5 and its kin (YOLOv5 and YOLOv7 as they export themselves): [1, anchors, 5 + classes], middles and sizes in pixels, objectness."""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.tasks.common.maps import input_size
from desktop.compute.tasks.detection.decoder import AnchorGroup, Columns, Decoder, fits_pyramid, table
from desktop.compute.tasks.detection.yolox import pixel_boxes, pixel_boxes_shader

_PER_CELL: Final = 3


def _matches(facts: ModelFacts) -> bool:
    # Training exports carry the raw grids as further outputs; the first is the decoded one.
    found = table(facts.outputs[0]) if facts.outputs else None
    if found is None or any(len(output.shape) != 5 for output in facts.outputs[1:]):
        return False
    anchors, columns = found
    if anchors and columns >= anchors:
        return False
    return columns >= 6 and fits_pyramid(anchors, input_size(facts), _PER_CELL)


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    anchors, columns = output.shape[1:]
    name = output.name
    return (AnchorGroup(anchors, columns - 5, Columns(name, 5), Columns(name, 0), Columns(name, 4)),)


DECODER: Final = Decoder(
    "yolov5",
    "YOLOv5",
    _matches,
    _groups,
    pixel_boxes,
    preprocess={
        **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 114 / 255, "width": 640, "height": 640},
    },
    score=0.25,
    shader=pixel_boxes_shader,
)
