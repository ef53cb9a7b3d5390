"""Sums of products over named dimensions, and determinants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, scalar_type, store
from desktop.compute.nn.kernels.indexing import coordinates, emit
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Shapes, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW

# Det: the determinants of square matrices in the last two dimensions.

_LARGEST = 32


def _infer_det(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The dimensions before the matrices."""
    shape = inputs[0].shape
    require(len(shape) >= 2 and shape[-1] == shape[-2], node, f"matrices of shape {shape[-2:]}")
    return [Value(node.outputs[0], shape[:-2], inputs[0].dtype)]


def _lower_det(lowering: Lowering, node: Node) -> None:
    """A thread a matrix: Gauss's elimination with the largest pivot of each column."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    n = x.shape[-1]
    refuse_unless(0 < n <= _LARGEST, node, f"matrices of {n} rows")
    body = [
        f"var a: array<f32, {n * n}>;",
        f"for (var i = 0u; i < {n * n}u; i++) {{ a[i] = f32(x[at * {n * n}u + i]); }}",
        "var found = 1.0;",
        f"for (var k = 0u; k < {n}u; k++) {{",
        "  var pivot = k;",
        f"  for (var i = k + 1u; i < {n}u; i++) {{",
        f"    if (abs(a[i * {n}u + k]) > abs(a[pivot * {n}u + k])) {{ pivot = i; }}",
        "  }",
        f"  let top = a[pivot * {n}u + k];",
        "  if (top == 0.0) { return Element(0.0); }",
        "  found *= select(-top, top, pivot == k);",
        f"  for (var j = k; j < {n}u; j++) {{",
        f"    let upper = a[pivot * {n}u + j];",
        f"    a[pivot * {n}u + j] = a[k * {n}u + j];",
        f"    a[k * {n}u + j] = upper;",
        "  }",
        f"  for (var i = k + 1u; i < {n}u; i++) {{",
        f"    let factor = a[i * {n}u + k] / top;",
        f"    for (var j = k; j < {n}u; j++) {{ a[i * {n}u + j] -= factor * a[k * {n}u + j]; }}",
        "  }",
        "}",
        "return Element(found);",
    ]
    emit(lowering, node, {"x": x}, y, body)


# Einsum: sums of products over named dimensions; ellipses, repeated names and implicit results as in NumPy.
@dataclass(frozen=True)
class _Equation:
    """Return names of the operands' and the result's dimensions ('0', '1', ... in ellipses), and sizes."""

    operands: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]
    sizes: dict[str, int]

    @property
    def summed(self) -> tuple[str, ...]:
        """The names that the result has not."""
        return tuple(name for name in self.sizes if name not in self.result)


def _parse(node: Node, shapes: Sequence[tuple[int, ...]]) -> _Equation:
    """The equation of `node` for operands of `shapes`."""
    text = str(node.attributes["equation"]).replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    require(len(terms) == len(shapes), node, "an equation for another number of inputs")
    sizes: dict[str, int] = {}
    operands = []
    for term, shape in zip(terms, shapes, strict=True):
        names = _names(node, term, len(shape) - len(term.replace("...", "")))
        require(len(names) == len(shape), node, "an equation that does not fit its inputs")
        for name, size in zip(names, shape, strict=True):
            require(sizes.get(name, 1) in (1, size) or size == 1, node, f"sizes of '{name}' that differ")
            sizes[name] = size if sizes.get(name, 1) == 1 else sizes[name]
        operands.append(names)
    hidden = sorted((name for name in sizes if name.isdigit()), key=int, reverse=True)
    if arrow:
        result = _names(node, right, len(hidden))
    else:
        letters = left.replace(",", "").replace(".", "")
        result = (*hidden, *sorted(name for name in set(letters) if letters.count(name) == 1))
    known = len(set(result)) == len(result) and set(result) <= set(sizes)
    require(known, node, "a result with a name twice or an unknown one")
    return _Equation(tuple(operands), result, sizes)


def _names(node: Node, term: str, hidden: int) -> tuple[str, ...]:
    before, dots, after = term.partition("...")
    letters = before + after
    require(all(c.isascii() and c.isalpha() for c in letters), node, f"an equation with '{term}'")
    return (*before, *(str(i) for i in reversed(range(hidden if dots else 0))), *after)


def _infer_einsum(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The sizes of the result's names."""
    equation = _parse(node, [value.shape for value in inputs])
    shape = tuple(equation.sizes[name] for name in equation.result)
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def _lower_einsum(lowering: Lowering, node: Node) -> None:
    """A thread a result, a loop a summed name."""
    values = [lowering.graph.values[name] for name in node.inputs]
    refuse_unless(values[0].dtype != "bool", node, "bool tensors")
    equation = _parse(node, [value.shape for value in values])
    result = lowering.values.result(node.outputs[0], NCHW)
    places = {name: f"c{i}" for i, name in enumerate(equation.result)}
    places |= {name: f"k{i}" for i, name in enumerate(equation.summed)}
    factors = []
    for at, (names, value) in enumerate(zip(equation.operands, values, strict=True)):
        terms = [
            f"{places[name]} * {math.prod(value.shape[i + 1 :])}u"
            for i, name in enumerate(names)
            if value.shape[i] > 1
        ]
        factors.append(load(f"x{at}", " + ".join(terms) or "0u", value.dtype))
    kind = scalar_type(values[0].dtype)
    loops = [
        f"for (var {places[name]} = 0u; {places[name]} < {equation.sizes[name]}u; {places[name]}++) {{"
        for name in equation.summed
    ]
    body = [
        *coordinates(result.shape),
        f"var sum = {kind}(0);",
        *loops,
        f"sum += {' * '.join(factors)};",
        "}" * len(loops),
        f"return {store('sum', values[0].dtype)};",
    ]
    reads = {f"x{i}": lowering.nchw(name) for i, name in enumerate(node.inputs)}
    emit(lowering, node, reads, result, body)


def _multiply_adds_einsum(node: Node, shape: Shapes) -> int:
    """The product of all letters' sizes."""
    if len(node.inputs) < 2:
        return 0
    terms = str(node.attributes["equation"]).replace(" ", "").split("->")[0].split(",")
    sizes: dict[str, int] = {}
    for term, name in zip(terms, node.inputs, strict=True):
        own = shape(name)
        if "." in term:  # an ellipsis stands for dimensions that have no letter: the result's size has them
            return math.prod(shape(node.outputs[0])) * max(own, default=1)
        for letter, size in zip(term, own, strict=True):
            sizes[letter] = max(size, sizes.get(letter, 1))
    return math.prod(sizes.values())


OPERATORS: Final = (
    Operator("Det", _infer_det, _lower_det),
    Operator("Einsum", _infer_einsum, _lower_einsum, multiply_adds=_multiply_adds_einsum),
)
