"""OSC messages about what a network finds: received by a socket, as another program does."""

from __future__ import annotations

import math
import socket
from urllib.parse import unquote

import pytest
from osc_rig import message, parser

from desktop.base.errors import ControllerError, UsageError
from desktop.outputs.osc_output import MOST_CLASSES, OscOutput, osc_events, osc_values
from desktop.vision.tasks.shapes import Box, Label
from desktop.vision.tracking.counts import LineCounts, ZoneCounts
from desktop.vision.tracking.events import Occurrence
from desktop.vision.tracking.scene import TrackedResult


def box(label: str, score: float, thing: int | None = None) -> Box:
    return Box(label, 0, 0.1, 0.1, 0.4, 0.4, score, thing=thing)


def tracked(*shapes, counts=()) -> TrackedResult:
    return TrackedResult(None, 0.0, (64, 48), shapes, counts=counts)


def test_values_of_a_result():
    shapes = (
        box("car", 0.5),
        box("car", 0.75, 7),
        box("car", math.nan, 7),
        box("a/b #1", 0.25),
        Label("street", 0.6),
    )
    found = osc_values(tracked(*shapes, counts=(ZoneCounts("door", 3), LineCounts("line", 1))), "Miniature")
    assert found == {
        "/lightloom/look": ("Miniature",),
        "/lightloom/objects": (3,),
        "/lightloom/class/car": (2,),
        "/lightloom/class/a_b_1": (1,),
        "/lightloom/zone/door": (3,),
        "/lightloom/best": ("car", 0.75),
    }
    assert osc_values(None, "") == {"/lightloom/look": ("",)}


def test_names_of_any_language_are_told_apart():
    """All Chinese names were '_', and only the last zone was sent; classes were added up."""
    zones = [ZoneCounts(name, number) for number, name in enumerate(("入口", "出口", "a b", "a?b", "Tür"), 1)]
    found = osc_values(tracked(box("猫", 0.5), box("犬", 0.5, 7), counts=tuple(zones)), "")
    counts = {
        unquote(path.removeprefix("/lightloom/")): values[0]
        for path, values in found.items()
        if path.startswith(("/lightloom/zone/", "/lightloom/class/"))
    }
    assert counts == {
        **{"class/猫": 1, "class/犬": 1},
        **{"zone/入口": 1, "zone/出口": 2, "zone/a_b": 3, "zone/a_b-2": 4, "zone/Tür": 5},
    }
    # What OSC 1.0 allows in an address: printable ASCII without these.
    assert all(path.isascii() and not set(path) & set(" #*,?[]{}") for path in found)
    assert osc_values(tracked(counts=(ZoneCounts("\udcff", 1),)), "")


def test_names_are_limited_in_number_and_length():
    boxes = [box(f"{number}" + "x" * 500, 0.5) for number in range(200)]
    zones = tuple(ZoneCounts(f"{number}", 1) for number in range(MOST_CLASSES + 3))
    found = osc_values(tracked(*boxes, counts=zones), "")
    classes = [path for path in found if path.startswith("/lightloom/class/")]
    assert len(classes) == MOST_CLASSES and max(map(len, classes)) < 90
    assert found["/lightloom/omitted"] == (200 - MOST_CLASSES + 3,)
    assert "/lightloom/omitted" not in osc_values(tracked(*boxes[:MOST_CLASSES]), "")


@pytest.fixture
def received():
    """A socket's port, and what reads the messages that arrived there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(0.3)

        def read() -> dict[str, tuple[object, ...]]:
            found = {}
            while True:
                try:
                    packet = parser()(receiver.recv(9000))
                except TimeoutError:
                    return found
                found |= {each.message.address: tuple(each.message.params) for each in packet.messages}

        yield receiver.getsockname()[1], read


def test_changes_alone_are_sent(received):
    port, read = received
    now = [0.0]
    output = OscOutput(str(port), build=lambda path, values: message(path, *values), clock=lambda: now[0])
    output.send_changed(osc_values(tracked(box("car", 0.5), box("dog", 0.25)), "A"))
    assert read() == {
        "/lightloom/look": ("A",),
        "/lightloom/objects": (2,),
        "/lightloom/class/car": (1,),
        "/lightloom/class/dog": (1,),
        "/lightloom/best": ("car", 0.5),
    }
    output.send_changed(osc_values(tracked(box("car", 0.5)), "A"))
    assert read() == {"/lightloom/objects": (1,), "/lightloom/class/dog": (0,)}
    output.send_changed(osc_values(None, "B"))
    changed = {
        "/lightloom/look": ("B",),
        "/lightloom/objects": (0,),
        "/lightloom/class/car": (0,),
        "/lightloom/best": ("", 0.0),
    }
    assert read() == changed
    # All is sent again each second, what is gone once.
    now[0] = 1.0
    output.send_changed(osc_values(None, "B"))
    assert read() == changed | {"/lightloom/class/dog": (0,)}
    now[0] = 2.0
    output.send_changed(osc_values(None, "B"))
    assert read() == {"/lightloom/look": ("B",)}
    for path, values in osc_events([Occurrence("entered", "door", "enter", 1.0)]):
        output.send(path, values)
    assert read() == {"/lightloom/event": ("entered", "door")}
    assert output.fault == ""
    output.close()
    output.close()
    output.send("/lightloom/look", ("late",))
    assert output.fault.startswith(f"OSC cannot be sent to {port}: ")


def test_addresses_that_cannot_be_used():
    with pytest.raises(UsageError, match="no port for OSC"):
        OscOutput("nowhere", build=lambda path, values: b"")
    with pytest.raises(ControllerError, match="check the address"):
        OscOutput("name.invalid:9000", build=lambda path, values: b"")
