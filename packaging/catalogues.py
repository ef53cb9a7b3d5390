"""Compile the catalogues of the window's languages: assets/translations/*.ts to .qm files, which the window
loads.

Qt's lrelease does the same, but a wheel's build has no Qt, and a bare machine may lack libraries that it
needs. The files are those of lrelease byte for byte (tests/cpu/test_translations.py). Only the standard
library is used: hatchling imports this file where nothing else is installed. The format is described in
qtranslator.cpp and in linguist's qm.cpp.
"""

from __future__ import annotations

import os
import struct
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent / "assets" / "translations"

_MAGIC: Final = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")
# Sections of the file.
_HASHES, _MESSAGES, _RULES, _LANGUAGE = 0x42, 0x69, 0x88, 0xA7
# Parts of a message.
_END, _TRANSLATION, _SOURCE, _CONTEXT, _COMMENT = 1, 3, 6, 7, 8
# By the number of plural forms: none to choose from, or the first for one and the second for all other
# numbers.
_PLURAL_RULES: Final = {1: b"", 2: b"\1\1"}


def compile_catalogue(text: str) -> bytes:
    """Return the .qm file of a .ts file's text; what has no translation is left out.

    Raises:
        ValueError: the language has other plural forms than English or Chinese, or there are disambiguations.
    """
    root = ElementTree.fromstring(text)
    messages: dict[tuple[bytes, bytes], list[str]] = {}
    plural_forms = 1
    for context in root.iterfind("context"):
        for entry in context.iterfind("message"):
            translation = entry.find("translation")
            if translation is None or translation.get("type") in ("obsolete", "vanished"):
                continue
            if entry.find("comment") is not None:
                raise ValueError("disambiguations of messages are not compiled")
            numbered = [form.text or "" for form in translation.iterfind("numerusform")]
            plural_forms = max(plural_forms, len(numbered))
            forms = numbered or [translation.text or ""]
            if forms[0]:
                key = (context.findtext("name", "").encode(), entry.findtext("source", "").encode())
                messages[key] = forms
    if plural_forms not in _PLURAL_RULES:
        raise ValueError(f"no rule for {plural_forms} plural forms; add it to packaging/catalogues.py")
    body, places = bytearray(), []
    for (name, source), forms in sorted(messages.items()):
        places.append((_hash(source), len(body)))
        for form in forms:
            body += _part(_TRANSLATION, form.encode("utf-16-be"))
        body += _part(_COMMENT, b"") + _part(_SOURCE, source) + _part(_CONTEXT, name) + bytes([_END])
    hashes = b"".join(struct.pack(">II", *place) for place in sorted(places))
    sections = [
        (_LANGUAGE, root.get("language", "").encode()),
        (_HASHES, hashes),
        (_MESSAGES, bytes(body)),
        (_RULES, _PLURAL_RULES[plural_forms]),
    ]
    return _MAGIC + b"".join(_part(tag, data) for tag, data in sections if data)


def _part(tag: int, data: bytes) -> bytes:
    return struct.pack(">BI", tag, len(data)) + data


def _hash(source: bytes) -> int:
    """Return the hash of the System V ABI, by which a message is found; never 0."""
    value = 0
    for byte in source:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high
    return value or 1


def compile_stale(folder: Path = FOLDER, target: Path | None = None) -> list[Path]:
    """Write the .qm files that are missing or older than their .ts files; return all .qm files.

    Args:
        folder: where the .ts files are.
        target: where the .qm files go, by default beside them.
    """
    found = []
    for catalogue in sorted(folder.glob("*.ts")):
        compiled = (target or folder) / f"{catalogue.stem}.qm"
        found.append(compiled)
        if compiled.exists() and compiled.stat().st_mtime_ns >= catalogue.stat().st_mtime_ns:
            continue
        # Processes that start together may all write it.
        part = compiled.with_name(f"{compiled.name}.{os.getpid()}.part")
        part.write_bytes(compile_catalogue(catalogue.read_text(encoding="utf-8")))
        part.replace(compiled)
    return found


if __name__ == "__main__":
    sys.exit(0 if compile_stale() else f"There are no catalogues in {FOLDER}.")
