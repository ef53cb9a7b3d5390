"""Content of an information pop-up for a card or a figure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from desktop.base.fields import Field
from desktop.ui.kit.language import translated

STATISTICS_PAGE: Final = "user-guide.md#statistics"
"""Section of the guide that explains the figures."""


@dataclass(frozen=True)
class Information:
    """Texts of an information pop-up, translated.

    Attributes:
        title: what it is about.
        text: one or two sentences; '' for none.
        rows: names (of figures with values, or of parameters with units), each with its explanation.
        page: the page of docs/ with more, such as 'zones.md' or 'user-guide.md#statistics'; '' for none.
    """

    title: str
    text: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    page: str = ""


def field_rows(fields: Iterable[Field]) -> tuple[tuple[str, str], ...]:
    """Return a row for each field that has a help text: its label with the unit, and that text."""
    return tuple(
        (
            f"{translated(field.label)} ({translated(field.unit)})"
            if field.unit
            else translated(field.label),
            translated(field.help),
        )
        for field in fields
        if field.label and field.help
    )
