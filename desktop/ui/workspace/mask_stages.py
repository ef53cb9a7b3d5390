"""Update references to parts of masks by their numbers when these change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from desktop.pipeline.automation.spec import Automation

_OF_PART: Final = re.compile(r"mask\.(\d+)\.(.+)")


def with_parts(automation: Mapping[str, Automation], parts: Sequence[int]) -> dict[str, Automation]:
    """Return a stage's automation for a mask whose parts had the indices `parts` before; others are gone."""
    numbers = {before + 1: now for now, before in enumerate(parts, start=1)}
    found = {}
    for name, each in automation.items():
        match = _OF_PART.fullmatch(name)
        if match is None:
            found[name] = each
        elif (number := numbers.get(int(match[1]))) is not None:
            found[f"mask.{number}.{match[2]}"] = each
    return found
