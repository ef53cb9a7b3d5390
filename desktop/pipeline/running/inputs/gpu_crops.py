"""Crop regions of a texture into a network's input tensor with an affine pass on the GPU."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Final

import numpy as np
import wgpu

from desktop.base.resources import task_shader
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Record, make_recorder
from desktop.compute.nn.session import Tensor
from desktop.pipeline.running.inputs.gpu_preprocess import storing
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.regions import MOST_REGIONS, Region

REGION_BYTES: Final = 48
"""Bytes of a region in its buffer: struct Region of the shader."""
_PLAN: Final = "<8I12f"
_MAX_TEXTURES: Final = 4
_LABEL: Final = "nn_tasks/crops.wgsl"
_BINDINGS: Final = Bindings(
    (
        Binding.uniform("plan"),
        Binding.texture("source", "unfilterable-float"),
        Binding.read_only("regions"),
        Binding.storage("middle"),
        Binding.storage("tensor"),
    )
)


class Regions:
    """`MOST_REGIONS` regions of one frame in a buffer (STORAGE, COPY_SRC, COPY_DST) for CPU and shaders."""

    def __init__(self, gpu: Gpu) -> None:
        usage = wgpu.BufferUsage
        self._gpu = gpu
        self.buffer = gpu.buffer(
            MOST_REGIONS * REGION_BYTES, usage.STORAGE | usage.COPY_SRC | usage.COPY_DST, "regions"
        )

    def write(self, regions: Sequence[Region], said: Sequence[tuple[float, int]] = ()) -> None:
        """Replace all regions from the next submission on; `said` is each one's score (above 0) and class."""
        packed = np.zeros((MOST_REGIONS, 3, 4), np.float32)
        for row, region in zip(packed, regions, strict=False):
            row[0], row[1] = (*region.across, 1.0), (*region.down, 0.0)
        for row, (score, index) in zip(packed, said, strict=False):
            row[0, 3], row[1, 3] = score, index
        self._gpu.queue.write_buffer(self.buffer, 0, packed.tobytes())

    def close(self) -> None:
        """Release the buffer."""
        self.buffer.destroy()


class GpuCrops:
    """Fills an input tensor with crops of regions, as OpenCV's `warpAffine` (bilinear, border replicated)
    does. For the rendering thread. The texture holds gamma-coded R'G'B'; values outside 0..1 are clamped.
    Where an input pixel covers more than two texels along an axis, it is a mean that skips no texel.
    """

    def __init__(
        self, gpu: Gpu, preprocess: Preprocess, tensor: Tensor, regions: Regions, first: int = 0
    ) -> None:
        """Compile the two passes for a `tensor` [items, ...], from the region `first` on; `preprocess` gives
        colors, range and layout, not its resize mode.
        """
        self._gpu, self._tensor, self._regions = gpu, tensor, regions
        items = tensor.shape[0]
        stored, last = preprocess.channels, preprocess.layout == "NHWC"
        if tensor.layout == "NHWC":
            stored, last = max(tensor.padded_channels, stored), True
        area, constants = preprocess.width * preprocess.height, storing(preprocess, tensor.dtype)
        rows = [*preprocess.rows, *[(0.0,) * 4] * (3 - preprocess.channels)]
        plan = struct.pack(
            _PLAN,
            *(preprocess.width, preprocess.height, first, items),
            *(preprocess.channels, stored, int(last), tensor.offset // 4),
            *(value for row in rows for value in row),
        )
        usage = wgpu.BufferUsage
        self._plan = gpu.device.create_buffer_with_data(data=plan, usage=usage.UNIFORM, label="crops plan")
        self._middle = gpu.buffer(items * area * preprocess.channels * 4, usage.STORAGE, "crops")
        layouts = [_BINDINGS.layout(gpu)]
        code = task_shader("crops.wgsl")
        self._sample = gpu.compute_pipeline(code, "sample", label=_LABEL, layouts=layouts)
        self._store = gpu.compute_pipeline(code, "store", label=_LABEL, layouts=layouts, constants=constants)
        words = math.ceil(items * stored * area / constants["packing"])
        across = min(math.ceil(words / 64), 32768)
        self._groups = (
            (math.ceil(preprocess.width / 8), math.ceil(preprocess.height / 8), items),
            (across, math.ceil(words / 64 / across), 1),
        )
        # By the texture's identity, which holds while the texture is kept beside it.
        self._records: dict[int, tuple[wgpu.GPUTexture, Record]] = {}

    def bind(self, texture: wgpu.GPUTexture) -> Record:
        """Return a function that records the passes on `texture` (TEXTURE_BINDING); cheap when repeated."""
        known = self._records.get(id(texture))
        if known is None:
            if len(self._records) >= _MAX_TEXTURES:
                self._records.clear()
            known = self._records[id(texture)] = (texture, self._make_record(texture))
        return known[1]

    def release_texture(self, texture: wgpu.GPUTexture) -> None:
        """Release a texture that is about to be destroyed."""
        self._records.pop(id(texture), None)

    def _make_record(self, texture: wgpu.GPUTexture) -> Record:
        group = _BINDINGS.group(
            self._gpu,
            plan=self._plan,
            source=texture,
            regions=self._regions.buffer,
            middle=self._middle,
            tensor=self._tensor.buffer,
        )
        sample, store = self._groups
        return make_recorder([(self._sample, (group,), sample), (self._store, (group,), store)])

    def close(self) -> None:
        """Release the buffers that it made."""
        self._records.clear()
        self._plan.destroy()
        self._middle.destroy()
