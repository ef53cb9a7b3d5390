"""Compute the number of workgroups of a dispatch."""

from __future__ import annotations


def ceil_div(a: int, b: int) -> int:
    """Return a / b rounded up."""
    return -(-a // b)


def spread(count: int) -> tuple[int, int]:
    """Return workgroups (x, y) of 64 threads for `count` items; the item is `id.y * (x * 64) + id.x`."""
    groups = ceil_div(count, 64)
    width = min(groups, 4096)
    return width, ceil_div(groups, max(width, 1))
