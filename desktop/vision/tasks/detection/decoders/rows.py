"""Detectors with suppression and one list, a row a box (corners in input pixels; classes from 0).

- `yolov7_end2end` (github.com/WongKinYiu/yolov7): [n, 7], number in the batch, corners, class, score.
- `yolo_nas_flat` (github.com/Deci-AI/super-gradients): [n, 7], number in the batch, corners, score, class.
- `batchno_classid_score`, `batchno_classid_boxes` (github.com/PINTO0309/PINTO_model_zoo): [n, 7], number in
  the batch, class, then score and corners, or corners and score.
- `paddle` (PaddleDetection): [n, 6], class, score, corners, and the number of valid rows. Inputs
  `scale_factor` 1 and `im_shape`, the input's size, make corners those of the input.

For seven columns without such a name, a trial run or the user decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD
from desktop.vision.tasks.detection.boxes import corner_boxes, corners_shader
from desktop.vision.tasks.detection.decoder import LETTERBOX_640, UNIT_RGB, AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.listed import counted_classes
from desktop.vision.tasks.task import Size

_PADDLE_INPUTS: Final = {"scale_factor", "im_shape"}


def _list_of(facts: ModelFacts, columns: int) -> TensorInfo | None:
    """Return the only output of rows [n, columns], with at most an additional count."""
    rows = [output for output in facts.outputs if len(output.shape) == 2 and output.shape[1] == columns]
    others = [output for output in facts.outputs if output not in rows]
    return rows[0] if len(rows) == 1 and all(output.shape in ((1,), (0,)) for output in others) else None


_NAMED: Final = ("flat_predictions", "batchno_classid_score_", "batchno_classid_x1y1x2y2_")
_YOLOV7_NAME: Final = "output"


def _seven(facts: ModelFacts) -> TensorInfo | None:
    """Return the only output of rows of seven columns; a classifier of seven classes has one row an image."""
    found = _list_of(facts, 7)
    if found is None or facts.others or found.shape[0] == 1:
        return None
    is_batch = found.shape[0] == 0 and facts.input_shape[0] != 1
    return None if is_batch and "NonMaxSuppression" not in facts.operators else found


def _matches_seven(name: str, evidence: Evidence) -> Callable[[ModelFacts], Match | None]:
    """Evidence by the output's name, which alone shows the order of the columns."""

    def matches(facts: ModelFacts) -> Match | None:
        found = _seven(facts)
        if found is None:
            return None
        said = found.name.lower()
        if said == name if name == _YOLOV7_NAME else name in said:
            return Match(
                evidence, sentence("rows of seven columns, and an output that is named as the family's")
            )
        if said == _YOLOV7_NAME or any(each in said for each in _NAMED):
            return None
        return Match(Evidence.OBSERVED, sentence("several rows of seven columns for one image"))

    return matches


def _columns(box: int, number: int, score: int) -> Callable[[ModelFacts], tuple[AnchorGroup, ...]]:
    def groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
        found = _list_of(facts, 7)
        if found is None:
            raise ValueError("outputs of another family")
        score_at, box_at, number_at = (Columns(found.name, first) for first in (score, box, number))
        classes = counted_classes(facts)
        return (AnchorGroup(found.shape[0], classes, score_at, box_at, class_number=number_at),)

    return groups


def _matches_paddle(facts: ModelFacts) -> Match | None:
    if _list_of(facts, 6) is None or not _paddle_inputs(facts, (1, 1)):
        return None
    return Match(
        Evidence.DECLARED, sentence("a list of boxes, and the inputs of its family beside the image")
    )


def _paddle_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _list_of(facts, 6)
    if found is None:
        raise ValueError("outputs of another family")
    count = next((output.name for output in facts.outputs if output is not found), "")
    score, box, number = (Columns(found.name, first) for first in (1, 2, 0))
    classes = counted_classes(facts)
    return (AnchorGroup(found.shape[0], classes, score, box, class_number=number, rows=count),)


def _paddle_inputs(facts: ModelFacts, size: Size) -> Mapping[str, np.ndarray]:
    """See `Decoder.fixed_inputs`: the image has the input's size, unscaled."""
    if not facts.others or not {each.name for each in facts.others} <= _PADDLE_INPUTS:
        return {}
    values = {"scale_factor": (1.0, 1.0), "im_shape": (size[1], size[0])}
    return {each.name: np.array([values[each.name]], each.dtype) for each in facts.others}


_YOLOV7: Final = Decoder(
    "yolov7_end2end",
    "YOLOv7 with its own suppression",
    _matches_seven(_YOLOV7_NAME, Evidence.OBSERVED),
    _columns(box=1, number=5, score=6),
    corner_boxes,
    powers=(0.0, 1.0),
    preprocess={**UNIT_RGB, **LETTERBOX_640},
    score=0.25,
    iou=1.0,
    shader=corners_shader,
)


def _of_pinto(
    name: str, title: str, named: int, groups: Callable[[ModelFacts], tuple[AnchorGroup, ...]]
) -> Decoder:
    """A family of the PINTO model zoo, whose images are BGR from 0 to 255."""
    return replace(
        _YOLOV7,
        id=name,
        title=f"{title} (PINTO model zoo)",
        matches=_matches_seven(_NAMED[named], Evidence.DECLARED),
        groups=groups,
        preprocess={**UNIT_RGB, "colors": "BGR", "scale": "0..255", **LETTERBOX_640},
    )


DECODERS: Final = (
    _YOLOV7,
    replace(
        _YOLOV7,
        id="yolo_nas_flat",
        title="YOLO-NAS with its own suppression",
        matches=_matches_seven(_NAMED[0], Evidence.DECLARED),
        groups=_columns(box=1, score=5, number=6),
    ),
    _of_pinto("batchno_classid_score", "List of class, score and box", 1, _columns(number=1, score=2, box=3)),
    _of_pinto("batchno_classid_boxes", "List of class, box and score", 2, _columns(number=1, box=2, score=6)),
    replace(
        _YOLOV7,
        id="paddle",
        title="PaddleDetection (PP-YOLOE, PicoDet)",
        matches=_matches_paddle,
        groups=_paddle_groups,
        preprocess={**UNIT_RGB, "mean": IMAGENET_MEAN, "std": IMAGENET_STD, **LETTERBOX_640},
        score=0.5,
        fixed_inputs=_paddle_inputs,
    ),
)
