"""The connection to an MQTT broker, for actions that publish: QoS 1, so that the broker acknowledges."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult

from desktop.base.addresses import split_address
from desktop.base.fields import Line, Secret, Value
from desktop.base.wording import sentence
from desktop.outputs.events.action import Postponed, Refused

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage, MQTTMessageInfo

PASSWORD_VARIABLE: Final = "LIGHTLOOM_MQTT_PASSWORD"
ADDRESS: Final = Line(
    name="address",
    label=sentence("Broker"),
    help=sentence("broker.local, broker.local:1883, or mqtts://broker.local for TLS"),
    required=True,
)
USER: Final = Line(name="user", label=sentence("User"))
PASSWORD: Final = Secret(
    name="password",
    label=sentence("Password"),
    help=sentence("Not saved in looks; the variable {variable} does as well.", variable=PASSWORD_VARIABLE),
)
_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
_KEEP_ALIVE_S: Final = 30
_RECONNECT_S: Final = (1, 30)
_LAST_S: Final = 1.0


def split_broker(address: str) -> SplitResult:
    """Split an address into its parts, by default of scheme mqtt; ValueError if it is none."""
    parts = split_address(address if "://" in address else f"mqtt://{address}")
    if parts.scheme not in _PORTS or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError
    return parts


@dataclass(frozen=True)
class Login:
    """Address of a broker, and the user for it, '' for none."""

    parts: SplitResult
    user: str = ""
    password: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Login:
        """Return that of an action with `ADDRESS`, `USER` and `PASSWORD`; Refused for an invalid address."""
        try:
            parts = split_broker(str(values[ADDRESS.name]))
        except ValueError as error:
            raise Refused(
                sentence("the broker's address is not one such as broker.local:1883"),
                sentence("write its host, and its port from 1 to 65535 if it is not the usual one"),
            ) from error
        if "@" in parts.netloc:
            raise Refused(
                sentence("the broker's address holds a name; give it under 'User' and 'Password' instead")
            )
        password = str(values[PASSWORD.name]) or os.environ.get(PASSWORD_VARIABLE, "")
        return cls(parts, str(values[USER.name]), password)

    @property
    def host(self) -> str:
        """The broker's host, in lower case."""
        return self.parts.hostname or ""

    @property
    def port(self) -> int:
        """The broker's port, by default that of the scheme."""
        return self.parts.port or _PORTS[self.parts.scheme]


def check_client() -> None:
    """Raise Refused if the package that talks to brokers is missing."""
    if find_spec("paho") is None:
        raise Refused(
            sentence("the package paho-mqtt is missing"), sentence("install it with 'pip install paho-mqtt'")
        )


@dataclass(frozen=True)
class Message:
    """A topic with its payload; `retain`: the broker hands it to later subscribers, and an empty one clears it."""

    topic: str
    payload: bytes
    retain: bool = False


class Broker:
    """A connection that paho reopens with growing delays, on its own thread.

    `send` is for one thread; `publish` may be called by the callbacks, which run on paho's thread.
    """

    def __init__(
        self,
        login: Login,
        answer_s: float,
        *,
        will: Message | None = None,
        on_connected: Callable[[], None] = lambda: None,
        on_message: Callable[[str, bytes, bool], None] = lambda topic, payload, is_retained: None,
    ) -> None:
        """Make the connection; `start` begins to connect.

        Args:
            answer_s: seconds that the broker may take to connect or to acknowledge.
            will: published by the broker when the connection is lost.
            on_connected: called after each connection.
            on_message: receives topic, payload and retained flag of what `subscribe` requested.
        """
        from paho.mqtt.client import Client, MQTTv311
        from paho.mqtt.enums import CallbackAPIVersion

        self._host = login.host
        self._sent: tuple[Message, MQTTMessageInfo] | None = None
        self._answer_s = answer_s
        self._refused = ""
        self._connected = threading.Event()
        self._on_connected, self._on_message = on_connected, on_message
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
        if login.user:
            client.username_pw_set(login.user, login.password)
        if login.parts.scheme == "mqtts":
            client.tls_set()
        if will is not None:
            client.will_set(will.topic, will.payload, qos=1, retain=will.retain)
        client.reconnect_delay_set(*_RECONNECT_S)
        client.connect_timeout = answer_s
        client.on_connect, client.on_disconnect = self._connect, self._disconnect
        client.on_message = self._receive
        self._client: Client = client
        client.connect_async(login.host, login.port, _KEEP_ALIVE_S)

    def start(self) -> None:
        """Begin to connect; the callbacks may come before this returns."""
        self._client.loop_start()

    def _connect(self, client: object, data: object, flags: object, code: object, properties: object) -> None:
        self._refused = str(code) if getattr(code, "is_failure", False) else ""
        if not self._refused:
            self._on_connected()
            self._connected.set()

    def _disconnect(self, *_: object) -> None:
        self._connected.clear()

    def _receive(self, client: object, data: object, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            # An error would end paho's thread, and all deliveries.
            return
        self._on_message(topic, bytes(message.payload), bool(message.retain))

    def subscribe(self, pattern: str) -> None:
        """Request the messages of a topic, with wildcards, for this connection."""
        self._client.subscribe(pattern, qos=1)

    def publish(self, message: Message) -> None:
        """Publish without waiting for the acknowledgement; `send` waits."""
        self._client.publish(message.topic, message.payload, qos=1, retain=message.retain)

    def send(self, message: Message) -> None:
        """Publish and wait for the acknowledgement. Raises Postponed to be called again with the same message,
        which is passed to paho only once: paho resends it itself after a lost connection. Refused for a topic
        that cannot be published to.
        """
        if not self._connected.wait(self._answer_s):
            raise self._unanswered()
        if self._sent is None or self._sent[0] != message:
            try:
                info = self._client.publish(message.topic, message.payload, qos=1, retain=message.retain)
            except ValueError as error:
                raise Refused(
                    sentence("'{topic}' is no topic to publish to", topic=message.topic[:80])
                ) from error
            self._sent = (message, info)
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
        """Give up the message that was postponed; paho may deliver it all the same, once it is connected."""
        self._sent = None

    def close(self, last: Message | None = None) -> None:
        """Publish a last message, while connected, and disconnect; the broker then publishes no will."""
        if last is not None and self._connected.is_set():
            info = self._client.publish(last.topic, last.payload, qos=1, retain=last.retain)
            with suppress(RuntimeError, ValueError):  # the connection broke: the will says the same
                info.wait_for_publish(_LAST_S)
        self._client.disconnect()
        self._client.loop_stop()
