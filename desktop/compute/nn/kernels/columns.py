"""A convolution with at most four outputs on subgroup matrices: a product by lines, then a sum over columns.

    y[i, j, m] = sum_k z[i, j + k, (k, m)],   z[i, j, (k, m)] = sum over lines l and channels c of x[i + l, j, c] w[m, c, l, k]

Three outputs would use three of a matrix's 16 columns; with the window's columns, 27 of 32. z is float32.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.matrix import (
    bias_constant,
    conv_key,
    feed_of,
    is_narrow,
    launch_of_matrices,
    rows_between,
)
from desktop.compute.nn.kernels.subgroup_matrix import Matrices, other_matrices
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.tuning import Decision
from desktop.compute.nn.lowering.workgroups import ceil_div, spread

_TILE: Final = Matrices(128, 64, 32, (64, 32), buffers=1)
"""Half of its columns are idle for a 9x9 window with three outputs; a tile of 32 took 1.2 times as long."""
_MOST_MEMORY: Final = 96 << 20
"""Bytes of what the columns add to."""
_OCTET: Final = 8


def pays(lowering: Lowering, convolution: Convolution) -> bool:
    """True for results that would be computed neighboring pixels at a time, on a device with matrices."""
    c, target = convolution, lowering.target
    if not is_narrow(c, target):
        return False
    lines, columns = _lines(c.window), _columns(c)
    sums = c.result.batch * lines.output[0] * lines.output[1] * columns * 4
    if sums > min(_MOST_MEMORY, target.max_binding):
        return False
    feed = feed_of(lowering, replace(c, window=lines), columns // 4)
    return feed is not None and not feed.pairs


def convolve(lowering: Lowering, convolution: Convolution) -> None:
    """Add the dispatches of a convolution for which it `pays`."""
    c, lines, columns = convolution, _lines(convolution.window), _columns(convolution)
    sums = rows_between(lowering, (c.result.batch, columns, *lines.output))
    of_lines = replace(c, result=sums, window=lines, weights=_turned(c.weights, columns))
    feed = feed_of(lowering, of_lines, sums.blocks)
    assert feed is not None
    key = conv_key("columns", lowering.target, c.x, c.result, c.window, f"mapped {c.is_mapped:d}")
    decision: Decision[Matrices] = lowering.decide(
        key, _TILE, lambda: other_matrices(sums.pixels, sums.blocks, feed, lowering.target)
    )
    launch = launch_of_matrices(lowering, of_lines, decision.chosen, feed)
    lowering.dispatch(replace(launch, decision=decision))
    width, rows = spread(c.result.pixels)
    numbers = {
        **c.window.numbers(),
        "OUTPUTS": c.result.channels,
        "PIXELS": c.result.pixels,
        "WIDTH": width * 64,
    }
    lowering.dispatch(
        Launch(
            c.node.name,
            Kernel("sum_columns", numbers),
            {"x": sums},
            c.result,
            (width, rows, 1),
            arrays={"bias": bias_constant(lowering, c.bias, c.weights.shape[0])},
            epilogue=c.node.epilogue,
        )
    )


def _columns(convolution: Convolution) -> int:
    """Return the numbers per pixel, rounded up to a multiple of eight."""
    return ceil_div(convolution.result.channels * convolution.window.kernel[1], _OCTET) * _OCTET


def _lines(window: SlidingWindow) -> SlidingWindow:
    """The window without its columns, over all of the input's."""
    return replace(
        window,
        kernel=(window.kernel[0], 1),
        before=(window.before[0], 0),
        after=(window.after[0], 0),
        output=(window.output[0], window.input[1]),
    )


def _turned(weights: np.ndarray, columns: int) -> np.ndarray:
    """(columns, C, 1, lines, 1): those of a column of the window side by side; zeros behind them."""
    m, c, depth, height, width = weights.shape
    turned = np.zeros((columns, c, depth, height, 1), weights.dtype)
    turned[: m * width] = np.moveaxis(weights, -1, 0).reshape(width * m, c, depth, height, 1)
    return turned


__all__ = ["convolve", "pays"]
