"""Reductions over axes that are one element joined to the next, a row each. ReduceMean has a file of its own.

https://onnx.ai/onnx/operators/onnx__ReduceSum.html, and so on by their names.
"""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.kernels.reduction import Reduction, infer_reduction, reducer
from desktop.compute.nn.lowering.operator import Fold, Operator, Sums, left_to_the_gpu


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


# Of the largest so far, and the sum of the exponentials less it. The lower bound is finite: infinity minus infinity is NaN.
_LOG_SUM_EXP: Final = Reduction(
    "vec2<f32>(-3.4028234e38, 0.0)",
    "vec2<f32>(f32(x), 1.0)",
    "vec2<f32>(most(a.x, b.x), a.y * exp(max(a.x - max(a.x, b.x), -200.0)) + b.y * exp(max(b.x - max(a.x, b.x), -200.0)))",
    "select(select(v.x + log(v.y), infinite(0xff800000u), v.y == 0.0), v.x, v.x > 3.4028234e38 || nan(v.x))",
    "vec2<f32>",
)

OPERATORS: Final = (
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
