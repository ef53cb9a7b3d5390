"""Extract the readable part of PyTorch's error messages. Nothing is decided by it."""

from __future__ import annotations

import re
from typing import Final

_LAST: Final = re.compile(r"(?:builtins\.)?\w*(?:Error|Exception): (.*)")


def first_line(error: Exception) -> str:
    """Return the line of a PyTorch exception meant for users: TorchScript puts it after a traceback."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = next((found[1] for line in lines if (found := _LAST.fullmatch(line))), "")
    text = (said or next(iter(lines), "") or type(error).__name__).rstrip(".")
    return text if len(text) <= 160 else f"{text[:160].rstrip()}..."
