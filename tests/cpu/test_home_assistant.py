"""Home Assistant's MQTT discovery: configurations, states, snapshots, and a broker that goes away."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from event_rig import SmallBroker, free_port, mosquitto, mosquitto_on
from waiting import LIMIT_S, until

from desktop.outputs.events import event_actions
from desktop.outputs.events._broker import Broker, Login, split_broker
from desktop.outputs.events.action import Refused, Surroundings
from desktop.outputs.events.delivery import Deliveries, Trouble
from desktop.outputs.events.home_assistant import IMAGE_BYTES, IMAGE_SIDE, safe_id, short_source
from desktop.vision.tracking.counts import ClassCounts, Counts, LineCounts, ZoneCounts
from desktop.vision.tracking.events import ActionSpec, EventSpec, Occurrence

# Keys that each component takes, from the schemas of Home Assistant Core 2025.1 (homeassistant/components/mqtt:
# schemas.py, config.py, sensor.py, binary_sensor.py, image.py, event.py). Unknown keys are dropped there with
# a warning, and a missing one of REQUIRED is an error.
COMMON = {
    *("availability", "availability_mode", "availability_template", "availability_topic"),
    *("payload_available", "payload_not_available", "device", "origin", "enabled_by_default"),
    *("entity_category", "entity_picture", "icon", "json_attributes_topic", "json_attributes_template"),
    *("object_id", "unique_id", "name", "qos", "encoding"),
}
OF_STATE = {"state_topic", "value_template"}
KEYS = {
    "sensor": COMMON
    | OF_STATE
    | {"device_class", "expire_after", "force_update", "last_reset_value_template", "options"}
    | {"suggested_display_precision", "state_class", "unit_of_measurement"},
    "binary_sensor": COMMON
    | OF_STATE
    | {"device_class", "expire_after", "force_update", "off_delay", "payload_off", "payload_on"},
    "image": COMMON | {"content_type", "image_encoding", "image_topic", "url_topic", "url_template"},
    "event": COMMON | OF_STATE | {"device_class", "event_types"},
}
REQUIRED = {
    "sensor": {"state_topic"},
    "binary_sensor": {"state_topic"},
    "image": {"image_topic"},
    "event": {"state_topic", "event_types"},
}
DEVICE = {"identifiers", "connections", "manufacturer", "model", "name", "hw_version", "serial_number"}
DEVICE |= {"sw_version", "via_device", "suggested_area", "configuration_url"}
ORIGIN = {"name", "sw_version", "support_url"}
# Of sensor/const.py and binary_sensor/__init__.py.
STATE_CLASSES = {"measurement", "total", "total_increasing"}
BINARY_CLASSES = {"motion", "occupancy", "presence"}

ROOM = ZoneCounts("Living room", 2, 5, 3, 12.5, 4.0, (ClassCounts("person", 2, 5, 3),))
LINE = LineCounts("Tür/+#", 4, 1, (ClassCounts("dog", forward=4, backward=1),))
COMES = Occurrence("Someone comes in", "Living room", "enters", 1.5, "person", 7)


def action(port: int, **values: Any) -> ActionSpec:
    kind = event_actions()["home_assistant"]
    return ActionSpec(kind.id, kind.checked({"address": f"127.0.0.1:{port}", **values}))


class Rig:
    """Deliveries of one event with the action."""

    def __init__(self, port: int, *, answer_s: float = 5.0, **values: Any) -> None:
        self.troubles: queue.Queue[Trouble] = queue.Queue()
        self.deliveries = Deliveries(Surroundings(print, answer_s, first_wait_s=0.02), self.troubles.put)
        self.event = EventSpec(COMES.event, COMES.zone, actions=(action(port, **values),))
        self.deliveries.use([self.event])

    def texts(self) -> list[str]:
        return [trouble.text for trouble in list(self.troubles.queue)]


@contextmanager
def a_broker() -> Iterator[SmallBroker]:
    broker = SmallBroker()
    try:
        yield broker
    finally:
        broker.close()


def configs(retained: Mapping[str, bytes]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the discovery messages by component and object id."""
    found = {}
    for topic, payload in dict(retained).items():  # the broker may add to them meanwhile
        if topic.startswith("homeassistant/"):
            _, component, _, object_id, last = topic.split("/")
            assert last == "config"
            found[component, object_id] = json.loads(payload)
    return found


def check_config(component: str, config: dict[str, Any]) -> None:
    """Hold a discovery message against the schemas."""
    assert config.keys() <= KEYS[component] and REQUIRED[component] <= config.keys()
    assert config["device"].keys() <= DEVICE and config["device"]["identifiers"]
    assert config["origin"].keys() <= ORIGIN and config["origin"]["name"]
    assert config["unique_id"] and config["name"] and config["device"]["sw_version"]
    for key, value in config.items():
        if key.endswith("_topic"):
            assert not set("+#\0") & set(value) and value.isascii() and len(value) < 200
    if component == "sensor":
        assert config["state_class"] in STATE_CLASSES and config["unit_of_measurement"]
    if component == "binary_sensor":
        assert config["device_class"] in BINARY_CLASSES
    if component == "event":
        assert isinstance(config["event_types"], list) and config["event_types"]


def test_names_become_ids_that_differ() -> None:
    names = ["door", "Door", "Tür", "Tur", "入口", "出口", "a/b", "a b", "", "+#", "x" * 300, "x" * 301]
    ids = [safe_id(name) for name in names]
    assert len(set(ids)) == len(names) and ids[0] == "door"
    assert all(set(each) <= set("abcdefghijklmnopqrstuvwxyz0123456789_") and len(each) < 64 for each in ids)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("/videos/front.mp4", "front.mp4"),
        ("Integrated Camera", "Integrated Camera"),
        ("rtsp://me:secret@camera.local:554/stream1?token=secret", "camera.local:554/stream1"),
        ("rtsp://[", ""),
        ("", ""),
    ],
)
def test_a_device_is_named_without_secrets(source: str, expected: str) -> None:
    assert short_source(source) == expected


def test_what_is_announced_fits_the_schemas() -> None:
    with a_broker() as broker:
        rig = Rig(broker.port)
        rig.deliveries.show_counts((ROOM, LINE), "front.mp4")
        rig.deliveries.take([COMES], "front.mp4", lambda: lambda: np.full((1440, 2560, 4), 90, np.uint8))
        assert rig.deliveries.close(10) == 0
        found = configs(broker.retained)
    for (component, _), config in found.items():
        check_config(component, config)
    kinds = [component for component, _ in found]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "event": 1,
        "image": 1,
        "sensor": 5,
        "binary_sensor": 1,
    }
    assert len({config["unique_id"] for config in found.values()}) == len(found)
    assert {config["device"]["name"] for config in found.values()} == {"Lightloom front.mp4"}
    named = {config["name"]: config for config in found.values()}
    inside = named["Living room inside"]
    assert inside["state_class"] == "measurement"
    assert json.loads(broker.retained[inside["state_topic"]]) == {
        "inside": 2,
        "entered": 5,
        "left": 3,
        "classes": {"person": {"inside": 2, "entered": 5, "left": 3}},
    }
    forward = named["Tür/+# forward"]
    assert forward["state_class"] == "total_increasing"
    assert json.loads(broker.retained[forward["state_topic"]])["forward"] == 4
    assert named["Living room occupied"]["device_class"] == "occupancy"
    # The event is not retained: Home Assistant would take it for another one after its restart.
    (event,) = (config for (component, _), config in found.items() if component == "event")
    (sent,) = (json.loads(payload) for topic, payload in broker.messages if topic == event["state_topic"])
    assert sent["event_type"] in event["event_types"] and sent["identity"] == 7
    assert event["state_topic"] not in broker.retained
    # The image was there before it.
    (image,) = (config for (component, _), config in found.items() if component == "image")
    data = broker.retained[image["image_topic"]]
    topics = [topic for topic, _ in broker.messages]
    assert topics.index(image["image_topic"]) < topics.index(event["state_topic"])
    assert (
        len(data) <= IMAGE_BYTES and max(cv2.imdecode(np.frombuffer(data, np.uint8), 1).shape) == IMAGE_SIDE
    )
    # Available until the end, and by the last will (MQTT 3.1.1, 3.1.2.3: will, QoS 1, retained) if it is killed.
    availability = inside["availability_topic"]
    assert [payload for topic, payload in broker.messages if topic == availability] == [b"online", b"offline"]
    assert broker.retained[availability] == b"offline"
    (connect,) = broker.users
    assert connect[7] & 0x2C == 0x2C and availability.encode() in connect and b"offline" in connect


def test_classes_beyond_the_limit_are_counted() -> None:
    """Home Assistant stores attributes of at most 16 KiB; a network may have a thousand classes."""
    classes = tuple(ClassCounts(f"class {n}", 1, 2, 3) for n in range(103))
    with a_broker() as broker:
        rig = Rig(broker.port)
        rig.deliveries.show_counts((replace(ROOM, classes=classes),), "front.mp4")
        assert rig.deliveries.close(10) == 0
        (state,) = (value for topic, value in broker.retained.items() if "/zones/" in topic)
    told = json.loads(state)
    assert list(told["classes"]) == [f"class {n}" for n in range(100)] and told["classes_left_out"] == 3
    assert len(state) < 16 << 10


def test_noise_is_made_smaller_until_it_fits() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (720, 1280, 4), dtype=np.uint8)
    with a_broker() as broker:
        rig = Rig(broker.port)
        rig.deliveries.take([COMES], "x", lambda: lambda: noise)
        assert rig.deliveries.close(10) == 0
        (data,) = (payload for topic, payload in broker.messages if topic.endswith("/image"))
    assert len(data) <= IMAGE_BYTES and cv2.imdecode(np.frombuffer(data, np.uint8), 1) is not None


def test_zones_that_are_gone_are_cleared_also_those_of_an_earlier_run() -> None:
    counts: tuple[Counts, ...] = (ROOM, LINE)
    with a_broker() as broker:
        rig = Rig(broker.port)
        rig.deliveries.show_counts(counts, "x")
        until(lambda: len(configs(broker.retained)) == 8)
        rig.deliveries.show_counts((ROOM,), "x")
        until(lambda: len(configs(broker.retained)) == 6)
        until(lambda: not [topic for topic in broker.retained if "tur_" in topic])
        assert rig.deliveries.close(10) == 0
        others = "homeassistant/sensor/another/thing/config"
        broker.retained[others] = b"{}"
        # Another run has one line only.
        rig = Rig(broker.port, snapshots=False)
        rig.deliveries.show_counts((LINE,), "x")
        until(lambda: {kind for kind, _ in configs(broker.retained)} == {"sensor", "event"})
        assert rig.deliveries.close(10) == 0
        assert len([topic for topic in broker.retained if "living_room" in topic]) == 0
        assert len(configs(broker.retained)) == 4 and others in broker.retained


def test_events_of_one_device_with_and_without_snapshots_keep_each_others_entities() -> None:
    """Each had a connection of its own, which deleted what the other one had announced."""

    def picture() -> Any:
        return lambda: np.full((8, 8, 4), 90, np.uint8)

    with a_broker() as broker:
        rig = Rig(broker.port, snapshots=False)
        # Values that are left out are the defaults, here that of the snapshots.
        other = ActionSpec("home_assistant", {"address": f"127.0.0.1:{broker.port}"})
        leaves = replace(rig.event, name="Leaves", actions=(other,))
        rig.deliveries.use([rig.event, leaves])
        rig.deliveries.show_counts((ROOM,), "x")
        # The state comes last.
        until(lambda: any(topic.endswith("/state") for topic in broker.retained))
        rig.deliveries.take([COMES, replace(COMES, event="Leaves")], "x", picture)
        assert rig.deliveries.close(10) == 0
        assert len(broker.users) == 1
        kinds = [kind for kind, _ in configs(broker.retained)]
        assert (kinds.count("event"), kinds.count("image")) == (2, 1)
        (image,) = images(broker.retained)
        assert safe_id("Leaves") in image
        published = [topic for topic, _ in broker.messages if topic.endswith("/event")]
        assert len(published) == 2


def images(retained: Mapping[str, bytes]) -> list[str]:
    return [topic for topic in retained if topic.endswith("/image")]


def test_snapshots_of_events_that_are_gone_are_cleared() -> None:
    def picture() -> Any:
        return lambda: np.full((8, 8, 4), 90, np.uint8)

    with a_broker() as broker:
        rig = Rig(broker.port)
        rig.deliveries.show_counts((ROOM,), "x")
        rig.deliveries.take([COMES], "x", picture)
        until(lambda: images(broker.retained))
        # Renamed, as in the window, with the same action.
        rig.deliveries.use([replace(rig.event, name="Another name")])
        rig.deliveries.show_counts((ROOM,), "x")
        until(lambda: not images(broker.retained))
        rig.deliveries.take([replace(COMES, event="Another name")], "x", picture)
        until(lambda: images(broker.retained))
        # Another event keeps the device, as the one with a snapshot is removed.
        rig.deliveries.use([rig.event])
        rig.deliveries.show_counts((ROOM,), "x")
        until(lambda: not images(broker.retained))
        rig.deliveries.take([COMES], "x", picture)
        until(lambda: images(broker.retained))
        assert rig.deliveries.close(10) == 0
        # Snapshots are switched off.
        rig = Rig(broker.port, snapshots=False)
        rig.deliveries.show_counts((ROOM,), "x")
        until(lambda: not images(broker.retained))
        assert rig.deliveries.close(10) == 0


def test_nothing_comes_from_a_broker_before_it_is_started() -> None:
    connected = threading.Event()
    with a_broker() as server:
        login = Login(split_broker(f"127.0.0.1:{server.port}"))
        broker = Broker(login, 5.0, on_connected=connected.set)
        assert not connected.wait(0.3)
        broker.start()
        assert connected.wait(LIMIT_S)
        broker.close()


def test_a_broker_that_forgets_is_told_again() -> None:
    with a_broker() as broker:
        rig = Rig(broker.port)
        rig.deliveries.show_counts((ROOM,), "x")
        # The state comes last.
        until(lambda: any(topic.endswith("/state") for topic in broker.retained))
        before = dict(broker.retained)
        assert len(configs(before)) == 6
        broker.retained.clear()
        broker.disconnect()
        until(lambda: broker.retained == before)
        assert b"online" in before.values()
        assert rig.deliveries.close(10) == 0


@pytest.mark.parametrize("name", ["\udcff", "a#b", "+"])
def test_a_retained_topic_that_is_none_ends_no_delivery(name: str) -> None:
    """An error in a callback ended the thread of the connection: all further events waited in vain."""
    with a_broker() as broker:
        device = f"lightloom/{safe_id('Lightloom x')}"
        broker.retained[f"{device}/zones/{name}/state"] = b"{}"
        rig = Rig(broker.port)
        rig.deliveries.show_counts((ROOM,), "x")
        until(lambda: len(configs(broker.retained)) == 6)
        broker.disconnect()
        rig.deliveries.take([COMES], "x")
        until(lambda: any(topic.endswith("/event") for topic, _ in broker.messages), rig.texts)
        assert rig.deliveries.close(10) == 0


def test_counts_of_a_frame_do_not_compute_what_their_events_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each frame validated all values and hashed names, on the thread that renders."""
    calls: list[Mapping[str, Any]] = []
    kind = event_actions()["home_assistant"]
    assert kind.connection_key is not None

    def key(values: Mapping[str, Any]) -> Any:
        calls.append(values)
        return kind.connection_key(values)

    counting = replace(kind, connection_key=key)
    monkeypatch.setattr("desktop.outputs.events.delivery.event_actions", lambda: {kind.id: counting})
    with a_broker() as broker:
        rig = Rig(broker.port)
        leaves = replace(rig.event, name="Leaves", actions=(action(broker.port, snapshots=False),))
        rig.deliveries.use([rig.event, leaves])
        calls.clear()
        for number in range(20):
            rig.deliveries.show_counts((replace(ROOM, inside=number),), "x")
        rig.deliveries.take([COMES], "x")
        assert not calls
        assert rig.deliveries.close(10) == 0
        states = [json.loads(payload) for topic, payload in broker.messages if topic.endswith("/state")]
        assert states[-1]["inside"] == 19
        assert [kind for kind, _ in configs(broker.retained)].count("event") == 2


def test_a_fault_in_the_receiver_of_a_message_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every ValueError was taken for one of the topic, and nothing said so."""
    faults: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: faults.append(str(args.exc_value)))

    def fail(topic: str, payload: bytes, is_retained: bool) -> None:
        raise ValueError("a fault of the receiver")

    with a_broker() as broker:
        broker.retained["a/b"] = b"{}"
        login = Login(split_broker(f"127.0.0.1:{broker.port}"))
        connection = Broker(login, 5.0, on_connected=lambda: connection.subscribe("a/+"), on_message=fail)
        connection.start()
        assert until(lambda: faults) == ["a fault of the receiver"]
        connection.close()


def test_another_source_is_another_device() -> None:
    with a_broker() as broker:
        rig = Rig(broker.port)
        rig.deliveries.show_counts((ROOM,), "door")
        until(lambda: len(configs(broker.retained)) == 6)
        rig.deliveries.show_counts((ROOM,), "garden")
        until(lambda: sorted(broker.retained.values()).count(b"online") == 1 and len(broker.users) == 2)
        until(lambda: b"offline" in broker.retained.values())
        assert rig.deliveries.close(10) == 0


def test_few_notes_hold_their_frame() -> None:
    rig = Rig(free_port(), answer_s=0.2)
    exported: list[int] = []

    def export() -> Any:
        exported.append(1)
        return lambda: np.zeros((8, 8, 4), np.uint8)

    for _ in range(30):
        rig.deliveries.take([COMES], "x", export)
    assert len(exported) <= 5  # one may have been taken on before
    assert rig.deliveries.close(0.1) == 30
    until(lambda: any("30 events were not delivered" in text for text in rig.texts()))


@pytest.mark.parametrize("values", [{"address": "http://x"}, {"prefix": "a/+"}, {"prefix": "ä"}])
def test_what_no_broker_takes_is_refused(values: dict[str, str]) -> None:
    kind = event_actions()["home_assistant"]
    with pytest.raises(Refused):
        kind.open(kind.checked({"address": "broker", **values}), Surroundings(print))


@pytest.mark.skipif(mosquitto() is None, reason="mosquitto is not installed; SmallBroker stands in for it")
def test_mosquitto_that_goes_and_comes_back_gets_every_event(tmp_path: Path) -> None:
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    port, taken, ready = free_port(), list[int](), threading.Event()
    client = Client(CallbackAPIVersion.VERSION2, client_id="listener", clean_session=False)
    client.on_message = lambda _c, _d, message: taken.append(json.loads(message.payload)["identity"])
    client.on_connect = lambda c, *_: c.subscribe("lightloom/+/events/+/event", qos=1)
    client.on_subscribe = lambda *_: ready.set()
    client.reconnect_delay_set(1, 1)
    rig = Rig(port, answer_s=1.0)

    def happen(first: int, last: int) -> None:
        for identity in range(first, last):
            occurrence = Occurrence(COMES.event, COMES.zone, "enters", identity / 30, "person", identity)
            rig.deliveries.show_counts((ROOM,), "x")
            rig.deliveries.take([occurrence], "x")

    with mosquitto_on(port, tmp_path):
        client.connect("127.0.0.1", port)
        client.loop_start()
        assert ready.wait(LIMIT_S)
        happen(0, 20)
        until(lambda: len(set(taken)) == 20)
        ready.clear()
        happen(20, 30)  # some of them on the way while it ends
    happen(30, 40)
    with mosquitto_on(port, tmp_path):
        assert ready.wait(LIMIT_S)
        until(lambda: len(set(taken)) == 40)
        until(rig.deliveries.is_idle)
    happen(40, 45)
    lost = rig.deliveries.close(0.2)
    client.loop_stop()
    assert set(taken) == set(range(40)) and lost == 5
    until(lambda: any("5 events were not delivered" in text for text in rig.texts()))
