"""WGSL text: where it is found, its front matter, shared functions, and what is done to a stranger's before it runs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any, Final

from desktop.errors import FilterError
from desktop.resources import resource

FRONT_MATTER_OPEN: Final = "/* lightloom"

# Iterations that one invocation of a user's shader may spend in all its loops together. A 129 x 129 window takes 16,641;
# a GPU runs a million steps for a pixel in milliseconds, so a runaway loop costs a slow frame and not the driver.
LOOP_BUDGET: Final = 65536

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LOOP_KEYWORD = re.compile(r"\b(?:for|while|loop)\b")


def read_shader(*parts: str) -> str:
    """Return the text of a bundled shader, e.g. `read_shader("present", "present.wgsl")`."""
    return resource("shaders", *parts).read_text(encoding="utf-8")


def read_common(names: Iterable[str]) -> str:
    """Return the shared functions of `shaders/common/<name>.wgsl`, one after the other.

    Raises:
        FilterError: there is no such file.
    """
    parts: list[str] = []
    for name in names:
        if not re.fullmatch(r"[a-z0-9_]+", name):
            raise FilterError(f"'{name}' is not the name of a shared shader file; see shaders/common.")
        try:
            parts.append(read_shader("common", f"{name}.wgsl"))
        except FileNotFoundError as error:
            raise FilterError(f"There is no shared shader file called '{name}'; see shaders/common.") from error
    return "\n".join(parts)


def split_front_matter(text: str, path: str) -> dict[str, Any]:
    """Return the TOML table in the block comment with which a self-describing shader begins.

    The text itself is compiled whole (the front matter is a comment to WGSL), so that positions in messages are the file's own.

    Args:
        text: the file's text; its first line must be `/* lightloom`.
        path: for messages.

    Raises:
        FilterError: no front matter, or not TOML.
    """
    if not text.startswith(FRONT_MATTER_OPEN):
        raise FilterError(f"{path} does not begin with '{FRONT_MATTER_OPEN}' and a description in TOML; see docs/filters.md.")
    end = text.find("*/")
    if end < 0:
        raise FilterError(f"{path}: the description that begins in line 1 is never closed with '*/'.")
    body = text[len(FRONT_MATTER_OPEN) : end]
    try:
        return tomllib.loads(body)
    except tomllib.TOMLDecodeError as error:
        raise FilterError(f"{path}: the description at the top is not valid TOML: {error}.") from error


def _blank_comments(text: str) -> str:
    # Same length and same line breaks, so that offsets found here hold in the original.
    return _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def _body_start(text: str, start: int) -> int | None:
    # Offset just behind the '{' that opens the body of the loop whose keyword ends at `start`.
    depth = 0
    for offset in range(start, len(text)):
        char = text[offset]
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "{" and depth == 0:
            return offset + 1
        elif char == ";" and depth == 0:
            return None
    return None


def limit_loops(text: str) -> str:
    """Give every loop of a shader a way out, so that no file can hold the GPU for ever.

    Each loop body begins with a check of one counter that the invocation's loops share (`LOOP_BUDGET`). The text keeps its
    lines. WGSL has no recursion, so loops are all there is to bound. naga's own loop bounding stops after 2^64 iterations, which
    is no bound at all.
    """
    plain = _blank_comments(text)
    guard = "{ lightloom_steps += 1u; if (lightloom_steps > %du) { break; } }" % LOOP_BUDGET
    offsets = [_body_start(plain, match.end()) for match in _LOOP_KEYWORD.finditer(plain)]
    pieces: list[str] = []
    last = 0
    for offset in (o for o in offsets if o is not None):
        pieces += [text[last:offset], " ", guard, " "]
        last = offset
    pieces.append(text[last:])
    return "".join(pieces)
