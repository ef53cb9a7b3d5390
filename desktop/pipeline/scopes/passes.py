"""Compute passes of the scopes and of the picked color, into one buffer that is read back."""

from __future__ import annotations

import math
import struct
from typing import Final

import numpy as np
import wgpu

from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.shader import read_shader
from desktop.pipeline.scopes.values import (
    CODES,
    COLUMNS,
    LEVELS,
    MAGNIFIED,
    SIDE,
    MagnifiedPixels,
    Magnifier,
    PickedColor,
    ScopePoint,
    ScopeValues,
)

_PICKED_BYTES: Final = 32
_MAGNIFIED_BYTES: Final = 16 * max(MAGNIFIED) ** 2
_HISTOGRAM_BYTES: Final = 4 * CODES * 4
_VECTORSCOPE_BYTES: Final = SIDE * SIDE * 4
_WAVEFORM_BYTES: Final = 4 * LEVELS * COLUMNS * 4
_CHUNK: Final = 16384
# Up to this many pixels all are counted during playback: 1920 x 1088.
_MOST_COUNTED: Final = 1920 * 1088

_LEVELS: Final = Bindings(
    (
        Binding.uniform("plan"),
        Binding.texture("picture"),
        Binding.storage("histogram"),
        Binding.storage("waveform"),
    )
)
_CHROMA: Final = Bindings((Binding.uniform("plan"), Binding.texture("picture"), Binding.storage("scope")))
_PICK: Final = Bindings(
    (
        Binding.uniform("share"),
        Binding.texture("before"),
        Binding.texture("after"),
        Binding.storage("colors"),
    )
)
_MAGNIFY: Final = Bindings((Binding.uniform("plan"), Binding.texture("picture"), Binding.storage("pixels")))


def step_for(size: tuple[int, int]) -> int:
    """Return the step between the rows that are counted during playback of frames of a size."""
    return -(-size[0] * size[1] // _MOST_COUNTED)


class ScopePasses:
    """Records the passes, and the copy of what they wrote. For the rendering thread."""

    BYTES: Final = _PICKED_BYTES + _MAGNIFIED_BYTES + _HISTOGRAM_BYTES + _VECTORSCOPE_BYTES + _WAVEFORM_BYTES

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._levels = self._pipeline("levels.wgsl", _LEVELS)
        self._chroma = self._pipeline("chroma.wgsl", _CHROMA)
        self._pick = self._pipeline("pick.wgsl", _PICK)
        self._magnify = self._pipeline("magnify.wgsl", _MAGNIFY)
        usage = wgpu.BufferUsage
        written = usage.STORAGE | usage.COPY_SRC | usage.COPY_DST
        self._colors = gpu.buffer(_PICKED_BYTES, written, "picked colors")
        self._magnified = gpu.buffer(_MAGNIFIED_BYTES, written, "magnified pixels")
        self._magnifier = gpu.buffer(16, usage.UNIFORM | usage.COPY_DST, "magnifier")
        self._histogram = gpu.buffer(_HISTOGRAM_BYTES, written, "histogram")
        self._vectorscope = gpu.buffer(_VECTORSCOPE_BYTES, written, "vectorscope")
        self._waveform = gpu.buffer(_WAVEFORM_BYTES, written, "waveform")
        self._plan = gpu.buffer(32, usage.UNIFORM | usage.COPY_DST, "scopes plan")
        self._share = gpu.buffer(16, usage.UNIFORM | usage.COPY_DST, "picked position")
        self._planned = b""
        self._groups: tuple[wgpu.GPUTexture, wgpu.GPUBindGroup, wgpu.GPUBindGroup] | None = None

    def _pipeline(self, name: str, bindings: Bindings) -> wgpu.GPUComputePipeline:
        layouts = [bindings.layout(self._gpu)]
        return self._gpu.compute_pipeline(read_shader("scopes", name), "main", label=name, layouts=layouts)

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        picture: wgpu.GPUTexture,
        step: int,
        *,
        vectorscope: bool,
        span: dict[str, object],
    ) -> None:
        """Record the counting of every `step`-th row of a working texture."""
        width, height = picture.width, picture.height
        columns, rows = min(COLUMNS, width), -(-height // step)
        plan = struct.pack("<8I", width, height, columns, step, rows, 0, 0, 0)
        if plan != self._planned:
            self._gpu.queue.write_buffer(self._plan, 0, plan)
            self._planned = plan
        levels, chroma = self._groups_of(picture)
        encoder.clear_buffer(self._histogram)
        if vectorscope:
            encoder.clear_buffer(self._vectorscope)
        compute_pass = encoder.begin_compute_pass(**span)
        compute_pass.set_pipeline(self._levels)
        compute_pass.set_bind_group(0, levels)
        compute_pass.dispatch_workgroups(columns)
        if vectorscope:
            compute_pass.set_pipeline(self._chroma)
            compute_pass.set_bind_group(0, chroma)
            compute_pass.dispatch_workgroups(-(-width * rows // _CHUNK), 2)
        compute_pass.end()

    def _groups_of(self, picture: wgpu.GPUTexture) -> tuple[wgpu.GPUBindGroup, wgpu.GPUBindGroup]:
        if self._groups is None or self._groups[0] is not picture:
            levels = _LEVELS.group(
                self._gpu,
                plan=self._plan,
                picture=picture,
                histogram=self._histogram,
                waveform=self._waveform,
            )
            chroma = _CHROMA.group(self._gpu, plan=self._plan, picture=picture, scope=self._vectorscope)
            self._groups = (picture, levels, chroma)
        return self._groups[1:]

    def pick(
        self,
        encoder: wgpu.GPUCommandEncoder,
        before: wgpu.GPUTexture,
        after: wgpu.GPUTexture,
        at: tuple[float, float],
    ) -> None:
        """Record the mean colors around a position of two working textures."""
        self._gpu.queue.write_buffer(self._share, 0, struct.pack("<4f", *at, 0.0, 0.0))
        group = _PICK.group(self._gpu, share=self._share, before=before, after=after, colors=self._colors)
        compute_pass = encoder.begin_compute_pass()
        compute_pass.set_pipeline(self._pick)
        compute_pass.set_bind_group(0, group)
        compute_pass.dispatch_workgroups(1)
        compute_pass.end()

    def magnify(
        self, encoder: wgpu.GPUCommandEncoder, picture: wgpu.GPUTexture, magnifier: Magnifier
    ) -> None:
        """Record the reading of the pixels around a position of a working texture."""
        plan = struct.pack("<4f", *magnifier.at, magnifier.side, 0.0)
        self._gpu.queue.write_buffer(self._magnifier, 0, plan)
        group = _MAGNIFY.group(self._gpu, plan=self._magnifier, picture=picture, pixels=self._magnified)
        compute_pass = encoder.begin_compute_pass()
        compute_pass.set_pipeline(self._magnify)
        compute_pass.set_bind_group(0, group)
        compute_pass.dispatch_workgroups(1)
        compute_pass.end()

    def copy(
        self,
        encoder: wgpu.GPUCommandEncoder,
        target: wgpu.GPUBuffer,
        *,
        picked: bool,
        magnified: bool,
        histogram: bool,
        vectorscope: bool,
        waveform: bool,
    ) -> int:
        """Record the copy of what is wanted to the beginning of `target`, in this order; return its bytes."""
        offset = 0
        for source, wanted in (
            (self._colors, picked),
            (self._magnified, magnified),
            (self._histogram, histogram),
            (self._vectorscope, vectorscope),
            (self._waveform, waveform),
        ):
            if wanted:
                encoder.copy_buffer_to_buffer(source, 0, target, offset, source.size)
                offset += source.size
        return offset

    def close(self) -> None:
        """Release the buffers."""
        self._groups = None
        for buffer in (
            self._colors,
            self._magnified,
            self._magnifier,
            self._histogram,
            self._vectorscope,
            self._waveform,
            self._plan,
            self._share,
        ):
            buffer.destroy()


def read_picked(data: bytes, at: tuple[float, float]) -> PickedColor:
    """Return the colors that `ScopePasses.copy` put first."""
    numbers = struct.unpack_from("<8f", data)
    return PickedColor(at, numbers[0:3], numbers[4:7])


def read_magnified(
    data: bytes, magnifier: Magnifier, size: tuple[int, int], *, picked: bool
) -> MagnifiedPixels:
    """Return the pixels that `ScopePasses.copy` put behind the picked colors, if those are there."""
    side = magnifier.side
    found = np.frombuffer(data, np.float32, 4 * side * side, _PICKED_BYTES * picked)
    # As in the shader, in 32 bits.
    x, y = (
        min(max(int(np.float32(share) * np.float32(length)), 0), length - 1)
        for share, length in zip(magnifier.at, size, strict=True)
    )
    return MagnifiedPixels(magnifier.point, size, (x, y), found.reshape(side, side, 4).copy())


def read_scopes(
    data: bytes,
    point: ScopePoint,
    size: tuple[int, int],
    step: int,
    *,
    picked: bool,
    magnified: bool,
    vectorscope: bool,
    waveform: bool,
) -> ScopeValues:
    """Return the values that `ScopePasses.copy` put behind colors and pixels, if those are there."""
    offset = _PICKED_BYTES * picked + _MAGNIFIED_BYTES * magnified

    def take(*shape: int) -> np.ndarray:
        nonlocal offset
        found = np.frombuffer(data, np.uint32, math.prod(shape), offset).reshape(shape)
        offset += found.nbytes
        return found

    return ScopeValues(
        point,
        size,
        step,
        histogram=take(4, CODES),
        vectorscope=take(SIDE, SIDE) if vectorscope else None,
        waveform=take(4, LEVELS, COLUMNS)[:, :, : min(COLUMNS, size[0])] if waveform else None,
    )
