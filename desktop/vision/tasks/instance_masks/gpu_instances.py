"""Instance masks on the GPU: candidates, suppression, coefficients times prototypes, within the frame."""

from __future__ import annotations

import struct
from typing import Final

import numpy as np
import wgpu

from desktop.base.resources import task_shader
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Record, make_recorder
from desktop.compute.nn.session import Tensor
from desktop.vision.tasks.common.mask_ring import MaskRing
from desktop.vision.tasks.common.reduction import first_element, packing_of
from desktop.vision.tasks.detection.candidates import MOST as MOST_CANDIDATES
from desktop.vision.tasks.detection.candidates import Candidates
from desktop.vision.tasks.detection.decoder import AnchorGroup
from desktop.vision.tasks.detection.gpu_candidates import GpuCandidates, column_place
from desktop.vision.tasks.instance_masks.forms import Instances
from desktop.vision.tasks.task import Size

MOST: Final = 32
"""Instances that have a mask, at most."""
_HEADER: Final = struct.Struct("<4I")
_ENTRY: Final = np.dtype([("key", "<u4"), ("score", "<f4"), ("values", "<f2", 4), ("area", "<u4")])
_PLAN: Final = "<8I2f6I"
_TILE: Final = 8
_BINDINGS: Final = Bindings(
    (
        Binding.uniform("plan"),
        Binding.uniform("settings"),
        Binding.read_only("candidates"),
        Binding.read_only("table"),
        Binding.read_only("prototypes"),
        Binding.storage("result"),
        Binding.storage_texture("logits", "r32float", "2d-array"),
    )
)


class GpuInstances:
    """Records dispatches for masks in the ring and instances in `result`. For the render thread.

    `result` has a header and `MOST` instances, best first; COPY_SRC.
    """

    def __init__(
        self,
        gpu: Gpu,
        tensors: dict[str, Tensor],
        group: AnchorGroup,
        instances: Instances,
        ring: MaskRing,
        size: Size,
    ) -> None:
        """Compile it; nothing passes before `adjust`; raise ModelUnsupportedError for unfit outputs."""
        names = {c.output for c in (group.scores, group.box, group.objectness) if c is not None}
        table, prototypes = tensors[instances.coefficients.output], tensors[instances.prototypes]
        packing = packing_of((table, prototypes))
        self._gpu = gpu
        self._ring = ring
        powers = instances.decoder.powers
        self._candidates = GpuCandidates(gpu, {name: tensors[name] for name in names}, (group,), powers)
        usage = wgpu.BufferUsage
        self.result_bytes = _HEADER.size + MOST * _ENTRY.itemsize
        self.result = gpu.buffer(self.result_bytes, usage.STORAGE | usage.COPY_SRC, "instances")
        self._settings = gpu.buffer(16, usage.UNIFORM | usage.COPY_DST, "instances' settings")
        code = task_shader("instance_masks.wgsl")
        suppress, masks = (
            gpu.compute_pipeline(
                code,
                entry,
                label="nn_tasks/instance_masks.wgsl",
                layouts=[_BINDINGS.layout(gpu)],
                constants={"packing": packing} if entry == "masks" else {},
            )
            for entry in ("suppress", "masks")
        )
        self._plans: list[wgpu.GPUBuffer] = []
        self._records: list[Record] = []
        groups = (-(-ring.size[0] // _TILE), -(-ring.size[1] // _TILE), ring.layers)
        for slot, texture in enumerate(ring.textures):
            plan = gpu.device.create_buffer_with_data(
                data=self._plan(table, prototypes, group, instances, size, slot),
                usage=usage.UNIFORM,
                label="instances' plan",
            )
            self._plans.append(plan)
            bound = _BINDINGS.group(
                gpu,
                plan=plan,
                settings=self._settings,
                candidates=self._candidates.result,
                table=table.buffer,
                prototypes=prototypes.buffer,
                result=self.result,
                logits=texture,
            )
            self._records.append(make_recorder([(suppress, (bound,), (1, 1, 1)), (masks, (bound,), groups)]))

    def _plan(
        self,
        table: Tensor,
        prototypes: Tensor,
        group: AnchorGroup,
        instances: Instances,
        size: Size,
        slot: int,
    ) -> bytes:
        width, height = self._ring.size
        channels = prototypes.padded_channels
        if prototypes.layout == "NHWC":  # the second axis is the innermost in memory, whatever it means
            steps = (1, width * channels, channels)
            steps = (channels, 1, instances.count * channels) if instances.are_last else steps
        else:
            steps = (width * height, width, 1)
            steps = (1, width * instances.count, instances.count) if instances.are_last else steps
        of_one = (1, 1) if instances.has_shares else size
        return struct.pack(
            _PLAN,
            *column_place(table, instances.coefficients, group.anchors),
            instances.count,
            *(first_element(prototypes), *steps),
            *(width / of_one[0], height / of_one[1]),
            *(instances.has_middles, slot, min(MOST_CANDIDATES, group.anchors)),
            *(0, 0, 0),
        )

    def adjust(self, score: float, iou: float, shown: np.ndarray) -> None:
        """Set least score, suppression overlap and shown classes, from the next frame on."""
        self._candidates.adjust(score, shown)
        self._gpu.queue.write_buffer(self._settings, 0, struct.pack("<4f", iou, 0.0, 0.0, 0.0))

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the dispatches into an open compute pass, after the network's."""
        self._candidates.encode(compute_pass)
        self._records[self._ring.take()](compute_pass)

    def decode(self, data: bytes | memoryview) -> tuple[Candidates, np.ndarray, int, int]:
        """Return a copy of `result`: instances, texels of each mask, number left out, turn in the ring."""
        whole = bytes(data)
        passed, stayed, slot, _ = _HEADER.unpack_from(whole)
        found = np.frombuffer(whole, _ENTRY, min(stayed, self._ring.layers), _HEADER.size)
        count = len(found)
        left_out = stayed - count + max(0, passed - MOST_CANDIDATES)
        instances = Candidates(
            (found["key"] & 0xFFFFF).astype(np.int64),
            (found["key"] >> 20).astype(np.int64),
            found["score"].astype(np.float64),
            found["values"].astype(np.float64),
            passed,
        )
        return instances, found["area"].astype(np.int64), left_out, self._ring.turn(slot)

    def close(self) -> None:
        """Release the buffers that it made."""
        self._candidates.close()
        for buffer in (self.result, self._settings, *self._plans):
            buffer.destroy()
