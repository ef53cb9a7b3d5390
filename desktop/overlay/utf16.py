"""Positions in texts as Qt counts them, in UTF-16 code units: an emoji has two, and is one character in Python."""

from __future__ import annotations


def utf16_length(text: str) -> int:
    """Return the length of a text in code units."""
    return len(_coded(text)) // 2


def utf16_part(text: str, start: int, end: int) -> str:
    """Return the part of a text between two positions in code units."""
    return _coded(text)[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")


def _coded(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
