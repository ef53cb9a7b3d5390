"""Parse error texts of wgpu-native and naga, its compiler; of an unknown form only the position is lost."""

from __future__ import annotations

import re
from typing import Final

from desktop.base.errors import ShaderError, ShaderMessage

_LOCATION: Final = re.compile(r"\.?wgsl:(\d+):(\d+)")
# A block of several lines is drawn with a second bar.
_SOURCE_LINE: Final = re.compile(r"^ *(\d+) │ (?:[│╭] )?")
_MARK: Final = re.compile(r"^[ │·╭╰─]*│[ │]*?(\^+)")
# naga prints the handles of its own tables: 'Some([2])', 'Function [9]'.
_HANDLE: Final = re.compile(r" (?:Some\(\[\d+\]\)|\[\d+\])")


def _marked_positions(text: str) -> list[tuple[int, int]]:
    # (line, column) of each '^^^' under a source line, in the order printed.
    found: list[tuple[int, int]] = []
    number, start = 0, 0
    for line in text.splitlines():
        if source := _SOURCE_LINE.match(line):
            number, start = int(source.group(1)), source.end()
            continue
        if number and (mark := _MARK.match(line)):
            found.append((number, mark.start(1) - start + 1))
    return found


def parse_shader_messages(text: str, first_line: int = 1) -> tuple[ShaderMessage, ...]:
    """Parse line, column and message of a naga error text, at the first position in the user's file.

    `first_line`: the line of the compiled source at which the user's file begins.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    message = next((line.split("parsing error: ", 1)[1] for line in lines if "parsing error: " in line), "")
    if not message:
        message = next(
            (line for line in reversed(lines) if line[0] not in "│┌=╰" and not line.startswith("Caused")),
            text,
        )
    message = _HANDLE.sub("", message.removeprefix("error:").strip())
    positions = [(int(line), int(column)) for line, column in _LOCATION.findall(text)]
    own = [(line, column) for line, column in (*_marked_positions(text), *positions) if line >= first_line]
    if not own:
        return (ShaderMessage(0, 0, message),)
    line, column = own[0]
    return (ShaderMessage(line - first_line + 1, column, message),)


def lacks_binding(error: ShaderError) -> bool:
    """Return True if a shader's binding is missing in the pipeline layout: there is no error type."""
    return error.messages[0].message.startswith("Binding is missing")


def gpu_reason(error: BaseException) -> str:
    """Return the essence of an error of wgpu: the last line of its chain of causes, without its full stop."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else type(error).__name__
