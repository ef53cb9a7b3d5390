"""QuantizeLinear: y = saturate(round_half_even(x / scale) + zero_point).

Supported where DequantizeLinear follows (a pass makes one step of the two) and on constants.
https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.operator import Constants, Operator


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type is the zero point's, uint8 without one."""
    dtype = inputs[2].dtype if node.input(2) else "uint8"
    return [Value(node.outputs[0], inputs[0].shape, dtype)]


OPERATOR = Operator("QuantizeLinear", infer)
