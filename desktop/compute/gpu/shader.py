"""WGSL text: loading, front matter, shared functions, and loop limits for untrusted shaders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from desktop.base.errors import FilterError
from desktop.base.resources import resource
from desktop.base.toml_text import parse_toml, place_of
from desktop.base.wording import sentence
from desktop.compute.gpu.wgsl import ShaderText

FRONT_MATTER_OPEN: Final = "/* lightloom"

# Most loop iterations of an invocation of a user's shader. A 129 x 129 window takes 16,641.
LOOP_BUDGET: Final = 65536

_LOOPS: Final = ("for", "while", "loop")
_MAX_FRONT_MATTER: Final = 64 << 10


def read_shader(*parts: str) -> str:
    """Return the text of a bundled shader, e.g. `read_shader("present", "present.wgsl")`."""
    return resource("shaders", *parts).read_text(encoding="utf-8")


def read_common(names: Iterable[str]) -> str:
    """Return the functions of `shaders/common/<name>.wgsl`; raise FilterError if a file is missing."""
    parts: list[str] = []
    for name in names:
        if not re.fullmatch(r"[a-z0-9_]+", name):
            raise FilterError(
                sentence("'{name}' is not the name of a shared shader file; see shaders/common.", name=name)
            )
        try:
            parts.append(read_shader("common", f"{name}.wgsl"))
        except FileNotFoundError as error:
            raise FilterError(
                sentence("There is no shared shader file called '{name}'; see shaders/common.", name=name)
            ) from error
    return "\n".join(parts)


def split_front_matter(text: str, path: str) -> dict[str, Any]:
    """Return the TOML in a shader's first comment, `/* lightloom`; raise FilterError if none or invalid."""
    if not text.startswith(FRONT_MATTER_OPEN):
        raise FilterError(
            sentence(
                "{path} does not begin with '{front_matter_open}' and a description in TOML; see "
                "docs/filters.md.",
                path=path,
                front_matter_open=FRONT_MATTER_OPEN,
            ),
            1,
        )
    end = text.find("*/")
    if end < 0:
        raise FilterError(
            sentence("{path}: the description that begins in line 1 is never closed with '*/'.", path=path), 1
        )
    body = text[len(FRONT_MATTER_OPEN) : end]
    if len(body) > _MAX_FRONT_MATTER:
        raise FilterError(
            sentence(
                "{path}: the description at the top is longer than {limit} KiB.",
                path=path,
                limit=_MAX_FRONT_MATTER >> 10,
            ),
            1,
        )
    if "/*" in body:
        raise FilterError(
            sentence(
                "{path}: the description at the top contains '/*', which begins a second comment; leave it "
                "out.",
                path=path,
            ),
            1 + text[: text.index("/*", len(FRONT_MATTER_OPEN))].count("\n"),
        )
    try:
        return parse_toml(body)
    except ValueError as error:
        line, column = place_of(error)
        raise FilterError(
            sentence(
                "{path}: the description at the top is not valid TOML: {error}.", path=path, error=error
            ),
            line,
            column + len(FRONT_MATTER_OPEN) if line == 1 and column else column,
        ) from error


def limit_loops(source: ShaderText) -> str:
    """Limit the iterations of a shader's loops, so that no file can hang the GPU; return the text.

    Each loop body first checks a counter shared by the invocation (`LOOP_BUDGET`); line numbers stay. Raises
    FilterError if a name begins with 'lightloom_', as it could reset the counter.
    """
    guard = f" {{ lightloom_steps += 1u; if (lightloom_steps > {LOOP_BUDGET}u) {{ break; }} }} "
    pieces: list[str] = []
    last = 0
    depth = 0
    waiting: list[int] = []  # the depths of loop keywords whose body has not begun
    for index, (kind, word, at) in enumerate(source.tokens):
        if kind == "name" and word.startswith("lightloom_"):
            raise FilterError(
                sentence(
                    "Line {line}: the name '{word}' begins with 'lightloom_', which is reserved; choose "
                    "another.",
                    line=source.line(index),
                    word=word,
                )
            )
        if kind == "name" and word in _LOOPS:
            waiting.append(depth)
        elif word in ("(", "["):
            depth += 1
        elif word in (")", "]"):
            depth = max(0, depth - 1)
        elif word in ("{", ";") and waiting and waiting[-1] >= depth:
            if word == "{":
                pieces += [source.text[last : at + 1], guard]
                last = at + 1
            waiting.clear()
    return "".join(pieces) + source.text[last:]
