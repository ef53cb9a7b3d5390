"""Publish an MQTT message for each event."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from desktop.base.fields import Line, Value
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
from desktop.outputs.events.action import EventAction, Note, Refused, Sink, Surroundings

_LONGEST_TOPIC: Final = 65_535
# What means something in a topic, or is not allowed there.
_UNFIT: Final = re.compile(r"[\x00-\x1f+#/]+")
_UNFIT_TOPIC: Final = re.compile(r"[\x00-\x1f+#]")


class _Mqtt(Sink):
    def __init__(self, broker: Broker, topic: str) -> None:
        self._broker, self._topic = broker, topic

    def deliver(self, note: Note) -> None:
        told = note.occurrence
        topic = self._topic.replace("{zone}", _UNFIT.sub("_", told.zone))
        topic = topic.replace("{event}", _UNFIT.sub("_", told.event))
        self._broker.send(Message(topic, json.dumps(note.json()).encode()))

    def give_up(self) -> None:
        self._broker.give_up()

    def close(self) -> None:
        self._broker.close()


def _topic(values: Mapping[str, Value]) -> str:
    """Return the topic; Refused for one to which nothing can be published."""
    topic = str(values["topic"])
    if not topic or _UNFIT_TOPIC.search(topic) or len(topic.encode()) > _LONGEST_TOPIC:
        raise Refused(
            sentence("'{topic}' is no topic to publish to", topic=topic[:80]),
            sentence("write one without +, # and control characters"),
        )
    return topic


def _check(values: Mapping[str, Value]) -> None:
    Login.of(values)
    _topic(values)
    check_client()


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Mqtt:
    login, topic = Login.of(values), _topic(values)
    broker = Broker(login, surroundings.answer_s)
    broker.start()
    return _Mqtt(broker, topic)


ACTION: Final = EventAction(
    id="mqtt",
    title=sentence("Publish to MQTT"),
    order=60,
    fields=(
        ADDRESS,
        Line(
            name="topic",
            label=sentence("Topic"),
            help=sentence("{{zone}} and {{event}} stand for their names."),
            default="lightloom/{zone}",
            required=True,
        ),
        USER,
        PASSWORD,
    ),
    open=_open,
    check=_check,
    target=partial(host_of, split=split_broker),
)
