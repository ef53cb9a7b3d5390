"""Upload a network's constants to the GPU, a few at a time, with no more copies than the driver needs."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.lowering.plan import Constant, Piece

_AHEAD: Final = 64 << 20
"""Bytes of constants that are made or read ahead."""
_STAGED: Final = 64 << 20
"""Bytes handed to the queue, which copies them, before waiting for it."""
_MOST_THREADS: Final = 8


def upload(gpu: Gpu, constants: Sequence[tuple[wgpu.GPUBuffer, Constant]]) -> None:
    """Write constants into their buffers, waiting in between, as the queue keeps copies until it is done.

    Raises PlanLostError as `SessionCache.get` does.
    """
    places = []
    for buffer, constant in constants:
        offset = 0
        for piece in constant.pieces:
            places.append((buffer, offset))
            offset += piece.size
    staged = 0
    for (buffer, offset), data in zip(
        places, _made([p for _, c in constants for p in c.pieces]), strict=True
    ):
        for at in range(0, len(data), _STAGED):
            part = data[at : at + _STAGED]
            if staged + len(part) > _STAGED:
                gpu.queue.submit([])
                gpu.poll()
                staged = 0
            gpu.queue.write_buffer(buffer, offset + at, part)
            staged += len(part)


def _made(pieces: Sequence[Piece]) -> Iterator[memoryview]:
    """Yield pieces' bytes in order, made on several threads; a piece begins if it fits or is the only one."""
    waiting, ahead = deque(pieces), 0
    begun: deque[tuple[int, Future[memoryview]]] = deque()
    with ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as pool:
        while waiting or begun:
            while waiting and (not begun or ahead + waiting[0].size <= _AHEAD):
                piece = waiting.popleft()
                begun.append((piece.size, pool.submit(piece.read)))
                ahead += piece.size
            size, future = begun.popleft()
            data = future.result()
            del future
            ahead -= size
            yield data
            del data
