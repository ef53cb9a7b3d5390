"""Matrix products."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from desktop.compute.nn.kernels.matrix import IntegerDetail
from desktop.compute.nn.lowering.operator import refuse_unless, require
from desktop.compute.nn.ops.tflite.spelling import NONE, Spelling
from desktop.compute.nn.ops.tflite.windows import integer_weights, is_exact


def _fully_connected(s: Spelling) -> None:
    """Rows of the input times the rows of the weights (outputs, inputs)."""
    x, w = s.shape(0), s.shape(1)
    refuse_unless(int(s.option("WeightsFormat", 0)) == 0, s.node, "shuffled weights")
    require(
        len(w) == 2 and w[1] > 0 and math.prod(x) % w[1] == 0, s.node, "weights that do not fit its input"
    )
    rows = math.prod(x) // w[1]
    shape = [*x[:-1], w[0]] if s.option("KeepNumDims", False) else [rows, w[0]]
    require(math.prod(shape) == rows * w[0], s.node, "weights that do not fit its input")
    activation, grid = int(s.option("FusedActivationFunction", NONE)), s.out_grid()

    def flat(name: str) -> str:
        return name if x == (rows, w[1]) else s.add("Reshape", name, s.int64(rows, w[1]))

    def shaped(name: str) -> str:
        return name if shape == [rows, w[0]] else s.add("Reshape", name, s.int64(*shape))

    if grid is not None and is_exact(s):
        weights, bias, factors = integer_weights(s, (0, 1))
        source = s.grid(0)
        assert source is not None
        inputs = [
            flat(s.integer_input(0)),
            s.constant(weights),
            *([s.constant(bias)] if bias is not None else []),
        ]
        sums = s.add("Gemm", *inputs, details=(IntegerDetail(source.lowest, source.highest),), transB=1)
        s.give(shaped(s.requantized(sums, factors, s.bounded(grid, activation), 2, once=True)))
        return
    inputs = [flat(s.real(0)), s.real(1), *([s.real(2)] if s.has(2) else [])]
    s.give_real(shaped(s.add("Gemm", *inputs, transB=1)), activation=activation)


def _batch_matmul(s: Spelling) -> None:
    names = []
    for index, flag in enumerate(("AdjX", "AdjY")):
        name, rank = s.real(index), len(s.shape(index))
        if s.option(flag, False):
            name = s.add("Transpose", name, perm=[*range(rank - 2), rank - 1, rank - 2])
        names.append(name)
    s.give_real(s.add("MatMul", *names))


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "FULLY_CONNECTED": _fully_connected,
    "BATCH_MATMUL": _batch_matmul,
}
