"""The device in a network's card: choices, selection, and the time of copies."""

from __future__ import annotations

import material
import pytest
from window_panels import chain_of

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.snapshot import NetworkStatus
from desktop.ui.features.networks.network_card import NetworkCard
from desktop.ui.features.networks.networks import Networks
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.backends.backend import AvailableDevices, ComputeDevice
from desktop.vision.backends.devices import BackendDevices, list_devices, list_devices_apart

LISTED = (
    BackendDevices("wgpu", "WebGPU (wgpu)", AvailableDevices()),
    BackendDevices(
        "onnxruntime",
        "ONNX Runtime",
        AvailableDevices(
            (ComputeDevice("cpu", "CPU", "cpu"), ComputeDevice("openvino:gpu", "OpenVINO (GPU)", "gpu")),
            ("onnxruntime_ep_webgpu is installed, and finds no device of its own here.",),
        ),
    ),
    BackendDevices("torch", "PyTorch", AvailableDevices((ComputeDevice("cpu", "CPU", "cpu"),))),
)


@pytest.fixture
def card(qtbot):
    """A card by itself, whose devices come when `card.answer` is called."""
    asked = []
    made = NetworkCard(
        Themed(), WheelGuard(), query_devices=lambda done, failed: asked.append((done, failed))
    )
    qtbot.addWidget(made)
    made.asked = asked
    made.set_expanded(True)
    return made


def entries(card) -> list[str]:
    box = card.device.box
    return [box.itemData(at) for at in range(box.count())]


def test_devices_are_looked_for_when_a_backend_has_some(card):
    card.update_spec(NetworkSpec("a.onnx"))
    assert not card.device.isVisibleTo(card) and card.asked == []
    card.update_spec(NetworkSpec("a.onnx", "wgpu"))
    assert not card.device.isVisibleTo(card) and card.asked == []
    card.update_spec(NetworkSpec("a.onnx", "onnxruntime", device="quantum:0"))
    assert card.device.isVisibleTo(card) and len(card.asked) == 1
    assert entries(card) == ["auto", "quantum:0"], "what is chosen stays, whether it is here or not"
    card.asked[0][0](LISTED)
    assert entries(card) == ["auto", "cpu", "openvino:gpu", "quantum:0"]
    assert card.device.box.currentData() == "quantum:0"
    assert "finds no device of its own" in card.device.note.text()
    card.update_spec(NetworkSpec("a.pt", "torch"))
    assert entries(card) == ["auto", "cpu"] and len(card.asked) == 1 and card.device.note.text() == ""


def test_a_choice_is_an_edit_and_goes_with_its_backend(card, qtbot):
    card.update_spec(NetworkSpec("a.onnx", "onnxruntime"))
    card.asked[0][0](LISTED)
    with qtbot.waitSignal(card.edited) as edited:
        card.device.box.setCurrentIndex(2)
        card.device.box.activated.emit(2)
    spec, what = edited.args
    assert (spec.backend, spec.device, what) == ("onnxruntime", "openvino:gpu", "device")
    card.update_spec(spec)
    with qtbot.waitSignal(card.edited) as edited:
        card.backend.setCurrentIndex(card.backend.findData("torch"))
        card.backend.activated.emit(card.backend.currentIndex())
    assert (edited.args[0].backend, edited.args[0].device) == ("torch", "auto")


def test_a_failed_search_is_told_and_can_be_repeated(card):
    card.update_spec(NetworkSpec("a.onnx", "torch"))
    card.asked[0][1]("No.")
    assert card.device.note.text() == "No."
    card.update_spec(NetworkSpec("a.onnx", "onnxruntime"))
    assert len(card.asked) == 2


def test_copies_stand_beside_the_pace(card):
    status = NetworkStatus("running", "here: because")
    card.show_status(status, 4.0, 20.0)
    assert "copies" not in card.pace.text()
    card.show_status(status, 4.0, 20.0, copies_ms=1.25)
    assert card.pace.text().endswith("; 1.25 ms of each are copies to the device and back")


def test_a_process_of_its_own_lists_what_this_one_would():
    assert list_devices_apart() == list_devices()


def test_the_window_shows_the_device_and_why(ui, tmp_path):
    ui.play("sample:128x72@30")
    model = material.classifier(tmp_path / "mean.onnx")
    ui.workspace.get(Networks).choose(NetworkSpec(str(model), "onnxruntime", device="cpu"))
    pipeline = ui.workspace.engine.pipeline
    ui.wait(lambda: pipeline.stats.network_fps > 0)
    shown = chain_of(ui.window).network
    chain_of(ui.window).update_figures()
    assert shown.text.text().startswith(
        "onnxruntime on CPU, fp32: onnxruntime and cpu were chosen by the user."
    )
    ui.wait(lambda: shown.device.box.findText("CPU") > 0)
    assert shown.device.box.currentData() == "cpu"
    ui.workspace.get(Networks).choose(NetworkSpec(str(model), "onnxruntime", device="quantum:0"))
    ui.wait(lambda: ui.workspace.engine.current.network_status.state == "failed")
    chain_of(ui.window).update_figures()
    assert "cannot run on 'quantum:0'" in shown.text.text()
