"""Strategy on a worker thread, for sessions with host arrays. Frames never wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.running.one.picture_network import BoundPicture, PictureNetwork
from desktop.pipeline.running.one.strategy import NetworkTurn, Order
from desktop.pipeline.running.worker import CpuWorker
from desktop.vision.tasks.task import FrameResult

# A network on the CPU beside a software adapter rests after each result, for a multiple of its time and at
# least so many seconds. Without rest, two cores drew 17 of 25 frames a second beside YOLOX-Nano.
_REST: Final = 2.0
_LEAST_REST_S: Final = 0.1


class OnWorker:
    """Hands the newest frame to a thread whenever that is idle. Implements `Strategy`.

    `on_result` is called from the thread after each input and must only wake another thread.
    """

    is_asynchronous = True

    def __init__(self, network: PictureNetwork) -> None:
        self._network: PictureNetwork | None = network
        self._worker: CpuWorker | None = None
        self._rest_until = 0.0
        self.inference_ms: float | None = None
        self.on_result: Callable[[], None] = lambda: None

    def _thread(self) -> CpuWorker:
        # Made on first use: a network that is loaded and not shown needs none.
        if self._worker is None:
            assert self._network is not None, "closed"
            self._worker = self._network.make_worker()
            self._worker.on_result = self.on_result
        return self._worker

    @property
    def readbacks(self) -> int:
        """Inputs that were handed over."""
        return self._worker.readbacks if self._worker is not None else 0

    @property
    def rests(self) -> bool:
        """True while it leaves the cores to the frame after a result, or spares a server that is away."""
        return time.perf_counter() < self._rest_until or self._is_paused

    @property
    def _is_paused(self) -> bool:
        return self._network is not None and self._network.caller.is_paused

    def encode(
        self, commands: FrameCommands, picture: BoundPicture, timer: FrameTimer, order: Order
    ) -> NetworkTurn:
        """See `Strategy`."""
        worker = self._thread()
        taken_up = order.take_up and worker.idle and not self._is_paused
        # A pass with nothing in it too: the span stays in its place among the frame's times.
        compute_pass = commands.encoder.begin_compute_pass(**timer.begin(order.span))
        if order.draw is not None:
            order.draw(compute_pass)
        if taken_up:
            picture.encode_input(compute_pass)
        compute_pass.end()
        timer.end()
        captured = worker.capture(commands.encoder) if taken_up else None
        drawn = order.draw is not None
        return NetworkTurn(
            order.span, taken_up, drawn, order.note, picture.size, order.generation, captured=captured
        )

    def poll(self) -> tuple[FrameResult, int] | None:
        """See `Strategy`."""
        found = self._worker.poll() if self._worker is not None else None
        if found is None:
            return None
        result, (note, _, generation), latency, self.inference_ms = found
        if self._network is not None and self._network.shares_cores:
            self._rest_until = time.perf_counter() + max(_LEAST_REST_S, _REST * self.inference_ms / 1e3)
        whole = replace(result, note=note, latency_ms=latency, inference_ms=self.inference_ms)
        return cast(FrameResult, whole), generation

    def restart(self) -> None:
        """See `Strategy`: every input is a new frame."""

    def close(self) -> None:
        """Stop the thread; waits for a running inference, unless it is a call of a server."""
        if self._worker is not None:
            if self._network is not None:
                self._network.caller.abort()
            self._worker.close()
        # It holds the network, and its last result, which may be large.
        self._worker = self._network = None
