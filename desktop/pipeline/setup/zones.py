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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from desktop.base.errors import PresetError, UsageError
from desktop.base.fields import Secret
from desktop.base.files import read_regular, reason
from desktop.base.nearest import nearest
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
    State,
    When,
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
_LONGEST_STAY_S: Final = 1_000_000
_MOST_ABOVE: Final = 100_000
_MOST_LISTED: Final = 12
_LONGEST_SHOWN: Final = 40
_OF_WHEN: Final[Mapping[str, When]] = {"direction": "crosses", "seconds": "stays", "above": "above"}
"""Keys of an event that have an effect with one 'when' only."""

_KINDS: Final[Mapping[str, type[ZoneSpec] | type[LineSpec]]] = {"polygon": ZoneSpec, "line": LineSpec}

_KEYS: Final = ("zones", "events", "heat_map")

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
    points = [[round(x, 5), round(y, 5)] for x, y in zone.points]
    classes = {"classes": list(zone.classes)} if zone.classes else {}
    return {
        "name": zone.name,
        "kind": _kind_of(zone),
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
    if event.state == "off":
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
    reader = _Zones(report)
    zones = reader.read(table.pop("zones", []))
    events = _Events(zones, reader.without, report).read(table.pop("events", []))
    heat_map = table.pop("heat_map", False)
    if not isinstance(heat_map, bool):
        report(("heat_map",), sentence("'{key}' is neither true nor false and was left out.", key="heat_map"))
    return ZoneTables(zones, events, heat_map is True)


def consent_notice(events: Sequence[EventSpec]) -> Text | None:
    """Return a sentence about events that stay off until the user has seen them; None if there are none."""
    waiting = [event for event in events if event.state == "awaits consent"]
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
    left = dict(scene) if isinstance(scene, dict) else {}
    found = take_zones(left, warnings.add)
    for key in _unread(document, left):
        # Finding the nearest key takes 0.1 ms, and is left out where warnings are only counted.
        warnings.add(key if warnings.is_full else _unknown_key(key))
    if not found.zones:
        warnings.add(sentence("there is no zone in it."))
    return found, warnings.all()


def _unread(document: Mapping[str, Any], left: Mapping[str, Any]) -> list[str]:
    """Return the keys of a zone file that are unknown; `left` are those of its scene that were not read.

    The file may be a whole look, whose other keys are not reported.
    """
    if "scene" not in document:
        return [] if "lightloom" in document else list(left)
    return [*(key for key in left if key != "track"), *(key for key in _KEYS if key in document)]


def _unknown_key(key: str) -> Text:
    shown, near = key[:_LONGEST_SHOWN], nearest(key, _KEYS)
    if near and near != key:
        return sentence("'{key}' is not known and was left out; did you mean '{near}'?", key=shown, near=near)
    if near:
        return sentence("'{key}' is outside 'scene' and was left out; move it into 'scene'.", key=shown)
    return sentence("'{key}' is not known and was left out.", key=shown)


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


@dataclass(frozen=True)
class _Check:
    """A value of a table: `take` returns it, or raises ValueError for one that is not what `expects` says."""

    expects: Text
    take: Callable[[Any], Any]


class _Tables:
    """Reads one list of tables, and says what it had to leave out; `taken` are the keys that `known` does not check."""

    what: str
    taken: tuple[str, ...]

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
            self._report(
                sentence(
                    "'{key}' is not a list of tables and was left out; begin each with a line in double brackets.",
                    key=self.what,
                )
            )
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
            elif not isinstance(each, dict):
                self._report(sentence("an entry of '{key}' is not a table and was left out.", key=self.what))
            else:
                self._report(
                    sentence(
                        "an entry of '{key}' was left out: its name is missing, or no line of {most} letters at "
                        "most; give it one.",
                        key=self.what,
                        most=_LONGEST_NAME,
                    )
                )

    def unfit(self, name: str, key: str, value: Any, expects: Text) -> None:
        self._report(
            sentence(
                "'{key}' of '{name}' can't be {value} and was left out; give {expects}.",
                key=key,
                name=name,
                value=_shown(value),
                expects=expects,
            ),
            key,
        )

    def unknown(self, name: str, key: str, value: Any, known: Sequence[str]) -> None:
        """Report that a table is left out because the value of a key is unknown or missing."""
        near = nearest(value, known) if isinstance(value, str) else ""
        told = {"name": name, "key": key, "value": _shown(value)}
        if value is None:
            text = sentence(
                "'{name}' was left out: its '{key}' is missing; give {known}.",
                name=name,
                key=key,
                known=_listed(known),
            )
        elif near:
            text = sentence(
                "'{name}' was left out: its '{key}' is {value}; did you mean '{near}'?", **told, near=near
            )
        else:
            text = sentence(
                "'{name}' was left out: its '{key}' is {value}; give {known}.", **told, known=_listed(known)
            )
        self._report(text, key)

    def left_out(self, name: str, why: str, *keys: str) -> None:
        self._report(sentence("'{name}' was left out: {why}.", name=name, why=why), *keys)

    def known(self, name: str, table: dict[str, Any], checks: Mapping[str, _Check]) -> dict[str, Any]:
        """Take the values that fit; the others, and what is not known, are told."""
        found: dict[str, Any] = {}
        for key, check in checks.items():
            if key not in table:
                continue
            value = table.pop(key)
            try:
                found[key] = check.take(value)
            except ValueError:
                self.unfit(name, key, value, check.expects)
        for key in table:
            near = nearest(key, (*self.taken, *checks))
            told = {"key": key[:40], "name": name}
            self._report(
                sentence(
                    "'{key}' of '{name}' is not known and was left out; did you mean '{near}'?",
                    **told,
                    near=near,
                )
                if near
                else sentence("'{key}' of '{name}' is not known and was left out.", **told),
                key,
            )
        return found


class _Zones(_Tables):
    """Reads zones; `without` are the names of those that were left out."""

    what = "zones"
    taken = ("name", "kind", "points")

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.without: set[str] = set()

    def read(self, given: Any) -> tuple[AnyZone, ...]:
        zones: list[AnyZone] = []
        for table in self.tables(given, MOST_ZONES):
            name = table["name"]
            zone = self._zone(table, len(zones))
            if zone is None:
                self.without.add(name)
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
        make = _KINDS.get(kind) if isinstance(kind, str) else None
        known = self.known(name, table, _ZONE_CHECKS)
        if make is None:
            self.unknown(name, "kind", kind, tuple(_KINDS))
            return None
        inside = tuple((_clamped(x), _clamped(y)) for x, y in points)
        zone = make(name, inside, **({"color": number} | known))
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
    """Reads events of zones; `without` are the names of zones that were left out."""

    what = "events"
    taken = ("name", "zone", "when", "actions")

    def __init__(self, zones: tuple[AnyZone, ...], without: Collection[str], report: Report) -> None:
        super().__init__(report)
        self._zones = {zone.name: zone for zone in zones}
        self._without = without

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
        """Read a table to its end, whatever is wrong with it, so that all faults are reported together."""
        name = table.pop("name")
        zone = self._zone(name, table.pop("zone", None))
        when = self._when(name, table.pop("when", None), zone)
        actions = self._actions(name, table.pop("actions", []))
        for key, of in _OF_WHEN.items():
            if when not in (None, of) and table.pop(key, None) is not None:
                self._report(
                    sentence(
                        "'{key}' of '{name}' is for '{when}' only and was left out.",
                        key=key,
                        name=name,
                        when=of,
                    ),
                    key,
                )
        known = self.known(name, table, _EVENT_CHECKS)
        if zone is None or when is None:
            return None
        state: State = "off"
        if known.pop("enabled", True):
            state = "awaits consent" if actions else "on"
        return EventSpec(
            name,
            zone.name,
            when,
            **known,
            actions=actions,
            state=state,
        )

    def _zone(self, name: str, given: Any) -> AnyZone | None:
        found = self._zones.get(given) if isinstance(given, str) else None
        if found is None and isinstance(given, str) and given in self._without:
            self.left_out(name, sentence("its zone '{zone}' was left out", zone=given), "zone")
        elif found is None and not self._zones:
            self.left_out(name, sentence("there is no zone"), "zone")
        elif found is None:
            self.unknown(name, "zone", given, tuple(self._zones))
        return found

    def _when(self, name: str, given: Any, zone: AnyZone | None) -> When | None:
        fitting = WHENS
        if zone is not None:
            fitting = tuple(each for each in WHENS if (each in OF_LINES) == isinstance(zone, LineSpec))
        if given in fitting:
            return cast(When, given)
        if zone is not None and given in WHENS:
            self._report(
                sentence(
                    "'{name}' was left out: its 'when' is {value}, and '{zone}' is a {kind}; give {known}.",
                    name=name,
                    value=_shown(given),
                    zone=zone.name,
                    kind=_kind_of(zone),
                    known=_listed(fitting),
                ),
                "when",
            )
        else:
            self.unknown(name, "when", given, fitting)
        return None

    def _actions(self, name: str, given: Any) -> tuple[ActionSpec, ...]:
        found: list[ActionSpec] = []
        if not isinstance(given, list):
            self.unfit(name, "actions", given, sentence("a list of tables"))
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
            kind = values.pop("do", None)
            action = event_actions().get(kind) if isinstance(kind, str) else None
            if action is None:
                self._report(_unknown_action(name, kind), "actions", number, "do")
                continue
            faults = tuple(_faults_of(action, values))
            for key, text in faults:
                self._report(sentence("{name}: {text}", name=name, text=text), "actions", number, key)
            if not faults:
                found.append(ActionSpec(action.id, action.checked(values)))
        return tuple(found)


def _unknown_action(name: str, kind: Any) -> Text:
    known = tuple(event_actions())
    if kind is None:
        return sentence(
            "an action of '{name}' was left out: its 'do' is missing; give {known}.",
            name=name,
            known=_listed(known),
        )
    told = {"name": name, "value": _shown(kind)}
    if near := nearest(kind, known) if isinstance(kind, str) else "":
        return sentence(
            "an action of '{name}' was left out: its 'do' is {value}; did you mean '{near}'?",
            **told,
            near=near,
        )
    return sentence(
        "an action of '{name}' was left out: its 'do' is {value}; give {known}.", **told, known=_listed(known)
    )


def _faults_of(action: EventActionKind, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each key whose value an action does not take, and a sentence about it."""
    for key, value in values.items():
        try:
            action.checked({key: value})
        except UsageError as error:
            yield key, str(error)


def _kind_of(zone: AnyZone) -> str:
    return "line" if isinstance(zone, LineSpec) else "polygon"


def _listed(known: Sequence[str]) -> str:
    more = ", ..." if len(known) > _MOST_LISTED else ""
    return ", ".join(known[:_MOST_LISTED]) + more


def _shown(value: Any) -> str:
    """Return a value as it stands in a file: a text in quotation marks, which tell it from a number."""
    if isinstance(value, list):
        return sentence("a list")
    if isinstance(value, dict):
        return sentence("a table")
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value[:_LONGEST_SHOWN]}"' if isinstance(value, str) else str(value)[:_LONGEST_SHOWN]


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


def _one_of(allowed: tuple[str, ...]) -> _Check:
    def take(value: Any) -> str:
        if value not in allowed:
            raise ValueError
        return str(value)

    return _Check(joined(", ", allowed), take)


def _integer(low: int, high: int) -> _Check:
    def take(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError
        return value

    return _Check(sentence("a whole number from {low} to {high}", low=low, high=high), take)


def _number(low: int, high: int) -> _Check:
    def take(value: Any) -> float:
        if not _is_number(value) or not low <= value <= high:
            raise ValueError
        return float(value)

    return _Check(sentence("a number from {low} to {high}", low=low, high=high), take)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _classes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MOST_CLASSES or not all(_is_class(v) for v in value):
        raise ValueError
    return tuple(value)


_CLASSES: Final = _Check(sentence('a list of names, such as ["person"]'), _classes)
_ZONE_CHECKS: Final[Mapping[str, _Check]] = {
    "anchor": _one_of(ANCHORS),
    "color": _integer(0, 10_000),
    "classes": _CLASSES,
}
_EVENT_CHECKS: Final[Mapping[str, _Check]] = {
    "direction": _one_of(DIRECTIONS),
    "seconds": _number(0, _LONGEST_STAY_S),
    "above": _integer(0, _MOST_ABOVE),
    "classes": _CLASSES,
    "enabled": _Check(sentence("true or false"), _flag),
}
