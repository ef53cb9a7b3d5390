"""Detectors without suppression: boxes and a table of all classes' scores (probabilities) as two outputs.

- `boxes_and_scores`: [1, n, 4] and [1, n, classes] or, in PP-YOLOE, [1, classes, n], with n cells of strides
  8, 16, 32; corners in input pixels.
- `damo_yolo` (github.com/tinyvision/DAMO-YOLO): the same, scores first, for images in 0..255.
- `yolov4` (github.com/Tianxiaomo/pytorch-YOLOv4): [1, n, 1, 4], corners as fractions, and [1, n, classes].
- `yolov3_zoo` (ONNX's model zoo, keras-yolo3): [1, n, 4], (top, left, bottom, right) in pixels, [1, classes,
  n], and ignored indices. A second input, `image_shape` (height, width), gets the input's size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import (
    NO_POINTS,
    corner_boxes,
    corners_shader,
    fits_pyramid,
    table,
)
from desktop.vision.tasks.detection.decoder import LETTERBOX_640, UNIT_RGB, AnchorGroup, Columns, Decoder
from desktop.vision.tasks.task import Size

_SIZE_INPUT: Final = "image_shape"


@dataclass(frozen=True)
class _BoxTables:
    """Boxes, and the scores of `classes` for each of `anchors`; `columns_last` as in `Columns`."""

    boxes: TensorInfo
    scores: TensorInfo
    anchors: int
    classes: int
    columns_last: bool

    @property
    def groups(self) -> tuple[AnchorGroup, ...]:
        scores = Columns(self.scores.name, 0, self.columns_last)
        return (AnchorGroup(self.anchors, self.classes, scores, Columns(self.boxes.name, 0)),)


def _tables(boxes: TensorInfo, scores: TensorInfo) -> _BoxTables | None:
    first, second = table(boxes), table(scores)
    if first is None or second is None or first[1] != 4:
        return None
    anchors = first[0]
    if second[0] == anchors and second[1] and (not anchors or second[1] < anchors):
        return _BoxTables(boxes, scores, anchors, second[1], columns_last=True)
    if second[1] == anchors and second[0] and (not anchors or second[0] < anchors):
        return _BoxTables(boxes, scores, anchors, second[0], columns_last=False)
    return None


def _two(facts: ModelFacts) -> _BoxTables | None:
    if len(facts.outputs) != 2:
        return None
    orders = (facts.outputs, facts.outputs[::-1])
    return next((found for boxes, scores in orders if (found := _tables(boxes, scores))), None)


def _matches_two(facts: ModelFacts) -> Match | None:
    found = _two(facts)
    return None if found is None or found.scores is facts.outputs[0] else _match(facts, found)


def _matches_damo(facts: ModelFacts) -> Match | None:
    found = _two(facts)
    return None if found is None or found.boxes is facts.outputs[0] else _match(facts, found)


def _match(facts: ModelFacts, found: _BoxTables) -> Match | None:
    size = input_size(facts)
    if facts.others:
        return None
    if found.anchors and all(size):
        fits = fits_pyramid(found.anchors, size, 1)
        return (
            Match(Evidence.OBSERVED, sentence("a box and the classes' scores for each cell"))
            if fits
            else None
        )
    # Only names remain: without a size, an SSD before its priors has the same shapes.
    named = "boxes" in found.boxes.name.lower() and "scores" in found.scores.name.lower()
    return Match(Evidence.ASSUMED, sentence("a table of boxes and one of scores")) if named else None


def _two_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _two(facts)
    if found is None:
        raise ValueError("outputs of another family")
    return found.groups


def _yolov4(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo] | None:
    """(boxes, scores)."""
    if len(facts.outputs) != 2:
        return None
    for boxes, scores in (facts.outputs, facts.outputs[::-1]):
        shape, rows = boxes.shape, table(scores)
        if len(shape) == 4 and shape[0] in (0, 1) and shape[2:] == (1, 4) and rows and rows[0] == shape[1]:
            return boxes, scores
    return None


def _matches_yolov4(facts: ModelFacts) -> Match | None:
    if _yolov4(facts) is None:
        return None
    return Match(Evidence.DECLARED, sentence("boxes of one class each, and a table of scores"))


def _yolov4_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _yolov4(facts)
    if found is None:
        raise ValueError("outputs of another family")
    boxes, scores = found
    anchors, classes = scores.shape[1:]
    return (AnchorGroup(anchors, classes, Columns(scores.name, 0), Columns(boxes.name, 0)),)


def _share_corners(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    return np.asarray(values * np.array((*size, *size)))


_SHARES: Final = "fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f { return v * vec4f(size, size); }"
_Y_FIRST: Final = "fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f { return v.yxwz; }"


def _zoo(facts: ModelFacts) -> _BoxTables | None:
    if len(facts.outputs) != 3 or not _image_shape(facts, (1, 1)):
        return None
    tables = [output for output in facts.outputs if output.dtype.startswith("float")]
    if len(tables) != 2:
        return None
    found = next((f for pair in (tables, tables[::-1]) if (f := _tables(*pair))), None)
    return found if found is not None and not found.columns_last else None


def _matches_zoo(facts: ModelFacts) -> Match | None:
    if _zoo(facts) is None:
        return None
    return Match(
        Evidence.DECLARED, sentence("boxes, scores, indices, and an input for the size of the image")
    )


def _zoo_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _zoo(facts)
    if found is None:
        raise ValueError("outputs of another family")
    return found.groups


def _image_shape(facts: ModelFacts, size: Size) -> Mapping[str, np.ndarray]:
    """See `Decoder.fixed_inputs`: the size (height, width) that boxes are wanted for is the input's own."""
    if len(facts.others) != 1 or not facts.others[0].name.lower().startswith(_SIZE_INPUT):
        return {}
    return {facts.others[0].name: np.array([size[::-1]], facts.others[0].dtype)}


_TWO: Final = Decoder(
    "boxes_and_scores",
    "YOLO-NAS",
    _matches_two,
    _two_groups,
    corner_boxes,
    powers=(0.0, 1.0),
    preprocess={**UNIT_RGB, **LETTERBOX_640},
    score=0.25,
    iou=0.7,
    shader=corners_shader,
    may_be_shares=True,
)
DECODERS: Final = (
    _TWO,
    replace(
        _TWO,
        id="damo_yolo",
        title="DAMO-YOLO",
        matches=_matches_damo,
        preprocess={**UNIT_RGB, "scale": "0..255", **LETTERBOX_640, "pad": 0.0},
    ),
    replace(
        _TWO,
        id="yolov4",
        title="YOLOv4",
        matches=_matches_yolov4,
        groups=_yolov4_groups,
        boxes=_share_corners,
        preprocess={**UNIT_RGB, **LETTERBOX_640, "width": 416, "height": 416},
        score=0.4,
        iou=0.6,
        may_be_shares=False,
        shader=lambda size: f"{_SHARES}\n{NO_POINTS}",
    ),
    replace(
        _TWO,
        id="yolov3_zoo",
        title="YOLOv3 of ONNX's model zoo",
        matches=_matches_zoo,
        groups=_zoo_groups,
        boxes=lambda anchors, values, size: values[:, (1, 0, 3, 2)],
        preprocess={**UNIT_RGB, **LETTERBOX_640, "pad": 128 / 255, "width": 416, "height": 416},
        score=0.3,
        iou=0.45,
        may_be_shares=False,
        shader=lambda size: f"{_Y_FIRST}\n{NO_POINTS}",
        fixed_inputs=_image_shape,
    ),
)
