"""Blocks of pixels laid out as channels, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.compute.nn.ir.graph import Node


@dataclass(frozen=True)
class Blocks:
    """A walk through the same elements in both layouts: sizes, and steps from one element to the next of each axis.

    Attributes:
        box: sizes of the walk: batch, channels of the wide image, rows of blocks, rows in a block, columns of blocks, columns in a block.
        deep: steps where blocks are channels.
        wide: steps where blocks are pixels.
    """

    box: tuple[int, ...]
    deep: tuple[int, ...]
    wide: tuple[int, ...]


def blocks(node: Node, deep: Sequence[int]) -> Blocks:
    """Plan the walk for a node's attributes `blocksize` and `mode`, and the (batch, channels, height, width) where blocks are channels."""
    size = int(node.attributes["blocksize"])
    n, c, h, w = deep
    channels = c // size**2
    box = (n, channels, h, size, w, size)
    # Where the place in a block comes among the channels: before them, or (mode CRD) after.
    inner = node.attributes.get("mode", "DCR") == "CRD"
    s = _steps((n, channels, size, size, h, w) if inner else (n, size, size, channels, h, w))
    steps = (s[0], s[1], s[4], s[2], s[5], s[3]) if inner else (s[0], s[3], s[4], s[1], s[5], s[2])
    return Blocks(box, steps, _steps(box))


def _steps(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))
