"""Makes a filter of an ISF file: inputs become parameters, passes become passes, the shader becomes WGSL."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from desktop.base.errors import FilterError
from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.description import MAX_TEXTURES
from desktop.pipeline.filters.translation.filter_text import Entry, FilterText, Names
from desktop.pipeline.filters.translation.helpers import Helpers
from desktop.pipeline.filters.translation.isf_header import Header, Input, Step
from desktop.pipeline.filters.translation.scope import Surroundings
from desktop.pipeline.filters.translation.types import BOOL, FLOAT, INT, VEC2, VEC4, Type
from desktop.pipeline.filters.translation.unit import Translation, parse, translate_unit
from desktop.pipeline.filters.translation.values import Image, Known, float_text, int_text

_INPUT: Final = "inputImage"
_TRANSITION: Final = ("startImage", "endImage")

_GIVEN: Final = {
    "gl_FragColor": Known("gl_FragColor", VEC4),
    "gl_FragCoord": Known("gl_FragCoord", VEC4, is_writable=False),
    **dict.fromkeys(
        ("isf_FragNormCoord", "vv_FragNormCoord"), Known("isf_FragNormCoord", VEC2, is_writable=False)
    ),
    "RENDERSIZE": Known("RENDERSIZE", VEC2, is_writable=False),
    "PASSINDEX": Known("PASSINDEX", INT, is_writable=False),
    "TIME": Known("frame.time", FLOAT, is_writable=False),
    "TIMEDELTA": Known("frame.delta", FLOAT, is_writable=False),
    "FRAMEINDEX": Known("i32(frame.index)", INT, is_writable=False),
}
_REFUSED: Final = {
    "DATE": sentence("uses DATE, and the date is not the same in a second export; use TIME"),
    "gl_Position": sentence(
        "moves the corners of the image (gl_Position), which a filter cannot do; move the coordinates in the .fs"
    ),
    "gl_FragData": sentence(
        "writes several images at once (gl_FragData), which a filter cannot do; use PASSES"
    ),
}

_PROLOGUE: Final = """
var<private> gl_FragColor: vec4f;
var<private> gl_FragCoord: vec4f;
var<private> isf_FragNormCoord: vec2f;
var<private> RENDERSIZE: vec2f;
var<private> PASSINDEX: i32;
""".strip().splitlines()


@dataclass(frozen=True)
class _Buffer:
    """A texture that a pass writes; `now` is what it has written in this frame, where others read it."""

    step: Step
    index: int
    texture: str
    now: str


def translate_isf(header: Header, fragment: str, vertex: str | None, path: Path) -> str:
    """Return the text of a filter; raise FilterError that says what cannot be translated.

    Args:
        fragment: the shader, with lines as in the file.
        vertex: the vertex shader beside it, if any.
        path: the file, for its name and for images beside it.
    """
    return _IsfWriter(header, path).write(fragment, vertex)


class _IsfWriter:
    def __init__(self, header: Header, path: Path) -> None:
        self._header = header
        self._path = path
        self._names = Names()
        self._helpers = Helpers()
        self._variables = dict(_GIVEN)
        self._images: dict[str, Image] = {}
        parts = (header.description, header.credit and f"({header.credit})")
        self._out = FilterText(path.stem, " ".join(filter(None, parts)), header.categories)
        self._access: list[str] = []

    def write(self, fragment: str, vertex: str | None) -> str:
        for each in self._header.inputs:
            self._input(each)
        for name, place in self._header.imported.items():
            self._import(name, place)
        buffers = self._buffers()
        self._check_textures(buffers)
        around = Surroundings(self._variables, self._images, _REFUSED | self._rectangles())
        main = translate_unit(parse(fragment), around, self._helpers)
        _check_main(main)
        corners = None if vertex is None else self._corners(vertex, around)
        code = self._out.code
        code += ["// Translated from GLSL; edit the original.", *_PROLOGUE]
        varyings = {**(corners.varyings if corners else {}), **main.varyings}
        code += [f"var<private> {known.text}: {known.type.wgsl};" for known in varyings.values()]
        self._check_varyings(main, corners)
        code += ["", *self._access, *main.lines]
        if corners is not None:
            code += ["", *corners.lines, *_interpolation(corners)]
        code += ["", *self._run(main, corners), *self._entries(buffers), "", self._helpers.text]
        return self._out.write()

    def _rectangles(self) -> dict[str, Text]:
        """Return what version 1 of ISF told about images, with the reason why it is not there."""
        reason = sentence("uses the rectangle of an image, which is of version 1 of ISF; use IMG_SIZE()")
        return {f"_{name}_{what}": reason for name in self._images for what in ("imgRect", "imgSize", "flip")}

    def _check_textures(self, buffers: Sequence[_Buffer]) -> None:
        count = len(self._out.textures)
        if count > MAX_TEXTURES:
            raise FilterError(
                sentence(
                    "Its {buffers} buffers take {count} textures, two for a persistent one, and {most} is most; use "
                    "fewer.",
                    buffers=len(buffers),
                    count=count,
                    most=MAX_TEXTURES,
                )
            )

    # -- inputs ----------------------------------------------------------------------------------------------

    def _input(self, given: Input) -> None:
        if given.name in _TRANSITION:
            raise FilterError(
                sentence(
                    "It is a transition between two sources ('{name}'), and a filter has one; use another file.",
                    name=given.name,
                )
            )
        if given.kind in ("audio", "audioFFT"):
            self._audio(given)
            return
        if given.kind == "image":
            if given.name == _INPUT:
                self._images[_INPUT] = Image("input")
            else:
                name = self._names.of(given.name)
                self._images[given.name] = Image(name)
                self._out.params.append({"name": name, "type": "image", **_label(given)})
            return
        name = self._names.of(given.name)
        row: dict[str, Entry] = {"name": name, **_label(given)}
        value = f"params.{name}"
        if not _is_index(given.values):
            self._access.append(_value_function(name, given.values))
            value = f"value_of_{name}()"
        text, kind, rest = _parameter(given, value)
        self._out.params.append({**row, **rest})
        self._variables[given.name] = Known(text, kind, is_writable=False)

    def _audio(self, given: Input) -> None:
        """Add an image of the audio: the spectrum, or the waveform between 0 and 1, in all rows."""
        self._out.inputs = ("audio",)
        name = self._names.of(f"{given.name}_{given.kind}")
        row, scale, offset = (0, 1.0, 0.0) if given.kind == "audioFFT" else (1, 0.5, 0.5)
        gray = f"return vec4f(vec3f(AUDIO.r * {scale} + {offset}), 1.0);"
        near = gray.replace("AUDIO", f"sample(audio, vec2f(at.x, {(row + 0.5) / 2}))")
        texel = gray.replace("AUDIO", f"texel(audio, vec2i(at.x, {row}))")
        self._access += [
            f"fn read_{name}(at: vec2f) -> vec4f {{ {near} }}",
            f"fn fetch_{name}(at: vec2i) -> vec4f {{ {texel} }}",
            f"fn size_{name}() -> vec2f {{ return vec2f(f32(textureDimensions(audio).x), 1.0); }}",
        ]
        self._images[given.name] = Image("", f"read_{name}", f"fetch_{name}", f"size_{name}")

    def _import(self, name: str, place: str) -> None:
        relative = PurePosixPath(place.replace("\\", "/"))
        file = self._path.parent / relative
        if relative.is_absolute() or ".." in relative.parts or ":" in place or not file.is_file():
            raise FilterError(
                sentence(
                    "It imports the image '{path}', which is not in its folder; put it there.",
                    path=place[:100],
                )
            )
        known = self._names.of(name)
        self._images[name] = Image(known)
        self._out.params.append({"name": known, "type": "image", "label": name, "default": str(file)})

    # -- passes ----------------------------------------------------------------------------------------------

    def _buffers(self) -> list[_Buffer]:
        found: list[_Buffer] = []
        last = len(self._header.steps) - 1
        for index, step in enumerate(self._header.steps):
            if not step.target:
                continue
            if step.target in self._images:
                raise FilterError(
                    sentence("Two passes or inputs have the name '{name}'; rename one.", name=step.target)
                )
            texture = self._names.of(
                step.target if "buffer" in step.target.lower() else f"{step.target}Buffer"
            )
            now = self._names.of(f"{texture}_now") if step.persistent else texture
            buffer = _Buffer(step, index, texture, now)
            found.append(buffer)
            self._textures(buffer)
            if step.is_float or (step.persistent and index < last):
                self._images[step.target] = self._accessors(buffer)
            else:
                self._images[step.target] = Image(texture)
        return found

    def _textures(self, buffer: _Buffer) -> None:
        step = buffer.step
        size: dict[str, Entry] = {"scale": step.scale} if step.size is None else {"size": list(step.size)}
        kind: dict[str, Entry] = {"format": "rgba32float"} if step.is_float else {}
        if step.persistent:
            self._out.textures.append({"name": buffer.texture, **size, **kind, "persistent": True})
        self._out.textures.append({"name": buffer.now, **size, **kind})

    def _accessors(self, buffer: _Buffer) -> Image:
        """Return an image whose functions read what was written in this frame, in passes after its own."""
        helpers = {
            "read": ("vec2f", "vec4f", "glsl_texture32" if buffer.step.is_float else "glsl_texture"),
            "fetch": ("vec2i", "vec4f", "glsl_fetch"),
        }
        base = buffer.texture
        for verb, (kind, result, helper) in helpers.items():
            self._helpers.plain(helper)
            now = f"if (PASSINDEX > {buffer.index}) {{ return {helper}({buffer.now}, at); }} "
            self._access.append(
                f"fn {verb}_{base}(at: {kind}) -> {result} "
                f"{{ {now if buffer.now != base else ''}return {helper}({base}, at); }}"
            )
        self._helpers.plain("glsl_size")
        self._access.append(f"fn size_{base}() -> vec2f {{ return glsl_size({base}); }}")
        return Image("", f"read_{base}", f"fetch_{base}", f"size_{base}")

    def _run(self, main: Translation, corners: Translation | None) -> list[str]:
        units = [main, corners] if corners else [main]
        # In blocks, since both files number their temporary variables from 1.
        setup = [line for unit in units if unit.setup for line in ("{", *unit.setup, "}")]
        at = ["isf_interpolate(isf_FragNormCoord);"] if corners else []
        return [
            "fn isf_run(p: vec2i, index: i32) -> vec4f {",
            "  RENDERSIZE = vec2f(textureDimensions(result));",
            "  PASSINDEX = index;",
            "  gl_FragCoord = vec4f(f32(p.x) + 0.5, RENDERSIZE.y - f32(p.y) - 0.5, 0.5, 1.0);",
            "  isf_FragNormCoord = gl_FragCoord.xy / RENDERSIZE;",
            *(f"  {line}" for line in (*setup, *at)),
            "  fn_main();",
            "  return gl_FragColor;",
            "}",
        ]

    def _entries(self, buffers: Sequence[_Buffer]) -> list[str]:
        by_index = {buffer.index: buffer for buffer in buffers}
        lines: list[str] = []
        is_single = len(self._header.steps) == 1
        for index in range(len(self._header.steps)):
            buffer = by_index.get(index)
            entry = "main" if is_single else f"pass_{index}"
            output: dict[str, Entry] = {"output": buffer.now} if buffer else {}
            self._out.passes.append({"entry": entry, **output})
            color = f"isf_run(p, {index})"
            if buffer is None:
                color = f"{self._helpers.plain('glsl_shown')}({color})"
            elif not buffer.step.is_float:
                # A buffer of ISF has 8 bits.
                color = f"clamp({color}, vec4f(), vec4f(1.0))"
            lines.append(f"fn {entry}(p: vec2i) -> vec4f {{ return {color}; }}")
        for buffer in buffers:
            if buffer.step.persistent:
                entry = f"keep_{buffer.texture}"
                self._out.passes.append({"entry": entry, "output": buffer.texture})
                lines.append(f"fn {entry}(p: vec2i) -> vec4f {{ return texel({buffer.now}, p); }}")
        if (last := by_index.get(len(self._header.steps) - 1)) is not None:
            self._out.passes.append({"entry": "show"})
            read = "glsl_texture32" if last.step.is_float else "glsl_texture"
            self._helpers.plain(read)
            lines.append(
                f"fn show(p: vec2i) -> vec4f {{ let at = uv_of(p); "
                f"return {self._helpers.plain('glsl_shown')}({read}({last.now}, vec2f(at.x, 1.0 - at.y))); }}"
            )
        return lines

    # -- the vertex shader -----------------------------------------------------------------------------------

    def _corners(self, vertex: str, around: Surroundings) -> Translation:
        try:
            found = translate_unit(parse(vertex), around, self._helpers, is_fragment=False)
            _check_main(found)
        except FilterError as error:
            raise FilterError(
                sentence("{path}: {error}", path=self._path.with_suffix(".vs").name, error=error)
            ) from error
        return found

    def _check_varyings(self, main: Translation, corners: Translation | None) -> None:
        for name, known in main.varyings.items():
            other = corners.varyings.get(name) if corners is not None else None
            if other is None or other.type != known.type:
                raise FilterError(
                    sentence(
                        "It reads the varying '{name}', which no vertex shader {path} beside it sets; add the file.",
                        name=name,
                        path=self._path.with_suffix(".vs").name,
                    )
                )


def _label(given: Input) -> dict[str, Entry]:
    return {"label": given.label} if given.label else {}


def _check_main(unit: Translation) -> None:
    if "main" not in unit.functions:
        raise FilterError(sentence("It has no function main(); add it."))


def _parameter(given: Input, value: str) -> tuple[str, Type, dict[str, Entry]]:
    """Return an input as an expression of WGSL, its type, and the rest of its parameter's description."""
    match given.kind:
        case "bool" | "event":
            is_on = bool(given.default) and given.default[0] != 0 and given.kind == "bool"
            return f"({value} != 0u)", BOOL, {"type": "bool", "default": is_on}
        case "color":
            color = [
                min(1.0, max(0.0, each))
                for each in (*given.default, *(0.0, 0.0, 0.0, 1.0)[len(given.default) :])
            ]
            return value, VEC4, {"type": "color", "default": color}
        case "long":
            return _long(given, value)
        case "point2D":
            return _point(given, value)
        case _:
            low, high, default = _range(given)
            return value, FLOAT, {"min": low, "max": high, "default": default}


def _range(given: Input) -> tuple[float, float, float]:
    """Return bounds and default of a number; a default outside of the bounds widens them."""
    low = given.low[0] if given.low else 0.0
    high = given.high[0] if given.high else 1.0
    default = given.default[0] if given.default else low
    low, high = min(low, high, default), max(low, high, default)
    return low, high if high > low else low + 1.0, default


def _long(given: Input, value: str) -> tuple[str, Type, dict[str, Entry]]:
    if not given.values:
        low, high, default = (math.floor(each) for each in _range(given))
        return value, INT, {"type": "int", "min": low, "max": high, "default": default}
    labels: list[str] = []
    for index, number in enumerate(given.values):
        label = given.labels[index] if index < len(given.labels) and given.labels[index] else str(number)
        labels.append(label if label not in labels else f"{label} ({index + 1})")
    chosen = int(given.default[0]) if given.default else given.values[0]
    first = labels[given.values.index(chosen)] if chosen in given.values else labels[0]
    return value, INT, {"type": "choice", "choices": labels, "default": first}


def _is_index(values: tuple[int, ...]) -> bool:
    return values == tuple(range(len(values)))


def _value_function(name: str, values: tuple[int, ...]) -> str:
    """Return the function that looks up a choice's value: not all compilers can index a constant array."""
    cases = " ".join(f"case {index}i: {{ return {int_text(value)}; }}" for index, value in enumerate(values))
    return f"fn value_of_{name}() -> i32 {{ switch params.{name} {{ {cases} default: {{ return 0i; }} }} }}"


def _point(given: Input, value: str) -> tuple[str, Type, dict[str, Entry]]:
    """Return a point, between MIN and MAX from the left lower corner.

    Without them it is 0 to 1; with a default above 1 it is in pixels of a frame of unknown size, at its center first.
    """
    start = (*given.default, 0.0, 0.0)[:2]
    if len(given.low) == 2 and len(given.high) == 2:
        low, size = given.low, tuple(b - a for a, b in zip(given.low, given.high, strict=True))
    else:
        low, size = (0.0, 0.0), (1.0, 1.0)
    shares = [(at - a) / d if d else 0.0 for at, a, d in zip(start, low, size, strict=True)]
    in_pixels = not given.low and max(start) > 1
    if in_pixels:
        shares = [0.5, 0.5]
    x, y = (min(1.0, max(0.0, each)) for each in shares)
    corner = f"vec2f({value}.x, 1.0 - {value}.y)"
    texts = [f"vec2f({float_text(a)}, {float_text(b)})" for a, b in (low, size)]
    text = f"({corner} * frame.size)" if in_pixels else f"({texts[0]} + {texts[1]} * {corner})"
    return text, VEC2, {"type": "point", "default": [x, 1.0 - y]}


def _interpolation(corners: Translation) -> list[str]:
    """Return the function that sets what a vertex shader does: its values at three corners, interpolated.

    As OpenGL draws a strip of two triangles, whose common side goes from the left upper corner.
    """
    lines = [
        "fn isf_interpolate(at: vec2f) {",
        "  let upper = at.x + at.y > 1.0;",
        "  let weights = vec3f(abs(1.0 - at.x - at.y), select(at, 1.0 - at.yx, upper));",
    ]
    floats = [known for known in corners.varyings.values() if known.type.base == "float"]
    for number, corner in enumerate(
        ("select(vec2f(0.0), vec2f(1.0), upper)", "vec2f(1.0, 0.0)", "vec2f(0.0, 1.0)")
    ):
        lines.append(f"  isf_FragNormCoord = {corner};")
        lines.append("  vn_main();")
        lines += [f"  let c{number}_{known.text} = {known.text};" for known in floats]
    for known in floats:
        for part in [f"[{i}]" for i in range(known.type.count)] if known.type.count else [""]:
            terms = (f"weights[{index}] * c{index}_{known.text}{part}" for index in range(3))
            lines.append(f"  {known.text}{part} = {' + '.join(terms)};")
    return [*lines, "  isf_FragNormCoord = at;", "}"]
