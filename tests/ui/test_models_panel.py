"""The library's page of networks and the form about a network's input, in the real window, against a server on the
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
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton
from waiting import LIMIT_S
from window_panels import chain_of, choose_in_menu, networks_of, stats_of

from desktop.base.errors import LibraryError
from desktop.compute.gpu.device import AdapterInfo
from desktop.ui.features.networks.downloads import Downloads
from desktop.ui.features.networks.model_dialogs import InputDialog
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.preferences.page import PreferencesDialog
from desktop.ui.kit.messages import Notice
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
def page(ui, server, tmp_path, monkeypatch):
    """The page with two networks to download, a folder and a mirror of its own."""
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    found = networks_of(ui.window)
    found.leave()
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
    found.networks.set_catalogue({entry.id: entry for entry in entries})
    found.show()
    ui.wait(lambda: is_listed(ui) and {"mean", "other"} <= found.keys)
    yield found
    for name in found.keys:
        found.networks.do(name, "pause")
    ui.wait(lambda: not any(each.is_downloading for each in found.networks.listed))
    if found.forms.form is not None:
        close(found)
    found.leave()
    found.networks.set_catalogue(None)
    ui.window.notices.clear()
    settings.model_folder = settings.model_mirror = ""
    settings.offline = False


def close(page) -> None:
    with contextlib.suppress(RuntimeError):  # it was closed by what the test did
        page.forms.form.reject()
    page.forms.form = None


def click(widget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def is_listed(ui) -> bool:
    """Return whether no reading of the folder is under way."""
    return not ui.workspace.jobs.running


def hint_of(page) -> str:
    """What stands in place of the tiles, '' with tiles."""
    if page.library.view.isVisible():
        return ""
    labels = page.library.findChildren(QLabel)
    return "".join(label.text() for label in labels if label.isVisible() and label.objectName() == "muted")


def test_download_then_use(ui, page, tmp_path):
    assert page.item("mean").button == "download" and page.item("mean").is_button_shown
    assert page.item("mean").download_size in page.spoken("mean")
    page.press("mean")
    ui.wait(lambda: page.listed("mean").is_ready)
    assert (tmp_path / "models" / "mean.onnx").exists()
    assert page.item("mean").button == "plus" and page.listed("mean").item.section == "downloaded"
    page.press("mean")
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    assert ui.workspace.edits.setup.network.model == str(tmp_path / "models" / "mean.onnx")
    ui.wait(lambda: page.item("mean").is_used)
    assert page.item("mean").button == "close" and "In use" in page.spoken("mean")
    page.press("mean")
    ui.wait(lambda: not page.item("mean").is_used)
    assert ui.workspace.edits.setup.network is None
    # Used from the library's folder, it is not listed a second time among the user's own.
    ui.wait(lambda: is_listed(ui))
    assert str(tmp_path / "models" / "mean.onnx") not in page.keys


def test_keyboard_alone(ui, page):
    ui.activate()
    view, search = page.library.view, page.library.search
    ui.wait(lambda: search.hasFocus())
    QTest.keyClicks(search, "mean col")
    assert page.titles == ["Mean color"]
    QTest.keyClick(search, Qt.Key.Key_Return)
    ui.wait(lambda: page.listed("mean").is_ready)
    search.clear()
    QTest.keyClick(search, Qt.Key.Key_Down)
    assert view.hasFocus()
    view.select(page.library.model.row_of("network mean"))
    QTest.keyClick(view, Qt.Key.Key_Return)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.wait(lambda: page.item("mean").is_used)
    card = chain_of(ui.window).network
    card.set_expanded(False)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert card.expanded, "Enter shows the settings of a network in use"


def test_search(ui, page):
    search = page.library.search
    search.setText("bsd depth")
    assert page.titles == ["Another"]
    search.setText("nothing like it")
    assert page.titles == [] and "nothing like it" in hint_of(page)
    search.clear()
    assert {"Another", "Mean color"} <= set(page.titles) and not hint_of(page)
    page.library.show_page("looks")
    search.setText("strongest color")
    assert page.titles == ["Mean color"], "a search finds networks on each page"


def test_sections_and_favorites(ui, page):
    groups = page.library.groups
    groups.setCurrentIndex(groups.findData("catalogue"))
    assert set(page.titles) == {"Another", "Mean color"}
    groups.setCurrentIndex(0)
    page.press_second("other")
    assert ui.workspace.settings.favorite_networks == ["other"] and page.titles[0] == "Another"
    groups.setCurrentIndex(groups.findText("Favorites"))
    assert page.titles == ["Another"]
    page.press_second("other")
    assert page.titles == [] and "star of a network" in hint_of(page)


def test_pause_go_on_and_cancel(ui, page, server, tmp_path):
    count = len(server.data) // 2
    server.script(stall_after(count))
    page.press("mean")
    ui.wait(lambda: page.listed("mean").is_downloading and (page.listed("mean").received or 0) > 0)
    assert page.item("mean").button == "pause" and page.item("mean").is_cancelable
    assert " of " in page.item("mean").facts
    page.press("mean")
    ui.wait(lambda: not page.listed("mean").is_downloading and page.listed("mean").item.state == "partial")
    assert "interrupted" in page.item("mean").facts and page.listed("mean").received > 0
    assert "Resume the download" in page.menu_texts("mean")
    server.script(stall_after(1))
    server.asked.clear()
    page.press("mean")
    ui.wait(lambda: server.asked)
    assert server.asked[0].range == f"bytes={count}-{len(server.data) - 1}"
    page.press_second("mean")
    ui.wait(lambda: not page.listed("mean").is_downloading and page.listed("mean").item.state == "missing")
    assert list((tmp_path / "models").iterdir()) == []


def test_failure_stays_on_the_tile(ui, page, server):
    server.script(then=answer(404))
    page.press("mean")
    ui.wait(lambda: page.item("mean").network.error)
    assert "404 (Not Found)" in page.tip("mean") and "404" in page.spoken("mean")
    assert any("404 (Not Found)" in text for text in ui.notices)
    server.script()
    page.press("mean")
    ui.wait(lambda: page.listed("mean").is_ready)
    assert not page.item("mean").network.error


def test_offline_is_said_and_makes_no_request(ui, page, server):
    ui.workspace.settings.offline = True
    ui.wait(lambda: page.library.banner.isVisible())
    page.press("mean")
    ui.wait(lambda: page.item("mean").network.error)
    assert "set to work offline" in page.tip("mean") and server.asked == []


def test_its_menu_opens_the_preferences_and_it_follows_them(ui, page, tmp_path):
    menu = page.library.make_network_menu()
    next(action for action in menu.actions() if "mirror" in action.text()).trigger()
    (preferences,) = ui.window.findChildren(PreferencesDialog)
    assert preferences.rows["offline"].isVisible() and not preferences.rows["theme"].isVisible()
    preferences.rows["model_folder"].editor.edited.emit(str(tmp_path / "second"))
    preferences.close()
    ui.wait(lambda: is_listed(ui))
    page.press("mean")
    ui.wait(lambda: (tmp_path / "second" / "mean.onnx").exists())


def test_remove_is_asked(ui, page, tmp_path):
    page.press("mean")
    ui.wait(lambda: page.listed("mean").is_ready)
    path = tmp_path / "models" / "mean.onnx"
    page.press("mean")
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.workspace.get(Networks).choose(None)

    def question() -> QMessageBox:
        page.choose("mean", "Delete the download...")
        return next(box for box in ui.window.findChildren(QMessageBox) if box.isVisible())

    box = question()
    box.button(box.StandardButton.Cancel).click()
    assert path.exists()
    box = question()
    next(b for b in box.buttons() if b.text() == "Remove").click()
    ui.wait(lambda: page.listed("mean").item.state == "missing")
    assert not path.exists() and page.listed("mean").item.section == "catalogue"
    ui.wait(lambda: is_listed(ui))
    assert str(path) not in page.keys


def test_menu_offers_what_is_possible(ui, page):
    assert page.menu_texts("mean") == ["Download", "Open its web page", "Copy the address"]
    page.press("mean")
    ui.wait(lambda: page.listed("mean").is_ready)
    texts = page.menu_texts("mean")
    assert texts[:3] == ["Use", "Preprocessing...", "Verify the checksum"]
    assert texts[-1] == "Delete the download..."


def test_own_file_is_listed_and_forgotten(ui, page, tmp_path):
    path = material.classifier(tmp_path / "mine.onnx")
    ui.drop(path)
    ui.wait(lambda: str(path) in page.keys)
    assert page.listed(str(path)).item.section == "recent"
    assert page.forms.form is None  # the file says all
    path.unlink()
    page.networks.refresh()
    ui.wait(lambda: page.listed(str(path)).item.state == "missing")
    page.library.view.select(page.library.model.row_of(f"network {path}"))
    QTest.keyClick(page.library.view, Qt.Key.Key_Delete)
    ui.wait(lambda: str(path) not in page.keys)
    assert ui.workspace.settings.models == []


def test_networks_in_the_box_come_first_and_are_used_with_a_click(ui, page, tmp_path):
    path = material.classifier(tmp_path / "boxed.onnx")
    model = BuiltinModel("boxed", path, "In the box", "classification", "MIT", "docs/model-cards/boxed.md")
    page.networks.set_catalogue({}, {"boxed": model})
    ui.wait(lambda: "box:boxed" in page.keys)
    assert page.titles[0] == "In the box"
    page.press("box:boxed")
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.wait(lambda: page.item("box:boxed").is_used)
    page.networks.set_catalogue({})
    ui.wait(lambda: "box:boxed" not in page.keys)


def test_a_tile_is_dragged_by_its_file(ui, page):
    model = page.library.model
    index = model.index(model.row_of("network box:style_ink"))
    assert [url.fileName() for url in model.mimeData([index]).urls()] == ["style_ink.onnx"]
    assert model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    absent = model.index(model.row_of("network mean"))
    assert not model.flags(absent) & Qt.ItemFlag.ItemIsDragEnabled


def test_every_built_in_network_has_a_purpose_in_tip_and_list(ui, page):
    items = [item for item in page.library.model.items if item.group == "builtin"]
    assert items and all(item.purpose and "\n" not in item.purpose for item in items)
    assert all(item.purpose in page.tip(item.name) for item in items)


class Broken(dict[str, object]):
    """A catalogue that cannot be read."""

    def values(self):
        raise LibraryError("The catalogue c.toml is not TOML; choose another.")


def test_nothing_at_all_and_a_catalogue_that_is_broken(ui, page):
    page.networks.set_catalogue({}, {})
    ui.wait(lambda: not page.keys)
    assert "Drop an .onnx" in hint_of(page)
    page.networks.set_catalogue(Broken(), {})
    ui.wait(lambda: "not TOML" in hint_of(page))
    page.networks.set_catalogue({}, {})
    ui.wait(lambda: "Drop an .onnx" in hint_of(page))


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


def unclear(ui, page, tmp_path) -> tuple[Path, InputDialog]:
    path = material.classifier(tmp_path / "unclear.onnx", stated=False)
    ui.drop(path)
    ui.wait(lambda: page.forms.form is not None)
    return path, page.forms.form


def test_form_opens_for_what_is_assumed_and_the_network_runs_meanwhile(ui, page, tmp_path):
    ui.play(str(material.image(tmp_path / "green.png", (10, 240, 20))))
    path, form = unclear(ui, page, tmp_path)
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


def test_form_asks_for_the_decoder_that_nothing_tells(ui, page, tmp_path):
    path = write_table(tmp_path / "table.onnx", np.zeros((1, 84, 8)), (64, 64))
    ui.drop(path)
    ui.wait(lambda: page.forms.form is not None)
    form = page.forms.form
    [notice] = [notice for notice in ui.notices if "; choose one, or write decoder = " in notice]
    assert "--decoder" not in notice
    assert {form.decoder.itemData(at) for at in range(form.decoder.count())} == {
        *("", "yolox", "yolov6", "yolov8")
    }
    assert not form.use.isEnabled()
    form.decoder.setCurrentIndex(form.decoder.findData("yolov6"))
    click(form.use)
    ui.wait(lambda: read_settings(path).get("decoder") == "yolov6")
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    assert "The chosen decoder is YOLOv6." in ui.workspace.engine.current.network_status.text


def test_form_is_not_opened_twice_for_a_file(ui, page, tmp_path):
    path, form = unclear(ui, page, tmp_path)
    form.reject()
    page.forms.form = None
    ui.workspace.get(Networks).choose(None)
    ui.drop(path)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    ui.wait(lambda: not ui.workspace.jobs.running)
    assert page.forms.form is None


def test_form_says_what_is_wrong_and_stays(ui, page, tmp_path):
    path, form = unclear(ui, page, tmp_path)
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


def test_ranges_follow_the_colour_order(ui, page, tmp_path):
    _, form = unclear(ui, page, tmp_path)
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


def test_no_form_is_opened_for_a_network_that_cannot_run(ui, page, tmp_path):
    path = puzzle(tmp_path / "foreign.onnx", "Frobnicate", "com.example")
    ui.drop(path)
    ui.wait(lambda: ui.notices and not ui.workspace.jobs.running)
    assert page.forms.form is None
    assert ui.notices == [
        "foreign.onnx runs neither on wgpu nor on onnxruntime; choose another network "
        "(it has 1 unsupported node: com.example.Frobnicate)."
    ]


def test_a_network_of_unknown_task_does_nothing_until_that_was_asked(ui, page, tmp_path):
    path = puzzle(tmp_path / "puzzle.onnx", "Transpose")
    ui.drop(path)
    ui.wait(lambda: page.forms.form is not None)
    assert page.forms.form.found.path == path and page.forms.form.task.currentData() == "unknown"
    assert ui.workspace.edits.setup.network is None and not ui.stages and not ui.notices
    assert not page.forms.form.use.isEnabled()
    page.forms.form.task.setCurrentIndex(page.forms.form.task.findData("classification"))
    click(page.forms.form.use)
    ui.wait(lambda: ui.notices)
    assert read_settings(path)["task"] == "classification" and "is not a classifier" in ui.notices[0]


def test_a_network_replaces_that_of_its_kind_or_is_another_effect(ui, page):
    ink, oil, mask = (f"box:{name}" for name in ("style_ink", "style_oil", "person_mask"))
    assert {page.menu_texts(key)[0] for key in (ink, oil, mask)} == {"Use"}
    page.press(ink)
    ui.wait(lambda: ui.stages == ["style"])
    assert page.menu_texts(ink)[:2] == ["Settings", "Remove from the chain"]
    assert page.menu_texts(oil)[:2] == ["Use", "Add as another effect"]
    page.press(oil)
    ui.wait(lambda: ui.workspace.edits.chain.stages[0].values["model"] == "style_oil")
    assert ui.stages == ["style"] and page.item(oil).is_used and not page.item(ink).is_used
    page.choose(ink, "Add as another effect")
    ui.wait(lambda: ui.stages == ["style", "style"])
    page.choose(oil, "Remove from the chain")
    assert ui.stages == ["style"] and ui.workspace.edits.chain.stages[0].values["model"] == "style_ink"


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
    actions = chain_of(ui.window).make_menu().actions()
    next(action for action in actions if action.text() == "About the time of the chain").trigger()
    (popup,) = ui.window.findChildren(InformationPopup)
    assert ("unreliable" in popup.text) == rough and total.text() in popup.text
    popup.close()
    assert (card.time.text() == "") == rough
    stats_of(ui.window).update_figures()
    assert ("unreliable" in stats_of(ui.window).numbers.text) == rough


def test_form_is_reached_from_the_networks_card(ui, page, tmp_path):
    path = material.classifier(tmp_path / "clear.onnx")
    ui.drop(path)
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "running")
    card = chain_of(ui.window).network
    choose_in_menu(card, "Preprocessing...")
    ui.wait(lambda: page.forms.form is not None)
    assert page.forms.form.found.path == path and page.forms.form.range.currentData() == "0..1"


def test_folder_that_cannot_be_written_is_told_and_the_values_are_used(ui, page, tmp_path):
    path, form = unclear(ui, page, tmp_path)
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


def test_form_of_a_stage_s_network_loads_it_anew(ui, page, tmp_path, monkeypatch):
    path = painter(tmp_path / "same.onnx")
    ui.drop(path)
    ui.wait(lambda: ui.stages == ["style"])
    ui.wait(lambda: str(path) in page.keys and page.listed(str(path)).is_used)
    page.forms.open(str(path))
    ui.wait(lambda: page.forms.form is not None)
    form = page.forms.form
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


def test_stated_task_decides_what_a_file_becomes(ui, page, tmp_path):
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
    hint = "Drop your own video, pick a look, or drag the line to compare."
    assert window.notices.notices == (Notice("hint", hint),)
    assert [button.text for button in window.notices.notices[0].buttons] == [
        "Open...",
        "Pick a look",
        "Compare",
    ]
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


def test_a_folder_of_networks_is_opened_by_both_menus(ui, page, tmp_path):
    folder = tiny_pipeline.write_pipeline(tmp_path / "pipe")
    action = ui.window.menus.actions["open_pipeline"]
    menu = page.library.make_network_menu()
    assert action in menu.actions() and page.library.more.focusPolicy() & Qt.FocusPolicy.TabFocus
    with chosen_paths(tmp_path, "", folder):
        action.trigger()
        ui.wait(lambda: ui.notices)
        assert ui.stages == [] and "has no model_index.json; give a folder as" in ui.notices[-1]
        action.trigger()
        assert ui.stages == []
        next(each for each in menu.actions() if each is action).trigger()
        ui.wait(lambda: ui.stages == ["diffusion"])
    assert ui.workspace.edits.chain.stages[0].values["model"] == str(folder)
