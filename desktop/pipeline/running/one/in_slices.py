"""Strategies inside the frame: complete inferences if time permits, otherwise slices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.running.one.slices import Slice, SlicePlan
from desktop.pipeline.running.one.strategy import Bound, NetworkTurn, Order, Recorded
from desktop.pipeline.running.one.watching import Watch
from desktop.vision.tasks.task import Size


class InFrame:
    """Records a complete inference into every frame, whose result is its own. Implements `Strategy`."""

    is_asynchronous = False
    rests = False

    def __init__(self) -> None:
        self.inference_ms: float | None = None

    def encode(self, commands: FrameCommands, picture: Bound, timer: FrameTimer, order: Order) -> NetworkTurn:
        """See `Strategy`."""
        compute_pass = commands.encoder.begin_compute_pass(**timer.begin(order.span))
        picture.encode(compute_pass)
        compute_pass.end()
        timer.end()
        return NetworkTurn(order.span, True, True, order.note, picture.size, timed=self._timed)

    def _timed(self, turn: NetworkTurn, gpu_ms: float) -> None:
        self.inference_ms = gpu_ms

    def poll(self) -> None:
        """See `Strategy`: results are in the frame."""

    def restart(self) -> None:
        """See `Strategy`: every frame begins anew."""

    def close(self) -> None:
        """See `Strategy`."""


class InSlices:
    """Records as much of an inference into a frame as is estimated to fit its budget. Implements `Strategy`.

    Slices read the image that the inference began with; the output changes with the last one. A frame without
    a budget runs a complete inference. While `watch` reports similar images, only the similarity test runs.
    """

    rests = False

    def __init__(self, network: Recorded, watch: Watch | None = None) -> None:
        self._network, self._watch = network, watch
        self._plan = SlicePlan(network.steps)
        self._in_frame = InFrame()
        self._step = 0
        self._begun: tuple[Any, Size] = (None, (0, 0))  # note and size of the frame of the slices
        self._spent_ms = 0.0
        self.is_asynchronous = False

    @property
    def inference_ms(self) -> float | None:
        """See `Strategy`."""
        return self._in_frame.inference_ms

    def encode(self, commands: FrameCommands, picture: Bound, timer: FrameTimer, order: Order) -> NetworkTurn:
        """See `Strategy`."""
        if order.budget_ms is None:
            self._step, self.is_asynchronous = 0, False
            return self._in_frame.encode(commands, picture, timer, order)
        start = self._step
        if start == 0:
            self._begun = (order.note, picture.size)
            if self._plan.steps != self._network.steps:
                self._plan = SlicePlan(self._network.steps, self._plan.total_ms / self._plan.steps)
            if self._watch is not None and self.is_still:
                return self._glanced(self._watch, commands, picture, timer, order)
        stop = self._plan.stop(start, order.budget_ms)
        compute_pass = commands.encoder.begin_compute_pass(**timer.begin(order.span))
        picture.encode_steps(compute_pass, start, stop)
        compute_pass.end()
        timer.end()
        part = Slice(start, stop, stop == self._plan.steps)
        self._step = 0 if part.finished else stop
        self.is_asynchronous = start > 0 or not part.finished
        sent = self._similarity_readback(commands, start, stop)
        return NetworkTurn(
            order.span,
            start == 0,
            part.finished,
            *self._begun,
            part=part,
            sent=sent,
            timed=partial(self._timed, self._plan),
        )

    @property
    def is_still(self) -> bool:
        """True while frames are known to be similar to that of the last result and are only tested."""
        if self._watch is None:
            return False
        self._watch.update()
        return self._watch.is_still

    def _glanced(
        self, watch: Watch, commands: FrameCommands, picture: Bound, timer: FrameTimer, order: Order
    ) -> NetworkTurn:
        compute_pass = commands.encoder.begin_compute_pass(**timer.begin(order.span))
        picture.encode_steps(compute_pass, 0, 1 + watch.dispatches)
        compute_pass.end()
        timer.end()
        return NetworkTurn(order.span, True, False, *self._begun, sent=watch.encode(commands.encoder))

    def _similarity_readback(
        self, commands: FrameCommands, start: int, stop: int
    ) -> Callable[[], None] | None:
        # The similarity is known after the slice with its last dispatch; the preprocessing is a step before.
        if self._watch is None or not start <= self._watch.dispatches < stop:
            return None
        return self._watch.encode(commands.encoder)

    def reset_similarity(self) -> None:
        """Discard the result of the similarity test."""
        if self._watch is not None:
            self._watch.discard_results()

    def _timed(self, plan: SlicePlan, turn: NetworkTurn, gpu_ms: float) -> None:
        assert turn.part is not None
        plan.measured(turn.part.start, turn.part.stop, gpu_ms)
        self._spent_ms = gpu_ms + (0.0 if turn.began else self._spent_ms)
        if turn.finished:
            self._in_frame.inference_ms = self._spent_ms

    def poll(self) -> None:
        """See `Strategy`: results are in the frames."""

    def restart(self) -> None:
        """See `Strategy`."""
        self._step = 0
        self.reset_similarity()

    def close(self) -> None:
        """See `Strategy`."""
        if self._watch is not None:
            self._watch.close()
