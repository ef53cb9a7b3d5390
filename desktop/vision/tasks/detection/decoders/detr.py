"""DETR and its variants (Carion et al. 2020, arXiv:2005.12872; YOLOS, arXiv:2106.00666): a row a query.

[1, queries, classes + 1], logits, the last of no object; and [1, queries, 4], centers and sizes as fractions.
"""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD
from desktop.vision.tasks.detection.boxes import share_boxes, share_boxes_shader, table
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder

# Queries are round numbers (100, 300, 900); a grid's anchors, as those of SSD, are other numbers and more.
_MOST: Final = 1000
_ROUND: Final = 50
# DETR, YOLOS and Conditional DETR's predecessors have this number; later ones have more, and sigmoids.
_OF_SOFTMAX: Final = 100


def query_outputs(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo] | None:
    """Return (logits, boxes) of a network with a row a query, in either order; None for others."""
    tables = [output for output in facts.outputs if table(output) is not None]
    if len(tables) != 2 or len(facts.outputs) != 2:
        return None
    for logits, boxes in (tables, tables[::-1]):
        queries, classes = logits.shape[1:]
        # Optimum also leaves the number of queries free; then the names decide.
        named = queries == 0 and (logits.name, boxes.name) == ("logits", "pred_boxes")
        round_number = named or (0 < queries <= _MOST and queries % _ROUND == 0)
        if boxes.shape[1:] == (queries, 4) and round_number and classes > 1 and classes != 4:
            return logits, boxes
    return None


def query_evidence(facts: ModelFacts) -> Evidence:
    """Return the evidence for this kind of network: the name of its boxes, or only the shapes."""
    found = query_outputs(facts)
    named = found is not None and any(word in found[1].name.lower() for word in ("box", "dets"))
    return Evidence.DECLARED if named else Evidence.CUSTOMARY


def has_sigmoids(facts: ModelFacts) -> bool:
    """Return True for a network that ends in sigmoids: with deformable attention, or more queries."""
    found = query_outputs(facts)
    return "GridSample" in facts.operators or (
        found is not None and found[0].shape[1] not in (0, _OF_SOFTMAX)
    )


def _matches(facts: ModelFacts) -> Match | None:
    if query_outputs(facts) is None or has_sigmoids(facts):
        return None
    reason = sentence("a row of logits and a box for each of {count} queries", count=_OF_SOFTMAX)
    return Match(query_evidence(facts), reason)


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    found = query_outputs(facts)
    if found is None:
        raise ValueError("outputs of another family")
    logits, boxes = found
    classes = logits.shape[2] - 1
    scores, box = Columns(logits.name, 0), Columns(boxes.name, 0)
    return (AnchorGroup(logits.shape[1], classes, scores, box, activation="softmax", others=1),)


DECODER: Final = Decoder(
    "detr",
    "DETR",
    _matches,
    _groups,
    share_boxes,
    powers=(0.0, 1.0),
    preprocess={
        **{"colors": "RGB", "scale": "0..1", "mean": IMAGENET_MEAN, "std": IMAGENET_STD},
        **{"resize": "stretch", "width": 640, "height": 640},
    },
    score=0.5,
    iou=1.0,
    shader=share_boxes_shader,
)
