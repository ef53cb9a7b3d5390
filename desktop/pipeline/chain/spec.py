"""A chain as a value: its stages, in order, with what each is set to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from desktop.base.errors import FilterError
from desktop.base.wording import sentence
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.filters.former import take_strength
from desktop.pipeline.filters.param import Values
from desktop.pipeline.masks.blending import OPACITY
from desktop.pipeline.masks.spec import MaskSpec

if TYPE_CHECKING:
    from desktop.pipeline.filters.library import FilterLibrary

MAX_STAGES: Final = 32


@dataclass(frozen=True)
class StageSpec:
    """A filter with its values, and how its result is mixed with what it was given.

    Attributes:
        id: unique in its chain; it stays with the stage when it moves.
        opacity: share of the result, 0 to 1.
        blend: a key of `BLEND_MODES`.
        mask: where the result is used; None for the whole frame.
        automation: what changes numbers over time, by their names (`automating.targets_of`).
    """

    id: int
    filter: str
    values: Values = field(default_factory=dict)
    enabled: bool = True
    opacity: float = 1.0
    blend: str = "normal"
    mask: MaskSpec | None = None
    automation: Mapping[str, Automation] = field(default_factory=dict)

    @property
    def is_mixed(self) -> bool:
        """True if the result is mixed with what the stage was given, rather than replacing it."""
        is_automated = "opacity" in self.automation
        return self.mask is not None or self.opacity < 1.0 or self.blend != "normal" or is_automated

    def renumbered(self, number: int, numbers: Mapping[int, int]) -> StageSpec:
        """Return the stage with another id, and with a mask that reads the stages that `numbers` gives."""
        mask = self.mask.renumbered(numbers) if self.mask is not None else None
        return replace(self, id=number, mask=mask)


@dataclass(frozen=True)
class ChainSpec:
    """Ordered stages, first to last. Immutable: methods that change it return a new chain."""

    stages: tuple[StageSpec, ...] = ()

    @property
    def by_place(self) -> tuple[StageSpec, ...]:
        """The stages with their places in the place of their ids, to compare chains."""
        return self.renumbered(0).stages

    def renumbered(self, first: int) -> ChainSpec:
        """Return the chain with ids from `first` on, in order."""
        numbers = {stage.id: first + place for place, stage in enumerate(self.stages)}
        return ChainSpec(tuple(stage.renumbered(numbers[stage.id], numbers) for stage in self.stages))

    def find(self, stage_id: int) -> StageSpec:
        """Return a stage; raise KeyError if the chain does not have it."""
        for stage in self.stages:
            if stage.id == stage_id:
                return stage
        raise KeyError(stage_id)

    def added(self, filter_id: str, values: Values, at: int | None = None) -> ChainSpec:
        """Insert a stage before position `at` (default: the end); raise FilterError if the chain is full."""
        if len(self.stages) >= MAX_STAGES:
            raise FilterError(
                sentence(
                    "A chain holds at most {max_stages} filters; remove one first.", max_stages=MAX_STAGES
                )
            )
        stage = StageSpec(max((s.id for s in self.stages), default=0) + 1, filter_id, dict(values))
        stages = list(self.stages)
        stages.insert(len(stages) if at is None else at, stage)
        return ChainSpec(tuple(stages))

    def duplicated(self, stage_id: int) -> ChainSpec:
        """Insert a copy behind a stage, with its mask, mixing and automations; raise as `added` does."""
        stage = self.find(stage_id)
        chain = self.added(stage.filter, stage.values, self.stages.index(stage) + 1)
        copy = max(s.id for s in chain.stages)
        return ChainSpec(tuple(replace(stage, id=copy) if s.id == copy else s for s in chain.stages))

    def removed(self, stage_id: int) -> ChainSpec:
        """Take a stage out."""
        return ChainSpec(tuple(s for s in self.stages if s.id != stage_id))

    def moved(self, stage_id: int, to: int) -> ChainSpec:
        """Put a stage at position `to`."""
        stage = self.find(stage_id)
        rest = [s for s in self.stages if s.id != stage_id]
        rest.insert(max(0, min(to, len(rest))), stage)
        return ChainSpec(tuple(rest))

    def with_values(self, stage_id: int, values: Values) -> ChainSpec:
        """Replace some of a stage's values."""
        return self._changed(stage_id, lambda s: replace(s, values={**s.values, **values}))

    def with_enabled(self, stage_id: int, enabled: bool) -> ChainSpec:
        """Switch a stage on or off."""
        return self._changed(stage_id, lambda s: replace(s, enabled=enabled))

    def with_mixing(self, stage_id: int, **changed: Any) -> ChainSpec:
        """Replace some of `opacity`, `blend` and `mask` of a stage."""
        return self._changed(stage_id, lambda s: replace(s, **changed))

    def with_automation(self, stage_id: int, name: str, automation: Automation | None) -> ChainSpec:
        """Replace the automation of a number of a stage, or remove it."""

        def change(stage: StageSpec) -> StageSpec:
            others = {key: value for key, value in stage.automation.items() if key != name}
            return replace(stage, automation=others if automation is None else {**others, name: automation})

        return self._changed(stage_id, change)

    def _changed(self, stage_id: int, change: Callable[[StageSpec], StageSpec]) -> ChainSpec:
        return ChainSpec(tuple(change(s) if s.id == stage_id else s for s in self.stages))


def chain_of(
    library: FilterLibrary, items: Sequence[tuple[str, Mapping[str, Any]]], after: ChainSpec | None = None
) -> ChainSpec:
    """Build a chain from (filter id, values) after the stages of `after`; raise LightloomError if invalid.

    A `strength` that a filter had in version 0.1, and that only mixed its result in, sets the opacity.
    """
    chain = after or ChainSpec()
    for filter_id, values in items:
        item = library.get(filter_id)
        kept, strength = take_strength(item, values)
        chain = chain.added(filter_id, item.check(kept))
        if strength is not None:
            chain = chain.with_mixing(chain.stages[-1].id, opacity=OPACITY.parse(strength))
    return chain
