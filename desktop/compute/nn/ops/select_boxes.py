"""SelectBoxes: of each class the boxes that no better one of it overlaps, in a result of fixed size, so that it runs on what a network
computes (ONNX's NonMaxSuppression has a result whose size hangs on the boxes).

Inputs: boxes (n, 4) as two corners of rising coordinates, scores (classes, n). Output: (classes, places) indices, int32, best first, -1
where none is left. Attributes: `places`; `threshold` of a score, which counts with `inclusive`; `overlap`, at which a box goes, or
beyond which with `strict`.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, left_to_the_gpu, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.lowering.workgroups import ceil_div

_MOST_BOXES = 1 << 16
"""A bit each, in a workgroup's memory: 8 KiB, of the 16 that WebGPU promises."""


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(classes, places)."""
    boxes, scores = inputs[0].shape, inputs[1].shape
    fits = len(boxes) == len(scores) == 2 and boxes[1] == 4 and boxes[0] == scores[1]
    require(fits, node, "boxes and scores that do not fit")
    return [Value(node.outputs[0], (scores[0], int(node.attributes["places"])), "int32")]


def lower(lowering: Lowering, node: Node) -> None:
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


OPERATOR = Operator("SelectBoxes", infer, lower, fold=left_to_the_gpu, internal=True)
