"""Run every frame of a source through an `Engine` at full speed, for `process` and the benchmarks."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.base.errors import FilterError, ModelError
from desktop.media.frame import Frame
from desktop.pipeline.engine import Engine
from desktop.pipeline.picture.present import LaidOver, PendingPicture

if TYPE_CHECKING:
    import wgpu


def check_stages(engine: Engine) -> None:
    """Raise FilterError or ModelError for a failed stage, mask, layer or network: batch work must not skip any."""
    for status in engine.pipeline.chain.statuses:
        if status.failure:
            raise FilterError(status.failure)
    if fault := engine.pipeline.layers.fault:
        raise FilterError(fault)
    if engine.pipeline.analyses.error is not None:
        raise ModelError(engine.pipeline.analyses.error)


def when_free(engine: Engine, frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield frames, each taken when it can be rendered: one that waited would only be older when shown."""
    waiting = iter(frames)
    while True:
        engine.pipeline.await_slot()
        frame = next(waiting, None)
        if frame is None:
            return
        yield frame


@dataclass(frozen=True)
class BatchResult:
    """Summary of a run: frames processed, seconds from the first to the last."""

    frames: int
    seconds: float

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self.frames / self.seconds if self.seconds > 0 else 0.0


def run_batch(
    engine: Engine,
    frames: Iterable[Frame],
    *,
    target: wgpu.GPUTexture | None = None,
    on_picture: Callable[[np.ndarray, Frame], None] | None = None,
    overlay: Callable[[], LaidOver | None] | None = None,
    on_frame: Callable[[int, Frame], bool] | None = None,
    max_frames: int = 0,
) -> BatchResult:
    """Run frames, in order, through an engine made with `wait=True`; `max_frames` of 0 means all.

    Args:
        target: a texture to present into, for benchmarks.
        on_picture: called with each result, uint8 or float16 (`ColorMode`) [height, width, 4] R'G'B'A, and its
            frame.
        overlay: paints the overlay; each frame then waits for its own result.
        on_frame: called with the number of finished frames and the frame; returns False to stop.
    """
    pending: deque[tuple[PendingPicture, Frame]] = deque()
    begun = time.perf_counter()
    count = 0

    def deliver(keep: int) -> None:
        while len(pending) > keep and on_picture is not None:
            picture, of = pending.popleft()
            on_picture(picture.result(), of)

    for frame in when_free(engine, frames):
        engine.render(replace(frame, captured_at=time.perf_counter()), target)
        count += 1
        if overlay is not None:
            engine.await_result()
        if on_picture is not None:
            exported = engine.current.export(overlay() if overlay is not None else None)
            if exported is not None:
                pending.append((exported, frame))
                deliver(keep=1)
        if (on_frame is not None and not on_frame(count, frame)) or count == max_frames:
            break
    deliver(keep=0)
    engine.pipeline.drain()
    engine.pipeline.await_analysis()
    return BatchResult(count, time.perf_counter() - begun)
