"""A filter on the GPU: its compiled passes (`FilterProgram`) and one use of it in a chain (`FilterStage`).

All passes of a filter share one bind group layout, so that the author never sees a binding:

    group 0   0 frame, 1 params, 2 linear_sampler, 3 input, 4 original, then textures, buffers, luts, images in declared order, then the
              network's uniform, output and the picture that it saw
    group 1   0 result: the storage texture that the pass writes (absent in raw passes without an output)

A texture cannot be read and written in one dispatch, so the pass that writes a texture sees a 1x1 black one in its place;
a persistent texture is a pair that changes roles at each frame and can be read while it is written.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import wgpu

from desktop.compute.filters.cube_lut import IDENTITY, load_cube
from desktop.compute.filters.description import TEXTURE_BYTES, Filter, Param, PassSpec, TextureSpec, Values
from desktop.compute.filters.limits import check_limits
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.shader import limit_loops, read_common
from desktop.compute.gpu.wgpu_native.messages import gpu_reason, lacks_binding
from desktop.compute.gpu.wgpu_native.recorder import Command, Record, make_recorder
from desktop.compute.gpu.wgsl import Source, tokens
from desktop.compute.media.upload import Uploader, uploaded
from desktop.errors import FilterError, ShaderError
from desktop.wording import sentence

WORKING_FORMAT: Final = "rgba16float"
_UNFILTERABLE: Final = ("r32float", "rg32float", "rgba32float")
_FRAME_BYTES: Final = 32
_NETWORK_BYTES: Final = 16

# A pixel pass: fn entry(p: vec2i) -> vec4f, in both spellings of the types.
_PIXEL_TYPES: Final = ((("vec2i",), ("vec2", "<", "i32", ">")), (("vec4f",), ("vec4", "<", "f32", ">")))

_FRAME_STRUCT: Final = "struct Frame { size: vec2f, time: f32, delta: f32, index: u32, reset: u32, scale: f32, lightloom_pad: f32 }"

_NETWORK_STRUCT: Final = "struct LightloomNetwork { size: vec2f, channels: u32, lightloom_pad: u32 }"


@dataclass(frozen=True)
class FrameInfo:
    """What a filter knows of the frame: WGSL `frame`.

    Attributes:
        size: of the picture in pixels.
        time: presentation time in seconds.
        delta: seconds since the frame before, 0 for the first.
        index: frames since the chain was last reset.
        reset: True on the first frame after a reset, a seek or a change of source: the past is void.
    """

    size: tuple[int, int]
    time: float = 0.0
    delta: float = 0.0
    index: int = 0
    reset: bool = False

    def pack(self) -> bytes:
        """Return the 32 bytes of the WGSL `Frame`; `scale` is the picture's height over 1080, for sizes that should look alike."""
        return struct.pack(
            "<ffffIIff",
            *self.size,
            self.time,
            self.delta,
            self.index & 0xFFFFFFFF,
            self.reset,
            self.size[1] / 1080,
            0.0,
        )


@dataclass(frozen=True)
class CompiledPass:
    """A pass and its pipeline."""

    spec: PassSpec
    pipeline: Any


def _sample_type(fmt: str, gpu: Gpu) -> str:
    return "unfilterable-float" if fmt in _UNFILTERABLE and not gpu.has("float32-filterable") else "float"


def _workgroup_spellings(step: PassSpec) -> list[list[str]]:
    # (64, 1) may be written @workgroup_size(64) and @workgroup_size(64, 1, 1) too.
    x, y = map(str, step.workgroup)
    return [[x, y], [x, y, "1"], *([[x]] if y == "1" else [])]


def _texture_entry(binding: int, sample_type: str = "float", dimension: str = "2d") -> dict[str, Any]:
    return {
        "binding": binding,
        "visibility": wgpu.ShaderStage.COMPUTE,
        "texture": {"sample_type": sample_type, "view_dimension": dimension},
    }


def _sees_time(words: Sequence[str]) -> bool:
    # True unless the filter reads nothing of `frame` that changes from one frame to the next. Any other mention counts, even `&frame`.
    return any(
        word == "frame"
        and not (words[i + 1 : i + 2] == ["."] and words[i + 2 : i + 3] in (["size"], ["scale"]))
        for i, word in enumerate(words)
    )


def _is_pixel_head(words: Sequence[str]) -> bool:
    # What follows the name of a function: '(', a parameter, ':', its type, ')', '->', the result's type.
    return any(
        tuple(words[:1]) == ("(",)
        and tuple(words[2 : 3 + len(taken)]) == (":", *taken)
        and tuple(words[3 + len(taken) : 5 + len(taken) + len(given)]) == (")", "->", *given)
        for taken in _PIXEL_TYPES[0]
        for given in _PIXEL_TYPES[1]
    )


def _attributes(words: Sequence[str], function: int) -> Sequence[str]:
    # The words before 'fn' that belong to it.
    start = function
    while start and words[start - 1] not in (";", "}"):
        start -= 1
    return words[start:function]


def _workgroup_size(attributes: Sequence[str]) -> list[str] | None:
    if "workgroup_size" not in attributes:
        return None
    start = attributes.index("workgroup_size") + 2
    stop = next((i for i in range(start, len(attributes)) if attributes[i] == ")"), len(attributes))
    return [word for word in attributes[start:stop] if word != ","]


class FilterProgram:
    """The compiled passes of a filter: made on any thread, shared by all stages that use the filter.

    Raises:
        ShaderError: the WGSL does not compile; positions are those of the filter's file.
        FilterError: the file names a shared file that does not exist, lacks a pass's function, uses a reserved name or
            nests too many calls.
    """

    def __init__(self, gpu: Gpu, spec: Filter) -> None:
        self.gpu = gpu
        self.spec = spec
        self.layout = gpu.bind_group_layout(self._entries())
        source = Source.read(spec.text)
        self._words = [token.text for token in source.tokens]
        self._body = spec.text if spec.builtin else self._bounded(source)
        self.sees_time = _sees_time(
            [t.text for t in tokens(read_common(("filter", *spec.use)))] + self._words
        )
        self.passes = tuple(CompiledPass(step, self._compile(step)) for step in spec.passes)

    def _entries(self) -> list[dict[str, Any]]:
        compute = wgpu.ShaderStage.COMPUTE
        entries: list[dict[str, Any]] = [
            {"binding": 0, "visibility": compute, "buffer": {"type": "uniform"}},
            {"binding": 1, "visibility": compute, "buffer": {"type": "uniform"}},
            {"binding": 2, "visibility": compute, "sampler": {"type": "filtering"}},
            _texture_entry(3),
            _texture_entry(4),
        ]
        for texture in self.spec.textures:
            entries.append(_texture_entry(len(entries), _sample_type(texture.format, self.gpu)))
        for _ in self.spec.buffers:
            entries.append({"binding": len(entries), "visibility": compute, "buffer": {"type": "storage"}})
        for _ in self.spec.luts:
            entries.append(_texture_entry(len(entries), "float", "3d"))
        for _ in self.spec.images:
            entries.append(_texture_entry(len(entries)))
        if self.spec.network is not None:
            entries.append({"binding": len(entries), "visibility": compute, "buffer": {"type": "uniform"}})
            entries.append(_texture_entry(len(entries), _sample_type(self.spec.network.format, self.gpu)))
            if self.spec.network.seen:
                entries.append(_texture_entry(len(entries)))
        return entries

    def output_format(self, step: PassSpec) -> str:
        """Return the storage format of the texture that a pass writes, '' if it writes none."""
        if step.output in ("", "output"):
            return WORKING_FORMAT if step.output else ""
        return next(t.format for t in self.spec.textures if t.name == step.output)

    def result_layout(self, step: PassSpec) -> Any:
        """Return the layout of group 1 for a pass."""
        fmt = self.output_format(step)
        if not fmt:
            return self.gpu.bind_group_layout([])
        entry = {
            "binding": 0,
            "visibility": wgpu.ShaderStage.COMPUTE,
            "storage_texture": {"access": "write-only", "format": fmt, "view_dimension": "2d"},
        }
        return self.gpu.bind_group_layout([entry])

    def _prologue(self, step: PassSpec) -> str:
        lines = [
            _FRAME_STRUCT,
            self.spec.params_struct(),
            "@group(0) @binding(0) var<uniform> frame: Frame;",
            "@group(0) @binding(1) var<uniform> params: Params;",
            "@group(0) @binding(2) var linear_sampler: sampler;",
            "@group(0) @binding(3) var input: texture_2d<f32>;",
            "@group(0) @binding(4) var original: texture_2d<f32>;",
        ]
        binding = 5
        for texture in self.spec.textures:
            lines.append(f"@group(0) @binding({binding}) var {texture.name}: texture_2d<f32>;")
            binding += 1
        for buffer in self.spec.buffers:
            lines.append(
                f"@group(0) @binding({binding}) var<storage, read_write> {buffer.name}: {buffer.type};"
            )
            binding += 1
        for lut in self.spec.luts:
            lines.append(f"@group(0) @binding({binding}) var {lut.name}: texture_3d<f32>;")
            binding += 1
        for image in self.spec.images:
            lines.append(f"@group(0) @binding({binding}) var {image.name}: texture_2d<f32>;")
            binding += 1
        if self.spec.network is not None:
            lines.append(_NETWORK_STRUCT)
            lines.append(f"@group(0) @binding({binding}) var<uniform> network: LightloomNetwork;")
            lines.append(
                f"@group(0) @binding({binding + 1}) var {self.spec.network.texture}: texture_2d<f32>;"
            )
            if self.spec.network.seen:
                lines.append(
                    f"@group(0) @binding({binding + 2}) var {self.spec.network.seen}: texture_2d<f32>;"
                )
        # Declared in passes without an output too, or a file whose other passes store to it would not compile there.
        fmt = self.output_format(step) or WORKING_FORMAT
        lines.append(f"@group(1) @binding(0) var result: texture_storage_2d<{fmt}, write>;")
        if not self.spec.builtin:
            lines.append("var<private> lightloom_steps: u32;")
        lines.append(read_common(("filter", *self.spec.use)))
        return "\n".join(lines) + "\n"

    def _bounded(self, source: Source) -> str:
        try:
            check_limits(source)
            return limit_loops(source)
        except FilterError as error:
            raise FilterError(sentence("{path}: {error}", path=self.spec.path, error=error)) from error

    def _check_entry(self, step: PassSpec) -> None:
        # The compiler would complain of a wrong entry in the line that calls it, which the author never sees, and of a workgroup
        # that is not the declared one not at all: the grid would not cover the picture.
        words = self._words
        size = ", ".join(map(str, step.workgroup))
        heads = [i for i, word in enumerate(words[:-1]) if word == "fn" and words[i + 1] == step.entry]
        if step.kind == "pixel":
            wanted = f"fn {step.entry}(p: vec2i) -> vec4f"
            found = any(_is_pixel_head(words[i + 2 : i + 16]) for i in heads)
        else:
            wanted = f"@compute @workgroup_size({size}) fn {step.entry}(...)"
            attributes = _attributes(words, heads[0]) if heads else ()
            found = any(attributes[i : i + 2] == ["@", "compute"] for i in range(len(attributes)))
            written = _workgroup_size(attributes)
            if written is not None and written not in _workgroup_spellings(step):
                raise FilterError(
                    sentence(
                        "{path}: '{entry}' must have @workgroup_size({size}), as its pass declares.",
                        path=self.spec.path,
                        entry=step.entry,
                        size=size,
                    )
                )
        if not found:
            raise FilterError(
                sentence(
                    "{path} has no function '{wanted}', which a pass runs.",
                    path=self.spec.path,
                    wanted=wanted,
                )
            )

    def _compile(self, step: PassSpec) -> Any:
        prologue = self._prologue(step)
        self._check_entry(step)
        entry = step.entry
        epilogue = ""
        if step.kind == "pixel":
            entry = "lightloom_main"
            x, y = step.workgroup
            epilogue = (
                f"\n@compute @workgroup_size({x}, {y}) fn lightloom_main(@builtin(global_invocation_id) id: vec3u) {{"
                " let size = textureDimensions(result); if (id.x >= size.x || id.y >= size.y) { return; }"
                f" textureStore(result, vec2i(id.xy), {step.entry}(vec2i(id.xy))); }}\n"
            )
        try:
            return self.gpu.compute_pipeline(
                prologue + self._body + epilogue,
                entry,
                label=self.spec.path,
                layouts=(self.layout, self.result_layout(step)),
                first_line=prologue.count("\n") + 1,
            )
        except ShaderError as error:
            if not lacks_binding(error):
                raise
            raise FilterError(
                sentence(
                    "{path}: '{entry}' uses a binding that it is not given: 'result' needs an output in its pass, "
                    "and @group and @binding are Lightloom's alone.",
                    path=self.spec.path,
                    entry=step.entry,
                )
            ) from error


@dataclass(frozen=True)
class StageIO:
    """The textures that a chain gives a stage: what it reads, the picture before the chain, where it writes."""

    input: Any
    original: Any
    output: Any


class FilterStage:
    """One use of a filter in a chain: its parameter values, textures and bind groups.

    `prepare` makes everything for a size and a set of textures; a frame then only writes changed uniforms and records dispatches.
    """

    def __init__(self, program: FilterProgram, values: Values) -> None:
        self.program = program
        self.gpu = program.gpu
        device = self.gpu.device
        usage = wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        self._frame_buffer = self.gpu.buffer(_FRAME_BYTES, usage, "frame")
        self._params_buffer = self.gpu.buffer(len(program.spec.pack(values)), usage, "params")
        self._sampler = device.create_sampler(mag_filter="linear", min_filter="linear")
        self._black = self._texture("black", (1, 1), WORKING_FORMAT)
        storage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST
        self._buffers = [self.gpu.buffer(b.bytes, storage, b.name) for b in program.spec.buffers]
        # By parameter: the path, its texture, and who owns that where it is not this stage.
        self._files: dict[str, tuple[str, Any, Uploader | None]] = {}
        self._network_buffer = self.gpu.buffer(_NETWORK_BYTES, usage, "network")
        self._network_texture: Any = self._black
        self._seen_texture: Any = None  # the stage's input
        self._textures: dict[str, tuple[Any, ...]] = {}
        self._records: tuple[Record, ...] = ()
        self._io: StageIO | None = None
        self._info: FrameInfo | None = None
        self._size = (0, 0)
        self._parity = 0
        self._values: Values = {}
        self.set_values(values)

    # -- making ------------------------------------------------------------------------------------------------------

    def _texture(self, label: str, size: tuple[int, int], fmt: str) -> Any:
        usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
        return self.gpu.device.create_texture(label=label, size=(*size, 1), format=fmt, usage=usage)

    def needs_files(self, values: Values) -> bool:
        """True if `set_values` would have to read a `.cube` file or a picture, which takes longer than a frame may."""
        return bool(self._changed_files(values))

    def _changed_files(self, values: Values) -> list[Param]:
        spec = self.program.spec
        return [
            p for p in (*spec.luts, *spec.images) if self._files.get(p.name, (None,))[0] != values[p.name]
        ]

    def set_values(self, values: Values) -> None:
        """Take over checked parameter values; they count from the next frame.

        Raises:
            FilterError: a `.cube` file cannot be read.
            SourceError: a picture cannot be read.
        """
        if values == self._values:
            return
        changed = self._changed_files(values)
        for param in changed:
            value = str(values[param.name])
            texture, owner = (
                self._load_image(value) if param.type == "image" else (self._load_lut(value), None)
            )
            self._files[param.name] = (value, texture, owner)
        self.gpu.queue.write_buffer(self._params_buffer, 0, self.program.spec.pack(values))
        self._values = dict(values)
        if changed and self._io is not None:
            self._bind()

    def _load_image(self, value: str) -> tuple[Any, Uploader | None]:
        if not value:
            return self._black, None
        # Imported here: no other filter needs the decoders.
        from desktop.compute.media.sources.image import load_image

        uploader = uploaded(self.gpu, load_image(Path(value)).frame)
        return uploader.texture, uploader

    def _load_lut(self, value: str) -> Any:
        lut = load_cube(Path(value)) if value else IDENTITY
        n = lut.size
        texture = self.gpu.device.create_texture(
            label="lut",
            size=(n, n, n),
            dimension="3d",
            format=WORKING_FORMAT,
            usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST,
        )
        data = np.ones((n, n, n, 4), np.float16)
        data[..., :3] = lut.table
        self.gpu.queue.write_texture(
            {"texture": texture}, data.tobytes(), {"bytes_per_row": n * 8, "rows_per_image": n}, (n, n, n)
        )
        return texture

    def set_network(self, texture: Any, channels: int, seen: Any = None) -> None:
        """From the next `prepare` on let the passes read a network's output.

        Args:
            texture: covers the picture; None for a black one.
            channels: of the output.
            seen: the picture that the output is of, where that is not the stage's input.
        """
        texture = self._black if texture is None else texture
        if texture is self._network_texture and seen is self._seen_texture:
            return
        self._network_texture, self._seen_texture = texture, seen
        data = struct.pack("<ffII", texture.width, texture.height, channels, 0)
        self.gpu.queue.write_buffer(self._network_buffer, 0, data)
        # Not bound at once: the chain's textures may have gone with another size of the picture.
        self._io = None

    def prepare(self, io: StageIO, size: tuple[int, int], reset: bool) -> None:
        """Make textures and bind groups for these textures and this size; cheap when nothing changed."""
        same_size = size == self._size
        if same_size and not reset and io == self._io:
            return
        if not same_size or reset:
            # Until all are made, this is a stage of no size: if one cannot be made, the next attempt begins from the beginning.
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
        read: dict[str, Any] = {}
        write: dict[str, Any] = {"output": self._io.output}
        for spec in self.program.spec.textures:
            pair = self._textures[spec.name]
            read[spec.name] = pair[parity] if spec.persistent else pair[0]
            write[spec.name] = pair[1 - parity] if spec.persistent else pair[0]
        return make_recorder([self._command(step, read, write) for step in self.program.passes])

    def _command(self, step: CompiledPass, read: dict[str, Any], write: dict[str, Any]) -> Command:
        spec = step.spec
        target = write.get(spec.output)
        groups = (self._input_group(read, target), self._result_group(spec, target))
        if spec.grid is not None:
            return step.pipeline, groups, (*spec.grid, 1)
        covered = write[spec.cover] if spec.cover else target
        width, height = (covered.width, covered.height) if covered is not None else self._size
        x, y = spec.tile or spec.workgroup
        return step.pipeline, groups, (-(-width // x), -(-height // y), 1)

    def _input_group(self, read: dict[str, Any], target: Any) -> Any:
        assert self._io is not None

        def view(texture: Any) -> Any:
            return (self._black if texture is target else texture).create_view()

        resources: list[Any] = [
            {"buffer": self._frame_buffer},
            {"buffer": self._params_buffer},
            self._sampler,
            view(self._io.input),
            view(self._io.original),
            *(view(read[t.name]) for t in self.program.spec.textures),
            *({"buffer": b} for b in self._buffers),
            *(self._files[p.name][1].create_view() for p in self.program.spec.luts),
            *(self._files[p.name][1].create_view() for p in self.program.spec.images),
        ]
        if self.program.spec.network is not None:
            resources += [{"buffer": self._network_buffer}, self._network_texture.create_view()]
            if self.program.spec.network.seen:
                resources.append(view(self._seen_texture or self._io.input))
        entries = [{"binding": i, "resource": r} for i, r in enumerate(resources)]
        return self.gpu.device.create_bind_group(layout=self.program.layout, entries=entries)

    def _result_group(self, spec: PassSpec, target: Any) -> Any:
        entries = [{"binding": 0, "resource": target.create_view()}] if target is not None else []
        return self.gpu.device.create_bind_group(layout=self.program.result_layout(spec), entries=entries)

    # -- each frame --------------------------------------------------------------------------------------------------

    def update(self, info: FrameInfo) -> None:
        """Write the frame's uniform if the filter sees a change; before the frame's encoder is submitted."""
        seen = info if self.program.sees_time else FrameInfo(info.size)
        if seen != self._info:
            self.gpu.queue.write_buffer(self._frame_buffer, 0, seen.pack())
            self._info = seen

    def clear(self, encoder: Any) -> None:
        """Record the zeroing of buffers that ask for it; outside of any pass."""
        for spec, buffer in zip(self.program.spec.buffers, self._buffers, strict=True):
            if spec.clear:
                encoder.clear_buffer(buffer)

    def encode(self, compute_pass: Any) -> None:
        """Record the dispatches of one frame into an open compute pass."""
        self._records[self._parity % len(self._records)](compute_pass)
        self._parity ^= 1

    def close(self) -> None:
        """Release textures and buffers."""
        for textures in self._textures.values():
            for texture in textures:
                texture.destroy()
        for buffer in (self._frame_buffer, self._params_buffer, self._network_buffer, *self._buffers):
            buffer.destroy()
        for _, texture, owner in self._files.values():
            if owner is not None:
                owner.close()
            elif texture is not self._black:
                texture.destroy()
        self._black.destroy()
        self._textures.clear()
        self._records = ()


# A probe longer than this for 64 pixels would take minutes for a whole picture.
_PROBE_SECONDS: Final = 2.0


def compile_filter(gpu: Gpu, spec: Filter, clock: Callable[[], float]) -> FilterProgram:
    """Compile a filter; a user's is also run once on 8 x 8 pixels, so that one that is far too slow is refused here.

    Raises:
        ShaderError, FilterError: it does not compile, or is too slow to be of use.
    """
    program = FilterProgram(gpu, spec)
    if spec.builtin:
        return program
    try:
        seconds = _probe(gpu, program, clock)
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


__all__ = [
    "CompiledPass",
    "FilterProgram",
    "FilterStage",
    "FrameInfo",
    "ShaderError",
    "StageIO",
    "compile_filter",
]
