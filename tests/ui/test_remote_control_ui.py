"""Remote control of the window: requests change what it shows, the dialog shows who may send them."""

from __future__ import annotations

import http.client
import json
import re
import socket
import stat
import sys
import threading
from typing import Any

import pytest
from event_rig import free_port

from desktop.base.errors import ControlError
from desktop.base.resources import resource
from desktop.pipeline.chain.spec import ChainSpec
from desktop.ui.features.remote_control.dialog import RemoteControlDialog
from desktop.ui.features.remote_control.page_texts import page_texts
from desktop.ui.features.remote_control.remote_control import RemoteControl
from desktop.ui.features.remote_control.settings import NETWORK, ControlSettings
from desktop.ui.features.remote_control.token_file import StoredToken, stored_token
from desktop.ui.kit.widgets import Themed


@pytest.fixture
def settings(ui):
    found = ControlSettings(ui.workspace.settings)
    yield found
    for setting in ControlSettings.all():
        setting.put_back(found)
    ui.wait(lambda: not ui.workspace.get(RemoteControl).addresses)
    ui.workspace.edits.edit_chain(ChainSpec(), "clear")


@pytest.fixture
def control(ui, settings):
    """The window is controlled on a free port."""
    control = ui.workspace.get(RemoteControl)
    settings.control_port = free_port()
    settings.control_on = True
    ui.wait(lambda: control.addresses)
    return control


@pytest.fixture
def ask(ui, control, settings):
    """Returns status and document of a request, which is sent on a thread while the window lives."""

    def send(method: str, path: str, body: Any, found: list[tuple[int, Any]]) -> None:
        connection = http.client.HTTPConnection("localhost", settings.control_port, timeout=20)
        headers = {"Authorization": f"Bearer {control.token}", "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        found.append((response.status, json.loads(response.read())))
        connection.close()

    def ask(method: str, path: str, body: Any = None) -> tuple[int, Any]:
        found: list[tuple[int, Any]] = []
        thread = threading.Thread(target=send, args=(method, path, body, found))
        thread.start()
        ui.wait(lambda: not thread.is_alive())
        return found[0]

    return ask


def test_nothing_is_served_until_it_is_switched_on(ui):
    assert ui.workspace.get(RemoteControl).addresses == ()
    assert ui.workspace.get(RemoteControl).token == ""


def test_the_option_goes_before_the_settings(ui, settings):
    control = ui.workspace.get(RemoteControl)
    control.begin(None)
    assert control.addresses == ()
    port = free_port()
    control.begin(port)
    ui.wait(lambda: control.addresses == (f"http://localhost:{port}/",))
    dialog = RemoteControlDialog(ui.workspace, ui.workspace.get(Themed), ui.window)
    dialog.show()
    assert dialog.of_run.isVisible()
    settings.control_reach, settings.control_port = NETWORK, free_port()
    ui.qtbot.wait(300)
    assert control.addresses == (f"http://localhost:{port}/",) and not dialog.warning.isVisible()
    settings.control_reach = "local"
    settings.control_on = True
    ui.wait(lambda: control.addresses == (f"http://localhost:{settings.control_port}/",))
    assert not dialog.of_run.isVisible()
    dialog.close()
    settings.control_on = False
    ui.wait(lambda: not control.addresses)


def test_parameters_are_read_and_set(ui, ask):
    stage = ui.workspace.edits.add_filter("gaussian_blur")
    status, found = ask("GET", "/v1/parameters")
    assert status == 200 and found["stages"][0]["title"] == "Gaussian blur"
    names = {each["name"]: each for each in found["stages"][0]["parameters"]}
    assert names["radius"]["type"] == "float" and names["radius"]["max"] > names["radius"]["min"]
    assert ask("PATCH", "/v1/parameters", {"stage": stage, "values": {"radius": 9, "opacity": 0.5}})[0] == 200
    spec = ui.workspace.edits.chain.find(stage)
    assert (spec.values["radius"], spec.opacity) == (9.0, 0.5)
    # All or none.
    status, found = ask("PATCH", "/v1/parameters", {"stage": stage, "values": {"opacity": 1.0, "radius": -1}})
    assert status == 400 and "radius" in found["error"]
    assert ui.workspace.edits.chain.find(stage).opacity == 0.5
    assert ask("PATCH", "/v1/parameters", {"stage": stage, "values": {"table": "/etc/passwd"}})[0] == 404
    assert ask("PATCH", "/v1/parameters", {"stage": 99, "values": {"radius": 1}})[0] == 404
    status, state = ask("POST", "/v1/undo")
    assert status == 200 and state["redo"] and ui.workspace.edits.chain.find(stage).opacity == 1.0


def test_files_cannot_be_chosen(ui, ask):
    stage = ui.workspace.edits.add_filter("lut")
    parameters = ask("GET", "/v1/parameters")[1]["stages"][0]["parameters"]
    assert "table" not in {each["name"] for each in parameters}
    assert ask("PATCH", "/v1/parameters", {"stage": stage, "values": {"table": "/etc/passwd"}})[0] == 404


def test_a_look_is_applied_and_undone(ui, ask):
    names = [look["name"] for look in ask("GET", "/v1/looks")[1]["looks"]]
    assert "miniature" in names
    assert ask("POST", "/v1/looks/miniature/apply")[0] == 200
    ui.wait(lambda: ui.stages)
    assert ask("GET", "/v1/state")[1]["look"] == {"title": "Miniature", "is_changed": False}
    assert ask("POST", "/v1/looks/monochrome/apply", {"fade": 0})[0] == 200
    assert ask("POST", "/v1/looks/monochrome/apply", {"fade": 61})[0] == 400
    assert ask("POST", "/v1/looks/nothing/apply")[0] == 404


def test_playback_recordings_and_snapshots(ui, ask, tmp_path):
    ui.workspace.settings.snapshot_folder = str(tmp_path)
    ui.workspace.settings.recording_folder = str(tmp_path)
    assert ask("POST", "/v1/snapshot")[0] == 400, "there is no frame yet"
    ui.play()
    state = ask("POST", "/v1/pause")[1]
    assert state["source"]["kind"] == "sample" and not state["is_playing"]
    assert ask("POST", "/v1/play")[1]["is_playing"]
    assert ask("POST", "/v1/snapshot")[0] == 200
    assert ask("POST", "/v1/record", {"on": True})[1]["is_recording"]
    assert ask("POST", "/v1/record", {"on": True})[1]["is_recording"], "twice is once"
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 5)
    ask("POST", "/v1/record", {"on": False})
    ui.wait(lambda: not ask("GET", "/v1/state")[1]["is_recording"])
    ui.wait(lambda: {path.suffix for path in tmp_path.iterdir()} >= {".png", ".mp4"})


def test_the_code_is_the_user_s_alone_and_can_be_renewed(ui, control, ask):
    path = ui.workspace.settings.path.with_name("remote-control.token")
    assert path.read_text().strip() == control.token
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = control.token
    control.renew_token()
    ui.wait(lambda: control.token != before and control.addresses)
    assert ask("GET", "/v1/state")[0] == 200
    assert path.read_text().strip() == control.token


@pytest.mark.parametrize("text", ["", "short\n", "\x00" * 40])
def test_a_damaged_code_is_replaced(text, tmp_path):
    path = tmp_path / "folder" / "remote-control.token"
    first = stored_token(path)
    assert stored_token(path) == first and len(first.text) == 19 and not first.warning
    path.write_text(text)
    second = stored_token(path)
    assert second.text not in (first.text, text) and "was damaged" in second.warning
    assert stored_token(path) == StoredToken(path.read_text().strip())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_a_code_that_others_could_read_is_closed_to_them(tmp_path):
    path = tmp_path / "remote-control.token"
    token = stored_token(path).text
    path.chmod(0o644)
    assert "Other users" in stored_token(path).warning
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stored_token(path) == StoredToken(token)


def test_a_code_that_cannot_be_read_stays(tmp_path):
    path = tmp_path / "remote-control.token"
    path.mkdir()
    with pytest.raises(ControlError, match="delete the file"):
        stored_token(path)
    assert path.is_dir()


def test_a_code_that_cannot_be_stored(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ControlError, match="make the folder writable"):
        stored_token(tmp_path / "file" / "remote-control.token")


def test_the_dialog_shows_address_code_and_a_warning(ui, control, settings):
    dialog = RemoteControlDialog(ui.workspace, ui.workspace.get(Themed), ui.window)
    dialog.show()
    assert f"http://localhost:{settings.control_port}/" in dialog.address.text()
    assert dialog.code.text() == control.token and dialog.copy.isEnabled()
    assert not dialog.warning.isVisible()
    settings.control_reach = NETWORK
    assert dialog.warning.isVisible()
    settings.control_on = False
    ui.wait(lambda: dialog.note.text() == "None while remote control is off.")
    assert dialog.code.text() == "" and not dialog.renew.isEnabled()
    dialog.close()


def test_a_port_that_is_taken_is_reported(ui, control, settings, ask):
    taken = settings.control_port
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings.control_port = other.getsockname()[1]
        ui.wait(lambda: ui.notices)
        assert "Remote control cannot use port" in ui.notices[0]
    settings.control_port = taken
    ui.wait(lambda: control.addresses)
    assert ask("GET", "/v1/state")[0] == 200


def test_a_wish_that_failed_does_not_end_the_one_after_it(ui, control, settings, ask):
    free = settings.control_port
    with socket.create_server(("127.0.0.1", 0)) as other:
        for _ in range(5):
            settings.control_port = other.getsockname()[1]
            settings.control_port = free
    ui.wait(lambda: not ui.workspace.jobs.running)
    ui.wait(lambda: control.addresses)
    assert ask("GET", "/v1/state")[0] == 200
    settings.control_on = False
    ui.wait(lambda: not control.addresses)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", free))


def test_the_old_code_is_not_served_again_if_there_is_no_new_one(ui, control, settings):
    path = ui.workspace.settings.path.with_name("remote-control.token")
    old = control.token
    blocked = path.with_suffix(".part")
    blocked.mkdir()
    try:
        control.renew_token()
        ui.wait(lambda: any("cannot be stored" in notice for notice in ui.notices))
        assert not control.addresses
    finally:
        blocked.rmdir()
    settings.control_on = False
    settings.control_on = True
    ui.wait(lambda: control.addresses)
    assert control.token != old


def test_all_texts_of_the_page_are_translated(ui):
    text = resource("assets", "remote_control", "page.html").read_text(encoding="utf-8")
    used = set(re.findall(r'data-text="([^"]+)"', text)) | set(re.findall(r'say\("([^"]+)"\)', text))
    assert used == set(page_texts())
