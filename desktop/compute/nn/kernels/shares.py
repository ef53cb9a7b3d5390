"""A product of few rows and columns whose depth workgroups share (split-K); a second dispatch adds the sums.

With 49 rows and 512 columns a product's 32 tiles leave three quarters of an H100 idle. The last workgroup
cannot add the others' sums, as WGSL does not order writes and reads of different workgroups.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.matrix import (
    IntegerDetail,
    bias_constant,
    conv_key,
    estimate_convolution,
    feed_of,
    launch_of_matrices,
    launch_of_tile,
    pack_bias,
    rows_between,
)
from desktop.compute.nn.kernels.normalization import RowNormalization, sum_and_normalize
from desktop.compute.nn.kernels.subgroup_matrix import (
    Feed,
    Matrices,
    fills_with_pictures,
    other_matrices,
    shared_matrices,
    shares_evenly,
)
from desktop.compute.nn.kernels.tiles import Tile, shared_tiles
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import BYTES
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.tuning import Decision
from desktop.compute.nn.lowering.workgroups import spread

_WORTH: Final = 0.92
"""Of the time as it stands; up to 1.35 made no difference to 12 networks on an H100."""
_LEAST_US: Final = 4.0
"""Least estimated saving without matrices, whose estimate is up to twice the time of small products."""
_MOST: Final = 16
_SUM_US: Final = 2.5
_SUM_BYTES_A_US: Final = 3_000_000
"""Bytes per microsecond, written and read, while partial sums are added."""


@dataclass(frozen=True)
class Shared:
    """A depth shared by `shares` workgroups of `tile`, and the estimated microseconds on an H100."""

    tile: Matrices | Tile
    shares: int
    microseconds: float


def choose(lowering: Lowering, convolution: Convolution) -> Shared | None:
    """Return how the depth is divided, if that is estimated to be faster than the undivided product."""
    target, extent = lowering.target, convolution.extent
    if target.is_software or convolution.node.detail(IntegerDetail) is not None:
        return None
    feed = feed_of(lowering, convolution, convolution.result.blocks)
    if feed is not None and fills_with_pictures(*extent[:2], feed, target):
        return None
    otherwise = estimate_convolution(convolution, target, feed)
    if convolution.node.detail(RowNormalization) is not None:
        # The dispatch that is spared is no estimate.
        worth = otherwise + _normalization_us(convolution)
    else:
        worth = min(_WORTH * otherwise, otherwise - (_LEAST_US if feed is None else 0.0))
    shared = fastest(*extent, feed, target) if worth > _SUM_US else None
    return shared if shared is not None and shared.microseconds <= worth else None


def fastest(rows: int, blocks: int, depth: int, feed: Feed | None, target: Target) -> Shared | None:
    """Return the tile and number of shares with the least estimated time, on matrices if `feed` is given."""
    bytes_of_one = rows * blocks * 16
    most = min(_MOST, target.max_binding // bytes_of_one)
    tiles: Iterable[tuple[Matrices | Tile, int, float]] = (
        shared_tiles(rows, blocks, depth, most, target)
        if feed is None
        else shared_matrices(rows, blocks, feed, most, target)
    )
    found = (
        Shared(tile, shares, own + _SUM_US + 2 * shares * bytes_of_one / _SUM_BYTES_A_US)
        for tile, shares, own in tiles
    )
    return min(found, key=lambda each: each.microseconds, default=None)


def convolve(lowering: Lowering, convolution: Convolution, shared: Shared) -> None:
    """Add the two dispatches."""
    c, shares = convolution, shared.shares
    rows, blocks, depth = c.extent
    feed = feed_of(lowering, c, blocks)
    sums = rows_between(lowering, (shares * rows, blocks * 4))
    key = conv_key("shares", lowering.target, c.x, c.result, c.window, f"mapped {c.is_mapped:d} of {shares}")

    def others() -> list[Matrices | Tile]:
        if feed is None:
            tiles = shared_tiles(rows, blocks, depth, shares, lowering.target)
            return [tile for tile, count, _ in tiles if count == shares]
        matrices = other_matrices(rows, blocks, feed, lowering.target)
        return [tile for tile in matrices if shares_evenly(tile, feed.depth, shares)]

    decision: Decision[Matrices | Tile] = lowering.decide(key, shared.tile, others)
    tile, of_shares = decision.chosen, replace(c, result=sums)
    if isinstance(tile, Matrices):
        assert feed is not None
        launch = launch_of_matrices(lowering, of_shares, tile, feed, shares=shares)
    else:
        launch = launch_of_tile(lowering, of_shares, tile, shares=shares)
    lowering.dispatch(replace(launch, decision=decision))
    if c.node.detail(RowNormalization) is not None:
        sum_and_normalize(lowering, c.node, sums, c.result, shares, pack_bias(c.bias, c.weights.shape[0]))
        return
    width, lines = spread(rows * blocks)
    numbers = {"SHARES": shares, "PIXELS": rows, "BLOCKS": blocks, "WIDTH": width * 64, "BIASED": 1}
    lowering.dispatch(
        Launch(
            c.node.name,
            Kernel("sum_shares", numbers),
            {"x": sums},
            c.result,
            (width, lines, 1),
            arrays={"bias": bias_constant(lowering, c.bias, c.weights.shape[0])},
            epilogue=c.node.epilogue,
        )
    )


def _normalization_us(convolution: Convolution) -> float:
    """Return microseconds on an H100 of a separate dispatch that normalizes the result."""
    rows, blocks, _ = convolution.extent
    return _SUM_US + 8 * rows * blocks * BYTES[convolution.result.dtype] / _SUM_BYTES_A_US


__all__ = ["Shared", "choose", "convolve", "fastest"]
