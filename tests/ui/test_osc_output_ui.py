"""The window's OSC output: what an address gets, and the notice without the package."""

from __future__ import annotations

import importlib.util
import select
import socket

from desktop.pipeline.setup.known import require_preset
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.osc_output.osc_sender import OscSender
from desktop.ui.features.osc_output.settings import OscOutputSettings


class Receiver:
    """A stand-in for the output."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self.is_closed = False
        self.fault = ""

    def send_changed(self, values):
        self.values = dict(values)

    def send(self, path, values):
        raise AssertionError("there are no events")

    def close(self):
        self.is_closed = True


def test_the_look_is_sent(ui):
    sender, receiver = ui.workspace.get(OscSender), Receiver()
    sender.use(receiver)
    try:
        ui.wait(lambda: receiver.values == {"/lightloom/look": ("",)})
        ui.workspace.get(Opening).load_preset(require_preset("miniature"))
        ui.wait(lambda: receiver.values == {"/lightloom/look": ("Miniature",)})
        receiver.fault = "OSC cannot be sent; check the address."
        ui.wait(lambda: ui.notices == [receiver.fault])
        receiver.fault = ""
        ui.wait(lambda: not ui.notices)
    finally:
        sender.use(None)
    assert receiver.is_closed


def test_it_is_off_until_a_setting_asks_for_it(ui):
    settings = OscOutputSettings(ui.workspace.settings)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.setblocking(False)
        settings.osc_target = str(receiver.getsockname()[1])
        if importlib.util.find_spec("pythonosc") is None:
            ui.wait(lambda: ui.notices)
            assert "OSC needs the package python-osc" in ui.notices[0]
        else:
            ui.wait(lambda: select.select([receiver], [], [], 0)[0])
            assert receiver.recv(9000).startswith(b"/lightloom/look")
    settings.osc_target = ""
    assert ui.notices == []
