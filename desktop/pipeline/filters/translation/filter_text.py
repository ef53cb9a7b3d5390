"""The text of a filter that a translation makes: its description, and functions around the translated ones."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from desktop.base.printable import printable

Entry = str | float | bool | Sequence[str] | Sequence[float]

_RESERVED: Final = """
    NULL Self abstract active alias alignas alignof as asm asm_fragment async attribute auto await become
    bool break case cast catch class co_await co_return co_yield coherent column_major common compile
    compile_fragment concept const const_assert const_cast consteval constexpr constinit continue continuing
    crate debugger decltype default delete demote demote_to_helper diagnostic discard do dynamic_cast else
    enable enum explicit export extends extern external fallthrough false filter final finally fn for friend
    from fxgroup get goto groupshared highp if impl implements import inline instanceof interface layout let
    loop lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept
    noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator override package
    packoffset partial pass patch pixelfragment precise precision premerge priv protected pub public readonly
    ref regardless register reinterpret_cast require requires resource restrict return self set shared sizeof
    smooth snorm static static_assert static_cast std struct subroutine super switch target template this
    thread_local throw trait true try type typedef typeid typename typeof union unless unorm unsafe unsized
    use using var varying virtual volatile wgsl where while with writeonly yield
    audio tracks mask input original result params frame linear_sampler network load texel sample uv_of luma to_linear
    from_linear random random3 main array vec2 vec3 vec4 atomic ptr sampler texture bitcast select all any
"""
"""Reserved words of WGSL, and names that filters have already."""

_CAPITALS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Names:
    """Gives each input a name that a filter's description accepts, once."""

    def __init__(self) -> None:
        self._taken: set[str] = set(_RESERVED.split())

    def of(self, given: str) -> str:
        """Return a name like the given one: `blurAmount` becomes `blur_amount`."""
        words = _CAPITALS.sub("_", re.sub(r"\W", "_", given, flags=re.ASCII)).lower()
        plain = re.sub(r"__+", "_", words).strip("_")[:40] or "value"
        if not plain[0].isalpha():
            plain = f"value_{plain}"
        name, count = plain, 1
        while name in self._taken:
            count += 1
            name = f"{plain}_{count}"
        self._taken.add(name)
        return name


@dataclass
class FilterText:
    """A description and WGSL, to be joined."""

    title: str
    help: str = ""
    tags: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    params: list[dict[str, Entry]] = field(default_factory=list)
    textures: list[dict[str, Entry]] = field(default_factory=list)
    passes: list[dict[str, Entry]] = field(default_factory=list)
    code: list[str] = field(default_factory=list)

    def write(self) -> str:
        """Return the text of the filter."""
        inputs: dict[str, Entry] = {"inputs": self.inputs} if self.inputs else {}
        head = _table({"title": self.title, "help": self.help, "tags": self.tags, **inputs})
        for key, rows in (("param", self.params), ("texture", self.textures), ("pass", self.passes)):
            for row in rows:
                head += ["", f"[[{key}]]", *_table(row)]
        return "\n".join(["/* lightloom", *head, "*/", "", *self.code, ""])


def plain_text(value: object, limit: int) -> str:
    """Return a text of a header as one printable line, without signs of comments."""
    text = printable(str(value))[:limit].replace("*/", "* /").replace("/*", "/ *")
    return text.encode("utf-8", "replace").decode("utf-8")


def _table(row: Mapping[str, Entry]) -> list[str]:
    return [f"{key} = {_toml(value)}" for key, value in row.items()]


def _toml(value: Entry) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A JSON text is one of TOML, but for the last control character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "")
    if isinstance(value, (int, float)):
        return repr(value) if math.isfinite(value) else "0.0"
    return f"[{', '.join(_toml(each) for each in value)}]"
