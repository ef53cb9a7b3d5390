"""TensorFlow's Object Detection API: boxes [1, n, 4], scores and classes [1, n], num_detections [1].

Boxes are (top, left, bottom, right) as fractions; classes COCO's category numbers from 1, as floats.
`tflite_ssd` is TFLite_Detection_PostProcess: boxes, classes from 0, scores, count.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.detection.boxes import NO_POINTS
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.listed import (
    CATEGORIES,
    counted_classes,
    find_lists,
    groups_with_background,
)
from desktop.vision.tasks.task import Size

_NAMED: Final = ("detection_boxes", "detection_scores", "detection_classes")
_OPERATOR: Final = "TFLite_Detection_PostProcess"


def _matches(facts: ModelFacts) -> Match | None:
    names = [output.name.lower() for output in facts.outputs]
    if not all(any(wanted in name for name in names) for wanted in _NAMED) or find_lists(facts) is None:
        return None
    return Match(Evidence.DECLARED, sentence("outputs with the names of this family"))


def _of_operator(facts: ModelFacts) -> list[TensorInfo] | None:
    """Return boxes, classes, scores and count, the operator's outputs, in whichever order the file has them.

    TensorFlow 2 names and orders them otherwise (`StatefulPartitionedCall:1`); an ONNX file may keep its names.
    """
    made = {number: name for name, (kind, number) in facts.makers.items() if kind == _OPERATOR}
    by_name = {output.name: output for output in facts.outputs}
    if all(made.get(number) in by_name for number in range(4)):
        return [by_name[made[number]] for number in range(4)]
    first = facts.outputs[:4]
    return list(first) if len(first) == 4 and all(o.name.startswith(_OPERATOR) for o in first) else None


def _matches_operator(facts: ModelFacts) -> Match | None:
    if _of_operator(facts) is None:
        return None
    return Match(Evidence.DECLARED, sentence("TensorFlow Lite's operator for detections at its end"))


def _operator_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _of_operator(facts)
    if found is None:
        raise ValueError("outputs of another family")
    boxes, classes, scores, count = found
    score, box, number = (Columns(each.name, 0) for each in (scores, boxes, classes))
    # Without the background COCO's categories are one fewer.
    usual = counted_classes(facts, CATEGORIES - 1, background=False)
    return (AnchorGroup(boxes.shape[-2], usual, score, box, class_number=number, rows=count.name),)


def y_first_shares(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode (top, left, bottom, right) as fractions of the input; see `Decoder.boxes`."""
    return np.asarray(values[:, (1, 0, 3, 2)] * np.array((*size, *size)))


_SHADER: Final = (
    "fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f { return v.yxwz * vec4f(size, size); }"
)

_DECODER: Final = Decoder(
    "tensorflow",
    "TensorFlow Object Detection",
    _matches,
    groups_with_background,
    y_first_shares,
    powers=(0.0, 1.0),
    preprocess={
        # Byte inputs get bytes; exports with floats are those of SSD MobileNet, in -1..1.
        **{"colors": "RGB", "scale": "-1..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 0.5, "width": 640, "height": 640},
    },
    score=0.5,
    iou=1.0,
    shader=lambda size: f"{_SHADER}\n{NO_POINTS}",
)
DECODERS: Final = (
    _DECODER,
    replace(
        _DECODER,
        id="tflite_ssd",
        title="TensorFlow Lite detector",
        matches=_matches_operator,
        groups=_operator_groups,
    ),
)
