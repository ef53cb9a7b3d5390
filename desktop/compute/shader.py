"""WGSL text: where it is found, its front matter, shared functions, and what is done to a stranger's before it runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from desktop.compute.toml_text import parse_toml
from desktop.errors import FilterError
from desktop.resources import resource

FRONT_MATTER_OPEN: Final = "/* lightloom"

# Iterations that one invocation of a user's shader may spend in all its loops together. A 129 x 129 window takes 16,641;
# a GPU runs a million steps for a pixel in milliseconds, so a runaway loop costs a slow frame and not the driver.
LOOP_BUDGET: Final = 65536

# WGSL ends a line comment at any of these, and nests block comments (WGSL, section 3.2 and 3.3).
_COMMENT_BEGIN = re.compile("//[^\n\v\f\r\x85\u2028\u2029]*|/\\*")
_BLOCK_EDGE = re.compile(r"/\*|\*/")
_RESERVED = re.compile(r"\blightloom_\w*")
# Function bodies that one call of an entry may come to, calls of calls included. Compilers inline them all: thirty functions that
# each call the one before twice are a thousand million bodies.
CALL_BUDGET: Final = 4096
_MAX_FUNCTIONS: Final = 512

_FUNCTION = re.compile(r"\bfn\s+(\w+)\s*\(")
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
            raise FilterError(
                f"There is no shared shader file called '{name}'; see shaders/common."
            ) from error
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
        raise FilterError(
            f"{path} does not begin with '{FRONT_MATTER_OPEN}' and a description in TOML; see docs/filters.md."
        )
    end = text.find("*/")
    if end < 0:
        raise FilterError(f"{path}: the description that begins in line 1 is never closed with '*/'.")
    body = text[len(FRONT_MATTER_OPEN) : end]
    if "/*" in body:
        raise FilterError(
            f"{path}: the description at the top contains '/*', which begins a second comment; leave it out."
        )
    try:
        return parse_toml(body)
    except ValueError as error:
        raise FilterError(f"{path}: the description at the top is not valid TOML: {error}.") from error


def _block_end(text: str, start: int) -> int:
    # Offset just behind the block comment whose '/*' ends at `start`.
    depth = 1
    for edge in _BLOCK_EDGE.finditer(text, start):
        depth += 1 if edge.group() == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(text)


def blank_comments(text: str) -> str:
    """Return the text with spaces for comments: the same length and line breaks, so that offsets found in it hold in the original."""
    # A comment must end here exactly where the compiler ends it: a loop that is taken for a comment would go unbounded.
    pieces: list[str] = []
    last = 0
    while match := _COMMENT_BEGIN.search(text, last):
        end = _block_end(text, match.end()) if match.group() == "/*" else match.end()
        pieces += [text[last : match.start()], re.sub(r"[^\n]", " ", text[match.start() : end])]
        last = end
    return "".join(pieces) + text[last:]


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
    lines. WGSL has no recursion, so loops and calls of calls (`check_calls`) are all there is to bound. naga's own loop
    bounding stops after 2^64 iterations, which is no bound at all.

    Raises:
        FilterError: the text uses a name that begins with 'lightloom_', with which it could wind the counter back.
    """
    plain = blank_comments(text)
    if reserved := _RESERVED.search(plain):
        raise FilterError(
            f"The name '{reserved.group()}' begins with 'lightloom_', which is reserved; choose another."
        )
    guard = f"{{ lightloom_steps += 1u; if (lightloom_steps > {LOOP_BUDGET}u) {{ break; }} }}"
    offsets = [_body_start(plain, match.end()) for match in _LOOP_KEYWORD.finditer(plain)]
    pieces: list[str] = []
    last = 0
    for offset in (o for o in offsets if o is not None):
        pieces += [text[last:offset], " ", guard, " "]
        last = offset
    pieces.append(text[last:])
    return "".join(pieces)


def check_calls(text: str) -> None:
    """Refuse a shader whose functions call functions so often that inlining them would stall the compiler or the GPU.

    Raises:
        FilterError: an entry comes to more than `CALL_BUDGET` function bodies.
    """
    plain = blank_comments(text)
    heads = list(_FUNCTION.finditer(plain))
    if len(heads) > _MAX_FUNCTIONS:
        raise FilterError(f"It has {len(heads)} functions, which are more than {_MAX_FUNCTIONS}; use fewer.")
    ends = [*(head.start() for head in heads[1:]), len(plain)]
    bodies = {head.group(1): plain[head.end() : end] for head, end in zip(heads, ends, strict=False)}
    calls = re.compile(r"\b(" + "|".join(map(re.escape, bodies)) + r")\s*\(")
    callees = {name: calls.findall(body) for name, body in bodies.items()}
    costs = dict.fromkeys(bodies, 1)
    # WGSL allows a call of a function that is declared later, so costs are propagated as many times as a chain may be long.
    for _ in bodies:
        for name, names in callees.items():
            costs[name] = 1 + sum(costs[callee] for callee in names)
            if costs[name] > CALL_BUDGET:
                raise FilterError(
                    f"The function '{name}' comes to more than {CALL_BUDGET} calls of functions in functions; call fewer."
                )
