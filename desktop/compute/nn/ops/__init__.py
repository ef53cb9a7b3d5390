"""Every operator of the engine, one file each. To add one: write its file and put it in this list."""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.operator import Operator
from desktop.compute.nn.ops import (
    add,
    average_pool,
    batch_normalization,
    clip,
    concat,
    constant,
    constant_of_shape,
    conv,
    dequantize_linear,
    div,
    dropout,
    elementwise,
    elu,
    flatten,
    gemm,
    global_average_pool,
    hard_sigmoid,
    hard_swish,
    identity,
    leaky_relu,
    mat_mul,
    max_pool,
    mul,
    prelu,
    quantize_linear,
    reduce_mean,
    relu,
    reshape,
    sigmoid,
    softmax,
    split,
    squeeze,
    sub,
    tanh,
    transpose,
    unsqueeze,
)
from desktop.compute.nn.ops import slice as slice_
from desktop.compute.nn.ops import sum as sum_

_MODULES: Final = (
    add,
    average_pool,
    batch_normalization,
    clip,
    concat,
    constant,
    constant_of_shape,
    conv,
    dequantize_linear,
    div,
    dropout,
    elementwise,
    elu,
    flatten,
    gemm,
    global_average_pool,
    hard_sigmoid,
    hard_swish,
    identity,
    leaky_relu,
    mat_mul,
    max_pool,
    mul,
    prelu,
    quantize_linear,
    reduce_mean,
    relu,
    reshape,
    sigmoid,
    softmax,
    split,
    squeeze,
    sub,
    tanh,
    transpose,
    unsqueeze,
    slice_,
    sum_,
)

OPERATORS: Final[dict[str, Operator]] = {module.OPERATOR.name: module.OPERATOR for module in _MODULES}

IMPORTABLE: Final = frozenset(OPERATORS) - {"Elementwise"}
"""What a file may hold: all but what only passes make."""
