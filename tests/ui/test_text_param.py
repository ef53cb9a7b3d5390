"""Parameters that are text: what they take, on the command line, in presets, and in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton, QWidget
from window_panels import library_of

from desktop.base.errors import FilterError, UsageError
from desktop.pipeline.chain.spec import StageSpec, chain_of
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.params.text import LONGEST, TextParam
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.ui.forms.editors import make_editor
from desktop.ui.forms.stage_card import StageCard
from desktop.ui.kit.widgets import Themed, WheelGuard

FILTER = """/* lightloom
title = "Worded"
[[param]]
name = "words"
type = "text"
help = "What is to be seen."
[[param]]
name = "gain"
default = 0.5
*/
fn main(p: vec2i) -> vec4f { return vec4f(params.gain); }
"""


@pytest.fixture
def library(tmp_path: Path) -> FilterLibrary:
    folder = tmp_path / "filters"
    folder.mkdir()
    (folder / "worded.wgsl").write_text(FILTER, encoding="utf-8")
    return FilterLibrary(folder)


@pytest.mark.parametrize(
    "text", ["", "a cat, oil", 'Löwe 🦁\u200d, "gray"', "x" * LONGEST, "ein Haus\u2019s Dach"]
)
def test_a_text_is_taken_as_it_is(text: str) -> None:
    assert TextParam("words", "").check(text) == text


def test_lines_become_one() -> None:
    assert TextParam("words", "").check("a\nb\r\nc\td") == "a b c d"


@pytest.mark.parametrize(
    "text", ["x" * (LONGEST + 1), "a\0b", "\x1b[31m", "\ud800", 5, None, ("a",)], ids=repr
)
def test_what_is_no_text_is_one_sentence(text: object) -> None:
    with pytest.raises(FilterError, match="'words'; it takes a text of at most 1000 characters in one line"):
        TextParam("words", "").check(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("worded:words=a cat,gain=1", "a cat"),
        ('worded:words="a cat, oil",gain=1', "a cat, oil"),
        ('worded:gain=1,words= "a=b, ""c"""', 'a=b, "c"'),
        ('worded:words="",gain=1', ""),
        ('worded:words=6" tall,gain=1', '6" tall'),
        ("worded:words=,gain=1", ""),
    ],
)
def test_the_command_line(library: FilterLibrary, text: str, words: str) -> None:
    (stage,) = typed_chain(library, [parse_stage(text)]).stages
    assert stage.values == {"words": words, "gain": 1.0}


@pytest.mark.parametrize("text", ['worded:words="a cat, oil', 'worded:words="a" b,gain=1'])
def test_a_quotation_that_does_not_end_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"The quotation mark in .* is not closed"):
        parse_stage(text)


def test_presets(library: FilterLibrary, tmp_path: Path) -> None:
    setup = Setup(chain_of(library, [("worded", {"words": 'a "cat", \\ Öl'})]))
    save_preset(setup, library, tmp_path / "look.toml")
    loaded = load_preset(tmp_path / "look.toml", library)
    assert loaded.setup == setup and loaded.warnings == ()


def test_the_window_edits_it(library: FilterLibrary, the_window, qtbot) -> None:
    item = library.get("worded")
    host = QWidget()
    qtbot.addWidget(host)
    card = StageCard(StageSpec(1, "worded", item.check({"words": "a cat"})), item, Themed(), WheelGuard(host))
    qtbot.addWidget(card)
    card.set_expanded(True)
    card.show()
    editor = card.editors["words"]
    told: list[tuple[str, object]] = []
    card.edited.connect(lambda name, value: told.append((name, value)))
    assert editor.line.text() == "a cat" and editor.line.accessibleName() == "Words"
    assert editor.line.toolTip() == "a cat"
    editor.line.selectAll()
    qtbot.keyClicks(editor.line, "a dog, oil")
    assert told == []
    editor.set_value("a cat")  # another value of the card has changed meanwhile
    assert editor.line.text() == "a dog, oil"
    qtbot.keyClick(editor.line, Qt.Key.Key_Return)
    assert told == [("words", "a dog, oil")]
    qtbot.keyClick(editor.line, Qt.Key.Key_Return)
    assert len(told) == 1
    editor.set_value("a cat")  # an undo
    assert editor.line.text() == "a cat"
    editor.line.setText("x" * (LONGEST + 5))
    assert len(editor.line.text()) == LONGEST
    editor.reset()
    assert editor.line.text() == "" and told[-1] == ("words", "")


def _keeps(entry: QWidget, key: QKeySequence.StandardKey) -> bool:
    """Tell whether an entry wants a key for itself, as Qt asks before it looks for the window's shortcuts."""
    combination = QKeySequence.keyBindings(key)[0][0]
    asked = QKeyEvent(QEvent.Type.ShortcutOverride, combination.key(), combination.keyboardModifiers())
    asked.ignore()
    QApplication.sendEvent(entry, asked)
    return asked.isAccepted()


@pytest.mark.parametrize(
    ("name", "text", "value"), [("prompt", "a cat", "a cat"), ("strength", "0.25", 0.25)]
)
def test_what_was_taken_with_enter_is_undone_from_its_entry(ui, name, text, value):
    ui.play()
    ui.workspace.edits.add_filter("diffusion")
    ui.settle()
    undo, redo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo

    def shown() -> object:
        return ui.workspace.edits.chain.stages[-1].values[name]

    before = shown()
    card = ui.window.findChildren(StageCard)[-1]
    card.set_expanded(True)
    (line, *_) = card.editors[name].findChildren(QLineEdit)
    entry = line.focusProxy() or line
    ui.activate()
    entry.setFocus()
    ui.wait(entry.hasFocus)
    line.selectAll()
    QTest.keyClicks(entry, text)
    assert _keeps(entry, undo) and shown() == before  # what is being typed is the entry's own
    QTest.keyClick(entry, Qt.Key.Key_Return)
    ui.wait(lambda: shown() == value)
    assert not _keeps(entry, undo) and not _keeps(entry, redo)
    assert name != "prompt" or line.cursorPosition() == len(text)
    ui.workspace.edits.undo()
    ui.wait(lambda: text not in line.text())
    assert shown() == before and not _keeps(entry, redo)
    # Elsewhere a line's undo stays its own.
    assert _keeps(library_of(ui.window).search, undo)


def test_only_a_text_that_is_there_can_be_cleared(qtbot):
    editor = make_editor(TextParam("words", ""), Themed(), WheelGuard())
    qtbot.addWidget(editor)
    editor.show()
    (clear,) = editor.line.findChildren(QToolButton)
    for text, opacity in (("a cat", 1.0), ("", 0.0)):
        editor.set_value(text)  # by an undo, or a preset
        qtbot.waitUntil(lambda opacity=opacity: clear.property("opacity") == opacity)
