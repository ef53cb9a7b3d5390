"""Softmax and top-k on the GPU: n scores in a buffer become k pairs (index, probability), some tens of bytes to read back."""

from __future__ import annotations

import math
import struct
from typing import Any, Final

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.wgpu_native.recorder import make_recorder
from desktop.compute.nn.session import Tensor
from desktop.errors import ModelUnsupportedError, UsageError
from desktop.resources import resource
from desktop.wording import sentence

MOST: Final = 10
_ENTRY: Final = struct.Struct("<If")
_LABEL: Final = "nn_tasks/topk.wgsl"
_PACKING: Final = {"float32": 1, "float16": 2}


class GpuTopK:
    """Records one dispatch that leaves the k greatest of n scores in `result`. For the thread that renders.

    Attributes:
        k: entries of the result, at most `MOST` and at most the number of classes.
        result: buffer of k x (u32 index, f32 probability), greatest first, equals by lower index; COPY_SRC.
        result_bytes: 8 * k.
    """

    def __init__(self, gpu: Gpu, scores: Tensor, k: int, *, logits: bool) -> None:
        """Compile it for one tensor.

        Args:
            gpu: the device.
            scores: float32 or float16, one score a class, in memory without gaps.
            k: how many to keep, 1 to 10.
            logits: True to make probabilities of the scores by softmax, False where they are probabilities.

        Raises:
            UsageError: k is out of range.
            ModelUnsupportedError: the scores are of another type.
        """
        if not 1 <= k <= MOST:
            raise UsageError(
                sentence("The number of classes to show is {count}; give 1 to {most}.", count=k, most=MOST)
            )
        if scores.dtype not in _PACKING:
            raise ModelUnsupportedError(
                sentence(
                    "The network's output is {dtype}; the GPU path takes float32 and float16, choose onnxruntime.",
                    dtype=scores.dtype,
                ),
                (f"output type {scores.dtype}",),
            )
        count = math.prod(scores.shape)
        packing = _PACKING[scores.dtype]
        self.k = min(k, count)
        self.result_bytes = self.k * _ENTRY.size
        usage = wgpu.BufferUsage
        self.result = gpu.buffer(self.result_bytes, usage.STORAGE | usage.COPY_SRC, "top-k")
        self._plan = gpu.buffer(16, usage.UNIFORM | usage.COPY_DST, "top-k plan")
        offset = scores.offset * packing // 4
        gpu.queue.write_buffer(self._plan, 0, struct.pack("<4I", count, self.k, offset, int(logits)))
        layout = gpu.device.create_bind_group_layout(entries=_LAYOUT)
        code = resource("shaders", "nn_tasks", "topk.wgsl").read_text("utf-8")
        pipeline = gpu.compute_pipeline(
            code, "main", label=_LABEL, layouts=[layout], constants={"packing": packing}
        )
        buffers = (self._plan, scores.buffer, self.result)
        group = gpu.device.create_bind_group(
            layout=layout,
            entries=[
                {"binding": i, "resource": {"buffer": b, "offset": 0, "size": b.size}}
                for i, b in enumerate(buffers)
            ],
        )
        self._record = make_recorder([(pipeline, (group,), (1, 1, 1))])

    def encode(self, compute_pass: Any) -> None:
        """Record the dispatch into an open compute pass."""
        self._record(compute_pass)

    def decode(self, data: bytes | memoryview) -> list[tuple[int, float]]:
        """Return the (index, probability) pairs in what was copied from `result`."""
        return [(index, p) for index, p in _ENTRY.iter_unpack(bytes(data)[: self.result_bytes])]

    def close(self) -> None:
        """Release the buffers that it made."""
        self.result.destroy()
        self._plan.destroy()


_LAYOUT: Final = [
    {"binding": 0, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "uniform"}},
    {"binding": 1, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "read-only-storage"}},
    {"binding": 2, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "storage"}},
]
