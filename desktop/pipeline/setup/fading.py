"""Cross-fades between looks with the same effects: chains for the time between, whose numbers go over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.filters.param import ParamValue, Values

LONGEST_FADE_S: Final = 60.0
"""Seconds of the longest fade from one look to the next."""


@dataclass(frozen=True)
class Fade:
    """A cross-fade between chains with the same effects.

    Attributes:
        after: the second chain, with the ids of the stages of the first.
    """

    before: ChainSpec
    after: ChainSpec

    def at(self, share: float) -> ChainSpec:
        """Return the chain at a share of the time, 0 to 1; at the end it is `after`."""
        if share >= 1.0:
            return self.after
        pairs = zip(self.before.stages, self.after.stages, strict=True)
        return ChainSpec(tuple(_between(first, second, share) for first, second in pairs))


def fade_between(before: ChainSpec, after: ChainSpec) -> Fade | None:
    """Return the cross-fade; None unless both chains have the same effects and differ in numbers alone.

    Nor may the opacity of an effect change whose mask hides something, which must not be seen through.
    """
    if not _has_same_effects(before, after):
        return None
    return Fade(before, _with_ids_of(after, before))


def _has_same_effects(before: ChainSpec, after: ChainSpec) -> bool:
    if len(before.stages) != len(after.stages):
        return False
    pairs = zip(before.by_place, after.by_place, strict=True)
    return all(_differ_in_numbers_alone(first, second) for first, second in pairs)


def _differ_in_numbers_alone(first: StageSpec, second: StageSpec) -> bool:
    same = replace(second, opacity=first.opacity, values=first.values) == first
    is_hidden = first.mask is not None and first.mask.hides
    return (
        same
        and not (is_hidden and first.opacity != second.opacity)
        and first.values.keys() == second.values.keys()
        and all(_is_numeric(value, second.values[name]) for name, value in first.values.items())
    )


def _is_numeric(first: ParamValue, second: ParamValue) -> bool:
    """Return whether a value can go to another one, or need not because they are equal."""
    if first == second:
        return True
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second)
    numbers = isinstance(first, int | float) and isinstance(second, int | float)
    return numbers and not isinstance(first, bool) and not isinstance(second, bool)


def _with_ids_of(chain: ChainSpec, other: ChainSpec) -> ChainSpec:
    pairs = list(zip(chain.stages, other.stages, strict=True))
    numbers = {stage.id: as_in.id for stage, as_in in pairs}
    return ChainSpec(tuple(stage.renumbered(as_in.id, numbers) for stage, as_in in pairs))


def _between(first: StageSpec, second: StageSpec, share: float) -> StageSpec:
    opacity = first.opacity + (second.opacity - first.opacity) * share
    return replace(second, opacity=opacity, values=_values_between(first.values, second.values, share))


def _values_between(first: Values, second: Values, share: float) -> Mapping[str, ParamValue]:
    return {name: _value_between(value, second[name], share) for name, value in first.items()}


def _value_between(first: ParamValue, second: ParamValue, share: float) -> ParamValue:
    if first == second:
        return first
    if isinstance(first, tuple) and isinstance(second, tuple):
        return tuple(a + (b - a) * share for a, b in zip(first, second, strict=True))
    assert isinstance(first, int | float) and isinstance(second, int | float)
    value = first + (second - first) * share
    return round(value) if isinstance(first, int) and isinstance(second, int) else value
