"""Strategy that blocks each frame for its result: batch work with a session for host arrays."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.running.one.picture_network import BoundPicture, PictureNetwork
from desktop.pipeline.running.one.strategy import NetworkTurn, Order


class Waiting:
    """Submits commands so far, and computes each frame's result before the rest. Implements `Strategy`."""

    is_asynchronous = False
    rests = False

    def __init__(self, network: PictureNetwork, upload: Callable[[Any], None]) -> None:
        """`upload` puts a result where the head's `encode` takes it from."""
        self._network = network
        self._upload = upload
        self.inference_ms: float | None = None

    def encode(
        self, commands: FrameCommands, picture: BoundPicture, timer: FrameTimer, order: Order
    ) -> NetworkTurn:
        """See `Strategy`."""
        # The span's time on the CPU is that of the inference, which the frame waits for.
        stamps = timer.begin(order.span)
        try:
            compute_pass = commands.encoder.begin_compute_pass(**stamps)
            picture.encode_input(compute_pass)
            compute_pass.end()
            commands.submit_part()
            began = time.perf_counter()
            array = self._network.read_input()
            outputs = self._network.compute(array)
            self.inference_ms = (time.perf_counter() - began) * 1e3
            self._upload(self._network.head.read(outputs, picture.size))
            compute_pass = commands.encoder.begin_compute_pass()
            self._network.head.encode(compute_pass)
            compute_pass.end()
        finally:
            timer.end()
        return NetworkTurn(order.span, True, True, order.note, picture.size, read_back=array.nbytes)

    def poll(self) -> None:
        """See `Strategy`: results are in the frame."""

    def restart(self) -> None:
        """See `Strategy`: every frame begins anew."""

    def close(self) -> None:
        """See `Strategy`."""
