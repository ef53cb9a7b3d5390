"""The table of what is seen, and the export of it from the window."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pandas
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from tiny_models import square_detector, squares
from window_panels import chain_of

from desktop.outputs.collect import collect
from desktop.overlay.result_overlay import overlay_state
from desktop.pipeline.picture.present import Placement
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.exports.exports_panel import ExportsPanel
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.results.chosen import Chosen
from desktop.ui.features.results.results_dialog import ResultsDialog
from desktop.ui.features.results.results_export import ExportPlan, ResultsExport
from desktop.ui.features.results.results_panel import ResultsModel, ResultsPanel, rows_now, shown
from desktop.ui.features.tracking.track_card import TrackCard
from desktop.ui.shell.closing import Closing
from desktop.vision.models.builtin import builtin_models
from desktop.vision.tasks.shapes import Box, Label
from desktop.vision.tracking.scene import TrackedResult
from desktop.vision.tracking.track import TrackSpec


@pytest.fixture
def seeing(ui, tmp_path):
    """The window with a folder of three pictures of two squares, and the detector at work."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in (1, 2, 3):
        assert cv2.imwrite(str(folder / f"{number}.png"), squares()[..., ::-1])
    ui.play(str(folder))
    ui.drop(square_detector(tmp_path / "squares.onnx"))
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)
    return ui


@pytest.fixture
def panel(seeing):
    if not seeing.window.dock_area.is_shown("results"):
        seeing.window.actions_by_name["results"].trigger()
    panel = seeing.window.dock_area.panel("results", ResultsPanel)
    seeing.wait(lambda: panel.isVisible() and len(panel.model.rows) == 2)
    yield panel
    if seeing.window.dock_area.is_shown("results"):
        seeing.window.actions_by_name["results"].trigger()


def cells(panel: ResultsPanel) -> list[list[str]]:
    table = panel.table.model()
    return [[table.index(r, c).data() for c in range(table.columnCount())] for r in range(table.rowCount())]


def test_the_table_shows_what_is_seen_and_can_be_sorted(panel):
    table = cells(panel)
    assert [row[0] for row in table] == ["red", "blue"]  # by score
    assert table[0][3:7] == ["48", "32", "16", "16"] and table[0][1].endswith(" %") and table[0][2] == ""
    panel.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert [row[0] for row in cells(panel)] == ["blue", "red"]
    panel.table.sortByColumn(3, Qt.SortOrder.AscendingOrder)
    assert [row[3] for row in cells(panel)] == ["48", "96"]
    panel.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)


def test_in_a_narrow_panel_names_leave_room_to_the_other_columns(qtbot, panel):
    header = panel.table.header()
    panel.table.resize(900, 200)
    qtbot.waitUntil(lambda: header.sectionSize(0) > 300)
    for width in (
        552,
        300,
    ):  # 552: beside a German window's chain at 900x600 a stretched column had 54, which cut its title
        panel.table.resize(width, 200)
        qtbot.waitUntil(lambda: max(100, header.sectionSizeHint(0)) <= header.sectionSize(0) <= 120)
    panel.table.resize(900, 200)
    qtbot.waitUntil(lambda: header.sectionSize(0) > 300)


def test_the_arrow_of_the_order_covers_no_title(panel):
    header = panel.table.header()

    def title(place):
        """The ink of a title, without what is empty beside it and without the places of the arrow and of the
        line that ends it.
        """
        left, width = header.sectionViewportPosition(place), header.sectionSize(place)
        # Painted anew now.
        area = QRect(left + 13, 3, width - 16, header.height() - 6)
        image = header.viewport().grab(area).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)[:, : image.width()]
        ink = lines > 130
        columns = np.flatnonzero(ink.any(0))
        return ink[:, columns[0] : columns[-1] + 1]

    for place in (1, 2):
        panel.table.sortByColumn(place, Qt.SortOrder.DescendingOrder)
        sorted_by_it = title(place)
        panel.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        assert np.array_equal(title(place), sorted_by_it)


def test_rows_are_copied_with_tabs(panel):
    panel.table.clearSelection()
    panel.copy()
    lines = QApplication.clipboard().text().splitlines()
    assert len(lines) == 3 and lines[0].split("\t")[0] == "Class" and lines[1].split("\t")[0] == "red"
    panel.table.setCurrentIndex(panel.table.model().index(1, 0))
    panel.copy()
    assert [line.split("\t")[0] for line in QApplication.clipboard().text().splitlines()] == ["Class", "blue"]
    # A picture later the row is still the one that is selected.
    panel.update_figures()
    assert [index.row() for index in panel.table.selectionModel().selectedRows()] == [1]


def test_chosen_rows_stand_out_on_the_picture(panel, seeing):
    def chosen():
        return seeing.window.overlay.state().chosen

    panel.table.selectionModel().clear()
    assert chosen() == ()
    panel.table.setCurrentIndex(panel.table.model().index(1, 0))
    (box,) = chosen()
    blue = seeing.window.overlay.state().found[1]
    assert (box.left, box.top, box.right, box.bottom) == (blue.left, blue.top, blue.right, blue.bottom)
    panel.table.clearSelection()
    assert chosen() == ()
    panel.table.selectAll()
    assert len(chosen()) == 2
    # What is in a file is what was seen, not what is pointed at.
    state = overlay_state(seeing.workspace.engine.current.tracked_result, "", Placement(0, 0, 1), (128, 96))
    assert state.chosen == ()
    seeing.window.actions_by_name["results"].trigger()
    seeing.wait(lambda: chosen() == ())


def test_who_is_chosen_is_found_again(qapp):
    chosen = Chosen(qapp)
    box = Box("", 0, 0.1, 0.1, 0.2, 0.2, identity=7)
    chosen.choose((box, replace(box, identity=None)))
    moved = Box("dog", 0, 0.5, 0.5, 0.6, 0.6, identity=7)
    assert chosen.shapes(TrackedResult(None, 0.0, (9, 9), (replace(moved, identity=8), moved))) == (
        *(moved, replace(box, identity=None)),
    )
    assert chosen.shapes(TrackedResult(None, 0.0, (9, 9), ()))[0] == box


def test_without_a_network_the_table_is_empty_and_says_so(panel, seeing):
    seeing.workspace.get(Networks).choose(None)
    seeing.wait(lambda: not panel.model.rows)
    assert "No network" in panel.note.text() and not panel.begin.isEnabled()


def test_what_was_seen_goes_with_its_source(panel, seeing):
    seeing.workspace.edits.set_track(TrackSpec())
    count = chain_of(seeing.window).findChild(TrackCard).time
    seeing.wait(lambda: count.text().startswith("2"))
    seeing.window.actions_by_name["close_source"].trigger()
    seeing.wait(lambda: not panel.model.rows and panel.note.text() == "" and count.text() == "")


def test_names_of_strangers_act_on_nothing(qapp):
    box = Box("a\tb\nc\u202e", 0, 0.0, 0.0, 0.5, 0.5, float("nan"), identity=7)
    seen = TrackedResult(None, 61.5, (100, 50), (box, Label("word", 0.25)))
    word, thing = rows_now(seen)
    assert shown(word) == ("word", "25.0 %", "", "", "", "", "", "1:01.500")
    assert shown(thing)[:7] == ("a\\tb\\nc\\u202e", "", "7", "0", "0", "50", "25")
    many = TrackedResult(None, 0.0, (9, 9), (box,) * 5000)
    assert len(rows_now(many)) == 1000
    model = ResultsModel(("a",) * 8)
    for rows in (rows_now(many), (thing,), (), (word, thing)):
        model.show_rows(rows)
        assert model.rowCount() == len(rows)


@pytest.mark.parametrize(("name", "target"), [("csv", "r.csv"), ("jsonl", "r.jsonl"), ("coco", "r.json")])
def test_the_open_file_is_exported_beside_the_picture(seeing, tmp_path, name, target):
    export, path = seeing.workspace.get(ResultsExport), tmp_path / target
    assert seeing.window.actions_by_name["export_results"].isEnabled()
    export.begin(ExportPlan(seeing.workspace.playback.name, path, name))
    assert export.is_running and seeing.window.actions_by_name["export_results"].isEnabled(), "others wait"
    seeing.wait(lambda: not export.is_running)
    assert seeing.notices == [f"Results saved as {path}"]
    if name == "csv":
        table = pandas.read_csv(path)
        assert list(table["label"]) == ["red", "blue"] * 3 and list(table["pts"]) == [
            0.0,
            0.0,
            3.0,
            3.0,
            6.0,
            6.0,
        ]
    elif name == "jsonl":
        assert [len(json.loads(line)["things"]) for line in path.read_text().splitlines()] == [2, 2, 2]
    else:
        assert len(json.loads(path.read_text())["annotations"]) == 6
    assert not list(tmp_path.glob("*.journal"))


def test_pictures_that_do_not_open_are_told_of_when_the_others_are_exported(seeing, tmp_path):
    export, path = seeing.workspace.get(ResultsExport), tmp_path / "r.jsonl"
    folder = Path(seeing.workspace.playback.name)
    broken = [folder / f"broken {number}.png" for number in range(5)]
    for each in broken:
        each.write_bytes(b"\x89PNG\r\n\x1a\n")
    export.begin(ExportPlan(str(folder), path, "jsonl"))
    seeing.wait(lambda: not export.is_running)
    assert len(path.read_text().splitlines()) == 3
    (told,) = [each for each in seeing.notices if "left out" in each]
    assert "broken 0.png is left out" in told and "broken 3.png" not in told
    assert told.endswith("2 more images are left out.")


def test_results_that_may_lack_objects_are_reported(ui, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    bright = np.maximum(squares(), 90)
    for number, picture in enumerate((bright, bright, np.zeros_like(bright))):
        assert cv2.imwrite(str(folder / f"{number}.png"), picture[..., ::-1])
    ui.play(str(folder))
    (tmp_path / "squares.onnx.lightloom.toml").write_text('decoder = "yolox"\n')
    ui.drop(square_detector(tmp_path / "squares.onnx", broken=1))
    ui.wait(lambda: len(ui.window.overlay.state().found) == 2)
    export, path = ui.workspace.get(ResultsExport), tmp_path / "r.csv"
    export.begin(ExportPlan(str(folder), path, "csv"))
    ui.wait(lambda: not export.is_running)
    (told,) = [each for each in ui.notices if "NaN" in each and " of 3 frames" in each]
    assert told.startswith("The network returned NaN in 1 of 3 frames") and "--precision" not in told


def test_a_part_of_the_file(seeing, tmp_path):
    export, path = seeing.workspace.get(ResultsExport), tmp_path / "r.jsonl"
    export.begin(ExportPlan(seeing.workspace.playback.name, path, "jsonl", (3.0, 6.0)))
    seeing.wait(lambda: not export.is_running)
    assert [json.loads(line)["pts"] for line in path.read_text().splitlines()] == [3.0]


def test_results_wait_in_the_queue_of_exports(seeing, tmp_path):
    export, source = seeing.workspace.get(ResultsExport), seeing.workspace.playback.name
    if not seeing.window.dock_area.is_shown("exports"):
        seeing.window.actions_by_name["exports"].trigger()
    panel = seeing.window.dock_area.panel("exports", ExportsPanel)

    def entries():
        items = [panel.list.topLevelItem(n) for n in range(panel.list.topLevelItemCount())]
        return [(item.text(0), item.text(1).partition(",")[0]) for item in items]

    for name in ("a.csv", "b.csv", "c.csv"):
        export.begin(ExportPlan(source, tmp_path / name, "csv"))
    assert entries() == [("a.csv", "Running"), ("b.csv", "Waits"), ("c.csv", "Waits")]
    assert export.left == 3, "closing the window asks about them"
    panel.list.setCurrentItem(panel.list.topLevelItem(1))
    assert not panel.pause.isEnabled() and not panel.up.isEnabled() and panel.cancel.text() == "Cancel"
    panel.cancel.click()
    seeing.wait(lambda: not export.is_running)
    assert entries() == [("a.csv", "Done"), ("b.csv", "Canceled"), ("c.csv", "Done")]
    assert not (tmp_path / "b.csv").exists() and (tmp_path / "c.csv").exists()
    panel.list.setCurrentItem(panel.list.topLevelItem(0))
    assert not panel.play.isEnabled() and panel.folder.isEnabled() and panel.cancel.text() == "Remove"
    for _ in range(3):
        panel.cancel.click()
    assert not entries() and (tmp_path / "a.csv").exists()
    seeing.window.actions_by_name["exports"].trigger()


def test_an_export_is_stopped_and_leaves_nothing(ui, tmp_path):
    model = square_detector(tmp_path / "squares.onnx")
    ui.play()
    ui.drop(model)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    path = tmp_path / "r.csv"
    path.write_text("what was there")
    # So large that it is not done before this thread has its turn.
    ui.workspace.get(ResultsExport).begin(ExportPlan("sample:1280x720@60", path, "csv"))
    ui.wait(
        lambda: ui.workspace.get(ResultsExport).pictures > 0 or not ui.workspace.get(ResultsExport).is_running
    )
    assert ui.workspace.get(ResultsExport).is_running
    ui.workspace.get(ResultsExport).cancel()
    ui.wait(lambda: not ui.workspace.get(ResultsExport).is_running)
    assert path.read_text() == "what was there" and not list(tmp_path.glob("*.journal"))
    assert not ui.notices


def test_an_export_that_is_stopped_after_its_last_frame_writes_nothing(seeing, tmp_path, monkeypatch):
    export, path = seeing.workspace.get(ResultsExport), tmp_path / "r.csv"
    path.write_text("what was there")

    def collect_and_stop(*args, **more):
        failures = collect(*args, **more)
        export.cancel()
        return failures

    monkeypatch.setattr("desktop.outputs.collect.collect", collect_and_stop)
    export.begin(ExportPlan(seeing.workspace.playback.name, path, "csv"))
    seeing.wait(lambda: not export.is_running)
    assert export.entries[-1].state == "canceled"
    assert path.read_text() == "what was there" and not list(tmp_path.glob("*.journal"))


def test_a_folder_that_cannot_be_written_is_one_sentence(seeing, tmp_path):
    export = seeing.workspace.get(ResultsExport)
    export.begin(ExportPlan(seeing.workspace.playback.name, tmp_path / "none" / "r.csv", "csv"))
    seeing.wait(lambda: not export.is_running)
    (said,) = seeing.notices
    assert said.startswith("The results cannot be written to") and "No such file or directory" in said


@pytest.mark.parametrize("outcome", ["done", "failed", "incomplete"])
def test_a_window_that_waits_for_results_closes_after_success_alone(seeing, tmp_path, qtbot, outcome):
    export, source = seeing.workspace.get(ResultsExport), seeing.workspace.playback.name
    closed, parent = [], QWidget()
    qtbot.addWidget(parent)
    exports = seeing.workspace.get(Exports)
    leaving = Closing(exports, export, seeing.workspace.messages, parent, records=lambda: False)
    leaving.may_close.connect(lambda: closed.append(True))
    if outcome == "incomplete":
        (Path(source) / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    folder = tmp_path / "none" if outcome == "failed" else tmp_path
    export.begin(ExportPlan(source, folder / "r.csv", "csv"))
    assert not leaving.allows()
    next(each for each in leaving.question.buttons() if "when they are done" in each.text()).click()
    seeing.wait(lambda: not export.is_running)
    assert closed == ([True] if outcome == "done" else [])
    reported = {"done": "Results saved", "failed": "cannot be written", "incomplete": "left out"}[outcome]
    assert any(reported in text for text in seeing.notices)
    # Of a window that closes, no notice is taken away.
    assert any("closes when" in text for text in seeing.notices) is (outcome == "done")


def test_the_dialog_says_at_once_what_a_format_cannot_hold(seeing, tmp_path):
    dialog = ResultsDialog(seeing.workspace, seeing.window)
    dialog.open()
    names = [dialog.format.itemText(place) for place in range(dialog.format.count())]
    assert names == ["JSON lines", "CSV", "Parquet", "COCO", "MOTChallenge", "YOLO"]
    assert dialog.span.whole.isChecked() and not dialog.span.part.isEnabled() and dialog.go.isEnabled()
    dialog.format.setCurrentIndex(4)
    assert "turn on tracking" in dialog.refusal.text() and not dialog.go.isEnabled()
    dialog.track.setChecked(True)
    assert dialog.go.isEnabled() and not dialog.refusal.text()
    dialog.format.setCurrentIndex(1)
    dialog.begin(tmp_path / "named")
    seeing.wait(lambda: not seeing.workspace.get(ResultsExport).is_running)
    assert (tmp_path / "named.csv").exists()


def test_no_results_of_another_source_than_the_dialog_names_are_exported(seeing, tmp_path):
    dialog = ResultsDialog(seeing.workspace, seeing.window)
    assert dialog.go.isEnabled()
    seeing.play()
    assert not dialog.go.isEnabled() and "Another source" in dialog.refusal.text()
    dialog.begin(tmp_path / "r.csv")
    assert not seeing.workspace.get(ResultsExport).entries
    dialog.reject()


def test_a_classifier_has_no_boxes_to_export(ui):
    ui.play()
    ui.workspace.get(Networks).choose(NetworkSpec(str(builtin_models()["classifier"].path)))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    dialog = ResultsDialog(ui.workspace, ui.window)
    dialog.format.setCurrentIndex(3)
    assert "classifies whole images" in dialog.refusal.text() and not dialog.go.isEnabled()
    dialog.reject()
