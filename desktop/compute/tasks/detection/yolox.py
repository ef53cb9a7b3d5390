"""YOLOX (Ge et al. 2021, arXiv:2107.08430): one anchor a cell, grids of stride 8, 16 and 32, offsets and logarithms of sizes in cells.

A file that was exported with `--decode_in_inference` gives middles and sizes in pixels instead; such a graph has an Exp.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.models.facts import ModelFacts
from desktop.compute.tasks.common.maps import input_size
from desktop.compute.tasks.detection.decoder import (
    NO_POINTS,
    AnchorGroup,
    Columns,
    Decoder,
    box_shader,
    cells,
    corners,
    grid,
    grid_shader,
    table,
)
from desktop.compute.tasks.task import Size

STRIDES: Final = (8, 16, 32)
# exp(20) pixels is more than any picture has, and far from overflow: a stranger's file may hold anything.
_LARGEST: Final = 20.0


def _matches(facts: ModelFacts) -> bool:
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 else None
    anchors = cells(input_size(facts), STRIDES)
    return found is not None and found[1] >= 6 and found[0] == anchors > 0


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    anchors, columns = output.shape[1:]
    name = output.name
    return (AnchorGroup(anchors, columns - 5, Columns(name, 5), Columns(name, 0), Columns(name, 4)),)


def grid_boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode (dx, dy, log w, log h) in cells, which YuNet has too; see `Decoder.boxes`."""
    corner, stride = grid(anchors, size, STRIDES)
    extent = np.exp(np.minimum(values[:, 2:], _LARGEST)) * stride
    return corners((corner + values[:, :2]) * stride, extent)


def grid_boxes_shader(size: Size) -> str:
    """Return `grid_boxes` in WGSL."""
    box = box_shader(
        "let cell = cell_of(anchor, size);",
        "let middle = (cell.xy + v.xy) * cell.z;",
        f"let extent = exp(min(v.zw, vec2f({_LARGEST}))) * cell.z;",
    )
    return "\n".join((grid_shader(tuple((stride, 1) for stride in STRIDES)), box, NO_POINTS))


def pixel_boxes_shader(size: Size) -> str:
    """Return `pixel_boxes` in WGSL."""
    return f"{box_shader('let middle = v.xy;', 'let extent = v.zw;')}\n{NO_POINTS}"


def pixel_boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """Decode (x, y, w, h) in pixels, (x, y) being the middle; see `Decoder.boxes`."""
    return corners(values[:, :2], values[:, 2:])


DECODER: Final = Decoder(
    "yolox",
    "YOLOX",
    lambda facts: _matches(facts) and "Exp" not in facts.operators,
    _groups,
    grid_boxes,
    # Since release 0.1.1 pictures are neither scaled nor normalized; they are read by OpenCV, hence BGR.
    preprocess={
        **{"colors": "BGR", "scale": "0..255", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 114 / 255},
    },
    shader=grid_boxes_shader,
)
DECODED: Final = replace(
    DECODER,
    id="yolox_decoded",
    title="YOLOX (decoded)",
    matches=lambda facts: _matches(facts) and "Exp" in facts.operators,
    boxes=pixel_boxes,
    shader=pixel_boxes_shader,
)
