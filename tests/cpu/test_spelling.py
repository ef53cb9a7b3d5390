"""One spelling: American, in code, texts and documents; what files of users hold stays."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
spelling = importlib.import_module("spelling")
sys.path.remove(str(ROOT / "packaging"))


def test_everything_is_spelt_as_in_america():
    places = [*(ROOT / name for name in spelling.FOLDERS), ROOT / "tasks.py", *ROOT.glob("*.md")]
    paths = list(spelling.files(places))
    assert len(paths) > 500
    found = [line for path in paths for line in spelling.british(path)]
    assert not found, "\n".join(["run: python packaging/spelling.py --write", *found])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Colours of COLOUR_ORDER", "Colors of COLOR_ORDER"),
        ("neighbour_at(greyValue, centred)", "neighbor_at(grayValue, centered)"),
        ("normalised, Quantisation, optimiser", "normalized, Quantization, optimizer"),
        ("optimist, realist, generalist", "optimist, realist, generalist"),
        ("noise, precise, otherwise, exercise, licence", "noise, precise, otherwise, exercise, licence"),
        ("Toggle fa&vourite", "Toggle fa&vorite"),
    ],
)
def test_words_and_parts_of_names(before, after):
    assert spelling.mended(Path("a.md"), before) == after
    assert spelling.mended(Path("a.md"), after) == after


def test_values_of_presets_stay():
    shader = 'help = "Grey colour."\nchoices = ["colour", "grey"]\ntags = ["grey"]\nlabel = "Colour"\n'
    assert spelling.mended(Path("a.wgsl"), shader) == (
        'help = "Gray color."\nchoices = ["colour", "grey"]\ntags = ["grey"]\nlabel = "Color"\n'
    )
    python = """mode = "colour"  # a colour\nfuture.cancelled()"""
    assert spelling.mended(Path("a.py"), python) == """mode = "colour"  # a color\nfuture.cancelled()"""


def test_the_tool_changes_files_and_lists_lines(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(spelling, "ROOT", tmp_path)
    monkeypatch.setattr(spelling, "follow_texts", lambda: 0)
    path = tmp_path / "a.md"
    path.write_text("one\nthe colour\n")
    assert spelling.main([str(path)]) == 1
    assert capsys.readouterr().out == "a.md:2: the colour\n"
    assert spelling.main([str(tmp_path), "--write"]) == 0
    assert path.read_text() == "one\nthe color\n"
    assert spelling.main([str(path)]) == 0
