"""Publish an MQTT message for each event, with QoS 1, so that the broker acknowledges it."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from desktop.base.fields import Line, Secret, Value
from desktop.base.wording import sentence
from desktop.outputs.events._address import host_of
from desktop.outputs.events.action import EventAction, Note, Postponed, Refused, Sink, Surroundings

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessageInfo

PASSWORD_VARIABLE: Final = "LIGHTLOOM_MQTT_PASSWORD"
_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
_KEEP_ALIVE_S: Final = 30
_RECONNECT_S: Final = (1, 30)
_LONGEST_TOPIC: Final = 65_535
# What means something in a topic, or is not allowed there.
_UNFIT: Final = re.compile(r"[\x00-\x1f+#/]+")
_UNFIT_TOPIC: Final = re.compile(r"[\x00-\x1f+#]")


def _split(address: str) -> SplitResult:
    """Split an address into its parts, by default of scheme mqtt; ValueError if it is none."""
    parts = urlsplit(address if "://" in address else f"mqtt://{address}")
    if parts.scheme not in _PORTS or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError
    _ = parts.port  # raises for one that is none
    return parts


class _Mqtt(Sink):
    """A connection that paho reopens with growing delays, on its own thread."""

    def __init__(self, parts: SplitResult, topic: str, user: str, password: str, answer_s: float) -> None:
        from paho.mqtt.client import Client, MQTTv311
        from paho.mqtt.enums import CallbackAPIVersion

        self._host, self._topic = parts.hostname or "", topic
        self._sent: tuple[Note, MQTTMessageInfo] | None = None
        self._answer_s = answer_s
        self._refused = ""
        self._connected = threading.Event()
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
        if user:
            client.username_pw_set(user, password)
        if parts.scheme == "mqtts":
            client.tls_set()
        client.reconnect_delay_set(*_RECONNECT_S)
        client.connect_timeout = answer_s
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        self._client: Client = client
        client.connect_async(self._host, parts.port or _PORTS[parts.scheme], _KEEP_ALIVE_S)
        client.loop_start()

    def _on_connect(
        self, client: object, data: object, flags: object, code: object, properties: object
    ) -> None:
        self._refused = str(code) if getattr(code, "is_failure", False) else ""
        if not self._refused:
            self._connected.set()

    def _on_disconnect(self, *_: object) -> None:
        self._connected.clear()

    def deliver(self, note: Note) -> None:
        """See `Sink`. A note is passed to paho only once: paho resends it itself after a lost connection."""
        if not self._connected.wait(self._answer_s):
            raise self._unanswered()
        if self._sent is None or self._sent[0] is not note:
            told = note.occurrence
            topic = self._topic.replace("{zone}", _UNFIT.sub("_", told.zone))
            topic = topic.replace("{event}", _UNFIT.sub("_", told.event))
            try:
                self._sent = (note, self._client.publish(topic, json.dumps(note.json()), qos=1))
            except ValueError as error:
                raise Refused(sentence("'{topic}' is no topic to publish to", topic=topic[:80])) from error
        info = self._sent[1]
        try:
            info.wait_for_publish(self._answer_s)
            is_done = info.is_published()
        except (RuntimeError, ValueError):
            # The connection broke before paho accepted it: resend it, at worst twice, as QoS 1 allows.
            self._sent, is_done = None, False
        if not is_done:
            raise self._unanswered()
        self._sent = None

    def _unanswered(self) -> Postponed:
        if self._refused:
            return Postponed(sentence("{host} refuses ({reason})", host=self._host, reason=self._refused))
        return Postponed(sentence("{host} does not answer", host=self._host))

    def give_up(self) -> None:
        """See `Sink`; paho may deliver it all the same, once it is connected."""
        self._sent = None

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Mqtt:
    try:
        parts = _split(str(values["address"]))
    except ValueError as error:
        raise Refused(sentence("the broker's address is not one such as broker.local:1883")) from error
    if "@" in parts.netloc:
        raise Refused(
            sentence("the broker's address holds a name; give it under 'User' and 'Password' instead")
        )
    topic = str(values["topic"])
    if not topic or _UNFIT_TOPIC.search(topic) or len(topic.encode()) > _LONGEST_TOPIC:
        raise Refused(sentence("'{topic}' is no topic to publish to", topic=topic[:80]))
    password = str(values["password"]) or os.environ.get(PASSWORD_VARIABLE, "")
    return _Mqtt(parts, topic, str(values["user"]), password, surroundings.answer_s)


ACTION: Final = EventAction(
    id="mqtt",
    title=sentence("Publish to MQTT"),
    order=60,
    fields=(
        Line(
            name="address",
            label=sentence("Broker"),
            help=sentence("broker.local, broker.local:1883, or mqtts://broker.local for TLS"),
            required=True,
        ),
        Line(
            name="topic",
            label=sentence("Topic"),
            help=sentence("{{zone}} and {{event}} stand for their names."),
            default="lightloom/{zone}",
            required=True,
        ),
        Line(name="user", label=sentence("User")),
        Secret(
            name="password",
            label=sentence("Password"),
            help=sentence(
                "Not saved in looks; the variable {variable} does as well.", variable=PASSWORD_VARIABLE
            ),
        ),
    ),
    open=_open,
    target=partial(host_of, split=_split),
)
