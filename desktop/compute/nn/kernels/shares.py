"""A product of few rows and columns whose depth is shared out between workgroups; a second dispatch adds their sums up.

Also known as split-K. With 49 rows and 512 columns a product has 32 tiles of 32 x 32, which leave three quarters of an H100 idle for all
the steps of its depth, and ask for too few weights at a time to be served at its memory's speed. On subgroup matrices only.

Weighed: the workgroup that comes last adds the others' sums, which spares the second dispatch. WGSL has no order between what one
workgroup writes and another reads, so that it would be luck.
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
    estimate_product,
    feed_of,
    launch_of_matrices,
)
from desktop.compute.nn.kernels.subgroup_matrix import (
    Matrices,
    Shared,
    choose_shared,
    other_matrices,
    shares_evenly,
)
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.tuning import Decision
from desktop.compute.nn.lowering.workgroups import spread

_WORTH: Final = 0.92


def choose(
    lowering: Lowering, node: Node, x: Operand, result: Operand, window: SlidingWindow
) -> Shared | None:
    """How the depth is shared, where that is estimated to take less time than the product as it stands."""
    target, feed = lowering.target, feed_of(lowering, node, x, result.blocks, window)
    if feed is None:
        return None
    shared = choose_shared(result.pixels, result.blocks, feed, target)
    otherwise = estimate_product(result.pixels, result.blocks, window.taps * x.blocks, target, feed)
    return shared if shared is not None and shared.microseconds <= _WORTH * otherwise else None


def convolve(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    window: SlidingWindow,
    weights: np.ndarray,
    bias: np.ndarray | None,
    shared: Shared,
) -> None:
    """Add the dispatches of a convolution with one group; `weights` are (M, C, taps...)."""
    feed, shares = feed_of(lowering, node, x, result.blocks, window), shared.shares
    assert feed is not None
    rows, blocks = result.pixels, result.blocks
    sums = replace(lowering.values.scratch((shares * rows, blocks * 4)), stride=blocks)
    mapped = node.detail(InputMap) is not None
    key = conv_key("shares", lowering.target, x, result, window, f"mapped {mapped:d} of {shares}")

    def others() -> list[Matrices]:
        tiles = other_matrices(rows, blocks, feed, lowering.target)
        return [tile for tile in tiles if shares_evenly(tile, feed.depth, shares)]

    decision: Decision[Matrices] = lowering.decide(key, shared.tile, others)
    launch = launch_of_matrices(
        lowering, node, x, sums, window, weights, decision.chosen, feed, shares=shares
    )
    lowering.dispatch(replace(launch, decision=decision))
    width, lines = spread(rows * blocks)
    numbers = {"SHARES": shares, "PIXELS": rows, "BLOCKS": blocks, "WIDTH": width * 64}
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("sum_shares", numbers),
            {"x": sums},
            result,
            (width, lines, 1),
            arrays={"bias": bias_constant(lowering, bias, weights.shape[0])},
            epilogue=node.epilogue,
        )
    )


__all__ = ["choose", "convolve"]
