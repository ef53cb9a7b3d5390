"""Announce zones and events to Home Assistant by MQTT discovery, and publish counts, events and snapshots.

Configurations and states are retained, so that Home Assistant has them after its own restart; those of zones
that no longer exist are cleared, also ones that an earlier run announced. Keys are those of
homeassistant/components/mqtt of Home Assistant Core.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import threading
import time
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import av

from desktop.base.addresses import public_address
from desktop.base.errors import LightloomError
from desktop.base.fields import Flag, Line, Value
from desktop.base.printable import printable
from desktop.base.version import version
from desktop.base.wording import sentence
from desktop.outputs.events._address import host_of
from desktop.outputs.events._broker import (
    ADDRESS,
    PASSWORD,
    USER,
    Broker,
    Login,
    Message,
    check_client,
    split_broker,
)
from desktop.outputs.events.action import (
    EventAction,
    Note,
    Postponed,
    Refused,
    Sink,
    Status,
    Surroundings,
)
from desktop.outputs.still import small_jpeg
from desktop.vision.tracking.counts import Counts, ZoneCounts
from desktop.vision.tracking.events import EventSpec

log = logging.getLogger(__name__)

_TOPICS: Final = "lightloom"
_MANUFACTURER: Final = "Lightloom"
_UNIT: Final = "objects"
_LONGEST_ID: Final = 40
_LONGEST_NAME: Final = 120
_QUIET_S: Final = 1.0
_LONGEST_CLEARING_S: Final = 30.0
# Home Assistant stores attributes of at most 16 KiB.
_MOST_CLASSES: Final = 100
_MOST_STALE: Final = 2000
_PREFIX: Final = re.compile(r"[A-Za-z0-9_/-]{1,200}")
IMAGE_SIDE: Final = 1280
IMAGE_BYTES: Final = 256 << 10
# An image of 4K has 33 MB, and waits in memory.
_MOST_PICTURES: Final = 4


def safe_id(name: str) -> str:
    """Return an id of a name, of a-z, 0-9 and '_' only; names that differ get ids that differ."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    short = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:_LONGEST_ID]
    if short == name:
        return short
    mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{short}_{mark}" if short else mark


def short_source(source: str) -> str:
    """Return a file's name, or host and path of an address, without the user, password and query."""
    if "://" not in source:
        return Path(source).name or source
    try:
        return public_address(source).partition("://")[2].rstrip("/")
    except ValueError:
        return ""


class _Device:
    """A device of Home Assistant: a source with its zones, and the connection that publishes for it."""

    def __init__(self, login: Login, name: str, prefix: str, answer_s: float) -> None:
        self.name, self._prefix = name, prefix
        self._id = safe_id(name)
        self._base = f"{_TOPICS}/{self._id}"
        self._availability = f"{self._base}/availability"
        # Shared with paho's thread.
        self._lock = threading.Lock()
        self._retained: dict[str, bytes] = {}
        self._topics: frozenset[str] | None = None
        self._stale: set[str] = set()
        # Topics of the snapshots that are retained, which are not kept here to be published again.
        self._images: set[str] = set()
        self._heard_at = 0.0
        self.broker = Broker(
            login,
            answer_s,
            will=Message(self._availability, b"offline", retain=True),
            on_connected=self._connected,
            on_message=self._receive,
        )
        # Its callbacks use all of the above.
        self.broker.start()

    def _connected(self) -> None:
        self.broker.publish(Message(self._availability, b"online", retain=True))
        self.broker.subscribe(f"{self._prefix}/+/{self._id}/+/config")
        self.broker.subscribe(f"{self._base}/+/+/+")
        # A broker without a disk forgets them when it is restarted.
        with self._lock:
            known = tuple(self._retained.items())
        for topic, payload in known:
            self.broker.publish(Message(topic, payload, retain=True))

    def _receive(self, topic: str, payload: bytes, is_retained: bool) -> None:
        """Clear what an earlier run left for a zone or event that is gone."""
        # Nothing can be published to a topic with wildcards, which no broker should have.
        if not is_retained or not payload or set("+#") & set(topic):
            return
        self._heard_at = time.monotonic()
        with self._lock:
            if self._topics is None:
                if len(self._stale) < _MOST_STALE:
                    self._stale.add(topic)
                return
            if topic in self._topics:
                return
        self.broker.publish(Message(topic, b"", retain=True))

    def announce(self, status: Status) -> None:
        """Publish what differs from what was published; raises as `Broker.send`."""
        wanted = {message.topic: message.payload for message in self._messages(status)}
        images = {self._image_topic(event.name) for event in status.events if _has_image(event)}
        topics = frozenset(wanted) | images
        with self._lock:
            known = dict(self._retained)
            self._topics = topics
            gone = (self._stale | known.keys() | self._images) - topics
        for topic in sorted(gone):
            self.broker.send(Message(topic, b"", retain=True))
            self._images.discard(topic)
            with self._lock:
                self._stale.discard(topic)
                self._retained.pop(topic, None)
        for topic, payload in wanted.items():
            if known.get(topic) != payload:
                self.broker.send(Message(topic, payload, retain=True))
                with self._lock:
                    self._retained[topic] = payload

    def messages_of(self, note: Note) -> Iterator[Message]:
        """Yield the messages of an event: its image first, so that automations find it."""
        name = note.occurrence.event
        if note.picture is not None:
            try:
                image = small_jpeg(note.picture(), IMAGE_SIDE, IMAGE_BYTES)
                self._images.add(self._image_topic(name))
                yield Message(self._image_topic(name), image, retain=True)
            except (LightloomError, av.FFmpegError) as error:
                log.warning("no snapshot of '%s' for Home Assistant: %s", printable(name), error)
        document = {"event_type": note.occurrence.when, **note.json()}
        yield Message(self._event_topic(name), json.dumps(document).encode())

    def clear(self, goes_on: Callable[[], bool]) -> bool:
        """Clear all that is retained of it, by which Home Assistant deletes it; raises as `Broker.send`.

        `goes_on` is called before each step; where it is False the rest is left, and False returned.
        """
        with self._lock:
            self._topics = frozenset()
        offline = Message(self._availability, b"", retain=True)
        if not goes_on():
            return False
        self.broker.send(offline)
        begun = time.monotonic()
        # What is retained arrives after the subscription, and nothing says which message is the last one.
        while time.monotonic() - max(begun, self._heard_at) < _QUIET_S:
            if time.monotonic() - begun > _LONGEST_CLEARING_S:
                raise Postponed(sentence("the broker sends more and more"))
            if not goes_on():
                return False
            time.sleep(_QUIET_S / 10)
        with self._lock:
            stale = sorted(self._stale)
        for topic in stale:
            if not goes_on():
                return False
            self.broker.send(Message(topic, b"", retain=True))
        if not goes_on():
            return False
        # Its acknowledgement follows those of all messages before.
        self.broker.send(offline)
        return True

    def close(self) -> None:
        """Mark it as offline and disconnect."""
        self.broker.close(Message(self._availability, b"offline", retain=True))

    # -- what is published -----------------------------------------------------------------------------------

    def _event_topic(self, event: str) -> str:
        return f"{self._base}/events/{safe_id(event)}/event"

    def _image_topic(self, event: str) -> str:
        return f"{self._base}/events/{safe_id(event)}/image"

    def _messages(self, status: Status) -> Iterator[Message]:
        for event in status.events:
            yield from self._event_configs(event)
        for counts in status.counts:
            yield from self._zone_configs(counts)
            yield Message(self._state_topic(counts), json.dumps(_state(counts)).encode())

    def _state_topic(self, counts: Counts) -> str:
        return f"{self._base}/zones/{safe_id(counts.name)}/state"

    def _event_configs(self, event: EventSpec) -> Iterator[Message]:
        object_id = safe_id(event.name)
        told = {"state_topic": self._event_topic(event.name), "event_types": [event.when]}
        yield self._config("event", object_id, event.name, told | {"icon": "mdi:motion-sensor"})
        if _has_image(event):
            image = {"image_topic": self._image_topic(event.name), "content_type": "image/jpeg"}
            yield self._config("image", object_id, event.name, image)

    def _zone_configs(self, counts: Counts) -> Iterator[Message]:
        zone, topic = safe_id(counts.name), self._state_topic(counts)
        names = ("inside", "entered", "left") if isinstance(counts, ZoneCounts) else ("forward", "backward")
        for name in names:
            told = {
                "state_topic": topic,
                "value_template": f"{{{{ value_json.{name} }}}}",
                "unit_of_measurement": _UNIT,
                "state_class": "measurement" if name == "inside" else "total_increasing",
                "icon": "mdi:counter",
            }
            if name == names[0]:
                told["json_attributes_topic"] = topic
            yield self._config("sensor", f"{zone}_{name}", f"{counts.name} {name}", told)
        if isinstance(counts, ZoneCounts):
            told = {
                "state_topic": topic,
                "value_template": "{{ 'ON' if value_json.inside > 0 else 'OFF' }}",
                "device_class": "occupancy",
            }
            yield self._config("binary_sensor", f"{zone}_occupied", f"{counts.name} occupied", told)

    def _config(self, component: str, object_id: str, name: str, keys: Mapping[str, object]) -> Message:
        document = {
            "name": _shown(name),
            "unique_id": f"{_TOPICS}_{self._id}_{component}_{object_id}",
            "availability_topic": self._availability,
            "device": {
                "identifiers": [f"{_TOPICS}_{self._id}"],
                "name": _shown(self.name),
                "manufacturer": _MANUFACTURER,
                "model": "Video analysis",
                "sw_version": version(),
            },
            "origin": {"name": _MANUFACTURER, "sw_version": version()},
            **keys,
        }
        topic = f"{self._prefix}/{component}/{self._id}/{object_id}/config"
        return Message(topic, json.dumps(document).encode(), retain=True)


def _state(counts: Counts) -> dict[str, Any]:
    """Return the counts without times, which would change with every frame."""
    whole = counts.json()
    names = ("inside", "entered", "left", "forward", "backward")
    classes = {
        label: {name: each[name] for name in names if name in each}
        for label, each in list(whole["classes"].items())[:_MOST_CLASSES]
    }
    state = {name: whole[name] for name in names if name in whole} | {"classes": classes}
    if left_out := len(whole["classes"]) - len(classes):
        state["classes_left_out"] = left_out
    return state


def _shown(name: str) -> str:
    return printable(name)[:_LONGEST_NAME]


def _has_image(event: EventSpec) -> bool:
    """Return whether the action of an event of `Status` publishes its frame."""
    return any(bool(ACTION.checked(action.values)["snapshots"]) for action in event.actions)


class _HomeAssistant(Sink):
    def __init__(self, login: Login, device: str, prefix: str, answer_s: float) -> None:
        self._login, self._name, self._prefix = login, device, prefix
        self._answer_s = answer_s
        self._device: _Device | None = None
        self._note: Note | None = None
        self._left: deque[Message] = deque()

    def device_of(self, source: str) -> _Device:
        """Return the device of a source; the will is one for a connection, so another source has another."""
        name = _device_name(self._name, source)
        if self._device is None or self._device.name != name:
            self.close()
            self._device = _Device(self._login, name, self._prefix, self._answer_s)
        return self._device

    def show(self, status: Status) -> None:
        self.device_of(status.source).announce(status)

    def deliver(self, note: Note) -> None:
        device = self.device_of(note.source)
        if self._note is not note:
            # The frame can be waited for once.
            self._note, self._left = note, deque(device.messages_of(note))
        while self._left:
            device.broker.send(self._left[0])
            self._left.popleft()
        self._note = None

    def give_up(self) -> None:
        self._note = None
        self._left.clear()
        if self._device is not None:
            self._device.broker.give_up()

    def close(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None

    def drop(self) -> None:
        """Disconnect without a message that the device is offline."""
        if self._device is not None:
            self._device.broker.close()
            self._device = None


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _HomeAssistant:
    login = Login.of(values)
    prefix = str(values["prefix"]).strip("/")
    if not _PREFIX.fullmatch(prefix):
        raise Refused(
            sentence(
                "'{prefix}' is no discovery prefix; give the one of Home Assistant, by default homeassistant",
                prefix=prefix[:80],
            )
        )
    return _HomeAssistant(login, str(values["device"]), prefix, surroundings.answer_s)


def device_key(values: Mapping[str, Value], source: str) -> tuple[str, ...]:
    """Return the identity of a source's device: broker, prefix, id and name. Raises Refused as the action does."""
    login, name = Login.of(values), _device_name(str(values["device"]), source)
    return f"{login.host}:{login.port}", str(values["prefix"]).strip("/"), safe_id(name), _shown(name)


def _connection_key(values: Mapping[str, Value]) -> tuple[str, ...]:
    """Return what one connection is for: two to a device would each delete what the other one has announced."""
    return *device_key(values, "{source}"), str(values[USER.name]), str(values[PASSWORD.name])


def remove_device(
    values: Mapping[str, Value],
    source: str,
    answer_s: float = 5.0,
    goes_on: Callable[[], bool] = lambda: True,
) -> bool:
    """Have Home Assistant delete the device of a source that has no such action any more.

    `goes_on` is called before each step; where it is False the rest is left, and False returned.
    Raises Postponed if the broker does not answer, Refused if the values are invalid.
    """
    sink = _open(values, Surroundings(lambda text: None, answer_s))
    try:
        return sink.device_of(source).clear(goes_on)
    finally:
        sink.drop()


def _device_name(pattern: str, source: str) -> str:
    return pattern.replace("{source}", short_source(source)).strip() or _MANUFACTURER


def _check(values: Mapping[str, Value]) -> None:
    _open(values, Surroundings(lambda text: None)).close()
    check_client()


ACTION: Final = EventAction(
    id="home_assistant",
    title=sentence("Publish to Home Assistant"),
    order=70,
    fields=(
        ADDRESS,
        Line(
            name="device",
            label=sentence("Device"),
            help=sentence(
                "Name of the device in Home Assistant, one for each camera; {{source}} stands for the source."
            ),
            default="Lightloom {source}",
            required=True,
        ),
        Flag(
            name="snapshots",
            label=sentence("Snapshots"),
            help=sentence("An image entity for each event, with the frame in which it happened."),
            default=True,
        ),
        Line(
            name="prefix",
            label=sentence("Discovery prefix"),
            help=sentence("The one set in Home Assistant's MQTT integration, by default homeassistant."),
            default="homeassistant",
            required=True,
        ),
        USER,
        PASSWORD,
    ),
    open=_open,
    check=_check,
    target=partial(host_of, split=split_broker),
    wants_picture=lambda values: bool(values["snapshots"]),
    most_pictures=_MOST_PICTURES,
    wants_status=True,
    connection_key=_connection_key,
)
