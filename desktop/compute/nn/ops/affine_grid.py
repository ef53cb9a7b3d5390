"""AffineGrid: the grid that makes GridSample apply an affine transform.

https://onnx.ai/onnx/operators/onnx__AffineGrid.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import LARGEST_TABLE, coordinates, emit
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, integers, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, spatial dimensions..., number of them)."""
    size = integers(node, "", 1, constants) or ()
    dims = len(size) - 2
    require(dims in (2, 3) and min(size) > 0, node, "a size that is not of four or five dimensions")
    refuse_unless(max(size) <= LARGEST_TABLE, node, f"a size of {size}")
    require(inputs[0].shape == (size[0], dims, dims + 1), node, "transforms that do not fit the size")
    return [Value(node.outputs[0], (size[0], *size[2:], dims), inputs[0].dtype)]


def _edges(count: int, align: bool) -> np.ndarray:
    """Places of `count` pixels between -1 and 1: from center to center of the outermost ones, or from edge to edge."""
    if align:
        return np.linspace(-1, 1, count)
    return (2 * np.arange(count) + 1) / count - 1


def lower(lowering: Lowering, node: Node) -> None:
    """A row of the transform for each element, on the pixel's place from a table an axis."""
    theta, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    spatial = y.shape[1:-1]
    dims = len(spatial)
    align = bool(node.attributes.get("align_corners", 0))
    table = np.concatenate([_edges(count, align) for count in spatial])
    terms = []
    for j in range(dims):  # the transform's columns are x, y, (z): the last axis first
        axis = dims - 1 - j
        terms.append(f"f32(theta[row + {j}u]) * table[{sum(spatial[:axis])}u + c{axis + 1}]")
    body = [
        *coordinates(y.shape),
        f"let row = (c0 * {dims}u + c{dims + 1}) * {dims + 1}u;",
        f"return Element({' + '.join(terms)} + f32(theta[row + {dims}u]));",
    ]
    constants = {"table": (lowering.memory.constant(table, dtype="float32"), "f32")}
    emit(lowering, node, {"theta": theta}, y, body, constants=constants)


OPERATOR = Operator("AffineGrid", infer, lower, host=(1,))
