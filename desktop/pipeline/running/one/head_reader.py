"""Read back a head's result, and a flag for NaN in the network's outputs (`FrameResult.has_nan`).

A head detects nothing in NaN, as in an empty frame: redaction could not tell a float16 overflow from an empty
street. Not a check in each head's shader: that means nine shaders to maintain.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import wgpu

from desktop.base.resources import task_shader
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command, make_recorder
from desktop.compute.nn.session import Session, Tensor
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.reduction import PACKING, first_element
from desktop.vision.tasks.task import FrameResult, Head, Result, Size

FLAG_BYTES: Final = 4
_THREADS: Final = 256
# Enough to keep a GPU busy; each thread loops over several values.
_MOST_GROUPS: Final = 256
_LABEL: Final = "nn_tasks/not_a_number.wgsl"
_BINDINGS: Final = Bindings((Binding.uniform("plan"), Binding.read_only("values"), Binding.storage("found")))


class NanWatch:
    """Scan of outputs for NaN on the GPU; `flag` is a word, 1 if there is one. For the rendering thread."""

    def __init__(self, gpu: Gpu, tensors: Sequence[Tensor]) -> None:
        """Compile it for outputs; integer outputs have no NaN."""
        usage = wgpu.BufferUsage
        self.flag = gpu.buffer(FLAG_BYTES, usage.STORAGE | usage.COPY_SRC, "not a number")
        self._plans: list[wgpu.GPUBuffer] = []
        commands = [
            part for tensor in tensors if tensor.dtype in PACKING for part in self._parts(gpu, tensor)
        ]
        # One of the dispatches resets the flag.
        self._record = make_recorder([*commands[:1], *commands[1::2]])

    def _parts(self, gpu: Gpu, tensor: Tensor) -> tuple[Command, Command]:
        count = math.prod(tensor.shape)
        if tensor.layout == "NHWC":
            count = count // tensor.shape[1] * max(tensor.padded_channels, tensor.shape[1])
        plan = gpu.device.create_buffer_with_data(
            data=struct.pack("<2I8x", first_element(tensor), count),
            usage=wgpu.BufferUsage.UNIFORM,
            label=_LABEL,
        )
        self._plans.append(plan)
        groups = max(1, min(_MOST_GROUPS, -(-count // _THREADS)))
        code = task_shader("not_a_number.wgsl")
        constants = {"packing": PACKING[tensor.dtype], "threads": groups * _THREADS}
        bound = _BINDINGS.group(gpu, plan=plan, values=tensor.buffer, found=self.flag)

        def command(entry: str, across: int, **constants: float) -> Command:
            layouts = [_BINDINGS.layout(gpu)]
            pipeline = gpu.compute_pipeline(code, entry, label=_LABEL, layouts=layouts, constants=constants)
            return pipeline, (bound,), (across, 1, 1)

        return command("begin", 1), command("look", groups, **constants)

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record it into an open compute pass, after the network's dispatches."""
        self._record(compute_pass)

    def close(self) -> None:
        """Release the buffers that it made."""
        for buffer in (self.flag, *self._plans):
            buffer.destroy()


class HeadReader:
    """A head, closed with its reader, and the scan of its outputs for NaN; `result_bytes` are copied."""

    def __init__(self, gpu: Gpu, session: Session, head: Head) -> None:
        """Combine both; a head that writes a texture and reads nothing back is not scanned."""
        self.head = head
        self._watch: NanWatch | None = None
        recorded = session.capabilities.recorder
        if recorded is not None and head.result_bytes:
            self._watch = NanWatch(gpu, [recorded.tensor(info.name) for info in session.outputs])

    @property
    def result_bytes(self) -> int:
        """Bytes that are read back: the head's, then the flag."""
        return self.head.result_bytes + (FLAG_BYTES if self._watch is not None else 0)

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record both; see `Head.encode`."""
        self.head.encode(compute_pass)
        if self._watch is not None:
            self._watch.encode(compute_pass)

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of both; return its bytes, `result_bytes`."""
        size = self.head.copy_result(encoder, target, offset)
        return size + self.copy_flag(encoder, target, offset + size)

    def copy_flag(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Record the copy of the flag alone; return its bytes."""
        if self._watch is None:
            return 0
        encoder.copy_buffer_to_buffer(self._watch.flag, 0, target, offset, FLAG_BYTES)
        return FLAG_BYTES

    def decode(self, data: bytes | memoryview, size: Size) -> FrameResult:
        """Return the result in what `copy_result` copied; see `Head.decode`."""
        whole = self.head.result_bytes
        result = self.head.decode(data[:whole], size)
        return replace(result, has_nan=is_flagged(data[whole : whole + FLAG_BYTES]))

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> FrameResult:
        """Return the result in whole outputs; see `Head.read`."""
        result = self.head.read(outputs, size)
        # Textures of the chain are visible; they do not claim that nothing is there.
        return replace(result, has_nan=isinstance(result, Result) and has_nan(outputs))

    def read_parts(
        self, outputs: Sequence[Mapping[str, np.ndarray]], parts: Sequence[Preprocess], size: Size
    ) -> FrameResult:
        """Return the result in the outputs for several parts of a frame; see `Head.read_parts`."""
        result = self.head.read_parts(outputs, parts, size)
        return replace(result, has_nan=any(map(has_nan, outputs)))

    def close(self) -> None:
        """Release what both hold."""
        if self._watch is not None:
            self._watch.close()
        self.head.close()


def is_flagged(data: bytes | memoryview) -> bool:
    """Return True if a copied flag is set."""
    return any(bytes(data))


def has_nan(outputs: Mapping[str, np.ndarray]) -> bool:
    """Return True if one of the outputs contains NaN."""
    return any(value.dtype.kind == "f" and bool(np.isnan(value).any()) for value in outputs.values())
