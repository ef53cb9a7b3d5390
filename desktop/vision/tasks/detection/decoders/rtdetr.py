"""RT-DETR (Zhao et al. 2024, arXiv:2304.08069) and other DETRs with a sigmoid a class: v2, D-FINE.

[1, queries, classes], logits, and [1, queries, 4]; from Ultralytics [1, queries, 4 + classes] with scores, or
[1, queries, 6] with the best score and class. Boxes are centers and sizes as fractions. Only a query's best
class counts. The authors' export has [1, queries] classes and scores, and corners [1, queries, 4] for an
image size that is an input: given the network's own, corners are input pixels.

RF-DETR and LW-DETR (github.com/roboflow/rf-detr, github.com/Atten4Vis/LW-DETR) call them `labels` and `dets`, and
take images less ImageNet's mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.labels import metadata_names
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD
from desktop.vision.tasks.detection.boxes import (
    corner_boxes,
    corners_shader,
    share_boxes,
    share_boxes_shader,
    table,
)
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.decoders import detr
from desktop.vision.tasks.task import Size

_MOST: Final = 1000
_COCO: Final = 80
_SAMPLES: Final = sentence(
    "a row for each query, in a graph that samples its maps at free places (GridSample)"
)


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = detr.query_outputs(facts)
    if found is None:
        raise ValueError("outputs of another family")
    logits, boxes = found
    queries, classes = logits.shape[1:]
    scores, box = Columns(logits.name, 0), Columns(boxes.name, 0)
    return (AnchorGroup(queries, classes, scores, box, activation="sigmoid"),)


def _in_one(facts: ModelFacts) -> tuple[int, int] | None:
    """Return (queries, columns) of the only output of a network with deformable attention."""
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 and "GridSample" in facts.operators else None
    return found if found is not None and found[0] <= _MOST and found[1] > 5 else None


_ROWS: Final = sentence("a row of logits and a box for each query")


def _matches(facts: ModelFacts) -> Match | None:
    if detr.query_outputs(facts) is None or not detr.has_sigmoids(facts) or _is_rfdetr(facts):
        return None
    return Match(detr.query_evidence(facts), _ROWS)


def _matches_rfdetr(facts: ModelFacts) -> Match | None:
    return Match(Evidence.DECLARED, _ROWS) if _is_rfdetr(facts) else None


def _is_rfdetr(facts: ModelFacts) -> bool:
    found = detr.query_outputs(facts)
    named = found is not None and tuple(output.name for output in found) == ("labels", "dets")
    return named and detr.has_sigmoids(facts)


def _matches_list(facts: ModelFacts) -> Match | None:
    found = _in_one(facts)
    return Match(Evidence.OBSERVED, _SAMPLES) if found is not None and found[1] == 6 else None


def _matches_table(facts: ModelFacts) -> Match | None:
    found = _in_one(facts)
    return Match(Evidence.OBSERVED, _SAMPLES) if found is not None and found[1] != 6 else None


def _matches_pixels(facts: ModelFacts) -> Match | None:
    # Without the size as an input, only the family's lists remain (see lists.py).
    if _listed_outputs(facts) is None or not _size_values(facts, (1, 1)):
        return None
    return Match(Evidence.DECLARED, sentence("lists of classes, scores and boxes, and an input for the size"))


def _table_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    queries, columns = output.shape[1:]
    return (AnchorGroup(queries, columns - 4, Columns(output.name, 4), Columns(output.name, 0)),)


def _list_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    classes = len(metadata_names(facts.metadata)) or _COCO
    name = output.name
    number = Columns(name, 5)
    return (AnchorGroup(output.shape[1], classes, Columns(name, 4), Columns(name, 0), class_number=number),)


def _size_values(facts: ModelFacts, size: Size) -> Mapping[str, np.ndarray]:
    """See `Decoder.fixed_inputs`: the size (width, height) that boxes are wanted for is the network's own."""
    inputs = [other for other in facts.others if other.shape in ((1, 2), (0, 2))]
    if len(facts.others) != 1 or not inputs or not _listed_outputs(facts):
        return {}
    return {inputs[0].name: np.array([size], inputs[0].dtype)}


def _listed_outputs(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo, TensorInfo] | None:
    """Return (class numbers, scores, boxes) of a network with three lists."""
    rows = [output for output in facts.outputs if len(output.shape) == 2]
    boxes = [output for output in facts.outputs if len(output.shape) == 3 and output.shape[2] == 4]
    numbers = [output for output in rows if output.dtype.startswith("int")]
    scores = [output for output in rows if output.dtype.startswith("float")]
    if len(facts.outputs) != 3 or not len(boxes) == len(numbers) == len(scores) == 1:
        return None
    queries = {numbers[0].shape[1], scores[0].shape[1], boxes[0].shape[1]}
    return (numbers[0], scores[0], boxes[0]) if len(queries) == 1 and max(queries) <= _MOST else None


def _pixel_groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = _listed_outputs(facts)
    if found is None:
        raise ValueError("outputs of another family")
    numbers, scores, boxes = found
    classes = len(metadata_names(facts.metadata)) or _COCO
    score, box, number = (Columns(output.name, 0) for output in (scores, boxes, numbers))
    return (AnchorGroup(boxes.shape[1], classes, score, box, class_number=number),)


_DECODER: Final = Decoder(
    "rtdetr",
    "RT-DETR",
    _matches,
    _groups,
    share_boxes,
    powers=(0.0, 1.0),
    preprocess={
        **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "stretch", "width": 640, "height": 640},
    },
    score=0.5,
    iou=1.0,
    shader=share_boxes_shader,
)
_TABLE: Final = replace(
    _DECODER, id="rtdetr_table", title="RT-DETR (one table)", matches=_matches_table, groups=_table_groups
)
_LIST: Final = replace(
    _DECODER, id="rtdetr_list", title="RT-DETR (list)", matches=_matches_list, groups=_list_groups
)
_PIXELS: Final = replace(
    _DECODER,
    id="rtdetr_pixels",
    title="RT-DETR (three lists)",
    matches=_matches_pixels,
    groups=_pixel_groups,
    boxes=corner_boxes,
    shader=corners_shader,
    fixed_inputs=_size_values,
)
_RFDETR: Final = replace(
    _DECODER,
    id="rfdetr",
    title="RF-DETR",
    matches=_matches_rfdetr,
    preprocess={**_DECODER.preprocess, "mean": IMAGENET_MEAN, "std": IMAGENET_STD},
)
DECODERS: Final = (_DECODER, _RFDETR, _TABLE, _LIST, _PIXELS)
