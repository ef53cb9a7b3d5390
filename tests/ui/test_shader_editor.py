"""The editor of shaders, by keys: errors in place, the result in the view, saving, copies, drafts, other programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_panels import chain_of, choose_in_menu

from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.shader_editor.drafts import Drafts
from desktop.ui.features.shader_editor.panel import ShaderEditorPanel
from desktop.ui.features.shader_editor.publish_dialog import PublishDialog
from desktop.ui.features.shader_editor.shader_edits import ShaderEdits

RED = '/* lightloom\ntitle = "Paint"\n*/\n\nfn main(p: vec2i) -> vec4f {\n    return vec4f(1.0, 0.0, 0.0, 1.0);\n}\n'
CTRL = Qt.KeyboardModifier.ControlModifier


class Rig:
    """A window with the editor and a filter 'paint' of the user's in the chain, which paints red."""

    def __init__(self, ui, folder: Path) -> None:
        self.ui, self.path = ui, folder / "paint.wgsl"
        folder.mkdir(parents=True, exist_ok=True)
        self.path.write_text(RED, "utf-8")
        ui.play()
        ui.pause()
        ui.workspace.get(OwnShaders).poll()
        self.shaders = ui.workspace.get(ShaderEdits)
        self.stage = ui.workspace.edits.add_filter("paint")
        assert self.shaders.open_stage(self.stage)
        self.panel = ui.window.dock_area.panel("shader_editor", ShaderEditorPanel)
        self.editor = self.panel.editor
        ui.activate()
        ui.wait(self.editor.isVisible)
        self.editor.setFocus()
        self.wait("works")

    def wait(self, state: str) -> None:
        self.ui.wait(lambda: self.shaders.state == state)

    def color(self) -> tuple[int, ...]:
        self.ui.settle()
        return tuple(int(value) for value in self.ui.picture()[5, 5, :3])

    def replace(self, old: str, new: str) -> None:
        """Search a text by Ctrl+F, and type another one."""
        QTest.keyClick(self.editor, Qt.Key.Key_F, CTRL)
        field = self.panel.find_bar.field
        field.clear()
        QTest.keyClicks(field, old)
        QTest.keyClick(field, Qt.Key.Key_Escape)
        assert self.editor.textCursor().selectedText() == old
        if new:
            QTest.keyClicks(self.editor, new)
        else:
            QTest.keyClick(self.editor, Qt.Key.Key_Delete)

    @property
    def problems(self) -> list[str]:
        return [self.panel.list.item(row).text() for row in range(self.panel.list.count())]


@pytest.fixture
def rig(ui, the_window):
    folder = ui.workspace.library.user_folder
    made = Rig(ui, folder)
    yield made
    made.shaders.revert()
    for path in (*folder.glob("*.wgsl"), *(folder / "drafts").glob("*")):
        path.unlink()
    ui.workspace.edits.clear_chain()
    ui.workspace.get(OwnShaders).poll()
    if ui.window.dock_area.is_shown("shader_editor"):
        ui.window.actions_by_name["shader_editor"].trigger()


def test_what_is_typed_is_seen_and_what_is_wrong_is_marked(rig):
    assert rig.color() == (255, 0, 0)
    assert not rig.panel.list.isVisible() and not rig.panel.save.isEnabled()
    # A mistake: the last good version runs on.
    rig.replace("vec4f(1.0", "vec4x(1.0")
    rig.wait("problems")
    (text,) = rig.problems
    assert text.startswith("Line 6: ") and "vec4x" in text and rig.panel.list.isVisible()
    assert rig.color() == (255, 0, 0) and rig.path.read_text("utf-8") == RED, "not before it is saved"
    rig.editor.moveCursor(rig.editor.textCursor().MoveOperation.Start)
    QTest.keyClick(rig.editor, Qt.Key.Key_F8)
    assert rig.editor.textCursor().blockNumber() == 5
    (wave,) = [each for each in rig.editor.extraSelections() if each.format.underlineColor().isValid()]
    assert wave.cursor.selectedText() == "vec4x"
    rig.replace("vec4x(1.0, 0.0", "vec4f(0.0, 1.0")
    rig.wait("works")
    assert rig.color() == (0, 255, 0) and not rig.problems and not rig.ui.notices
    QTest.keySequence(rig.editor, QKeySequence(QKeySequence.StandardKey.Save))
    assert "vec4f(0.0, 1.0, 0.0, 1.0)" in rig.path.read_text("utf-8")
    assert not rig.shaders.is_modified and not rig.panel.save.isEnabled()


def test_the_card_follows_the_description(rig):
    chain_of(rig.ui.window).cards[rig.stage].set_expanded(True)
    head = "*/\n\nfn main"
    text = rig.editor.toPlainText().replace(head, '[[param]]\nname = "red"\ndefault = 0.25\n*/\n\nfn main', 1)
    rig.editor.setPlainText(text.replace("vec4f(1.0,", "vec4f(params.red,"))
    rig.ui.wait(lambda: "red" in chain_of(rig.ui.window).cards[rig.stage].editors)
    rig.ui.wait(lambda: rig.color() == (64, 0, 0))
    # A wrong description is marked at the line of its table.
    rig.editor.setPlainText(rig.editor.toPlainText().replace("default = 0.25", "defualt = 0.25"))
    rig.wait("problems")
    assert rig.problems == ["Line 3: param 'red': 'default' is missing."]
    assert rig.color() == (64, 0, 0)


def test_keys_of_the_text(rig):
    editor = rig.editor
    editor.setPlainText("fn a() {")
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "if (x) {}")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "fn a() {\n    if (x) {}   "
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "    fn a() {\n        if (x) {}   "
    QTest.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert editor.toPlainText() == "fn a() {\nif (x) {}   "
    editor.undo()
    assert editor.toPlainText() == "fn a() {\n    if (x) {}   "
    # Both brackets of a pair are marked; letters do not reach the player's shortcuts.
    editor.go_to(2, 8)
    marked = {each.cursor.position() - 1 for each in editor.extraSelections()[1:]}
    assert marked == {editor.toPlainText().rindex("("), editor.toPlainText().rindex(")")}
    is_playing = rig.ui.workspace.playback.is_playing
    QTest.keyClicks(editor, " hg")
    assert rig.ui.workspace.playback.is_playing == is_playing and not rig.ui.window.dock_area.is_shown(
        "scopes"
    )
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert rig.panel.save.hasFocus()


def test_a_bundled_filter_is_edited_as_a_copy(rig):
    edits = rig.ui.workspace.edits
    stage = edits.add_filter("vignette", {"amount": 3.0})
    card = chain_of(rig.ui.window).cards[stage]
    choose_in_menu(card, "Edit a copy of the shader")
    assert edits.chain.find(stage).filter == "my_vignette" and edits.chain.find(stage).values["amount"] == 3.0
    assert 'title = "Vignette (copy)"' in rig.editor.toPlainText() and rig.shaders.document.path.exists()
    rig.wait("works")
    choose_in_menu(chain_of(rig.ui.window).cards[stage], "Edit the shader")
    assert rig.shaders.document.path.name == "my_vignette.wgsl"
    edits.undo()
    assert edits.chain.find(stage).filter == "vignette"
    rig.wait("unused")
    (add,) = (
        b for b in rig.panel.findChildren(QPushButton) if b.isVisible() and b.text() == "Add to the chain"
    )
    add.click()
    rig.wait("works")


def test_a_new_effect_works_at_once(rig):
    rig.ui.window.actions_by_name["new_effect"].trigger()
    rig.wait("works")
    assert rig.ui.stages[-1] == "my_effect" and "// Called for each pixel" in rig.editor.toPlainText()
    rig.ui.window.actions_by_name["new_effect"].trigger()
    rig.wait("works")
    assert rig.ui.stages[-1] == "my_effect_2"


def edits_of(rig: Rig) -> ShaderEdits:
    """Return another object that reads the same folder, as after the next start."""
    workspace = rig.ui.workspace
    return ShaderEdits(
        workspace.engine,
        workspace.messages,
        workspace.playback,
        workspace.edits,
        workspace.get(OwnShaders),
        rig.ui.window,
    )


def test_unsaved_changes_are_kept_and_offered(rig):
    rig.replace("1.0, 0.0, 0.0", "0.0, 0.0, 1.0")
    rig.shaders.leave()
    again = edits_of(rig)
    assert again.open(rig.path) and again.is_restored and "vec4f(0.0, 0.0, 1.0" in again.text
    again.revert()
    assert again.text == RED and not again.is_modified
    again.deleteLater()


def test_a_file_that_another_program_changes(rig):
    green = RED.replace("1.0, 0.0, 0.0", "0.0, 1.0, 0.0")
    rig.path.write_text(green, "utf-8")
    rig.ui.wait(lambda: rig.editor.toPlainText() == green)  # nothing was typed: it is taken
    rig.replace("0.0, 1.0, 0.0", "0.0, 0.0, 1.0")
    own = rig.editor.toPlainText()
    rig.ui.wait(lambda: rig.color() == (0, 0, 255))
    rig.path.write_text(RED, "utf-8")
    rig.ui.wait(lambda: rig.panel.keep.isVisible())
    assert rig.panel.notice_text.plain == "Another program has changed the file."
    rig.panel.keep.click()
    assert rig.editor.toPlainText() == own and not rig.panel.notice.isVisible()
    rig.ui.wait(lambda: rig.color() == (0, 0, 255))
    rig.path.write_text(green, "utf-8")
    rig.ui.wait(lambda: rig.panel.load.isVisible())
    rig.panel.load.click()
    assert rig.editor.toPlainText() == green
    rig.editor.undo()
    assert rig.editor.toPlainText() == own, "nothing is lost"


def test_a_file_that_cannot_be_read_is_opened_and_undo_stays_with_its_file(rig):
    rig.editor.moveCursor(rig.editor.textCursor().MoveOperation.Start)
    QTest.keyClicks(rig.editor, "x")
    folder, edits = rig.path.parent, rig.ui.workspace.edits
    (folder / "broken.wgsl").write_text("/* lightloom\ntitel = 1\n*/\n", "utf-8")
    rig.ui.workspace.get(OwnShaders).poll()
    edits.edit_chain(ChainSpec((*edits.chain.stages, StageSpec(77, "broken"))), "")
    assert rig.shaders.open_stage(77)
    assert rig.problems == ["Line 1: 'title' is missing."] and "titel" in rig.editor.toPlainText()
    rig.editor.undo()
    assert "titel" in rig.editor.toPlainText()
    assert rig.shaders.open(rig.path) and rig.editor.toPlainText().startswith("x/* lightloom")


def test_a_translated_filter_is_edited_as_a_copy_in_wgsl(rig):
    path = rig.path.with_name("toy.fs")
    path.write_text(
        '/*{"ISFVSN": "2"}*/\nvoid main() { gl_FragColor = vec4(0.0, 0.0, 1.0, 1.0); }\n', "utf-8"
    )
    rig.ui.workspace.get(OwnShaders).poll()
    stage = rig.ui.workspace.edits.add_filter("toy")
    assert stage is not None and rig.shaders.open_stage(stage)
    assert rig.shaders.document.path.name == "my_toy.wgsl" and "fn main(" in rig.editor.toPlainText()
    path.unlink()


def test_an_effect_is_published(rig, tmp_path):
    (tmp_path / "lightloom-paint").mkdir()
    rig.panel.publish.click()
    (dialog,) = rig.panel.window().findChildren(PublishDialog)
    assert not dialog.ok.isEnabled() and "README" in dialog.note.plain
    QTest.keyClicks(dialog.author, "Ada")
    dialog.folder.setText(str(tmp_path))
    assert not dialog.ok.isEnabled() and "exists already" in dialog.note.plain
    dialog.name.setText("paint")
    dialog.license.setCurrentIndex(1)
    QTest.keyClick(dialog.author, Qt.Key.Key_Return)
    assert (tmp_path / "paint" / "paint" / "paint.wgsl").read_text("utf-8") == RED
    assert any("pip install" in text for text in rig.ui.notices)
    # What is not saved is not published.
    QTest.keyClicks(rig.editor, " ")
    assert not rig.panel.publish.isEnabled()


def test_what_cannot_be_written_is_said(rig, tmp_path):
    rig.replace("1.0, 0.0, 0.0", "0.0, 0.0, 1.0")
    rig.path.unlink()
    rig.path.mkdir()
    QTest.keySequence(rig.editor, QKeySequence(QKeySequence.StandardKey.Save))
    rig.ui.wait(lambda: any("paint.wgsl cannot be written" in text for text in rig.ui.notices))
    assert rig.shaders.is_modified
    rig.path.rmdir()
    assert rig.shaders.save()


def test_drafts_that_cannot_be_read_are_put_aside_and_said(rig, tmp_path):
    folder = rig.path.parent / "drafts"
    rig.replace("1.0, 0.0, 0.0", "0.0, 0.0, 1.0")
    rig.shaders.leave()
    (draft,) = folder.iterdir()
    draft.write_bytes(b"typed \xff")
    again = edits_of(rig)
    assert again.open(rig.path) and again.text == RED and not again.is_restored
    assert any("paint.wgsl cannot be read: it is not text in UTF-8" in text for text in rig.ui.notices)
    (aside,) = folder.iterdir()
    assert aside.read_bytes() == b"typed \xff" and aside.name in " ".join(rig.ui.notices)
    again.deleteLater()


def test_a_draft_is_stored_or_raises(tmp_path):
    drafts, file = Drafts(tmp_path), tmp_path / "paint.wgsl"
    drafts.put(file, "x" * (1 << 21) + "\ud800")
    assert drafts.get(file) == "x" * (1 << 21) + "?"
    with pytest.raises(OSError, match="larger than 16 MiB"):
        drafts.put(file, "x" * (1 << 25))
    with pytest.raises(ValueError, match="null"):
        Drafts(tmp_path / "no" / "\0").put(file, "x")
    drafts.remove(file)
    assert drafts.get(file) is None
