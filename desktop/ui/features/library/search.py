"""Search over the titles, tags and help texts of filters and presets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from desktop.pipeline.filters.description import Filter
from desktop.ui.kit.language import translated


def matches(words: Iterable[str], item: Filter) -> bool:
    """True if every word is in the filter's title, id, group, tags or help."""
    return all(fit(word, item) is not None for word in words)


def fit(word: str, item: Filter) -> int | None:
    """Return how well a filter matches a casefolded word, lower is better; None if it does not.

    Title (0 to 3), tag or id (4, 5), group (6) and help (7) are searched, in the window's language and in
    English.
    """
    titles, groups, helps = (
        {said.casefold(), translated(said).casefold()} for said in (item.title, item.group, item.help)
    )
    tags = [tag.casefold() for tag in (item.id, *item.tags)]
    ranks = (
        word in titles,
        any(title.startswith(word) for title in titles),
        any(part.startswith(word) for title in titles for part in re.split(r"\W+", title)),
        any(word in title for title in titles),
        word in tags,
        any(word in tag for tag in tags),
        any(word in group for group in groups),
        any(word in text for text in helps),
    )
    return next((rank for rank, fits in enumerate(ranks) if fits), None)


def ranked(text: str, items: Iterable[Filter]) -> list[Filter]:
    """Return the filters that match a search, best first: the entire text, then its words."""
    whole = text.strip().casefold()

    def rank(item: Filter) -> tuple[int, int, str]:
        one = fit(whole, item)
        return (
            9 if one is None else one,
            sum(fit(word, item) or 0 for word in whole.split()),
            translated(item.title),
        )

    return sorted((item for item in items if matches(whole.split(), item)), key=rank)


def finds_words(text: str, searched: str) -> bool:
    """Return True if every word of a search is in a text."""
    folded = searched.casefold()
    return all(word in folded for word in text.casefold().split())
