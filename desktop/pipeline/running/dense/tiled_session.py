"""A network for tiles as a session for the whole image; overlapping tiles are blended."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.resources import task_shader
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command, Record, make_recorder
from desktop.compute.nn.session import GpuSession, Session, SessionCapabilities, Tensor, TensorInfo
from desktop.pipeline.running.dense.tiling import Span, Tiling
from desktop.pipeline.running.session_around import SessionAround

_ELEMENTS: Final = {"float32": 0, "float16": 1, "int32": 2, "uint32": 3}
_PACKING: Final = {"float32": 1, "float16": 2, "int32": 1, "uint32": 1, "uint8": 4, "int8": 4}
_LABEL: Final = "nn_tasks/tiles.wgsl"
# struct Tile of the shader.
_TILE_FORMAT: Final = "<8I 8f"
_BINDINGS: Final = Bindings((Binding.uniform("tile"), Binding.read_only("source"), Binding.storage("result")))


@dataclass(frozen=True)
class Place:
    """Indices of a tensor's rows, columns and channels; `channels` is None for a single channel."""

    row: int
    column: int
    channels: int | None

    @property
    def is_last(self) -> bool:
        """True if the channels of a pixel are contiguous."""
        return self.channels is not None and self.channels > self.column

    def sized(self, shape: tuple[int, ...], width: int, height: int) -> tuple[int, ...]:
        """Return a shape with other sides."""
        sides = {self.row: height, self.column: width}
        return tuple(sides.get(axis, count) for axis, count in enumerate(shape))

    def part(self, rank: int, rows: slice, columns: slice) -> tuple[slice, ...]:
        """Return the index of a part of an array."""
        sides = {self.row: rows, self.column: columns}
        return tuple(sides.get(axis, slice(None)) for axis in range(rank))


@dataclass(frozen=True)
class TiledShapes:
    """Shapes of a tiled session's input and output.

    Attributes:
        input, output: tensors of one tile.
        taken, given: dimension indices of the input and of the output.
        factor: output pixels per input pixel along each side.
    """

    tiling: Tiling
    input: TensorInfo
    output: TensorInfo
    taken: Place
    given: Place
    factor: int

    @property
    def full_input(self) -> TensorInfo:
        """The input for the whole image."""
        return replace(self.input, shape=self.taken.sized(self.input.shape, *self.tiling.whole))

    @property
    def full_output(self) -> TensorInfo:
        """The output of the whole image, float32."""
        width, height = (self.factor * side for side in self.tiling.whole)
        shape = self.given.sized(self.output.shape, width, height)
        return TensorInfo(self.output.name, shape, "float32")


class _Tiled(SessionAround):
    """Common part of both sessions: each wraps another session."""

    def __init__(self, session: Session, shapes: TiledShapes) -> None:
        super().__init__(session)
        self._shapes = shapes

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`: the whole image."""
        return (self._shapes.full_input,)

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`: of the whole image."""
        return (self._shapes.full_output,)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Compute the output for a whole image, tile by tile; see `Session`."""
        shapes = self._shapes
        taken, given, factor = shapes.taken, shapes.given, shapes.factor
        picture = feeds[shapes.input.name]
        output = np.zeros(shapes.full_output.shape, np.float32)
        width, height = shapes.tiling.tile
        for column, row in shapes.tiling.tiles:
            part = taken.part(
                picture.ndim, slice(row.start, row.start + height), slice(column.start, column.start + width)
            )
            result = self._session.run({shapes.input.name: np.ascontiguousarray(picture[part])})
            weights = np.outer(row.weights(height * factor, factor), column.weights(width * factor, factor))
            place = given.part(
                output.ndim, *(_enlarged(at, side, factor) for at, side in ((row, height), (column, width)))
            )
            output[place] += result[shapes.output.name] * _over(weights, given, output.ndim)
        return {shapes.output.name: output}


def _enlarged(at: Span, side: int, factor: int) -> slice:
    return slice(at.start * factor, (at.start + side) * factor)


def _over(weights: np.ndarray, place: Place, rank: int) -> np.ndarray:
    """Return weights of (rows, columns) with the axes of a tensor."""
    shape = place.sized((1,) * rank, weights.shape[1], weights.shape[0])
    return weights.reshape(shape)


class HostTiles(_Tiled):
    """Tiles through a session with host arrays. Implements `Session`; NumPy blends on its thread."""


class GpuTiles(_Tiled):
    """Tiles through a recorded session; the output stays until the next one's first tile. Implements
    `GpuSession`: dispatches cut, compute and paste tiles.
    """

    def __init__(self, gpu: Gpu, session: GpuSession, shapes: TiledShapes) -> None:
        """Make the whole image's tensors; raise ModelUnsupportedError if too large or of another type."""
        super().__init__(session, shapes)
        self._gpu, self._inner = gpu, session
        self._uniforms: list[wgpu.GPUBuffer] = []
        taken, given = session.tensor(shapes.input.name), session.tensor(shapes.output.name)
        for tensor in (taken, given):
            if tensor.dtype not in _PACKING or tensor.layout != "NCHW" or tensor.offset:
                raise ModelUnsupportedError(
                    sentence(
                        "The network has a tensor of type {dtype}, which does not go tile by tile; choose "
                        "another network.",
                        dtype=tensor.dtype,
                    )
                )
        self._input = self._make(shapes.full_input.shape, taken.dtype)
        self._output = self._make(shapes.full_output.shape, "float32")
        pairs = [self._around(column, row, taken, given) for column, row in shapes.tiling.tiles]
        self._records: tuple[Record, ...] = tuple(make_recorder([command]) for command in chain(*pairs))

    def _make(self, shape: tuple[int, ...], dtype: str) -> Tensor:
        size = math.prod(shape) * 4 // _PACKING[dtype]
        most = min(self._gpu.limits["max-buffer-size"], self._gpu.limits["max-storage-buffer-binding-size"])
        if size > most:
            raise ModelUnsupportedError(
                sentence(
                    "The whole image takes a buffer of {size} MiB for this network, and {adapter} allows "
                    "{most} MiB; choose a smaller image.",
                    size=size >> 20,
                    adapter=self._gpu.adapter,
                    most=most >> 20,
                )
            )
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST
        return Tensor(self._gpu.buffer(size, usage, "tiled image"), shape, dtype)

    def _around(self, column: Span, row: Span, taken: Tensor, given: Tensor) -> tuple[Command, Command]:
        """Return the commands before and after a tile's inference."""
        shapes = self._shapes
        whole, size, factor = shapes.tiling.whole, shapes.tiling.tile, shapes.factor
        words = -(-math.prod(taken.shape) // _PACKING[taken.dtype])
        across = min(-(-words // 64), 32768)
        cut = self._command(
            *("cut", taken.dtype, self._input.buffer, taken.buffer),
            self._plan(column, row, whole, size, 1, taken.shape, shapes.taken),
            (across, -(-words // 64 // across), 1),
        )
        paste = self._command(
            *("paste", given.dtype, given.buffer, self._output.buffer),
            self._plan(column, row, whole, size, factor, given.shape, shapes.given),
            (-(-size[0] * factor // 8), -(-size[1] * factor // 8), 1),
        )
        return cut, paste

    @staticmethod
    def _plan(
        column: Span,
        row: Span,
        whole: tuple[int, int],
        size: tuple[int, int],
        factor: int,
        shape: tuple[int, ...],
        place: Place,
    ) -> bytes:
        channels = 1 if place.channels is None else shape[place.channels]
        sides = (side * factor for side in (*size, *whole, column.start, row.start))
        ends = (end * factor for end in (*column.rise, *row.rise, *column.fall, *row.fall))
        return struct.pack(_TILE_FORMAT, *sides, channels, place.is_last, *ends)

    def _command(
        self,
        entry: str,
        dtype: str,
        source: wgpu.GPUBuffer,
        result: wgpu.GPUBuffer,
        plan: bytes,
        workgroups: tuple[int, int, int],
    ) -> Command:
        constants: dict[str, float] = (
            {"packing": _PACKING[dtype]} if entry == "cut" else {"element_type": _ELEMENTS[dtype]}
        )
        pipeline = self._gpu.compute_pipeline(
            task_shader("tiles.wgsl"),
            entry,
            label=_LABEL,
            layouts=[_BINDINGS.layout(self._gpu)],
            constants=constants,
        )
        uniform = self._gpu.buffer(len(plan), wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "tile")
        self._gpu.queue.write_buffer(uniform, 0, plan)
        self._uniforms.append(uniform)
        group = _BINDINGS.group(self._gpu, tile=uniform, source=source, result=result)
        return pipeline, (group,), workgroups

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`."""
        return replace(super().capabilities, recorder=self)

    @property
    def dispatch_count(self) -> int:
        """See `GpuSession`."""
        return len(self._records) // 2 * self._tile_steps

    @property
    def _tile_steps(self) -> int:
        return self._inner.dispatch_count + 2

    def tensor(self, name: str) -> Tensor:
        """See `GpuSession`: of the whole image."""
        return self._input if name == self._shapes.input.name else self._output

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """See `GpuSession`."""
        steps, stop = self._tile_steps, self.dispatch_count if stop is None else stop
        for number in range(start // steps, -(-stop // steps)):
            first, last = max(0, start - number * steps), min(steps, stop - number * steps)
            if first == 0:
                self._records[2 * number](compute_pass)
            if min(last, steps - 1) > max(first, 1):
                self._inner.encode(compute_pass, max(first, 1) - 1, min(last, steps - 1) - 1)
            if last == steps:
                self._records[2 * number + 1](compute_pass)

    def close(self) -> None:
        """See `Session`. Buffers are dropped, not destroyed: a frame may use them (`WgpuSession.close`)."""
        self._records = ()
        self._uniforms.clear()
        super().close()


def tiled(gpu: Gpu, session: Session, shapes: TiledShapes) -> Session:
    """Wrap a tile's session as one for the whole image, closed with it; raise ModelUnsupportedError."""
    recorded = session.capabilities.recorder
    return HostTiles(session, shapes) if recorded is None else GpuTiles(gpu, recorded, shapes)
