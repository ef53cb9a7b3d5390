"""YOLOX (Ge et al. 2021, arXiv:2107.08430): one anchor a cell, grids of stride 8, 16 and 32, offsets and logarithms of sizes in cells.

A file that was exported with `--decode_in_inference` gives middles and sizes in pixels instead; such a graph has an Exp.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence, Match
from desktop.compute.tasks.common.maps import input_size
from desktop.compute.tasks.detection.boxes import (
    STRIDES,
    cells,
    grid_boxes,
    grid_boxes_shader,
    pixel_boxes,
    pixel_boxes_shader,
    table,
)
from desktop.compute.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.wording import sentence


def _matches(facts: ModelFacts) -> Match | None:
    return Match(Evidence.OBSERVED, _CELLS) if _is_table(facts) and "Exp" not in facts.operators else None


def _matches_decoded(facts: ModelFacts) -> Match | None:
    return Match(Evidence.OBSERVED, _CELLS) if _is_table(facts) and "Exp" in facts.operators else None


def _is_table(facts: ModelFacts) -> bool:
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 else None
    anchors = cells(input_size(facts), STRIDES)
    return found is not None and found[1] >= 6 and found[0] == anchors > 0


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    anchors, columns = output.shape[1:]
    name = output.name
    return (AnchorGroup(anchors, columns - 5, Columns(name, 5), Columns(name, 0), Columns(name, 4)),)


_CELLS: Final = sentence("a row with box, objectness and scores for each cell of strides 8, 16 and 32")
_DECODER: Final = Decoder(
    "yolox",
    "YOLOX",
    _matches,
    _groups,
    grid_boxes,
    # Since release 0.1.1 pictures are neither scaled nor normalized; they are read by OpenCV, hence BGR.
    preprocess={
        **{"colors": "BGR", "scale": "0..255", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 114 / 255},
    },
    shader=grid_boxes_shader,
)
_DECODED: Final = replace(
    _DECODER,
    id="yolox_decoded",
    title="YOLOX (decoded)",
    matches=_matches_decoded,
    boxes=pixel_boxes,
    shader=pixel_boxes_shader,
)
DECODERS: Final = (_DECODER, _DECODED)
