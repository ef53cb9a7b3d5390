"""MIDI devices and OSC messages, through the seams of mido and python-osc."""

from __future__ import annotations

import math
import random
import socket
import struct
import sys
from types import SimpleNamespace

import pytest
from osc_rig import bundle, message, parser
from waiting import until

from desktop.base.errors import ControllerError, UsageError
from desktop.pipeline.automation.controller_input import controller_inputs
from desktop.pipeline.automation.controls import ControlValues
from desktop.pipeline.automation.inputs.midi import MidiInput
from desktop.pipeline.automation.inputs.osc import MOST_BYTES, OscInput, osc_endpoint


@pytest.fixture
def values() -> ControlValues:
    return ControlValues()


# -- OSC -----------------------------------------------------------------------------------------------------


@pytest.fixture
def osc(values):
    made = OscInput("0", values, parse=parser())
    yield made
    made.close()


def test_numbers_are_taken_from_the_network(osc, values):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(message("/fader/1", 0.25), ("127.0.0.1", osc.port))
        sender.sendto(bundle(message("/knob", 7), bundle(message("/on", True))), ("127.0.0.1", osc.port))
        until(lambda: len(values.all()) == 3)
    assert values.all() == {"osc/fader/1": 0.25, "osc/knob": 7.0, "osc/on": 1.0}
    assert osc.ignored == 0


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        b"/x",
        message("/x"),
        message("/x", "text"),
        message("/x", math.nan),
        message("/x", math.inf),
        message("x", 1.0),
        message("/x", 0.5) + bytes(MOST_BYTES),
        b"#bundle\0" + struct.pack(">Qi", 1, 1 << 30),
    ],
)
def test_what_is_no_number_is_ignored_and_counted(osc, values, packet):
    osc.take(packet)
    assert values.all() == {} and osc.ignored == 1


def test_deeply_nested_bundles_do_no_harm(osc, values):
    packet = message("/deep", 1.0)
    while len(packet) + 20 <= MOST_BYTES:
        packet = bundle(packet)
    osc.take(packet)
    osc.take(message("/after", 1.0))
    assert values.all()["osc/after"] == 1.0


def test_a_thousand_random_packets_do_no_harm(osc, values):
    draw = random.Random(5)
    seeds = [message("/a/b", 0.5, 3, "word"), bundle(message("/c", 1), message("/d", True))]
    for number in range(1000):
        data = bytearray(draw.choice(seeds) if number % 2 else draw.randbytes(draw.randrange(64)))
        for _ in range(draw.randrange(1, 6) if data else 0):
            data[draw.randrange(len(data))] = draw.randrange(256)
        osc.take(bytes(data))
    assert osc.ignored > 300 and all(math.isfinite(value) for value in values.all().values())
    osc.take(message("/fine", 1.0))
    assert values.all()["osc/fine"] == 1.0


def test_a_port_that_is_taken_is_said(osc, values):
    with pytest.raises(ControllerError, match="choose another port"):
        OscInput(str(osc.port), values, parse=parser())


def test_endpoints():
    assert osc_endpoint("9000") == ("127.0.0.1", 9000)
    assert osc_endpoint("0.0.0.0:9000") == ("0.0.0.0", 9000)
    assert osc_endpoint("[::1]:9000") == ("::1", 9000)
    for text in ("", "x", "70000", "host:", "-1"):
        with pytest.raises(UsageError, match="is no port for OSC"):
            osc_endpoint(text)


# -- MIDI ----------------------------------------------------------------------------------------------------


class Devices:
    """As the module mido: devices that come and go."""

    def __init__(self, *names: str) -> None:
        self.names, self.opened, self.closed, self.fails = list(names), {}, [], set()

    def get_input_names(self) -> list[str]:
        return list(self.names)

    def open_input(self, name: str, *, callback):
        if name in self.fails:
            raise OSError("busy")
        self.opened[name] = callback
        return SimpleNamespace(close=lambda: (self.closed.append(name), self.opened.pop(name)))


def control(number: int, value: int, channel: int = 0) -> SimpleNamespace:
    return SimpleNamespace(type="control_change", channel=channel, control=number, value=value)


def note(kind: str, number: int, velocity: int) -> SimpleNamespace:
    return SimpleNamespace(type=kind, channel=9, note=number, velocity=velocity)


def test_controllers_and_notes(values):
    devices = Devices("Knobs 24:0", "Keys 28:0")
    made = MidiInput("all", values, lambda text: None, midi=devices)
    until(lambda: len(devices.opened) == 2)
    devices.opened["Knobs 24:0"](control(7, 127, channel=1))
    devices.opened["Keys 28:0"](note("note_on", 60, 127))
    devices.opened["Keys 28:0"](SimpleNamespace(type="clock"))
    assert values.all() == {"midi/2/control/7": 1.0, "midi/10/note/60": 1.0}
    devices.opened["Keys 28:0"](note("note_off", 60, 64))
    devices.opened["Knobs 24:0"](control(7, 0, channel=1))
    assert set(values.all().values()) == {0.0}
    made.close()
    assert sorted(devices.closed) == ["Keys 28:0", "Knobs 24:0"]


def test_a_device_by_its_name_goes_and_comes_back(values):
    devices, said = Devices("Knobs 24:0", "Keys 28:0"), []
    made = MidiInput("knobs", values, said.append, midi=devices, look_s=0.01)
    until(lambda: devices.opened)
    assert list(devices.opened) == ["Knobs 24:0"] and said == []
    devices.names = []
    until(lambda: devices.closed)
    until(lambda: said)
    devices.names = ["Knobs 24:0"]
    until(lambda: devices.opened)
    made.close()
    assert said == ["The MIDI device Knobs 24:0 is gone; it is used again once it is back."]


def test_a_device_that_is_missing_or_busy_is_said_once(values):
    devices, said = Devices(), []
    made = MidiInput("knobs", values, said.append, midi=devices, look_s=0.01)
    until(lambda: said)
    devices.fails = {"Knobs"}
    devices.names = ["Knobs"]
    until(lambda: len(said) == 2)
    devices.fails = set()
    until(lambda: devices.opened)
    made.close()
    assert "There is no MIDI device 'knobs'" in said[0] and "cannot be opened" in said[1]
    assert len(said) == 2


def test_a_broken_service_is_an_error(values):
    class Broken(Devices):
        def get_input_names(self) -> list[str]:
            raise RuntimeError("no ALSA")

    with pytest.raises(ControllerError, match=r"MIDI cannot be used here \(no ALSA\)"):
        MidiInput("all", values, lambda text: None, midi=Broken())


# -- both ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "module", "wanted"), [("osc", "pythonosc", "0"), ("midi", "rtmidi", "all")])
def test_a_missing_package_is_said_with_the_command(monkeypatch, values, name, module, wanted):
    # As if it were not installed, whether it is or not.
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ControllerError, match=rf"not installed: pip install '\.\[{name}\]'"):
        controller_inputs()[name].open(wanted, values, lambda text: None)


def test_inputs_are_found_with_their_files():
    assert sorted(controller_inputs()) == ["midi", "osc"]
