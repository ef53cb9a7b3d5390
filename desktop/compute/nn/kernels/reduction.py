"""Reductions of a tensor over any of its axes: sums, extremes, norms, and indices of extremes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import element_type, is_float, load, scalar_type
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Lower, axis_of, integers, refuse_unless
from desktop.compute.nn.lowering.plan import NCHW, Operand
from desktop.compute.nn.lowering.workgroups import ceil_div

LONG: Final = 4096
"""Elements from which on several threads share a sum on a software adapter, too."""


@dataclass(frozen=True)
class Reduction:
    """Reduction of several elements to one. Expressions are WGSL; `value` is their type, '' the input's.

    Attributes:
        first: the value of no elements.
        take: the value of element `x`, the `k`-th of those that are reduced.
        join: of two values, `a` and `b`.
        finish: the result of a value `v`.
    """

    first: str
    take: str
    join: str
    finish: str = "v"
    value: str = ""


def reduced_axes(node: Node, rank: int, constants: Constants) -> set[int]:
    """The axes, counted from 0; all of them where the node names none."""
    axes = integers(node, "axes", 1, constants)
    if not axes:
        return set() if node.attributes.get("noop_with_empty_axes", 0) else set(range(rank))
    return {axis_of(node, axis, rank) for axis in axes}


def reduced_shape(shape: Sequence[int], axes: set[int], keepdims: bool) -> tuple[int, ...]:
    """Reduced dimensions are 1 with keepdims, else gone."""
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


def infer_reduction(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Shape inference of the Reduce operators."""
    shape = inputs[0].shape
    axes = reduced_axes(node, len(shape), constants)
    kept = reduced_shape(shape, axes, bool(node.attributes.get("keepdims", 1)))
    return [Value(node.outputs[0], kept, inputs[0].dtype)]


def reduce(
    lowering: Lowering, node: Node, axes: set[int], how: Reduction, *, dtype: str = "", code: str = ""
) -> None:
    """Add the dispatch that reduces input 0 over `axes` into output 0; `dtype`: how to read the input."""
    source = lowering.graph.values[node.inputs[0]]
    x, result = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    own = _code(how, dtype or source.dtype, element_type(result.dtype))
    text = f"{functions_in(own)}\n{code}\n{own}"
    add_reduction(lowering, node, {"x": x}, result, source.shape, axes, text)


def add_reduction(
    lowering: Lowering,
    node: Node,
    reads: Mapping[str, Operand],
    result: Operand,
    shape: Sequence[int],
    axes: set[int],
    code: str,
) -> None:
    """Add a dispatch of `reduce.wgsl` over `axes` of a row-major box of `shape`.

    `code`: WGSL of the type `Value` and the functions `first`, `take`, `join` and `finish`.
    """
    kept = [i for i in range(len(shape)) if i not in axes]
    length = math.prod(shape[i] for i in axes)
    count = math.prod(shape[i] for i in kept)
    # A CPU gains nothing from a workgroup's memory, but a long sum in one thread would lose digits.
    split = length > (LONG if lowering.target.is_software else 64)
    groups = count if split else ceil_div(count, 64)
    width = min(groups, 4096)
    numbers = {
        "COUNT": count,
        "LENGTH": length,
        "LANES": 256 if length >= 2048 else 64,
        "SPLIT": int(split),
        "WIDTH": width if split else width * 64,
        **dimensions("KEPT", kept, shape),
        **dimensions("GONE", sorted(axes), shape),
    }
    workgroups = (width, ceil_div(groups, max(width, 1)), 1)
    lowering.dispatch(
        Launch(node.name, Kernel("reduce", numbers, code=code, raw=True), reads, result, workgroups)
    )


def dimensions(name: str, axes: Sequence[int], shape: Sequence[int]) -> dict[str, int]:
    """The numbers with which `reduce.wgsl` and `normalize.wgsl` walk over some axes of a row-major tensor."""
    strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    numbers = {name: len(axes)}
    for at, axis in enumerate(reversed(axes)):
        # Of nothing the loop makes no round, but Tint refuses a remainder by a constant 0 even there.
        numbers |= {f"{name}_SIZE_{at}": max(1, shape[axis]), f"{name}_STRIDE_{at}": strides[axis]}
    return numbers


def _code(how: Reduction, dtype: str, element: str) -> str:
    kind = scalar_type(dtype)
    return f"""alias Number = {kind};
alias Value = {how.value or "Number"};
fn infinite(bits: u32) -> f32 {{
  var kept = bits; // not a constant expression, in which WGSL forbids infinities
  return bitcast<f32>(kept);
}}
fn first() -> Value {{ return {how.first}; }}
fn take(at: u32, k: u32) -> Value {{ let x = {load("x", "at", dtype)}; return {how.take}; }}
fn join(a: Value, b: Value) -> Value {{ return {how.join}; }}
fn finish(v: Value) -> {element} {{ return Element({how.finish}); }}"""


def reducer(how: Reduction, *, floats_only: bool = False, **by_type: Reduction) -> Lower:
    """Return the `lower` of a Reduce operator; `by_type`: other reductions for a `scalar_type`.

    `floats_only` refuses integers, whose roots and logarithms would depend on rounding. Bools are 0 and 1.
    """

    def lower(lowering: Lowering, node: Node) -> None:
        graph = lowering.graph
        source = graph.values[node.inputs[0]]
        refuse_unless(is_float(source.dtype) or not floats_only, node, f"{source.dtype} tensors")
        axes = reduced_axes(node, len(source.shape), graph.constants)
        found = by_type.get(scalar_type(source.dtype), how)
        reduce(lowering, node, axes, found, dtype="int32" if source.dtype == "bool" else source.dtype)

    return lower
