"""The GPU part of key points: a reader's dispatches after the network, and objects of at most 3,456 bytes."""

from __future__ import annotations

import math
import struct
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.resources import task_shader
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command, make_recorder
from desktop.vision.tasks.common.reduction import packing_of
from desktop.vision.tasks.key_points.decoder import (
    MARGIN,
    KeyPointDetections,
    PointLimits,
    PointProgram,
    PointReader,
)

MOST: Final = 64
"""Objects that are left at most, where as many fit."""
RANKED: Final = 256
"""Candidates that are processed one by one, the best; RANKED of the shader."""
CAPACITY: Final = 8192
"""Candidates that can pass before they are ranked; CAPACITY of the shader."""
_BYTES: Final = 3456
_HEADER: Final = 16
_NONE: Final = 0xFFFF
"""Both numbers of a position that is none."""
_COMMON: Final = "key_points.wgsl"
_SLOTS: Final = 4
_BINDINGS: Final = Bindings(
    (
        Binding.uniform("plan"),
        *(Binding.read_only(f"tensor{slot}") for slot in range(_SLOTS)),
        Binding.read_only("settings"),
        Binding.storage("scratch"),
        Binding.storage("found"),
    )
)


def entry_type(points: int, *, has_confidences: bool) -> np.dtype[np.void]:
    """Return the number of words that the shaders write for an object."""
    fields = [
        ("score", "<f4"),
        ("class", "<u4"),
        ("box", "<u2", 4),
        ("points", "<u2", (points, 2)),
        *([("confidences", "<f4", points)] if has_confidences else []),
    ]
    return np.dtype(fields)


def capacity(reader: PointReader) -> int:
    """Return how many of a reader's objects fit into the read-back; 0 if not even one does."""
    size = entry_type(reader.skeleton.count, has_confidences=reader.has_confidences).itemsize
    return min(1 if reader.is_single else MOST, (_BYTES - _HEADER) // size)


class GpuPoints:
    """Records a program's dispatches. For the render thread.

    `result` is a buffer of a header and the objects, best first, at most 3,456 bytes; COPY_SRC.
    """

    def __init__(self, gpu: Gpu, program: PointProgram, reader: PointReader) -> None:
        """Compile it; nothing passes before `adjust`; raise ModelUnsupportedError for unfit outputs."""
        packing = packing_of(program.tensors)
        count = reader.skeleton.count
        self._most = capacity(reader)
        if not self._most:
            raise ModelUnsupportedError(
                sentence(
                    "The network gives {count} points of an object, more than the GPU path takes; choose "
                    "onnxruntime.",
                    count=count,
                ),
                (f"{count} points",),
            )
        self._gpu, self._reader = gpu, reader
        self._entry = entry_type(count, has_confidences=reader.has_confidences)
        self.result_bytes = _HEADER + self._most * self._entry.itemsize
        usage = wgpu.BufferUsage
        self.result = gpu.buffer(self.result_bytes, usage.STORAGE | usage.COPY_SRC, "key points")
        self._settings = gpu.buffer(16, usage.STORAGE | usage.COPY_DST, "key point settings")
        words = 2 * (CAPACITY + RANKED) if program.has_candidates else 1
        scratch = _HEADER + 4 * words + program.scratch
        self._scratch = gpu.buffer(scratch, usage.STORAGE, "key point candidates")
        self._plans: list[wgpu.GPUBuffer] = []
        constants: dict[str, float] = {
            "packing": packing,
            "points": count,
            "confident": int(reader.has_confidences),
        }
        self._record = make_recorder([self._command(program, step, constants) for step in program.steps])

    def _command(
        self, program: PointProgram, step: tuple[str, bytes, int], constants: dict[str, float]
    ) -> Command:
        entry, plan, groups = step
        pipeline = self._gpu.compute_pipeline(
            task_shader(_COMMON, program.shader),
            entry,
            label=f"nn_tasks/{program.shader}",
            layouts=[_BINDINGS.layout(self._gpu)],
            constants=constants,
        )
        uniform = self._gpu.device.create_buffer_with_data(
            data=plan, usage=wgpu.BufferUsage.UNIFORM, label=f"{program.shader} plan"
        )
        self._plans.append(uniform)
        tensors = [program.tensors[min(slot, len(program.tensors) - 1)] for slot in range(_SLOTS)]
        inputs = {f"tensor{slot}": tensor.buffer for slot, tensor in enumerate(tensors)}
        group = _BINDINGS.group(
            self._gpu,
            plan=uniform,
            **inputs,
            settings=self._settings,
            scratch=self._scratch,
            found=self.result,
        )
        return pipeline, (group,), (groups, 1, 1)

    def adjust(self, limits: PointLimits) -> None:
        """Set the thresholds, from the next frame on."""
        wanted = self._reader.gpu_limits(limits)
        most = min(limits.most, self._most)
        self._gpu.queue.write_buffer(
            self._settings, 0, struct.pack("<2f2I", wanted.score, wanted.iou, most, 0)
        )

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the dispatches into an open compute pass, after the network's."""
        self._record(compute_pass)

    def decode(self, data: bytes | memoryview) -> KeyPointDetections:
        """Decode the bytes copied from `result`."""
        stored, passed = struct.unpack_from("<2I", data)
        things = np.frombuffer(bytes(data), self._entry, min(stored, self._most), _HEADER)
        scores = things["score"].astype(np.float64)
        known = (things["points"] != _NONE).any(axis=-1)
        points = np.where(known[..., None], _unpacked(things["points"]), 0.0)
        confidences = things["confidences"] if self._reader.has_confidences else scores[:, None]
        confidences = np.where(known, confidences.astype(np.float64), 0.0)
        boxes = _unpacked(things["box"]) if self._reader.has_boxes else None
        classes = things["class"].astype(np.int64)
        return KeyPointDetections(scores, classes, points, confidences, boxes, max(0, passed - RANKED))

    def close(self) -> None:
        """Release the buffers that it made."""
        for buffer in (self.result, self._settings, self._scratch, *self._plans):
            buffer.destroy()


def _unpacked(words: np.ndarray) -> np.ndarray:
    """Shares of the input; `packed` of the shader."""
    return np.asarray(words.astype(np.float64) / 65535.0 * (1.0 + 2.0 * MARGIN) - MARGIN)


def groups_of(threads: int, size: int = 64) -> int:
    """Return the number of workgroups for this number of threads."""
    return math.ceil(threads / size)
