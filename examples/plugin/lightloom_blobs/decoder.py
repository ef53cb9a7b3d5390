"""Decoder of detectors that give a map 'blobs' [1, classes + 2, h, w]: scores of each class, then half the
width and height of a blob.

The last two are in pixels of the input; a blob's middle is that of its cell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lightloom.plugins import AnchorGroup, Columns, Decoder, Evidence, Match, ModelFacts, sentence

OUTPUT = "blobs"


def _shape(facts: ModelFacts) -> tuple[int, ...] | None:
    """(classes, h, w) of the map; None for other networks."""
    output = facts.outputs[0]
    if len(facts.outputs) != 1 or output.name != OUTPUT or len(output.shape) != 4 or output.shape[1] < 3:
        return None
    return (output.shape[1] - 2, *output.shape[2:])


def matches(facts: ModelFacts) -> Match | None:
    """Tell by the output's name and rank that a network is of this family."""
    return Match(Evidence.DECLARED, sentence("a map called 'blobs'")) if _shape(facts) else None


def groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    """Say where scores and boxes lie."""
    classes, height, width = _shape(facts) or (0, 0, 0)
    extents = Columns(OUTPUT, classes, False)
    scores = Columns(OUTPUT, 0, False)
    # The box's four numbers: half its sides, twice, as `rest` stands in for the other two.
    return (AnchorGroup(height * width, classes, scores, extents, rest=extents, peaks=width),)


def boxes(
    anchors: NDArray[np.int64], values: NDArray[np.float64], size: tuple[int, int]
) -> NDArray[np.float64]:
    """Return the corners, float64 [n, 4] in pixels of the input, of blobs in a map of cells of 8 x 8 pixels."""
    across = size[0] // 8
    middle = np.stack((anchors % across, anchors // across), axis=1) * 8.0 + 4.0
    return np.concatenate((middle - values[:, :2], middle + values[:, :2]), axis=1)


DECODER = Decoder(
    "blobs",
    "Blobs",
    matches,
    groups,
    boxes,
    powers=(0.0, 1.0),
    preprocess={
        **{"colors": "RGB", "scale": "0..1", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        "resize": "letterbox",
    },
    score=0.4,
)
