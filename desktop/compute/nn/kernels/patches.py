"""Convolutions on subgroup matrices that stage the pixels of all their taps at once (`conv_patch`).

For windows of several taps with a step of one pixel. `conv_matrix` stages a tile's pixels for each tap, which
takes most of its time where there are few output channels to multiply them with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.pace import Pace
from desktop.compute.nn.kernels.subgroup_matrix import UNIT, Feed, HalfWorkgroup
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div


@dataclass(frozen=True)
class Patches(HalfWorkgroup):
    """A workgroup of `conv_patch`: an area of `rows` pixels, `width` across, by `columns` channels.

    `depth` of the input's channels are staged at a time, for a window of `taps` (height, width). `part` counts
    pixels, in lines of 16 one below the other.
    """

    buffers: int = 1
    width: int = UNIT
    taps: tuple[int, int] = (3, 3)
    kernel: ClassVar[str] = "conv_patch"

    def __str__(self) -> str:
        size = f"{self.height}x{self.width} by {self.columns}x{self.depth}"
        return f"{self.kernel} {size} parts {self.part[0]}x{self.part[1]}"

    @property
    def height(self) -> int:
        """Pixels down."""
        return self.rows // self.width

    @property
    def patch(self) -> tuple[int, int]:
        """Height and width of the pixels that the tile's windows see."""
        return self.height + self.taps[0] - 1, self.width + self.taps[1] - 1

    @property
    def w_at(self) -> int:
        """Halves before the weights."""
        return self.patch[0] * self.patch[1] * self.x_stride

    @property
    def staged_bytes(self) -> int:
        """Bytes of the patch and the weights."""
        return 2 * (self.w_at + self.taps[0] * self.taps[1] * self.depth * self.w_stride)

    def workgroups(self, convolution: Convolution) -> tuple[int, int, int]:
        """Workgroups along columns and tiles of all images."""
        height, width = convolution.window.output
        tiles = ceil_div(height, self.height) * ceil_div(width, self.width) * convolution.result.batch
        return ceil_div(convolution.result.blocks * 4, self.columns), tiles, 1

    def numbers(self, convolution: Convolution, *, loops: bool = False) -> dict[str, int]:
        """Return the template's numbers, but for those of the window; `loops`: see `Workgroup.shape`."""
        x, blocks = convolution.x, convolution.result.blocks
        (down, across), (height, width), step = self.taps, self.patch, self.depth // 8
        lines = self.part[0] // UNIT + down - 1
        seen = (lines - 1) * width + across - 1 + UNIT - 1
        octets = x.blocks // 2
        return {
            **self.shape(loops),
            **self.memory_numbers,
            "TILE_H": self.height,
            "TILE_W": self.width,
            "TILES": self.workgroups(convolution)[1],
            "TILES_H": ceil_div(convolution.window.output[0], self.height),
            "TILES_W": ceil_div(convolution.window.output[1], self.width),
            "PATCH_H": height,
            "PATCH_W": width,
            "STRIPS": self.width // UNIT,
            "LINES": lines,
            "TAPS": down * across,
            "STEP": step,
            "STEPS": ceil_div(octets, step),
            "TURNS": self.depth // UNIT,
            "TILE_OCTETS": self.columns // 8,
            "LOADS_X": ceil_div(height * width * step, self.threads),
            "LOADS_W": ceil_div(down * across * self.depth * self.columns // 8, self.threads),
            "X_STRIDE": self.x_stride,
            "W_STRIDE": self.w_stride,
            "W_AT": self.w_at,
            # Up to the last number that a subgroup sees of each.
            "LEFT_SPAN": seen * self.x_stride + self.depth,
            "RIGHT_SPAN": (down * across * self.depth - 1) * self.w_stride + self.part[1],
            "PARTLY": int(octets % step > 0),
            "IN_OCTETS": octets,
            "BESIDE": int(x.storage == convolution.result.storage),
            "PAIRS": 0,
            "OUT_OCTETS": blocks // 2,
            "OUT_BLOCKS": blocks,
        }


_DISPATCH_US: Final = 1.5
_TAPS: Final = 9
"""Taps that the paces were measured with."""

_RULE: Final = {
    Patches(512, 32, 16, (64, 32), width=32): Pace(2600, 2250),
    Patches(256, 64, 16, (64, 32)): Pace(2450, 2050),
    Patches(256, 32, 32, (32, 32)): Pace(2700, 1800),
    Patches(128, 64, 16, (32, 32)): Pace(1450, 1350),
    Patches(128, 32, 32, (32, 32)): Pace(1650, 1450),
    Patches(64, 32, 32, (32, 16)): Pace(1150, 1000),
}
"""The rule's tiles, fitted to 30 convolutions of 3x3 in three networks on an H200, each timed with 13 tiles.

Timed again and again by itself a tile takes down to half of that, as its weights are in the cache.
"""
_CACHED: Final = 0.9
"""Factor that makes such times comparable with the estimates of other kernels, whose weights were cached."""

_OTHERS: Final = (
    Patches(256, 64, 16, (64, 32), width=32),
    Patches(128, 64, 16, (64, 32)),
    Patches(64, 64, 16, (32, 32)),
    Patches(64, 32, 32, (16, 32)),
)

TILES: Final = (*_RULE, *_OTHERS)
"""Tiles that the rule and the tuner choose from."""

_MOST_WASTE: Final = 2.0
_LEAST_PIXELS: Final = 2048
"""Below this, reading the weights takes most of the time, and tiles with more threads read them earlier."""


def _suits(convolution: Convolution) -> bool:
    """True for windows of several taps that move by one pixel."""
    window = convolution.window
    moves = window.strides == window.dilations == (1, 1) and not window.is_volume
    return moves and window.kernel[0] * window.kernel[1] > 1


def _fitting(
    tiles: Iterable[Patches], convolution: Convolution, feed: Feed, target: Target
) -> Iterator[tuple[Patches, Patches]]:
    """Yield tiles that are valid, each for a window of 3x3 and for this one."""
    if feed.pairs or not _suits(convolution):
        return
    rows, blocks, _ = convolution.extent
    for tile in tiles:
        own = replace(tile, taps=convolution.window.kernel)
        across, down, _ = own.workgroups(convolution)
        computed = across * own.columns * down * own.rows
        fits = own.memory <= target.workgroup_memory and max(across, down) <= target.max_groups
        if fits and computed <= _MOST_WASTE * rows * blocks * 4:
            yield tile, own


def choose_patches(convolution: Convolution, feed: Feed, target: Target) -> tuple[Patches, float] | None:
    """Return the rule's tile and the estimated microseconds; None if none suits."""
    taps = convolution.window.taps
    if convolution.result.pixels < _LEAST_PIXELS:
        return None
    found = (
        (own, _DISPATCH_US + _CACHED * taps / _TAPS * _microseconds(_RULE[tile], own, convolution, target))
        for tile, own in _fitting(_RULE, convolution, feed, target)
    )
    return min(found, key=lambda each: each[1], default=None)


def _microseconds(pace: Pace, tile: Patches, convolution: Convolution, target: Target) -> float:
    across, down, _ = tile.workgroups(convolution)
    return pace.microseconds(ceil_div(convolution.x.blocks * 4, tile.depth), across * down, target.workgroups)


def other_patches(convolution: Convolution, feed: Feed, target: Target) -> list[Patches]:
    """Return the tiles that are worth measuring."""
    return [own for _, own in _fitting(TILES, convolution, feed, target)]


__all__ = ["Patches", "choose_patches", "other_patches"]
