"""Convolutions and products of a quantized network on subgroup matrices of bytes (tensor cores).

Results are exact. An input number v is staged as the byte v + shift, which the bias compensates for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from desktop.compute.gpu.matrices import MatrixConfiguration
from desktop.compute.nn.kernels import subgroup_matrix
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.input_map import InputMap
from desktop.compute.nn.kernels.matrix import IntegerDetail, bias_constant, conv_key, source_numbers
from desktop.compute.nn.kernels.pace import Pace
from desktop.compute.nn.kernels.subgroup_matrix import SUBGROUP, UNIT, Workgroup
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div

_DEPTH: Final = 32
"""Of a matrix: numbers that are summed over."""
CONFIGURATION: Final = MatrixConfiguration("i8", "i32", UNIT, UNIT, _DEPTH, SUBGROUP)
"""Matrix configuration that the kernel requires: NVIDIA's."""

DIRECTIVES: Final = subgroup_matrix.DIRECTIVES

_GAP: Final = 4
"""Words between two rows of staged memory, so that rows begin in different banks."""
_PADDED: Final = 128
"""The weights' depth is padded to this multiple of every tile's depth, so no tile checks for their end."""
_LEAST, _MOST = -128, 127
_LARGEST_SUM: Final = (1 << 31) - 1
_LARGEST_BYTE: Final = 128
_BIASED: Final = 1.5 * 2**23
"""A float32 that has a small integer in its last bits when that is added."""


@dataclass(frozen=True)
class ByteMatrices(Workgroup):
    """A workgroup of `conv_matrix_i8`, on matrices of bytes; distances are in words of four bytes."""

    kernel: ClassVar[str] = "conv_matrix_i8"

    @property
    def stride(self) -> int:
        """From one staged row to the next: of pixels, and of channels."""
        return self.depth // 4 + _GAP

    @property
    def staged_bytes(self) -> int:
        """Of a buffer."""
        return 4 * (self.rows + self.columns) * self.stride

    def numbers(self, convolution: Convolution, *, loops: bool = False) -> dict[str, int]:
        """The template's, but for those of the window; `loops`: without matrices, to check indices."""
        rows, blocks, depth = convolution.extent
        step, share = self.depth // 4, self.depth // self.slices
        return {
            **self.shape(loops),
            "WORDS": self.memory // 4,
            "QUADS": self.memory // 16,
            "STEP": step,
            "STEPS": self.steps(depth),
            "POINTWISE": int(convolution.is_pointwise),
            "TILES_DOWN": self.groups(rows, blocks)[1],
            "TURNS": share // _DEPTH,
            "TILE_COLUMNS": self.columns,
            "LOADS_X": self.rows * step // self.threads,
            "LOADS_W": self.depth * self.columns // 16 // self.threads,
            "X_STRIDE": self.stride,
            "W_STRIDE": self.stride,
            "W_AT": self.rows * self.stride,
            "STAGED": self.staged_bytes // 4,
            # Up to the last word that a subgroup sees of each.
            "LEFT_SPAN": (self.part[0] - 1) * self.stride + share // 4,
            "RIGHT_SPAN": (self.part[1] - 1) * self.stride + share // 4,
            "DEPTH": depth,
            "EVEN": int(depth % step == 0),
            "IN_BLOCKS": convolution.x.blocks,
            "OUT_CHANNELS": blocks * 4,
            "OUT_BLOCKS": blocks,
            "PIXELS": rows,
        }


_RULE: Final = {
    ByteMatrices(128, 128, 64, (64, 32), buffers=1): Pace(1677, 1677),
    ByteMatrices(128, 64, 64, (32, 32), buffers=1): Pace(1194, 1194),
    ByteMatrices(64, 64, 64, (32, 32), buffers=1): Pace(677, 677),
    ByteMatrices(32, 64, 64, (32, 32), slices=2): Pace(411, 384),
    ByteMatrices(32, 32, 128, (32, 32), slices=4): Pace(516, 384),
    ByteMatrices(16, 32, 128, (16, 32), slices=4, buffers=1): Pace(461, 273),
}
"""The rule's tiles with rates fitted to nine layers on an H200; 1.05 times the fastest of 22 on average."""

_OTHERS: Final = (
    ByteMatrices(128, 128, 64, (64, 32)),
    ByteMatrices(128, 64, 64, (32, 32)),
    ByteMatrices(128, 64, 32, (64, 32), buffers=1),
    ByteMatrices(64, 128, 64, (32, 32), buffers=1),
    ByteMatrices(64, 128, 64, (32, 32)),
    ByteMatrices(64, 64, 128, (32, 32), slices=2, buffers=1),
    ByteMatrices(64, 64, 128, (32, 32), buffers=1),
    ByteMatrices(64, 64, 64, (32, 32)),
    ByteMatrices(64, 64, 32, (32, 32), buffers=1),
    ByteMatrices(64, 32, 64, (32, 32), slices=2, buffers=1),
    ByteMatrices(48, 64, 64, (48, 32), slices=2, buffers=1),
    ByteMatrices(32, 128, 64, (32, 32), slices=2, buffers=1),
    ByteMatrices(32, 64, 128, (32, 32), slices=4, buffers=1),
    ByteMatrices(32, 64, 128, (32, 32), slices=4),
    ByteMatrices(32, 32, 64, (16, 32), slices=2),
    ByteMatrices(16, 64, 128, (16, 32), slices=4, buffers=1),
)

TILES: Final = (*_RULE, *_OTHERS)
"""Tiles that the rule and the tuner choose from."""

_MOST_WASTE: Final = 3.0
"""Limit of computed to requested products; a guess, above float16's, as the fallback uses no matrices."""


@dataclass(frozen=True)
class Bytes:
    """A convolution on bytes: `shift` is added to input numbers; `bias` (int64, one a channel) undoes it."""

    tile: ByteMatrices
    shift: int
    bias: np.ndarray


def choose(lowering: Lowering, convolution: Convolution) -> Bytes | None:
    """Return the plan of `convolution` on bytes; None if the device, the shape or the numbers do not suit."""
    whole = convolution.node.detail(IntegerDetail)
    if whole is None or not lowering.target.byte_matrices or min(convolution.extent) == 0:
        return None
    tile = _rule_of(convolution.extent, lowering.target)
    shift = shift_of(whole)
    if tile is None or shift is None:
        return None
    bias = shifted_bias(convolution.weights, convolution.bias, shift)
    return None if bias is None else Bytes(tile, shift, bias)


def shift_of(whole: IntegerDetail) -> int | None:
    """Return the offset that makes the input's numbers and the padding's zero int8; None if there is none."""
    lowest, highest = min(whole.lowest, 0), max(whole.highest, 0)
    if highest - lowest > _MOST - _LEAST:
        return None
    return 0 if lowest >= _LEAST and highest <= _MOST else _LEAST - lowest


def shifted_bias(weights: np.ndarray, bias: np.ndarray | None, shift: int) -> np.ndarray | None:
    """Return the int64 bias less `shift` times each channel's sum of `weights` (M, C, taps...).

    None if the weights are not int8 or the sums exceed int32.
    """
    own = np.zeros(len(weights)) if bias is None else bias.astype(np.float64)
    if weights.min() < _LEAST or weights.max() > _MOST or not _is_integral(weights) or not _is_integral(own):
        return None
    rows = weights.reshape(len(weights), -1).astype(np.int8)
    taken_back = -shift * rows.sum(1, dtype=np.int64)
    largest = _LARGEST_BYTE * np.abs(rows.astype(np.int16)).sum(1, dtype=np.int64)
    if (largest + np.abs(taken_back) + np.abs(own)).max() > _LARGEST_SUM:
        return None
    return np.asarray(own.astype(np.int64) + taken_back)


def _is_integral(array: np.ndarray) -> bool:
    return bool((np.rint(array) == array).all())


def convolve(lowering: Lowering, convolution: Convolution, found: Bytes) -> None:
    """Add the dispatch of what `choose` found."""
    c = convolution
    node, window = c.node, c.window
    extent = c.extent
    # Weights are packed for this kernel, and candidates read the same memory: no other one is a candidate.
    key = conv_key("bytes", lowering.target, c.x, c.result, window, f"mapped {c.is_mapped:d}")
    decision = lowering.decide(key, found.tile, lambda: _candidates(extent, lowering.target), exact=True)
    tile = decision.chosen
    numbers = {**window.numbers(), **source_numbers(node, window), **tile.numbers(c)}
    numbers["PADDING"] = (found.shift & 0xFF) * 0x01010101
    source = node.detail(InputMap)
    kernel = Kernel(
        tile.kernel,
        numbers,
        {"SHIFTED": _BIASED + found.shift},
        "" if source is None else source.code(),
        directives=DIRECTIVES,
        own_indices=True,
    )
    launch = Launch(
        node.name,
        kernel,
        {"x": c.x},
        c.result,
        (*tile.groups(*extent[:2]), 1),
        arrays={
            "weights": (_packed(lowering, c.weights, extent), "vec4<u32>"),
            "bias": bias_constant(lowering, found.bias, len(c.weights), wide=True),
        },
        epilogue=node.epilogue,
        decision=decision,
    )
    lowering.dispatch(launch)


def _packed(lowering: Lowering, weights: np.ndarray, extent: tuple[int, int, int]) -> int:
    """Pack weights (M, C, taps...) as bytes (depth / 32, M padded to 4, 32), depth: taps x C padded to 4."""
    m, c = weights.shape[:2]
    _, blocks, depth = extent
    taps = weights[0, 0].size
    padded = ceil_div(depth * 4, _PADDED) * _PADDED

    def fill(words: np.ndarray) -> None:
        lines = np.zeros((m, padded), np.int8)
        places = lines[:, : depth * 4].reshape(m, taps, -1)  # a view of them
        places[..., :c] = weights.reshape(m, c, taps).swapaxes(1, 2)
        words.view(np.int8)[:, :m] = lines.reshape(m, -1, _DEPTH).swapaxes(0, 1)

    return lowering.memory.filled((padded // _DEPTH, blocks * 4, _DEPTH // 4), "uint32", fill)


def _rule_of(extent: tuple[int, int, int], target: Target) -> ByteMatrices | None:
    def microseconds(tile: ByteMatrices) -> float:
        across, down = tile.groups(*extent[:2])
        return _RULE[tile].microseconds(tile.steps(extent[2]), across * down, target.workgroups)

    return min((tile for tile in _RULE if _fits(tile, extent, target)), key=microseconds, default=None)


def _candidates(extent: tuple[int, int, int], target: Target) -> list[ByteMatrices]:
    """Return the tiles that are worth measuring."""
    return [tile for tile in (*_RULE, *_OTHERS) if _fits(tile, extent, target)]


def _fits(tile: ByteMatrices, extent: tuple[int, int, int], target: Target) -> bool:
    rows, blocks, depth = extent
    within = tile.memory <= target.workgroup_memory and max(tile.groups(rows, blocks)) <= target.max_groups
    return within and depth * 4 >= tile.depth // 2 and tile.wastes(rows, blocks) <= _MOST_WASTE


__all__ = ["CONFIGURATION", "ByteMatrices", "Bytes", "choose", "convolve", "shift_of", "shifted_bias"]
