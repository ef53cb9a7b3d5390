"""Operators that select boxes which overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    constant_input,
    left_to_the_gpu,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.lowering.workgroups import ceil_div
from desktop.compute.nn.suppression import selected


# NonMaxSuppression: the boxes that no better one of their class overlaps; refused on computed boxes.
# Their count is the result's shape, so the inputs must be known when the session is built.
def _corners(boxes: np.ndarray, center_point: bool) -> np.ndarray:
    """(boxes, 4) as y1, x1, y2, x2 with y1 <= y2 and x1 <= x2."""
    if center_point:
        center, half = boxes[:, 1::-1], boxes[:, :1:-1] / 2
        return np.concatenate([center - half, center + half], axis=1)
    return np.concatenate([np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])], 1)


def fold_non_max_suppression(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """(boxes that stay, 3): batch, class and box, as int64."""
    boxes, scores = inputs[0], inputs[1]
    given = [inputs[i].reshape(-1) if i < len(inputs) and inputs[i].size else None for i in range(2, 5)]
    most = 0 if given[0] is None else int(given[0][0])
    iou = 0.0 if given[1] is None else float(given[1][0])
    least = None if given[2] is None else float(given[2][0])
    rows = []
    for batch in range(scores.shape[0]):
        corners = _corners(boxes[batch], bool(int(node.attributes.get("center_point_box", 0))))
        for each in range(scores.shape[1]):
            chosen = selected(corners, scores[batch, each], most, iou, least)
            rows += [(batch, each, index) for index in chosen]
    return [np.array(rows, np.int64).reshape(-1, 3)]


def _infer_non_max_suppression(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The shape of what `fold` finds."""
    shape, scores = inputs[0].shape, inputs[1].shape
    fits = len(shape) == len(scores) == 3 and shape[2] == 4
    require(fits and (shape[0], shape[1]) == (scores[0], scores[2]), node, "boxes and scores that do not fit")
    arrays = [constant_input(node, index, constants) for index in range(len(node.inputs))]
    found = fold_non_max_suppression(node, [np.zeros(0) if array is None else array for array in arrays])[0]
    return [Value(node.outputs[0], found.shape, "int64")]


# SelectBoxes: NonMaxSuppression with a result of fixed size, so that it runs on computed boxes.
# Inputs: boxes (n, 4) as two corners of rising coordinates, scores (classes, n). Output: (classes, places)
# indices, int32, best first, then -1. Attributes: `places`; `threshold` of a score (`inclusive` or not);
# `overlap` at which (or, if `strict`, beyond which) a box is dropped.

_MOST_BOXES = 1 << 16
"""A bit each, in a workgroup's memory: 8 KiB, of the 16 that WebGPU promises."""


def _infer_select_boxes(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(classes, places)."""
    boxes, scores = inputs[0].shape, inputs[1].shape
    fits = len(boxes) == len(scores) == 2 and boxes[1] == 4 and boxes[0] == scores[1]
    require(fits, node, "boxes and scores that do not fit")
    return [Value(node.outputs[0], (scores[0], int(node.attributes["places"])), "int32")]


def _lower_select_boxes(lowering: Lowering, node: Node) -> None:
    """A workgroup a class."""
    (count, _), (classes, places) = (lowering.graph.shape(name) for name in (node.inputs[0], node.outputs[0]))
    refuse_unless(0 < count <= _MOST_BOXES, node, f"{count} boxes")
    width = min(classes, 4096)
    numbers = {
        "BOXES": count,
        "WORDS": ceil_div(count, 32),
        "PLACES": places,
        "CLASSES": classes,
        "WIDTH": width,
        "STRICT": int(node.attributes["strict"]),
        "INCLUSIVE": int(node.attributes["inclusive"]),
    }
    floats = {"THRESHOLD": float(node.attributes["threshold"]), "OVERLAP": float(node.attributes["overlap"])}
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("select_boxes", numbers, floats=floats, raw=True),
            {"boxes": lowering.nchw(node.inputs[0]), "scores": lowering.nchw(node.inputs[1])},
            lowering.values.result(node.outputs[0], NCHW),
            (width, ceil_div(classes, width), 1),
        )
    )


OPERATORS: Final = (
    Operator(
        "NonMaxSuppression", _infer_non_max_suppression, fold=fold_non_max_suppression, host=(0, 1, 2, 3, 4)
    ),
    Operator("SelectBoxes", _infer_select_boxes, _lower_select_boxes, fold=left_to_the_gpu, internal=True),
)
