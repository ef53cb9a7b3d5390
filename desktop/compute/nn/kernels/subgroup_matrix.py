"""Products on subgroup matrices (tensor cores), float16 factors and float32 sums: tiles of `conv_matrix`.

Experimental, in Dawn only:
https://dawn.googlesource.com/dawn/+/refs/heads/main/docs/dawn/features/subgroup_matrix.md
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from desktop.compute.gpu.matrices import MatrixConfiguration
from desktop.compute.nn.kernels.pace import Pace
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div

UNIT: Final = 16
"""Rows, columns and depth of a matrix."""

SUBGROUP: Final = 32
CONFIGURATION: Final = MatrixConfiguration("f16", "f32", UNIT, UNIT, UNIT, SUBGROUP)
"""Matrix configuration that the kernel requires: NVIDIA's; no other was observed."""

DIRECTIVES: Final = (
    "requires buffer_view;",
    "enable subgroups;",
    "enable chromium_experimental_subgroup_matrix;",
)
_GAP: Final = 8
"""Halves between two rows of staged memory, so that rows begin in different banks."""


Extent = tuple[int, int, int]
"""Rows, columns in vec4s, and vec4s of depth to sum over."""


@dataclass(frozen=True)
class Feed:
    """Input access of a kernel; `depth`: vec4s to sum over.

    `pairs`: octets in a line of the window, each of two neighboring taps; 0 if one is 8 channels of a tap.
    """

    depth: int
    pairs: int = 0

    def loader(self, x: Operand) -> str:
        """`x_at`, where an octet of a pixel lies; nothing for pairs, which the accessor reads."""
        if self.pairs:
            return ""
        index = f"pixel * {x.stride // 2}u + {x.start // 2}u + octet"
        return f"fn x_at(pixel: u32, octet: u32) -> u32 {{\n  return {index};\n}}"


@dataclass(frozen=True)
class Workgroup(ABC):
    """`rows` pixels by `columns` channels, `depth` numbers at a time, on matrices of 16 x 16 sums.

    `slices` subgroups share each `part` (rows, columns) and split `depth`. With two `buffers` the next step
    is staged during a product; with one, more workgroups fit.
    """

    rows: int
    columns: int
    depth: int
    part: tuple[int, int]
    slices: int = 1
    buffers: int = 2
    kernel: ClassVar[str]

    def __str__(self) -> str:
        shared = f" slices {self.slices}" if self.slices > 1 else ""
        size = f"{self.rows}x{self.columns}x{self.depth} parts {self.part[0]}x{self.part[1]}"
        return f"{self.kernel} {size}{shared} buffers {self.buffers}"

    @property
    def parts(self) -> tuple[int, int]:
        """Parts one below the other, and side by side."""
        return self.rows // self.part[0], self.columns // self.part[1]

    @property
    def threads(self) -> int:
        """Of a workgroup."""
        down, across = self.parts
        return SUBGROUP * down * across * self.slices

    @property
    @abstractmethod
    def staged_bytes(self) -> int:
        """Of a buffer."""

    @property
    def memory(self) -> int:
        """Bytes of workgroup memory; the sums lie where the buffers were."""
        return ceil_div(max(self.buffers * self.staged_bytes, self._sums(1)), 16) * 16

    @property
    def at_once(self) -> int:
        """Rows of a part's matrices whose sums the memory holds at once: all of them, or one."""
        down = self.part[0] // UNIT
        return down if self._sums(down) <= self.memory else 1

    def _sums(self, at_once: int) -> int:
        """Bytes of the sums of so many rows of each part's matrices."""
        return self.slices * self.parts[0] * at_once * UNIT * (self.columns + 4) * 4

    def groups(self, rows: int, blocks: int) -> tuple[int, int]:
        """Workgroups along columns and rows."""
        return ceil_div(blocks * 4, self.columns), ceil_div(rows, self.rows)

    def wastes(self, rows: int, blocks: int) -> float:
        """The ratio of computed to requested products."""
        across, down = self.groups(rows, blocks)
        return across * self.columns * down * self.rows / (rows * blocks * 4)

    def steps(self, depth: int) -> int:
        """Steps of a depth of `depth` vec4s."""
        return ceil_div(depth * 4, self.depth)

    def shape(self, loops: bool) -> dict[str, int]:
        """Return the template's numbers that follow from the tile; `loops`: no matrices (index tests)."""
        down, across = self.parts
        drained = down * self.at_once * UNIT
        return {
            "LOOPS": int(loops),
            "MEMORY": self.memory,
            "THREADS": self.threads,
            "PARTS": down * across,
            "PARTS_ACROSS": across,
            "DOWN": self.part[0] // UNIT,
            "AT_ONCE": self.at_once,
            "ROUNDS": self.part[0] // UNIT // self.at_once,
            "DRAINED": drained,
            "OWN": drained * self.columns // 4 // self.threads,
            "ACROSS": self.part[1] // UNIT,
            "SLICES": self.slices,
            "BUFFERS": self.buffers,
            "SINGLE": int(self.buffers == 1),
            "TILE_ROWS": self.rows,
            "SUMS_STRIDE": self.columns + 4,
            # Up to the last number that a subgroup sees.
            "SUMS_SPAN": (self.at_once * UNIT - 1) * (self.columns + 4) + self.part[1],
        }


@dataclass(frozen=True)
class HalfWorkgroup(Workgroup):
    """A workgroup on matrices of 16-bit floats ("halves")."""

    @property
    def x_stride(self) -> int:
        """Halves from one staged pixel to the next."""
        return self.depth + _GAP

    @property
    def w_stride(self) -> int:
        """Halves from one staged row of weights to the next."""
        return self.columns + _GAP

    @property
    def memory_numbers(self) -> dict[str, int]:
        """Return the template's numbers of the memory, as arrays of three types."""
        return {"HALVES": self.memory // 2, "FLOATS": self.memory // 4, "OCTETS": self.memory // 16}


@dataclass(frozen=True)
class Matrices(HalfWorkgroup):
    """A workgroup of `conv_matrix`."""

    kernel: ClassVar[str] = "conv_matrix"

    @property
    def staged(self) -> int:
        """Halves of a buffer."""
        return self.rows * self.x_stride + self.depth * self.w_stride

    @property
    def staged_bytes(self) -> int:
        """Of a buffer."""
        return 2 * self.staged

    def numbers(
        self,
        rows: int,
        blocks: int,
        feed: Feed,
        x: Operand,
        *,
        pointwise: bool,
        biased: bool = True,
        shares: int = 1,
        beside: bool = False,
        loops: bool = False,
    ) -> dict[str, int]:
        """Return the template's numbers for `rows` x `blocks` vec4s, the depth cut into `shares`.

        `pointwise`: a row of `x` is a row of the product; `beside`: the result is in the memory of `x`;
        `loops`: without matrices, to check indices.
        """
        depth = feed.depth
        step, octets, share = self.depth // 8, depth // 2, self.depth // self.slices
        span = ceil_div(self.steps(depth), shares)
        # Steps reach past the depth: the last step, or steps of the last share.
        beyond = span * shares * step > octets
        return {
            **self.shape(loops),
            **self.memory_numbers,
            "STEP": step,
            "SPAN": span,
            "SHARED": int(shares > 1),
            "BIASED": int(biased),
            "MASKED": int(not pointwise or beyond),
            "POINTWISE": int(pointwise),
            "TILES_DOWN": self.groups(rows, blocks)[1],
            "TURNS": share // UNIT,
            "TILE_OCTETS": self.columns // 8,
            "LOADS_X": self.rows * step // self.threads,
            "LOADS_W": self.depth * self.columns // 8 // self.threads,
            "X_STRIDE": self.x_stride,
            "W_STRIDE": self.w_stride,
            "W_AT": self.rows * self.x_stride,
            "STAGED": self.staged,
            # Up to the last number that a subgroup sees of each.
            "LEFT_SPAN": (self.part[0] - 1) * self.x_stride + share,
            "RIGHT_SPAN": (share - 1) * self.w_stride + self.part[1],
            "DEPTH": octets,
            "EVEN": int(not beyond),
            "IN_OCTETS": ceil_div(x.blocks, 2),
            "X_FIRST": x.start // 2,
            "BESIDE": int(beside),
            "PAIRS": feed.pairs,
            "OUT_OCTETS": blocks // 2,
            "OUT_BLOCKS": blocks,
            "PIXELS": rows,
            "ITEMS": 0,
        }


_DISPATCH_US: Final = 2.0

_RULE: Final = {
    Matrices(128, 128, 32, (64, 64), buffers=1): Pace(795, 589, at_once=2),
    Matrices(128, 128, 32, (64, 32), buffers=1): Pace(100, 728),
    Matrices(128, 64, 32, (64, 32), buffers=1): Pace(543, 406),
    Matrices(128, 32, 64, (32, 32), buffers=1): Pace(530, 490),
    Matrices(128, 32, 32, (32, 32), buffers=1): Pace(400, 302),
    Matrices(96, 64, 64, (96, 32), slices=2, buffers=1): Pace(810, 560),
    Matrices(80, 64, 64, (80, 32), slices=2, buffers=1): Pace(675, 476),
    Matrices(64, 64, 64, (64, 32), slices=2, buffers=1): Pace(600, 385),
    Matrices(80, 64, 64, (80, 32), slices=2): Pace(100, 621),
    Matrices(64, 128, 64, (32, 32), buffers=1): Pace(100, 810),
    Matrices(64, 64, 128, (32, 32), slices=2, buffers=1): Pace(100, 854),
    Matrices(64, 64, 64, (32, 32), slices=2): Pace(100, 476),
    Matrices(48, 128, 64, (48, 32)): Pace(100, 655),
    Matrices(32, 128, 64, (32, 32), slices=2): Pace(100, 502),
    Matrices(32, 64, 128, (32, 32), slices=4, buffers=1): Pace(675, 655),
    Matrices(32, 64, 64, (32, 32), slices=2): Pace(100, 365),
    Matrices(32, 32, 128, (32, 32), slices=4): Pace(100, 476),
}
"""The rule's tiles, with rates fitted to 22 shapes on an H100: 1.03 times the fastest tile's time on average.
Those of 32 columns, and 64x64x64 in parts of 64x32, were fitted to 9 convolutions on an H200 with 135 tiles.

Estimates, not thresholds of the number of workgroups, as the last round of workgroups may be mostly idle.
"""

_PICTURES: Final = Matrices(64, 64, 32, (32, 32), buffers=1)
_NARROW_PICTURES: Final = Matrices(128, 32, 32, (32, 32), buffers=1)
_PICTURES_PACE: Final = Pace(100, 550)
"""Pace for images read two taps at a time that fill the GPU: 0.71 to 0.84 of other tiles' time."""

_PACES: Final = _RULE | {_PICTURES: _PICTURES_PACE}

_OTHERS: Final = (
    Matrices(128, 256, 32, (64, 64), buffers=1),
    Matrices(128, 128, 32, (64, 32)),
    Matrices(128, 64, 64, (64, 32), buffers=1),
    Matrices(80, 64, 64, (80, 16), buffers=1),
    Matrices(64, 64, 64, (32, 32), buffers=1),
    Matrices(48, 64, 64, (48, 32)),
    Matrices(32, 64, 64, (32, 16)),
    Matrices(32, 32, 64, (16, 32), slices=2),
    Matrices(16, 64, 128, (16, 64), slices=4),
    Matrices(16, 64, 64, (16, 32), slices=2),
)

TILES: Final = (*_RULE, *_OTHERS)
"""Tiles that the rule and the tuner choose from."""


def takes(blocks: int, target: Target) -> bool:
    """True where results of `blocks` vec4s are whole octets, on a device with the matrices."""
    return target.matrices and blocks % 2 == 0


def is_of_octets(x: Operand) -> bool:
    """True where a pixel's channels are whole octets."""
    return not any(n % 2 for n in (x.blocks, x.stride, x.start))


def _fits(tile: Matrices, rows: int, blocks: int, feed: Feed, target: Target) -> bool:
    within = tile.memory <= target.workgroup_memory and max(tile.groups(rows, blocks)) <= target.max_groups
    deep = feed.depth * 4 >= (tile.depth // 2 if feed.pairs else tile.depth)
    return within and deep and tile.wastes(rows, blocks) <= _MOST_WASTE


_MOST_WASTE: Final = 2.0


def fills_with_pictures(rows: int, blocks: int, feed: Feed, target: Target) -> bool:
    """True for images, read two taps at a time, that have work for the whole GPU."""
    fits = feed.pairs > 0 and _fits(_PICTURES, rows, blocks, feed, target)
    return fits and math.prod(_PICTURES.groups(rows, blocks)) >= target.workgroups


def choose_matrices(rows: int, blocks: int, feed: Feed, target: Target) -> Matrices | None:
    """The rule's tile for `rows` x `blocks` vec4s; None where matrices would mostly multiply nothing."""
    if fills_with_pictures(rows, blocks, feed, target):
        # 0.67 of the other's time for the 32 channels of a U-Net's first layer, 512x512 (H200).
        return _NARROW_PICTURES if blocks * 4 <= _NARROW_PICTURES.columns else _PICTURES
    fitting = (tile for tile in _RULE if _fits(tile, rows, blocks, feed, target))
    return min(
        fitting, key=lambda tile: estimate_matrices(tile, rows, blocks, feed.depth, target), default=None
    )


def estimate_matrices(tile: Matrices, rows: int, blocks: int, depth: int, target: Target) -> float:
    """Estimate a tile's microseconds on an H100 with the target's multiprocessors, within 1.3 times."""
    across, down = tile.groups(rows, blocks)
    return _DISPATCH_US + _PACES[tile].microseconds(tile.steps(depth), across * down, target.workgroups)


def shared_matrices(
    rows: int, blocks: int, feed: Feed, most: int, target: Target
) -> Iterator[tuple[Matrices, int, float]]:
    """Yield the rule's tiles, how many workgroups (up to `most`) share the depth, and H100 microseconds."""
    for tile, pace in _RULE.items():
        if not _fits(tile, rows, blocks, feed, target):
            continue
        across, down = tile.groups(rows, blocks)
        for shares in range(2, most + 1):
            if shares_evenly(tile, feed.depth, shares):
                span = ceil_div(tile.steps(feed.depth), shares)
                own = pace.microseconds(span, across * down * shares, target.workgroups)
                yield tile, shares, _DISPATCH_US + own


def shares_evenly(tile: Matrices, depth: int, shares: int) -> bool:
    """True where none of as many shares of the depth has nothing to do."""
    steps = tile.steps(depth)
    return ceil_div(steps, ceil_div(steps, shares)) == shares


def other_matrices(rows: int, blocks: int, feed: Feed, target: Target) -> list[Matrices]:
    """Return the tiles that are worth measuring."""
    return [tile for tile in (*_RULE, _PICTURES, *_OTHERS) if _fits(tile, rows, blocks, feed, target)]
