"""Model cards whose figures are written by the commands that measure them, between two comments."""

from __future__ import annotations

from pathlib import Path

from desktop.base.errors import UsageError


def filled(card: Path, section: str, text: str) -> None:
    """Replace what stands between `<!-- section -->` and `<!-- /section -->` in a card.

    Raises:
        UsageError: the card has no such place.
    """
    opening, closing = f"<!-- {section} -->", f"<!-- /{section} -->"
    old = card.read_text(encoding="utf-8")
    if opening not in old or closing not in old:
        raise UsageError(f"{card} has no {opening} ... {closing}; add both lines where the figures belong.")
    before, rest = old.split(opening, 1)
    after = rest.split(closing, 1)[1]
    card.write_text(f"{before}{opening}\n{text}\n{closing}{after}", encoding="utf-8")
