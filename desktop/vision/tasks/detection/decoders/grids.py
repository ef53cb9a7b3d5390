"""The bundled detector (training/detector): `grid_8`, `grid_16`, `grid_32`, [1, 11, h / stride, w / stride].

A cell has a person's box and a face's, as in YOLOX (in a portrait both have the same center), then three
logits: person, nothing (never reached), face. Each box reads two of them as two classes.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import STRIDES, cells, grid_boxes, grid_boxes_shader
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.task import Size

_KINDS: Final = ("person", "face")
_SCORES: Final = 4 * len(_KINDS)
_COLUMNS: Final = _SCORES + 3


def _matches(facts: ModelFacts) -> Match | None:
    shapes = {output.name: output.shape for output in facts.outputs}
    width, height = input_size(facts)
    wanted = {f"grid_{s}": (_COLUMNS, height // s, width // s) for s in STRIDES}
    if not (width and height) or any(shapes.get(name, ())[1:] != shape for name, shape in wanted.items()):
        return None
    return Match(Evidence.DECLARED, sentence("outputs with the names and shapes of its grids"))


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    size = input_size(facts)
    return tuple(
        AnchorGroup(
            cells(size, (s,)),
            len(_KINDS),
            Columns(f"grid_{s}", _SCORES + kind, False),
            Columns(f"grid_{s}", 4 * kind, False),
            activation="sigmoid",
        )
        for kind in range(len(_KINDS))
        for s in STRIDES
    )


def _boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    """All cells with persons' boxes precede all with faces'; see `Decoder.boxes`."""
    return grid_boxes(anchors % cells(size, STRIDES), values, size)


def _shader(size: Size) -> str:
    """Return `_boxes` in WGSL: `box_of` of YOLOX for the cell."""
    of_cell = grid_boxes_shader(size).replace("fn box_of(", "fn box_of_cell(")
    count = cells(size, STRIDES)
    head = "fn box_of(anchor: u32, v: vec4f, size: vec2f) -> vec4f"
    return f"{of_cell}\n{head} {{ return box_of_cell(anchor % {count}u, v, size); }}"


DECODER: Final = Decoder(
    "grids",
    "Lightloom's detector",
    _matches,
    _groups,
    _boxes,
    powers=(0.0, 1.0),
    preprocess={
        **{"colors": "RGB", "scale": "-1..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 114 / 255},
    },
    score=0.4,
    names=_KINDS,
    shader=_shader,
)
