"""The changelog of the Debian package, from CHANGELOG.md: each version with its statements."""

from __future__ import annotations

import datetime
import email.utils
import re
import textwrap
from collections.abc import Iterator
from typing import Final

_VERSION: Final = re.compile(r"^## (\S+) \(([^)]+)\)$", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")
# What dpkg and lintian allow.
_WIDTH: Final = 80


class ChangelogError(Exception):
    """CHANGELOG.md has not the form that its first lines promise; one sentence."""


def debian_changelog(changelog: str, maintainer: str, built: int) -> str:
    """Return /usr/share/doc/lightloom/changelog, before compression.

    Args:
        changelog: the text of CHANGELOG.md.
        maintainer: name and address, as in the control file.
        built: the time of the build in seconds since 1970, which is the date of an unreleased version.

    Raises:
        ChangelogError: there is no version, or a date cannot be read.
    """
    parts = _VERSION.split(changelog)[1:]
    if not parts:
        raise ChangelogError("CHANGELOG.md has no version; write a heading '## 1.2.3 (2026-01-31)'.")
    entries = [
        "\n".join(
            [
                f"lightloom ({version}) unstable; urgency=medium\n",
                *_statements(text),
                f"\n -- {maintainer}  {_date(version, released, built)}\n",
            ]
        )
        for version, released, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]
    return "\n".join(entries)


def _date(version: str, released: str, built: int) -> str:
    """Return the date of a version as changelogs of packages have it (RFC 5322)."""
    if released == "unreleased":
        return email.utils.format_datetime(datetime.datetime.fromtimestamp(built, datetime.UTC))
    try:
        day = datetime.date.fromisoformat(released)
    except ValueError:
        raise ChangelogError(
            f"The date of {version} in CHANGELOG.md is '{released}'; write it as 2026-01-31, or 'unreleased'."
        ) from None
    return email.utils.format_datetime(datetime.datetime.combine(day, datetime.time(12), datetime.UTC))


def _statements(text: str) -> Iterator[str]:
    """Yield the lines of a version: its kinds of changes in brackets, each statement with an asterisk."""
    for paragraph in re.split(r"\n(?=- |#|\n)", text):
        statement = _LINK.sub(r"\1", " ".join(paragraph.split()))
        if statement.startswith("#"):
            yield f"  [ {statement.lstrip('# ')} ]"
        elif statement:
            yield textwrap.fill(
                statement.removeprefix("- "),
                _WIDTH,
                initial_indent="  * ",
                subsequent_indent="    ",
                break_on_hyphens=False,
                break_long_words=False,
            )
