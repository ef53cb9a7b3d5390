"""Assemble the bindings and WGSL texts of a filter's passes, without a device (for exports).

All passes share a layout. Group 0: frame, params, linear_sampler, input, original; textures, buffers, luts
and images in declared order; the network's uniform, output and the image it belongs to; the texture that the
chain gives; the audio and the tracked objects. Group 1: result, the storage texture that the pass writes (absent
in raw passes without an output).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.shader import limit_loops, read_common
from desktop.compute.gpu.wgsl import ShaderText, tokens
from desktop.media.conversion import WORKING_FORMAT
from desktop.pipeline.filters.description import Filter, NetworkUse, PassSpec
from desktop.pipeline.filters.frame_info import FRAME_STRUCT
from desktop.pipeline.filters.inputs import TRACKS_STRUCT
from desktop.pipeline.filters.limits import check_limits

_UNFILTERABLE: Final = ("r32float", "rg32float", "rgba32float")

# A pixel pass: fn entry(p: vec2i) -> vec4f, in both spellings of the types.
_PIXEL_TYPES: Final = ((("vec2i",), ("vec2", "<", "i32", ">")), (("vec4f",), ("vec4", "<", "f32", ">")))

_NETWORK_STRUCT: Final = "struct LightloomNetwork { size: vec2f, channels: u32, lightloom_pad: u32 }"


@dataclass(frozen=True)
class PassText:
    """WGSL of a pass; the filter's own file begins at line `first_line` of `code`."""

    code: str
    entry: str
    first_line: int


def _workgroup_spellings(step: PassSpec) -> list[list[str]]:
    # (64, 1) may be written @workgroup_size(64) and @workgroup_size(64, 1, 1) too.
    x, y = map(str, step.workgroup)
    return [[x, y], [x, y, "1"], *([[x]] if y == "1" else [])]


def _sees_time(words: Sequence[str]) -> bool:
    # True unless the filter reads only constant fields of `frame`. Any other mention counts, even `&frame`.
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


def _sample_type(fmt: str, filters_floats: bool) -> str:
    return "unfilterable-float" if fmt in _UNFILTERABLE and not filters_floats else "float"


def _bindings(spec: Filter, filters_floats: bool) -> Bindings:
    # Group 0 of all passes.
    return Bindings(
        (
            Binding.uniform("frame", "Frame"),
            Binding.uniform("params", "Params"),
            Binding.sampler("linear_sampler"),
            Binding.texture("input"),
            Binding.texture("original"),
            *(Binding.texture(t.name, _sample_type(t.format, filters_floats)) for t in spec.textures),
            *(Binding.storage(b.name, b.type) for b in spec.buffers),
            *(Binding.texture(p.name, dimension=p.dimension) for p in spec.file_textures),
            *_network_bindings(spec.network, filters_floats),
            *((Binding.texture(spec.given.texture),) if spec.given is not None else ()),
            *((Binding.texture("audio"),) if "audio" in spec.inputs else ()),
            *((Binding.uniform("tracks", "Tracks"),) if "tracks" in spec.inputs else ()),
        )
    )


def _network_bindings(network: NetworkUse | None, filters_floats: bool) -> Iterator[Binding]:
    if network is not None:
        yield Binding.uniform("network", "LightloomNetwork")
        yield Binding.texture(network.texture, _sample_type(network.format, filters_floats))
        if network.seen:
            yield Binding.texture(network.seen)


class FilterSource:
    """Bindings (group 0) and texts of a filter's passes; `sees_time` if they read changing fields of `frame`.

    Raises FilterError: a shared file or a pass's function is missing, or too many calls are nested.
    """

    def __init__(self, spec: Filter, *, filters_floats: bool) -> None:
        """Read a filter; `filters_floats`: the device samples 32-bit floats (`float32-filterable`)."""
        self.spec = spec
        self.bindings = _bindings(spec, filters_floats)
        source = ShaderText.read(spec.text)
        self._text = source
        self._words = [token.text for token in source.tokens]
        self._body = spec.text if spec.builtin else self._bounded(source)
        self.sees_time = _sees_time([t.text for t in tokens(read_common(spec.included))] + self._words)

    def output_format(self, step: PassSpec) -> str:
        """Return the storage format of the texture that a pass writes, '' if it writes none."""
        if step.output in ("", "output"):
            return WORKING_FORMAT if step.output else ""
        return next(t.format for t in self.spec.textures if t.name == step.output)

    def result_bindings(self, step: PassSpec) -> Bindings:
        """Return group 1 of a pass."""
        fmt = self.output_format(step)
        return Bindings((Binding.storage_texture("result", fmt),) if fmt else ())

    def _prologue(self, step: PassSpec) -> str:
        structs = [FRAME_STRUCT, self.spec.params_struct()]
        if self.spec.network is not None:
            structs.append(_NETWORK_STRUCT)
        if "tracks" in self.spec.inputs:
            structs.append(TRACKS_STRUCT)
        # Also in passes without an output: a file whose other passes store to it would not compile.
        result = Bindings((Binding.storage_texture("result", self.output_format(step) or WORKING_FORMAT),))
        lines = [*structs, *self.bindings.declarations(0), *result.declarations(1)]
        if not self.spec.builtin:
            lines.append("var<private> lightloom_steps: u32;")
        lines.append(read_common(self.spec.included))
        return "\n".join(lines) + "\n"

    def _bounded(self, source: ShaderText) -> str:
        try:
            check_limits(source)
            return limit_loops(source)
        except FilterError as error:
            raise FilterError(
                sentence("{path}: {error}", path=self.spec.path, error=error), error.line
            ) from error

    def _check_entry(self, step: PassSpec) -> None:
        # A compiler reports a wrong entry in a line unknown to the author, and a wrong workgroup not at all.
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
                    ),
                    self._text.line(heads[0]),
                )
        if not found:
            raise FilterError(
                sentence(
                    "{path} has no function '{wanted}', which a pass runs.",
                    path=self.spec.path,
                    wanted=wanted,
                )
            )

    def text(self, step: PassSpec) -> PassText:
        """Return the WGSL of a pass; raise FilterError if the file lacks the pass's function."""
        prologue = self._prologue(step)
        self._check_entry(step)
        entry = step.entry
        epilogue = ""
        if step.kind == "pixel":
            entry = "lightloom_main"
            x, y = step.workgroup
            epilogue = (
                f"\n@compute @workgroup_size({x}, {y}) fn lightloom_main(@builtin(global_invocation_id) "
                f"id: vec3u) {{"
                " let size = textureDimensions(result); if (id.x >= size.x || id.y >= size.y) { return; }"
                f" textureStore(result, vec2i(id.xy), {step.entry}(vec2i(id.xy))); }}\n"
            )
        return PassText(prologue + self._body + epilogue, entry, prologue.count("\n") + 1)
