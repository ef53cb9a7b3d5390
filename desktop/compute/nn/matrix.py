"""Which kernel computes a convolution or matrix product, and how its weights are packed.

All are implicit matrix products: rows are output pixels, columns output channels in vec4s, depth is kernel taps x input channels.
`conv_tiled` stages tiles in workgroup memory, for products that fill the GPU; `conv_sliced` reads memory directly and splits the
depth between the threads of a workgroup, for those that would leave most of it idle; `depthwise` is for one channel a group.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from desktop.compute.nn.graph import INTERNAL, Node
from desktop.compute.nn.lowering import PLANAR, Lowering, Target, ceil_div
from desktop.compute.nn.plan import Operand
from desktop.compute.nn.window import Window


@dataclass(frozen=True)
class Tile:
    """Shape of a workgroup: `across` x `down` threads a slice, each with `columns` vec4s by `rows` pixels.

    `slices` > 1 splits the depth. `staged`: through workgroup memory.
    """

    across: int
    down: int
    columns: int
    rows: int
    slices: int = 1
    staged: bool = False

    def groups(self, rows: int, blocks: int) -> tuple[int, int]:
        """Workgroups along columns and rows."""
        return ceil_div(blocks, self.across * self.columns), ceil_div(rows, self.down * self.rows)


# Largest first. 256 threads and 16 KiB of workgroup memory at most: WebGPU's default limits.
_STAGED = (
    Tile(16, 16, 1, 8, staged=True),  # 128 pixels x 64 channels
    Tile(8, 32, 1, 4, staged=True),  # 128 x 32
    Tile(16, 16, 1, 4, staged=True),  # 64 x 64
    Tile(8, 16, 1, 4, staged=True),  # 64 x 32
)
_SOFTWARE = Tile(4, 8, 2, 4)


def choose_tile(rows: int, blocks: int, depth: int, target: Target) -> Tile:
    """The tile for `rows` x `blocks` vec4s with `depth` vec4s to sum over.

    A tile is taken when it gives two workgroups a multiprocessor and wastes less than a quarter of its threads; what is too small
    for that is split along its depth until the GPU is full.
    """
    if target.is_software:
        return _SOFTWARE if blocks >= 8 else Tile(min(blocks, 4), 8, 1, 4)
    for tile in _STAGED:
        across, down = tile.groups(rows, blocks)
        covered = across * tile.across * tile.columns * down * tile.down * tile.rows
        if across * down >= 2 * target.workgroups and covered * 3 <= rows * blocks * 4 and depth >= 8:
            return tile
    # Threads across a row of channels: a contiguous load, with at most a quarter of the threads idle.
    options = (4, 2, 1) if rows == 1 else (8, 4, 2, 1)
    across = next(n for n in options if ceil_div(blocks, n) * n * 3 <= blocks * 4)
    groups_across = ceil_div(blocks, across)
    per_thread = next(
        (n for n in (4, 2) if ceil_div(rows, n) * groups_across * 2 >= target.workgroups * 3), min(rows, 2)
    )
    threads = ceil_div(rows, per_thread) * groups_across * across
    slices = _slices(depth, target.workgroups * 512 // threads, 256 // across)
    down = 256 // (across * slices)
    # Fewer rows a workgroup where there would be too few workgroups.
    while down > 1 and ceil_div(rows, down * per_thread) * groups_across < target.workgroups:
        down //= 2
    return Tile(across, down, 1, per_thread, slices)


def _slices(depth: int, wanted: int, most: int) -> int:
    """Into how many parts to split `depth`: a divisor near `wanted` that leaves each at least 2 steps, so that loops unroll."""
    most = min(most, max(wanted, 1), max(depth // 2, 1), 64)
    divisor = max(n for n in range(1, most + 1) if depth % n == 0)
    return divisor if divisor * 3 >= most else most


def _unroll(depth: int, tile: Tile) -> int:
    """Steps of depth at once, to keep more loads in flight; four rows have their own, and registers end."""
    steps = depth // tile.slices if depth % tile.slices == 0 else 1
    most = 2 if tile.rows * tile.columns > 2 else 5
    return next((n for n in (5, 4, 3, 2) if n <= most and steps % n == 0), 1)


def pack_weights(weights: np.ndarray, dtype: str) -> np.ndarray:
    """(M, C, kH, kW) to (kH * kW * C padded to 4, M padded to 4): a row is one depth step, contiguous over output channels."""
    m, c, kh, kw = weights.shape
    padded = np.zeros((kh, kw, ceil_div(c, 4) * 4, ceil_div(m, 4) * 4), dtype)
    padded[:, :, :c, :m] = weights.transpose(2, 3, 1, 0)
    return padded


def pack_bias(bias: np.ndarray | None, channels: int, dtype: str = "float32") -> np.ndarray:
    """Padded with zeros to a multiple of 4; zeros without a bias."""
    padded = np.zeros(ceil_div(channels, 4) * 4, dtype)
    if bias is not None:
        padded[:channels] = bias
    return padded


def is_wide(node: Node, weights: np.ndarray, bias: np.ndarray | None) -> bool:
    """True where whole numbers may add up beyond 2^24, up to which float32 sums are exact; they are then added as i32.

    Args:
        weights: output channels first; whole numbers where a pass gave the node the attribute 'largest', its input's bound.
    """
    if node.domain != INTERNAL or "largest" not in node.attributes:
        return False
    sums = (
        np.abs(weights.reshape(weights.shape[0], -1).astype(np.float64)).sum(1) * node.attributes["largest"]
    )
    return bool((sums + (0 if bias is None else np.abs(bias.astype(np.float64)))).max() >= 1 << 24)


def bias_constant(
    lowering: Lowering, bias: np.ndarray | None, channels: int, wide: bool = False
) -> tuple[int, str]:
    """The storage and WGSL element type of a bias, which is of the type of the kernel's sums."""
    dtype = "int32" if wide else "float32"
    return lowering.constant(pack_bias(bias, channels, dtype), dtype=dtype), f"vec4<{dtype[0]}32>"


def convolve(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    window: Window,
    weights: np.ndarray,
    bias: np.ndarray | None,
) -> None:
    """Add the dispatch of a convolution with one group; `weights` are (M, C, kH, kW)."""
    depth = window.kernel[0] * window.kernel[1] * x.blocks
    tile = choose_tile(result.pixels, result.blocks, depth, lowering.target)
    across, down = tile.groups(result.pixels, result.blocks)
    numbers = {
        **window.numbers(),
        "ACROSS": tile.across,
        "DOWN": tile.down,
        "COLUMNS": tile.columns,
        "ROWS": tile.rows,
        "SLICES": tile.slices,
        "DEPTH": depth,
        "IN_BLOCKS": x.blocks,
        "OUT_BLOCKS": result.blocks,
        "PIXELS": result.pixels,
        "POINTWISE": int(window.is_pointwise),
        "SPLIT": int(tile.slices > 1),
        "UNROLL": 1 if lowering.target.is_software else _unroll(depth, tile),
    }
    wide = is_wide(node, weights, bias)
    numbers |= {"WIDE": int(wide)} | (_staging(tile) if tile.staged else {})
    dtype = lowering.target.dtype
    element = "vec4<f16>" if dtype == "float16" else "vec4<f32>"
    constants = {
        "weights": (lowering.constant(pack_weights(weights, dtype)), element),
        "bias": bias_constant(lowering, bias, weights.shape[0], wide),
    }
    lowering.dispatch(
        node.name, "conv_tiled" if tile.staged else "conv_sliced", {"x": x}, result, (across, down, 1), numbers,
        constants=constants, epilogue=node.epilogue,
    )  # fmt: skip


def _staging(tile: Tile) -> dict[str, int]:
    """How the threads of a staged tile share the loads of one step of 4 vec4s of depth."""
    threads, rows, columns = tile.across * tile.down, tile.down * tile.rows, tile.across * tile.columns
    return {
        "STEP": 4,
        "TILE_ROWS": rows,
        "TILE_COLUMNS": columns,
        "LOADS_X": ceil_div(rows * 4, threads),
        "LOADS_W": ceil_div(columns * 16, threads),
    }


def input_for(lowering: Lowering, name: str) -> Operand:
    """The input of a convolution: channels last, except that up to 4 planes (a picture) are read where they lie."""
    operand = lowering.any(name)
    return operand if operand.layout == PLANAR and operand.channels <= 4 else lowering.channels_last(name)
