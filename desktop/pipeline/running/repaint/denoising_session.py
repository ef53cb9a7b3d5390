"""A few-step denoiser as a session that repaints an image; see docs/live-diffusion.md. Inputs are the noisy
image (1, 3, H, W), R'G'B' in -1..1, its sketch, and the noise share; the output is the image without noise.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import (
    GpuSession,
    Session,
    SessionCapabilities,
    SimilarityTest,
    Tensor,
    TensorInfo,
)
from desktop.pipeline.running.repaint.denoise_commands import WATCHED, DenoiseCommands
from desktop.pipeline.running.repaint.denoising import DenoiseSettings, is_like, noise, sketch, squares
from desktop.pipeline.running.repaint.recorded_parts import RecordedPart, record_parts
from desktop.pipeline.running.session_around import SessionAround

_FLOATS: Final = {"float32": 4, "float16": 2}


class _Denoising(SessionAround, ABC):
    """Common part of both sessions."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._noised, self._sketch, self._level = session.inputs
        self._settings = DenoiseSettings()
        self._number = 0

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`: the image, under the name of the one with noise."""
        return (self._noised,)

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`: the repainted image."""
        return self._session.outputs[:1]

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`."""
        return replace(super().capabilities, reset_state=self.reset_state, adjust=self.adjust)

    @abstractmethod
    def adjust(self, values: Mapping[str, object]) -> None:
        """See `SessionCapabilities`."""

    @abstractmethod
    def reset_state(self) -> None:
        """See `SessionCapabilities`."""


class HostDenoising(_Denoising):
    """Denoiser on a session for host arrays. Implements `Session`."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._generation = 0
        self._last: tuple[np.ndarray, np.ndarray] | None = None

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Repaint an image, or return the last result for a similar one; see `Session`."""
        generation, settings, last = self._generation, self._settings, self._last
        picture = feeds[self._noised.name].astype(np.float32)
        means, output = squares(picture), self.outputs[0].name
        if is_like(means, last[0] if last is not None else None, settings.similarity):
            assert last is not None
            return {output: last[1]}
        found = self._repainted(picture, means, settings)
        # The rendering thread may have invalidated the past meanwhile.
        if generation == self._generation:
            self._last = (means, found)
        return {output: found}

    def _repainted(self, picture: np.ndarray, means: np.ndarray, settings: DenoiseSettings) -> np.ndarray:
        height, width = picture.shape[2:]
        drawn = noise(height, width, settings.seed_of(self._number))
        drawing = sketch(means, height, width)
        self._number += 1
        for level in settings.levels():
            feeds = (
                (self._noised, (1 - level) * _bounded(picture) + level * drawn),
                (self._sketch, drawing),
                (self._level, np.full(self._level.shape, level)),
            )
            outputs = self._session.run({info.name: value.astype(info.dtype) for info, value in feeds})
            picture = outputs[self.outputs[0].name].astype(np.float32)
        return _bounded(picture)

    def adjust(self, values: Mapping[str, object]) -> None:
        """See `SessionCapabilities`."""
        self._settings = self._settings.updated(values)
        self.reset_state()

    def reset_state(self) -> None:
        """See `SessionCapabilities`."""
        self._generation += 1
        self._last = None


def _bounded(picture: np.ndarray) -> np.ndarray:
    return np.where(np.abs(picture) < 1e30, np.clip(picture, -1, 1), 0).astype(np.float32)


class GpuDenoising(_Denoising):
    """Denoiser on a recorded session. Implements `GpuSession`. It records squares, similarity test and
    sketch; for each step noise, noise share and the denoiser; then the result, unless the image is similar to
    the last.
    """

    def __init__(self, gpu: Gpu, session: GpuSession) -> None:
        """Make the dispatches around the network's; raise ModelUnsupportedError for unfit memory layouts."""
        super().__init__(session)
        self._gpu, self._inner = gpu, session
        given = [session.tensor(info.name) for info in session.inputs]
        output = session.tensor(self.outputs[0].name)
        for info, tensor in zip((*session.inputs, self.outputs[0]), (*given, output), strict=True):
            _check_planes(info, tensor)
        _, _, height, width = given[0].shape
        self._commands = DenoiseCommands(gpu, width, height)
        self._owned: list[wgpu.GPUBuffer] = []
        elements = 3 * width * height
        self._picture = Tensor(self._buffer(4 * elements, "repainting"), given[0].shape, "float32")
        self._result = Tensor(self._buffer(4 * elements, "repainted"), given[0].shape, "float32")
        self._given, self._output = given, output
        self._before, self._behind = self._around()
        self._mixed: list[
            RecordedPart
        ] = []  # before each step, made on demand; they depend only on the step's number
        self._parts = self._planned()
        self._is_new = True  # there are settings that the GPU does not have yet

    def _buffer(self, size: int, label: str) -> wgpu.GPUBuffer:
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.COPY_SRC
        self._owned.append(self._gpu.buffer(size, usage, label))
        return self._owned[-1]

    def _around(self) -> tuple[RecordedPart, RecordedPart]:
        """Return the parts before the first step and after the last."""
        make, words = self._commands.make, math.prod(self._picture.shape)
        before = [
            *self._commands.watch(self._picture, self._result),
            make("write_sketch", self._picture, self._given[1], words),
        ]
        finish = make("finish", self._output, self._result, words)
        return RecordedPart.of(before), RecordedPart.of([finish])

    def _mixing(self, step: int) -> RecordedPart:
        noised, _, level = self._given
        source = self._output if step else self._picture
        make, words = self._commands.make, math.prod(self._picture.shape)
        return RecordedPart.of(
            [
                make("write_noised", source, noised, words, step),
                make("write_level", self._picture, level, 1, step),
            ]
        )

    def _planned(self) -> tuple[RecordedPart, ...]:
        steps = self._settings.steps
        self._mixed += [self._mixing(step) for step in range(len(self._mixed), steps)]
        network = RecordedPart(self._inner.dispatch_count, self._inner.encode)
        looks = [part for mixing in self._mixed[:steps] for part in (mixing, network)]
        return (self._before, *looks, self._behind)

    def _write(self) -> None:
        settings = self._settings
        levels, seed = settings.levels(), settings.seed_of(self._number)
        self._commands.write(levels, seed, settings.similarity)

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`; the first dispatches are the squares and the similarity test."""
        similarity = SimilarityTest(WATCHED, self._commands.state, 4)
        return replace(super().capabilities, recorder=self, similarity=similarity)

    @property
    def dispatch_count(self) -> int:
        """See `GpuSession`."""
        return sum(part.count for part in self._parts)

    def tensor(self, name: str) -> Tensor:
        """See `GpuSession`: the image, and the repainted one."""
        if name == self._noised.name:
            return self._picture
        return self._result if name == self.outputs[0].name else self._inner.tensor(name)

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """See `GpuSession`."""
        stop = self.dispatch_count if stop is None else stop
        if start == 0:
            self._begin()
        record_parts(self._parts, compute_pass, start, stop)

    def _begin(self) -> None:
        if self._is_new:
            # Not between slices: the result would mix both settings. A restart would never end during a drag.
            self.reset_state()
        self._number += not self._settings.steady
        if self._is_new or not self._settings.steady:
            self._write()
        self._is_new = False

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Repaint one image and wait for it, for trials; see `Session`."""
        self._gpu.queue.write_buffer(
            self._picture.buffer, 0, np.ascontiguousarray(feeds[self._noised.name], np.float32)
        )
        self._gpu.compute(self.encode)
        data = np.frombuffer(self._gpu.queue.read_buffer(self._result.buffer), np.float32)
        return {self.outputs[0].name: data.reshape(self._result.shape).copy()}

    def adjust(self, values: Mapping[str, object]) -> None:
        """See `SessionCapabilities`."""
        self._settings = self._settings.updated(values)
        self._parts = self._planned()
        self._is_new = True

    def reset_state(self) -> None:
        """See `SessionCapabilities`."""
        self._commands.restart()

    def close(self) -> None:
        """See `Session`."""
        self._parts = ()
        self._commands.close()
        for buffer in self._owned:
            buffer.destroy()
        super().close()


def denoising(gpu: Gpu, session: Session, name: str) -> Session:
    """Wrap a denoiser in a session of one image that closes it, with one step until `adjust` changes that.

    Raise ModelUnsupportedError if inputs are not two images of one shape and a number, or the output differs.
    """
    given, outputs = session.inputs, session.outputs
    pictures = [info.shape for info in (*given[:2], *outputs[:1])]
    fits = len(given) == 3 and len(set(pictures)) == 1 and len(pictures) == 3
    if not fits or len(pictures[0]) != 4 or pictures[0][:2] != (1, 3) or math.prod(given[2].shape) != 1:
        raise ModelUnsupportedError(
            sentence(
                "{name} has the inputs {inputs}, where a denoiser has an image of three channels, its "
                "sketch of the same shape and the share of noise, and gives such an image; choose "
                "another network.",
                name=name,
                inputs=", ".join(f"'{info.name}' {list(info.shape)}" for info in given),
            )
        )
    recorded = session.capabilities.recorder
    return HostDenoising(session) if recorded is None else GpuDenoising(gpu, recorded)


def _check_planes(info: TensorInfo, tensor: Tensor) -> None:
    if tensor.layout != "NCHW" or tensor.dtype not in _FLOATS or tensor.offset % 4:
        raise ModelUnsupportedError(
            sentence(
                "'{tensor}' has elements of type {dtype}, where a denoiser has floating-point numbers; "
                "choose another network.",
                tensor=info.name,
                dtype=tensor.dtype,
            )
        )
