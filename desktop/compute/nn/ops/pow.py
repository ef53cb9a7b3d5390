"""Pow: the first to the power of the second, with multidirectional broadcasting; the result has the first one's type.

https://onnx.ai/onnx/operators/onnx__Pow.html
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import scalar_type
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.kernels.steps import base_step, operand_step
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, broadcast

_INTEGERS = """
fn whole_power(a: i32, b: i32) -> i32 {
  if (b < 0) {
    return select(0, select(1, a, (b & 1) == 1), a == 1 || a == -1);
  }
  var result = 1;
  var factor = a;
  for (var bit = 0u; bit < 31u; bit++) {
    result *= select(1, factor, ((b >> bit) & 1) == 1);
    factor *= factor;
  }
  return result;
}"""
# The power is right to some digits only, and what is cut off must not hang on the last.
_TRUNCATED = """
fn truncated_power(a: f32, b: f32) -> f32 {
  let found = power(vec4<f32>(a), vec4<f32>(b)).x;
  let whole = round(found);
  return select(trunc(found), whole, abs(found - whole) <= 1e-5 * abs(whole));
}"""
_KINDS: Final = {2.0: "square", 3.0: "cube", 0.5: "root", -1.0: "reciprocal"}


def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The step on the input that has the output's shape; multiplications or a root for the exponents that have them."""
    exponent = graph.constants.get(node.inputs[1], np.zeros(0))
    if exponent.size != 1 or graph.shape(node.inputs[0]) != graph.shape(node.outputs[0]):
        return base_step(node, graph, "pow", "rpow")
    number = float(exponent.reshape(()))
    if number == 1.0:
        return node.inputs[0], ()
    kind = _KINDS.get(number)
    return node.inputs[0], (EpilogueStep(kind) if kind else operand_step("pow", node.inputs[1], graph),)


def lower(lowering: Lowering, node: Node) -> None:
    """One element a thread; integers to integer powers are exact."""
    base, exponent = (scalar_type(lowering.graph.values[name].dtype) for name in node.inputs)
    if base == "f32":
        map_elements(lowering, node, "power(vec4<f32>(a), vec4<f32>(f32(b))).x", node.inputs, node.outputs[0])
    elif exponent == "f32":
        expression = f"{base}(truncated_power(f32(a), b))"
        map_elements(lowering, node, expression, node.inputs, node.outputs[0], _TRUNCATED)
    else:
        expression = f"{base}(whole_power(i32(a), i32(b)))"
        map_elements(lowering, node, expression, node.inputs, node.outputs[0], _INTEGERS)


OPERATOR = Operator("Pow", broadcast, lower, steps=steps, carries=True)
