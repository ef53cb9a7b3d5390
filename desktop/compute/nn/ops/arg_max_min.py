"""ArgMax, ArgMin: index of the largest or smallest element along an axis; the first of equals, or the last.

https://onnx.ai/onnx/operators/onnx__ArgMax.html, onnx__ArgMin.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import scalar_type
from desktop.compute.nn.kernels.reduction import Reduction, kept_shape, reduce
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Lower, Operator, axis_of


def _axis(node: Node, rank: int) -> int:
    return axis_of(node, int(node.attributes.get("axis", 0)), rank)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """int64, with the axis reduced."""
    shape = inputs[0].shape
    kept = kept_shape(shape, {_axis(node, len(shape))}, bool(node.attributes.get("keepdims", 1)))
    return [Value(node.outputs[0], kept, "int64")]


def _place_of(better: str) -> Lower:
    """The `lower` for the comparison `better`, '>' or '<'."""

    def lower(lowering: Lowering, node: Node) -> None:
        source = lowering.graph.values[node.inputs[0]]
        kind = scalar_type(source.dtype)
        # On a tie the place decides; no place yet (-1) loses against any.
        tie = ">" if node.attributes.get("select_last_index", 0) else "<"
        better_or_nan = f"b.number {better} a.number"
        equal = "b.number == a.number"
        if kind == "f32":  # the first NaN, as in NumPy
            better_or_nan = f"(!nan(a.number) && ({better_or_nan} || nan(b.number)))"
            equal = f"({equal} || (nan(a.number) && nan(b.number)))"
        wins = f"(b.place >= 0 && (a.place < 0 || {better_or_nan} || ({equal} && b.place {tie} a.place)))"
        how = Reduction(
            f"Place({kind}(0), -1)", "Place(x, i32(k))", f"Place(select(a.number, b.number, {wins}), select(a.place, b.place, {wins}))",
            "v.place", "Place",
        )  # fmt: skip
        code = f"struct Place {{ number: {kind}, place: i32 }}"
        reduce(lowering, node, {_axis(node, len(source.shape))}, how, code=code)

    return lower


OPERATORS: Final = (Operator("ArgMax", infer, _place_of(">")), Operator("ArgMin", infer, _place_of("<")))
