"""What Dawn and its shader compiler, Tint, say in error texts, read.

A text of another version that looks otherwise loses its position, no more: the whole of it is shown.
"""

from __future__ import annotations

import re
from typing import Final

from desktop.errors import ShaderError, ShaderMessage

_PARSING: Final = "Error while parsing WGSL: "
# ':3:17 error: unresolved value 'foo''; notes follow, with positions of their own.
_PLACED: Final = re.compile(r"^(?:Error while parsing WGSL: )?:(\d+):(\d+) (error|note): (.*)$", re.MULTILINE)
# The second where the layout lacks the whole group.
_NO_BINDING: Final = ("Binding doesn't exist in ", "The entry-point uses bindings in group ")


def parse_shader_messages(text: str, first_line: int = 1) -> tuple[ShaderMessage, ...]:
    """Read line, column and message out of an error text of Tint's.

    Of several positions the first in the user's own file counts.

    Args:
        text: the text of the `GPUValidationError`.
        first_line: line number, in the compiled source, of the first line of the user's own file.
    """
    placed = [(int(line), int(column), kind, said) for line, column, kind, said in _PLACED.findall(text)]
    message = next((said for _, _, kind, said in placed if kind == "error"), "") or _first_line(text)
    own = [(line, column) for line, column, *_ in placed if line >= first_line]
    if not own:
        return (ShaderMessage(0, 0, message),)
    line, column = own[0]
    return (ShaderMessage(line - first_line + 1, column, message),)


def lacks_binding(error: ShaderError) -> bool:
    """True if a shader uses a binding that its pipeline's layout does not have: Dawn has no type for it."""
    return error.messages[0].message.startswith(_NO_BINDING)


def gpu_reason(error: BaseException) -> str:
    """Return what matters of an error of Dawn's: the first line, without its full stop; what it was about follows in those behind."""
    return _first_line(str(error)).rstrip(".") or type(error).__name__


def _first_line(text: str) -> str:
    lines = (line.strip() for line in text.removeprefix(_PARSING).splitlines())
    return next((line for line in lines if line), "")
