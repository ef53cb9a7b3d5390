"""The GPU side of `Preprocess`: a texture in, an input tensor in a buffer out, no copy to the CPU."""

from __future__ import annotations

import math
import struct
from typing import Any, Final

import wgpu

from desktop.compute.gpu import Gpu
from desktop.compute.nn.session import Tensor
from desktop.compute.tasks.preprocess import Box, Preprocess
from desktop.errors import ModelUnsupportedError
from desktop.resources import resource

_FILTERS: Final = {"nearest": 0, "bilinear": 1, "bicubic": 2}
_BYTES: Final = {"float32": 4, "float16": 2, "uint8": 1}
# struct Plan of the shader.
_PLAN_FORMAT: Final = "<4f 8I 8I 2f 8x 12f"
_PLAN_BYTES: Final = struct.calcsize(_PLAN_FORMAT)
_KEPT_TEXTURES: Final = 4
_LABEL: Final = "nn_tasks/preprocess.wgsl"


class GpuPreprocessor:
    """Fills one input tensor from whatever texture is bound. For the thread that renders.

    The texture holds gamma-coded R'G'B' in 0..1 (rgba16float or any float format), values outside are clamped. The result
    is that of an antialiased resize of the crop's box (Pillow's `Image.resize(..., box=...)`), not rounded to 8 bits.
    """

    def __init__(self, gpu: Gpu, preprocess: Preprocess, tensor: Tensor) -> None:
        """Compile the two passes.

        Args:
            gpu: the device.
            preprocess: what to do.
            tensor: the input to fill; its shape and dtype are those of `preprocess`.

        Raises:
            ModelUnsupportedError: the tensor is not what `preprocess` makes.
        """
        _check(preprocess, tensor)
        self.preprocess = preprocess
        self._gpu = gpu
        self._tensor = tensor
        self._packing = 4 // _BYTES[tensor.dtype]
        self._layout = gpu.device.create_bind_group_layout(entries=_LAYOUT)
        code = resource("shaders", "nn_tasks", "preprocess.wgsl").read_text("utf-8")
        # `packing` is no constant of the first pass's entry, so the pipelines differ in what they are given.
        self._horizontal = gpu.compute_pipeline(code, "horizontal", label=_LABEL, layouts=[self._layout])
        self._vertical = gpu.compute_pipeline(
            code, "vertical", label=_LABEL, layouts=[self._layout], constants={"packing": self._packing}
        )
        usage = wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        self._plan = gpu.buffer(_PLAN_BYTES, usage, "preprocess plan")
        self._middle: Any = None
        self._bind_group: Any = None
        # By the texture's identity, which holds while the texture is kept beside it.
        self._bind_groups: dict[int, tuple[Any, Any]] = {}
        self._size = (0, 0)
        self._groups: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))

    @property
    def bound(self) -> bool:
        """True once a texture is bound."""
        return self._bind_group is not None

    def bind(self, texture: Any) -> None:
        """Take pictures from `texture` (a `GPUTexture`, usage TEXTURE_BINDING) from now on.

        Cheap for one of the few textures that a chain takes turns with; another size repeats the plan.
        """
        size = (texture.size[0], texture.size[1])
        if size != self._size:
            self._resize(*size)
        known = self._bind_groups.get(id(texture))
        if known is None:
            if len(self._bind_groups) >= _KEPT_TEXTURES:
                self._bind_groups.clear()
            known = self._bind_groups[id(texture)] = (texture, self._make_bind_group(texture))
        self._bind_group = known[1]

    def forget(self, texture: Any) -> None:
        """Let go of a texture that is about to be destroyed."""
        self._bind_groups.pop(id(texture), None)

    def _make_bind_group(self, texture: Any) -> Any:
        resources = (
            {"buffer": self._plan, "offset": 0, "size": _PLAN_BYTES},
            texture.create_view(),
            {"buffer": self._middle, "offset": 0, "size": self._middle.size},
            {"buffer": self._tensor.buffer, "offset": 0, "size": self._tensor.buffer.size},
        )
        return self._gpu.device.create_bind_group(
            layout=self._layout,
            entries=[{"binding": i, "resource": value} for i, value in enumerate(resources)],
        )

    def _resize(self, width: int, height: int) -> None:
        self._bind_groups.clear()
        box = self.preprocess.box(width, height)
        first, count = _rows(box, height, self.preprocess.interpolation)
        needed = self.preprocess.channels * count * box.target_width * 4
        if self._middle is None or self._middle.size < needed:
            if self._middle is not None:
                self._middle.destroy()
            self._middle = self._gpu.buffer(needed, wgpu.BufferUsage.STORAGE, "preprocess rows")
        self._gpu.queue.write_buffer(self._plan, 0, self._pack(box, width, height, first, count))
        words = math.ceil(self._elements() / self._packing)
        across = min(math.ceil(words / 64), 32768)
        self._groups = (
            (math.ceil(box.target_width / 16), math.ceil(count / 8)),
            (across, math.ceil(words / 64 / across)),
        )
        self._size = (width, height)

    def _channels(self) -> tuple[bool, int]:
        # (channels last in memory, channels as stored)
        if self._tensor.layout == "NHWC":
            return True, max(self._tensor.padded_channels, self.preprocess.channels)
        return self.preprocess.layout == "NHWC", self.preprocess.channels

    def _elements(self) -> int:
        return self.preprocess.width * self.preprocess.height * self._channels()[1]

    def _pack(self, box: Box, width: int, height: int, first: int, count: int) -> bytes:
        plan = self.preprocess
        last, stored = self._channels()
        rows = [*plan.rows, *[(0.0,) * 4] * (3 - plan.channels)]
        return struct.pack(
            _PLAN_FORMAT,
            *(box.x, box.y, box.width, box.height),
            *(width, height, plan.width, plan.height),
            *(box.target_x, box.target_y, box.target_width, box.target_height),
            *(first, count, plan.channels, stored),
            *(int(last), _FILTERS[plan.interpolation], self._tensor.offset // 4, self._elements()),
            *(plan.pad, 0.0),
            *(value for row in rows for value in row),
        )

    def encode(self, compute_pass: Any) -> None:
        """Record the two passes into an open compute pass."""
        compute_pass.set_bind_group(0, self._bind_group)
        compute_pass.set_pipeline(self._horizontal)
        compute_pass.dispatch_workgroups(*self._groups[0])
        compute_pass.set_pipeline(self._vertical)
        compute_pass.dispatch_workgroups(*self._groups[1])

    def close(self) -> None:
        """Release the buffers that it made."""
        self._plan.destroy()
        if self._middle is not None:
            self._middle.destroy()
        self._bind_group = None
        self._bind_groups.clear()


_LAYOUT: Final = [
    {"binding": 0, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "uniform"}},
    {
        "binding": 1,
        "visibility": wgpu.ShaderStage.COMPUTE,
        "texture": {"sample_type": "unfilterable-float", "view_dimension": "2d"},
    },
    {"binding": 2, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "storage"}},
    {"binding": 3, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "storage"}},
]


def _check(preprocess: Preprocess, tensor: Tensor) -> None:
    if tuple(tensor.shape) != preprocess.shape or tensor.dtype not in _BYTES or tensor.offset % 4:
        raise ModelUnsupportedError(
            f"The preprocessing makes {preprocess.dtype}{list(preprocess.shape)}, but the network's input is "
            f"{tensor.dtype}{list(tensor.shape)}; set the preprocessing to the network's input."
        )


def _rows(box: Box, height: int, interpolation: str) -> tuple[int, int]:
    # The source rows that the vertical pass will ask for, with one more at either end against rounding.
    scale = max(box.height / box.target_height, 1.0)
    support = scale * (2.0 if interpolation == "bicubic" else 1.0)
    first = max(0, math.floor(box.y - support) - 1)
    last = min(height, math.ceil(box.y + box.height + support) + 1)
    return first, max(1, last - first)
