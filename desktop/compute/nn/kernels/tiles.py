"""List the kernels that are valid for a shape on an adapter, and choose one by rule.

The rules were measured on one NVIDIA GPU; `tuner.py` measures candidates (the rule's first) on the actual
one. All keep to WebGPU's default limits (256 threads and, except staged tiles with slices, 16 KiB of memory a
workgroup).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desktop.compute.nn.kernels.pace import Pace
from desktop.compute.nn.lowering.lowering import Target
from desktop.compute.nn.lowering.workgroups import ceil_div

_THREADS: Final = 256
_MEMORY: Final = 16384
_VEC4: Final = 16
"""Bytes of a vec4<f32>."""


@dataclass(frozen=True)
class Tile:
    """A workgroup of `conv_tiled` or `conv_sliced`: each thread has `columns` vec4s by `rows` pixels.

    A slice, one of `slices` parts of the depth, has `across` x `down` threads. `unroll`: steps of depth at
    once if not `staged` in workgroup memory.
    """

    across: int
    down: int
    columns: int
    rows: int
    slices: int = 1
    unroll: int = 1
    staged: bool = False

    def __str__(self) -> str:
        slices = f" slices {self.slices}" if self.slices > 1 or not self.staged else ""
        depth = slices if self.staged else f"{slices} unroll {self.unroll}"
        return f"{self.kernel} {self.across}x{self.down} threads of {self.columns}x{self.rows}{depth}"

    @property
    def kernel(self) -> str:
        """Name of the file in shaders/nn."""
        return "conv_tiled" if self.staged else "conv_sliced"

    def groups(self, rows: int, blocks: int) -> tuple[int, int]:
        """Return the workgroups along columns and rows."""
        return ceil_div(blocks, self.across * self.columns), ceil_div(rows, self.down * self.rows)

    def covered(self, rows: int, blocks: int) -> int:
        """Return the vec4s that all workgroups together compute, idle threads included."""
        across, down = self.groups(rows, blocks)
        return across * self.across * self.columns * down * self.down * self.rows


@dataclass(frozen=True)
class Neighbors:
    """A kernel, `kernel`, whose threads each compute `count` neighboring outputs of a row."""

    kernel: str
    count: int

    def __str__(self) -> str:
        return f"{self.kernel} {self.count} a thread"


@dataclass(frozen=True)
class Square:
    """A tile of `matmul`: 256 threads, each with `side` x `side` results, staged; 0: one result, unstaged."""

    side: int

    def __str__(self) -> str:
        return f"matmul {self.side}x{self.side} a thread" if self.side else "matmul direct"


@dataclass(frozen=True)
class Block:
    """A workgroup of `conv_transpose`: `across` vec4s of channels by `down` groups of four outputs."""

    across: int
    down: int

    def __str__(self) -> str:
        return f"conv_transpose {self.across}x{self.down} threads"


# -- convolutions and products with constant weights ---------------------------------------------------------

_STAGED: Final = {
    Tile(8, 16, 2, 4, staged=True): Pace(970, 760),  # 64 pixels x 64 channels
    Tile(8, 16, 1, 4, staged=True): Pace(720, 400),  # 64 x 32
    Tile(16, 4, 1, 4, slices=2, staged=True): Pace(820, 400),  # 16 x 64
    Tile(8, 8, 1, 4, slices=2, staged=True): Pace(740, 350),  # 32 x 32
    Tile(8, 8, 1, 4, slices=4, staged=True): Pace(1020, 930),
    Tile(8, 8, 1, 4, staged=True): Pace(690, 200),
    Tile(8, 8, 1, 5, slices=2, staged=True): Pace(1100, 444),  # 40 x 32: five are 200 rows
    Tile(8, 8, 1, 5, staged=True): Pace(900, 239),
}
"""The rule's staged tiles and their paces; `_SLICED` is for tiles that read memory directly.

Fitted in float16 on an H100 to 80 shapes: 1.03 times the fastest candidate's time on average, 1.35 at most.
Tiles of 40 rows are for a transformer of 197 tokens, which tiles of 32 pad by an eighth.
"""
_SLICED: Final = Pace(740, 900)
"""Not 390, which fits few workgroups best, but gives 1.5 to 2.8 times the time where many fill the GPU."""
_SLICED_THREADS: Final = 1024
"""Threads of a multiprocessor for which `_SLICED` holds."""
_STAGED_US: Final = 4.1
_SLICED_US: Final = 3.2
_STEP: Final = 8
"""Vec4s of depth in a staged tile's step, in float16; every tile takes half as many in float32."""

# Candidates only. Fewer threads with more work suit narrow SIMD groups; the largest need many registers.
_OTHER_STAGED: Final = (
    Tile(16, 16, 1, 8, staged=True),  # 128 x 64
    Tile(16, 16, 2, 8, staged=True),  # 128 x 128
    Tile(8, 16, 1, 8, staged=True),  # 128 x 32
    Tile(16, 16, 2, 4, staged=True),  # 64 x 128
    Tile(16, 16, 1, 4, staged=True),  # 64 x 64
    Tile(8, 8, 2, 8, staged=True),  # 64 x 64
    Tile(8, 8, 1, 8, staged=True),  # 64 x 32
    Tile(8, 8, 2, 4, staged=True),  # 32 x 64
    Tile(4, 16, 1, 4, staged=True),  # 64 x 16
    Tile(16, 4, 1, 4, staged=True),  # 16 x 64
    Tile(8, 16, 1, 4, slices=2, staged=True),  # 64 x 32
    Tile(8, 8, 2, 4, slices=2, staged=True),  # 32 x 64
    Tile(4, 8, 2, 4, slices=4, staged=True),  # 32 x 32
)
_DIRECT: Final = (
    Tile(4, 8, 2, 4),
    Tile(4, 8, 2, 8),
    Tile(2, 8, 4, 4),
    Tile(8, 8, 2, 4),
    Tile(8, 8, 1, 8),
    Tile(8, 8, 1, 4),
    Tile(4, 8, 1, 8),
    Tile(4, 8, 1, 4),
    Tile(2, 16, 1, 4),
    Tile(1, 32, 1, 4),
    Tile(1, 16, 1, 8),
    Tile(8, 8, 1, 2),
)
_FEW_ROWS: Final = (
    Tile(8, 1, 1, 1),
    Tile(16, 1, 2, 1),
    Tile(64, 1, 1, 1),
    Tile(4, 1, 1, 1),
    Tile(4, 1, 1, 1, slices=16),
    Tile(8, 1, 1, 1, slices=8),
    Tile(16, 1, 1, 1, slices=16),
)
_SIZES: Final = (8, 16, 32, 64, 128, 256)
"""Sizes of GPUs, in workgroups; the rule's choice for each of them is a candidate on every GPU."""


def choose_tile(rows: int, blocks: int, depth: int, target: Target) -> Tile:
    """Choose the rule's tile with the least estimated time for `rows` x `blocks` x `depth` (in vec4s)."""
    if target.is_software:
        return _for_software(rows, blocks)
    sliced = _sliced(rows, blocks, depth, target)
    staged = choose_staged(rows, blocks, depth, target)
    if staged is None or estimate(sliced, rows, blocks, depth, target) < estimate(
        staged, rows, blocks, depth, target
    ):
        return sliced
    return staged


def choose_staged(rows: int, blocks: int, depth: int, target: Target) -> Tile | None:
    """Choose the staged tile with the least estimated time; None if all would be mostly idle."""
    fitting = (
        tile for tile in _STAGED if depth >= _STEP * tile.slices and _is_valid(tile, rows, blocks, target)
    )
    return min(fitting, key=lambda tile: estimate(tile, rows, blocks, depth, target), default=None)


def estimate(tile: Tile, rows: int, blocks: int, depth: int, target: Target) -> float:
    """Estimate a tile's microseconds in float16 on an H100 with as many multiprocessors as the target."""
    across, down = tile.groups(rows, blocks)
    if tile.staged:
        steps = ceil_div(depth, _STEP * tile.slices)
        return _STAGED_US + _STAGED[tile].microseconds(steps, across * down, target.workgroups)
    groups = ceil_div(across * down * tile.across * tile.down * tile.slices, _SLICED_THREADS)
    return _SLICED_US + _SLICED.microseconds(ceil_div(depth, tile.slices), groups, target.workgroups)


def shared_tiles(
    rows: int, blocks: int, depth: int, most: int, target: Target
) -> Iterator[tuple[Tile, int, float]]:
    """Yield the rule's tiles, how many workgroups (up to `most`) share the depth, and H100 microseconds."""
    for tile, pace in _STAGED.items():
        if not _is_valid(tile, rows, blocks, target):
            continue
        across, down = tile.groups(rows, blocks)
        for shares in range(2, most + 1):
            steps = ceil_div(depth, _STEP * tile.slices * shares)
            if depth > steps * _STEP * tile.slices * (shares - 1):
                own = pace.microseconds(steps, across * down * shares, target.workgroups)
                yield tile, shares, _STAGED_US + own


def _sliced(rows: int, blocks: int, depth: int, target: Target) -> Tile:
    """Choose the tile that splits the depth until there are 1024 threads for each multiprocessor."""
    # Threads across a row of channels: a contiguous load, with at most a quarter of the threads idle.
    options = (4, 2, 1) if rows == 1 else (8, 4, 2, 1)
    across = next(n for n in options if ceil_div(blocks, n) * n * 3 <= blocks * 4)
    groups_across = ceil_div(blocks, across)
    per_thread = next(
        (n for n in (4, 2) if ceil_div(rows, n) * groups_across * 2 >= target.workgroups * 3), min(rows, 2)
    )
    threads = ceil_div(rows, per_thread) * groups_across * across
    slices = _slices(depth, target.workgroups * 1024 // threads, _THREADS // across)
    down = _THREADS // (across * slices)
    # Fewer rows a workgroup if there would be too few workgroups.
    while down > 1 and ceil_div(rows, down * per_thread) * groups_across < target.workgroups:
        down //= 2
    return _unrolled(Tile(across, down, 1, per_thread, slices), depth)


def _for_software(rows: int, blocks: int) -> Tile:
    """Choose the tile of a software adapter: no workgroup memory, few groups, much work a thread."""
    if rows <= 4:
        return Tile(16, 1, 2, 1) if blocks >= 32 else Tile(min(blocks, 8), 1, 1, 1)
    per_thread = 8 if rows >= 64 else 4
    return Tile(4, 8, 2, per_thread) if blocks >= 8 else Tile(min(blocks, 4), 8, 1, per_thread)


def _slices(depth: int, wanted: int, most: int) -> int:
    """Return into how many parts to split `depth`: near `wanted`, each of at least 2 steps (to unroll)."""
    most = min(most, max(wanted, 1), max(depth // 2, 1), 64)
    divisor = max(n for n in range(1, most + 1) if depth % n == 0)
    return divisor if divisor * 3 >= most else most


def _unrolled(tile: Tile, depth: int) -> Tile:
    """Unroll several steps of depth, to keep more loads in flight; few for many rows, to save registers."""
    steps = depth // tile.slices if depth % tile.slices == 0 else 1
    own = tile.rows * tile.columns
    most = 2 if own > 2 else 5 if own == 2 else 8
    return replace(tile, unroll=next((n for n in range(most, 1, -1) if steps % n == 0), 1))


def other_tiles(rows: int, blocks: int, depth: int, target: Target) -> list[Tile]:
    """List the tiles worth measuring: the rule's for GPUs of all sizes, and those that it never chooses.

    A software adapter, which compiles slowly, gets only tiles without workgroup memory.
    """
    found = [*_DIRECT, *(_FEW_ROWS if rows <= 4 else ())]
    if not target.is_software:
        sized = [choose_tile(rows, blocks, depth, replace(target, workgroups=n)) for n in _SIZES]
        plain = [replace(tile, unroll=1) for tile in sized if not tile.staged]
        staged = (*_STAGED, *_OTHER_STAGED) if depth >= 4 else ()
        found = [*sized, *staged, *found, *plain]
    return [tile for tile in dict.fromkeys(found) if _is_valid(tile, rows, blocks, target)]


def _is_valid(tile: Tile, rows: int, blocks: int, target: Target) -> bool:
    wasteful = tile.covered(rows, blocks) > 2 * rows * blocks
    return max(tile.groups(rows, blocks)) <= target.max_groups and _fits(tile, target) and not wasteful


def _fits(tile: Tile, target: Target) -> bool:
    """Return True if a tile is within limits and its staged threads each load one depth and one column."""
    threads = tile.across * tile.down * tile.slices
    rows, columns = tile.down * tile.rows, tile.across * tile.columns
    if tile.staged:
        own = threads // tile.slices
        regular = own % 8 == own % columns == 0
        memory = tile.slices * (rows + 4 * columns) * 4 * _VEC4 + (tile.slices - 1) * rows * columns * _VEC4
        return (
            threads <= _THREADS
            and memory <= (_MEMORY if tile.slices == 1 else target.workgroup_memory)
            and regular
        )
    memory = threads * tile.rows * tile.columns * _VEC4 if tile.slices > 1 else 0
    return threads <= _THREADS and memory <= _MEMORY


NARROW: Final = Neighbors("conv_narrow", 8)
OTHER_NARROW: Final = (NARROW, Neighbors("conv_narrow", 4), Neighbors("conv_narrow", 2))


# -- the others ----------------------------------------------------------------------------------------------


def choose_neighbors(threads: int, width: int, target: Target) -> Neighbors:
    """Choose how many neighbors a thread of a depthwise convolution computes; they share loads."""
    fitting = (n for n in (4, 2) if threads // n >= target.workgroups * 256 and width >= n)
    return Neighbors("depthwise", next(fitting, 1))


def other_neighbors(width: int) -> list[Neighbors]:
    """List the valid choices for rows of `width` outputs."""
    return [Neighbors("depthwise", n) for n in (1, 2, 4, 8) if width >= n]


def choose_square(m: int, n: int, target: Target) -> Square:
    """Choose by rule for a product of two computed matrices, (m, k) by (k, n)."""
    return Square(4 if m >= 16 and n >= 16 and not target.is_software else 0)


def other_squares(batches: int, m: int, n: int, target: Target) -> list[Square]:
    """List the valid choices for `batches` products."""
    sides = [s for s in (1, 2, 4, 8) if max(square_groups(s, batches, m, n)) <= target.max_groups]
    return [Square(side) for side in (0, *sides)]


_SQUARE: Final = Pace(1300, 500)
"""Pace of a step of 16 numbers of depth, for 64 x 64 results."""
_SQUARE_STEP: Final = 16
_MOST_SHARES: Final = 16
_SUM_US: Final = 2.5
_SUM_BYTES_A_US: Final = 3_000_000
"""Time to add the shares' sums, as in `shares.py`."""


def share_square(side: int, batches: int, m: int, n: int, k: int, target: Target) -> int:
    """Return how many workgroups share the depth of each tile of a product of computed matrices.

    One head's scores of 48 x 48 channels (cross-covariance attention) are one tile of a depth of all pixels.
    """
    if side == 0 or target.is_software:
        return 1
    groups, steps = math.prod(square_groups(side, batches, m, n)), ceil_div(k, _SQUARE_STEP)
    sums = batches * m * n * 4

    def microseconds(shares: int) -> float:
        own = _SQUARE.microseconds(ceil_div(steps, shares), groups * shares, target.workgroups)
        return own if shares == 1 else own + _SUM_US + 2 * shares * sums / _SUM_BYTES_A_US

    most = min(_MOST_SHARES, target.max_binding // max(sums, 1), target.max_groups // batches)
    even = [n for n in range(1, most + 1) if ceil_div(steps, ceil_div(steps, n)) == n]
    best = min(even, key=microseconds, default=1)
    return best if microseconds(best) <= _WORTH_SHARING * microseconds(1) else 1


_WORTH_SHARING: Final = 0.8


def square_groups(side: int, batches: int, m: int, n: int) -> tuple[int, int, int]:
    """Return the workgroups of 16 x 16 threads with `side` x `side` results each."""
    return ceil_div(n, 16 * side), ceil_div(m, 16 * side), batches


def choose_block(blocks: int) -> Block:
    """Choose by rule for a transposed convolution with `blocks` vec4s of output channels."""
    if blocks >= 12:
        # On an H100 0.57 to 0.61 of the time of 8 x 8 for kernels of 4 x 4, 0.97 for 2 x 2.
        return Block(16, 4)
    return Block(8, 8) if blocks >= 8 else Block(4, 16)


def other_blocks(blocks: int, count: int, target: Target) -> Sequence[Block]:
    """List the valid choices for `count` groups of four outputs."""
    found = [Block(n, 64 // n) for n in (16, 8, 4, 2, 1) if ceil_div(blocks, n) * n <= 2 * blocks]
    return [each for each in found if ceil_div(count, each.down) <= target.max_groups]
