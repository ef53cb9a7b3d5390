"""Reductions over axes, running sums, and indices of extrema."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import element_type, load, scalar_type, store
from desktop.compute.nn.kernels.reduction import (
    Reduction,
    infer_reduction,
    reduce,
    reduced_axes,
    reduced_shape,
    reducer,
)
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Fold,
    Lower,
    Operator,
    Quantized,
    Sums,
    axis_of,
    left_to_the_gpu,
    one_number,
    same_as_first,
)
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.lowering.workgroups import spread


# ArgMax, ArgMin: index of the largest or smallest element along an axis; the first of equals, or the last.
def _axis_of_extremum(node: Node, rank: int) -> int:
    return axis_of(node, int(node.attributes.get("axis", 0)), rank)


def _infer_arg_max_min(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """int64, with the axis reduced."""
    shape = inputs[0].shape
    kept = reduced_shape(
        shape, {_axis_of_extremum(node, len(shape))}, bool(node.attributes.get("keepdims", 1))
    )
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
        reduce(lowering, node, {_axis_of_extremum(node, len(source.shape))}, how, code=code)

    return lower


# CumSum, CumProd: running results along an axis; exclusive leaves out the element, reverse runs backwards.
def _running(first: str, operation: str) -> Lower:
    """The `lower`: a thread a line, which is right for the short axes that networks have."""

    def lower(lowering: Lowering, node: Node) -> None:
        graph = lowering.graph
        value = graph.values[node.inputs[0]]
        axis = axis_of(node, int(one_number(node, 1, graph.constants)), len(value.shape))
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
                f"fn next(total: Number, at: u32) -> Number "
                f"{{ return total {operation} {load('x', 'at', value.dtype)}; }}",
                f"fn held(total: Number) -> {element_type(result.dtype)} "
                f"{{ return {store('total', value.dtype)}; }}",
            ]
        )
        lowering.dispatch(
            Launch(
                node.name, Kernel("running", numbers, code=code, raw=True), {"x": x}, result, (width, rows, 1)
            )
        )

    return lower


# ReduceMean: the mean over axes. Over all pixels a pass makes GlobalAveragePool of it.
def _lower_reduce_mean(lowering: Lowering, node: Node) -> None:
    """The sum, divided by how many there are."""
    shape = lowering.graph.shape(node.inputs[0])
    axes = reduced_axes(node, len(shape), lowering.graph.constants)
    length = math.prod(shape[i] for i in axes)
    kind = scalar_type(lowering.graph.values[node.inputs[0]].dtype)
    reduce(lowering, node, axes, Reduction(f"{kind}(0)", "x", "a + b", f"v / {kind}({length})"))


def _reduction(
    name: str,
    how: Reduction,
    *,
    sums: Sums | None = None,
    floats_only: bool = False,
    fold: Fold | None = None,
    **by_type: Reduction,
) -> Operator:
    """`by_type`: how elements of other types than floats are joined."""
    lower = reducer(how, floats_only=floats_only, **by_type)
    return Operator(name, infer_reduction, lower, fold=fold, host=(1,), sums=sums)


# The maximum and the sum of exponentials less it; the first is finite, as infinity - infinity is NaN.
_LOG_SUM_EXP: Final = Reduction(
    "vec2<f32>(-3.4028234e38, 0.0)",
    "vec2<f32>(f32(x), 1.0)",
    "vec2<f32>(most(a.x, b.x), a.y * exp(max(a.x - max(a.x, b.x), -200.0)) + b.y * exp(max(b.x - max(a.x, "
    "b.x), -200.0)))",
    "select(select(v.x + log(v.y), infinite(0xff800000u), v.y == 0.0), v.x, v.x > 3.4028234e38 || nan(v.x))",
    "vec2<f32>",
)


OPERATORS: Final = (
    Operator("ArgMax", _infer_arg_max_min, _place_of(">")),
    Operator("ArgMin", _infer_arg_max_min, _place_of("<")),
    Operator("CumProd", same_as_first, _running("1", "*"), host=(1,), sums=Sums.POWERS),
    Operator("CumSum", same_as_first, _running("0", "+"), host=(1,), carries=True, sums=Sums.POWERS),
    Operator(
        "ReduceMean", infer_reduction, _lower_reduce_mean, host=(1,), quantized=Quantized.MEAN, sums=Sums.MEAN
    ),
    _reduction(
        "ReduceL1",
        Reduction("Number(0)", "abs(x)", "a + b"),
        sums=Sums.ELEMENTS,
        u32=Reduction("Number(0)", "x", "a + b"),
    ),
    _reduction(
        "ReduceL2",
        Reduction("0.0", "f32(x) * f32(x)", "a + b", "sqrt(v)", "f32"),
        sums=Sums.ELEMENTS,
        floats_only=True,
    ),
    _reduction(
        "ReduceLogSum",
        Reduction("0.0", "f32(x)", "a + b", "select(log(v), infinite(0xff800000u), v == 0.0)", "f32"),
        sums=Sums.MEAN,  # of which the logarithm is small
        floats_only=True,
    ),
    _reduction("ReduceLogSumExp", _LOG_SUM_EXP, floats_only=True, fold=left_to_the_gpu),
    _reduction(
        "ReduceMax",
        Reduction("infinite(0xff800000u)", "x", "most(a, b)"),
        i32=Reduction("(-2147483647 - 1)", "x", "max(a, b)"),
        u32=Reduction("0u", "x", "max(a, b)"),
        bool=Reduction("0", "x", "max(a, b)"),
    ),
    _reduction(
        "ReduceMin",
        Reduction("infinite(0x7f800000u)", "x", "least(a, b)"),
        i32=Reduction("2147483647", "x", "min(a, b)"),
        u32=Reduction("4294967295u", "x", "min(a, b)"),
        bool=Reduction("1", "x", "min(a, b)"),
    ),
    _reduction("ReduceProd", Reduction("Number(1)", "x", "a * b"), sums=Sums.POWERS),
    _reduction("ReduceSum", Reduction("Number(0)", "x", "a + b"), sums=Sums.ELEMENTS),
    _reduction("ReduceSumSquare", Reduction("Number(0)", "x * x", "a + b"), sums=Sums.POWERS),
)
