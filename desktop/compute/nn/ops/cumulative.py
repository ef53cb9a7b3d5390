"""CumSum, CumProd: running sums and products along an axis; exclusive leaves out the element itself, reverse begins at the end.

https://onnx.ai/onnx/operators/onnx__CumSum.html, onnx__CumProd.html
"""

from __future__ import annotations

import math
from typing import Final

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ir.scalar import element_type, load, scalar_type, store
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Lower,
    Operator,
    Sums,
    axis_of,
    constant_input,
    require,
    same_as_first,
)
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.lowering.workgroups import spread


def _running(first: str, operation: str) -> Lower:
    """The `lower`: a thread a line, which is right for the short axes that networks have."""

    def lower(lowering: Lowering, node: Node) -> None:
        graph = lowering.graph
        value = graph.values[node.inputs[0]]
        axis_array = constant_input(node, 1, graph.constants)
        require(axis_array is not None and axis_array.size == 1, node, "no axis")
        assert axis_array is not None
        axis = axis_of(node, int(axis_array.reshape(())), len(value.shape))
        x, result = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
        length, inner = value.shape[axis], math.prod(value.shape[axis + 1 :])
        lines = math.prod(value.shape) // length if length else 0
        width, rows = spread(lines)
        numbers = {
            "LINES": lines,
            "LENGTH": length,
            "INNER": inner,
            "WIDTH": width * 64,
            "REVERSE": int(bool(node.attributes.get("reverse", 0))),
            "EXCLUSIVE": int(bool(node.attributes.get("exclusive", 0))),
        }
        kind = scalar_type(value.dtype)
        code = "\n".join(
            [
                f"alias Number = {kind};",
                f"fn first() -> Number {{ return Number({first}); }}",
                f"fn next(total: Number, at: u32) -> Number {{ return total {operation} {load('x', 'at', value.dtype)}; }}",
                f"fn held(total: Number) -> {element_type(result.dtype)} {{ return {store('total', value.dtype)}; }}",
            ]
        )
        lowering.dispatch(
            Launch(
                node.name, Kernel("running", numbers, code=code, raw=True), {"x": x}, result, (width, rows, 1)
            )
        )

    return lower


OPERATORS: Final = (
    Operator("CumProd", same_as_first, _running("1", "*"), host=(1,), sums=Sums.POWERS),
    Operator("CumSum", same_as_first, _running("0", "+"), host=(1,), carries=True, sums=Sums.POWERS),
)
