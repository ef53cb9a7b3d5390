"""Derive a secondary network's regions from a detector's candidates on the GPU, without a read-back."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Final

import wgpu

from desktop.base.resources import task_shader
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import make_recorder
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.detection.decoder import Decoder
from desktop.vision.tasks.detection.gpu_candidates import GpuCandidates
from desktop.vision.tasks.task import RegionRule, Size

_PLAN: Final = "<12f4f6I2x2x4x"
_PLAN_BYTES: Final = 96
_CIRCLE, _SQUARE, _MERGES = 1, 2, 4
_BINDINGS: Final = Bindings(
    (Binding.uniform("plan"), Binding.read_only("candidates"), Binding.storage("regions"))
)


class GpuRegions:
    """Records the dispatch that makes regions of candidates. Implements `RegionFinder`."""

    def __init__(
        self,
        gpu: Gpu,
        candidates: GpuCandidates,
        decoder: Decoder,
        preprocess: Preprocess,
        regions: wgpu.GPUBuffer,
        rule: RegionRule,
        aspect: float,
        overlap: Callable[[], float],
    ) -> None:
        """Compile it.

        Args:
            candidates: writes the candidates; its dispatches come before.
            decoder: their family, which has a `shader`.
            regions: buffer of 16 regions (pipeline/running/inputs/gpu_crops.py), the first may be tracked.
            rule: derivation of a region from box and key points; without `extent`.
            aspect: width to height of the secondary network's input.
            overlap: returns the overlap at which the lower of two boxes is suppressed.
        """
        assert decoder.shader is not None and not rule.extent
        self._gpu, self._decoder, self._preprocess, self._candidates = gpu, decoder, preprocess, candidates
        self._rule, self._aspect, self._overlap = rule, aspect, overlap
        self._written = b""
        usage = wgpu.BufferUsage
        self._plan = gpu.buffer(_PLAN_BYTES, usage.UNIFORM | usage.COPY_DST, "regions plan")
        size = (preprocess.width, preprocess.height)
        code = "\n".join(
            (
                task_shader("regions.wgsl"),
                f"const COUNT = {candidates.entries}u;",
                f"const EXTRA = {max(1, candidates.extras)}u;",
                decoder.shader(size),
            )
        )
        pipeline = gpu.compute_pipeline(
            code, "main", label="nn_tasks/regions.wgsl", layouts=[_BINDINGS.layout(gpu)]
        )
        group = _BINDINGS.group(gpu, plan=self._plan, candidates=candidates.result, regions=regions)
        self._record = make_recorder([(pipeline, (group,), (1, 1, 1))])

    def prepare(self, size: Size, held: int, most: int) -> None:
        """See `RegionFinder`."""
        plan, rule, iou = self._preprocess, self._rule, self._overlap()
        box = plan.box(*size)
        flags = (_CIRCLE if rule.circle else 0) | (_SQUARE if rule.square else 0)
        flags |= _MERGES if self._decoder.merges else 0
        packed = struct.pack(
            _PLAN,
            *(plan.width, plan.height, *size),
            *(box.width / box.target_width, box.height / box.target_height, box.x, box.y),
            *(box.target_x, box.target_y, *rule.shift),
            *(rule.scale, math.radians(rule.angle), self._aspect, iou),
            *(_bits(rule.start), _bits(rule.end), flags, most, held, 4 + self._candidates.extras),
        )
        if packed != self._written:
            self._gpu.queue.write_buffer(self._plan, 0, packed)
            self._written = packed

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the dispatch, after the head's."""
        self._record(compute_pass)

    def close(self) -> None:
        """Release the buffer that it made."""
        self._plan.destroy()


def _bits(points: tuple[int, ...]) -> int:
    return sum(1 << point for point in set(points))
