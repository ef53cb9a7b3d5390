"""Numbers in sentences."""

from __future__ import annotations

import pytest

from desktop.base.wording import counted


@pytest.mark.parametrize(
    ("count", "nouns", "text"),
    [
        (0, ("frame",), "0 frames"),
        (1, ("frame",), "1 frame"),
        (2, ("frame",), "2 frames"),
        (1, ("class", "classes"), "1 class"),
        (3, ("class", "classes"), "3 classes"),
    ],
)
def test_a_number_with_its_noun(count, nouns, text):
    assert counted(count, *nouns) == text
