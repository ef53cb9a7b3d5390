"""Detectors with suppression that list boxes (corners in input pixels), scores and classes.

- `torchvision`: boxes [n, 4], labels [n], scores [n], n free; further outputs are ignored. Labels are COCO's
  category numbers from 1; 0 is the background.
- `detectron2`: the same with classes from 0, and the image's size [2] as a further output.
- `lists`: num_dets [1, 1], det_boxes [1, n, 4], det_scores [1, n], det_classes [1, n] of TensorRT's
  EfficientNMS, YOLO-NAS' equivalents, and lists without a count. Classes count from 0.
- `ssd_lists`: SSD of MLPerf and ONNX's model zoo, bboxes [1, n, 4], labels [1, n], scores [1, n]. Labels are COCO's 80
  from 1; 0 is the background.
- `mmdeploy` (github.com/open-mmlab/mmdeploy): dets [1, n, 5], corners and a score, labels [1, n] from 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD
from desktop.vision.tasks.detection.boxes import corner_boxes, corners_shader
from desktop.vision.tasks.detection.decoder import LETTERBOX_640, UNIT_RGB, AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.listed import (
    COCO,
    counted_classes,
    find_lists,
    groups_with_background,
)

# Mean and deviation of mmdetection's detectors since version 3 (RTMDet's are written in this order too).
_MMDET: Final = {
    **{"colors": "BGR", "scale": "0..255"},
    **{"mean": (103.53, 116.28, 123.675), "std": (57.375, 57.12, 58.395)},
}


def _is_tensorflow(facts: ModelFacts) -> bool:
    return any("detection_" in output.name.lower() for output in facts.outputs)


def _has_size(facts: ModelFacts) -> bool:
    found = find_lists(facts)
    return found is not None and any(
        output.shape == (2,) and output.dtype.startswith("int") and output is not found.numbers
        for output in facts.outputs
    )


def _matches_torchvision(facts: ModelFacts) -> Match | None:
    found = find_lists(facts)
    if found is None or found.has_batch or _has_size(facts):
        return None
    return Match(Evidence.DECLARED, sentence("lists of boxes, labels and scores; labels count from 1"))


def _matches_detectron2(facts: ModelFacts) -> Match | None:
    found = find_lists(facts)
    if found is None or found.has_batch or not _has_size(facts):
        return None
    return Match(Evidence.DECLARED, sentence("lists of boxes, classes and scores, and the size of the image"))


def _matches_lists(facts: ModelFacts) -> Match | None:
    found = find_lists(facts)
    if found is None or not found.has_batch or facts.others or _is_tensorflow(facts) or _is_ssd(facts):
        return None
    return Match(Evidence.DECLARED, sentence("lists of boxes, scores and classes; classes count from 0"))


def _is_ssd(facts: ModelFacts) -> bool:
    named = sorted(output.name.lower() for output in facts.outputs) == ["bboxes", "labels", "scores"]
    return named and (found := find_lists(facts)) is not None and found.has_batch and not facts.others


def _matches_ssd(facts: ModelFacts) -> Match | None:
    if not _is_ssd(facts):
        return None
    return Match(Evidence.DECLARED, sentence("lists of boxes, labels and scores; labels count from 1"))


def _ssd_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = find_lists(facts)
    if found is None:
        raise ValueError("outputs of another family")
    return (found.group(counted_classes(facts, COCO + 1, background=True)),)


def _from_zero(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = find_lists(facts)
    if found is None:
        raise ValueError("outputs of another family")
    return (found.group(counted_classes(facts)),)


def _dets(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo] | None:
    """(boxes with scores, labels)."""
    boxes = [o for o in facts.outputs if len(o.shape) == 3 and o.shape[0] in (0, 1) and o.shape[2] == 5]
    labels = [o for o in facts.outputs if len(o.shape) == 2 and o.dtype.startswith("int")]
    if len(boxes) != 1 or len(labels) != 1:
        return None
    return (boxes[0], labels[0]) if 0 in (boxes[0].shape[1], labels[0].shape[1]) or (
        boxes[0].shape[1] == labels[0].shape[1]
    ) else None  # fmt: skip


def _matches_mmdeploy(facts: ModelFacts) -> Match | None:
    if _dets(facts) is None:
        return None
    return Match(Evidence.DECLARED, sentence("a list of boxes with scores, and one of labels"))


def _mmdeploy_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _dets(facts)
    if found is None:
        raise ValueError("outputs of another family")
    dets, labels = found
    number = Columns(labels.name, 0)
    classes = counted_classes(facts)
    return (
        AnchorGroup(
            dets.shape[1], classes, Columns(dets.name, 4), Columns(dets.name, 0), class_number=number
        ),
    )


_TORCHVISION: Final = Decoder(
    "torchvision",
    "Detector of torchvision",
    _matches_torchvision,
    groups_with_background,
    corner_boxes,
    powers=(0.0, 1.0),
    preprocess={**UNIT_RGB, **LETTERBOX_640},
    score=0.5,
    iou=1.0,
    shader=corners_shader,
)
DECODERS: Final = (
    _TORCHVISION,
    replace(
        _TORCHVISION,
        id="detectron2",
        title="Detector of Detectron2",
        matches=_matches_detectron2,
        groups=_from_zero,
        # It normalizes inside, and was trained on images as OpenCV reads them.
        preprocess={**UNIT_RGB, "colors": "BGR", "scale": "0..255", **LETTERBOX_640},
    ),
    replace(
        _TORCHVISION,
        id="lists",
        title="Detector with lists of boxes, scores and classes",
        matches=_matches_lists,
        groups=_from_zero,
        score=0.25,
        may_be_shares=True,
    ),
    replace(
        _TORCHVISION,
        id="ssd_lists",
        title="SSD of MLPerf and ONNX's model zoo",
        matches=_matches_ssd,
        groups=_ssd_groups,
        preprocess={
            **{**UNIT_RGB, "mean": IMAGENET_MEAN, "std": IMAGENET_STD},
            **{"resize": "stretch", "width": 1200, "height": 1200},
        },
        may_be_shares=True,
    ),
    replace(
        _TORCHVISION,
        id="mmdeploy",
        title="Detector of OpenMMLab (mmdeploy)",
        matches=_matches_mmdeploy,
        groups=_mmdeploy_groups,
        preprocess={**_MMDET, **LETTERBOX_640},
        score=0.3,
    ),
)
