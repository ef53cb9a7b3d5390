"""Update references to stages by their ids, and to parts of masks by their numbers, when these change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.masks.spec import MaskPart, MaskSpec

_OF_PART: Final = re.compile(r"mask\.(\d+)\.(.+)")


def renumbered(mask: MaskSpec | None, numbers: Mapping[int, int]) -> MaskSpec | None:
    """Return a mask whose parts read the stages that `numbers` gives for theirs; others stay."""
    if mask is None:
        return None
    return replace(mask, parts=tuple(_renumbered(part, numbers) for part in mask.parts))


def _renumbered(part: MaskPart, numbers: Mapping[int, int]) -> MaskPart:
    return part if part.stage is None else part.reading(numbers.get(part.stage, part.stage))


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
