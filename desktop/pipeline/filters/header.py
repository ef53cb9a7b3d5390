"""Reads a filter's declaration: the TOML at the top of its file."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import FilterError
from desktop.base.files import read_regular, reason
from desktop.base.wording import sentence
from desktop.compute.gpu.shader import split_front_matter
from desktop.pipeline.filters.description import (
    FORMATS,
    GIVEN_SOURCES,
    MAX_TEXTURES,
    NETWORK_FORMATS,
    TEXTURE_BYTES,
    BufferSpec,
    Filter,
    GivenTexture,
    NetworkUse,
    PassSpec,
    TextureSpec,
)
from desktop.pipeline.filters.inputs import INPUTS
from desktop.pipeline.filters.param import Param, ParamValue
from desktop.pipeline.filters.params import PARAM_TYPES
from desktop.pipeline.filters.table import Table
from desktop.vision.backends import backend_choices

_BUFFER_TYPE: Final = re.compile(r"[A-Za-z_][\w<>, ]*")
_MAX_PARAMS: Final = 64
_MAX_LUTS: Final = 2
# With the input and the original these are the 16 textures that WebGPU lets a shader bind.
_MAX_BOUND: Final = 14
_MAX_PASSES: Final = 64
_MAX_THREADS: Final = 1 << 28  # of a raw pass with a fixed grid: 32 frames of 3840 x 2160
_MAX_USED: Final = 16
MAX_FILE: Final = 1 << 20
GLSL_SUFFIXES: Final = (".fs", ".glsl", ".frag")
"""Files that are translated: of ISF, and of Shadertoy."""

FILTER_SUFFIXES: Final = (".wgsl", *GLSL_SUFFIXES)
"""Files that are filters."""

_LIVE_TYPES: Final = ("float", "int", "bool", "text")


def _read_param(table: Table) -> Param:
    name = table.name("name")
    kind = table.take("type", str, "float")
    if kind not in PARAM_TYPES:
        raise table.fail(
            sentence("type '{kind}' is not one of {types}", kind=kind, types=", ".join(PARAM_TYPES))
        )
    param = PARAM_TYPES[kind](
        name=name,
        default=0.0,
        min=float(table.take("min", float, 0.0)),
        max=float(table.take("max", float, 1.0)),
        step=float(table.take("step", float, 0.0)),
        unit=table.take("unit", str, ""),
        choices=tuple(str(v) for v in table.take("choices", list, [])),
        label=table.take("label", str, name.replace("_", " ").capitalize()),
        help=table.take("help", str, ""),
        tasks=tuple(str(v) for v in table.take("tasks", list, [])),
        when=tuple(
            (str(other), tuple(wanted) if isinstance(wanted, list) else (wanted,))
            for other, wanted in table.take("when", dict, {}).items()
        ),
    )
    default = table.take("default", (int, float, bool, str, list), param.fallback)
    table.done()
    if fault := param.fault():
        raise table.fail(fault)
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


def _with_conditions(table: Table, params: tuple[Param, ...]) -> tuple[Param, ...]:
    # Only now are all parameters known, by which the values in a 'when' are checked.
    named = {param.name: param for param in params}

    def checked(param: Param, other: str, wanted: tuple[Any, ...]) -> tuple[ParamValue, ...]:
        if other not in named or other == param.name or not named[other].conditions:
            raise table.fail(
                sentence(
                    "'when' of '{param_name}' must name another parameter, a bool, a choice or a model",
                    param_name=param.name,
                )
            )
        try:
            values = tuple(named[other].checked_condition(value) for value in wanted)
        except FilterError:
            values = ()
        if not values:
            raise table.fail(
                sentence(
                    "'when' of '{param_name}': '{other}' takes {expects}",
                    param_name=param.name,
                    other=other,
                    expects=named[other].expects_condition,
                )
            )
        return values

    return tuple(
        replace(param, when=tuple((other, checked(param, other, wanted)) for other, wanted in param.when))
        for param in params
    )


def _read_texture(table: Table) -> TextureSpec:
    spec = TextureSpec(
        name=table.name("name"),
        scale=float(table.take("scale", float, 1.0)),
        size=table.pair("size", 4096),
        format=table.take("format", str, "rgba16float"),
        persistent=table.take("persistent", bool, False),
    )
    table.done()
    if spec.format not in FORMATS:
        raise table.fail(
            sentence(
                "format '{format}' is not one of {formats}", format=spec.format, formats=", ".join(FORMATS)
            )
        )
    if not 0 < spec.scale <= 2:
        raise table.fail(sentence("'scale' must be above 0 and at most 2"))
    return spec


def _read_buffer(table: Table) -> BufferSpec:
    spec = BufferSpec(
        name=table.name("name"),
        type=table.take("type", str),
        bytes=table.take("bytes", int),
        clear=table.take("clear", bool, True),
    )
    table.done()
    # The type is inserted into the WGSL text: nothing else may come in with it, past the check of loops.
    if not _BUFFER_TYPE.fullmatch(spec.type):
        raise table.fail(sentence("'type' is not a WGSL type such as array<atomic<u32>, 256>"))
    if not 0 < spec.bytes <= 32 << 20:
        raise table.fail(sentence("'bytes' must be from 1 to 33554432 (32 MiB)"))
    return spec


def _read_pass(table: Table) -> PassSpec:
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
    """Requirements for a parameter that sets the network up: its type, and a choice's names."""
    return {
        "model": ("model", ()),
        "size": ("int", ()),
        "backend": ("choice", backend_choices()),
        "scale": ("choice", NetworkUse.SCALES),
        "colors": ("choice", NetworkUse.COLORS),
        "output_scale": ("choice", NetworkUse.SCALES[:4]),
        "channel": ("int", ()),
        "steps": ("int", ()),
        "guidance": ("float", ()),
        "timing": ("choice", NetworkUse.TIMINGS),
    }


def _with_backends(data: dict[str, Any]) -> dict[str, Any]:
    # A filter that lists some backends, as all did in the past, offers all: it need not know them.
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


def _read_network(table: Table, params: tuple[Param, ...], *, builtin: bool) -> NetworkUse:
    output = table.take("output", str)
    if output not in NETWORK_FORMATS:
        raise table.fail(sentence("'output' must be one of {outputs}", outputs=", ".join(NETWORK_FORMATS)))
    named = {p.name: p for p in params}
    live = table.take("live", list, [])
    use = NetworkUse(
        texture=table.name("texture"),
        seen=table.name("seen") if "seen" in table else "",
        output=output,
        **{key: table.take(key, str, None if key == "model" else "") for key in _network_params()},
        live=tuple(live),
    )
    table.done()
    for name in live:
        if not isinstance(name, str) or name not in named or named[name].type not in _LIVE_TYPES:
            raise table.fail(
                sentence("'live' must name parameters of the types {types}", types=", ".join(_LIVE_TYPES))
            )
    for key, (kind, choices) in _network_params().items():
        name = getattr(use, key)
        param = named.get(name)
        offered = param.choices if param is not None else ()
        is_of_masks = builtin and key == "timing" and offered == NetworkUse.MASK_TIMINGS
        if name and (param is None or param.type != kind or (offered != choices and not is_of_masks)):
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


def _read_given(table: Table) -> GivenTexture:
    given = GivenTexture(table.name("texture"), table.take("source", str))
    table.done()
    if given.source not in GIVEN_SOURCES:
        raise table.fail(sentence("'source' must be one of {sources}", sources=", ".join(GIVEN_SOURCES)))
    return given


def _read_inputs(table: Table, network: dict[str, Any]) -> tuple[str, ...]:
    inputs = table.take("inputs", list, [])
    if not all(name in INPUTS for name in inputs) or len(set(inputs)) < len(inputs):
        raise table.fail(sentence("'inputs' takes {inputs}, each once", inputs=", ".join(INPUTS)))
    if "mask" in inputs and network.get("output") == "enlarged":
        raise table.fail(sentence("a network that enlarges the frame does not go with the input 'mask'"))
    return tuple(inputs)


def _check_names(table: Table, spec: Filter) -> None:
    names = [t.name for t in spec.textures] + [b.name for b in spec.buffers]
    names += [p.name for p in spec.file_textures]
    taken = {"input", "original", "result", "params", "frame", "linear_sampler"}
    if spec.network is not None:
        names += filter(None, (spec.network.texture, spec.network.seen))
        taken.add("network")
    names += [spec.given.texture] if spec.given is not None else []
    taken |= {"audio", "tracks"} & set(spec.inputs)
    for name in names:
        if name in taken:
            raise table.fail(sentence("the name '{name}' is used twice or belongs to Lightloom", name=name))
        taken.add(name)
    if len({p.name for p in spec.params}) != len(spec.params):
        raise table.fail(sentence("two parameters have the same name"))


def _check_amounts(table: Table, spec: Filter) -> None:
    if len(spec.textures) > MAX_TEXTURES or len(spec.buffers) > 4 or not 0 < len(spec.passes) <= _MAX_PASSES:
        raise table.fail(
            sentence(
                "at most {max_textures} textures, 4 buffers and {max_passes} passes, and one pass at least",
                max_textures=MAX_TEXTURES,
                max_passes=_MAX_PASSES,
            )
        )
    if len(spec.use) > _MAX_USED:
        raise table.fail(sentence("'use' names more than {max_used} files", max_used=_MAX_USED))
    tables = sum(p.dimension == "3d" for p in spec.file_textures)
    if len(spec.params) > _MAX_PARAMS or tables > _MAX_LUTS:
        raise table.fail(
            sentence(
                "at most {max_params} parameters, {max_luts} of them tables",
                max_params=_MAX_PARAMS,
                max_luts=_MAX_LUTS,
            )
        )
    bound = len(spec.textures) + len(spec.file_textures)
    if spec.network is not None:
        bound += 1 + bool(spec.network.seen)
    bound += (spec.given is not None) + ("audio" in spec.inputs)
    if bound > _MAX_BOUND:
        raise table.fail(
            sentence(
                "it binds {bound} textures, tables, images and networks; {max_bound} together is most",
                bound=bound,
                max_bound=_MAX_BOUND,
            )
        )


def _check_uses(table: Table, spec: Filter) -> None:
    models = sum(p.type == "model" for p in spec.params)
    if models != (spec.network is not None):
        raise table.fail(
            sentence("one parameter of type model goes with a table [network], and none without")
        )
    if spec.given is not None and not spec.builtin and "mask" not in spec.inputs:
        # The chain gives textures to masks alone: any other filter would read black.
        raise table.fail(sentence("[given] is for built-in masks"))
    outputs = {"output", "", *(t.name for t in spec.textures)}
    for step in spec.passes:
        if step.output not in outputs or step.cover not in outputs:
            raise table.fail(
                sentence("pass '{entry}' writes or covers a texture that is not declared", entry=step.entry)
            )
    if not any(step.output == "output" for step in spec.passes):
        raise table.fail(sentence("no pass writes 'output'"))


def _line_of(text: str, head: str, number: int) -> int:
    """Return the line of a table, such as the second '[[param]]'; 1 if it is written otherwise."""
    lines = text.partition("*/")[0].split("\n")
    found = (at for at, line in enumerate(lines, 1) if "".join(line.split()).startswith(head))
    return next(itertools.islice(found, number - 1, None), 1)


def parse_filter(text: str, path: str, *, builtin: bool, description: dict[str, Any] | None = None) -> Filter:
    """Parse a filter's declaration; raise FilterError if it is invalid.

    The stem of `path` is the id; `description` is the result of `split_front_matter`, if known.
    """
    table = Table(
        _with_backends(split_front_matter(text, path) if description is None else description), path
    )

    def sub(key: str) -> list[Table]:
        rows = table.take(key, list, [])
        if not all(isinstance(row, dict) for row in rows):
            raise table.fail(sentence("'{key}' must be written as [[{key}]]", key=key))
        return [
            Table(
                row,
                f"{path}, {key} {row.get('name', row.get('entry', number))!r}",
                partial(_line_of, text, f"[[{key}]]", number),
            )
            for number, row in enumerate(rows, 1)
        ]

    def single(key: str, table: dict[str, Any]) -> Table:
        return Table(table, f"{path}, {key}", partial(_line_of, text, f"[{key}]", 1))

    params = _with_conditions(table, tuple(_read_param(row) for row in sub("param")))
    network = table.take("network", dict, {})
    inputs = _read_inputs(table, network)
    reads_mask = "mask" in inputs
    given = {"texture": "mask", "source": "mask"} if reads_mask else table.take("given", dict, {})
    spec = Filter(
        id=Path(path).stem,
        path=path,
        text=text,
        title=table.take("title", str),
        group=table.take("group", str, "Other" if builtin else "Mine"),
        help=table.take("help", str, ""),
        tags=tuple(str(v) for v in table.take("tags", list, [])),
        params=params,
        network=_read_network(single("network", network), params, builtin=builtin) if network else None,
        given=_read_given(single("given", given)) if given else None,
        inputs=inputs,
        textures=tuple(_read_texture(row) for row in sub("texture")),
        buffers=tuple(_read_buffer(row) for row in sub("buffer")),
        passes=tuple(_read_pass(row) for row in sub("pass")) or (PassSpec("main"),),
        use=tuple(str(v) for v in table.take("use", list, [])),
        hdr=table.take("hdr", bool, False),
        builtin=builtin,
    )
    table.done()
    for check in (_check_names, _check_amounts, _check_uses):
        check(table, spec)
    spec.check_textures(1920, 1080, TEXTURE_BYTES)
    return spec


def read_filter(path: Path, *, builtin: bool = False) -> Filter:
    """Read one file, translating one in GLSL; raise FilterError if it cannot be read or is invalid."""
    return parse_filter(filter_text(path), str(path), builtin=builtin)


def filter_text(path: Path) -> str:
    """Return a filter's text in WGSL, translated from a file in GLSL (docs/isf.md); raise FilterError."""
    if not is_glsl(path):
        return read_text(path)
    # Imported here: most libraries have no such file.
    from desktop.pipeline.filters.translation.files import translated

    return translated(path, read_text)


def is_glsl(path: Path) -> bool:
    """Return whether a filter's file is translated, by its name."""
    return path.suffix.lower() in GLSL_SUFFIXES


def read_text(path: Path) -> str:
    """Return a filter file's text; raise FilterError if it cannot be read, is too large or is not text."""
    try:
        return read_regular(path, MAX_FILE).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FilterError(
            sentence("The filter file {name} is not text in UTF-8; save it as that.", name=path.name)
        ) from error
    except (OSError, ValueError) as error:
        raise FilterError(
            sentence(
                "The filter file {name} cannot be read: {reason}; check its name and permissions.",
                name=path.name,
                reason=reason(error),
            )
        ) from error
