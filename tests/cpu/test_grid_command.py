"""`lightloom --grid`: how many sources it takes is said before anything is opened."""

from __future__ import annotations

import pytest

from desktop import __main__ as program
from desktop.media.sources.file_kinds import is_source


@pytest.fixture
def opened(monkeypatch):
    """What the window would have been opened with."""
    asked = []
    monkeypatch.setattr("desktop.app.run_app", lambda paths, **options: asked.append((paths, options)) or 0)
    return asked


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "name one to four"),
        (["a.mp4", "b.mp4", "c.png", "rtsp://host/d.toml", "sample"], "4 sources at most, and 5 are named"),
    ],
)
def test_none_and_five_are_refused_in_a_sentence(names, said, opened, capsys):
    assert program.main([*names, "--grid"]) == 2
    assert said in capsys.readouterr().err and not opened


@pytest.mark.parametrize(
    "names",
    [
        ["a.mp4"],
        ["a.mp4", "b.mp4", "c.mp4", "d.mp4"],
        ["a.mp4", "b.mp4", "c.mp4", "d.mp4", "look.toml", "n.onnx"],
    ],
)
def test_up_to_four_with_what_goes_to_their_chain_are_taken(names, opened):
    assert program.main([*names, "--grid"]) == 0
    assert opened[0][0] == names and opened[0][1]["grid"]


def test_without_it_there_is_no_grid(opened):
    assert program.main(["a.mp4", "b.mp4"]) == 0
    assert not opened[0][1]["grid"]


def test_a_source_is_told_by_its_name():
    assert all(map(is_source, ("a.mp4", "camera:front", "https://host/x.onnx", "folder", "Film.MOV")))
    assert not any(map(is_source, ("a.onnx", "b.TFLITE", "c.wgsl", "d.cube", "e.toml", "f.lightloom")))
