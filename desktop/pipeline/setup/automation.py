"""Automations as tables: `[[filter.automation]]` of a preset, untrusted (docs/automation.md lists the keys).

    [[filter.automation]]
    of = "radius"                   # see `targets_of`
    source = "lfo"
    values = { period = 4.0 }       # of the source; what is left out is as usual
    low = 0.0                       # as `high`; what is left out is the parameter's own bound
    high = 20.0
    enabled = false                 # only if it is off

A number whose automation cannot be read keeps its own value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.wording import Text, sentence
from desktop.pipeline.automation.source import AutomationSource, automation_source
from desktop.pipeline.automation.sources.detections import PLACES
from desktop.pipeline.automation.spec import MOST_AUTOMATIONS, Automation
from desktop.pipeline.chain.automating import KnownFilters, Target, find_target, needs_of
from desktop.pipeline.chain.filter_inputs import inputs_of
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.zones import ZoneSpec

_KEYS: Final = ("of", "source", "values", "low", "high", "enabled")


@dataclass(frozen=True)
class KnownHere:
    """Filters and kinds of masks where a preset is read: those of the library, and the preset's own."""

    filters: Mapping[str, Filter]
    masks: Mapping[str, Filter]


# -- writing -------------------------------------------------------------------------------------------------


def automation_tables(stage: StageSpec) -> list[dict[str, Any]]:
    """Return the tables of a stage's automations."""
    return [_table(name, each) for name, each in stage.automation.items()]


def _table(name: str, automation: Automation) -> dict[str, Any]:
    source = automation_source(automation.source)
    usual = source.check({})
    changed = {key: value for key, value in automation.values.items() if value != usual.get(key)}
    table: dict[str, Any] = {"of": name, "source": automation.source}
    if changed:
        table["values"] = {k: list(v) if isinstance(v, tuple) else v for k, v in changed.items()}
    if not source.is_absolute:
        table |= {"low": automation.low, "high": automation.high}
    return table if automation.enabled else {**table, "enabled": False}


# -- reading -------------------------------------------------------------------------------------------------


def with_automations(
    chain: ChainSpec, stage_id: int, given: Any, library: KnownFilters, warn: Callable[[Text], None]
) -> ChainSpec:
    """Return a chain with the automations of a stage; `warn` is called for each that is left out.

    `given` is the key `automation` of a filter, `library` has the chain's filters.
    """
    name = chain.find(stage_id).filter
    if not isinstance(given, list):
        warn(sentence("'automation' of '{filter}' is not written as [[filter.automation]].", filter=name))
        return chain
    for number, table in enumerate(given):
        if count_automations(chain) >= MOST_AUTOMATIONS:
            left = len(given) - number
            warn(
                sentence(
                    "it has more than {most} automations; the last {left} of '{filter}' were left out.",
                    most=MOST_AUTOMATIONS,
                    left=left,
                    filter=name,
                )
            )
            break
        try:
            target, automation = _read(chain.find(stage_id), table, library, warn)
        except UsageError as error:
            warn(sentence("{error} The automation of '{filter}' was left out.", error=error, filter=name))
        else:
            chain = chain.with_automation(stage_id, target, automation)
    return chain


def _read(
    stage: StageSpec, given: Any, library: KnownFilters, warn: Callable[[Text], None]
) -> tuple[str, Automation]:
    if not isinstance(given, dict) or not isinstance(given.get("of"), str):
        raise UsageError(sentence("An automation has no 'of'; name a number of the effect there."))
    if not isinstance(given.get("source"), str):
        raise UsageError(
            sentence(
                "The automation of '{name}' has no source; give one, such as lfo.", name=given["of"][:40]
            )
        )
    for key in given.keys() - set(_KEYS):
        warn(sentence("'{key}' is not known and was left out.", key=f"automation.{str(key)[:40]}"))
    values, enabled = given.get("values", {}), given.get("enabled", True)
    if not isinstance(values, dict) or not isinstance(enabled, bool):
        raise UsageError(
            sentence(
                "'values' of an automation is no table, or 'enabled' neither true nor false; correct that."
            )
        )
    target = find_target(stage, given["of"], library)
    source = automation_source(given["source"])
    automation = made_automation(target, source, values, given.get("low"), given.get("high"))
    return target.name, automation if enabled else _switched_off(automation)


def _switched_off(automation: Automation) -> Automation:
    return Automation(automation.source, automation.values, automation.low, automation.high, enabled=False)


def made_automation(
    target: Target, source: AutomationSource, values: Mapping[str, Any], low: Any = None, high: Any = None
) -> Automation:
    """Return an automation of a target; `low` and `high` of None are its bounds.

    Raise UsageError for an unknown name or an invalid value.
    """
    checked = source.check(values)
    if source.is_absolute and not (low is None and high is None):
        raise UsageError(
            sentence(
                "'low' and 'high' have no effect on '{source}', which has values of the parameter itself; leave them out.",
                source=source.id,
            )
        )
    return Automation(
        source.id,
        checked,
        _bound(target, "low", target.min if low is None else low),
        _bound(target, "high", target.max if high is None else high),
    )


def _bound(target: Target, name: str, value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # Compared before it is converted, as a whole number of TOML may be one that no float can hold.
    if not is_number or not target.min <= value <= target.max or not math.isfinite(value):
        raise UsageError(
            sentence(
                "'{name}' of the automation of '{target}' is {value}; give a number from {min:g} to {max:g}.",
                name=name,
                target=target.name,
                value=repr(str(value)[:40]),
                min=target.min,
                max=target.max,
            )
        )
    return float(value)


# -- what automations need -----------------------------------------------------------------------------------


def count_automations(chain: ChainSpec) -> int:
    """Return how many automations a chain has."""
    return sum(len(stage.automation) for stage in chain.stages)


def _in_use(setup: Setup) -> Iterator[tuple[StageSpec, str, AutomationSource]]:
    for stage in setup.chain.stages:
        for name, each in stage.automation.items() if stage.enabled else ():
            if each.enabled:
                yield stage, name, automation_source(each.source)


def following_audio(setup: Setup, library: KnownFilters) -> str:
    """Return the filter of the first stage that follows or reads the audio, '' if none does."""
    used = (
        stage.filter
        for stage in setup.chain.stages
        if stage.enabled and ("audio" in needs_of(stage) or "audio" in inputs_of(stage, library))
    )
    return next(used, "")


def _input_fault(setup: Setup, library: KnownFilters, *, has_audio: bool = True) -> Text | None:
    """Return a sentence about the first filter in use whose inputs a command does not have; None without one."""
    for stage in setup.chain.stages:
        inputs = inputs_of(stage, library) if stage.enabled else ()
        if "audio" in inputs and not has_audio:
            return sentence(
                "'{filter}' reads the audio of a video file, and there is none; remove that filter.",
                filter=stage.filter,
            )
        if "tracks" in inputs and setup.analysis is None:
            return sentence(
                "'{filter}' reads what an analysis network finds, and there is none; choose one (--model).",
                filter=stage.filter,
            )
    return None


def _fault_of_names(setup: Setup, stage: StageSpec, name: str, values: Mapping[str, Any]) -> Text | None:
    """Return a sentence about a zone, an event or tracking that an automation by detections needs and lacks."""
    zones = [zone.name for zone in setup.scene.zones if isinstance(zone, ZoneSpec)]
    events = [event.name for event in setup.scene.events]
    measure = values["measure"]
    if measure == "count" and values["zone"] and not zones:
        return sentence(
            "'{name}' of '{filter}' counts in a zone, and there is none; load some (--zones).",
            name=name,
            filter=stage.filter,
        )
    if measure == "event" and not events:
        return sentence(
            "'{name}' of '{filter}' follows events, and there is none; load some with their zones (--zones).",
            name=name,
            filter=stage.filter,
        )
    if measure == "count" and values["zone"] not in ("", *zones):
        return sentence(
            "'{name}' of '{filter}' counts in the zone '{zone}', which does not exist; there are: {zones}.",
            name=name,
            filter=stage.filter,
            zone=values["zone"],
            zones=", ".join(zones),
        )
    if measure == "event" and values["event"] not in ("", *events):
        return sentence(
            "'{name}' of '{filter}' follows the event '{event}', which does not exist; there are: {events}.",
            name=name,
            filter=stage.filter,
            event=values["event"],
            events=", ".join(events),
        )
    if measure in PLACES and values["identity"] and setup.scene.track is None:
        return sentence(
            "'{name}' of '{filter}' follows a tracked object, and tracking is off; switch it on (--track).",
            name=name,
            filter=stage.filter,
        )
    return None


def automation_fault(setup: Setup, library: KnownFilters, *, has_audio: bool = True) -> Text | None:
    """Return a sentence about the first automation or input in use that a command cannot follow; None without
    one.

    `has_audio`: there may be audio with the frames.
    """
    for stage, name, source in _in_use(setup):
        if "controls" in source.needs:
            return sentence(
                "'{name}' of '{filter}' follows {source}, which only the window receives; remove that "
                "automation, or give it key frames.",
                name=name,
                filter=stage.filter,
                source=source.title,
            )
        if "results" in source.needs and setup.analysis is None:
            return sentence(
                "'{name}' of '{filter}' follows what an analysis network finds, and there is none; choose "
                "one (--model).",
                name=name,
                filter=stage.filter,
            )
        if source.id == "detections":
            fault = _fault_of_names(setup, stage, name, stage.automation[name].values)
            if fault is not None:
                return fault
        if "audio" in source.needs and not has_audio:
            return sentence(
                "'{name}' of '{filter}' follows the audio of a video file, and there is none; remove that "
                "automation.",
                name=name,
                filter=stage.filter,
            )
    return _input_fault(setup, library, has_audio=has_audio)
