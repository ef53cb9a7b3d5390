"""How numbers are said in sentences."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun: '1 frame', '2 frames', '0 frames'; `many` is needed where it is not `one` with an s."""
    return f"{count} {one if count == 1 else many or one + 's'}"
