"""Detectors whose graph suppresses boxes by itself, so that their results' shapes follow from what they
compute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROWS: Final = 300
"""Rows of the table that the detectors give: those of Ultralytics' exports with `nms=True`."""
_CELLS: Final = 64


class _Graph:
    """Nodes and constants, each result named by its place."""

    def __init__(self, colons: bool = False) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._mark = ":0" if colons else ""

    def constant(self, array: Any, dtype: Any = np.int64) -> str:
        name = f"constant{len(self.constants)}{self._mark}"
        self.constants.append(numpy_helper.from_array(np.array(array, dtype), name))
        return name

    def add(self, op: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        name = output or f"{op.lower()}{len(self.nodes)}{self._mark}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=f"the_{name}", **attributes))
        return name

    def best(self, values: str, count: str) -> tuple[str, str]:
        names = f"values{len(self.nodes)}{self._mark}", f"indices{len(self.nodes)}{self._mark}"
        self.nodes.append(
            helper.make_node("TopK", [values, count], list(names), name=f"the_{names[1]}", axis=0)
        )
        return names


def suppressing_detector(path: Path, form: str, *, colons: bool = False) -> Path:
    """A detector of red and blue cells of 8 x 8, as `square_detector`, that finds each twice and suppresses
    one of the two.

    Args:
        path: where to write it.
        form: 'nms': NonMaxSuppression, Gather and a Pad of computed size (Ultralytics); 'nonzero': NonZero
            before that; 'topk': TopK of as many as have a score; 'if': a branch for no box at all.
        colons: names as TensorFlow's converters write them.

    The output `y` is [1, 300, 6]: left, top, right, bottom, score, class.
    """
    graph = _Graph(colons)
    boxes, scores = _backbone(graph)
    best = graph.add("ReduceMax", scores, axes=[1], keepdims=0)
    number = graph.add("Cast", graph.add("ArgMax", scores, axis=1, keepdims=0), to=TensorProto.FLOAT)
    table = graph.add(
        "Concat",
        boxes,
        *(graph.add("Unsqueeze", each, graph.constant([1])) for each in (best, number)),
        axis=1,
    )
    rows = _FORMS[form](graph, table, boxes, best)
    count = graph.add("Shape", rows)
    missing = graph.add("Sub", graph.constant([ROWS, 6]), count)
    pads = graph.add("Concat", graph.constant([0, 0]), missing, axis=0)
    graph.add("Unsqueeze", graph.add("Pad", rows, pads), graph.constant([0]), output="y")
    _save(graph, path)
    return path


def _backbone(graph: _Graph) -> tuple[str, str]:
    """Boxes (128, 4) and scores (128, 2) of the picture `x`: each cell, and again with a box that is a pixel
    off and a lower score.
    """
    weight = np.zeros((2, 3, 1, 1), np.float32)
    weight[:, :, 0, 0] = [[1, -1, 0], [0, -1, 1]]
    moved = np.zeros((4, 3, 1, 1), np.float32)
    moved[:2, 0, 0, 0] = 0.25  # boxes hang on the picture, too
    cells = graph.add("AveragePool", "x", kernel_shape=[8, 8], strides=[8, 8])
    parts = []
    for kernel, channels in ((weight, 2), (moved, 4)):
        made = graph.add("Conv", cells, graph.constant(kernel, np.float32))
        flat = graph.add("Reshape", graph.add("Relu", made), graph.constant([channels, _CELLS]))
        parts.append(graph.add("Transpose", flat, perm=[1, 0]))
    row, column = np.divmod(np.arange(_CELLS), 8)
    corner = np.stack([column, row, column + 1, row + 1], 1) * 8
    near = graph.add("Add", parts[1], graph.constant(corner, np.float32))
    far = graph.add("Add", parts[1], graph.constant(corner + 1, np.float32))
    less = graph.add("Mul", parts[0], graph.constant(0.5, np.float32))
    return graph.add("Concat", near, far, axis=0), graph.add("Concat", parts[0], less, axis=0)


def _suppressed(graph: _Graph, boxes: str, best: str) -> str:
    """Places of the boxes that stay, (n,)."""
    found = graph.add(
        "NonMaxSuppression",
        graph.add("Unsqueeze", boxes, graph.constant([0])),
        graph.add("Unsqueeze", best, graph.constant([0, 1])),
        graph.constant([ROWS]),
        graph.constant([0.5], np.float32),
        graph.constant([0.25], np.float32),
    )
    return graph.add("Gather", found, graph.constant(2), axis=1)


def _nms(graph: _Graph, table: str, boxes: str, best: str) -> str:
    return graph.add("Gather", table, _suppressed(graph, boxes, best))


def _nonzero(graph: _Graph, table: str, boxes: str, best: str) -> str:
    above = graph.add("Greater", best, graph.constant(0.25, np.float32))
    places = graph.add("Squeeze", graph.add("NonZero", above), graph.constant([0]))
    kept, boxes, best = (graph.add("Gather", each, places) for each in (table, boxes, best))
    return _nms(graph, kept, boxes, best)


def _topk(graph: _Graph, table: str, boxes: str, best: str) -> str:
    # Only the first of the two boxes of a cell has so high a score.
    above = graph.add(
        "Cast", graph.add("Greater", best, graph.constant(0.6, np.float32)), to=TensorProto.INT64
    )
    _, places = graph.best(best, graph.add("ReduceSum", above, graph.constant([0]), keepdims=1))
    return graph.add("Gather", table, places)


def _if(graph: _Graph, table: str, boxes: str, best: str) -> str:
    kept = _suppressed(graph, boxes, best)
    some = graph.add("Greater", graph.add("Size", kept), graph.constant(0))
    result = helper.make_tensor_value_info("of_branch", TensorProto.FLOAT, None)
    then = helper.make_graph([helper.make_node("Gather", [table, kept], ["of_branch"])], "then", [], [result])
    result = helper.make_tensor_value_info("of_other", TensorProto.FLOAT, None)
    nothing = numpy_helper.from_array(np.zeros((0, 6), np.float32))
    other = helper.make_graph(
        [helper.make_node("Constant", [], ["of_other"], value=nothing)], "other", [], [result]
    )
    return graph.add("If", some, then_branch=then, else_branch=other)


_FORMS: Final[dict[str, Callable[[_Graph, str, str, str], str]]] = {
    "nms": _nms,
    "nonzero": _nonzero,
    "topk": _topk,
    "if": _if,
}
FORMS: Final = tuple(_FORMS)


def _save(graph: _Graph, path: Path, shape: Sequence[int | None] = (1, ROWS, 6)) -> None:
    made = helper.make_graph(
        graph.nodes,
        "suppressing",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 64, 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
        graph.constants,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, {"names": "{0: 'red', 1: 'blue'}"})  # as Ultralytics' exports do
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
