"""Settings of tracking in looks and on the command line; untrusted values are reported and left out."""

from __future__ import annotations

import argparse
import tomllib

import pytest

from desktop.base.errors import UsageError
from desktop.base.fields import Number
from desktop.cli._scene import add_scene_options, scene_spec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.track import TRACK_FIELDS, TrackSpec, with_track_value

FULL = TrackSpec(0.4, 0.25, 3, 5.0, False, 0.0)


@pytest.fixture(scope="module")
def library():
    return FilterLibrary(None)


@pytest.mark.parametrize("track", [None, TrackSpec(), FULL])
def test_a_preset_keeps_how_things_are_followed(library, tmp_path, track):
    setup = Setup(scene=SceneSpec(track=track))
    save_preset(setup, library, tmp_path / "p.toml")
    assert ("scene" in tomllib.loads((tmp_path / "p.toml").read_text())) == (track is not None)
    loaded = load_preset(tmp_path / "p.toml", library)
    assert loaded.setup == setup and not loaded.warnings


def test_a_preset_says_only_what_it_wants(library, tmp_path):
    (tmp_path / "p.toml").write_text("lightloom = 1\n[scene.track]\nremember = 5\n")
    loaded = load_preset(tmp_path / "p.toml", library)
    assert loaded.setup.scene.track == TrackSpec(remember=5.0) and not loaded.warnings


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("track = 3", "scene.track"),
        ("track = [1]", "scene.track"),
        ("track.score = 1.5", "'score'"),
        ("track.score = nan", "'score'"),
        ("track.score = true", "'score'"),
        ('track.score = "high"', "'score'"),
        ("track.overlap = 0.0", "'overlap'"),
        ("track.hits = 2.5", "'hits'"),
        ("track.hits = 0", "'hits'"),
        ("track.hits = 999999999999999999", "'hits'"),
        ("track.remember = inf", "'remember'"),
        ("track.remember = -1", "'remember'"),
        ("track.trail = 61", "'trail'"),
        ("track.by_class = 1", "'by_class'"),
        ("track.colour = 1", "'colour'"),
        ("track.score = { a = 1 }", "'score'"),
    ],
)
def test_what_does_not_fit_is_told_and_left_out(library, tmp_path, line, word):
    (tmp_path / "p.toml").write_text(f"lightloom = 1\n[scene]\n{line}\n")
    loaded = load_preset(tmp_path / "p.toml", library)
    [warning] = loaded.warnings
    assert word in warning and len(warning) < 200
    assert loaded.setup.scene.track == (None if "scene.track" in word else TrackSpec())


@pytest.mark.parametrize("name", [name for name, field in TRACK_FIELDS.items() if isinstance(field, Number)])
def test_both_ends_are_taken(name):
    for value in (TRACK_FIELDS[name].min, TRACK_FIELDS[name].max):
        assert getattr(with_track_value(TrackSpec(), name, value), name) == value
    assert getattr(TrackSpec(), name) == getattr(
        with_track_value(TrackSpec(), name, getattr(TrackSpec(), name)), name
    )


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("hits", "3", "'hits' of tracking is \"3\"; give it without quotation marks."),
        ("by_class", "false", "'by_class' of tracking is \"false\"; give it without quotation marks."),
        ("by_class", 1, "'by_class' of tracking is 1; give true or false."),
        ("hits", True, "'hits' of tracking is true; give 1 to "),
        ("score", "x", "'score' of tracking is x; give 0 to 1."),
    ],
)
def test_an_invalid_value_is_told_as_it_stands_in_a_file(name, value, told):
    with pytest.raises(UsageError) as refused:
        with_track_value(TrackSpec(), name, value)
    assert str(refused.value).startswith(told)


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_scene_options(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize(
    ("arguments", "track"),
    [
        ((), None),
        (("--track",), TrackSpec()),
        (("--track-settings", "remember=5, hits=3"), TrackSpec(remember=5.0, hits=3)),
        (("--track", "--track-settings", "by_class=false"), TrackSpec(by_class=False)),
    ],
)
def test_the_command_line_says_how(arguments, track):
    assert scene_spec(options(*arguments)) == SceneSpec(track=track)


@pytest.mark.parametrize(
    "text", ["hits=two", "hits=", "speed=1", "hits", "score=2", "by_class=1", "remember=nan"]
)
def test_the_command_line_refuses_what_does_not_fit(text):
    with pytest.raises((argparse.ArgumentError, UsageError), match="tracking"):
        options("--track-settings", text)
