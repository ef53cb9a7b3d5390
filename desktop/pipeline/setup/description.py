"""Title and purpose of a look: the keys `title` and `purpose` of a preset. Light to import."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from desktop.base.printable import printable
from desktop.base.wording import sentence

MAX_TITLE: Final = 60
MAX_PURPOSE: Final = 200


@dataclass(frozen=True)
class Description:
    """Title and purpose that a preset states, untrusted: one plain line each, '' without."""

    title: str = ""
    purpose: str = ""


def description_table(description: Description) -> dict[str, str]:
    """Return the keys of a preset that `take_description` reads; those without a text are left out."""
    table = {"title": description.title, "purpose": description.purpose}
    return {key: text for key, text in table.items() if text}


def take_description(document: dict[str, Any], warn: Callable[[str], None]) -> Description:
    """Remove and read the keys `title` and `purpose` of a preset; report ignored values to `warn`."""
    return Description(
        _take_line(document, "title", MAX_TITLE, warn), _take_line(document, "purpose", MAX_PURPOSE, warn)
    )


def _take_line(document: dict[str, Any], key: str, most: int, warn: Callable[[str], None]) -> str:
    given = document.pop(key, "")
    line = given.strip() if isinstance(given, str) else None
    # What `printable` would escape could reorder the letters of a menu, or control a terminal.
    if line is None or len(line) > most or printable(line) != line:
        warn(
            sentence(
                "'{key}' is not one line of at most {most} characters and was left out.", key=key, most=most
            )
        )
        return ""
    return line
