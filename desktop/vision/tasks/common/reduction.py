"""One dispatch after a network: from output buffers to a few bytes in the frame's slot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.resources import task_shader
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import make_recorder
from desktop.compute.nn.session import Tensor

PACKING: Final = {"float32": 1, "float16": 2}
"""Numbers of a type in one word."""


class GpuReduction:
    """Records one dispatch of a shader of `shaders/nn_tasks/`. For the render thread.

    Bindings: 0 the plan (uniform), then the tensors (storage, read as words), last the result (storage,
    read_write, COPY_SRC). The shader's `override packing: u32` is the count of numbers in a word.
    """

    def __init__(
        self,
        gpu: Gpu,
        shader: str,
        plan: bytes,
        tensors: Sequence[Tensor],
        result_bytes: int,
        *,
        groups: int = 1,
        constants: Mapping[str, float] | None = None,
    ) -> None:
        """Compile it; raise ModelUnsupportedError for tensors that are not all float32 or all float16.

        Args:
            shader: file in `shaders/nn_tasks/`, with an entry `main`.
            plan, result_bytes: the uniform's bytes, a multiple of 16; bytes of the result, a multiple of 4.
            constants: further overrides of the shader.
        """
        packing = packing_of(tensors)
        usage = wgpu.BufferUsage
        self.result_bytes = result_bytes
        self.result = gpu.buffer(result_bytes, usage.STORAGE | usage.COPY_SRC, shader)
        self._plan = gpu.device.create_buffer_with_data(
            data=plan, usage=usage.UNIFORM, label=f"{shader} plan"
        )
        inputs = {f"tensor{number}": tensor.buffer for number, tensor in enumerate(tensors)}
        bindings = Bindings(
            (Binding.uniform("plan"), *map(Binding.read_only, inputs), Binding.storage("result"))
        )
        pipeline = gpu.compute_pipeline(
            task_shader(shader),
            "main",
            label=f"nn_tasks/{shader}",
            layouts=[bindings.layout(gpu)],
            constants={"packing": packing, **(constants or {})},
        )
        group = bindings.group(gpu, plan=self._plan, **inputs, result=self.result)
        self._record = make_recorder([(pipeline, (group,), (groups, 1, 1))])

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the dispatch into an open compute pass."""
        self._record(compute_pass)

    def close(self) -> None:
        """Release the buffers that it made."""
        self.result.destroy()
        self._plan.destroy()


def packing_of(tensors: Sequence[Tensor]) -> int:
    """Return the numbers in a word of tensors; raise ModelUnsupportedError for mixed or unsupported types."""
    types = sorted({tensor.dtype for tensor in tensors})
    if len(types) != 1 or types[0] not in PACKING:
        raise ModelUnsupportedError(
            sentence(
                "The network's output is {dtype}; the GPU path takes float32 and float16, choose "
                "onnxruntime.",
                dtype=" and ".join(types),
            ),
            tuple(f"output type {name}" for name in types),
        )
    return PACKING[types[0]]


def first_element(tensor: Tensor) -> int:
    """Return the place of a tensor's first number in its buffer, counted in numbers."""
    return tensor.offset * PACKING[tensor.dtype] // 4
