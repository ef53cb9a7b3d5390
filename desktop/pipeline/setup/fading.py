"""Cross-fades between the chains of two looks, as chains for the time between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from desktop.pipeline.chain.spec import MAX_STAGES, ChainSpec, StageSpec
from desktop.pipeline.filters.param import ParamValue, Values


@dataclass(frozen=True)
class Fade:
    """A cross-fade.

    If both chains have the same effects, the numbers go from one to the other. Otherwise the effects of `before` fade
    out while those of `after`, which follow them in one chain, fade in.

    Attributes:
        after: the second chain, with the ids that its stages have during the fade.
        is_same: both have the same effects, which differ in numbers alone.
    """

    before: ChainSpec
    after: ChainSpec
    is_same: bool

    def at(self, share: float) -> ChainSpec:
        """Return the chain at a share of the time, 0 to 1; at the end it is `after`."""
        if share >= 1.0:
            return self.after
        if self.is_same:
            pairs = zip(self.before.stages, self.after.stages, strict=True)
            return ChainSpec(tuple(_between(first, second, share) for first, second in pairs))
        leaving = (replace(each, opacity=each.opacity * (1.0 - share)) for each in self.before.stages)
        coming = (replace(each, opacity=each.opacity * share) for each in self.after.stages)
        return ChainSpec((*leaving, *coming))


def fade_between(before: ChainSpec, after: ChainSpec) -> Fade | None:
    """Return the cross-fade; None where there has to be a cut.

    That is where masks hide something, which must not be seen through in between, where an opacity is automated, or
    where the chain of both would be too long.
    """
    if _has_same_effects(before, after):
        return Fade(before, _with_ids_of(after, before), is_same=True)
    if not (_can_fade(before.stages) and _can_fade(after.stages)):
        return None
    if len(before.stages) + len(after.stages) > MAX_STAGES:
        return None
    first = max((stage.id for stage in before.stages), default=0) + 1
    return Fade(before, after.renumbered(first), is_same=False)


def _can_fade(stages: Iterable[StageSpec]) -> bool:
    return not any(
        "opacity" in stage.automation or (stage.mask is not None and stage.mask.hides) for stage in stages
    )


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
