"""Element-wise operators that have no epilogue step: integers, bools, several stretched inputs, rare ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ir.scalar import element_type, load, scalar_type, store
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Lower, refuse_unless
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.lowering.workgroups import spread

_NAMES = "abcdefgh"


def broadcast_index(shape: Sequence[int], own: Sequence[int], at: str = "at") -> str:
    """Return WGSL of the index in a row-major tensor of shape `own`, stretched to `shape`, for index `at`."""
    own = (1,) * (len(shape) - len(own)) + tuple(own)
    if own == tuple(shape):
        return at
    terms, below, own_below = [], 1, 1
    for size, own_size in zip(reversed(shape), reversed(own), strict=True):
        if own_size > 1:
            terms.append(f"{at} / {below}u % {size}u * {own_below}u")
        below, own_below = below * size, own_below * own_size
    return " + ".join(terms) or "0u"


def map_elements(
    lowering: Lowering, node: Node, expression: str, inputs: Sequence[str], output: str, code: str = ""
) -> None:
    """Add a dispatch that computes `output` element by element from `inputs`, broadcast to its shape.

    Args:
        expression: WGSL of the inputs' elements a, b, c, ..., each of its own `scalar_type`.
        code: WGSL functions that the expression calls, besides those of `functions.py`.
    """
    graph = lowering.graph
    operands = {f"x{i}": lowering.nchw(name) for i, name in enumerate(inputs)}
    result = lowering.values.result(output, NCHW)
    lines = []
    for i, name in enumerate(inputs):
        value = graph.values[name]
        index = broadcast_index(result.shape, value.shape)
        lines.append(f"  let {_NAMES[i]}: {scalar_type(value.dtype)} = {load(f'x{i}', index, value.dtype)};")
    lines.append(f"  return {store(expression, graph.values[output].dtype)};")
    compute = "\n".join([f"fn compute(at: u32) -> {element_type(result.dtype)} {{", *lines, "}"])
    count = math.prod(result.shape)
    width, rows = spread(count)
    numbers = {"COUNT": count, "WIDTH": width * 64}
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("map", numbers, code="\n".join([functions_in(code + compute), code, compute]), raw=True),
            operands,
            result,
            (width, rows, 1),
        )
    )


def mapped(expression: str, **by_type: str) -> Lower:
    """Return the `lower` of an operator with one result, the `expression` of all inputs.

    `by_type`: other expressions for a first input of that `scalar_type`, e.g. `i32="a / b"`.
    """

    def lower(lowering: Lowering, node: Node) -> None:
        inputs = [name for name in node.inputs if name]
        kind = scalar_type(lowering.graph.values[inputs[0]].dtype)
        map_elements(lowering, node, by_type.get(kind, expression), inputs, node.outputs[0])

    return lower


def folded(pattern: str, **by_type: str) -> Lower:
    """The same for any number of inputs: `pattern`, with {a} and {b}, joins them from the left."""

    def lower(lowering: Lowering, node: Node) -> None:
        kind = scalar_type(lowering.graph.values[node.inputs[0]].dtype)
        expression = fold_left(node, by_type.get(kind, pattern))
        map_elements(lowering, node, expression, node.inputs, node.outputs[0])

    return lower


def fold_left(node: Node, pattern: str) -> str:
    """`pattern`, with {a} and {b}, over all inputs from the left."""
    refuse_unless(len(node.inputs) <= 7, node, "more than seven inputs")
    expression = "a"
    for i in range(1, len(node.inputs)):
        expression = pattern.format(a=expression, b=_NAMES[i])
    return expression
