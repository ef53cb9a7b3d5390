"""The GPU side of `OutputLayout`: an output tensor in a buffer in, a texture that covers the image out."""

from __future__ import annotations

import struct
from typing import Final

import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.resources import task_shader
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import make_recorder
from desktop.compute.nn.session import Tensor
from desktop.vision.tasks.common.dense import Output, OutputLayout

FORMATS: Final[dict[Output, str]] = {
    **{"image": "rgba16float", "enlarged": "rgba16float", "repainted": "rgba16float"},
    **{"mask": "rgba16float"},
    **{"map": "r32float", "classes": "r32float", "flow": "rg32float"},
}
ELEMENTS: Final = {"float32": 0, "float16": 1, "int32": 2, "uint32": 3}
"""The shader's `element_type` by data type."""
_BYTES: Final = {"float32": 4, "float16": 2, "int32": 4, "uint32": 4}
_KINDS: Final = {"image": 0, "enlarged": 0, "repainted": 0, "mask": 1, "map": 2, "classes": 3, "flow": 4}
_ACTIVATIONS: Final = {"none": 0, "sigmoid": 1, "softmax": 2, "argmax": 3}
# struct Plan of the shader.
_PLAN_FORMAT: Final = "<12I 2f 2I 2f 8x"
_LABEL: Final = "nn_tasks/unpack.wgsl"
UNPACK: Final = ("scores.wgsl", "unpack.wgsl")
"""Files of the shader."""


class GpuUnpacker:
    """Writes one tensor into its own texture of `layout.size`.

    rgba16float: an image, R'G'B' in 0..1 with opacity 1, or a mask's probability. r32float: a map's value or
    the most likely index. rg32float: flow to the right and down, in its texels.
    """

    def __init__(self, gpu: Gpu, layout: OutputLayout, kind: Output, tensor: Tensor) -> None:
        """Make pass and texture; raise ModelUnsupportedError for an element type or size beyond the GPU."""
        if tensor.dtype not in ELEMENTS or tensor.layout != "NCHW":
            raise ModelUnsupportedError(
                sentence(
                    "The network's output has elements of type {dtype}, which are no pixels; choose "
                    "another network.",
                    dtype=tensor.dtype,
                )
            )
        fmt = FORMATS[kind]
        most = gpu.limits["max-texture-dimension-2d"]
        width, height = layout.size
        if max(width, height) > most:
            raise ModelUnsupportedError(
                sentence(
                    "The network's output of {width} x {height} pixels is larger than this GPU's textures "
                    "of {most}; "
                    "choose a smaller working size.",
                    width=width,
                    height=height,
                    most=most,
                )
            )
        usage = wgpu.TextureUsage
        self.texture = gpu.device.create_texture(
            label="network output",
            size=(width, height, 1),
            format=fmt,
            usage=usage.TEXTURE_BINDING | usage.STORAGE_BINDING | usage.COPY_SRC,
        )
        self._plan = gpu.buffer(
            struct.calcsize(_PLAN_FORMAT), wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "unpack plan"
        )
        gpu.queue.write_buffer(self._plan, 0, pack_plan(layout, kind, tensor.offset // _BYTES[tensor.dtype]))
        bindings = Bindings(
            (
                Binding.uniform("plan"),
                Binding.read_only("tensor"),
                Binding.storage_texture("target_texture", fmt),
            )
        )
        pipeline = gpu.compute_pipeline(
            task_shader(*UNPACK).replace("TARGET_FORMAT", fmt),
            "main",
            label=_LABEL,
            layouts=[bindings.layout(gpu)],
            constants={"element_type": ELEMENTS[tensor.dtype]},
        )
        group = bindings.group(gpu, plan=self._plan, tensor=tensor.buffer, target_texture=self.texture)
        across, down = -(-width // 8), -(-height // 8)
        self._record = make_recorder([(pipeline, (group,), (across, down, 1))])

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the pass."""
        self._record(compute_pass)

    def close(self) -> None:
        """Release the texture and the plan."""
        self._record = make_recorder(())
        self.texture.destroy()
        self._plan.destroy()


def pack_plan(layout: OutputLayout, kind: Output, first: int = 0) -> bytes:
    """Return the shader's uniform; `first`: the tensor's first element in its buffer."""
    return struct.pack(
        _PLAN_FORMAT,
        *layout.size,
        *layout.strides,
        layout.channels,
        first,
        layout.channel,
        _KINDS[kind],
        _ACTIVATIONS[layout.activation],
        layout.reverse,
        0,
        layout.gain,
        layout.bias,
        *layout.enlargement_numbers,
    )
