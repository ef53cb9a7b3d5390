"""Zones and events in presets and in files of their own: they come back as they were, and a stranger's do no
harm.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import windows_marks

from desktop.base.errors import PresetError
from desktop.base.toml_text import KeyPath
from desktop.outputs.events import event_actions
from desktop.outputs.run_settings import setup_json
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup, without_actions
from desktop.pipeline.setup.zones import (
    ZoneTables,
    consent_notice,
    load_zones,
    read_zone_tables,
    take_zones,
    zone_tables,
)
from desktop.vision.tracking.events import ActionSpec, EventSpec
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.zones import LineSpec, ZoneSpec

MQTT = event_actions()["mqtt"].checked({"address": "mqtts://broker", "user": "me", "password": "secret"})
ZONES = (
    LineSpec("Door", ((0.1, 0.5), (0.9, 0.5)), ("person",), "center", 3),
    ZoneSpec("Room", ((0.1, 0.1), (0.9, 0.1), (0.5, 0.9)), color=1),
)
EVENTS = (
    EventSpec("In", "Door", "crosses", "forward", actions=(ActionSpec("mqtt", MQTT),)),
    EventSpec("Long", "Room", "stays", seconds=30.0, classes=("person", "dog")),
    EventSpec("Crowd", "Room", "above", above=12),
)
SCENE = SceneSpec(zones=ZONES, events=EVENTS, heat_map=True)
FROM_FILE: dict[str, Any] = {"state": "awaits consent"}


def test_a_preset_gives_back_what_it_was_given_but_secrets_and_consent(tmp_path: Path) -> None:
    library, path = FilterLibrary(None), tmp_path / "a.toml"
    save_preset(Setup(scene=SCENE), library, path)
    assert "secret" not in path.read_text()
    loaded = load_preset(path, library)
    mqtt = ActionSpec("mqtt", {**MQTT, "password": ""})
    expected = (replace(EVENTS[0], actions=(mqtt,), **FROM_FILE), *EVENTS[1:])
    assert loaded.setup.scene == replace(SCENE, events=expected)
    assert loaded.warnings == ()
    said = consent_notice(loaded.setup.scene.events)
    assert said is not None and "switched off" in said
    assert consent_notice(EVENTS) is None


def test_consent_names_the_whole_of_where_events_write_and_call(tmp_path: Path) -> None:
    """A path's last part alone would hide that it is the shell's start-up file."""
    folder = tmp_path.resolve()
    files = [ActionSpec("jsonl", {"path": f"~/{name}"}) for name in (".bashrc", ".profile")]
    events = [
        EventSpec("In", "Door", "crosses", actions=(*files, ActionSpec("mqtt", MQTT)), **FROM_FILE),
        EventSpec("Out", "Door", "crosses", actions=(files[0],), **FROM_FILE),
    ]
    said = consent_notice(events)
    assert said is not None
    for name in (".bashrc", ".profile"):
        assert said.count(str(Path.home() / name)) == 1
    assert said.count("Write a line of JSON: ") == 1
    assert "broker" in said and "secret" not in said
    many = [ActionSpec("csv", {"path": str(folder / f"{n}.csv")}) for n in range(11)]
    said = consent_notice([EventSpec("In", "Door", "crosses", actions=tuple(many), **FROM_FILE)])
    assert said is not None and all(str(folder / f"{n}.csv") in said for n in range(11)), "none is hidden"


@windows_marks.links
def test_consent_names_where_links_and_ports_lead(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / "harmless").symlink_to(folder / "autostart")
    actions = (
        ActionSpec("jsonl", {"path": f"{folder}/videos/../harmless/run.desktop"}),
        ActionSpec("snapshot", {"folder": f"{folder}/harmless"}),
        ActionSpec("url", {"address": "http://localhost:2375/build?key=secret"}),
        ActionSpec("mqtt", {**MQTT, "address": "broker.local:1884"}),
    )
    said = consent_notice([EventSpec("In", "Door", "crosses", actions=actions, **FROM_FILE)])
    assert said is not None
    assert f"Write a line of JSON: {folder}/autostart/run.desktop;" in said
    assert f"Save a snapshot: {folder}/autostart;" in said
    assert "localhost:2375;" in said and "broker.local:1884" in said
    assert "harmless" not in said and "secret" not in said
    turned = ActionSpec("jsonl", {"path": f"{folder}/\u202etxt.exe"})
    said = consent_notice([EventSpec("In", "Door", "crosses", actions=(turned,), **FROM_FILE)])
    assert said is not None and said.count("\\u202etxt.exe") == 1 and "\u202e" not in said


def test_a_preset_without_zones_is_written_as_before(tmp_path: Path) -> None:
    save_preset(Setup(), FilterLibrary(None), tmp_path / "a.toml")
    assert "scene" not in (tmp_path / "a.toml").read_text()


@pytest.mark.parametrize("nested", [True, False])
def test_toml_and_json_say_the_same(tmp_path: Path, nested: bool) -> None:
    table = zone_tables(ZoneTables(ZONES, EVENTS[1:], True))
    (tmp_path / "z.json").write_text(json.dumps({"scene": table} if nested else table))
    save_preset(Setup(scene=replace(SCENE, events=EVENTS[1:])), FilterLibrary(None), tmp_path / "z.toml")
    assert (
        load_zones(tmp_path / "z.json")
        == load_zones(tmp_path / "z.toml")
        == ((ZoneTables(ZONES, EVENTS[1:], True)), ())
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("missing.toml", None),
        ("a.toml", "zones = ["),
        ("a.json", "{"),
        ("deep.json", "[" * 100_000),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, text: str | None) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(PresetError, match=name):
        load_zones(tmp_path / name)


GOOD = {"name": "Z", "points": [[0, 0], [1, 0], [1, 1]]}


@pytest.mark.parametrize(
    "zones",
    [
        "x",
        [1],
        [{}],
        [{"name": ""}],
        [{"name": "a\nb", "points": GOOD["points"]}],
        [{"name": "Z"}],
        [{"name": "Z", "points": [[0, 0], [1, 1]]}],
        [{"name": "Z", "points": [[0, 0], [1, 0], [float("nan"), 1]]}],
        [{"name": "Z", "points": [[0, 0], [1, 0], [float("inf"), 1]]}],
        [{"name": "Z", "points": [[0, 0], [1, 0], [10**400, 1]]}],
        [{"name": "Z", "points": [[0, 0], [1, 0], [True, 1]]}],
        [{"name": "Z", "points": [[0, 0], [1, 0], [1]]}],
        [{"name": "Z", "points": [[0, 0]] * 100}],
        [{"name": "Z", "kind": ["line"], "points": [[0, 0], [1, 0]]}],
        [{"name": "Z", "kind": "line", "points": [[0, 0], [0, 0]]}],
    ],
)
def test_what_is_no_zone_is_left_out_and_said(zones: Any) -> None:
    said: list[str] = []
    assert take_zones({"zones": zones}, said.append).zones == ()
    assert len(said) == 1


@pytest.mark.parametrize(
    ("key", "value"), [("anchor", "top"), ("color", -1), ("classes", "person"), ("classes", [1]), ("more", 1)]
)
def test_what_does_not_fit_a_zone_is_as_usual(key: str, value: Any) -> None:
    said: list[str] = []
    found = take_zones({"zones": [{**GOOD, key: value}]}, said.append)
    assert found.zones == (ZoneSpec("Z", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))),) and len(said) == 1


@pytest.mark.parametrize(
    "event",
    [
        {"name": "e", "zone": "nowhere", "when": "enters"},
        {"name": "e", "zone": "Z", "when": "crosses"},
        {"name": "e", "zone": "Z", "when": ["enters"]},
        {"name": "e", "zone": "Z"},
        {"zone": "Z", "when": "enters"},
    ],
)
def test_what_is_no_event_is_left_out_and_said(event: Any) -> None:
    said: list[str] = []
    assert take_zones({"zones": [GOOD], "events": [event]}, said.append).events == ()
    assert len(said) == 1


@pytest.mark.parametrize(
    "action", [{"do": "telepathy"}, {"do": "csv", "path": 7}, {"do": "csv", "shell": "x"}, "csv", {"do": []}]
)
def test_what_is_no_action_is_left_out_and_said(action: Any) -> None:
    said: list[str] = []
    event = {"name": "e", "zone": "Z", "when": "enters", "actions": [action]}
    found = take_zones({"zones": [GOOD], "events": [event]}, said.append)
    assert found.events == (EventSpec("e", "Z", "enters"),) and len(said) == 1


@pytest.mark.parametrize("suffix", [".json", ".toml"])
def test_what_no_parser_takes_is_told_without_pythons_words(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"z{suffix}"
    lists = "[" * 20_000
    path.write_text(f'{{"zones": {lists}' if suffix == ".json" else f"zones = {lists}")
    with pytest.raises(PresetError, match="is not a zone file: it is nested too deeply"):
        load_zones(path)
    digits = "9" * 5000
    zone = {"name": "a", "color": 0, "points": [[0, 0], [1, 0], [0, 1]]}
    if suffix == ".json":
        path.write_text(json.dumps({"zones": [zone]}).replace(": 0,", f": {digits},"))
        found, warnings = load_zones(path)
        assert [zone.name for zone in found.zones] == ["a"]
        assert (
            len(warnings) == 1
            and "'color' of 'a' can't be inf and was left out; give a whole number from 0 to 10000."
            in warnings[0]
        )
    else:
        path.write_text(f"[[zones]]\ncolor = {digits}\n")
        with pytest.raises(PresetError, match="is not a zone file: a number in it has thousands of digits"):
            load_zones(path)


def test_no_file_can_switch_its_events_on() -> None:
    event = {"name": "e", "zone": "Z", "when": "enters", "enabled": True, "actions": [{"do": "notification"}]}
    (found,) = take_zones({"zones": [GOOD], "events": [event]}, lambda _: None).events
    assert not found.enabled


def test_an_event_that_is_off_stays_off_with_consent(tmp_path: Path) -> None:
    event = {
        "name": "e",
        "zone": "Z",
        "when": "enters",
        "enabled": False,
        "actions": [{"do": "notification"}],
    }
    told: list[str] = []
    (off,) = take_zones({"zones": [GOOD], "events": [event]}, told.append).events
    (waiting,) = take_zones({"zones": [GOOD], "events": [{**event, "enabled": True}]}, told.append).events
    assert not told and not off.permitted().enabled
    assert not waiting.enabled and waiting.permitted().enabled
    assert consent_notice([off]) is None and consent_notice([waiting]) is not None
    # A run is the same with and without consent, and with a record of it from before there was the difference.
    runs = [
        setup_json(Setup(scene=SceneSpec(events=(each,)))) for each in (off, waiting, waiting.permitted())
    ]
    assert "state" not in runs[0]["scene"]["events"][0]
    assert runs[0] == runs[1] == runs[2] and runs[0]["scene"]["events"][0]["enabled"] is True
    # A look keeps it off, and does not keep the consent to the other.
    path = tmp_path / "a.toml"
    zone = ZoneSpec("Z", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
    events = (off, replace(waiting.permitted(), name="f"))
    save_preset(Setup(scene=SceneSpec(zones=(zone,), events=events)), FilterLibrary(None), path)
    loaded = load_preset(path, FilterLibrary(None))
    assert loaded.setup.scene.events == (off, replace(waiting, name="f")) and loaded.warnings == ()


@pytest.mark.parametrize("value", ["false", 0, "no", []])
def test_enabled_is_true_or_false(value: Any) -> None:
    event = {"name": "e", "zone": "Z", "when": "enters", "enabled": value}
    told: list[str] = []
    take_zones({"zones": [GOOD], "events": [event]}, told.append)
    assert len(told) == 1 and told[0].endswith("and was left out; give true or false.")


def test_all_faults_of_an_event_are_told_with_the_nearest_right_word() -> None:
    action = {"do": "url", "adress": "http://a/", "method": "PUT"}
    event = {"name": "e", "zone": "y", "wen": "enters", "clases": ["red"], "above": "2", "actions": [action]}
    more = {"name": "f", "zone": "Gate", "when": "enter", "actions": [{"do": "mqqt"}, {"path": "x"}, 3]}
    more["actions"] += [{"do": 7}, {"do": "?"}]
    line = {"name": "Gate", "kind": "lin", "points": [[0, 0], [1, 0]]}
    told: list[tuple[KeyPath, str]] = []
    tables = {"zones": [{**GOOD, "name": "Y", "ancor": "center"}, line], "events": [event, more]}
    found = read_zone_tables(tables, lambda path, text: told.append((path, str(text))))
    assert found.events == ()
    kinds = "csv, jsonl, snapshot, clip, notification, url, mqtt, home_assistant"
    no_kind = f"an action of 'f' was left out: its 'do' is {{}}; give {kinds}."
    assert told == [
        (("zones", 0, "ancor"), "'ancor' of 'Y' is not known and was left out; did you mean 'anchor'?"),
        (("zones", 1, "kind"), "'Gate' was left out: its 'kind' is \"lin\"; did you mean 'line'?"),
        (("events", 0, "zone"), "'e' was left out: its 'zone' is \"y\"; did you mean 'Y'?"),
        (
            ("events", 0, "when"),
            "'e' was left out: its 'when' is missing; give enters, leaves, crosses, stays, above.",
        ),
        (("events", 0, "actions", 0, "adress"), "e: 'url' has no 'adress'; did you mean 'address'?"),
        (("events", 0, "actions", 0, "method"), "e: 'method' is PUT; give POST, GET."),
        (
            ("events", 0, "above"),
            "'above' of 'e' can't be \"2\" and was left out; give a whole number from 0 to 100000.",
        ),
        (("events", 0, "wen"), "'wen' of 'e' is not known and was left out; did you mean 'when'?"),
        (("events", 0, "clases"), "'clases' of 'e' is not known and was left out; did you mean 'classes'?"),
        (("events", 1, "zone"), "'f' was left out: its zone 'Gate' was left out."),
        (("events", 1, "when"), "'f' was left out: its 'when' is \"enter\"; did you mean 'enters'?"),
        (
            ("events", 1, "actions", 0, "do"),
            "an action of 'f' was left out: its 'do' is \"mqqt\"; did you mean 'mqtt'?",
        ),
        (("events", 1, "actions", 1, "do"), no_kind.format("missing")),
        (("events", 1, "actions", 2, "do"), no_kind.format("missing")),
        (("events", 1, "actions", 3, "do"), no_kind.format("7")),
        (("events", 1, "actions", 4, "do"), no_kind.format('"?"')),
    ]


def test_what_has_no_effect_on_an_event_is_told() -> None:
    event = {"name": "e", "zone": "Z", "when": "enters", "seconds": 5, "above": 2, "direction": "forward"}
    told: list[str] = []
    (found,) = take_zones({"zones": [GOOD], "events": [event]}, told.append).events
    assert found == EventSpec("e", "Z", "enters")
    assert told == [
        "'direction' of 'e' is for 'crosses' only and was left out.",
        "'seconds' of 'e' is for 'stays' only and was left out.",
        "'above' of 'e' is for 'above' only and was left out.",
    ]
    line = {"name": "L", "kind": "line", "points": [[0, 0], [1, 0]]}
    crossing = {"name": "e", "zone": "L", "when": "stays"}
    told.clear()
    assert not take_zones({"zones": [line], "events": [crossing]}, told.append).events
    assert told == ["'e' was left out: its 'when' is \"stays\", and 'L' is a line; give crosses."]


def test_a_text_in_place_of_a_list_of_classes_is_told_with_what_to_write() -> None:
    event = {"name": "e", "zone": "Z", "when": "enters", "classes": "person"}
    told: list[str] = []
    take_zones({"zones": [GOOD], "events": [event]}, told.append)
    assert told == [
        "'classes' of 'e' can't be \"person\" and was left out; give a list of names, such as [\"person\"]."
    ]


def test_names_are_made_different_and_numbers_are_bounded() -> None:
    found = take_zones(
        {"zones": [GOOD] * 100, "events": [{"name": "e", "zone": "Z", "when": "enters"}] * 5}, lambda _: None
    )
    assert len({zone.name for zone in found.zones}) == len(found.zones) == 64
    assert len(found.events) == 1


def test_corners_outside_the_picture_are_brought_into_it() -> None:
    said: list[tuple[KeyPath, str]] = []
    pixels = {"name": "P", "points": [[10, 20], [300, 20], [300, 200]]}
    (zone,) = read_zone_tables(
        {"zones": [{"name": "Z", "points": [[-5, 0], [7, 0], [1, 1]]}, pixels, GOOD]},
        lambda path, text: said.append((path, str(text))),
    ).zones[:1]
    assert zone.points == ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    assert [path for path, _ in said] == [
        ("zones", 0, "points"),
        ("zones", 1, "points"),
        ("zones", 2, "name"),
    ]
    assert said[0][1].startswith("a corner of 'Z' is outside the frame, whose coordinates are 0 to 1")
    assert said[1][1] == "'P' was left out: its points are outside the frame, whose coordinates are 0 to 1."


def test_each_fault_of_an_event_has_its_place() -> None:
    event = {
        "name": "e",
        "zone": "Z",
        "when": "enters",
        "seconds": "x",
        "actions": [{"do": "csv", "pathh": "x"}],
    }
    said: list[KeyPath] = []
    tables = {
        "zones": [GOOD],
        "events": [event, {**event, "zone": "Y"}, {**event, "seconds": 1, "actions": 3}],
    }
    read_zone_tables(tables, lambda path, text: said.append(path))
    assert said == [
        ("events", 0, "actions", 0, "pathh"),
        ("events", 0, "seconds"),
        ("events", 1, "zone"),
        ("events", 1, "actions", 0, "pathh"),
        ("events", 1, "seconds"),
        ("events", 2, "actions"),
        ("events", 2, "seconds"),
        ("events", 2, "name"),
    ]


def test_a_report_has_the_kind_of_an_action_and_nothing_that_it_says(tmp_path: Path) -> None:
    library, path = FilterLibrary(None), tmp_path / "a.toml"
    url = event_actions()["url"].checked({"address": "https://hooks.example/T0KEN?key=T0KEN"})
    events = (replace(EVENTS[0], actions=(ActionSpec("url", url), ActionSpec("mqtt", MQTT))),)
    save_preset(without_actions(Setup(scene=replace(SCENE, events=events))), library, path)
    text = path.read_text()
    assert "T0KEN" not in text and "broker" not in text
    assert 'do = "url"' in text and 'do = "mqtt"' in text


@pytest.mark.parametrize(
    "where", ["[scene]", "[[scene.zones]]\nname = 'A'\npoints = [[0, 0], [1, 0], [1, 1]]", ""]
)
def test_what_nobody_reads_is_counted_and_cut(tmp_path: Path, where: str) -> None:
    path = tmp_path / "p.toml"
    unknown = "".join(f"k{n} = 1\n" for n in range(20_000))
    path.write_text(f'lightloom = 1\n{where}\n"\\u001b[2J{"x" * 5000}" = 1\n{unknown}')
    warnings = load_preset(path, FilterLibrary(None)).warnings
    assert 2 < len(warnings) < 40
    assert all(len(text) < 400 and text.isprintable() for text in warnings)
    assert "other settings in it were left out" in warnings[-1]


@pytest.mark.parametrize("kind", ["line", "polygon"])
def test_what_is_too_small_to_be_seen_is_no_zone(kind: str) -> None:
    points = [[0, 0], [1e-320, 0], [0, 1e-320]][: 2 if kind == "line" else 3]
    told: list[str] = []
    found = take_zones({"zones": [{"name": "A", "kind": kind, "points": points}]}, told.append)
    assert found.zones == () and "left out" in told[0]


def test_a_class_that_no_file_can_hold_is_as_usual(tmp_path: Path) -> None:
    path = tmp_path / "z.json"
    path.write_text('{"zones": [{"name": "A", "points": [[0, 0], [1, 0], [1, 1]], "classes": ["\\ud800"]}]}')
    found, told = load_zones(path)
    assert found.zones[0].classes == () and "'classes' of 'A'" in told[0]
    save_preset(Setup(scene=SceneSpec(zones=found.zones)), FilterLibrary(None), tmp_path / "p.toml")


_YARD = '[[{0}zones]]\nname = "Yard"\npoints = [[0, 0], [1, 0], [1, 1]]\n'
_IN = '[[{0}]]\nname = "In"\nzone = "Yard"\nwhen = "enters"\n'


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        (
            _YARD.format("") + _IN.format("event"),
            ["'event' is not known and was left out; did you mean 'events'?"],
        ),
        (_YARD.format("") + "[camera]\nx = 1\n", ["'camera' is not known and was left out."]),
        (
            _IN.format("events") + "[scene]\n" + _YARD.format("scene."),
            ["'events' is outside 'scene' and was left out; move it into 'scene'."],
        ),
        (
            "[scene]\n" + _YARD.format("scene.") + _IN.format("scene.evnts"),
            ["'evnts' is not known and was left out; did you mean 'events'?"],
        ),
        ("lightloom = 2\n[scene.track]\nlost = 1.0\n" + _YARD.format("scene."), []),
    ],
)
def test_a_key_that_a_zone_file_does_not_have_is_named(tmp_path, text, warnings):
    """Events under a key of another name never act."""
    path = tmp_path / "gate.toml"
    path.write_text(text, encoding="utf-8")
    found, said = load_zones(path)
    assert [zone.name for zone in found.zones] == ["Yard"] and found.events == ()
    assert [str(each) for each in said] == [f"gate.toml: {warning}" for warning in warnings]


def test_unknown_keys_that_are_only_counted_are_compared_with_none(tmp_path, monkeypatch):
    """A megabyte holds 75,000 of them; to look for what each may mean took ten seconds."""
    compared = []
    alike = difflib.get_close_matches
    monkeypatch.setattr(
        difflib, "get_close_matches", lambda word, *rest: compared.append(word) or alike(word, *rest)
    )
    path = tmp_path / "keys.toml"
    path.write_text("".join(f"evnts{number} = 1\n" for number in range(200)))
    _, said = load_zones(path)
    assert len(said) == 25 and len(compared) == 24
    assert "'evnts23' is not known" in str(said[23]) and str(said[24]).startswith(
        "keys.toml: 177 other settings"
    )
