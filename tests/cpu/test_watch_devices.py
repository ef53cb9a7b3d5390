"""Devices in Home Assistant that a configuration of `watch` no longer has."""

from __future__ import annotations

import errno
import json
import threading

import pytest
from event_rig import SmallBroker, free_port
from tiny_models import square_detector
from waiting import until

from desktop.cli._watch_setup import check_sources
from desktop.outputs.events import event_actions
from desktop.outputs.events.action import Surroundings
from desktop.outputs.events.delivery import Deliveries
from desktop.outputs.events.home_assistant import device_key
from desktop.vision.tracking.counts import ClassCounts, ZoneCounts
from desktop.vision.tracking.events import ActionSpec, EventSpec
from desktop.watch.announced_devices import AnnouncedDevice, AnnouncedDevices, devices_path
from desktop.watch.config import read_config
from desktop.watch.secrets import Secrets

ROOM = ZoneCounts("Room", 2, 5, 3, 12.5, 4.0, (ClassCounts("person", 2, 5, 3),))
SECRETS = Secrets({"BROKER_PASSWORD": "geheim"}, lambda name: "")


def values(port, **more):
    given = {"address": f"127.0.0.1:{port}", "user": "u", "password": "${BROKER_PASSWORD}", **more}
    return event_actions()["home_assistant"].checked(given)


def announce(port, source):
    """Publish what a source of the service does, until it ends."""
    deliveries = Deliveries(Surroundings(print), lambda trouble: None)
    spec = ActionSpec("home_assistant", SECRETS.filled(values(port)))
    deliveries.use([EventSpec("In", "Room", actions=(spec,))])
    deliveries.show_counts((ROOM,), source)
    assert deliveries.close(10) == 0


@pytest.fixture
def broker():
    broker = SmallBroker()
    yield broker
    broker.close()


def test_what_the_configuration_no_longer_has_is_removed_also_at_the_next_start(tmp_path, broker):
    told = []
    path = tmp_path / "cache" / "devices.json"
    door, gate, yard = (AnnouncedDevice(name, values(broker.port)) for name in ("door", "gate", "yard"))
    for each in (door, gate, yard):
        announce(broker.port, each.source)
    broker.retained["homeassistant/sensor/another/thing/config"] = b"{}"
    announced = AnnouncedDevices(path, SECRETS, told.append)
    announced.use([door, gate, yard])
    assert "geheim" not in path.read_text()
    before = dict(broker.retained)
    announced.use([door, yard])
    until(lambda: told)
    assert told == [
        "The device 'Lightloom gate' was removed from Home Assistant: no event is published to it."
    ]
    assert broker.retained == {topic: value for topic, value in before.items() if "gate" not in topic}
    announced.close()
    # Another run, whose configuration was changed meanwhile.
    announced = AnnouncedDevices(path, SECRETS, told.append)
    announced.use([door])
    until(lambda: len(told) == 2)
    assert not [topic for topic in broker.retained if "yard" in topic]
    assert [each["source"] for each in json.loads(path.read_text())] == ["door"]
    assert "homeassistant/sensor/another/thing/config" in broker.retained
    announced.close()


def test_a_file_that_cannot_be_written_is_reported(tmp_path):
    told = []
    (tmp_path / "state").write_text("a file in place of the folder")
    announced = AnnouncedDevices(tmp_path / "state" / "a.json", SECRETS, told.append)
    announced.use([AnnouncedDevice("door", values(1))])
    assert len(told) == 1 and "cannot be written" in told[0]


@pytest.mark.parametrize("data", [b"", b"[{", b'[{"source": "door"}]', b"\0" * 9])
def test_a_damaged_file_is_kept_and_reported_once(tmp_path, data):
    """Devices that were only in it stayed in Home Assistant, and nothing said so."""
    told = []
    path = tmp_path / "a.json"
    path.write_bytes(data)
    announced = AnnouncedDevices(path, SECRETS, told.append)
    for _ in range(2):
        announced.use([AnnouncedDevice("door", values(1))])
    assert told == [
        f"{path} was damaged, and is kept as a.json.damaged; devices removed from the configuration may stay in "
        "Home Assistant: delete them there."
    ]
    assert (tmp_path / "a.json.damaged").read_bytes() == data
    assert [each["source"] for each in json.loads(path.read_text())] == ["door"]
    announced.close()


@pytest.mark.parametrize(
    "invalid", [7, "gate", {"source": "gate", "values": {"adress": "x"}}, {"values": []}]
)
def test_a_damaged_entry_leaves_the_others(tmp_path, broker, invalid):
    """No device of the file was ever removed."""
    told = []
    path = tmp_path / "a.json"
    announce(broker.port, "yard")
    path.write_text(json.dumps([invalid, {"source": "yard", "values": values(broker.port)}]))
    announced = AnnouncedDevices(path, SECRETS, told.append)
    announced.use([])
    until(lambda: len(told) == 2, lambda: told)
    assert "was damaged" in told[0] and "'Lightloom yard' was removed" in told[1]
    assert not broker.retained
    announced.close()


def test_a_file_that_cannot_be_read_for_a_while_is_not_replaced(tmp_path, broker, monkeypatch):
    """The devices in it were forgotten, and stayed in Home Assistant."""
    told = []
    path = tmp_path / "a.json"
    announce(broker.port, "yard")
    announce(broker.port, "gate")
    content = json.dumps([{"source": "yard", "values": values(broker.port)}])
    path.write_text(content)
    announced = AnnouncedDevices(path, SECRETS, told.append)

    def fail(path, limit):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("desktop.watch.announced_devices.read_regular", fail)
        announced.use([AnnouncedDevice(name, values(broker.port)) for name in ("door", "gate")])
    assert len(told) == 1 and f"{path} cannot be read: " in told[0]
    assert path.read_text() == content
    announced.use([AnnouncedDevice("door", values(broker.port))])
    until(lambda: len(told) == 3, lambda: told)
    assert "'Lightloom gate' was removed" in "".join(told) and "'Lightloom yard' was removed" in "".join(told)
    assert not broker.retained
    assert [each["source"] for each in json.loads(path.read_text())] == ["door"]
    announced.close()


def test_a_broker_that_is_away_is_reported_and_tried_at_the_next_reload(tmp_path, broker):
    told = []
    path = tmp_path / "devices.json"
    announced = AnnouncedDevices(path, SECRETS, told.append, waits_s=(), answer_s=0.3)
    announced.use([AnnouncedDevice("door", values(free_port(), prefix="ha"))])
    announced.use([])
    until(lambda: told)
    assert (
        "'Lightloom door' cannot be removed from Home Assistant: 127.0.0.1 does not answer; delete" in told[0]
    )
    assert len(json.loads(path.read_text())) == 1
    # What is wanted again is left alone.
    (kept,) = json.loads(path.read_text())
    announced.use([AnnouncedDevice("door", kept["values"])])
    assert len(told) == 1
    announced.close()
    path.write_text('[{"source": 1}, [[[')
    AnnouncedDevices(path, SECRETS, told.append).use([])
    assert len(told) == 2 and json.loads(path.read_text()) == []


@pytest.mark.parametrize("more", [{}, {"address": "${BROKER}"}, {"address": "127.0.0.1:${PORT}"}])
def test_a_device_whose_password_went_with_it_stays_until_the_password_is_back(tmp_path, broker, more):
    told = []
    path = tmp_path / "devices.json"
    known = {"BROKER_PASSWORD": "geheim", "BROKER": "127.0.0.1", "PORT": str(broker.port)}
    if more == {"address": "${BROKER}"}:
        more = {"address": f"${{BROKER}}:{broker.port}"}
    announce(broker.port, "door")
    AnnouncedDevices(path, Secrets(known, lambda name: ""), told.append).use(
        [AnnouncedDevice("door", values(broker.port, **more))]
    )
    announced = AnnouncedDevices(path, Secrets({}, lambda name: ""), told.append)
    announced.use([])
    until(lambda: told)
    assert told[0].startswith("The device 'Lightloom door' stays in Home Assistant for now, because ${")
    assert "set the variable B" in told[0] or "set the variable P" in told[0]
    announced.use([])
    announced.close()
    assert len(told) == 1
    assert [each["source"] for each in json.loads(path.read_text())] == ["door"]
    assert any("door" in topic for topic in broker.retained)
    announced = AnnouncedDevices(path, Secrets(known, lambda name: ""), told.append)
    announced.use([])
    until(lambda: len(told) == 2)
    assert "'Lightloom door' was removed" in told[1]
    assert not broker.retained and json.loads(path.read_text()) == []
    announced.close()


@pytest.mark.parametrize(
    ("address", "same", "other"),
    [
        ("broker.local", "Broker.local:1883", "broker.local:1884"),
        ("broker.local", "mqtt://broker.local/", "mqtts://broker.local"),
        ("mqtts://broker.local", "mqtts://broker.local:8883", "broker.local"),
        ("[::1]", "mqtt://[::1]:1883", "[::2]"),
    ],
)
def test_a_broker_is_the_same_with_and_without_the_usual_port(address, same, other):
    keys = [device_key(values(0, address=each), "door") for each in (address, same, other)]
    assert keys[0] == keys[1] != keys[2]


def test_two_reloads_remove_a_device_once(tmp_path, broker):
    told = []
    announce(broker.port, "door")
    announced = AnnouncedDevices(tmp_path / "devices.json", SECRETS, told.append)
    door = AnnouncedDevice("door", values(broker.port))
    announced.use([door])
    connected = len(broker.users)
    announced.use([])
    announced.use([])
    until(lambda: told and not broker.retained)
    announced.close()
    assert len(told) == 1 and len(broker.users) == connected + 1


def test_a_device_that_is_wanted_again_is_not_removed(tmp_path, broker):
    told = []
    path = tmp_path / "devices.json"
    announce(broker.port, "door")
    before = dict(broker.retained)
    announced = AnnouncedDevices(path, SECRETS, told.append)
    door = AnnouncedDevice("door", values(broker.port))
    announced.use([door])
    connected = len(broker.users)
    announced.use([])
    until(lambda: len(broker.users) > connected)
    announced.use([door])
    until(lambda: not any(thread.name == "entities" for thread in threading.enumerate()))
    announce(broker.port, "door")
    assert broker.retained == before and not told
    # And no longer, while the first removal goes on.
    announced.use([])
    until(lambda: len(broker.users) > connected + 2)
    announced.use([door])
    announced.use([])
    until(lambda: told)
    announced.close()
    assert len(told) == 1 and "'Lightloom door' was removed" in told[0]
    assert not broker.retained and json.loads(path.read_text()) == []


CONFIG = """[[source]]
name = "door"
address = "screen:"
model = "squares.onnx"
[[source.zones]]
name = "All"
points = [[0, 0], [1, 0], [1, 1]]
[[source.events]]
name = "In"
zone = "All"
when = "enters"
[[source.events.actions]]
do = "notification"
[[source.events.actions]]
do = "home_assistant"
address = "broker"
password = "${BROKER_PASSWORD}"
"""


def test_devices_of_a_configuration_keep_placeholders_instead_of_passwords(tmp_path):
    square_detector(tmp_path / "squares.onnx")
    path = tmp_path / "watch.toml"
    path.write_text(CONFIG)
    (source,) = check_sources(read_config(path), SECRETS).sources
    (device,) = source.devices
    assert device.source == "door" and device.values["password"] == "${BROKER_PASSWORD}"
    path.write_text(
        CONFIG.replace('model = "sq', 'events = false\nmodel = "sq').partition("[[source.events]]")[0]
    )
    assert check_sources(read_config(path), SECRETS).sources[0].devices == ()
    assert devices_path(path) != devices_path(tmp_path / "other.toml")
