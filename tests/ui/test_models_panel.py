"""The page of networks and the form about a network's input, in the real window, against a server on the
loopback.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import material
import numpy as np
import onnx
import pytest
import tiny_pipeline
from detector_models import write_table
from dialog_rig import chosen_paths
from library_server import FileServer, answer, entry_of, stall_after
from onnx import TensorProto, helper
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from waiting import LIMIT_S
from window_panels import chain_of, choose_in_menu, networks_of, stats_of

from desktop.base.errors import LibraryError
from desktop.compute.gpu.device import AdapterInfo
from desktop.ui.features.networks.downloads import Downloads
from desktop.ui.features.networks.model_dialogs import InputDialog
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.networks.row import ModelRow
from desktop.ui.features.preferences.page import PreferencesDialog
from desktop.ui.kit.messages import Notice
from desktop.ui.kit.widgets import IconButton, IconLabel
from desktop.ui.shell.first_setup import begin_with_sample
from desktop.ui.workspace.by_adapter import first_filter
from desktop.ui.workspace.history import History
from desktop.ui.workspace.information_popup import InformationPopup
from desktop.vision.models.builtin import BuiltinModel
from desktop.vision.models.library.access import Access
from desktop.vision.models.library.store import ModelStore
from desktop.vision.models.settings import read_settings, write_settings
from desktop.vision.models.sidecar import sidecar_path


@pytest.fixture
def server(tmp_path) -> Iterator[FileServer]:
    found = FileServer(material.classifier(tmp_path / "served.onnx").read_bytes())
    yield found
    found.close()


@pytest.fixture
def panel(ui, server, tmp_path, monkeypatch):
    """The page with two networks to download, a folder and a mirror of its own."""
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    found = networks_of(ui.window)
    found.search.clear()  # other files' tests search it too
    settings = ui.workspace.settings
    settings.model_folder, settings.model_mirror, settings.offline = (
        str(tmp_path / "models"),
        server.address,
        False,
    )
    settings.models = []
    entries = [
        entry_of(server.data, "mean", title="Mean color", help="Names the strongest color."),
        entry_of(b"other" * 999, "other", title="Another", task="depth", licence="BSD-3-Clause"),
    ]
    found.set_catalogue({entry.id: entry for entry in entries})
    ui.window.dock_area.search("networks")
    ui.wait(lambda: is_listed(ui) and {"mean", "other"} <= set(found.rows))
    yield found
    for name in list(found.rows):
        found.downloads.stop(name)
    ui.wait(lambda: not any(name in found.downloads for name in found.rows))
    if found.form is not None:
        close(found)
    found.search.clear()
    for row in found.rows.values():
        row.set_error("")
    settings.model_folder = settings.model_mirror = ""
    settings.offline = False


def close(panel) -> None:
    with contextlib.suppress(RuntimeError):  # it was closed by what the test did
        panel.form.reject()
    panel.form = None


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def is_listed(ui) -> bool:
    """Return whether no reading of the folder is under way."""
    return not ui.workspace.jobs.running


def is_marked(row) -> bool:
    """Return whether a row has the sign of a network in use."""
    return any(label.isVisible() for label in row.findChildren(IconLabel))


def hint_of(panel) -> str:
    """What stands below the list, '' for nothing."""
    of_rows = {label for row in panel.findChildren(ModelRow) for label in row.findChildren(QLabel)}
    labels = [label for label in panel.findChildren(QLabel) if label.isVisibleTo(panel)]
    return "".join(x.text() for x in labels if x not in of_rows and x.objectName() in ("errorText", "muted"))


def titles(panel) -> list[str]:
    return [row.item.title for row in panel.visible_rows()]


def test_download_then_use(ui, panel, tmp_path):
    row = panel.rows["mean"]
    assert not row.use.isVisible() and row.fetch.isVisible()
    click(row.fetch)
    ui.wait(lambda: row.item.state == "ready")
    assert (tmp_path / "models" / "mean.onnx").exists()
    assert row.use.isVisible() and not row.fetch.isVisible() and row.item.section == "downloaded"
    click(row.use)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    assert ui.workspace.edits.setup.network.model == str(tmp_path / "models" / "mean.onnx")
    ui.wait(lambda: is_marked(row))
    ui.workspace.get(Networks).choose(None)
    ui.wait(lambda: not is_marked(row))
    # Used from the library's folder, it is not listed a second time among the user's own.
    ui.wait(lambda: is_listed(ui))
    assert (
        len(panel.rows) == len(set(panel.rows)) and str(tmp_path / "models" / "mean.onnx") not in panel.rows
    )


def test_keyboard_alone(ui, panel):
    ui.activate()
    ui.wait(lambda: panel.search.hasFocus())
    QTest.keyClicks(panel.search, "mean col")
    assert titles(panel) == ["Mean color"]
    QTest.keyClick(panel.search, Qt.Key.Key_Return)
    row = panel.rows["mean"]
    ui.wait(lambda: row.item.state == "ready")
    QTest.keyClick(panel.search, Qt.Key.Key_Down)
    assert row.hasFocus()
    QTest.keyClick(row, Qt.Key.Key_Return)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    QTest.keyClick(row, Qt.Key.Key_Up)
    assert panel.search.hasFocus()


def test_search(ui, panel):
    panel.search.setText("bsd depth")
    assert titles(panel) == ["Another"]
    panel.search.setText("nothing like it")
    assert titles(panel) == [] and "nothing like it" in hint_of(panel)
    panel.search.clear()
    assert {"Another", "Mean color"} <= set(titles(panel)) and not hint_of(panel)


def test_pause_go_on_and_cancel(ui, panel, server, tmp_path):
    row = panel.rows["mean"]
    count = len(server.data) // 2
    server.script(stall_after(count))
    click(row.fetch)
    ui.wait(lambda: row.running and row.bar.value() > 0)
    assert row.pause.isVisible() and row.cancel.isVisible() and not row.fetch.isVisible()
    click(row.pause)
    ui.wait(lambda: not row.running and row.item.state == "partial")
    assert "interrupted" in row.note.text() and row.bar.isVisible()
    server.script(stall_after(1))
    server.asked.clear()
    click(row.fetch)
    ui.wait(lambda: server.asked)
    assert server.asked[0].range == f"bytes={count}-{len(server.data) - 1}"
    click(row.cancel)
    ui.wait(lambda: not row.running and row.item.state == "missing")
    assert list((tmp_path / "models").iterdir()) == []


def test_failure_stays_on_the_row(ui, panel, server):
    row = panel.rows["mean"]
    server.script(then=answer(404))
    click(row.fetch)
    ui.wait(lambda: row.error.isVisible())
    assert "404 (Not Found)" in row.error.text() and row.property("failed")
    server.script()
    click(row.fetch)
    ui.wait(lambda: row.item.state == "ready")
    assert not row.error.isVisible() and not row.property("failed")


def test_offline_is_said_and_makes_no_request(ui, panel, server):
    ui.workspace.settings.offline = True
    ui.wait(lambda: panel.banner.isVisible())
    row = panel.rows["mean"]
    click(row.fetch)
    ui.wait(lambda: row.error.isVisible())
    assert "set to work offline" in row.error.text() and server.asked == []


def test_its_button_opens_the_preferences_and_it_follows_them(ui, panel, tmp_path):
    click(next(button for button in panel.findChildren(IconButton) if "mirror" in button.toolTip()))
    (page,) = ui.window.findChildren(PreferencesDialog)
    assert page.rows["offline"].isVisible() and not page.rows["theme"].isVisible()
    page.rows["model_folder"].editor.edited.emit(str(tmp_path / "second"))
    page.close()
    ui.wait(lambda: is_listed(ui))
    click(panel.rows["mean"].fetch)
    ui.wait(lambda: (tmp_path / "second" / "mean.onnx").exists())


def test_remove_is_asked(ui, panel, tmp_path):
    row = panel.rows["mean"]
    click(row.fetch)
    ui.wait(lambda: row.item.state == "ready")
    path = tmp_path / "models" / "mean.onnx"
    click(row.use)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.workspace.get(Networks).choose(None)
    box = panel.confirm_removal("mean")
    box.button(box.StandardButton.Cancel).click()
    assert path.exists()
    box = panel.confirm_removal("mean")
    next(b for b in box.buttons() if b.text() == "Remove").click()
    ui.wait(lambda: row.item.state == "missing")
    assert not path.exists() and row.item.section == "catalogue"
    ui.wait(lambda: is_listed(ui))
    assert str(path) not in panel.rows


def test_menu_offers_what_is_possible(ui, panel):
    row = panel.rows["mean"]

    def texts() -> list[str]:
        menu = panel.menu("mean")
        found = [action.text() for action in menu.actions()]
        menu.deleteLater()
        return found

    assert texts() == ["Download", "Open its web page", "Copy the address"]
    click(row.fetch)
    ui.wait(lambda: row.item.state == "ready")
    assert texts()[:3] == ["Use", "Preprocessing...", "Verify the checksum"] and texts()[-1] == "Remove..."


def test_own_file_is_listed_and_forgotten(ui, panel, tmp_path):
    path = material.classifier(tmp_path / "mine.onnx")
    ui.drop(path)
    ui.wait(lambda: str(path) in panel.rows)
    assert panel.rows[str(path)].item.section == "recent"
    assert panel.form is None  # the file says all
    path.unlink()
    panel.refresh()
    ui.wait(lambda: panel.rows[str(path)].item.state == "missing")
    click(panel.rows[str(path)].fetch)
    ui.wait(lambda: str(path) not in panel.rows)
    assert ui.workspace.settings.models == []


def test_networks_in_the_box_come_first_and_are_used_with_a_click(ui, panel, tmp_path):
    path = material.classifier(tmp_path / "boxed.onnx")
    model = BuiltinModel("boxed", path, "In the box", "classification", "MIT", "docs/model-cards/boxed.md")
    panel.set_catalogue({}, {"boxed": model})
    ui.wait(lambda: "box:boxed" in panel.rows)
    assert titles(panel)[0] == "In the box"
    click(panel.rows["box:boxed"].use)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.wait(lambda: is_marked(panel.rows["box:boxed"]))
    panel.set_catalogue({})
    ui.wait(lambda: "box:boxed" not in panel.rows)


class Broken(dict[str, object]):
    """A catalogue that cannot be read."""

    def values(self):
        raise LibraryError("The catalogue c.toml is not TOML; choose another.")


def test_nothing_at_all_and_a_catalogue_that_is_broken(ui, panel):
    panel.set_catalogue({}, {})
    ui.wait(lambda: not panel.rows)
    assert "Drop an .onnx" in hint_of(panel)
    panel.set_catalogue(Broken(), {})
    ui.wait(lambda: "not TOML" in hint_of(panel))
    panel.set_catalogue({}, {})
    ui.wait(lambda: "Drop an .onnx" in hint_of(panel))


def test_closing_ends_downloads_and_tells_nobody(qapp, server, tmp_path):
    downloads = Downloads()
    told = []
    downloads.ended.connect(lambda *what: told.append(what))
    server.script(stall_after(100))
    entry = entry_of(server.data)
    store = ModelStore(tmp_path / "closing", {entry.id: entry})
    seen = []
    downloads.progressed.connect(lambda key, progress: seen.append(progress.done))
    downloads.start(store, entry, Access(mirror=server.address))
    (thread,) = (each for each in threading.enumerate() if each.name == f"download {entry.id}")
    end = time.monotonic() + LIMIT_S
    while 100 not in seen and time.monotonic() < end:
        qapp.processEvents()
    downloads.close()
    qapp.processEvents()
    assert not thread.is_alive() and told == [] and entry.id not in downloads
    assert store.holding(entry).done == 100


# -- the form ------------------------------------------------------------------------------------------------


def unclear(ui, panel, tmp_path) -> tuple[Path, InputDialog]:
    path = material.classifier(tmp_path / "unclear.onnx", stated=False)
    ui.drop(path)
    ui.wait(lambda: panel.form is not None)
    return path, panel.form


def test_form_opens_for_what_is_assumed_and_the_network_runs_meanwhile(ui, panel, tmp_path):
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    path, form = unclear(ui, panel, tmp_path)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    assert form.isVisible() and not form.isModal()
    assert form.range.currentData() == "own"  # 0.5 and 0.5, for small pictures
    assert form.mean.text() == "0.5, 0.5, 0.5" and form.mean.isEnabled()
    form.range.setCurrentIndex(form.range.findData("0..255"))
    assert form.mean.text() == "0, 0, 0" and not form.mean.isEnabled()
    form.colors.setCurrentIndex(form.colors.findData("BGR"))
    names = tmp_path / "names.txt"
    names.write_text("rouge\nvert\nbleu\n")
    form.use_labels(names)
    click(form.use)
    ui.wait(lambda: read_settings(path))
    assert read_settings(path)["task"] == "classification"
    assert read_settings(path)["preprocess"]["scale"] == "0..255"
    # Loaded anew: BGR, raw values, the names of the file.
    ui.wait(lambda: "0..255" in ui.workspace.engine.current.network_status.text)
    assert "BGR" in ui.workspace.engine.current.network_status.text
    ui.wait(lambda: ui.window.overlay.state().bars)
    assert ui.window.overlay.state().bars[0].label == "vert"


def test_form_asks_for_the_decoder_that_nothing_tells(ui, panel, tmp_path):
    path = write_table(tmp_path / "table.onnx", np.zeros((1, 84, 8)), (64, 64))
    ui.drop(path)
    ui.wait(lambda: panel.form is not None)
    form = panel.form
    assert any("say which with --decoder" in notice for notice in ui.notices)
    assert {form.decoder.itemData(at) for at in range(form.decoder.count())} == {
        *("", "yolox", "yolov6", "yolov8")
    }
    assert not form.use.isEnabled()
    form.decoder.setCurrentIndex(form.decoder.findData("yolov6"))
    click(form.use)
    ui.wait(lambda: read_settings(path).get("decoder") == "yolov6")
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    assert "The chosen decoder is YOLOv6." in ui.workspace.engine.current.network_status.text


def test_form_is_not_opened_twice_for_a_file(ui, panel, tmp_path):
    path, form = unclear(ui, panel, tmp_path)
    form.reject()
    panel.form = None
    ui.workspace.get(Networks).choose(None)
    ui.drop(path)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.wait(lambda: not ui.workspace.jobs.running)
    assert panel.form is None


def test_form_says_what_is_wrong_and_stays(ui, panel, tmp_path):
    path, form = unclear(ui, panel, tmp_path)
    form.mean.setText("one, two")
    click(form.use)
    assert "numbers" in form.error.text() and form.isVisible()
    form.mean.setText("0.5")
    click(form.use)
    assert "mean" in form.error.text()
    form.mean.setText("0.5; 0.5; 0.5")
    names = tmp_path / "five.txt"
    names.write_text("a\nb\nc\nd\ne\n")
    form.use_labels(names)
    click(form.use)
    ui.wait(lambda: "5 names" in form.error.text())
    assert form.isVisible() and read_settings(path) == {}


def test_ranges_follow_the_colour_order(ui, panel, tmp_path):
    _, form = unclear(ui, panel, tmp_path)
    form.range.setCurrentIndex(form.range.findData("ImageNet"))
    assert form.mean.text() == "0.485, 0.456, 0.406"
    form.colors.setCurrentIndex(form.colors.findData("BGR"))
    assert form.mean.text() == "0.406, 0.456, 0.485"
    form.range.setCurrentIndex(form.range.findData("Caffe"))
    assert form.mean.text() == "104, 117, 123"


def puzzle(path: Path, operator: str, domain: str = "") -> Path:
    """A network whose output is neither scores nor a map over the picture, by one operator."""
    graph = helper.make_graph(
        [
            helper.make_node(
                operator, ["x"], ["y"], domain=domain, **({} if domain else {"perm": [0, 2, 1, 3]})
            )
        ],
        "puzzle",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 16, 12))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 16, 3, 12))],
    )
    opsets = [helper.make_opsetid("", 13), *([helper.make_opsetid(domain, 1)] if domain else [])]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), str(path))
    return path


def test_no_form_is_opened_for_a_network_that_cannot_run(ui, panel, tmp_path):
    path = puzzle(tmp_path / "foreign.onnx", "Frobnicate", "com.example")
    ui.drop(path)
    ui.wait(lambda: ui.notices and not ui.workspace.jobs.running)
    assert panel.form is None
    assert ui.notices == [
        "foreign.onnx runs neither on wgpu nor on onnxruntime; choose another network "
        "(it has 1 unsupported node: com.example.Frobnicate)."
    ]


def test_a_network_of_unknown_task_does_nothing_until_that_was_asked(ui, panel, tmp_path):
    path = puzzle(tmp_path / "puzzle.onnx", "Transpose")
    ui.drop(path)
    ui.wait(lambda: panel.form is not None)
    assert panel.form.found.path == path and panel.form.task.currentData() == "unknown"
    assert ui.workspace.edits.setup.network is None and not ui.stages and not ui.notices
    assert not panel.form.use.isEnabled()
    panel.form.task.setCurrentIndex(panel.form.task.findData("classification"))
    click(panel.form.use)
    ui.wait(lambda: ui.notices)
    assert read_settings(path)["task"] == "classification" and "is not a classifier" in ui.notices[0]


def test_a_network_of_a_kind_that_is_loaded_offers_to_replace_it(ui, panel):
    rows = {key: row for key, row in panel.rows.items() if row.item.section == "builtin"}
    ink, oil, mask = (rows[f"box:{name}"] for name in ("style_ink", "style_oil", "person_mask"))
    assert {row.use.text() for row in (ink, oil, mask)} == {"Use"}
    click(ink.use)
    ui.wait(lambda: ui.stages == ["style"])
    assert (ink.use.text(), oil.use.text(), mask.use.text()) == ("Use", "Replace", "Use")
    assert "Replace" in oil.use.accessibleName()
    click(oil.use)
    ui.wait(lambda: ui.workspace.edits.chain.stages[0].values["model"] == "style_oil")
    assert ui.stages == ["style"] and (ink.use.text(), oil.use.text()) == ("Replace", "Use")
    menu = panel.menu("box:style_ink")
    entries = {action.text(): action for action in menu.actions()}
    assert "Replace" in entries
    entries["Add as another filter"].trigger()
    menu.deleteLater()
    ui.wait(lambda: ui.stages == ["style", "style"])


def test_a_still_picture_has_no_rate_and_a_software_adapter_s_times_are_marked(ui, tmp_path):
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.workspace.edits.add_filter("invert")
    ui.wait(lambda: ui.window.overlay.state().bars)
    ui.window.refresh()
    assert "a second" not in chain_of(ui.window).network.pace.text()
    assert not ui.window.header.rate.isVisible()
    card = next(iter(chain_of(ui.window).cards.values()))
    total = chain_of(ui.window).total
    ui.wait(lambda: total.text().endswith("ms"))
    rough = ui.workspace.adapter.is_software
    assert total.text().startswith("~") == rough
    total.click()
    (popup,) = ui.window.findChildren(InformationPopup)
    assert ("unreliable" in popup.text) == rough and total.text() in popup.text
    popup.close()
    assert (card.time.text() == "") == rough
    stats_of(ui.window).update_figures()
    assert ("unreliable" in stats_of(ui.window).numbers.text) == rough


def test_form_is_reached_from_the_networks_card(ui, panel, tmp_path):
    path = material.classifier(tmp_path / "clear.onnx")
    ui.drop(path)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    card = chain_of(ui.window).network
    choose_in_menu(card, "Preprocessing...")
    ui.wait(lambda: panel.form is not None)
    assert panel.form.found.path == path and panel.form.range.currentData() == "0..1"


def test_folder_that_cannot_be_written_is_told_and_the_values_are_used(ui, panel, tmp_path):
    path, form = unclear(ui, panel, tmp_path)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    # No file can take the place of a folder.
    sidecar_path(path).mkdir()
    form.range.setCurrentIndex(form.range.findData("-1..1"))
    click(form.use)
    ui.wait(lambda: any("cannot be written" in text for text in ui.notices))
    ui.wait(lambda: ui.workspace.edits.setup.network.preprocess.get("scale") == "-1..1")
    assert read_settings(path) == {}


def painter(path: Path) -> Path:
    """A network that gives the picture back: 1x1 convolution by the identity."""
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"])],
        "identity",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 32, 32))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 3, 32, 32))],
        [helper.make_tensor("w", TensorProto.FLOAT, (3, 3, 1, 1), np.eye(3).ravel().tolist())],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def test_form_of_a_stage_s_network_loads_it_anew(ui, panel, tmp_path, monkeypatch):
    path = painter(tmp_path / "same.onnx")
    ui.drop(path)
    ui.wait(lambda: ui.stages == ["style"])
    ui.wait(lambda: str(path) in panel.rows and is_marked(panel.rows[str(path)]))
    panel.show_input_form(str(path))
    ui.wait(lambda: panel.form is not None)
    form = panel.form
    assert form.task.currentData() == "image" and not form.found.unclear
    seen = []
    set_setup = ui.workspace.engine.current.set_setup
    monkeypatch.setattr(
        ui.workspace.engine.current, "set_setup", lambda s: (seen.append(len(s.chain.stages)), set_setup(s))
    )
    form.range.setCurrentIndex(form.range.findData("0..255"))
    click(form.use)
    ui.wait(lambda: seen)
    assert seen == [0, 1] and ui.stages == ["style"]
    assert read_settings(path)["preprocess"]["scale"] == "0..255" and read_settings(path)["task"] == "image"


def test_stated_task_decides_what_a_file_becomes(ui, panel, tmp_path):
    """A network of one channel is a mask or a depth map as the user says."""
    path = painter(tmp_path / "same.onnx")
    write_settings(path, {"task": "mask", "output": {"channel": 0}})
    ui.drop(path)
    ui.wait(lambda: ui.stages == ["background"])


def test_the_classifier_in_the_box_begins_unless_it_was_taken_away(ui):
    ui.workspace.settings.shows_look = False
    ui.play()
    ui.settle()
    begin_with_sample(ui.workspace)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    assert Path(ui.workspace.edits.setup.network.model).name == "classifier.onnx"
    assert (
        not ui.window.actions_by_name["undo"].isEnabled()
        and chain_of(ui.window).network.title.text() == "Classifier"
    )
    ui.wait(lambda: ui.window.overlay.state().bars)
    ui.workspace.get(Networks).choose(None)
    ui.workspace.edits.undo()
    ui.workspace.get(Networks).choose(None)
    ui.workspace.edits.history = History(ui.workspace.edits.setup)
    begin_with_sample(ui.workspace)
    assert ui.workspace.edits.setup.network is None
    ui.workspace.settings.names_things = ui.workspace.settings.shows_look = True


def test_a_new_user_s_sample_is_seen_through_a_filter_beside_itself(ui):
    window, settings = ui.window, ui.workspace.settings
    settings.names_things, settings.hinted = False, False
    ui.play()
    window._begin()
    assert ui.stages == [first_filter(ui.workspace.adapter)[0]]
    assert window.viewport.view.split == 0.5 and not ui.workspace.edits.history.undo_label
    assert window.notices.notices == (Notice("info", "Drag the line to compare. Drop a video to begin."),)
    ui.wait(lambda: ui.workspace.engine.pipeline.chain.statuses[0].state == "running")
    assert not window.overlay.state().rows
    # What the user does with the chain is kept; the next start leaves it alone, and hints no more.
    ui.workspace.edits.clear_chain()
    ui.workspace.edits.history = History(ui.workspace.edits.setup)
    window.notices.clear()
    window._begin()
    assert ui.stages == [] and not ui.notices
    settings.names_things = settings.shows_look = True


def test_a_software_adapter_begins_with_what_it_can_do_in_time():
    software = AdapterInfo("llvmpipe", "software", "Vulkan", "", "")
    assert first_filter(software)[0] == "edge_glow"
    assert first_filter(replace(software, kind="discrete"))[0] == "style"


def test_a_style_in_the_box_is_one_click_away_and_asks_nothing(ui):
    ui.play()
    ui.settle()
    button = next(b for b in chain_of(ui.window).findChildren(QPushButton) if b.text() == "Ink and wash")

    def asking() -> set[InputDialog]:
        return {dialog for dialog in ui.window.findChildren(InputDialog) if dialog.isVisible()}

    before = asking()  # one of another test may still be there for a moment
    click(button)
    ui.wait(lambda: ui.workspace.edits.chain.stages)
    stage = ui.workspace.edits.chain.stages[0]
    assert stage.filter == "style" and stage.values["model"] == "style_ink"
    assert asking() <= before


def test_a_folder_of_networks_is_opened_by_menu_and_button(ui, panel, tmp_path):
    folder = tiny_pipeline.write_pipeline(tmp_path / "pipe")
    action = ui.window.menus.actions["open_pipeline"]
    button = next(
        b for b in panel.findChildren(IconButton) if action.text().replace("&", "")[:20] in b.toolTip()
    )
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    with chosen_paths(tmp_path, "", folder):
        action.trigger()
        ui.wait(lambda: ui.notices)
        assert ui.stages == [] and "has no model_index.json; give a folder as" in ui.notices[-1]
        action.trigger()
        assert ui.stages == []
        button.click()
        ui.wait(lambda: ui.stages == ["diffusion"])
    assert ui.workspace.edits.chain.stages[0].values["model"] == str(folder)
