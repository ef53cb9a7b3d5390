"""Masks that read an earlier stage, whose id differs from chain to chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from desktop.pipeline.masks.spec import MaskPart, MaskSpec

_KIND: Final = "stage"


def renumbered(mask: MaskSpec | None, numbers: Mapping[int, int]) -> MaskSpec | None:
    """Return a mask whose parts read the stages that `numbers` gives for theirs; others stay."""
    if mask is None:
        return None
    return replace(mask, parts=tuple(_renumbered(part, numbers) for part in mask.parts))


def _renumbered(part: MaskPart, numbers: Mapping[int, int]) -> MaskPart:
    stage = part.values.get(_KIND)
    if part.kind != _KIND or not isinstance(stage, int):
        return part
    return replace(part, values={**part.values, _KIND: numbers.get(stage, stage)})
