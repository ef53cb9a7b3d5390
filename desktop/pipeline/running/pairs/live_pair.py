"""Two networks in turn on threads, with the first one's results on the CPU before the second runs.

For sessions with host arrays, and primary networks whose regions no shader computes (otherwise
frame_pair.py). While the primary rests, regions follow from the secondary's points in the newest image.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, Final, cast

import wgpu

from desktop.base.errors import ModelAwayError
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.running.inputs.picture import Picture
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import CropNetwork
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.pipeline.running.one.runner import InferenceRunner
from desktop.pipeline.running.one.strategy import NetworkTurn
from desktop.pipeline.running.pairs.cascade import (
    CascadeObject,
    CascadeResult,
    ObjectRegion,
    find_objects,
    joined,
)
from desktop.pipeline.running.pairs.pairs import Pair, region_rule
from desktop.pipeline.running.worker import CapturedInput, CpuWorker
from desktop.vision.tasks.shapes import Box, Mask, Polygon
from desktop.vision.tasks.task import Result, Size

_SPAN: Final = "network"
# Rest after a result beside a CPU frame: as long as the result took, and at least so many seconds. Shorter
# than a single network's, since a tracked hand takes one small network and should come ten times a second.
_LEAST_REST_S: Final = 0.02


class _State(Enum):
    IDLE = auto()
    FINDING = auto()  # the first network is running, or its result is in flight
    LOOKING = auto()  # the second network is running


@dataclass(frozen=True)
class _Job:
    """Second network's work: objects and the rest of the first's result, frame size and time, and start."""

    found: tuple[ObjectRegion, ...]
    others: tuple[Any, ...]
    size: Size
    pts: float
    rested: bool
    begun: float
    first_ms: float
    has_nan: bool


@dataclass(frozen=True)
class LivePairTurn:
    """Work that one frame did for the pair; see `Turn` in analysis.py."""

    _pair: LivePair
    _first: NetworkTurn | None = None
    _captured: CapturedInput | None = None
    _task: _Job | None = None
    span: str = _SPAN

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of the primary network's result; return its bytes, 0 without one."""
        network = self._pair.first
        if self._first is None or not (self._first.finished and network.encodes):
            return 0
        return network.reader.copy_result(encoder, target, offset)

    def submitted(self) -> int:
        """Record the submission. Return the bytes that the frame reads back for a thread."""
        if self._captured is not None:
            return self._captured.submitted(self._task)
        return self._first.submitted() if self._first is not None else 0

    def measured(self, gpu_ms: float) -> None:
        """Record the GPU time of its span."""
        if self._first is not None:
            self._first.measured(gpu_ms)

    def result(self, data: bytes) -> Result | None:
        """Accept the first network's result; return the whole result if there is nothing for the second."""
        assert self._first is not None
        found = self._pair.first.reader.decode(data, self._first.size)
        return self._pair.accept_detections(cast(Result, found))


class LivePair(Pair):
    """Implements the pipeline's `Analysis`. The secondary uses host arrays; the budget is the primary's."""

    def __init__(self, gpu: Gpu, first: PictureNetwork, second: CropNetwork, spec: NetworkSpec) -> None:
        """Put two loaded networks together; they are closed with it."""
        super().__init__(first, second, spec)
        self.inference_ms: float | None = None
        self._gpu = gpu
        self._runner = InferenceRunner(gpu, first)
        self._rule = region_rule(first.head, second.heads[0], spec)
        self._worker: CpuWorker | None = None
        self._input_copy: wgpu.GPUTexture | None = None
        self._state = _State.IDLE
        self._picture: tuple[Size, float, float] = (
            (0, 0),
            0.0,
            0.0,
        )  # size, pts and hand-over of what the first network processes
        self._rest_until, self._resting = 0.0, False
        self._has_slices = False

    @property
    def pending(self) -> bool:
        """True while a result is pending, or a frame waits until the processor has rested."""
        return self._state is not _State.IDLE or self._resting

    # -- a frame ---------------------------------------------------------------------------------------------

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        texture: wgpu.GPUTexture,
        pts: float,
        timer: FrameTimer,
        *,
        is_new: bool,
    ) -> LivePairTurn | None:
        """Record the work of this frame: the first network, or the crops of carried regions."""
        if self._state is _State.LOOKING:
            return None
        if self._state is _State.FINDING:
            return self._find(encoder, texture, pts, timer) if self._has_slices else None
        if self._is_left_out(is_new):
            return None
        is_paused = self.first.caller.is_paused or self.second.caller.is_paused
        rests = self.budget_ms is not None and time.perf_counter() < self._rest_until
        self._resting = is_paused or rests
        if self._resting:
            return None
        size = (texture.width, texture.height)
        self._picture = (size, pts, time.perf_counter())
        if self._held and not self._must_find and self.budget_ms is not None:
            task = _Job(self._held, (), *self._picture[:2], True, self._picture[2], 0.0, False)
            compute_pass = encoder.begin_compute_pass(**timer.begin(_SPAN))
            captured = self._cut(encoder, compute_pass, texture, task)
            timer.end()
            self._state = _State.LOOKING
            return LivePairTurn(self, _captured=captured, _task=task)
        self._state = _State.FINDING
        self._copy_input(encoder, texture)
        self._has_slices = self.first.encodes
        return self._find(encoder, texture, pts, timer)

    def _find(
        self, encoder: wgpu.GPUCommandEncoder, texture: wgpu.GPUTexture, pts: float, timer: FrameTimer
    ) -> LivePairTurn:
        commands = FrameCommands(self._gpu, encoder)
        picture = Picture(texture, texture, pts)
        turn = self._runner.encode(commands, picture, timer, _SPAN, budget_ms=self.budget_ms)
        self._has_slices = self.first.encodes and not turn.finished
        return LivePairTurn(self, turn)

    def _copy_input(self, encoder: wgpu.GPUCommandEncoder, texture: wgpu.GPUTexture) -> None:
        """Record a copy of the first network's frame, for the second's crops."""
        if (
            self._input_copy is None
            or self._input_copy.size != texture.size
            or self._input_copy.format != texture.format
        ):
            self._let_go()
            usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
            self._input_copy = self._gpu.device.create_texture(
                label="processed", size=texture.size, format=texture.format, usage=usage
            )
        encoder.copy_texture_to_texture({"texture": texture}, {"texture": self._input_copy}, texture.size)

    def _let_go(self) -> None:
        if self._input_copy is not None:
            self.second.release_texture(self._input_copy)
            self._input_copy.destroy()
            self._input_copy = None

    def _cut(
        self,
        encoder: wgpu.GPUCommandEncoder,
        compute_pass: wgpu.GPUComputePassEncoder,
        texture: wgpu.GPUTexture,
        task: _Job,
    ) -> CapturedInput:
        """Record the crops into an open pass, which ends with them, and their copy for the thread."""
        if self._worker is None:
            self._worker = self.second.make_worker()
        self.second.regions.write([item.region for item in task.found])
        self.second.items = len(task.found)
        self.second.encode_crops(compute_pass, texture, len(task.found))
        compute_pass.end()
        return self._worker.capture(encoder, len(task.found))

    # -- what comes back -------------------------------------------------------------------------------------

    def poll(self) -> Result | None:
        """Return, once, the newest complete result.

        Raise ModelError, or ModelAwayError if the server did not respond and the request is repeated.
        """
        try:
            return self._poll()
        except ModelAwayError:
            self._state, self._has_slices, self._resting = _State.IDLE, False, True
            raise

    def _poll(self) -> Result | None:
        if self._state is _State.FINDING:
            result = cast("Result | None", self._runner.poll())
            if result is not None:
                return self.accept_detections(result)
        if self._state is _State.LOOKING and self._worker is not None:
            looked = self._worker.poll()
            if looked is not None:
                second_results, task, _, second_ms = looked
                return self._complete_result(task, second_results, second_ms)
        return None

    def accept_detections(self, result: Result) -> Result | None:
        """Accept the primary network's result and start the secondary; return it if nothing is left to do."""
        size, pts, begun = self._picture
        width, height = self.second.size
        most, carry = self.second.most, self.second.carry
        things, others = find_objects(result, self._rule, size, width / height, most)
        if carry is not None and self.budget_ms is not None:
            things = joined(self._held, things, most)
        first_ms = self._runner.strategy.inference_ms or 0.0
        task = _Job(things, others, size, pts, False, begun, first_ms, result.has_nan)
        if not things:
            return self._complete_result(task, (), 0.0)
        assert self._input_copy is not None
        encoder = self._gpu.device.create_command_encoder()
        captured = self._cut(encoder, encoder.begin_compute_pass(), self._input_copy, task)
        self._gpu.queue.submit([encoder.finish()])
        captured.submitted(task)
        self._state = _State.LOOKING
        return None

    def _complete_result(
        self, task: _Job, second_results: tuple[Result, ...], second_ms: float
    ) -> CascadeResult:
        self._state = _State.IDLE
        self.inference_ms = task.first_ms + second_ms
        if self.first.shares_cores:
            self._rest_until = time.perf_counter() + max(_LEAST_REST_S, self.inference_ms / 1e3)
        objects = tuple(
            CascadeObject(found, result) for found, result in zip(task.found, second_results, strict=True)
        )
        objects = self._carry_on(objects, task.size, rested=task.rested)
        # During playback, those that are not carried would come and go with the first network's frames.
        goes_on = self.second.carry is not None and self.budget_ms is not None
        others = () if goes_on else task.others
        # The points of an object with a box are no further object.
        left_out = sum(isinstance(shape, Box | Polygon | Mask) for shape in task.others)
        has_nan = task.has_nan or any(result.has_nan for result in second_results)
        whole = CascadeResult(objects, others, task.size, task.rested, left_out, has_nan=has_nan)
        latency = (time.perf_counter() - task.begun) * 1e3
        return replace(whole, note=task.pts, latency_ms=latency, inference_ms=self.inference_ms)

    def close(self) -> None:
        """Release both networks; waits for work on a thread."""
        self.second.caller.abort()
        self._runner.close()
        if self._worker is not None:
            self._worker.close()
        self._let_go()
        self.second.close()
