"""The labeling window: keys and mouse do what the menus say, a crash loses nothing, only what is seen is
decoded.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from material import video
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from test_accessible import nameless
from tiny_models import square_detector, squares
from waiting import LIMIT_S

from desktop.base.journal import JournalFile
from desktop.outputs.journal import SavedMask
from desktop.outputs.results import result_formats
from desktop.outputs.run_lengths import run_lengths, tight
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.plugins.labeling.data.labels import Item, Picture, proposed
from desktop.plugins.labeling.data.pictures import FolderPictures
from desktop.plugins.labeling.data.project import FILE_NAME, Project
from desktop.plugins.labeling.window import dialogs
from desktop.plugins.labeling.window.dialogs import ExportLabelsDialog
from desktop.plugins.labeling.window.window import LabelWindow, open_labels
from desktop.ui.features.networks.networks import Networks
from desktop.ui.workspace.outputs import Outputs

LEFT = Qt.MouseButton.LeftButton
NONE, SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
SIZE = (160, 120)


class Labels:
    """A labeling window, with what tests do to it."""

    def __init__(self, ui, folder: Path) -> None:
        self.ui = ui
        open_labels(ui.window, folder)
        ui.wait(lambda: self._windows(folder))
        [self.window] = self._windows(folder)
        self.labeling, self.canvas = self.window.labeling, self.window.canvas
        ui.wait(lambda: self.labeling.image is not None or self.labeling.problem)
        self.told: list[tuple[str, str]] = []
        self.labeling.told.connect(lambda level, text: self.told.append((level, text)))

    def _windows(self, folder: Path) -> list[LabelWindow]:
        return [w for w in self.ui.window.findChildren(LabelWindow) if w.labeling.pictures.path == folder]

    def press(self, key, modifiers=NONE) -> None:
        self.ui.activate(self.window)
        self.canvas.setFocus()
        QTest.keyClick(self.canvas, key, modifiers)

    def at(self, x: float, y: float) -> QPoint:
        """Where a pixel of the picture lies on the canvas."""
        width, height = self.canvas.picture_size
        return self.canvas.point_of((x / width, y / height)).toPoint()

    def drag(self, start: tuple[float, float], end: tuple[float, float], button=LEFT, modifiers=NONE) -> None:
        """Drag from a pixel of the picture to another."""
        first, last = self.at(*start), self.at(*end)
        QTest.mousePress(self.canvas, button, modifiers, first)
        QTest.mouseMove(self.canvas, (first + last) / 2)
        QTest.mouseMove(self.canvas, last)
        QTest.mouseRelease(self.canvas, button, modifiers, last)

    def box(self, number: int = 0) -> np.ndarray:
        """An item's box in pixels."""
        box = np.array(self.labeling.picture.items[number].box)
        return box * (*self.canvas.picture_size, *self.canvas.picture_size)

    def kept(self) -> dict[str, Picture]:
        """What a program that is started now would find."""
        return dict(Project(self.labeling.pictures.path).label_set.pictures)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "photos"
    path.mkdir()
    for place in range(4):
        picture = np.full((SIZE[1], SIZE[0], 3), 50 * place, np.uint8)
        cv2.imwrite(str(path / f"p{place + 1}.png"), picture)
    return path


@pytest.fixture
def labels(ui, folder):
    found = Labels(ui, folder)
    found.labeling.add_class("cat")
    found.labeling.add_class("dog")
    yield found
    with contextlib.suppress(RuntimeError):  # the test has closed it
        found.window.close()


def test_a_box_is_drawn_moved_and_resized_with_the_mouse(labels):
    pixel = 1.0  # the canvas shows each pixel of the picture larger than one of its own
    labels.press(Qt.Key.Key_N)
    assert labels.labeling.drawing
    labels.drag((20, 30), (80, 90))
    assert not labels.labeling.drawing and labels.labeling.selected == 0
    np.testing.assert_allclose(labels.box(), (20, 30, 80, 90), atol=pixel)
    labels.drag((50, 60), (70, 50))
    np.testing.assert_allclose(labels.box(), (40, 20, 100, 80), atol=pixel)
    labels.drag((100, 80), (140, 110))
    np.testing.assert_allclose(labels.box(), (40, 20, 140, 110), atol=pixel)
    labels.drag((40, 65), (10, 5))
    np.testing.assert_allclose(labels.box(), (10, 20, 140, 110), atol=pixel)
    labels.drag((75, 65), (400, 65))
    np.testing.assert_allclose(labels.box()[[0, 2]], (30, 160), atol=pixel)
    for _ in range(4):
        labels.press(Qt.Key.Key_Z, CTRL)
    np.testing.assert_allclose(labels.box(), (20, 30, 80, 90), atol=pixel)
    labels.press(Qt.Key.Key_Z, CTRL)
    assert labels.labeling.picture.items == ()


def test_shift_draws_and_a_click_makes_no_box(labels):
    labels.drag((10, 10), (60, 60), modifiers=SHIFT)
    labels.drag((100, 100), (100.5, 100), modifiers=SHIFT)
    assert len(labels.labeling.picture.items) == 1
    QTest.mouseClick(labels.canvas, LEFT, NONE, labels.at(140, 100))
    assert labels.labeling.selected is None
    QTest.mouseClick(labels.canvas, LEFT, NONE, labels.at(30, 30))
    assert labels.labeling.selected == 0


def test_everything_about_boxes_goes_by_keys(labels):
    labels.press(Qt.Key.Key_B)
    start = labels.box()
    labels.press(Qt.Key.Key_Right)
    labels.press(Qt.Key.Key_Down, SHIFT)
    np.testing.assert_allclose(labels.box(), start + np.array((1, 10, 1, 10)), atol=1e-6)
    labels.press(Qt.Key.Key_Right, CTRL)
    labels.press(Qt.Key.Key_Up, CTRL | SHIFT)
    np.testing.assert_allclose(labels.box(), start + np.array((1, 10, 2, 0)), atol=1e-6)
    labels.press(Qt.Key.Key_2)
    assert labels.labeling.picture.items[0].label == "dog"
    labels.press(Qt.Key.Key_B)
    assert labels.labeling.picture.items[1].label == "dog", "the class that was used last"
    labels.press(Qt.Key.Key_J)
    assert labels.labeling.selected == 0
    labels.press(Qt.Key.Key_K)
    assert labels.labeling.selected == 1
    labels.press(Qt.Key.Key_Delete)
    assert [item.label for item in labels.labeling.picture.items] == ["dog"]
    labels.press(Qt.Key.Key_Escape)
    assert labels.labeling.selected is None
    labels.press(Qt.Key.Key_Z, CTRL)
    assert len(labels.labeling.picture.items) == 2
    labels.press(Qt.Key.Key_Z, CTRL | SHIFT)
    assert len(labels.labeling.picture.items) == 1


def test_nudges_are_one_step_and_arrows_stop_at_the_edge(labels):
    labels.press(Qt.Key.Key_B)
    start = labels.box()
    for _ in range(30):
        labels.press(Qt.Key.Key_Left, SHIFT)
    assert labels.box()[0] == 0
    labels.press(Qt.Key.Key_Z, CTRL)
    np.testing.assert_allclose(labels.box(), start)


def test_pictures_are_confirmed_classified_and_gone_through_by_keys(labels):
    labeling = labels.labeling
    labels.press(Qt.Key.Key_1, ALT)
    assert labeling.picture.word == "cat"
    labels.press(Qt.Key.Key_1, ALT)
    assert labeling.picture.word == ""
    labels.press(Qt.Key.Key_2, ALT)
    labels.press(Qt.Key.Key_Return)
    assert (labeling.name, labeling.labels["p1.png"]) == ("p2.png", Picture(word="dog", confirmed=True))
    assert labels.window.count.text().startswith("1 of 4 ")
    labels.press(Qt.Key.Key_PageDown)
    assert labeling.name == "p3.png"
    labels.press(Qt.Key.Key_Return)
    assert labeling.name == "p4.png"
    labels.press(Qt.Key.Key_U)
    assert labeling.name == "p2.png", "from the last one on to the first"
    labels.press(Qt.Key.Key_A)
    assert labeling.name == "p1.png"
    labels.press(Qt.Key.Key_Return, SHIFT)
    assert not labeling.picture.confirmed
    labels.press(Qt.Key.Key_D)
    labels.press(Qt.Key.Key_Z, CTRL)
    assert (labeling.name, labeling.picture.confirmed) == ("p1.png", True), "undo goes where it undoes"
    for _ in range(3):
        labels.press(Qt.Key.Key_Return)
    assert labels.told[-1] == ("info", "All images are confirmed.")


def test_a_single_proposal_is_confirmed_and_the_next_selected(labels):
    proposal = Picture((Item("cat", (0.1, 0.1, 0.3, 0.3), 0.8), Item("dog", (0.5, 0.5, 0.9, 0.9), 0.4)))
    labels.labeling.take_proposals({"p1.png": proposal}, replacing=False)
    names = [shape.label for shape in labels.canvas.state().found]
    scores = [shape.score for shape in labels.canvas.state().found]
    assert names == ["cat", "dog"] and scores == [0.8, 0.4]
    labels.press(Qt.Key.Key_J)
    labels.press(Qt.Key.Key_C)
    assert [item.confirmed for item in labels.labeling.picture.items] == [True, False]
    assert labels.labeling.selected == 1 and not labels.labeling.picture.confirmed
    assert [shape.score for shape in labels.canvas.state().found] == [None, 0.4]


def test_a_mask_is_shown_by_its_outline_which_goes_with_the_box(labels):
    inside = np.zeros((SIZE[1], SIZE[0]), bool)
    inside[30:60, 40:80] = True
    mask = SavedMask("cup", 0, *tight(inside), size=SIZE, counts=run_lengths(inside), score=0.5)
    labels.labeling.take_proposals({"p1.png": proposed((mask,))}, replacing=False)
    labels.press(Qt.Key.Key_J)
    labels.press(Qt.Key.Key_Right, SHIFT)
    box, outline = labels.canvas.state().found
    assert (box.label, outline.label) == ("cup", "")
    corners = {labels.at(x, y).toTuple() for x in (50, 90) for y in (30, 60)}
    ratio = labels.canvas.devicePixelRatioF()
    assert {(round(x / ratio), round(y / ratio)) for x, y in outline.points} == corners


def test_a_crash_loses_nothing(labels, folder, ui):
    labels.press(Qt.Key.Key_B)
    labels.press(Qt.Key.Key_Right)
    labels.press(Qt.Key.Key_2, ALT)
    assert labels.kept() == {"p1.png": labels.labeling.picture}
    labels.press(Qt.Key.Key_Return)
    before = labels.kept()
    # Killed in the middle of a line.
    with (folder / FILE_NAME).open("ab") as stream:
        stream.write(b'{"picture":"p2.p')
    labels.window.close()
    ui.wait(lambda: not ui.window.findChildren(LabelWindow))
    again = Labels(ui, folder)
    assert dict(again.labeling.labels) == before and again.labeling.classes == ("cat", "dog")
    assert again.labeling.name == "p2.png", "it goes on with the first picture that is not confirmed"
    again.window.close()


def test_zoom_and_pan_are_those_of_the_main_picture(labels):
    canvas = labels.canvas
    fit = canvas.zoom
    point = QPointF(labels.at(40, 30))
    under = canvas.share_at(point)
    wheel = QWheelEvent(
        point, canvas.mapToGlobal(point), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton, NONE,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, wheel)
    assert canvas.zoom == pytest.approx(fit * 1.25**2)
    np.testing.assert_allclose(canvas.share_at(point), under, atol=1e-3)
    before = canvas.placement
    labels.drag((50, 50), (60, 55))
    after = canvas.placement
    ratio = canvas.devicePixelRatioF()
    assert after.x - before.x == pytest.approx(10 * canvas.zoom, abs=2 * ratio)
    labels.press(Qt.Key.Key_1, CTRL)
    assert canvas.zoom == 1.0
    labels.press(Qt.Key.Key_0)
    assert canvas.zoom == pytest.approx(fit)


def test_classes_are_added_renamed_and_shown_in_their_colors(labels):
    side = labels.window.side.classes
    labels.press(Qt.Key.Key_B)
    assert [side.list.item(row).text() for row in range(2)] == ["1  cat", "2  dog"]
    side.list.item(0).setText("1  lynx")
    assert labels.labeling.classes == ("lynx", "dog")
    assert labels.labeling.picture.items[0].label == "lynx"
    assert side.list.item(0).text() == "1  lynx"
    side.list.item(1).setText("  ")
    assert [side.list.item(row).text() for row in range(2)] == ["1  lynx", "2  dog"]
    word = labels.window.side.items.word
    word.setCurrentIndex(2)
    word.activated.emit(2)
    assert labels.labeling.picture.word == "dog"


def test_a_picture_that_does_not_open_is_said_and_the_others_go_on(ui, folder):
    (folder / "p1.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    labels = Labels(ui, folder)
    assert "p1.png is damaged" in labels.labeling.problem
    labels.press(Qt.Key.Key_B)
    assert labels.labeling.picture.items == ()
    labels.canvas.grab()
    labels.press(Qt.Key.Key_PageDown)
    ui.wait(lambda: labels.labeling.image is not None)
    labels.window.close()


def test_an_empty_folder_and_a_foreign_file_are_refused_in_one_sentence(ui, folder, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    open_labels(ui.window, empty)
    ui.wait(lambda: any("The folder empty holds no images" in text for text in ui.notices))
    (folder / FILE_NAME).write_text("mine\n")
    open_labels(ui.window, folder)
    ui.wait(lambda: any("holds no labels of Lightloom" in text for text in ui.notices))
    assert not ui.window.findChildren(LabelWindow)


def test_a_thousand_pictures_open_lazily(ui, tmp_path, monkeypatch):
    folder = tmp_path / "many"
    folder.mkdir()
    data = cv2.imencode(".png", np.zeros((30, 40, 3), np.uint8))[1].tobytes()
    for place in range(1000):
        (folder / f"{place}.png").write_bytes(data)
    decoded: list[str] = []
    load = FolderPictures.load
    monkeypatch.setattr(FolderPictures, "load", lambda self, name: decoded.append(name) or load(self, name))
    labels = Labels(ui, folder)
    assert labels.window.list.model.rowCount() == 1000
    ui.wait(lambda: labels.labeling.loader.held == {"0.png", "1.png"})
    assert decoded == ["0.png", "1.png"]
    labels.labeling.go(500)
    ui.wait(lambda: labels.labeling.loader.held == {"499.png", "500.png", "501.png"})
    assert decoded == ["0.png", "1.png", "500.png", "501.png", "499.png"]
    labels.window.close()


def test_a_video_is_labeled_frame_by_frame(ui, tmp_path):
    path = video(tmp_path / "clip.mp4")
    open_labels(ui.window, path, 0.25)
    ui.wait(lambda: ui.window.findChildren(LabelWindow))
    [window] = ui.window.findChildren(LabelWindow)
    ui.wait(lambda: window.labeling.image is not None)
    assert window.labeling.pictures.names == ("000001", "000004", "000007", "000010")
    window.labeling.go(2)
    ui.wait(lambda: window.labeling.image is not None)
    assert window.labeling.image.pixelColor(20, 20).red() == pytest.approx(120, abs=6)
    window.labeling.add_box()
    assert set(Project(path).label_set.pictures) == {"000007"}
    window.close()


def test_what_vanishes_while_it_is_dragged_is_no_new_box(labels):
    labels.press(Qt.Key.Key_B)
    QTest.mousePress(labels.canvas, LEFT, NONE, labels.at(80, 60))
    QTest.mouseMove(labels.canvas, labels.at(90, 70))
    labels.labeling.undo()
    QTest.mouseRelease(labels.canvas, LEFT, NONE, labels.at(90, 70))
    assert labels.labeling.picture.items == ()


# -- a network -----------------------------------------------------------------------------------------------


def test_a_network_proposes_while_one_edits(ui, tmp_path):
    folder = tmp_path / "squares"
    folder.mkdir()
    for place in range(4):
        assert cv2.imwrite(str(folder / f"p{place + 1}.png"), squares()[..., ::-1])
    (folder / "p3.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    ui.workspace.get(Networks).choose(NetworkSpec(str(square_detector(tmp_path / "squares.onnx"))))
    labels = Labels(ui, folder)
    labels.press(Qt.Key.Key_B)
    labels.press(Qt.Key.Key_P, CTRL)
    assert labels.window.proposals.is_running and labels.window.cancel.isVisible()
    labels.press(Qt.Key.Key_Right)
    ui.wait(lambda: not labels.window.proposals.is_running)
    assert set(labels.labeling.labels) == {"p1.png", "p2.png", "p4.png"}
    assert labels.told[-1][0] == "warning" and "p3.png is damaged" in labels.told[-1][1]
    assert len(labels.labeling.labels["p1.png"].items) == 1, "nothing comes where somebody was"
    found = labels.labeling.labels["p2.png"]
    assert not found.confirmed and [item.confirmed for item in found.items] == [False, False]
    boxes = {item.label: np.array(item.box) * (128, 96, 128, 96) for item in found.items}
    np.testing.assert_allclose(boxes["red"], (48, 32, 64, 48), atol=0.5)
    np.testing.assert_allclose(boxes["blue"], (96, 64, 112, 80), atol=0.5)
    assert labels.kept() == dict(labels.labeling.labels)
    labels.press(Qt.Key.Key_P)
    ui.wait(lambda: not labels.window.proposals.is_running)
    assert len(labels.labeling.picture.items) == 3 and labels.labeling.undo_title == "Propose labels"
    labels.window.close()


def test_proposals_can_be_stopped(ui, tmp_path):
    folder = tmp_path / "squares"
    folder.mkdir()
    data = cv2.imencode(".png", squares()[..., ::-1])[1].tobytes()
    for place in range(300):
        (folder / f"{place}.png").write_bytes(data)
    ui.workspace.get(Networks).choose(NetworkSpec(str(square_detector(tmp_path / "squares.onnx"))))
    labels = Labels(ui, folder)
    labels.press(Qt.Key.Key_P, CTRL)
    ui.wait(lambda: labels.window.proposals.done)
    labels.window.cancel.click()
    ui.wait(lambda: not labels.window.proposals.is_running)
    assert 0 < len(labels.labeling.labels) < 300 and not labels.told
    labels.window.close()


def test_a_window_that_is_closed_does_not_wait_for_its_network(ui, labels, tmp_path):
    ui.workspace.get(Networks).choose(NetworkSpec(str(square_detector(tmp_path / "squares.onnx"))))
    labels.press(Qt.Key.Key_P, CTRL)
    labels.window.close()
    assert not labels.window.isVisible() and labels.window.proposals.is_running
    ui.wait(lambda: not ui.window.findChildren(LabelWindow))


def test_without_a_network_a_sentence_says_so(labels):
    labels.press(Qt.Key.Key_P)
    assert labels.told == [
        ("error", "There is no network to propose labels; choose one in the main window, under Networks.")
    ]


# -- files ---------------------------------------------------------------------------------------------------


def test_labels_are_exported_and_imported_from_the_window(ui, labels, tmp_path):
    labels.press(Qt.Key.Key_B)
    labels.press(Qt.Key.Key_Return)
    labels.press(Qt.Key.Key_E, CTRL)
    [dialog] = labels.window.findChildren(ExportLabelsDialog)
    assert dialog.chosen.title == "COCO" and dialog.go.isEnabled()
    assert dialog.note.text().startswith("1 image")
    dialog.begin(tmp_path / "out.json")
    ui.wait(lambda: any(text.startswith("Labels saved as") for _, text in labels.told))
    document = json.loads((tmp_path / "out.json").read_text())
    assert [image["file_name"] for image in document["images"]] == ["p1.png"]
    np.testing.assert_allclose(document["annotations"][0]["bbox"], (56, 42, 48, 36), atol=0.5)
    labels.press(Qt.Key.Key_Z, CTRL)
    labels.press(Qt.Key.Key_Z, CTRL)
    assert not labels.labeling.labels
    labels.window.files.import_from(tmp_path / "out.json")
    ui.wait(lambda: labels.labeling.labels)
    assert labels.told[-1] == ("info", "Labels of 1 image were read.")
    other = tmp_path / "other.json"
    other.write_text(
        json.dumps({**document, "images": [{"id": 1, "file_name": "x.png", "width": 4, "height": 4}]})
    )
    labels.window.files.import_from(other)
    ui.wait(lambda: labels.told[-1][0] == "error")
    assert (
        labels.told[-1][1]
        == "other.json has labels of other images than those in photos; choose the labels of these."
    )


def test_a_window_with_edits_that_cannot_be_saved_stays_once(ui, labels, monkeypatch):
    path = labels.labeling.pictures.path / FILE_NAME
    before = path.read_bytes()
    append = JournalFile.append

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(JournalFile, "append", full)
    labels.press(Qt.Key.Key_B)
    assert labels.told[-1][0] == "error" and "make room" in labels.told[-1][1]
    assert not labels.window.close() and labels.window.isVisible()
    assert any("not saved. Close the window again" in each.text for each in labels.window.notices.notices)
    assert path.read_bytes() == before
    labels.press(Qt.Key.Key_Right)
    assert not labels.window.close(), "the work went on"
    monkeypatch.setattr(JournalFile, "append", append)
    assert labels.window.close(), "there is room again"
    assert len(dict(Project(path.parent).label_set.pictures)["p1.png"].items) == 1


def test_a_window_is_closed_when_its_labels_are_exported(ui, labels, tmp_path, monkeypatch):
    labels.press(Qt.Key.Key_B)
    labels.press(Qt.Key.Key_Return)
    going_on = threading.Event()
    export = dialogs.export_labels

    def slow(*arguments, **options):
        assert going_on.wait(LIMIT_S)
        return export(*arguments, **options)

    monkeypatch.setattr(dialogs, "export_labels", slow)
    labels.window.files.export_to(tmp_path / "out.json", result_formats()["coco"], True)
    assert not labels.window.close() and labels.window.isVisible()
    assert any("closes when the labels are exported" in n.text for n in labels.window.notices.notices)
    going_on.set()
    ui.wait(lambda: not ui.window.findChildren(LabelWindow))
    assert json.loads((tmp_path / "out.json").read_text())["images"]


# -- how it looks --------------------------------------------------------------------------------------------


def test_every_control_has_a_name(labels):
    labels.press(Qt.Key.Key_B)
    assert nameless(labels.window) == []
    ExportLabelsDialog(
        labels.labeling, labels.ui.workspace.settings, Outputs(), lambda *_: None, labels.window
    ).open()
    [dialog] = labels.window.findChildren(ExportLabelsDialog)
    assert nameless(dialog) == []
    dialog.close()


def test_the_keys_are_on_a_page_of_their_own(labels):
    texts = {action.iconText() for _, actions in labels.window.menus.by_menu() for action in actions}
    assert {
        "Draw a box",
        "Confirm the image, go on",
        "Class 9 for the box",
        "Next unconfirmed image",
    } <= texts
    keys = [
        key.toString()
        for _, actions in labels.window.menus.by_menu()
        for action in actions
        for key in action.shortcuts()
    ]
    assert len(keys) == len(set(keys))


def test_the_box_and_its_handles_are_painted_where_it_is(labels):
    labels.press(Qt.Key.Key_B)
    image = labels.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    for x, y in ((56, 42), (104, 78)):
        at = labels.at(x, y)
        color = image.pixelColor(round(at.x() * ratio), round(at.y() * ratio))
        assert min(color.red(), color.green(), color.blue()) > 220, "a handle is light"
    outside = labels.at(20, 20)
    assert image.pixelColor(round(outside.x() * ratio), round(outside.y() * ratio)).red() == 0


def test_who_names_the_first_box_leaves_no_class_behind_that_nobody_named(ui, folder):
    labels = Labels(ui, folder)
    labeling = labels.labeling
    ui.wait(lambda: labeling.image is not None)
    labeling.add_box()
    assert labeling.classes == ("thing",)
    labeling.use_class("eagle")
    assert labeling.classes == ("eagle",) and labeling.item.label == labeling.class_now == "eagle"
    labeling.undo()
    assert labeling.classes == ("thing",) and labeling.picture.items[0].label == "thing"
    labeling.redo()
    labeling.add_box()
    labeling.use_class("owl")
    assert labeling.classes == ("eagle", "owl"), "one that was named stays"
    labels.window.close()
