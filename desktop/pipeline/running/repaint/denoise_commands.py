"""Dispatches of denoise.wgsl: the similarity test with the last image, and the steps around a denoiser."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

import wgpu

from desktop.base.resources import task_shader
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command
from desktop.compute.nn.session import Tensor
from desktop.pipeline.running.repaint.denoising import SKETCH

WATCHED: Final = 2
"""Number of dispatches of the similarity test: squares, and their comparison."""
_LABEL: Final = "nn_tasks/denoise.wgsl"
# struct Plan of the shader.
_PLAN_FORMAT: Final = "<9I 2f 4x"
_PLAN_BYTES: Final = struct.calcsize(_PLAN_FORMAT)
_BINDINGS: Final = Bindings(
    (
        Binding.uniform("plan"),
        Binding.read_only("source"),
        Binding.storage("goal"),
        Binding.storage("means"),
        Binding.storage("kept"),
        Binding.storage("state"),
    )
)


class DenoiseCommands:
    """Builder of the dispatches for one image size, with the state of the last image.

    `state` is two words: 1 once there is a result; 1 if the image is similar to that of the result.
    """

    def __init__(self, gpu: Gpu, width: int, height: int) -> None:
        """Make the buffers, which are zero."""
        self._gpu = gpu
        self._size = (width, height, -(-width // SKETCH), -(-height // SKETCH))
        self.squares = self._size[2] * self._size[3]
        self._owned: list[wgpu.GPUBuffer] = []
        self._plans: list[tuple[wgpu.GPUBuffer, tuple[int, int, int, int], int]] = []
        self._means = self._buffer(12 * self.squares, "squares")
        self._squares = self._buffer(12 * self.squares, "squares kept")
        self.state = self._buffer(8, "denoising state")

    def _buffer(self, size: int, label: str) -> wgpu.GPUBuffer:
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.COPY_SRC
        self._owned.append(self._gpu.buffer(size, usage, label))
        return self._owned[-1]

    def make(self, entry: str, source: Tensor, goal: Tensor, threads: int, step: int = 0) -> Command:
        """Return a dispatch of an entry point, of `threads` threads, for step `step`."""
        usage = wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        plan = self._gpu.buffer(_PLAN_BYTES, usage, "denoising plan")
        self._owned.append(plan)
        places = (source.offset // 4, goal.offset // 4, source.dtype == "float16", goal.dtype == "float16")
        self._plans.append((plan, places, step))
        pipeline = self._gpu.compute_pipeline(
            task_shader("denoise.wgsl"),
            entry,
            label=_LABEL,
            layouts=[_BINDINGS.layout(self._gpu)],
        )
        group = _BINDINGS.group(
            self._gpu,
            plan=plan,
            source=source.buffer,
            goal=goal.buffer,
            means=self._means,
            kept=self._squares,
            state=self.state,
        )
        return pipeline, (group,), groups_of(threads)

    def watch(self, picture: Tensor, result: Tensor) -> list[Command]:
        """Return the dispatches of the similarity test: WATCHED of them."""
        return [
            self.make("reduce", picture, result, 3 * self.squares),
            self.make("judge", picture, result, 1),
        ]

    def write(self, levels: Sequence[float], seed: int, similarity: float) -> None:
        """Set the noise share of each recorded step, the seed, and `is_like`'s threshold of the range."""
        for plan, places, step in self._plans:
            if step >= len(levels):
                continue
            data = struct.pack(_PLAN_FORMAT, *self._size, *places, seed, levels[step], 2 * similarity)
            self._gpu.queue.write_buffer(plan, 0, data)

    def restart(self) -> None:
        """Treat the next image as different."""
        self._gpu.queue.write_buffer(self.state, 0, bytes(8))

    def close(self) -> None:
        """Release the buffers."""
        for buffer in self._owned:
            buffer.destroy()


def groups_of(threads: int) -> tuple[int, int, int]:
    """Return the workgroups of 64 threads for so many threads, in rows."""
    across = min(-(-threads // 64), 32768)
    return across, -(-threads // 64 // across), 1
