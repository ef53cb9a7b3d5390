"""Run a network frame by frame, and hold its newest result; the session's capabilities set the strategy.

- Recorded: inside the frame; on a slow GPU in slices over several frames (in_slices.py).
- Host arrays: on a thread, for the newest frame; frames never wait (on_worker.py).
- Host arrays, a stage in batch work: the frame waits for its own result (waiting.py).

A late result is shown with the newest frame or, in step, with its own, held until then (held_picture.py);
frames that arrive meanwhile replace each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from desktop.base.errors import ModelAwayError
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer, ResultRate, Series
from desktop.pipeline.running.inputs.held_picture import HeldPicture
from desktop.pipeline.running.inputs.picture import Picture
from desktop.pipeline.running.one.in_slices import InSlices
from desktop.pipeline.running.one.on_worker import OnWorker
from desktop.pipeline.running.one.picture_network import PictureNetwork, TextureHead
from desktop.pipeline.running.one.strategy import NetworkTurn, Order, Strategy
from desktop.pipeline.running.one.waiting import Waiting
from desktop.pipeline.running.one.watching import Watch
from desktop.vision.tasks.task import FrameResult

if TYPE_CHECKING:
    import wgpu

# Factor on the budget in step, where only the network's own frames are drawn.
_IN_STEP_SHARE = 1.6


def choose_strategy(
    gpu: Gpu, network: PictureNetwork, *, wait: bool, wake: Callable[[], None] = lambda: None
) -> Strategy:
    """Choose a network's strategy; `wait` for batch work, where a frame needs its own result."""
    if network.encodes:
        similarity = network.session.capabilities.similarity if not wait else None
        return InSlices(network, Watch(gpu, similarity, wake) if similarity is not None else None)
    if wait and isinstance(network.head, TextureHead):
        return Waiting(network, network.head.upload)
    return OnWorker(network)


class InferenceRunner:
    """Runs one network. For the rendering thread; it may be made on another.

    Attributes:
        is_due: there is a frame that the network has not processed.
        is_changing: the results of the same frame are still changing (`SessionCapabilities.follow`).
        results: results per second.
        latency, inference: ms from frame to result, and the network's share, if asynchronous.
    """

    def __init__(
        self,
        gpu: Gpu,
        network: PictureNetwork,
        *,
        wait: bool = False,
        on_result: Callable[[], None] = lambda: None,
    ) -> None:
        """Choose the strategy; `on_result` is called on another thread and must only wake the caller's."""
        self.network = network
        if wait:
            network.caller.be_patient()
        self.strategy = choose_strategy(gpu, network, wait=wait, wake=on_result)
        if isinstance(self.strategy, OnWorker):
            self.strategy.on_result = on_result
        self._texture_head = network.head if isinstance(network.head, TextureHead) else None
        self._held = HeldPicture(gpu)
        self._in_step = False
        self._generation = 0
        self._has_result = False
        self._begun_at = 0.0
        self._looked_at: float | None = None  # pts of the last frame, for a network that remembers
        self._is_halfway = False  # in slices
        self._glanced = False  # only for the similarity test
        self.is_due = True
        self.is_changing = False
        self._waits = wait
        self.results = ResultRate()
        self.latency, self.inference = Series(30), Series(30)

    # -- what there is ---------------------------------------------------------------------------------------

    @property
    def is_asynchronous(self) -> bool:
        """True while results may belong to other frames than the current one."""
        return self.strategy.is_asynchronous

    @property
    def texture(self) -> wgpu.GPUTexture | None:
        """The newest output as a texture; None while there is none."""
        head = self._texture_head
        return head.texture if head is not None and self._has_result else None

    @property
    def channels(self) -> int:
        """Channels of the output, 0 for one that is no texture."""
        return self._texture_head.channels if self._texture_head is not None else 0

    @property
    def enlargement(self) -> int:
        """By how much the output is larger than the frame; 1 for one that is no texture."""
        return self._texture_head.enlargement if self._texture_head is not None else 1

    @property
    def source(self) -> Picture | None:
        """Frame of the newest output, as the network saw it; None while that is the one given."""
        return self._held.finished

    @property
    def held(self) -> Picture | None:
        """In step, the frame to show, that of the newest output; None if it is current or missing."""
        return self._held.finished if self._in_step and self._has_result else None

    # -- a frame ---------------------------------------------------------------------------------------------

    def encode(
        self,
        commands: FrameCommands,
        picture: Picture,
        timer: FrameTimer,
        span: str,
        *,
        look: bool = True,
        budget_ms: float | None = None,
        keep_seen: bool = False,
        in_step: bool = False,
    ) -> NetworkTurn:
        """Record a frame's work for the network, timed as `span`; raise LightloomError if inference failed.

        Args:
            look: the image differs from that of the frame before; an asynchronous network skips an equal one.
            budget_ms: GPU time the network may use of this frame; None for a complete inference.
            keep_seen: `source` is needed.
            in_step: the frame waits for its result; `held` is what to show.
        """
        self.is_due |= look
        self._in_step = in_step
        self._follow()
        if in_step and budget_ms is not None:
            budget_ms *= _IN_STEP_SHARE
        if self._repeats(picture):
            return NetworkTurn(
                span, False, False, picture.pts, (picture.texture.width, picture.texture.height)
            )
        order = Order(
            span=span,
            note=picture.pts,
            generation=self._generation,
            take_up=self.is_due,
            budget_ms=budget_ms,
            draw=self._arrived(),
        )
        bound = self.network.bind(picture.texture)
        turn = self.strategy.encode(commands, bound, timer, order)
        if turn.began:
            self.is_due = False
            self._looked_at = picture.pts
        self._is_halfway = turn.part is not None and not turn.finished
        self._glanced = turn.began and turn.part is None and not turn.finished
        self._count(turn)
        if (keep_seen or in_step) and (self.strategy.is_asynchronous or self._held.has_copies):
            self._hold_pictures(turn, commands.encoder, picture, with_original=in_step)
        return turn

    def _follow(self) -> None:
        self.is_changing = self.network.follow(wait=self._waits)
        if self.is_changing:
            self._invalidate()

    def _repeats(self, picture: Picture) -> bool:
        """True if a recurrent network has this frame's result: a second run would alter its state. On a
        thread a frame is processed only once, unless the chain before it was edited.
        """
        if not self.network.remembers or self._looked_at != picture.pts or self._is_halfway:
            return False
        if self._glanced and isinstance(self.strategy, InSlices) and not self.strategy.is_still:
            return False  # it was only tested for similarity, and was different
        self.is_due = False
        return not isinstance(self.strategy, OnWorker)

    def _arrived(self) -> Callable[[wgpu.GPUComputePassEncoder], None] | None:
        # What a thread has given for a stage; an analysis takes it with `poll`, with or without a frame.
        head = self._texture_head
        try:
            result = self.poll() if head is not None else None
        except ModelAwayError:
            # The session says so, too, for as long as it lasts (`Caller.away`); what was shown stays.
            self.is_due = True
            return None
        if head is None or result is None:
            return None
        self.latency.add(result.latency_ms)
        self.inference.add(result.inference_ms)
        head.upload(result)
        return head.encode

    def _count(self, turn: NetworkTurn) -> None:
        if turn.part is not None and self._in_step:
            now = time.perf_counter()
            self._begun_at = now if turn.began else self._begun_at
            if turn.finished:
                self.latency.add((now - self._begun_at) * 1e3)
        if turn.finished:
            self._has_result = True
            self.results.tick(time.perf_counter())

    def _hold_pictures(
        self, turn: NetworkTurn, encoder: wgpu.GPUCommandEncoder, picture: Picture, *, with_original: bool
    ) -> None:
        # A thread returns an older frame's result before it takes this one; a slice may do all of this one.
        is_older = turn.captured is not None
        if turn.finished and is_older:
            self._held.finish(encoder)
        if turn.began:
            self._held.begin(encoder, picture, with_original=with_original)
        if turn.finished and not is_older:
            self._held.finish(encoder)

    def adjust(self, values: Mapping[str, object]) -> None:
        """Pass settings to the network; a frame that it has processed is due again."""
        steps = self.network.steps
        self.network.adjust(values)
        if self.network.steps != steps:
            # What is left of the inference that is under way is not what was begun.
            self.strategy.restart()
            self._is_halfway = False
        self._invalidate()

    def _invalidate(self) -> None:
        self._looked_at, self.is_due = None, True
        self.skip_similarity_test()

    def skip_similarity_test(self) -> None:
        """Compute the next frame's result even if it is similar to the last."""
        if isinstance(self.strategy, InSlices):
            self.strategy.reset_similarity()

    def poll(self) -> FrameResult | None:
        """Return, once, the newest result from a thread, none from before `void`.

        Raise ModelAwayError if the server did not respond, LightloomError if the thread has stopped.
        """
        found = self.strategy.poll()
        return found[0] if found is not None and found[1] == self._generation else None

    def void(self) -> None:
        """Invalidate earlier results after a seek or a change of source: they must not be shown."""
        self._generation += 1
        self._looked_at, self._is_halfway = None, False
        self.network.reset_state()
        self.strategy.restart()
        # Within the frame the result is replaced at once.
        if self.strategy.is_asynchronous:
            self._has_result = False
        self._held.invalidate()

    def rest(self) -> None:
        """Suspend the network: its results are dropped, and the copies are released."""
        self._generation += 1
        self._looked_at, self._is_halfway = None, False
        self.network.reset_state()
        self.strategy.restart()
        self._has_result = False
        self._held.close()
        self.is_due = True
        for figures in (self.latency, self.inference, self.results):
            figures.clear()

    def close(self) -> None:
        """Stop what runs (an inference on a thread is waited for) and release everything."""
        self.strategy.close()
        self._held.close()
        self.network.close()
