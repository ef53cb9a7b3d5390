"""Files in a zip archive appended to a network: labels (TensorFlow Lite) or a description (Ultralytics).

It is untrusted: few files, and no more unpacked than needed. Damaged or too large files count as missing.
"""

from __future__ import annotations

import ast
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

_MOST_FILES: Final = 256
_LARGEST_LISTING: Final = 1 << 18
_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22
_LONGEST_COMMENT: Final = (1 << 16) - 1
# The zip64 locator, before the end of larger archives; one of few files does not need it.
_LARGE_END: Final = b"PK\x06\x07"
_LARGE_END_BYTES: Final = 20
_DAMAGE: Final = (
    *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError),
    *(EOFError, OSError, ValueError, KeyError, struct.error),
)

_DESCRIPTIONS: Final = ("metadata.json", "temp_meta.txt", "meta.txt")
_LARGEST_DESCRIPTION: Final = 1 << 19
_LONGEST_VALUE: Final = 1000
_MOST_NAMES: Final = 100_000
# What ONNX files of Ultralytics have among their metadata properties, and is of use here.
_KEYS: Final = ("author", "description", "version", "task", "stride", "imgsz", "batch", "kpt_shape")


def appended_file(data: bytes, names: Iterable[str], most: int) -> bytes | None:
    """Return the first of some files in the archive at the end of `data`; None if none or too large."""
    if not _ends_in_archive(data):
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            there = {entry.filename: entry for entry in archive.infolist()[:_MOST_FILES]}
            entry = next((there[name] for name in names if name in there), None)
            if entry is None or entry.file_size > most:
                return None
            with archive.open(entry) as stream:
                found = stream.read(most + 1)
    except _DAMAGE:
        return None
    return found if len(found) <= most else None


def _ends_in_archive(data: bytes) -> bool:
    """True where an archive of few files ends the data: all that its listing has would be listed."""
    at = data.rfind(_END, max(0, len(data) - _LONGEST_COMMENT - _END_BYTES))
    if at < 0 or at + _END_BYTES > len(data):
        return False
    if data[max(0, at - _LARGE_END_BYTES) :].startswith(_LARGE_END):
        return False
    files, size = struct.unpack_from("<HI", data, at + 10)
    return files <= _MOST_FILES and size <= _LARGEST_LISTING


def described(data: bytes) -> dict[str, str]:
    """Return Ultralytics' metadata behind a network under the keys of ONNX files; empty if there are none.

    From `temp_meta.txt` (a Python dictionary) or `metadata.json`; values of wrong types are left out.
    """
    content = appended_file(data, _DESCRIPTIONS, _LARGEST_DESCRIPTION)
    said = None if content is None else _parsed(content)
    if not isinstance(said, dict):
        return {}
    found = {key: _text(said[key]) for key in _KEYS if key in said}
    names = _names(said.get("names"))
    if names:
        found["names"] = json.dumps(names)
    return {key: value for key, value in found.items() if value}


def _parsed(content: bytes) -> Any:
    try:
        text = content.decode("utf-8").strip()
    except UnicodeDecodeError:
        return None
    parsers: tuple[Callable[[str], Any], ...] = (json.loads, ast.literal_eval)
    for parse in parsers:
        try:
            return parse(text)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _text(value: Any) -> str:
    """A text, a number, or a list of few numbers, as text; '' for anything else."""
    if isinstance(value, str):
        return value[:_LONGEST_VALUE]
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)[:_LONGEST_VALUE]
        if isinstance(value, list | tuple) and len(value) <= 8 and all(type(each) is int for each in value):
            return str(list(value))[:_LONGEST_VALUE]
    except ValueError:  # an integer with more digits than Python writes down
        return ""
    return ""


def _names(value: Any) -> dict[str, str]:
    """Names of classes by their numbers; none if a key is not a number or a name is too long."""
    if isinstance(value, list | tuple):
        value = dict(enumerate(value))
    if not isinstance(value, Mapping) or not 0 < len(value) <= _MOST_NAMES:
        return {}
    if not all(
        isinstance(number, int | str) and isinstance(name, str | int) for number, name in value.items()
    ):
        return {}
    try:
        found = {str(number): str(name) for number, name in value.items()}
    except ValueError:  # an integer with more digits than Python writes down
        return {}
    if any(len(name) > _LONGEST_VALUE for name in found.values()):
        return {}
    return found if all(number.isdecimal() and len(number) < 7 for number in found) else {}
