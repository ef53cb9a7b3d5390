"""Automation of stages: which of a stage's numbers can be automated, and the stage as it is in a frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from desktop.base.errors import UsageError
from desktop.base.fields import Field, Number
from desktop.base.wording import joined, sentence
from desktop.pipeline.automation.source import Moment, automation_sources
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.param import Param, Values
from desktop.pipeline.filters.params.point import PointParam
from desktop.pipeline.masks.spec import MASK_FIELDS, MaskSpec, with_mask_value, with_part

if TYPE_CHECKING:
    from desktop.pipeline.filters.description import Filter

_OF_MASK: Final = "mask."


class KnownFilters(Protocol):
    """Filters and kinds of masks by name: a `FilterLibrary`, or one with what is to be added to it."""

    @property
    def filters(self) -> Mapping[str, Filter]:
        """All filters."""

    @property
    def masks(self) -> Mapping[str, Filter]:
        """All kinds of masks."""


@dataclass(frozen=True)
class Target:
    """A number of a stage that can be automated.

    Attributes:
        name: 'radius'; 'center.x' of a point; 'opacity'; 'mask.feather'; 'mask.2.width' of a mask's second part.
        field: declares it; of a point's part, the point.
        min, max: the bounds of its values.
        is_whole: only whole numbers are used.
    """

    name: str
    field: Field | None
    min: float
    max: float
    is_whole: bool = False


def targets_of(stage: StageSpec, library: KnownFilters) -> Mapping[str, Target]:
    """Return the numbers of a stage that can be automated, by name."""
    found = {"opacity": Target("opacity", None, 0.0, 1.0)}
    item = library.filters.get(stage.filter)
    for target in _targets_of_filter(item, "") if item is not None else ():
        found[target.name] = target
    if stage.mask is not None:
        for field in MASK_FIELDS.values():
            if isinstance(field, Number):
                name = f"mask.{field.name}"
                found[name] = Target(name, field, field.min, field.max)
        for number, part in enumerate(stage.mask.parts, 1):
            kind = library.masks.get(part.kind)
            for target in _targets_of_filter(kind, f"mask.{number}.") if kind is not None else ():
                found[target.name] = target
    return found


def _targets_of_filter(item: Filter, prefix: str) -> Iterator[Target]:
    # A network would be loaded anew with each value.
    fixed = item.network.params if item.network is not None else frozenset()
    if item.given is not None and item.given.source in ("stage", "track"):
        fixed |= {item.given.source, "identity"}  # identifiers, not quantities
    for param in item.params:
        if param.name not in fixed:
            yield from _targets_of_param(param, prefix)


def _targets_of_param(param: Param, prefix: str) -> Iterator[Target]:
    if isinstance(param, PointParam):
        for axis in ("x", "y"):
            yield Target(f"{prefix}{param.name}.{axis}", param, 0.0, 1.0)
    elif isinstance(param, Number):
        yield Target(prefix + param.name, param, param.min, param.max, param.whole)


def find_target(stage: StageSpec, name: str, library: KnownFilters) -> Target:
    """Return a target of a stage; raise UsageError if it has none of that name."""
    targets = targets_of(stage, library)
    if name not in targets:
        raise UsageError(
            sentence(
                "'{name}' of the filter '{filter}' is no number that can be automated; there are: {names}.",
                name=name[:40],
                filter=stage.filter,
                names=joined(", ", tuple(targets)),
            )
        )
    return targets[name]


def value_of(stage: StageSpec, name: str) -> float | None:
    """Return a target's own value; None if the stage has no such number."""
    if name == "opacity":
        return stage.opacity
    rest = name.removeprefix(_OF_MASK)
    if rest == name:
        return _number(stage.values, name)
    if stage.mask is None:
        return None
    number, _, param = rest.partition(".")
    if not param:
        is_number = isinstance(MASK_FIELDS.get(rest), Number)
        return float(getattr(stage.mask, rest)) if is_number else None
    index = int(number) - 1 if number.isdecimal() else -1
    return _number(stage.mask.parts[index].values, param) if 0 <= index < len(stage.mask.parts) else None


def _number(values: Values, name: str) -> float | None:
    param, _, axis = name.partition(".")
    value = values.get(param)
    if axis and isinstance(value, tuple) and len(value) == 2:
        return value[("x", "y").index(axis)]
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def with_value_of(stage: StageSpec, name: str, value: float) -> StageSpec:
    """Return a stage with another value of a target."""
    if name == "opacity":
        return replace(stage, opacity=value)
    rest = name.removeprefix(_OF_MASK)
    if rest == name:
        return replace(stage, values={**stage.values, **_changed(stage.values, name, value)})
    mask = stage.mask or MaskSpec()
    number, _, param = rest.partition(".")
    if not param:
        return replace(stage, mask=with_mask_value(mask, rest, value))
    part = mask.parts[int(number) - 1]
    values = {**part.values, **_changed(part.values, param, value)}
    return replace(stage, mask=with_part(mask, int(number) - 1, replace(part, values=values)))


def _changed(values: Values, name: str, value: float) -> dict[str, Any]:
    param, _, axis = name.partition(".")
    if not axis:
        return {param: value}
    point = values.get(param, (0.5, 0.5))
    assert isinstance(point, tuple)
    return {param: (value, point[1]) if axis == "x" else (point[0], value)}


@dataclass(frozen=True)
class AutomatedStage:
    """A stage as it is in a frame, and the values that its automations gave, by target."""

    stage: StageSpec
    values: Mapping[str, float]


def automated(stage: StageSpec, moment: Moment, library: KnownFilters) -> AutomatedStage:
    """Return a stage as it is at a moment. Targets that it does not have any more are left alone."""
    targets = targets_of(stage, library)
    given: dict[str, float] = {}
    found = stage
    for name, automation in stage.automation.items():
        target = targets.get(name)
        value = _value(automation, moment) if target is not None and automation.enabled else None
        if target is None or value is None:
            continue
        bounded = min(target.max, max(target.min, value))
        given[name] = round(bounded) if target.is_whole else bounded
        found = with_value_of(found, name, given[name])
    return AutomatedStage(found, given)


def _value(automation: Automation, moment: Moment) -> float | None:
    source = automation_sources().get(automation.source)
    share = source.at(automation.values, moment) if source is not None else None
    if source is None or share is None or source.is_absolute:
        return share
    return automation.low + share * (automation.high - automation.low)


def needs_of(stage: StageSpec) -> frozenset[str]:
    """Return what a stage's automations need; see `AutomationSource.needs`."""
    sources = automation_sources() if stage.automation else {}
    used = (sources.get(each.source) for each in stage.automation.values() if each.enabled)
    return frozenset().union(*(source.needs for source in used if source is not None))
