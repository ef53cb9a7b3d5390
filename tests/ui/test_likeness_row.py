"""The row of pictures to compare with: added, taken away, undone; what it says on the picture; a picture that
cannot be read.
"""

from __future__ import annotations

from material import image
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from tiny_models import color_vector_model
from window_panels import chain_of

from desktop.ui.features.opening.references import references_for
from desktop.ui.forms.editors.files import FilesEditor
from desktop.ui.kit.widgets import ElidedLabel, IconButton, WheelGuard
from desktop.vision.tasks import task_named
from desktop.vision.tasks.task import Files


def names(editor):
    return [label.text() for label in editor.findChildren(ElidedLabel) if label.isVisibleTo(editor)]


def test_pictures_are_added_compared_and_taken_away(ui, tmp_path):
    seen = image(tmp_path / "seen.png", (200, 40, 40))
    same, other = image(tmp_path / "same.png", (200, 40, 40)), image(tmp_path / "other.png", (0, 60, 255))
    ui.play(str(seen))
    ui.drop(color_vector_model(tmp_path / "colors.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    card = chain_of(ui.window).network
    card.set_expanded(True)
    ui.wait(lambda: "Choose images" in card.note.text())
    editor = card.settings["likeness"]
    assert editor.isVisibleTo(card) and names(editor) == []
    editor.take([str(other)])
    ui.wait(lambda: [bar.label for bar in ui.window.overlay.state().bars] == ["other"])
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(same))])
    drop = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    editor.dropEvent(drop)
    ui.wait(lambda: [bar.label for bar in ui.window.overlay.state().bars] == ["same", "other"])
    assert names(editor) == ["other.png", "same.png"]
    assert ui.window.overlay.state().bars[0].value == 1.0
    assert ui.workspace.edits.setup.network.settings == {"likeness": (str(other), str(same))}

    remove = editor.findChildren(IconButton)[0]
    assert remove.accessibleName() == "Take other.png away"
    remove.click()
    ui.wait(lambda: [bar.label for bar in ui.window.overlay.state().bars] == ["same"])
    ui.workspace.edits.undo()
    ui.wait(lambda: [bar.label for bar in ui.window.overlay.state().bars] == ["same", "other"])

    # One that is no picture is named, and the row stays, so that it can be taken away.
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    editor.take([str(broken)])
    ui.wait(lambda: any("broken.png is not an image" in text for text in ui.notices))
    ui.wait(lambda: "broken.png" in card.text.text())
    assert editor.isVisibleTo(card) and names(editor) == ["other.png", "same.png", "broken.png"]
    editor.findChildren(IconButton)[2].click()
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.wait(lambda: [bar.label for bar in ui.window.overlay.state().bars] == ["same", "other"])


def test_pictures_beyond_as_many_as_there_can_be_are_named(ui, tmp_path, qtbot):
    setting = Files(name="likeness", default=(), label="Images", kind="image", most=2)
    editor = FilesEditor(setting, ui.window.themed, WheelGuard(ui.window))
    qtbot.addWidget(editor)
    editor.edited.connect(editor.set_value)
    editor.take([str(tmp_path / f"{n}.png") for n in range(4)])
    assert names(editor) == ["0.png", "1.png"] and editor.left_out.isVisibleTo(editor)
    assert editor.left_out.text() == "There can be 2 images at most; left out: 2.png, 3.png"
    editor.take([str(tmp_path / f"{n}.png") for n in range(500)])  # a whole folder
    assert editor.left_out.text().endswith("left out: 2.png, 3.png, 4.png, 5.png, 6.png and 493 more")
    editor.findChildren(IconButton)[0].click()
    assert names(editor) == ["1.png"] and not editor.left_out.isVisibleTo(editor)


def test_dropped_pictures_beyond_as_many_as_there_can_be_are_named(ui, tmp_path):
    ui.play(str(image(tmp_path / "seen.png", (200, 40, 40))))
    ui.drop(color_vector_model(tmp_path / "colors.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    task = task_named(ui.workspace.engine.current.network_status.features.task)
    most = next(setting.most for setting in task.settings if isinstance(setting, Files))
    files = [str(image(tmp_path / f"{n}.png", (n, 40, 40))) for n in range(most + 1)]
    [reference] = references_for(files, ui.workspace)
    reference.use()
    assert len(ui.workspace.edits.setup.network.settings["likeness"]) == most
    text = f"The network compares with {most} images at most; left out: {most}.png"
    ui.wait(lambda: text in ui.notices)
