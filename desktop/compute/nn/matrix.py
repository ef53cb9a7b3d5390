"""Which kernel computes a convolution or matrix product, and how its weights are packed.

All are implicit matrix products: rows are output pixels, columns output channels in vec4s, depth is kernel taps x input channels.
`conv_tiled` stages tiles in workgroup memory, for products that fill the GPU; `conv_sliced` reads memory directly and splits the
depth between the threads of a workgroup, for those that would leave most of it idle; `depthwise` is for one channel a group.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from desktop.compute.nn.graph import INTERNAL, Node
from desktop.compute.nn.lowering import CHANNELS_LAST, PLANAR, Lowering, Target, ceil_div
from desktop.compute.nn.plan import Operand
from desktop.compute.nn.source import source_of
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
    Tile(8, 16, 1, 8, staged=True),  # 128 x 32
    Tile(8, 16, 2, 4, staged=True),  # 64 x 64
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


def weights_constant(lowering: Lowering, weights: np.ndarray) -> tuple[int, str]:
    """Storage and WGSL element type of weights (M, C, kH, kW), kept as (kH * kW * C padded to 4, M padded to 4).

    A row is one depth step, contiguous over output channels.
    """
    m, c, kh, kw = weights.shape
    dtype = lowering.target.dtype

    def fill(padded: np.ndarray) -> None:
        padded[:, :, :c, :m] = weights.transpose(2, 3, 1, 0)

    storage = lowering.filled((kh, kw, ceil_div(c, 4) * 4, ceil_div(m, 4) * 4), dtype, fill)
    return storage, "vec4<f16>" if dtype == "float16" else "vec4<f32>"


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
    if _is_narrow(window, result, x, lowering.target, node):
        _convolve_narrow(lowering, node, x, result, window, weights, bias)
        return
    depth = window.kernel[0] * window.kernel[1] * x.blocks
    tile = choose_tile(result.pixels, result.blocks, depth, lowering.target)
    across, down = tile.groups(result.pixels, result.blocks)
    numbers = {
        **window.numbers(),
        **_source_numbers(node, window),
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
    dtype = lowering.target.dtype
    half = tile.staged and takes_half(node, x, dtype)
    numbers |= {"WIDE": int(wide), "HALF": int(half)} | (_staging(tile, half) if tile.staged else {})
    constants = {
        "weights": weights_constant(lowering, weights),
        "bias": bias_constant(lowering, bias, weights.shape[0], wide),
    }
    lowering.dispatch(
        node.name, "conv_tiled" if tile.staged else "conv_sliced", {"x": x}, result, (across, down, 1), numbers,
        constants=constants, epilogue=node.epilogue, code=_code(node, _loader(x, half) if tile.staged else ""),
    )  # fmt: skip


_NEIGHBOURS = 8


def _is_narrow(window: Window, result: Operand, x: Operand, target: Target, node: Node) -> bool:
    """True for large kernels with few output channels, where a tile of 32 channels would stay mostly idle."""
    exact = node.domain == INTERNAL and "largest" in node.attributes
    return (
        not exact
        and not target.is_software
        and result.blocks == 1
        and window.strides == window.dilations == (1, 1)
        and window.kernel[1] >= 3
        and result.pixels >= target.workgroups * 64 * _NEIGHBOURS
    )


def _convolve_narrow(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    window: Window,
    weights: np.ndarray,
    bias: np.ndarray | None,
) -> None:
    dtype = lowering.target.dtype
    half = takes_half(node, x, dtype)
    columns = ceil_div(window.output[1], _NEIGHBOURS)
    width, rows = lowering.spread(result.batch * window.output[0] * columns)
    numbers = {
        **window.numbers(),
        **_source_numbers(node, window),
        "BATCH": result.batch,
        "COLUMNS": columns,
        "NEIGHBOURS": _NEIGHBOURS,
        "SPAN": _NEIGHBOURS + window.kernel[1] - 1,
        "IN_BLOCKS": x.blocks,
        "WIDTH": width * 64,
        "HALF": int(half),
    }
    constants = {
        "weights": weights_constant(lowering, weights),
        "bias": bias_constant(lowering, bias, weights.shape[0]),
    }
    lowering.dispatch(
        node.name, "conv_narrow", {"x": x}, result, (width, rows, 1), numbers,
        constants=constants, epilogue=node.epilogue, code=_code(node, _loader(x, half)),
    )  # fmt: skip


def _source_numbers(node: Node, window: Window) -> dict[str, int]:
    """The stored input's size; MAPPED: pixels are found by the functions of the node's `Source`."""
    source = source_of(node.attributes)
    height, width = window.input if source is None else source.stored
    return {"STORED_H": height, "STORED_W": width, "MAPPED": int(source is not None)}


def _code(node: Node, loader: str) -> str:
    source = source_of(node.attributes)
    return loader if source is None else f"{source.code()}\n{loader}"


def takes_half(node: Node, x: Operand, dtype: str) -> bool:
    """True where products may be 16-bit: not for whole numbers of a quantised network, which are exact."""
    exact = node.domain == INTERNAL and "largest" in node.attributes
    return dtype == x.dtype == "float16" and x.layout == CHANNELS_LAST and not exact


def _loader(x: Operand, half: bool) -> str:
    """`load_x`: the input as the kernel multiplies it, with no way through f32 where it is 16-bit anyway."""
    if half:
        index = f"pixel * {x.stride}u + {x.start}u + block"
        return f"fn load_x(pixel: u32, block: u32) -> vec4<f16> {{\n  return x[{index}];\n}}"
    return "fn load_x(pixel: u32, block: u32) -> vec4<f32> {\n  return read_x(pixel, block);\n}"


def _staging(tile: Tile, half: bool) -> dict[str, int]:
    """How the threads of a staged tile share the loads of one step.

    16-bit tiles take 8 vec4s of depth a step in the memory that 32-bit ones take 4 in: 43 TFLOP/s instead of 36 on an H100.
    """
    threads, rows, columns = tile.across * tile.down, tile.down * tile.rows, tile.across * tile.columns
    step = 8 if half else 4
    return {
        "STEP": step,
        "TURNS": step // 4,
        "TURN": 4,
        "TILE_ROWS": rows,
        "TILE_COLUMNS": columns,
        "LOADS_X": ceil_div(rows * step, threads),
        "LOADS_W": ceil_div(columns * step * 4, threads),
    }


def input_for(lowering: Lowering, name: str) -> Operand:
    """The input of a convolution: channels last, except that up to 4 planes (a picture) are read where they lie."""
    operand = lowering.any(name)
    return operand if operand.layout == PLANAR and operand.channels <= 4 else lowering.channels_last(name)
