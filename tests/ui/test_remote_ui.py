"""Networks on servers in the window: named by address, asked about, dropped, in presets and lists; and what
the card says.
"""

from __future__ import annotations

import cv2
import pytest
from inference_rig import InferenceServer, Network
from key_ring import key_ring
from PySide6.QtWidgets import QDialog, QMessageBox
from tiny_models import square_detector, squares
from window_panels import chain_of

from desktop.base.errors import LibraryError
from desktop.net.inference.hosts import AllowedHosts
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.networks.remote_dialog import RemoteDialog
from desktop.ui.features.opening.opening import Opening

FAR = "grpc://pictures.example:8001/net"


@pytest.fixture(autouse=True)
def own_hosts(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_CONFIG", str(tmp_path / "hosts"))


@pytest.fixture
def server(tmp_path):
    found = InferenceServer(Network.of_onnx(square_detector(tmp_path / "squares.onnx")))
    yield found
    found.close()


@pytest.fixture
def playing(ui, tmp_path):
    path = tmp_path / "squares.png"
    assert cv2.imwrite(str(path), squares()[..., ::-1])
    ui.play(str(path))
    return ui


def state(ui):
    return ui.workspace.engine.current.network_status.state


def question(ui):
    """The box that asks about hosts, once it is there."""
    boxes = ui.window.findChildren(QMessageBox)
    return next((box for box in boxes if box.isVisible()), None)


def answer(ui, role):
    ui.wait(lambda: question(ui) is not None)
    box = question(ui)
    assert "pictures.example" in box.text()
    next(b for b in box.buttons() if box.buttonRole(b) == role).click()
    ui.wait(lambda: question(ui) is None)


def test_an_address_is_dropped_shown_kept_and_comes_back_with_its_server(playing, server):
    playing.drop(server.grpc)
    playing.wait(lambda: state(playing) == "running")
    playing.wait(lambda: len(playing.window.overlay.state().found) == 2)
    card = chain_of(playing.window).network
    assert playing.workspace.edits.setup.network == NetworkSpec(server.grpc)
    assert card.title.text() == "net" and playing.workspace.settings.models[0] == server.grpc
    playing.wait(lambda: "does not tell" in card.pace.text() or "network and packing" in card.pace.text())

    server.fault = "error"
    playing.workspace.engine.pipeline.analyses.refresh()
    playing.window.viewport.wake()  # a picture that stands still is not drawn by itself
    playing.wait(lambda: state(playing) == "away")
    playing.wait(lambda: any("The request is repeated automatically" in text for text in playing.notices))
    playing.wait(lambda: "The request is repeated automatically" in card.text.text())
    server.fault = ""
    playing.wait(lambda: state(playing) == "running")
    playing.wait(lambda: not any("The request is repeated automatically" in text for text in playing.notices))
    assert len(playing.window.overlay.state().found) == 2


def test_a_preset_does_not_send_pictures_to_a_host_that_is_not_allowed(playing, tmp_path):
    preset = tmp_path / "stranger.toml"
    preset.write_text(f'lightloom = 1\n[network]\nmodel = "{FAR}"\n')
    playing.drop(preset)
    answer(playing, QMessageBox.ButtonRole.RejectRole)
    playing.wait(lambda: any("you have not allowed that" in text for text in playing.notices))
    assert AllowedHosts().all() == ()

    playing.drop(FAR)
    answer(playing, QMessageBox.ButtonRole.AcceptRole)
    assert AllowedHosts().all() == ("pictures.example",)
    # Now it is asked for, and there is none of that name.
    playing.wait(lambda: any("cannot be had from pictures.example:8001" in text for text in playing.notices))


def test_a_list_of_hosts_that_cannot_be_written_is_a_sentence(playing, tmp_path, monkeypatch):
    AllowedHosts().allow("other.example")

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("desktop.net.inference.hosts.replace_file", refuse)
    playing.drop(FAR)
    answer(playing, QMessageBox.ButtonRole.AcceptRole)
    playing.wait(lambda: any("cannot be written" in text for text in playing.notices))
    playing.wait(lambda: any("you have not allowed that" in text for text in playing.notices))

    playing.window.actions_by_name["open_remote"].trigger()
    dialog = playing.window.findChild(RemoteDialog)
    dialog.hosts.setCurrentRow(0)
    dialog.remove.click()
    assert "cannot be written" in dialog.error.text()
    assert dialog.hosts.count() == 1  # it is allowed as before
    dialog.reject()


@pytest.mark.parametrize(
    ("kept", "why"), [(b"caf\xe9.example\n", "is not UTF-8"), (b"a\n" * 40_000, "larger than 64 KiB")]
)
def test_the_dialog_says_that_the_list_of_hosts_cannot_be_read(playing, tmp_path, kept, why):
    """An empty list would look as if none were allowed yet; and nothing writes over it."""
    path = tmp_path / "hosts" / "hosts.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(kept)
    playing.window.actions_by_name["open_remote"].trigger()
    dialog = playing.window.findChild(RemoteDialog)
    assert dialog.error.isVisible() and why in dialog.error.text() and str(path) in dialog.error.text()
    assert not dialog.hosts.isVisible()
    dialog.reject()
    with pytest.raises(LibraryError, match=why):
        AllowedHosts().remove("pictures.example")
    assert path.read_bytes() == kept


def test_the_dialog_takes_an_address_and_takes_allowed_hosts_back(playing, server):
    AllowedHosts().allow("pictures.example")
    playing.window.actions_by_name["open_remote"].trigger()
    dialog = playing.window.findChild(RemoteDialog)
    assert dialog.hosts.item(0).text() == "pictures.example"
    dialog.hosts.setCurrentRow(0)
    dialog.remove.click()
    assert AllowedHosts().all() == ()
    dialog.address.setText("grpc://anna:secret@host/net")
    dialog.go.click()
    assert "key ring" in dialog.error.text() and "secret" not in dialog.error.text()
    dialog.address.setText(server.http)
    dialog.token.setText("a-token")
    closed = []
    dialog.finished.connect(closed.append)
    with key_ring() as ring:
        dialog.go.click()
        playing.wait(lambda: closed == [QDialog.DialogCode.Accepted])
        assert ring.kept == {("lightloom", f"localhost:{server.http_port}"): "a-token"}
        playing.wait(lambda: state(playing) == "running")
    assert not any("a-token" in text for text in (*playing.workspace.settings.models, *playing.notices))


def test_a_dropped_address_with_a_password_is_refused_without_it(playing):
    playing.drop("http://anna:hunter2@host/v2/models/net")
    playing.wait(lambda: any("key ring" in text for text in playing.notices))
    assert not any("hunter2" in text for text in (*playing.notices, *playing.workspace.settings.models))


def test_a_preset_keeps_the_address(playing, server, tmp_path):
    playing.drop(server.http)
    playing.wait(lambda: state(playing) == "running")
    target = tmp_path / "kept.toml"
    playing.workspace.get(Opening).save_preset(target)
    playing.wait(target.exists)
    assert f'model = "{server.http}"' in target.read_text()
    playing.workspace.get(Networks).choose(None)
    playing.wait(lambda: state(playing) == "none")
    playing.drop(target)
    playing.wait(lambda: state(playing) == "running")
    assert playing.workspace.edits.setup.network == NetworkSpec(server.http)
