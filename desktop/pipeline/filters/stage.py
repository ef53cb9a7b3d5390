"""One use of a filter in a chain, on the GPU. The pass that writes a texture reads a 1x1 black one instead,
as no dispatch can do both; a persistent texture is a pair, swapped at each frame.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import wgpu

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command, Record, gpu_reason, make_recorder
from desktop.media.conversion import WORKING_FORMAT
from desktop.pipeline.filters.description import TEXTURE_BYTES, Filter, PassSpec, TextureSpec
from desktop.pipeline.filters.frame_info import FRAME_BYTES, FrameInfo
from desktop.pipeline.filters.inputs import AUDIO_FORMAT, AUDIO_SIZE, FULL, TRACKS_BYTES, InputValues
from desktop.pipeline.filters.param import LoadedTexture, TextureParam, Values
from desktop.pipeline.filters.program import CompiledPass, FilterProgram

_NETWORK_BYTES: Final = 16


@dataclass(frozen=True)
class StageIO:
    """The textures that a chain gives a stage: what it reads, the frame before the chain, where it writes, and
    what its `GivenTexture` asks for (None: black; white for the input 'mask').
    """

    input: wgpu.GPUTexture
    original: wgpu.GPUTexture
    output: wgpu.GPUTexture
    given: wgpu.GPUTexture | None = None


class FilterStage:
    """Values, textures and bind groups of a filter's use in a chain; `prepare` makes them for a size."""

    def __init__(self, program: FilterProgram, values: Values) -> None:
        self.program = program
        self.gpu = program.gpu
        device = self.gpu.device
        usage = wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        self._frame_buffer = self.gpu.buffer(FRAME_BYTES, usage, "frame")
        self._params_buffer = self.gpu.buffer(len(program.spec.pack(values)), usage, "params")
        self._sampler = device.create_sampler(mag_filter="linear", min_filter="linear")
        self._black = self._texture("black", (1, 1), WORKING_FORMAT)
        storage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST
        self._buffers = {b.name: self.gpu.buffer(b.bytes, storage, b.name) for b in program.spec.buffers}
        # By parameter; its value is that in `_values`.
        self._files: dict[str, LoadedTexture] = {}
        self._network_buffer = self.gpu.buffer(_NETWORK_BYTES, usage, "network")
        self._network_texture: wgpu.GPUTexture = self._black
        self._audio = self._input_texture("audio", AUDIO_SIZE, AUDIO_FORMAT)
        self._tracks = self.gpu.buffer(TRACKS_BYTES, usage, "tracks") if self._reads("tracks") else None
        self._no_mask = self._input_texture("mask", (1, 1), WORKING_FORMAT)
        if self._no_mask is not None:
            self.gpu.queue.write_texture(
                {"texture": self._no_mask}, struct.pack("<4e", 1, 1, 1, 1), {"bytes_per_row": 8}, (1, 1, 1)
            )
        self._source_texture: wgpu.GPUTexture | None = None  # the stage's input
        self._textures: dict[str, tuple[wgpu.GPUTexture, ...]] = {}
        self._records: tuple[Record, ...] = ()
        self._io: StageIO | None = None
        self._info: FrameInfo | None = None
        self._size = (0, 0)
        self._parity = 0
        self._values: Values = {}
        self.set_values(values)

    # -- making ----------------------------------------------------------------------------------------------

    def _texture(self, label: str, size: tuple[int, int], fmt: str) -> wgpu.GPUTexture:
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
        return self.gpu.device.create_texture(label=label, size=(*size, 1), format=fmt, usage=usage)

    def _reads(self, name: str) -> bool:
        return name in self.program.spec.inputs

    def _input_texture(self, name: str, size: tuple[int, int], fmt: str) -> wgpu.GPUTexture | None:
        if not self._reads(name):
            return None
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
        return self.gpu.device.create_texture(label=name, size=(*size, 1), format=fmt, usage=usage)

    def set_inputs(self, values: InputValues) -> None:
        """Write the values of the inputs that the filter reads, before the frame's encoder is submitted."""
        if self._audio is not None:
            width, height = AUDIO_SIZE
            layout = {"bytes_per_row": 2 * width, "rows_per_image": height}
            self.gpu.queue.write_texture(
                {"texture": self._audio}, values.audio_texels(), layout, (width, height, 1)
            )
        if self._tracks is not None:
            self.gpu.queue.write_buffer(self._tracks, 0, values.packed_tracks())

    def needs_files(self, values: Values) -> bool:
        """True if `set_values` would read a `.cube` or image file, which takes longer than a frame."""
        return bool(self._changed_files(values))

    def _changed_files(self, values: Values) -> list[TextureParam]:
        return [p for p in self.program.spec.file_textures if self._values.get(p.name) != values[p.name]]

    def set_values(self, values: Values) -> None:
        """Set checked values from the next frame on; raise FilterError, SourceError for unreadable files."""
        if values == self._values:
            return
        changed = self._changed_files(values)
        # All are read before one is taken over: `_values` says whose textures these are.
        self._files |= {p.name: p.load(self.gpu, str(values[p.name])) for p in changed}
        self.gpu.queue.write_buffer(self._params_buffer, 0, self.program.spec.pack(values))
        self._values = dict(values)
        if changed and self._io is not None:
            self._bind()

    def set_network(
        self, texture: wgpu.GPUTexture | None, channels: int, seen: wgpu.GPUTexture | None = None
    ) -> None:
        """Bind a network's output (None: black) and the frame it belongs to, from the next `prepare` on."""
        texture = self._black if texture is None else texture
        if texture is self._network_texture and seen is self._source_texture:
            return
        self._network_texture, self._source_texture = texture, seen
        data = struct.pack("<ffII", texture.width, texture.height, channels, 0)
        self.gpu.queue.write_buffer(self._network_buffer, 0, data)
        # Not bound at once: the chain's textures may have gone with another size of the image.
        self._io = None

    def prepare(self, io: StageIO, size: tuple[int, int], reset: bool) -> None:
        """Make textures and bind groups for these textures and this size; cheap when nothing changed."""
        same_size = size == self._size
        if same_size and not reset and io == self._io:
            return
        if not same_size or reset:
            # The stage has no size until everything is made: if that fails, the next attempt starts over.
            self._size, self._io = (0, 0), None
            self._make_textures(size, only_persistent=same_size)
            self._size = size
        self._io = io
        self._bind()

    def _make_textures(self, picture: tuple[int, int], *, only_persistent: bool) -> None:
        self.program.spec.check_textures(*picture, 4 * TEXTURE_BYTES)
        for spec in self.program.spec.textures:
            if only_persistent and not spec.persistent:
                continue
            for old in self._textures.pop(spec.name, ()):
                old.destroy()
            size = self._resolve(spec, picture)
            count = 2 if spec.persistent else 1
            # New textures are zero (WebGPU), which is what a persistent one must begin with.
            self._textures[spec.name] = tuple(
                self._texture(spec.name, size, spec.format) for _ in range(count)
            )

    def _resolve(self, spec: TextureSpec, picture: tuple[int, int]) -> tuple[int, int]:
        limit = self.gpu.limits["max-texture-dimension-2d"]
        width, height = spec.resolve(*picture)
        return min(width, limit), min(height, limit)

    def _bind(self) -> None:
        persistent = any(t.persistent for t in self.program.spec.textures)
        self._records = tuple(self._bind_parity(parity) for parity in range(2 if persistent else 1))

    def _bind_parity(self, parity: int) -> Record:
        assert self._io is not None
        read: dict[str, wgpu.GPUTexture] = {}
        write: dict[str, wgpu.GPUTexture] = {"output": self._io.output}
        for spec in self.program.spec.textures:
            pair = self._textures[spec.name]
            read[spec.name] = pair[parity] if spec.persistent else pair[0]
            write[spec.name] = pair[1 - parity] if spec.persistent else pair[0]
        return make_recorder([self._command(step, read, write) for step in self.program.passes])

    def _command(
        self, step: CompiledPass, read: dict[str, wgpu.GPUTexture], write: dict[str, wgpu.GPUTexture]
    ) -> Command:
        spec = step.spec
        target = write.get(spec.output)
        groups = (self._input_group(read, target), self._result_group(spec, target))
        if spec.grid is not None:
            return step.pipeline, groups, (*spec.grid, 1)
        covered = write[spec.cover] if spec.cover else target
        width, height = (covered.width, covered.height) if covered is not None else self._size
        x, y = spec.tile or spec.workgroup
        return step.pipeline, groups, (-(-width // x), -(-height // y), 1)

    def _input_group(
        self, read: dict[str, wgpu.GPUTexture], target: wgpu.GPUTexture | None
    ) -> wgpu.GPUBindGroup:
        assert self._io is not None
        textures = {"input": self._io.input, "original": self._io.original, **read}
        buffers = {"frame": self._frame_buffer, "params": self._params_buffer, **self._buffers}
        network = self.program.spec.network
        if network is not None:
            buffers["network"] = self._network_buffer
            textures[network.texture] = self._network_texture
            if network.seen:
                textures[network.seen] = self._source_texture or self._io.input
        given = self.program.spec.given
        if given is not None:
            textures[given.texture] = self._io.given or self._no_mask or self._black
        if self._audio is not None:
            textures["audio"] = self._audio
        if self._tracks is not None:
            buffers["tracks"] = self._tracks
        return self.program.bindings.group(
            self.gpu,
            linear_sampler=self._sampler,
            **buffers,
            **{name: self._black if texture is target else texture for name, texture in textures.items()},
            **{name: file.texture for name, file in self._files.items()},
        )

    def _result_group(self, spec: PassSpec, target: wgpu.GPUTexture | None) -> wgpu.GPUBindGroup:
        resources = {} if target is None else {"result": target}
        return self.program.result_bindings(spec).group(self.gpu, **resources)

    # -- each frame ------------------------------------------------------------------------------------------

    def update(self, info: FrameInfo) -> None:
        """Write the frame's uniform if the filter sees a change; before the frame's encoder is submitted."""
        seen = info if self.program.sees_time else FrameInfo(info.size)
        if seen != self._info:
            self.gpu.queue.write_buffer(self._frame_buffer, 0, seen.pack())
            self._info = seen

    def clear(self, encoder: wgpu.GPUCommandEncoder) -> None:
        """Record the zeroing of buffers that ask for it; outside of any pass."""
        for spec in self.program.spec.buffers:
            if spec.clear:
                encoder.clear_buffer(self._buffers[spec.name])

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the dispatches of one frame into an open compute pass."""
        self._records[self._parity % len(self._records)](compute_pass)
        self._parity ^= 1

    def close(self) -> None:
        """Release textures and buffers."""
        for textures in self._textures.values():
            for texture in textures:
                texture.destroy()
        for buffer in (
            self._frame_buffer,
            self._params_buffer,
            self._network_buffer,
            *self._buffers.values(),
        ):
            buffer.destroy()
        for file in self._files.values():
            file.close()
        for texture in (self._black, self._audio, self._no_mask):
            if texture is not None:
                texture.destroy()
        if self._tracks is not None:
            self._tracks.destroy()
        self._textures.clear()
        self._records = ()


# A probe longer than this for 64 pixels would take minutes for a whole image.
_PROBE_SECONDS: Final = 2.0


def compile_filter(gpu: Gpu, spec: Filter, clock: Callable[[], float]) -> FilterProgram:
    """Compile a filter, run a user's on 8 x 8 pixels; raise ShaderError or FilterError (far too slow)."""
    program = FilterProgram(gpu, spec)
    if spec.builtin:
        return program
    try:
        seconds = _probe(gpu, program, clock)
        if seconds > _PROBE_SECONDS:
            # The first time may include the driver's compiler or other load; a second slow run is decisive.
            seconds = min(seconds, _probe(gpu, program, clock))
    except wgpu.GPUError as error:
        raise FilterError(
            sentence("{path}: the GPU refuses to run it: {reason}.", path=spec.path, reason=gpu_reason(error))
        ) from error
    if seconds > _PROBE_SECONDS:
        raise FilterError(
            sentence(
                "{path} takes {seconds:.1f} s for 64 pixels; shorten its loops.",
                path=spec.path,
                seconds=seconds,
            )
        )
    return program


def _probe(gpu: Gpu, program: FilterProgram, clock: Callable[[], float]) -> float:
    # Seconds that the filter takes for 8 x 8 pixels.
    stage = FilterStage(program, program.spec.defaults)
    usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
    a, b = (gpu.device.create_texture(size=(8, 8, 1), format=WORKING_FORMAT, usage=usage) for _ in range(2))
    try:
        stage.prepare(StageIO(a, a, b), (8, 8), reset=True)
        stage.update(FrameInfo((8, 8), reset=True))
        stage.set_inputs(FULL)
        encoder = gpu.device.create_command_encoder()
        stage.clear(encoder)
        compute_pass = encoder.begin_compute_pass()
        stage.encode(compute_pass)
        compute_pass.end()
        begun = clock()
        gpu.queue.submit([encoder.finish()])
        gpu.wait()
        return clock() - begun
    finally:
        stage.close()
        a.destroy()
        b.destroy()
