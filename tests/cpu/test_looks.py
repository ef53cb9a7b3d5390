"""Looks: titles and purposes in presets, the list of them, and the options that take one."""

from __future__ import annotations

import json
import os
import re

import pytest

from desktop.__main__ import main, window_parser
from desktop.cli import command_parsers
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.bundle import open_preset, save_bundle
from desktop.pipeline.setup.description import MAX_PURPOSE, MAX_TITLE, Description
from desktop.pipeline.setup.known import bundled_presets, looks
from desktop.pipeline.setup.preset import load_preset

TAGGED = "<img src='/dev/zero'><h1>Look</h1>"


@pytest.fixture(scope="module")
def library():
    return FilterLibrary(None)


@pytest.fixture
def own(tmp_path, monkeypatch):
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(folder))
    return folder


def written(path, *lines):
    path.write_text(
        "\n".join(("lightloom = 1", *lines, "[[filter]]", 'name = "invert"', "")), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    ("lines", "description"),
    [
        ((), Description()),
        (('title = "Neon night"', 'purpose = "Glows."'), Description("Neon night", "Glows.")),
        (('title = "  Neon night\t"',), Description("Neon night")),
        (
            (f'title = "{"t" * MAX_TITLE}"', f'purpose = "{"p" * MAX_PURPOSE}"'),
            Description("t" * MAX_TITLE, "p" * MAX_PURPOSE),
        ),
        # Plain text, which nothing that shows it takes for markup.
        ((f'title = "{TAGGED}"',), Description(TAGGED)),
    ],
)
def test_a_preset_has_a_title_and_a_purpose(library, tmp_path, lines, description):
    loaded = load_preset(written(tmp_path / "p.toml", *lines), library)
    assert loaded.warnings == () and loaded.description == description
    assert [stage.filter for stage in loaded.setup.chain.stages] == ["invert"]


@pytest.mark.parametrize("key", ["title", "purpose"])
@pytest.mark.parametrize(
    "value",
    [
        f'"{"x" * 201}"',
        f'"{"x" * 1_000_000}"',
        "7",
        "true",
        '["a", "b"]',
        "{ a = 1 }",
        r'"two\nlines"',
        r'"\u001b[31mred\u001b[0m"',
        r'"\u202ereversed"',
        r'"nul\u0000"',
    ],
)
def test_a_hostile_title_is_left_out_with_a_sentence(library, tmp_path, own, key, value):
    path = written(own / "mine.toml", f"{key} = {value}")
    loaded = load_preset(path, library)
    assert loaded.description == Description()
    (warning,) = loaded.warnings
    assert f"'{key}' is not one line" in warning and len(warning) < 200
    assert [stage.filter for stage in loaded.setup.chain.stages] == ["invert"]
    (look,) = (each for each in looks() if not each.is_bundled)
    assert (look.title, look.purpose) == ("mine", "")


def test_every_bundled_look_has_a_purpose_of_its_own(library):
    found = [look for look in looks() if look.is_bundled]
    assert len(found) >= 16 and [look.path for look in found] == bundled_presets()
    assert len({look.purpose for look in found}) == len({look.title for look in found}) == len(found)
    for look in found:
        loaded = load_preset(look.path, library)
        assert loaded.warnings == () and loaded.setup.chain.stages, look.name
        assert loaded.description.purpose == look.purpose, look.name
        assert look.purpose.endswith(".") and len(look.purpose) <= 90, look.name
        assert look.title == look.name.replace("_", " ").capitalize()


def test_own_looks_follow_the_bundled_ones_by_title(library, own):
    written(own / "b.toml", 'title = "Aurora"', 'purpose = "Green waves."')
    written(own / "a.toml")
    written(own / "C & D.toml", 'title = "Zebra"')
    (own / "broken.toml").write_text("lightloom = [", encoding="utf-8")
    (own / "folder.toml").mkdir()
    given = own.parent / "given.lightloom"
    save_bundle(load_preset(own / "a.toml", library).setup, library, given)
    open_preset(given, library)
    found = [look for look in looks() if not look.is_bundled]
    assert [(look.name, look.title, look.purpose) for look in found] == [
        ("a", "a", ""),
        ("b", "Aurora", "Green waves."),
        ("broken", "broken", ""),
        ("folder", "folder", ""),
        ("given", "given", ""),
        ("C & D", "Zebra", ""),
    ]
    assert looks()[: -len(found)] == tuple(look for look in looks() if look.is_bundled)


def test_a_changed_look_is_read_again(own):
    path = written(own / "mine.toml", 'title = "First"')
    assert looks()[-1].title == "First"
    written(path, 'title = "Third"')
    os.utime(path, ns=(1, 1))
    assert looks()[-1].title == "Third"
    path.unlink()
    assert all(look.is_bundled for look in looks())


def test_the_command_lists_titles_and_purposes(own, capsys):
    written(own / "mine.toml", 'title = "Mine"', r'purpose = "It says \"so\"."')
    assert main(["looks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(looks())
    assert lines[-1].split(maxsplit=2) == ["mine", "Mine", 'It says "so".']
    assert any(line.startswith("night_city ") and "Night city" in line for line in lines)
    assert main(["looks", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["looks"]
    assert [each["name"] for each in table] == [look.name for look in looks()]
    assert table[-1] == {
        "name": "mine",
        "title": "Mine",
        "purpose": 'It says "so".',
        "path": str(own / "mine.toml"),
        "bundled": False,
    }


@pytest.mark.parametrize("option", ["--look", "--preset"])
def test_look_and_preset_are_the_same_option(option):
    options = command_parsers()["process"].parse_args(["in.png", "-o", "out.png", option, "comic"])
    assert options.preset == "comic"
    assert window_parser(()).parse_args([option, "comic"]).preset == "comic"


def test_help_names_the_option_look_first():
    for parser in (command_parsers()["process"], window_parser(())):
        # Python 3.13 writes the value once.
        assert re.search(r"--look(?: NAME\|FILE)?, --preset NAME\|FILE", parser.format_help())
