"""Parse error texts of Dawn and its compiler, Tint; of a text of unknown form only the position is lost."""

from __future__ import annotations

import re
from typing import Final

from desktop.base.errors import ShaderError, ShaderMessage

_PARSING: Final = "Error while parsing WGSL: "
# ':3:17 error: unresolved value 'foo''; notes follow, with positions of their own.
_PLACED: Final = re.compile(r"^(?:Error while parsing WGSL: )?:(\d+):(\d+) (error|note): (.*)$", re.MULTILINE)
# The second form is for a layout that lacks the whole group.
_NO_BINDING: Final = ("Binding doesn't exist in ", "The entry-point uses bindings in group ")


def parse_shader_messages(text: str, first_line: int = 1) -> tuple[ShaderMessage, ...]:
    """Parse line, column and message of a Tint error text, at the first position in the user's file.

    `first_line`: the line of the compiled source at which the user's file begins.
    """
    placed = [(int(line), int(column), kind, said) for line, column, kind, said in _PLACED.findall(text)]
    message = next((said for _, _, kind, said in placed if kind == "error"), "") or _first_line(text)
    own = [(line, column) for line, column, *_ in placed if line >= first_line]
    if not own:
        return (ShaderMessage(0, 0, message),)
    line, column = own[0]
    return (ShaderMessage(line - first_line + 1, column, message),)


def lacks_binding(error: ShaderError) -> bool:
    """Return True if a shader's binding is missing in the pipeline layout: Dawn has no error type."""
    return error.messages[0].message.startswith(_NO_BINDING)


def gpu_reason(error: BaseException) -> str:
    """Return the first line of a Dawn error, without its full stop; the others are context."""
    return _first_line(str(error)).rstrip(".") or type(error).__name__


def _first_line(text: str) -> str:
    lines = (line.strip() for line in text.removeprefix(_PARSING).splitlines())
    return next((line for line in lines if line), "")
