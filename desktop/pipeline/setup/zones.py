"""Zones and events as tables: in a preset's `[scene]`, and in a separate file for the command line.

    [[scene.zones]]
    name = "Door"
    kind = "line"                       # or "polygon"
    points = [[0.1, 0.5], [0.9, 0.5]]   # fractions of the frame
    [[scene.events]]
    name = "Someone comes in"
    zone = "Door"
    when = "crosses"                    # enters, leaves, crosses, stays, above

docs/zones.md lists all keys. Untrusted: invalid values are ignored; events act only after the user consents, and
those with `enabled = false` not even then.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import PresetError, UsageError
from desktop.base.fields import Secret
from desktop.base.files import read_regular, reason
from desktop.base.toml_text import KeyPath, parse_toml
from desktop.base.wording import Text, joined, plural, sentence
from desktop.pipeline.setup.event_actions import EventActionKind, event_actions
from desktop.pipeline.setup.warnings import Warnings
from desktop.vision.tasks.shapes import Position
from desktop.vision.tracking.events import (
    DIRECTIONS,
    MOST_ACTIONS,
    MOST_EVENTS,
    OF_LINES,
    WHENS,
    ActionSpec,
    EventSpec,
)
from desktop.vision.tracking.zones import (
    ANCHORS,
    MOST_CORNERS,
    MOST_ZONES,
    AnyZone,
    LineSpec,
    ZoneSpec,
    free_name,
    is_drawable,
)

_MAX_BYTES: Final = 1 << 20
_LONGEST_NAME: Final = 80
_MOST_CLASSES: Final = 100
_LONGEST_CLASS: Final = 1000
_LONGEST_STAY_S: Final = 1e6
_MOST_ABOVE: Final = 100_000

_KINDS: Final[Mapping[str, type[ZoneSpec] | type[LineSpec]]] = {"polygon": ZoneSpec, "line": LineSpec}

Warn = Callable[[Text], None]
Report = Callable[[KeyPath, Text], None]
"""Receives the path of a value in the tables, and a sentence about it."""


@dataclass(frozen=True)
class ZoneTables:
    """Return the zones and events of tables; the fields are those of `SceneSpec`."""

    zones: tuple[AnyZone, ...] = ()
    events: tuple[EventSpec, ...] = ()
    heat_map: bool = False


# -- writing -------------------------------------------------------------------------------------------------


def zone_tables(found: ZoneTables) -> dict[str, Any]:
    """Return the keys of `[scene]` that say this; none for what is as usual. Secrets are left out."""
    document: dict[str, Any] = {}
    if found.heat_map:
        document["heat_map"] = True
    if found.zones:
        document["zones"] = [_zone_table(zone) for zone in found.zones]
    if found.events:
        document["events"] = [_event_table(event) for event in found.events]
    return document


def _zone_table(zone: AnyZone) -> dict[str, Any]:
    kind = "line" if isinstance(zone, LineSpec) else "polygon"
    points = [[round(x, 5), round(y, 5)] for x, y in zone.points]
    classes = {"classes": list(zone.classes)} if zone.classes else {}
    return {
        "name": zone.name,
        "kind": kind,
        "points": points,
        "anchor": zone.anchor,
        "color": zone.color,
        **classes,
    }


def _event_table(event: EventSpec) -> dict[str, Any]:
    table: dict[str, Any] = {"name": event.name, "zone": event.zone, "when": event.when}
    if event.when == "crosses":
        table["direction"] = event.direction
    if event.when == "stays":
        table["seconds"] = event.seconds
    if event.when == "above":
        table["above"] = event.above
    if event.classes:
        table["classes"] = list(event.classes)
    if event.actions:
        table["actions"] = [_action_table(action) for action in event.actions]
    if not event.enabled and not event.awaits_consent:
        table["enabled"] = False
    return table


def _action_table(spec: ActionSpec) -> dict[str, Any]:
    action = event_actions().get(spec.kind)
    secrets = (
        {field.name for field in action.fields if isinstance(field, Secret)} if action is not None else set()
    )
    usual = {field.name: field.default for field in action.fields} if action is not None else {}
    values = {k: v for k, v in spec.values.items() if k not in secrets and v != usual.get(k)}
    return {"do": spec.kind, **values}


# -- reading -------------------------------------------------------------------------------------------------


def take_zones(table: dict[str, Any], warn: Warn) -> ZoneTables:
    """Remove and read zones, events and the heat map of a `[scene]`; report ignored values to `warn`."""
    return read_zone_tables(table, lambda path, text: warn(text))


def read_zone_tables(table: dict[str, Any], report: Report) -> ZoneTables:
    """Read tables as `take_zones` does, and report where each ignored value is."""
    zones = _Zones(report).read(table.pop("zones", []))
    events = _Events(zones, report).read(table.pop("events", []))
    heat_map = table.pop("heat_map", False)
    if not isinstance(heat_map, bool):
        report(("heat_map",), sentence("'{key}' is neither true nor false and was left out.", key="heat_map"))
    return ZoneTables(zones, events, heat_map is True)


def consent_notice(events: Sequence[EventSpec]) -> Text | None:
    """Return a sentence about events that stay off until the user has seen them; None if there are none."""
    waiting = [event for event in events if event.awaits_consent]
    if not waiting:
        return None
    off = plural(
        len(waiting),
        "The actions of its %n event are switched off; switch it on once you have checked them.",
        "The actions of its %n events are switched off; switch them on once you have checked these actions.",
    )
    return joined(" ", (off, joined("; ", _describe_actions(waiting))))


def _describe_actions(events: Sequence[EventSpec]) -> tuple[Text, ...]:
    """Return events' effects and targets: each kind of action once, with every path or host in full."""
    actions = dict.fromkeys(
        (event_actions()[spec.kind], event_actions()[spec.kind].target(spec.values))
        for event in events
        for spec in event.actions
    )
    targets: dict[EventActionKind, list[str]] = {}
    for action, where in actions:
        targets.setdefault(action, []).extend([where] if where else [])
    return tuple(
        joined(": ", (action.title, *([joined(", ", where)] if where else [])))
        for action, where in targets.items()
    )


def load_zones(path: Path) -> tuple[ZoneTables, tuple[str, ...]]:
    """Read zones, TOML or JSON with the keys of a preset's `[scene]`, at top level or in `scene`; return them
    and a sentence for each ignored value. Raise PresetError if the file cannot be read.
    """
    try:
        data = read_regular(path, _MAX_BYTES)
    except (OSError, ValueError) as error:
        raise PresetError(
            sentence(
                "The zones in {path} cannot be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    document = _document(data, path)
    scene = document.get("scene", document)
    warnings = Warnings(path.name)
    found = take_zones(dict(scene) if isinstance(scene, dict) else {}, warnings.add)
    if not found.zones:
        warnings.add(sentence("there is no zone in it."))
    return found, warnings.all()


def _document(data: bytes, path: Path) -> dict[str, Any]:
    is_json = path.suffix.lower() == ".json"
    try:
        document = _json(data) if is_json else parse_toml(data)
    except ValueError as error:
        raise PresetError(
            sentence(
                "{name} is not a zone file: {error}; correct it in a text editor, or choose another.",
                name=path.name,
                error=error,
            )
        ) from error
    return document if isinstance(document, dict) else {}


def _json(data: bytes) -> Any:
    """Parse JSON; too long integers become infinite, as in TOML here; raise ValueError if it is not JSON."""
    try:
        return json.loads(data, parse_int=lambda digits: int(digits) if len(digits) < 1000 else math.inf)
    except RecursionError as error:
        raise ValueError(sentence("it is nested too deeply")) from error


class _Tables:
    """Reads one list of tables, and says what it had to leave out."""

    what: str

    def __init__(self, report: Report) -> None:
        self._report_at = report
        self._place: KeyPath = ()

    def _report(self, text: Text, *keys: str | int) -> None:
        """Report on a key of the table that is read now."""
        self._report_at((*self._place, *keys), text)

    def tables(self, given: Any, most: int) -> Iterator[dict[str, Any]]:
        """Yield the tables that have a name; what is reported meanwhile is about the newest one."""
        self._place = (self.what,)
        if not isinstance(given, list):
            self._report(sentence("'{key}' is not a list and was left out.", key=self.what))
            return
        if len(given) > most:
            self._report(
                sentence(
                    "'{key}' has more than {most} entries; the others were left out.",
                    key=self.what,
                    most=most,
                ),
                most,
            )
        for number, each in enumerate(given[:most]):
            self._place = (self.what, number)
            if isinstance(each, dict) and _is_name(each.get("name")):
                yield dict(each)
            else:
                self._report(sentence("an entry of '{key}' has no name and was left out.", key=self.what))

    def unfit(self, name: str, key: str, value: Any) -> None:
        self._report(
            sentence(
                "'{key}' of '{name}' can't be {value}; the usual one is used.",
                key=key,
                name=name,
                value=repr(str(value)[:40]),
            ),
            key,
        )

    def left_out(self, name: str, why: str, *keys: str) -> None:
        self._report(sentence("'{name}' was left out: {why}.", name=name, why=why), *keys)

    def known(
        self, name: str, table: dict[str, Any], checks: Mapping[str, Callable[[Any], Any]]
    ) -> dict[str, Any]:
        """Take the values that fit; the others, and what is not known, are told."""
        found: dict[str, Any] = {}
        for key, check in checks.items():
            if key not in table:
                continue
            value = table.pop(key)
            try:
                found[key] = check(value)
            except ValueError:
                self.unfit(name, key, value)
        for key in table:
            self._report(
                sentence("'{key}' of '{name}' is not known and was left out.", key=str(key)[:40], name=name),
                key,
            )
        return found


class _Zones(_Tables):
    what = "zones"

    def read(self, given: Any) -> tuple[AnyZone, ...]:
        zones: list[AnyZone] = []
        for table in self.tables(given, MOST_ZONES):
            zone = self._zone(table, len(zones))
            if zone is not None:
                name = free_name(zone.name, zones)
                if name != zone.name:
                    self._report(
                        sentence(
                            "another zone is named '{name}', so this is '{new}'.", name=zone.name, new=name
                        ),
                        "name",
                    )
                zones.append(replace(zone, name=name))
        return tuple(zones)

    def _zone(self, table: dict[str, Any], number: int) -> AnyZone | None:
        name, kind = table.pop("name"), table.pop("kind", "polygon")
        points = _points(table.pop("points", None))
        make = _KINDS.get(str(kind))
        if make is None:
            self.left_out(name, sentence("its kind is neither polygon nor line"), "kind")
            return None
        checks = {"anchor": _one_of(ANCHORS), "color": _integer_check(0, 10_000), "classes": _classes}
        inside = tuple((_clamped(x), _clamped(y)) for x, y in points)
        zone = make(name, inside, **({"color": number} | self.known(name, table, checks)))
        if is_drawable(zone):
            if inside != points:
                self._report(
                    sentence(
                        "a corner of '{name}' is outside the frame, whose coordinates are 0 to 1, and was moved to "
                        "its edge.",
                        name=name,
                    ),
                    "points",
                )
            return zone
        if inside != points:
            why = sentence("its points are outside the frame, whose coordinates are 0 to 1")
        elif make is LineSpec:
            why = sentence("its points are not two different pairs of numbers")
        else:
            why = sentence("its points are not three or more pairs of numbers with an area")
        self.left_out(name, why, "points")
        return None


class _Events(_Tables):
    what = "events"

    def __init__(self, zones: tuple[AnyZone, ...], report: Report) -> None:
        super().__init__(report)
        self._zones = {zone.name: zone for zone in zones}

    def read(self, given: Any) -> tuple[EventSpec, ...]:
        events: dict[str, EventSpec] = {}
        for table in self.tables(given, MOST_EVENTS):
            event = self._event(table)
            if event is None:
                continue
            if event.name in events:
                self.left_out(event.name, sentence("another event has this name"), "name")
            events.setdefault(event.name, event)
        return tuple(events.values())

    def _event(self, table: dict[str, Any]) -> EventSpec | None:
        name, when = table.pop("name"), table.pop("when", None)
        zone = self._zones.get(str(table.pop("zone", "")))
        if zone is None:
            self.left_out(name, sentence("there is no zone of the name that it gives"), "zone")
            return None
        if when not in WHENS or (when in OF_LINES) != isinstance(zone, LineSpec):
            self.left_out(name, sentence("its 'when' is nothing that its zone knows"), "when")
            return None
        actions = self._actions(name, table.pop("actions", []))
        checks = {
            "enabled": _flag,
            "direction": _one_of(DIRECTIONS),
            "seconds": _number(0.0, _LONGEST_STAY_S),
            "above": _integer_check(0, _MOST_ABOVE),
            "classes": _classes,
        }
        known = self.known(name, table, checks)
        is_on = known.pop("enabled", True)
        return EventSpec(
            name,
            zone.name,
            when,
            **known,
            actions=actions,
            enabled=is_on and not actions,
            awaits_consent=is_on and bool(actions),
        )

    def _actions(self, name: str, given: Any) -> tuple[ActionSpec, ...]:
        found: list[ActionSpec] = []
        if not isinstance(given, list):
            self.unfit(name, "actions", given)
            return ()
        if len(given) > MOST_ACTIONS:
            self._report(
                sentence(
                    "'{key}' has more than {most} entries; the others were left out.",
                    key="actions",
                    most=MOST_ACTIONS,
                ),
                "actions",
                MOST_ACTIONS,
            )
        for number, table in enumerate(given[:MOST_ACTIONS]):
            values = dict(table) if isinstance(table, dict) else {}
            action = event_actions().get(str(values.pop("do", "")))
            if action is None:
                self._report(
                    sentence("an action of '{name}' is not known and was left out.", name=name),
                    "actions",
                    number,
                    "do",
                )
                continue
            try:
                found.append(ActionSpec(action.id, action.checked(values)))
            except UsageError as error:
                self._report(
                    sentence("{name}: {text}", name=name, text=str(error)),
                    "actions",
                    number,
                    *_blamed(action, values),
                )
        return tuple(found)


def _blamed(action: EventActionKind, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the key of the first value that an action does not take, () if it is none of them alone."""
    for key, value in values.items():
        try:
            action.checked({key: value})
        except UsageError:
            return (key,)
    return ()


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME and value.isprintable()


def _is_class(value: Any) -> bool:
    # What no file holds (a half of a surrogate pair, which JSON can say) would fail when the preset is saved.
    return isinstance(value, str) and len(value) <= _LONGEST_CLASS and value.isprintable()


def _points(given: Any) -> tuple[Position, ...]:
    if not isinstance(given, list) or len(given) > MOST_CORNERS:
        return ()
    pairs = [tuple(each) if isinstance(each, list) else () for each in given]
    if any(len(pair) != 2 or not all(_is_number(v) for v in pair) for pair in pairs):
        return ()
    return tuple((float(x), float(y)) for x, y in pairs)


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _is_number(value: Any) -> bool:
    # A whole number of JSON has no end; what no float can hold is no number here.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e9 and not math.isnan(value)


def _one_of(allowed: tuple[str, ...]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in allowed:
            raise ValueError
        return str(value)

    return check


def _integer_check(low: int, high: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError
        return value

    return check


def _number(low: float, high: float) -> Callable[[Any], float]:
    def check(value: Any) -> float:
        if not _is_number(value) or not low <= value <= high:
            raise ValueError
        return float(value)

    return check


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _classes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MOST_CLASSES or not all(_is_class(v) for v in value):
        raise ValueError
    return tuple(value)
