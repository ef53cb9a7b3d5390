"""DequantizeLinear: (x - zero_point) * scale; scales of a tensor, an axis or blocks, from anywhere.

Weights are dequantized at load; after QuantizeLinear a pass keeps integers (passes/quantization.py).
https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.quantized import TYPES, expanded_parameter, lower_quantized, parameter_shape
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, refuse_unless


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The type is the scale's."""
    refuse_unless(inputs[0].dtype in TYPES, node, f"quantized numbers of type {inputs[0].dtype}")
    refuse_unless(not node.attributes.get("output_dtype", 0), node, "an output type of its own")
    parameter_shape(node, inputs[0].shape, inputs[1].shape)
    return [Value(node.outputs[0], inputs[0].shape, inputs[1].dtype)]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Dequantized weights."""
    x, scale = inputs[0], expanded_parameter(node, inputs[0].shape, inputs[1])
    zero = expanded_parameter(node, x.shape, inputs[2]) if node.input(2) else np.zeros((), x.dtype)
    return [((x.astype(np.float32) - zero.astype(np.float32)) * scale).astype(inputs[1].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Element by element."""
    lower_quantized(lowering, node, quantizes=False)


OPERATOR = Operator("DequantizeLinear", infer, lower, fold=fold)
