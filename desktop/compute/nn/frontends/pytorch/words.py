"""What PyTorch says when it fails: the part of it that is for people. Nothing is decided by it."""

from __future__ import annotations

import re
from typing import Final

_LAST: Final = re.compile(r"(?:builtins\.)?\w*(?:Error|Exception): (.*)")


def first_line(error: Exception) -> str:
    """Return the line of an exception of PyTorch's that is for people: TorchScript's stands behind a traceback."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = next((found[1] for line in lines if (found := _LAST.fullmatch(line))), "")
    text = (said or next(iter(lines), "") or type(error).__name__).rstrip(".")
    return text if len(text) <= 160 else f"{text[:160].rstrip()}..."
