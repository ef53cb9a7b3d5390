"""Compute a network's outputs for reference image files, with which a head compares the live image."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Record
from desktop.compute.nn.session import Session, Tensor
from desktop.pipeline.picture.upload import uploaded
from desktop.pipeline.running.inputs.gpu_crops import GpuCrops, Regions
from desktop.pipeline.running.inputs.gpu_preprocess import GpuPreprocessor
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.regions import find_region
from desktop.vision.tasks.task import RegionRule


class References:
    """Runs a network on image files, on the thread that loads it; caches outputs for all regions' heads."""

    def __init__(
        self, gpu: Gpu, session: Session, input_name: str, preprocess: Preprocess, *, as_region: bool = False
    ) -> None:
        """Make references of a network.

        Args:
            session: the network with a batch of one, in use until the last image is computed.
            as_region: prepare as for a secondary network: extend the shorter side of the box (the image).
        """
        self._gpu, self._session, self._name = gpu, session, input_name
        self._preprocess, self._as_region = preprocess, as_region
        self._known: dict[Path, dict[str, np.ndarray]] = {}

    def __call__(self, picture: Path) -> Mapping[str, np.ndarray]:
        """Return a file's outputs; raise SourceError if it is unreadable, ModelError if inference failed."""
        if picture not in self._known:
            self._known[picture] = self._session.run({self._name: self._input(picture)})
        return self._known[picture]

    def _input(self, picture: Path) -> np.ndarray:
        # imported here: most networks need no reference images, and no decoder of stills
        from desktop.media.sources.image import load_image

        plan, usage = self._preprocess, wgpu.BufferUsage
        size = math.prod(plan.shape) * np.dtype(plan.dtype).itemsize
        buffer = self._gpu.buffer((size + 3) // 4 * 4, usage.STORAGE | usage.COPY_SRC, "reference input")
        tensor = Tensor(buffer, plan.shape, plan.dtype)
        uploader = uploaded(self._gpu, load_image(picture).frame)
        record, close = (
            self._frame_preparation(tensor) if not self._as_region else self._region(tensor, uploader.texture)
        )
        self._gpu.compute(record(uploader.texture))
        data = bytes(self._gpu.queue.read_buffer(buffer))[:size]
        close()
        uploader.texture.destroy()
        uploader.close()
        buffer.destroy()
        return np.frombuffer(data, plan.dtype).reshape(plan.shape)

    def _frame_preparation(self, tensor: Tensor) -> _Preparing:
        preprocessor = GpuPreprocessor(self._gpu, self._preprocess, tensor)
        return preprocessor.bind, preprocessor.close

    def _region(self, tensor: Tensor, texture: wgpu.GPUTexture) -> _Preparing:
        size = (texture.size[0], texture.size[1])
        aspect = self._preprocess.width / self._preprocess.height
        region = find_region(RegionRule(square=False), (0.0, 0.0, 1.0, 1.0), (), size, aspect)
        assert region is not None, "an image has at least one pixel"
        regions = Regions(self._gpu)
        regions.write([region])
        crops = GpuCrops(self._gpu, self._preprocess, tensor, regions)

        def close() -> None:
            crops.close()
            regions.close()

        return crops.bind, close


_Preparing = tuple[Callable[[wgpu.GPUTexture], Record], Callable[[], None]]
"""Function that records the preparation of a texture, and function that releases its resources."""
