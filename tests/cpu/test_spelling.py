"""American spelling in code, texts and documents, except what users' files hold; and no more retired terms
than there are.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
spelling = importlib.import_module("spelling")
vocabulary = importlib.import_module("vocabulary")
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


def test_the_tool_changes_files_and_lists_lines(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text("one\nthe colour\n")
    assert spelling.main([str(path)], tmp_path) == 1
    assert capsys.readouterr().out == "a.md:2: the colour\n"
    assert spelling.main([str(tmp_path), "--write"], tmp_path) == 0
    assert path.read_text() == "one\nthe color\n"
    assert spelling.main([str(path)], tmp_path) == 0


def test_retired_terms_do_not_spread():
    limits = vocabulary.allowed()
    found = vocabulary.find()
    above = {key for key, count in vocabulary.counts(found).items() if count > limits.get(key, -1)}
    listed = [f"{place.where}: {place.line}" for place in found if place.key in above][:50]
    assert not above, "\n".join(["see docs/glossary.md and packaging/vocabulary.py", *sorted(above), *listed])


def test_the_glossary_lists_each_retired_term_once():
    terms = vocabulary.retired_terms((ROOT / vocabulary.GLOSSARY).read_text(encoding="utf-8"))
    forms = [form for term in terms for form in term.forms]
    assert len(terms) >= 40
    assert len(forms) == len(set(forms))
    assert set(vocabulary.allowed()) == {key for term in terms for key in term.counted_as()}


def test_terms_are_found_in_prose_and_in_names(tmp_path):
    terms = vocabulary.retired_terms(
        "| look at, looked at | inspect | text |\n| veil | mask | text, name |\n"
    )

    def occurrences(name, text):
        return sorted((each.key, each.where) for each in vocabulary.places(terms, tmp_path / name, text))

    assert occurrences("a.md", "The veils. `veil`\n[one](veil.md) look\nat\n") == [
        ("look at (text)", "a.md:2"),
        ("veil (text)", "a.md:1"),
    ]
    quoted = "*Veil the\nframe* hides it.\n**Veil** *veil* *A* veil\n"
    assert occurrences("b.md", quoted) == [("veil (text)", "b.md:3")] * 3
    module = 'class DarkVeil:\n    """Veil a frame."""\n\n\nveil = "veil"  # The veil.\nunveiled = "a veil"\n'
    assert occurrences("veil.py", module) == [
        ("veil (name)", "veil.py:1"),
        ("veil (name)", "veil.py:1"),
        ("veil (text)", "veil.py:2"),
        ("veil (text)", "veil.py:5"),
        ("veil (text)", "veil.py:6"),
    ]


def test_allowances_of_retired_terms_only_fall(tmp_path, capsys):
    for folder in ("docs", "packaging"):
        (tmp_path / folder).mkdir()
    (tmp_path / vocabulary.GLOSSARY).write_text("| veil | mask | text |\n")
    for name in ("README.md", "CONTRIBUTING.md"):
        (tmp_path / name).touch()
    page = tmp_path / "docs" / "a.md"
    page.write_text("veil, veil\n")
    assert vocabulary.main(["--write"], tmp_path) == 0
    assert vocabulary.allowed(tmp_path) == {"veil (text)": 2}
    assert vocabulary.main([], tmp_path) == 0
    page.write_text("veil, veil, veil\n")
    assert vocabulary.main([], tmp_path) == 1
    assert vocabulary.main(["--write"], tmp_path) == 0
    assert vocabulary.allowed(tmp_path) == {"veil (text)": 2}
    assert "3 of      2  veil (text)" in capsys.readouterr().out
    assert vocabulary.main(["Veil"], tmp_path) == 0
    assert capsys.readouterr().out == f"{page.name}:1: veil, veil, veil\n" * 3
