"""Two networks within the frame: detector, regions, crops and secondary network in one pass on the GPU.

While the secondary network's points are certain, the primary does not run: regions follow from the newest
points read back, a frame or two before. A frame reads back at most 4 KiB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.compute.gpu.webgpu import Record
from desktop.pipeline.running.inputs.gpu_crops import REGION_BYTES
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import CropNetwork
from desktop.pipeline.running.one.head_reader import FLAG_BYTES, is_flagged
from desktop.pipeline.running.one.in_slices import InSlices
from desktop.pipeline.running.one.picture_network import BoundPicture, PictureNetwork
from desktop.pipeline.running.one.strategy import NetworkTurn, Order
from desktop.pipeline.running.pairs.cascade import CascadeObject, CascadeResult, ObjectRegion
from desktop.pipeline.running.pairs.pairs import Pair
from desktop.vision.tasks.common.regions import Region
from desktop.vision.tasks.task import RegionFinder, Result, Size

_SPAN: Final = "network"


@dataclass(frozen=True)
class _Plan:
    """Plan of one inference: tracked objects whose regions were written, and if the primary network rests."""

    held: tuple[ObjectRegion, ...]
    rests: bool
    region_count: int


@dataclass(frozen=True)
class _Steps:
    """Number of steps of an inference: of both networks and the regions, or of the secondary alone."""

    steps: int


@dataclass(frozen=True)
class _BoundPair:
    """A frame for both networks, or, if the first rests, for the second alone."""

    _pair: FramePair
    _first: BoundPicture | None
    _crops: Sequence[Record]
    _region_count: int
    size: Size

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record a whole inference."""
        self.encode_steps(compute_pass, 0, self._before + self._pair.second.steps)

    @property
    def _before(self) -> int:
        """Steps before those of the second network."""
        return self._pair.first.steps + 1 if self._first is not None else 0

    def encode_steps(self, compute_pass: wgpu.GPUComputePassEncoder, start: int, stop: int) -> None:
        """Record steps `start` to `stop`; crops are of the frame they are recorded into."""
        pair, before = self._pair, self._before
        if self._first is not None:
            regions = before - 1
            if start < regions:
                self._first.encode_steps(compute_pass, start, min(stop, regions))
            if start <= regions < stop:
                pair.finder.encode(compute_pass)
        if stop > before:
            begin = max(start - before, 0)
            pair.second.encode_steps(self._crops, compute_pass, begin, stop - before, self._region_count)


@dataclass(frozen=True)
class FramePairTurn:
    """Work that one frame did for the pair; see `Turn` in analysis.py."""

    _pair: FramePair
    _turn: NetworkTurn
    _plan: _Plan

    @property
    def span(self) -> str:
        """Name of its span in the frame's timer."""
        return self._turn.span

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of regions and results this frame completes; return its bytes, 0 without any."""
        if not self._turn.finished:
            return 0
        second, region_count = self._pair.second, self._plan.region_count
        size = region_count * REGION_BYTES
        encoder.copy_buffer_to_buffer(second.regions.buffer, 0, target, offset, size)
        size += second.copy_results(encoder, target, offset + size, region_count)
        # Of the first network only its NaN flag is read back.
        return size + (
            0 if self._plan.rests else self._pair.first.reader.copy_flag(encoder, target, offset + size)
        )

    def submitted(self) -> int:
        """Record the submission; nothing is read back beside the copy."""
        return self._turn.submitted()

    def measured(self, gpu_ms: float) -> None:
        """Record the GPU time of its span."""
        self._turn.measured(gpu_ms)

    def result(self, data: bytes) -> Result:
        """Return both networks' results, from the bytes that `copy_result` copied."""
        return self._pair.read_result(data, self._turn, self._plan)


class FramePair(Pair):
    """Implements the pipeline's `Analysis` for two recorded sessions, with a budget for both."""

    def __init__(
        self, gpu: Gpu, first: PictureNetwork, second: CropNetwork, finder: RegionFinder, spec: NetworkSpec
    ) -> None:
        """Put two loaded networks and what makes regions between them together; they are closed with it."""
        super().__init__(first, second, spec)
        self.finder = finder
        self._gpu = gpu
        # Each knows what its steps cost.
        self._finding = InSlices(_Steps(first.steps + 1 + second.steps))
        self._following = InSlices(_Steps(second.steps))
        self._plan = _Plan((), False, second.most)
        self._running = False

    @property
    def inference_ms(self) -> float | None:
        """Time of the last whole inference on the GPU; None where nothing can tell it."""
        return self._strategy.inference_ms

    @property
    def _strategy(self) -> InSlices:
        return self._following if self._plan.rests else self._finding

    @property
    def pending(self) -> bool:
        """True while slices of an inference are still to be recorded."""
        return self._running

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        texture: wgpu.GPUTexture,
        pts: float,
        timer: FrameTimer,
        *,
        is_new: bool,
    ) -> FramePairTurn | None:
        """Record an inference, a slice of one, or nothing where this frame's turn has not come."""
        size = (texture.width, texture.height)
        if not self._running:
            if self._is_left_out(is_new):
                return None
            self._begin(size)
        first = None if self._plan.rests else self.first.bind(texture)
        bound = _BoundPair(self, first, self.second.bind(texture), self._plan.region_count, size)
        order = Order(span=_SPAN, note=pts, budget_ms=self.budget_ms)
        turn = self._strategy.encode(FrameCommands(self._gpu, encoder), bound, timer, order)
        self._running = not turn.finished
        return FramePairTurn(self, turn, self._plan)

    def _begin(self, size: Size) -> None:
        held = self._held if self.budget_ms is not None else ()
        rests = bool(held) and not self._must_find
        self._plan = _Plan(held, rests, len(held) if rests else self.second.most)
        self.second.regions.write(
            [item.region for item in held], [(item.score or 1.0, item.index) for item in held]
        )
        if not rests:
            self.finder.prepare(size, len(held), self.second.most)

    def read_result(self, data: bytes | memoryview, turn: NetworkTurn, plan: _Plan) -> CascadeResult:
        """Return both results; carry over the objects that are certain."""
        size = plan.region_count * REGION_BYTES
        rows = np.frombuffer(bytes(data[:size]), np.float32).reshape(plan.region_count, 3, 4)
        second_result = memoryview(bytes(data[size:]))
        objects = tuple(
            CascadeObject(self._object_region(row, number, plan), self.second.decode(second_result, number))
            for number, row in enumerate(rows)
            if row[0, 3] > 0.0
        )
        has_nan = any(item.second_result.has_nan for item in objects)
        if not plan.rests:
            has_nan |= is_flagged(second_result[-FLAG_BYTES:])
        self.second.items = len(objects)
        objects = self._carry_on(objects, turn.size, rested=plan.rests)
        whole = CascadeResult(objects, (), turn.size, plan.rests, has_nan=has_nan)
        return replace(whole, note=turn.note, inference_ms=self.inference_ms or 0.0)

    def _object_region(self, row: np.ndarray, number: int, plan: _Plan) -> ObjectRegion:
        if number < len(plan.held):
            return plan.held[number]
        (a, b, c, score), (d, e, f, index), box = row.astype(float).tolist()
        names = self.first.head.features.labels
        label = names[int(index)] if int(index) < len(names) else ""
        around: Any = tuple(box)
        return ObjectRegion(label, int(index), score, around, Region((a, b, c), (d, e, f)))

    def poll(self) -> None:
        """See `Analysis`: results are in the frames."""

    def close(self) -> None:
        """Release both networks."""
        self.finder.close()
        self.second.close()
        self.first.close()
