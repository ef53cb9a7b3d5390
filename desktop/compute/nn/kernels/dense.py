"""A convolution with one group, or a product, by constant weights, in the way that is estimated to take the least time."""

from __future__ import annotations

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels import columns, matrix, shares, winograd
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import Operand


def convolve(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    window: SlidingWindow,
    weights: np.ndarray,
    bias: np.ndarray | None,
) -> None:
    """Add the dispatches: one for the product as it stands, two with its depth or its columns apart, three by Winograd's filtering.

    Args:
        weights: (M, C, taps...).
    """
    if columns.pays(lowering, node, x, result, window):
        columns.convolve(lowering, node, x, result, window, weights, bias)
        return
    shared = shares.choose(lowering, node, x, result, window)
    if winograd.pays(lowering, node, x, result, window, weights, shared):
        winograd.convolve(lowering, node, x, result, window, weights, bias)
    elif shared is not None:
        shares.convolve(lowering, node, x, result, window, weights, bias, shared)
    else:
        matrix.convolve(lowering, node, x, result, window, weights, bias)
