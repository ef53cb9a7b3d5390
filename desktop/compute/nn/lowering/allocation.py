"""Allocate buffers for activations; those that are never alive together share one."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Mapping
from typing import Final

from desktop.compute.nn.lowering.plan import Dispatch, Storage

_MANY: Final = 2000
_MANY_ALIVE: Final = 20_000
"""Most activations and total lifetime for orders that compare all pairs; above, they would take seconds."""

Life = tuple[int, int]
"""First and last dispatch that reads or writes a storage."""


def assign_slots(
    storages: tuple[Storage, ...], dispatches: tuple[Dispatch, ...]
) -> tuple[tuple[int, ...], dict[int, int]]:
    """Share buffers between activations that are never alive together; the best of three greedy orders.

    Each slot is a whole buffer: WebGPU forbids a dispatch to read and write parts of the same one.
    """
    lives = _lifetimes(storages, dispatches)
    if len(lives) > _MANY or sum(last - first for first, last in lives.values()) > _MANY_ALIVE:
        return _scan(lives, storages)
    orders = (_by_breadth(lives, storages), _by_size(lives, storages), _by_time(lives, storages))
    return min((_assign(order, lives, storages) for order in orders), key=lambda found: sum(found[0]))


def _lifetimes(storages: tuple[Storage, ...], dispatches: tuple[Dispatch, ...]) -> dict[int, Life]:
    """Return the lifetimes of the activations, which are the storages that some dispatch writes."""
    lives: dict[int, Life] = {}
    written = {storage for d in dispatches for storage in d.writes if not storages[storage].pinned}
    for at, dispatch in enumerate(dispatches):
        for storage in {*dispatch.touches} & written:
            lives[storage] = (lives.get(storage, (at, at))[0], at)
    return lives


def _by_breadth(lives: Mapping[int, Life], storages: tuple[Storage, ...]) -> list[int]:
    """Order by breadth: what is alive when most memory is in use, largest first, and so on (same paper)."""
    moments = {at for life in lives.values() for at in life}
    alive = {at: [s for s, (first, last) in lives.items() if first <= at <= last] for at in moments}
    breadth = sorted(moments, key=lambda at: -sum(storages[s].size for s in alive[at]))
    ordered = (s for at in breadth for s in sorted(alive[at], key=lambda s: -storages[s].size))
    return list(dict.fromkeys(ordered))


def _by_size(lives: Mapping[int, Life], storages: tuple[Storage, ...]) -> list[int]:
    """Order by size (Pisarchyk and Lee, "Efficient memory management for deep neural net inference")."""
    return sorted(lives, key=lambda s: (-storages[s].size, lives[s]))


def _by_time(lives: Mapping[int, Life], storages: tuple[Storage, ...]) -> list[int]:
    """Order by the time of the first use."""
    return sorted(lives, key=lambda s: (lives[s], -storages[s].size))


def _fits(held: list[Life], first: int, last: int) -> bool:
    at = bisect.bisect_left(held, (first, first))
    return (at == 0 or held[at - 1][1] < first) and (at == len(held) or last < held[at][0])


def _scan(lives: Mapping[int, Life], storages: tuple[Storage, ...]) -> tuple[tuple[int, ...], dict[int, int]]:
    """Assign storages, in order of time, to the smallest sufficient free slot, else grow the largest."""
    sizes: list[int] = []
    slot_of: dict[int, int] = {}
    free: list[tuple[int, int]] = []  # (size, slot), sorted
    busy: list[tuple[int, int]] = []  # (last dispatch, slot), a heap
    for storage in _by_time(lives, storages):
        size, (first, last) = storages[storage].size, lives[storage]
        while busy and busy[0][0] < first:
            slot = heapq.heappop(busy)[1]
            bisect.insort(free, (sizes[slot], slot))
        if free:
            at = bisect.bisect_left(free, (size, -1))
            slot = free.pop(min(at, len(free) - 1))[1]
            sizes[slot] = max(sizes[slot], size)
        else:
            slot = len(sizes)
            sizes.append(size)
        heapq.heappush(busy, (last, slot))
        slot_of[storage] = slot
    return tuple(sizes), slot_of


def _assign(
    order: list[int], lives: Mapping[int, Life], storages: tuple[Storage, ...]
) -> tuple[tuple[int, ...], dict[int, int]]:
    """Assign each storage to the slot, free all its life, that it wastes or grows least."""
    sizes: list[int] = []
    held: list[list[Life]] = []  # lifetimes in each slot, in order: they do not overlap
    slot_of: dict[int, int] = {}
    for storage in order:
        size, (first, last) = storages[storage].size, lives[storage]
        free = [slot for slot, others in enumerate(held) if _fits(others, first, last)]
        if free:
            slot = min(free, key=lambda s: (max(size - sizes[s], 0), max(sizes[s] - size, 0)))
            sizes[slot] = max(sizes[slot], size)
        else:
            slot = len(sizes)
            sizes.append(size)
            held.append([])
        bisect.insort(held[slot], (first, last))
        slot_of[storage] = slot
    return tuple(sizes), slot_of
