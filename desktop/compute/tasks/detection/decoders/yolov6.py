"""YOLOv6 (Li et al. 2022, arXiv:2209.02976) and others without anchors that decode in the graph: [1, cells, 5 + classes], in pixels.

The columns are middle, size, objectness (which is 1 in YOLOv6) and the classes. The shape is YOLOX's, whose numbers are raw.
"""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence, Match
from desktop.compute.tasks.detection.boxes import pixel_boxes, pixel_boxes_shader
from desktop.compute.tasks.detection.columns import cells_table, objectness_of, tail, weakened
from desktop.compute.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.compute.tasks.detection.decoders.yolox import has_exp
from desktop.wording import sentence

_DECODED: Final = sentence("a row for each cell, with box, objectness and scores, decoded in the graph")
_CELLS: Final = sentence("a row for each cell, with box, objectness and scores")


def _matches(facts: ModelFacts) -> Match | None:
    found = cells_table(facts)
    if found is None or found[1] < 6 or has_exp(facts):
        return None
    known, end = objectness_of(facts, found[1]), tail(facts)
    if known is not None and not known.there:
        return None
    if end.is_known:
        return Match(Evidence.OBSERVED, _DECODED) if end.computes else None
    evidence = Evidence.ASSUMED if known is None else weakened(known.evidence, Evidence.CUSTOMARY)
    return Match(evidence, _CELLS)


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    anchors, columns = output.shape[1:]
    name = output.name
    return (AnchorGroup(anchors, columns - 5, Columns(name, 5), Columns(name, 0), Columns(name, 4)),)


DECODER: Final = Decoder(
    "yolov6",
    "YOLOv6",
    _matches,
    _groups,
    pixel_boxes,
    preprocess={
        **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 114 / 255, "width": 640, "height": 640},
    },
    score=0.25,
    shader=pixel_boxes_shader,
    may_be_shares=True,
)
