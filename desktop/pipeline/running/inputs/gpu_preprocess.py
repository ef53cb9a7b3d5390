"""GPU implementation of `Preprocess`: from a texture to an input tensor in a buffer."""

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
from desktop.compute.gpu.webgpu import Record, make_recorder
from desktop.compute.nn.session import Tensor
from desktop.vision.models.preprocess import Preprocess, SourceBox

_BYTES: Final = {"float32": 4, "float16": 2, "uint8": 1, "int8": 1, "int32": 4}
_HELD: Final = ("uint8", "int8", "int32")
"""Types that are stored with one number in a word, int32, on the GPU."""
# struct Plan of the shader.
_PLAN_FORMAT: Final = "<8I 7If 12f"
_PLAN_BYTES: Final = struct.calcsize(_PLAN_FORMAT)
_MAX_TEXTURES: Final = 4
_LABEL: Final = "nn_tasks/preprocess.wgsl"
_BINDINGS: Final = Bindings(
    (
        Binding.uniform("plan"),
        Binding.texture("source", "unfilterable-float"),
        Binding.storage("middle"),
        Binding.storage("tensor"),
        Binding.read_only("taps"),
    )
)


class GpuPreprocessor:
    """Fills one input tensor from the bound texture, as Pillow's antialiased `Image.resize(..., box=...)`
    does without rounding. For the rendering thread. The texture holds gamma-coded R'G'B', clamped to 0..1.
    """

    def __init__(self, gpu: Gpu, preprocess: Preprocess, tensor: Tensor) -> None:
        """Compile the passes that fill `tensor`; raise ModelUnsupportedError if it misfits `preprocess`."""
        _check(preprocess, tensor)
        self.preprocess = preprocess
        self._gpu = gpu
        self._tensor = tensor
        self._packing = 4 // _BYTES[tensor.dtype]
        layouts = [_BINDINGS.layout(gpu)]
        code = task_shader("preprocess.wgsl")
        # `packing` is no constant of the first pass's entry, so the pipelines differ in what they are given.
        self._horizontal = gpu.compute_pipeline(code, "horizontal", label=_LABEL, layouts=layouts)
        self._vertical = gpu.compute_pipeline(
            code, "vertical", label=_LABEL, layouts=layouts, constants=storing(preprocess, tensor.dtype)
        )
        usage = wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        self._plan = gpu.buffer(_PLAN_BYTES, usage, "preprocess plan")
        self._middle: wgpu.GPUBuffer | None = None
        self._taps: wgpu.GPUBuffer | None = None
        self._record: Record | None = None
        # By the texture's identity, which holds while the texture is kept beside it.
        self._records: dict[int, tuple[wgpu.GPUTexture, Record]] = {}
        self._size = (0, 0)
        self._groups: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))

    @property
    def bound(self) -> bool:
        """True once a texture is bound."""
        return self._record is not None

    def bind(self, texture: wgpu.GPUTexture) -> Record:
        """Use `texture` (usage TEXTURE_BINDING) from now on; return a function that records the passes. Cheap
        for the few textures that a chain alternates between; another size repeats the planning.
        """
        size = (texture.size[0], texture.size[1])
        if size != self._size:
            self._resize(*size)
        known = self._records.get(id(texture))
        if known is None:
            if len(self._records) >= _MAX_TEXTURES:
                self._records.clear()
            known = self._records[id(texture)] = (texture, self._make_record(texture))
        self._record = known[1]
        return self._record

    def release_texture(self, texture: wgpu.GPUTexture) -> None:
        """Release a texture that is about to be destroyed."""
        self._records.pop(id(texture), None)

    def _make_record(self, texture: wgpu.GPUTexture) -> Record:
        group = _BINDINGS.group(
            self._gpu,
            plan=self._plan,
            source=texture,
            middle=self._middle,
            tensor=self._tensor.buffer,
            taps=self._taps,
        )
        across, down = self._groups
        return make_recorder(
            [(self._horizontal, (group,), (*across, 1)), (self._vertical, (group,), (*down, 1))]
        )

    def _resize(self, width: int, height: int) -> None:
        self._records.clear()
        box = self.preprocess.box(width, height)
        plan = self.preprocess
        columns = filter_taps(box.target_width, box.x, box.width, width, plan.interpolation)
        rows = filter_taps(box.target_height, box.y, box.height, height, plan.interpolation)
        first = int(rows[0].min())
        count = int(rows[0].max()) + rows[1].shape[1] - first
        usage = wgpu.BufferUsage.STORAGE
        self._middle = self._sized(
            self._middle, plan.channels * count * box.target_width * 4, usage, "preprocess rows"
        )
        packed = _pack_taps(columns) + _pack_taps((rows[0] - first, rows[1]))
        self._taps = self._sized(
            self._taps, len(packed), usage | wgpu.BufferUsage.COPY_DST, "preprocess taps"
        )
        self._gpu.queue.write_buffer(self._taps, 0, packed)
        taps = (columns[1].shape[1], rows[1].shape[1])
        self._gpu.queue.write_buffer(self._plan, 0, self._pack(box, taps, first, count))
        words = math.ceil(self._elements() / self._packing)
        across = min(math.ceil(words / 64), 32768)
        self._groups = (
            (math.ceil(box.target_width / 16), math.ceil(count / 8)),
            (across, math.ceil(words / 64 / across)),
        )
        self._size = (width, height)

    def _sized(self, buffer: wgpu.GPUBuffer | None, size: int, usage: int, label: str) -> wgpu.GPUBuffer:
        # Grows only: changing from clip to clip should not make and destroy buffers every time.
        if buffer is not None and buffer.size >= size:
            return buffer
        if buffer is not None:
            buffer.destroy()
        return self._gpu.buffer(size, usage, label)

    def _channels(self) -> tuple[bool, int]:
        # (channels last in memory, channels as stored)
        if self._tensor.layout == "NHWC":
            return True, max(self._tensor.padded_channels, self.preprocess.channels)
        return self.preprocess.layout == "NHWC", self.preprocess.channels

    def _elements(self) -> int:
        return self.preprocess.width * self.preprocess.height * self._channels()[1]

    def _pack(self, box: SourceBox, taps: tuple[int, int], first: int, count: int) -> bytes:
        plan = self.preprocess
        last, stored = self._channels()
        rows = [*plan.rows, *[(0.0,) * 4] * (3 - plan.channels)]
        return struct.pack(
            _PLAN_FORMAT,
            *(
                plan.width,
                plan.height,
                box.target_x,
                box.target_y,
                box.target_width,
                box.target_height,
                *taps,
            ),
            *(
                first,
                count,
                plan.channels,
                stored,
                int(last),
                self._tensor.offset // 4,
                self._elements(),
                plan.surroundings,
            ),
            *(value for row in rows for value in row),
        )

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the two passes into an open compute pass; a texture must be bound."""
        assert self._record is not None
        self._record(compute_pass)

    def close(self) -> None:
        """Release the buffers that it made."""
        self._plan.destroy()
        for buffer in (self._middle, self._taps):
            if buffer is not None:
                buffer.destroy()
        self._record = None
        self._records.clear()


def storing(preprocess: Preprocess, dtype: str) -> dict[str, float]:
    """Return constants of a pass that writes a type: elements per word, integer flag, smallest byte."""
    return {
        "packing": 4 // _BYTES[dtype],
        "whole": int(dtype == "int32"),
        "least": -128.0 if preprocess.dtype == "int8" else 0.0,
    }


def _check(preprocess: Preprocess, tensor: Tensor) -> None:
    dtypes = (preprocess.dtype, "int32") if preprocess.dtype in _HELD else ("float32", "float16")
    if tuple(tensor.shape) != preprocess.shape or tensor.dtype not in dtypes or tensor.offset % 4:
        raise ModelUnsupportedError(
            sentence(
                "The preprocessing makes {dtype}{shape}, but the network's input is {dtype2}{shape2}; set "
                "the "
                "preprocessing to the network's input.",
                dtype=preprocess.dtype,
                shape=list(preprocess.shape),
                dtype2=tensor.dtype,
                shape2=list(tensor.shape),
            )
        )


def filter_taps(
    count: int, origin: float, extent: float, limit: int, interpolation: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the filter taps of `count` output samples of an antialiased resize along one axis.

    The support grows with the reduction factor, as in Pillow's `Image.resize` (Turkowski, "Filters for Common
    Resampling Tasks", 1990). Taps end at the frame's edges, not at the crop's.

    Args:
        origin, extent: start and length of the crop, in source samples, of which there are `limit`.
        interpolation: 'nearest', 'bilinear' (a triangle) or 'bicubic' (Keys 1981, a = -0.5).

    Returns:
        Each output's first source sample, int64 (count,), and weights, float64 (count, taps), of sum 1. All
            taps lie in the source; unused ones have the weight 0.
    """
    step = extent / count
    center = origin + (np.arange(count) + 0.5) * step
    if interpolation == "nearest":
        return np.clip(np.floor(center), 0, limit - 1).astype(np.int64), np.ones((count, 1))
    scale = max(step, 1.0)
    support = scale * (2.0 if interpolation == "bicubic" else 1.0)
    taps = min(limit, math.ceil(2 * support) + 1)
    first = np.clip(np.floor(center - support + 0.5), 0, limit - taps).astype(np.int64)
    distance = np.abs(first[:, None] + np.arange(taps) + 0.5 - center[:, None]) / scale
    if interpolation == "bicubic":
        near = (1.5 * distance - 2.5) * distance**2 + 1.0
        far = ((-0.5 * distance + 2.5) * distance - 4.0) * distance + 2.0
        weights = np.where(distance < 1.0, near, np.where(distance < 2.0, far, 0.0))
    else:
        weights = np.maximum(1.0 - distance, 0.0)
    return first, weights / weights.sum(axis=1, keepdims=True)


def _pack_taps(taps: tuple[np.ndarray, np.ndarray]) -> bytes:
    first, weights = taps
    rows = np.empty((len(first), 1 + weights.shape[1]), np.uint32)
    rows[:, 0] = first
    rows[:, 1:] = weights.astype(np.float32).view(np.uint32)
    return rows.tobytes()


def check_input(gpu: Gpu, size: int) -> None:
    """Raise ModelUnsupportedError for a network's input of more bytes than a shader can write to."""
    if size > gpu.limits["max-storage-buffer-binding-size"]:
        raise ModelUnsupportedError(
            sentence(
                "The network's input of {size} MiB is more than {adapter} takes; choose a smaller working "
                "size.",
                size=size >> 20,
                adapter=gpu.adapter,
            )
        )
