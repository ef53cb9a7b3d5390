"""Decode the outputs of a network that Lightloom does not know: python examples/custom_decoder.py MODEL.onnx
IMAGE

The network here gives a map of scores, [1, classes, h, w], that covers its input. The decoder takes every
cell that is a peak among its neighbors for an object as large as a cell. Whatever a decoder returns is what
the network returns.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

import lightloom

SCORE = 0.5


def decode(outputs: Mapping[str, NDArray[np.float32]], given: lightloom.Input) -> lightloom.Detections:
    """Return the peaks of a map of scores as detections, best first."""
    (scores,) = next(iter(outputs.values()))
    padded = np.pad(scores, ((0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    around = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2)).max(axis=(3, 4))
    classes, rows, columns = np.nonzero((scores == around) & (scores > SCORE))
    order = np.argsort(-scores[classes, rows, columns])
    classes, rows, columns = classes[order], rows[order], columns[order]
    cell = (
        np.array(given.input_size) / scores.shape[:0:-1]
    )  # (width, height) of a cell in pixels of the input
    corners = np.stack((columns, rows, columns + 1, rows + 1), axis=1) * np.tile(cell, 2)
    return lightloom.Detections(
        size=given.size,
        boxes=given.to_image(corners).astype(np.float32),
        scores=scores[classes, rows, columns],
        class_ids=classes,
        labels=tuple(f"class {each}" for each in classes),
    )


def main(arguments: Sequence[str]) -> int:
    """Print what is in an image; return the exit status."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    model, image = arguments
    try:
        with lightloom.load(
            model, decode=decode, preprocess={"resize": "letterbox", "scale": "0..1"}
        ) as network:
            for each in network(image):
                print(each.label, f"{each.score:.2f}", *(round(value) for value in each.box))
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
