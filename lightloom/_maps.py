"""Networks whose output covers the image: masks, classes of pixels, depth, images."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, Final, cast

import numpy as np

from desktop.compute.gpu.device import Gpu as Device
from desktop.compute.nn.session import Precision
from desktop.pipeline.picture.present import Exporter, LaidOver
from desktop.pipeline.running.dense.dense_network import load_dense
from desktop.pipeline.running.one.picture_network import PictureNetwork, TextureHead
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.dense import DenseRequest, Output, StageTask
from desktop.vision.tasks.common.maps import enlarged, output_channels
from desktop.vision.tasks.pixel_classes import labels_of
from lightloom._images import nearest, texels_of
from lightloom._results import Depth, Image, Mask, Result, Segmentation

_FIRST_SIZE: Final = (512, 512)
_MAX_SIZES: Final = 3

Size = tuple[int, int]


class MapNetworks:
    """A network for depth, masks or images, built per image size, with the last few sizes cached.

    Attributes:
        name: of the file.
        task: id of its task.
        labels: class names, if it distinguishes several.
        last: the one that was built or used last.
    """

    def __init__(
        self, device: Device, file: ModelFile, task: StageTask, backend: str, use_device: str, precision: str
    ) -> None:
        """Build it for a first size, so that a file that cannot be used is refused at once."""
        self._device, self._backend = device, backend
        self._use_device, self._precision = use_device, cast(Precision, precision)
        self._model = file.named
        self.name, self.task = file.name, task.id
        self.labels: tuple[str, ...] = ()
        self._output: Output = task.outputs[0]
        if self._output == "mask" and output_channels(file.facts) > 2:
            self._output = "classes"
        # A network of a fixed size is one and the same for every image.
        self._has_one_size = not file.facts.leaves_sizes_open and self._output != "enlarged"
        self._exporter: Exporter | None = None
        self._by_size: dict[Size, PictureNetwork] = {}
        self.last = self.fitting(_FIRST_SIZE)
        head = self.last.head
        if self._output == "classes" and isinstance(head, TextureHead) and head.channels > 1:
            self.labels = labels_of(head.channels, False, file).names

    def fitting(self, size: Size) -> PictureNetwork:
        """Return the network for images of a size (width, height).

        Raises:
            ModelError: it cannot be built for this size.
        """
        key = _FIRST_SIZE if self._has_one_size else size
        found = self._by_size.pop(key, None)
        if found is None:
            request = DenseRequest(self._output)
            found = load_dense(
                self._device,
                self._model,
                key,
                request,
                backend=self._backend,
                device=self._use_device,
                precision=self._precision,
            )
        self._by_size[key] = self.last = found
        while len(self._by_size) > _MAX_SIZES:
            self._by_size.pop(next(iter(self._by_size))).close()
        return found

    def result(self, texture: Any, began: float) -> Result:
        """Run it on a texture and return its result at the size of the texture."""
        size = (texture.width, texture.height)
        network = self.fitting(size)
        head = network.head
        assert isinstance(head, TextureHead)
        bound = network.bind(texture)
        self._device.compute(bound.encode if network.encodes else bound.encode_input)
        if not network.encodes:
            head.upload(network.reader.read(network.compute(network.read_input()), size))
            self._device.compute(head.encode)
        network.release_texture(texture)
        return replace(self._typed(head.texture, size), latency_ms=(time.perf_counter() - began) * 1e3)

    def _typed(self, texture: Any, size: Size) -> Result:
        if self._output in ("image", "enlarged"):
            if self._exporter is None:
                self._exporter = Exporter(self._device, dither=False)
            pixels = self._exporter.begin(texture, LaidOver()).result()
            return Image(size=size, array=np.ascontiguousarray(pixels[..., :3]))
        values = texels_of(self._device, texture)[..., 0]
        has_nan = bool(np.isnan(values).any())
        if self._output == "classes":
            classes = nearest(values, size).astype(np.int32)
            return Segmentation(size=size, class_ids=classes, labels=self.labels, has_nan=has_nan)
        kind = Mask if self._output == "mask" else Depth
        return kind(size=size, values=enlarged(values, size), has_nan=has_nan)

    def close(self) -> None:
        """Release all of them."""
        if self._exporter is not None:
            self._exporter.close()
        for network in self._by_size.values():
            network.close()
        self._by_size.clear()
