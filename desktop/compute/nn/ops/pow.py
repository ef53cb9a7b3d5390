"""Pow: the first to the power of the second, with multidirectional broadcasting; the result has the first one's type.

https://onnx.ai/onnx/operators/onnx__Pow.html
"""

from __future__ import annotations

import numpy as np

from desktop.compute.nn.epilogue import Step
from desktop.compute.nn.graph import Graph, Node
from desktop.compute.nn.lowering import Lowering
from desktop.compute.nn.mapping import map_elements
from desktop.compute.nn.operator import Operator, broadcast, refuse_unless
from desktop.compute.nn.scalar import scalar_type

_FLOATS = """
fn power(a: f32, b: f32) -> f32 {
  // WGSL's pow knows no negative base.
  let size = select(pow(abs(a), b), 1.0, b == 0.0);
  let odd = floor(b * 0.5) * 2.0 != b;
  return select(size, -size, a < 0.0 && odd);
}"""
_INTEGERS = """
fn whole_power(a: i32, b: i32) -> i32 {
  var result = select(0, 1, b >= 0);
  for (var i = 0; i < min(b, 64); i++) {
    result *= a;
  }
  return result;
}"""


def steps(node: Node, graph: Graph) -> tuple[str, tuple[Step, ...]]:
    """The step on input 0, for a constant exponent that multiplications or a root compute."""
    exponent = graph.constants.get(node.inputs[1], np.zeros(0))
    refuse_unless(exponent.size == 1, node, "an exponent that is not one constant")
    refuse_unless(graph.shape(node.inputs[0]) == graph.shape(node.outputs[0]), node, "a stretched base")
    kinds = {2.0: "square", 3.0: "cube", 0.5: "sqrt", -1.0: "reciprocal"}
    number = float(exponent.reshape(()))
    refuse_unless(number in kinds, node, f"the exponent {number} as a step")
    return node.inputs[0], (Step(kinds[number]),)


def lower(lowering: Lowering, node: Node) -> None:
    """One element a thread; whole numbers to whole powers are exact."""
    base, exponent = (scalar_type(lowering.graph.values[name].dtype) for name in node.inputs)
    if base != "f32" and exponent != "f32":
        expression, code = f"{base}(whole_power(i32(a), i32(b)))", _INTEGERS
    else:
        expression, code = f"{base}(power(f32(a), f32(b)))", _FLOATS
    map_elements(lowering, node, expression, node.inputs, node.outputs[0], code)


OPERATOR = Operator("Pow", broadcast, lower, steps=steps)
