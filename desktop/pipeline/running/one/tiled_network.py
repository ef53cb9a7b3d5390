"""A network that runs several times for a frame, on the whole and on tiles of it; its head joins the results.

It takes host arrays: what is found in five inputs is more than a frame reads back.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Tensor
from desktop.pipeline.running.inputs.gpu_preprocess import GpuPreprocessor
from desktop.pipeline.running.inputs.input_view import InputView
from desktop.pipeline.running.one.picture_network import BoundPicture, PictureNetwork, RecordInput
from desktop.pipeline.running.worker import CpuWorker, EachInTurn
from desktop.vision.backends.loader import LoadedSession
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.task import FrameResult, Head, Size

Outputs = Mapping[str, np.ndarray]


class TiledNetwork(PictureNetwork):
    """A network whose input is filled by each of several preprocessings, the whole frame's first."""

    def __init__(
        self,
        gpu: Gpu,
        loaded: LoadedSession,
        parts: Sequence[Preprocess],
        facts: ModelFacts,
        head: Head,
        notes: tuple[str, ...] = (),
        name: str = "",
        *,
        turns: bool = False,
    ) -> None:
        """Assemble a network whose session takes host arrays; see `PictureNetwork`."""
        self._parts = tuple(parts)
        self.items = len(self._parts)
        super().__init__(gpu, loaded, parts[0], facts, head, notes, name, turns=turns)
        size = self._part_bytes
        self._tensors = [self._tensor]
        self._preprocessors = [self._preprocessor]
        for number, part in enumerate(self._parts[1:], 1):
            tensor = Tensor(self._tensor.buffer, part.shape, part.dtype, offset=number * size)
            self._tensors.append(tensor)
            self._preprocessors.append(GpuPreprocessor(gpu, part, tensor))

    def _make_tensor(self) -> Tensor:
        # Shaders write words. The buffer's own size is rounded up and says nothing about a part.
        if self._part_bytes % 4:
            raise ModelUnsupportedError(
                sentence("The input of {name} cannot be filled in tiles; set tiles to 1.", name=self.name)
            )
        return super()._make_tensor()

    @property
    def _part_bytes(self) -> int:
        part = self._parts[0]
        return math.prod(part.shape) * np.dtype(part.dtype).itemsize

    # -- in a frame ------------------------------------------------------------------------------------------

    def bind(self, texture: wgpu.GPUTexture) -> BoundPicture:
        """See `PictureNetwork`: the whole frame and the tiles."""
        records = [each.bind(texture) for each in self._preprocessors]

        def record(compute_pass: wgpu.GPUComputePassEncoder) -> None:
            for each in records:
                each(compute_pass)

        return BoundPicture(self, record, (texture.size[0], texture.size[1]))

    def make_view(self) -> InputView:
        """See `PictureNetwork`."""
        return InputView(self._gpu, self.preprocess, self._tensors)

    def release_texture(self, texture: wgpu.GPUTexture) -> None:
        """See `PictureNetwork`."""
        for each in self._preprocessors:
            each.release_texture(texture)

    def record_input(self, compute_pass: wgpu.GPUComputePassEncoder, preprocessing: RecordInput) -> None:
        """See `PictureNetwork`."""
        preprocessing(compute_pass)
        if self.view is not None:
            for number in range(self.items):
                self.view.encode(compute_pass, number)

    def make_worker(self) -> CpuWorker:
        """See `PictureNetwork`."""
        name, session = self._facts.input_name, EachInTurn(self.session)
        return CpuWorker(self._gpu, session, self._inputs, name, self.preprocess.dtype, self._read_parts)

    # -- at once ---------------------------------------------------------------------------------------------

    def compute_result(self, size: Size) -> tuple[FrameResult, float]:
        """See `PictureNetwork`."""
        array = self._read_back(self._inputs)
        begun = time.perf_counter()
        outputs = EachInTurn(self.session).run({self._facts.input_name: array})
        inference_ms = (time.perf_counter() - begun) * 1e3
        return self.reader.read_parts(outputs, self._parts, size), inference_ms

    @property
    def _inputs(self) -> Tensor:
        """The inputs of all parts."""
        return replace(self._tensor, shape=(self.items, *self._tensor.shape[1:]))

    def _read_parts(self, outputs: Sequence[Outputs], note: tuple[Any, Size, int]) -> FrameResult:
        return self.reader.read_parts(outputs, self._parts, note[1])

    def close(self) -> None:
        """See `PictureNetwork`."""
        for each in self._preprocessors[1:]:
            each.close()
        super().close()
