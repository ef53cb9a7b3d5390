"""Element-wise operators of two and more tensors, with multidirectional broadcasting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.scalar import scalar_type
from desktop.compute.nn.kernels.elementwise import fold_left, folded, map_elements, mapped
from desktop.compute.nn.kernels.steps import base_step, binary_steps, operand_step
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Quantized,
    broadcast,
    compare,
    left_to_the_gpu,
    refuse_unless,
    require,
    same_as_first,
)


# BitShift: bits moved up or down; a signed number keeps its sign on the way down.
def _lower_bit_shift(lowering: Lowering, node: Node) -> None:
    """One element a thread. Up, a value of 64 bits may need the upper 32 and is refused."""
    direction = node.attributes.get("direction", "")
    require(direction in ("LEFT", "RIGHT"), node, f"the direction '{direction}'")
    dtype = lowering.graph.values[node.inputs[0]].dtype
    unsigned = dtype in ("uint32", "uint64")
    zero, outside = ("0u", "b > 31u") if unsigned else ("0", "(b < 0 || b > 31)")
    if direction == "LEFT":
        refuse_unless(not dtype.endswith("64"), node, f"shifts of {dtype} to the left")
        expression = f"select(a << (u32(b) & 31u), {zero}, {outside})"
    elif unsigned:
        expression = f"select(a >> (b & 31u), 0u, {outside})"
    else:
        expression = f"a >> select(u32(b) & 31u, 31u, {outside})"
    map_elements(lowering, node, expression, node.inputs, node.outputs[0])


# Mod: the remainder, with the sign of the divisor, or of the dividend where fmod is 1.

# Spelt out, because drivers compute the remainder of negative integers wrongly (docs/facts.md).
_CODE = {
    "i32": "fn truncated(a: i32, b: i32) -> i32 { return a - b * (a / b); }",
    "u32": "fn truncated(a: u32, b: u32) -> u32 { return a - b * (a / b); }",
    # Long division of the mantissas, exact: a - b * trunc(a / b) would hang on how the division is rounded.
    "f32": """fn truncated(a: f32, b: f32) -> f32 {
  let x = bitcast<u32>(a) & 0x7fffffffu;
  let y = bitcast<u32>(b) & 0x7fffffffu;
  var missing = 0x7fc00000u; // not a constant expression, in which WGSL forbids NaN
  if (x >= 0x7f800000u || y == 0u || y > 0x7f800000u) { return bitcast<f32>(missing); }
  if (x < y) { return a; }
  let exponent = max(y >> 23u, 1u);
  let divisor = (y & 0x7fffffu) | select(0u, 0x800000u, y >= 0x800000u);
  var left = max(x >> 23u, 1u) - exponent;
  var rest = ((x & 0x7fffffu) | select(0u, 0x800000u, x >= 0x800000u)) % divisor;
  for (var i = 0u; i < 32u; i++) {
    let shift = min(left, 8u);
    rest = (rest << shift) % divisor;
    left -= shift;
  }
  let shift = countLeadingZeros(rest) - 8u;
  let normal = ((rest << (shift & 31u)) & 0x7fffffu) | ((exponent - shift) << 23u);
  var bits = select(rest << ((exponent - 1u) & 31u), normal, exponent > shift);
  bits = select(bits, 0u, rest == 0u);
  return bitcast<f32>(bits | (bitcast<u32>(a) & 0x80000000u));
}""",
}
_FLOORED = (
    "select(truncated(a, b), truncated(a, b) + b, (truncated(a, b) < 0) != (b < 0) && truncated(a, b) != 0)"
)


def _lower_mod(lowering: Lowering, node: Node) -> None:
    """One element a thread."""
    kind = scalar_type(lowering.graph.values[node.inputs[0]].dtype)
    keeps_dividend = node.attributes.get("fmod", 0) or kind == "u32"
    expression = "truncated(a, b)" if keeps_dividend else _FLOORED
    map_elements(lowering, node, expression, node.inputs, node.outputs[0], _CODE[kind])


# Pow: the first to the power of the second; the result has the first one's type.

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


def _steps_pow(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """Return the step on the base input; some exponents become multiplications or a root."""
    exponent = graph.constants.get(node.inputs[1], np.zeros(0))
    if exponent.size != 1 or graph.shape(node.inputs[0]) != graph.shape(node.outputs[0]):
        return base_step(node, graph, "pow", "rpow")
    number = float(exponent.reshape(()))
    if number == 1.0:
        return node.inputs[0], ()
    kind = _KINDS.get(number)
    return node.inputs[0], (EpilogueStep(kind) if kind else operand_step("pow", node.inputs[1], graph),)


def _lower_pow(lowering: Lowering, node: Node) -> None:
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


# PRelu: slope * x below zero; slope and x broadcast to each other, as in ONNX Runtime.
def _steps_prelu(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """Return the step on input 0; raise `ModelUnsupportedError` if the slope stretches it."""
    stretched = graph.shape(node.outputs[0]) != graph.shape(node.inputs[0])
    refuse_unless(not stretched, node, "a slope that stretches its input")
    return node.inputs[0], (operand_step("prelu", node.inputs[1], graph),)


# Sum: the element-wise sum of any number of tensors, with multidirectional broadcasting.
def _steps_sum(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The other inputs are added to the last computed one that has the output's shape."""
    shape = graph.shape(node.outputs[0])
    order = {name: at for at, each in enumerate(graph.nodes) for name in each.outputs}
    bases = [i for i, n in enumerate(node.inputs) if graph.shape(n) == shape and n not in graph.constants]
    refuse_unless(bool(bases), node, "all of its inputs are stretched")
    refuse_unless(len(node.inputs) <= 4, node, "more operands than an epilogue reads")
    base = max(bases, key=lambda i: order.get(node.inputs[i], -1))
    others = [name for i, name in enumerate(node.inputs) if i != base]
    return node.inputs[base], tuple(operand_step("add", name, graph) for name in others)


# Mean: the element-wise mean of any number of tensors, with multidirectional broadcasting.
def _steps_mean(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """Return the epilogue steps of a sum, followed by the division."""
    base, sums = _steps_sum(node, graph)
    return base, (*sums, EpilogueStep("mul", (1 / len(node.inputs),)))


def _lower_mean(lowering: Lowering, node: Node) -> None:
    """The sum, divided."""
    expression = f"({fold_left(node, '{a} + {b}')}) / {len(node.inputs)}.0"
    map_elements(lowering, node, expression, node.inputs, node.outputs[0])


# SwiGLU: a * sigmoid(alpha * a) * b.
def _infer_swi_glu(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Both inputs have one shape."""
    require(inputs[0].shape == inputs[1].shape, node, "inputs of different shapes")
    return same_as_first(node, inputs, constants)


def _steps_swi_glu(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The step on the gate."""
    refuse_unless(node.inputs[0] not in graph.constants, node, "a constant gate")
    alpha = float(node.attributes.get("alpha", 1.0))
    return node.inputs[0], (EpilogueStep("swiglu", (alpha,), node.inputs[1]),)


# ONNX Where: elements of one of two tensors, selected by a condition, with multidirectional broadcasting.
def _infer_where(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Infer the output: the type of both tensors, the broadcast shape of all three."""
    (value,) = broadcast(node, inputs, constants)
    return [Value(value.name, value.shape, inputs[1].dtype)]


OPERATORS: Final = (
    Operator("BitShift", broadcast, _lower_bit_shift),
    Operator("Mod", broadcast, _lower_mod, carries=True),
    Operator("Pow", broadcast, _lower_pow, steps=_steps_pow, carries=True),
    Operator(
        "PRelu",
        broadcast,
        mapped("select(a * b, a, a >= 0)", u32="a"),
        steps=_steps_prelu,
        fold=left_to_the_gpu,
    ),
    Operator("Sum", broadcast, folded("{a} + {b}"), steps=_steps_sum, carries=True),
    Operator("Mean", broadcast, _lower_mean, steps=_steps_mean),
    Operator("SwiGLU", _infer_swi_glu, steps=_steps_swi_glu),
    Operator("Where", _infer_where, mapped("select(c, b, a)"), carries=True),
    # For floats: the step for `a op b`, and the one for `b op a`.
    Operator(
        "Add", broadcast, mapped("a + b"), binary_steps("add", "add"), quantized=Quantized.SUM, carries=True
    ),
    Operator("Div", broadcast, mapped("a / b"), binary_steps("div", "rdiv"), carries=True),
    Operator(
        "Max",
        broadcast,
        folded("max({a}, {b})", f32="most({a}, {b})"),
        binary_steps("max", "max"),
        carries=True,
    ),
    Operator(
        "Min",
        broadcast,
        folded("min({a}, {b})", f32="least({a}, {b})"),
        binary_steps("min", "min"),
        carries=True,
    ),
    Operator("Mul", broadcast, mapped("a * b"), binary_steps("mul", "mul"), carries=True),
    Operator("Sub", broadcast, mapped("a - b"), binary_steps("sub", "rsub"), carries=True),
    # Of each bit.
    Operator("BitwiseAnd", broadcast, mapped("a & b")),
    Operator("BitwiseOr", broadcast, mapped("a | b")),
    Operator("BitwiseXor", broadcast, mapped("a ^ b")),
    # Of truth values.
    Operator("And", broadcast, mapped("a && b")),
    Operator("Or", broadcast, mapped("a || b")),
    Operator("Xor", broadcast, mapped("a != b")),
    # Yes or no.
    Operator("Equal", compare, mapped("a == b")),
    Operator("Greater", compare, mapped("a > b")),
    Operator("GreaterOrEqual", compare, mapped("a >= b")),
    Operator("Less", compare, mapped("a < b")),
    Operator("LessOrEqual", compare, mapped("a <= b")),
)
