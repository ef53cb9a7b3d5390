"""A filter is one self-describing WGSL file; this module reads its declaration and finds all such files.

The chain panel, the presets, the command line, the limits and the uniform's packing derive from `Filter`. The
format is described for shader authors in docs/filters.md.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from desktop.compute.backends import backend_choices
from desktop.compute.gpu.shader import split_front_matter
from desktop.compute.models.builtin import builtin_models
from desktop.compute.task_ids import TASK_IDS
from desktop.errors import FilterError
from desktop.kept import kept
from desktop.printable import printable
from desktop.resources import resource
from desktop.small_file import read_small_file, reason
from desktop.wording import sentence

ParamType = Literal["float", "int", "bool", "choice", "color", "point", "lut", "image", "model"]
ParamValue = float | int | bool | str | tuple[float, ...]
Values = Mapping[str, ParamValue]

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_BUFFER_TYPE: Final = re.compile(r"[A-Za-z_][\w<>, ]*")
# (size, alignment, WGSL type) of a parameter in the uniform; those that name files are textures or networks and take no room.
_PACKING: Final[dict[str, tuple[int, int, str]]] = {
    "float": (4, 4, "f32"),
    "int": (4, 4, "i32"),
    "bool": (4, 4, "u32"),
    "choice": (4, 4, "i32"),
    "color": (16, 16, "vec4f"),
    "point": (8, 8, "vec2f"),
}
# The value is a file's path, '' for none; a model's may be the name of a built-in network.
FILE_TYPES: Final = ("lut", "image", "model")
_FORMATS: Final = {"rgba16float": 8, "rgba8unorm": 4, "r32float": 4, "rg32float": 8, "rgba32float": 16}
_MAX_PARAMS: Final = 64
_MAX_LUTS: Final = 2
_MAX_TEXTURES: Final = 12
# With the input and the original these are the 16 textures that WebGPU lets a shader bind.
_MAX_BOUND: Final = 14
_MAX_PASSES: Final = 64
_MAX_THREADS: Final = 1 << 28  # of a raw pass with a fixed grid: 32 pictures of 3840 x 2160
TEXTURE_BYTES: Final = 1 << 30
"""What a filter's own textures may take for a picture of 1920 x 1080 pixels; four times that for any picture, as one of 3840 x 2160 has."""
_MAX_USED: Final = 16
_MAX_FILE: Final = 1 << 20


@dataclass(frozen=True)
class Param:
    """One parameter: what a slider, a preset and the command line know of it.

    Attributes:
        name: as in the WGSL `params` struct.
        type: 'float', 'int', 'bool', 'choice' (index into `choices`), 'color' (R'G'B'A, 0..1), 'point' (0..1 of the picture,
            origin top left), 'lut' (path of a `.cube` file, '' for none), 'image' (path of a picture, '' for none) or 'model' (name of
            a built-in network, or path of an `.onnx` file).
        default: the value at first and after a reset.
        min, max, step: bounds and step of a number.
        unit: 'px', '%', 'EV', 'K', ...
        choices: names of a choice's values.
        label: what the interface shows.
        help: one sentence.
        tasks: of a model: what a built-in network may be for ('image', 'mask', 'depth').
        when: (name of another parameter, those of its values) pairs; with any other value this one has no effect and is not shown.
    """

    name: str
    type: ParamType
    default: ParamValue
    min: float = 0.0
    max: float = 1.0
    step: float = 0.0
    unit: str = ""
    choices: tuple[str, ...] = ()
    label: str = ""
    help: str = ""
    tasks: tuple[str, ...] = ()
    when: tuple[tuple[str, tuple[ParamValue, ...]], ...] = ()

    def applies(self, values: Values) -> bool:
        """Return whether it has an effect beside the stage's other checked values."""
        return all(values[name] in wanted for name, wanted in self.when)

    def check(self, value: Any) -> ParamValue:
        """Return `value` in the parameter's own type.

        Raises:
            FilterError: not a value of this type, or outside the bounds.
        """
        try:
            return self._convert(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise FilterError(
                sentence(
                    "'{value}' is not a value for '{name}'; it takes {expects}.",
                    value=str(value)[:60],
                    name=self.name,
                    expects=self.expects,
                )
            ) from error

    @property
    def expects(self) -> str:
        """What the parameter takes, in words."""
        if self.type in ("float", "int"):
            bounds = {"min": self.min, "max": self.max, "unit": f" {self.unit}" if self.unit else ""}
            if self.type == "int":
                return sentence("a whole number from {min:g} to {max:g}{unit}", **bounds)
            return sentence("a number from {min:g} to {max:g}{unit}", **bounds)
        return {
            "bool": sentence("true or false"),
            "choice": sentence("one of {choices}", choices=", ".join(self.choices)),
            "color": sentence("a colour such as #00b140"),
            "point": sentence("two numbers from 0 to 1, written as 0.25/0.75"),
            "lut": sentence("the path of a .cube file"),
            "image": sentence("the path of a picture"),
            "model": sentence("the name of a built-in network or the path of an .onnx file"),
        }[self.type]

    def _convert(self, value: Any) -> ParamValue:
        match self.type:
            case "float" | "int":
                if isinstance(value, bool):
                    raise ValueError
                number = float(value)
                if not math.isfinite(number) or not self.min <= number <= self.max:
                    raise ValueError
                if self.type == "int":
                    if number != int(number):
                        raise ValueError
                    return int(number)
                return number
            case "bool":
                return _to_bool(value)
            case "choice":
                return self._choice(value)
            case "color":
                return _to_color(value)
            case "point":
                x, y = (float(v) for v in (value.split("/") if isinstance(value, str) else value))
                if not (0 <= x <= 1 and 0 <= y <= 1):
                    raise ValueError
                return (x, y)
            case "lut" | "image" | "model":
                return str(value)

    def _choice(self, value: Any) -> str:
        if isinstance(value, str) and value in self.choices:
            return value
        # The index is taken as well: the command line and old presets may hold one.
        index = int(value)
        if isinstance(value, (bool, float)) or not 0 <= index < len(self.choices):
            raise ValueError
        return self.choices[index]

    def pack(self, value: ParamValue) -> bytes:
        """Return the bytes of a checked value in the uniform (little endian)."""
        match self.type:
            case "float":
                return struct.pack("<f", value)
            case "int":
                return struct.pack("<i", value)
            case "bool":
                return struct.pack("<I", bool(value))
            case "choice":
                return struct.pack("<i", self.choices.index(str(value)))
            case "color":
                return struct.pack("<4f", *value)  # type: ignore[misc]
            case "point":
                return struct.pack("<2f", *value)  # type: ignore[misc]
            case "lut" | "image" | "model":
                return b""


def _to_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "on", "yes", "1"):
        return True
    if isinstance(value, str) and value.lower() in ("false", "off", "no", "0"):
        return False
    raise ValueError


def _to_color(value: Any) -> tuple[float, ...]:
    if isinstance(value, str):
        digits = value.removeprefix("#")
        if len(digits) not in (6, 8):
            raise ValueError
        parts = [int(digits[i : i + 2], 16) / 255 for i in range(0, len(digits), 2)]
    else:
        parts = [float(v) for v in value]
    if len(parts) == 3:
        parts.append(1.0)
    if len(parts) != 4 or not all(0 <= v <= 1 for v in parts):
        raise ValueError
    return tuple(parts)


@dataclass(frozen=True)
class TextureSpec:
    """A texture of a filter's own.

    Attributes:
        name: as bound in WGSL.
        scale: of the picture's size (0 < scale <= 2); ignored where `size` is given.
        size: fixed (width, height) in texels, or None.
        format: storage format.
        persistent: kept from frame to frame. Reading gives what the last frame wrote; it begins as zeros, and again after a reset.
    """

    name: str
    scale: float = 1.0
    size: tuple[int, int] | None = None
    format: str = "rgba16float"
    persistent: bool = False

    def resolve(self, width: int, height: int) -> tuple[int, int]:
        """Return the size in texels for a picture of `width` x `height`."""
        if self.size is not None:
            return self.size
        return max(1, math.ceil(width * self.scale)), max(1, math.ceil(height * self.scale))

    def bytes(self, width: int, height: int) -> int:
        """Return the memory that it takes for a picture of `width` x `height`."""
        own_width, own_height = self.resolve(width, height)
        return own_width * own_height * _FORMATS[self.format] * (2 if self.persistent else 1)


@dataclass(frozen=True)
class BufferSpec:
    """A storage buffer of a filter's own: `var<storage, read_write> <name>: <type>`; `clear` zeroes it at every frame's beginning."""

    name: str
    type: str
    bytes: int
    clear: bool = True


@dataclass(frozen=True)
class PassSpec:
    """One dispatch.

    Attributes:
        entry: the function. kind 'pixel': `fn entry(p: vec2i) -> vec4f` gives the value of one texel; kind 'raw': a whole
            `@compute` function named `entry`, which writes `result` (if there is an output) or buffers by itself.
        output: 'output' (the filter's result), the name of a texture, or '' (raw passes that write buffers only).
        kind: 'pixel' or 'raw'.
        workgroup: threads in x and y of a workgroup.
        grid: workgroups in x and y, or None for as many as cover the output (the picture where there is no output).
        cover: texture whose size `grid` covers where it is not the output's own.
        tile: texels in x and y that one workgroup of a raw pass covers (default: `workgroup`).
    """

    entry: str
    output: str = "output"
    kind: Literal["pixel", "raw"] = "pixel"
    workgroup: tuple[int, int] = (8, 8)
    grid: tuple[int, int] | None = None
    cover: str = ""
    tile: tuple[int, int] | None = None


@dataclass(frozen=True)
class NetworkUse:
    """A neural network in front of a filter's passes, which read its output.

    The other attributes name parameters of the filter by which the user sets the network up; '' where there is none.

    Attributes:
        texture: what the output is called in WGSL: a `texture_2d<f32>` that covers the picture.
        seen: what the picture is called in WGSL that the output is of: the input, or an older one while the network lags behind.
        output: 'image' (R'G'B' in 0..1), 'mask' (r: probability), 'map' (r: the value as it is, format r32float) or
            'classes' (r: the number of the likeliest class, format r32float).
        model: the 'model' parameter.
        size: an 'int': the longer side in pixels for a network of free size.
        backend: a 'choice' of 'auto' and the backends that there are (backends/).
        scale, colors: 'choice's that replace what is inferred of the input, of SCALES and COLORS.
        output_scale: a 'choice' that replaces what is inferred of a picture that comes out, of SCALES.
        channel: an 'int': the channel or class that a mask is taken from; -1 leaves it to the network's declaration.
    """

    SCALES: ClassVar = ("auto", "0..1", "-1..1", "0..255", "ImageNet")
    COLORS: ClassVar = ("auto", "RGB", "BGR")

    texture: str
    output: Literal["image", "mask", "map", "classes"]
    model: str
    seen: str = ""
    size: str = ""
    backend: str = ""
    scale: str = ""
    colors: str = ""
    output_scale: str = ""
    channel: str = ""

    @property
    def params(self) -> frozenset[str]:
        """Names of the parameters that set the network up."""
        names = (
            self.model,
            self.size,
            self.backend,
            self.scale,
            self.colors,
            self.output_scale,
            self.channel,
        )
        return frozenset(filter(None, names))

    @property
    def format(self) -> str:
        """Format of the output's texture."""
        return "r32float" if self.output == "map" else "rgba16float"


@dataclass(frozen=True)
class Filter:
    """A filter's declaration and its source.

    Attributes:
        id: the file's name without its ending.
        path: the file.
        text: the whole WGSL text, front matter included (a comment to WGSL).
        builtin: False for a user's own file.
    """

    id: str
    path: str
    text: str
    title: str
    group: str
    help: str = ""
    tags: tuple[str, ...] = ()
    params: tuple[Param, ...] = ()
    textures: tuple[TextureSpec, ...] = ()
    buffers: tuple[BufferSpec, ...] = ()
    passes: tuple[PassSpec, ...] = (PassSpec("main"),)
    use: tuple[str, ...] = ()
    network: NetworkUse | None = None
    builtin: bool = True

    @property
    def defaults(self) -> dict[str, ParamValue]:
        """Every parameter at its default."""
        return {param.name: param.default for param in self.params}

    @property
    def luts(self) -> tuple[Param, ...]:
        """The parameters that are bound as 3D textures."""
        return tuple(param for param in self.params if param.type == "lut")

    @property
    def images(self) -> tuple[Param, ...]:
        """The parameters that are bound as 2D textures."""
        return tuple(param for param in self.params if param.type == "image")

    @property
    def files(self) -> tuple[Param, ...]:
        """The parameters whose values are paths."""
        return tuple(param for param in self.params if param.type in FILE_TYPES)

    def param(self, name: str) -> Param:
        """Return a parameter.

        Raises:
            FilterError: the filter has none of that name.
        """
        for param in self.params:
            if param.name == name:
                return param
        names = ", ".join(p.name for p in self.params) or "none"
        raise FilterError(
            sentence(
                "The filter '{id}' has no parameter '{name}'; it has: {names}.",
                id=self.id,
                name=name,
                names=names,
            )
        )

    def check_textures(self, width: int, height: int, allowed: int) -> None:
        """Refuse textures that together take more than `allowed` bytes for a picture of `width` x `height`.

        Raises:
            FilterError: they do.
        """
        total = sum(texture.bytes(width, height) for texture in self.textures)
        if total > allowed:
            raise FilterError(
                sentence(
                    "{path}: its textures take {size:.1f} GiB for a picture of {width} x {height} pixels, and "
                    "{limit} GiB are allowed; make them smaller or fewer.",
                    path=self.path,
                    size=total / (1 << 30),
                    width=width,
                    height=height,
                    limit=allowed >> 30,
                )
            )

    def check(self, values: Mapping[str, Any]) -> dict[str, ParamValue]:
        """Return all parameters, the given ones checked and the others at their defaults.

        Raises:
            FilterError: an unknown name, or a value that does not fit.
        """
        checked = {name: self.param(name).check(value) for name, value in values.items()}
        return self.defaults | checked

    def pack(self, values: Values) -> bytes:
        """Return the `params` uniform (WGSL uniform address space layout, at least 16 bytes)."""
        out = bytearray()
        for param in self.params:
            if param.type in FILE_TYPES:
                continue
            align = _PACKING[param.type][1]
            out += b"\0" * (-len(out) % align)
            out += param.pack(values[param.name])
        out += b"\0" * (-len(out) % 16)
        return bytes(out) or b"\0" * 16

    def params_struct(self) -> str:
        """Return the WGSL declaration of `Params`."""
        members = [f"{p.name}: {_PACKING[p.type][2]}" for p in self.params if p.type in _PACKING]
        return "struct Params { " + ", ".join(members or ["lightloom_unused: f32"]) + " }"


# -- reading the declaration ------------------------------------------------------------------------------------------


def _printable(value: Any) -> Any:
    if isinstance(value, list):
        return [_printable(item) for item in value]
    return printable(value) if isinstance(value, str) else value


class _Table:
    """A TOML table that names the file, and whatever is left over, in its complaints."""

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        # Every text in it is shown somewhere.
        self._data = {key: _printable(value) for key, value in data.items()}
        self._where = where

    def fail(self, what: str) -> FilterError:
        return FilterError(sentence("{where}: {what}.", where=self._where, what=what))

    def take(self, key: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        if key not in self._data:
            if default is None:
                raise self.fail(sentence("'{key}' is missing", key=key))
            return default
        value = self._data.pop(key)
        wrong_bool = isinstance(value, bool) and kind in (float, int, (int, float))
        if kind is float:
            kind = (int, float)
        if wrong_bool or not isinstance(value, kind):
            raise self.fail(sentence("'{key}' has the wrong type", key=key))
        # What a 32-bit float holds; a TOML number may be infinite, or hundreds of digits long.
        if isinstance(value, (int, float)) and (value > 3.4e38 or value < -3.4e38):
            raise self.fail(sentence("'{key}' is not a number that can be used", key=key))
        return value

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def name(self, key: str) -> str:
        value = str(self.take(key, str))
        if not _NAME.fullmatch(value):
            raise self.fail(
                sentence("{key} '{value}' must be lower-case letters, digits and '_'", key=key, value=value)
            )
        return value

    def pair(self, key: str, limit: int) -> tuple[int, int] | None:
        value = self.take(key, list, [])
        if not value:
            return None
        if len(value) != 2 or not all(type(v) is int and 0 < v <= limit for v in value):
            raise self.fail(
                sentence("'{key}' must be two whole numbers from 1 to {limit}", key=key, limit=limit)
            )
        return (value[0], value[1])

    def done(self) -> None:
        if self._data:
            raise self.fail(sentence("'{key}' is not known here", key=next(iter(self._data))))


def _read_param(table: _Table) -> Param:
    name = table.name("name")
    kind = table.take("type", str, "float")
    if kind not in (*_PACKING, *FILE_TYPES):
        raise table.fail(
            sentence(
                "type '{kind}' is not one of {types}", kind=kind, types=", ".join((*_PACKING, *FILE_TYPES))
            )
        )
    choices = tuple(str(v) for v in table.take("choices", list, []))
    if kind == "choice" and not choices:
        raise table.fail(sentence("it is a choice, but 'choices' is missing"))
    if len(set(choices)) != len(choices):
        raise table.fail(sentence("two of its choices have the same name"))
    tasks = tuple(str(v) for v in table.take("tasks", list, []))
    if (kind == "model") != bool(tasks) or not set(tasks) <= set(TASK_IDS):
        raise table.fail(
            sentence(
                "'tasks' belongs to a model, and is a list of some of {tasks}", tasks=", ".join(TASK_IDS)
            )
        )
    fallback: Any = {"choice": choices[0] if choices else "", "lut": "", "image": "", "bool": False}.get(kind)
    if kind == "model":
        # The first of those in the box: a stage that is added does something at once.
        fallback = next((m.name for m in builtin_models().values() if m.task in tasks), "")
    default = table.take("default", (int, float, bool, str, list), fallback)
    param = Param(
        name=name,
        type=kind,
        default=0.0,
        min=float(table.take("min", float, 0.0)),
        max=float(table.take("max", float, 1.0)),
        step=float(table.take("step", float, 0.0)),
        unit=table.take("unit", str, ""),
        choices=choices,
        label=table.take("label", str, name.replace("_", " ").capitalize()),
        help=table.take("help", str, ""),
        tasks=tasks,
        when=tuple(
            (str(other), tuple(wanted) if isinstance(wanted, list) else (wanted,))
            for other, wanted in table.take("when", dict, {}).items()
        ),
    )
    table.done()
    if param.min >= param.max:
        raise table.fail(sentence("min {min:g} is not below max {max:g}", min=param.min, max=param.max))
    if not param.step >= 0:
        raise table.fail(sentence("'step' is below zero"))
    if kind == "int" and not -(2**31) <= param.min <= param.max < 2**31:
        raise table.fail(sentence("its bounds don't fit into a whole number of 32 bits"))
    try:
        return replace(param, default=param.check(default))
    except FilterError as error:
        raise table.fail(
            sentence(
                "the default {default} does not fit, it takes {expects}",
                default=repr(default),
                expects=param.expects,
            )
        ) from error


def _with_conditions(table: _Table, params: tuple[Param, ...]) -> tuple[Param, ...]:
    # Only now are all parameters known, by which the values in a 'when' are checked.
    named = {param.name: param for param in params}

    def checked(param: Param, other: str, wanted: tuple[Any, ...]) -> tuple[ParamValue, ...]:
        if other not in named or other == param.name or named[other].type not in ("bool", "choice"):
            raise table.fail(
                sentence(
                    "'when' of '{param_name}' must name another parameter, a bool or a choice",
                    param_name=param.name,
                )
            )
        try:
            values = tuple(named[other].check(value) for value in wanted)
        except FilterError:
            values = ()
        if not values:
            raise table.fail(
                sentence(
                    "'when' of '{param_name}': '{other}' takes {expects}",
                    param_name=param.name,
                    other=other,
                    expects=named[other].expects,
                )
            )
        return values

    return tuple(
        replace(param, when=tuple((other, checked(param, other, wanted)) for other, wanted in param.when))
        for param in params
    )


def _read_texture(table: _Table) -> TextureSpec:
    spec = TextureSpec(
        name=table.name("name"),
        scale=float(table.take("scale", float, 1.0)),
        size=table.pair("size", 4096),
        format=table.take("format", str, "rgba16float"),
        persistent=table.take("persistent", bool, False),
    )
    table.done()
    if spec.format not in _FORMATS:
        raise table.fail(
            sentence(
                "format '{format}' is not one of {formats}", format=spec.format, formats=", ".join(_FORMATS)
            )
        )
    if not 0 < spec.scale <= 2:
        raise table.fail(sentence("'scale' must be above 0 and at most 2"))
    return spec


def _read_buffer(table: _Table) -> BufferSpec:
    spec = BufferSpec(
        name=table.name("name"),
        type=table.take("type", str),
        bytes=table.take("bytes", int),
        clear=table.take("clear", bool, True),
    )
    table.done()
    # The type goes into the WGSL text as it stands: nothing else may come in with it, past the check of loops.
    if not _BUFFER_TYPE.fullmatch(spec.type):
        raise table.fail(sentence("'type' is not a WGSL type such as array<atomic<u32>, 256>"))
    if not 0 < spec.bytes <= 32 << 20:
        raise table.fail(sentence("'bytes' must be from 1 to 33554432 (32 MiB)"))
    return spec


def _read_pass(table: _Table) -> PassSpec:
    kind = table.take("kind", str, "pixel")
    if kind not in ("pixel", "raw"):
        raise table.fail(sentence("kind '{kind}' is neither 'pixel' nor 'raw'", kind=kind))
    spec = PassSpec(
        entry=table.name("entry"),
        output=table.take("output", str, "output" if kind == "pixel" else ""),
        kind=kind,
        workgroup=table.pair("workgroup", 256) or (8, 8),
        grid=table.pair("grid", 65535),
        cover=table.take("cover", str, ""),
        tile=table.pair("tile", 4096),
    )
    table.done()
    grid = spec.grid or (1, 1)
    if math.prod(grid) * math.prod(spec.workgroup) > _MAX_THREADS:
        raise table.fail(sentence("its grid runs more than {max_threads} threads", max_threads=_MAX_THREADS))
    if spec.workgroup[0] * spec.workgroup[1] > 256:
        raise table.fail(sentence("its workgroup has more than 256 threads"))
    return spec


def _network_params() -> dict[str, tuple[str, tuple[str, ...]]]:
    """What a parameter must be that sets the network up: its type, and a choice's names."""
    return {
        "model": ("model", ()),
        "size": ("int", ()),
        "backend": ("choice", backend_choices()),
        "scale": ("choice", NetworkUse.SCALES),
        "colors": ("choice", NetworkUse.COLORS),
        "output_scale": ("choice", NetworkUse.SCALES[:4]),
        "channel": ("int", ()),
    }


def _with_backends(data: dict[str, Any]) -> dict[str, Any]:
    # A filter need not know which backends there are; one that lists some of them, as all did once, offers all.
    network, rows = data.get("network"), data.get("param")
    name = network.get("backend") if isinstance(network, dict) else None
    if name is None or not isinstance(rows, list):
        return data
    choices = backend_choices()

    def offered(row: Any) -> Any:
        if not isinstance(row, dict) or row.get("name") != name or row.get("type") != "choice":
            return row
        written = row.get("choices", [])
        known = isinstance(written, list) and all(choice in choices for choice in written)
        return {**row, "choices": list(choices)} if known else row

    return {**data, "param": [offered(row) for row in rows]}


def _read_network(table: _Table, params: tuple[Param, ...]) -> NetworkUse:
    output = table.take("output", str)
    if output not in ("image", "mask", "map", "classes"):
        raise table.fail(sentence("'output' must be image, mask, map or classes"))
    named = {p.name: p for p in params}
    use = NetworkUse(
        texture=table.name("texture"),
        seen=table.name("seen") if "seen" in table else "",
        output=output,
        **{key: table.take(key, str, None if key == "model" else "") for key in _network_params()},
    )
    table.done()
    for key, (kind, choices) in _network_params().items():
        name = getattr(use, key)
        param = named.get(name)
        if name and (param is None or param.type != kind or param.choices != choices):
            if choices:
                raise table.fail(
                    sentence(
                        "'{key}' must name a parameter of type {kind} with the choices {choices}",
                        key=key,
                        kind=kind,
                        choices=", ".join(choices),
                    )
                )
            raise table.fail(sentence("'{key}' must name a parameter of type {kind}", key=key, kind=kind))
    return use


def _check_names(table: _Table, spec: Filter) -> None:
    names = [t.name for t in spec.textures] + [b.name for b in spec.buffers]
    names += [p.name for p in (*spec.luts, *spec.images)]
    taken = {"input", "original", "result", "params", "frame", "linear_sampler"}
    if spec.network is not None:
        names += filter(None, (spec.network.texture, spec.network.seen))
        taken.add("network")
    for name in names:
        if name in taken:
            raise table.fail(sentence("the name '{name}' is used twice or belongs to Lightloom", name=name))
        taken.add(name)
    if len({p.name for p in spec.params}) != len(spec.params):
        raise table.fail(sentence("two parameters have the same name"))
    if len(spec.textures) > _MAX_TEXTURES or len(spec.buffers) > 4 or not 0 < len(spec.passes) <= _MAX_PASSES:
        raise table.fail(
            sentence(
                "at most {max_textures} textures, 4 buffers and {max_passes} passes, and one pass at least",
                max_textures=_MAX_TEXTURES,
                max_passes=_MAX_PASSES,
            )
        )
    if len(spec.use) > _MAX_USED:
        raise table.fail(sentence("'use' names more than {max_used} files", max_used=_MAX_USED))
    if len(spec.params) > _MAX_PARAMS or len(spec.luts) > _MAX_LUTS:
        raise table.fail(
            sentence(
                "at most {max_params} parameters, {max_luts} of them tables",
                max_params=_MAX_PARAMS,
                max_luts=_MAX_LUTS,
            )
        )
    bound = len(spec.textures) + len(spec.luts) + len(spec.images)
    if spec.network is not None:
        bound += 1 + bool(spec.network.seen)
    if bound > _MAX_BOUND:
        raise table.fail(
            sentence(
                "it binds {bound} textures, tables, images and networks; {max_bound} together is most",
                bound=bound,
                max_bound=_MAX_BOUND,
            )
        )
    models = sum(p.type == "model" for p in spec.params)
    if models != (spec.network is not None):
        raise table.fail(
            sentence("one parameter of type model goes with a table [network], and none without")
        )
    outputs = {"output", "", *(t.name for t in spec.textures)}
    for step in spec.passes:
        if step.output not in outputs or step.cover not in outputs:
            raise table.fail(
                sentence("pass '{entry}' writes or covers a texture that is not declared", entry=step.entry)
            )
    if spec.passes[-1].output != "output" and not any(p.output == "output" for p in spec.passes):
        raise table.fail(sentence("no pass writes 'output'"))


def parse_filter(text: str, path: str, *, builtin: bool, description: dict[str, Any] | None = None) -> Filter:
    """Read a filter file's declaration.

    Args:
        text: the file's text.
        path: the file, for messages; its stem is the filter's id.
        builtin: False for a user's own file.
        description: what `split_front_matter` gives for this text, where that is known.

    Raises:
        FilterError: what is wrong with the declaration.
    """
    table = _Table(
        _with_backends(split_front_matter(text, path) if description is None else description), path
    )

    def sub(key: str) -> list[_Table]:
        rows = table.take(key, list, [])
        if not all(isinstance(row, dict) for row in rows):
            raise table.fail(sentence("'{key}' must be written as [[{key}]]", key=key))
        return [
            _Table(row, f"{path}, {key} {row.get('name', row.get('entry', number))!r}")
            for number, row in enumerate(rows, 1)
        ]

    params = _with_conditions(table, tuple(_read_param(row) for row in sub("param")))
    network = table.take("network", dict, {})
    spec = Filter(
        id=Path(path).stem,
        path=path,
        text=text,
        title=table.take("title", str),
        group=table.take("group", str, "Other" if builtin else "Mine"),
        help=table.take("help", str, ""),
        tags=tuple(str(v) for v in table.take("tags", list, [])),
        params=params,
        network=_read_network(_Table(network, f"{path}, network"), params) if network else None,
        textures=tuple(_read_texture(row) for row in sub("texture")),
        buffers=tuple(_read_buffer(row) for row in sub("buffer")),
        passes=tuple(_read_pass(row) for row in sub("pass")) or (PassSpec("main"),),
        use=tuple(str(v) for v in table.take("use", list, [])),
        builtin=builtin,
    )
    table.done()
    _check_names(table, spec)
    spec.check_textures(1920, 1080, TEXTURE_BYTES)
    return spec


# -- finding them -----------------------------------------------------------------------------------------------------


def read_filter(path: Path, *, builtin: bool = False) -> Filter:
    """Read one file.

    Raises:
        FilterError: it cannot be read or its declaration is wrong.
    """
    return parse_filter(_read_text(path), str(path), builtin=builtin)


def _read_text(path: Path) -> str:
    try:
        return read_small_file(path, _MAX_FILE).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FilterError(
            sentence("The filter file {name} is not text in UTF-8; save it as that.", name=path.name)
        ) from error
    except (OSError, ValueError) as error:
        raise FilterError(
            sentence("The filter file {name} cannot be read: {reason}.", name=path.name, reason=reason(error))
        ) from error


def _bundled_filters(cache: Path | None) -> dict[str, Filter]:
    """The filters in the box by id. Their descriptions, which take three quarters of the time to parse, may be kept in a folder."""
    texts = {str(path): _read_text(path) for path in sorted(resource("shaders", "filters").glob("*.wgsl"))}

    def parse() -> dict[str, dict[str, Any]]:
        return {path: split_front_matter(text, path) for path, text in texts.items()}

    tables = parse() if cache is None else kept(cache, "bundled", repr(texts), parse)
    found = (parse_filter(text, path, builtin=True, description=tables[path]) for path, text in texts.items())
    return {item.id: item for item in found}


@dataclass
class FilterLibrary:
    """All filters: the bundled ones, and those of the user's folder, which is looked at again at each `refresh`.

    Attributes:
        user_folder: where the user's own `.wgsl` files are, or None.
        cache: a folder in which the bundled filters' descriptions are kept, or None.
        filters: by id; a user's file hides a bundled one of the same name.
        errors: by path, for files that cannot be used at present. Their last good version, if there was one, stays in `filters`.
    """

    user_folder: Path | None = None
    cache: Path | None = None
    filters: dict[str, Filter] = field(default_factory=dict)
    errors: dict[str, FilterError] = field(default_factory=dict)
    _seen: dict[Path, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.filters |= _bundled_filters(self.cache)
        self.refresh()

    def refresh(self) -> tuple[str, ...]:
        """Look at the user's folder again; return the ids of filters that are new, changed or gone, and take over what changed.

        A file that fails keeps its last good version and is listed in `errors`.
        """
        if self.user_folder is None or not self.user_folder.is_dir():
            return ()
        paths = sorted(self.user_folder.glob("*.wgsl"))
        changed = self._forget(set(self._seen) - set(paths))
        for path in paths:
            try:
                stat = path.stat()
            except OSError:
                continue
            stamp = (stat.st_mtime_ns, stat.st_size)
            if self._seen.get(path) != stamp:
                self._seen[path] = stamp
                changed.append(path.stem)
                self.add(path)
        return tuple(changed)

    def _forget(self, gone: Iterable[Path]) -> list[str]:
        ids: list[str] = []
        for path in gone:
            del self._seen[path]
            self.errors.pop(str(path), None)
            item = self.filters.get(path.stem)
            if item is not None and item.path == str(path):
                del self.filters[path.stem]
                bundled = resource("shaders", "filters") / path.name
                if bundled.exists():
                    self.filters[path.stem] = read_filter(bundled, builtin=True)
            ids.append(path.stem)
        return ids

    def add(self, path: Path) -> Filter | None:
        """Take in one file from anywhere; on an error note it in `errors` and return None."""
        try:
            item = read_filter(path)
        except FilterError as error:
            self.errors[str(path)] = error
            return None
        self.errors.pop(str(path), None)
        self.filters[item.id] = item
        return item

    def get(self, filter_id: str) -> Filter:
        """Return a filter.

        Raises:
            FilterError: there is none of that name.
        """
        try:
            return self.filters[filter_id]
        except KeyError:
            for path, error in self.errors.items():
                if Path(path).stem == filter_id:
                    raise error from None
            raise FilterError(
                sentence(
                    "There is no filter called '{filter_id}'; 'lightloom filters' lists them.",
                    filter_id=filter_id,
                )
            ) from None
