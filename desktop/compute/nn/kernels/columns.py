"""A convolution with at most four outputs on subgroup matrices: a product by the lines of its window, then the sum over its columns.

    y[i, j, m] = sum_k z[i, j + k, (k, m)],   z[i, j, (k, m)] = sum over lines l and channels c of x[i + l, j, c] w[m, c, l, k]

A matrix has at least 16 columns, of which three outputs would use three. With the window's columns beside them, 9 x 3 of 32, the last layer
of a style network takes a ninth of the products. z is float32 and goes through memory.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.input_map import InputMap
from desktop.compute.nn.kernels.matrix import (
    bias_constant,
    conv_key,
    feed_of,
    is_narrow,
    launch_of_matrices,
)
from desktop.compute.nn.kernels.subgroup_matrix import Matrices, other_matrices
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.tuning import Decision
from desktop.compute.nn.lowering.workgroups import ceil_div, spread

_TILE: Final = Matrices(128, 64, 32, (64, 32), buffers=1)
"""Half of its columns are idle for three outputs of a 9x9 window; one of 32 columns took 1.2 times as long on an H100."""
_MOST_MEMORY: Final = 96 << 20
"""Bytes of what the columns add to."""
_OCTET: Final = 8


def pays(lowering: Lowering, node: Node, x: Operand, result: Operand, window: SlidingWindow) -> bool:
    """True for results that would be computed neighboring pixels at a time, on a device with matrices."""
    if not is_narrow(node, result, window, lowering.target):
        return False
    columns = _columns(result, window)
    sums = result.batch * window.output[0] * window.input[1] * columns * 4
    if sums > min(_MOST_MEMORY, lowering.target.max_binding):
        return False
    feed = feed_of(lowering, node, x, columns // 4, _lines(window))
    return feed is not None and not feed.pairs


def convolve(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    window: SlidingWindow,
    weights: np.ndarray,
    bias: np.ndarray | None,
) -> None:
    """Add the dispatches of a convolution with one group for which it `pays`; `weights` are (M, C, 1, lines, columns)."""
    lines, columns = _lines(window), _columns(result, window)
    pixels = result.batch * lines.output[0] * lines.output[1]
    scratch = lowering.values.scratch((result.batch, columns, *lines.output))
    sums = replace(scratch, stride=columns // 4)
    feed = feed_of(lowering, node, x, sums.blocks, lines)
    assert feed is not None
    mapped = node.detail(InputMap) is not None
    key = conv_key("columns", lowering.target, x, result, window, f"mapped {mapped:d}")
    decision: Decision[Matrices] = lowering.decide(
        key, _TILE, lambda: other_matrices(pixels, sums.blocks, feed, lowering.target)
    )
    own = _turned(weights, columns)
    launch = launch_of_matrices(lowering, node, x, sums, lines, own, decision.chosen, feed)
    lowering.dispatch(replace(launch, decision=decision))
    width, rows = spread(result.pixels)
    numbers = {
        **window.numbers(),
        "OUTPUTS": result.channels,
        "PIXELS": result.pixels,
        "WIDTH": width * 64,
    }
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("sum_columns", numbers),
            {"x": sums},
            result,
            (width, rows, 1),
            arrays={"bias": bias_constant(lowering, bias, weights.shape[0])},
            epilogue=node.epilogue,
        )
    )


def _columns(result: Operand, window: SlidingWindow) -> int:
    """How many numbers there are of a pixel: whole octets."""
    return ceil_div(result.channels * window.kernel[1], _OCTET) * _OCTET


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
