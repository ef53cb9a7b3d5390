"""Sends detections, classes, counts and the current look to another program as OSC 1.0 messages over UDP."""

from __future__ import annotations

import itertools
import logging
import math
import re
import socket
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from desktop.base.errors import ControllerError
from desktop.base.files import reason
from desktop.base.wording import sentence
from desktop.pipeline.automation.inputs.osc import missing_package, osc_endpoint
from desktop.vision.tasks.shapes import Box, Label, Mask, Shape, objects_in
from desktop.vision.tracking.counts import ZoneCounts
from desktop.vision.tracking.events import Occurrence
from desktop.vision.tracking.scene import TrackedResult

log = logging.getLogger(__name__)

Values = tuple[int | float | str, ...]
Build = Callable[[str, Values], bytes]
"""A path and its arguments -> a packet."""

_ROOT: Final = "/lightloom"
MOST_CLASSES: Final = 64
"""Classes, and zones, that are sent; how many more there are is sent as well."""
_LONGEST: Final = 64
# UDP may lose a message: all values are sent again after so many seconds.
_REPEAT_S: Final = 1.0
# Names of classes and zones are untrusted, and OSC gives other characters a meaning in a path.
_UNFIT: Final = re.compile(r"[\x00-,/:-@\[-^`{-\x7f]+")


def osc_values(tracked: TrackedResult | None, look: str) -> dict[str, Values]:
    """Return the values to send, by path: the look, objects, classes, zones and the best class of the image."""
    found: dict[str, Values] = {f"{_ROOT}/look": (look,)}
    if tracked is None:
        return found
    objects = objects_in(tracked.shapes)
    found[f"{_ROOT}/objects"] = (len(objects),)
    counts = Counter(_name(each.label) for each in objects)
    for name, count in counts.most_common(MOST_CLASSES):
        found[f"{_ROOT}/class/{name}"] = (count,)
    zones = [each for each in tracked.counts if isinstance(each, ZoneCounts)]
    for zone in zones[:MOST_CLASSES]:
        found[_free(f"{_ROOT}/zone/{_name(zone.name)}", found)] = (zone.inside,)
    omitted = max(len(counts) - MOST_CLASSES, 0) + max(len(zones) - MOST_CLASSES, 0)
    if omitted:
        found[f"{_ROOT}/omitted"] = (omitted,)
    scored = [(score, each.label) for each in tracked.shapes if math.isfinite(score := _score(each))]
    if scored:
        score, label = max(scored)
        found[f"{_ROOT}/best"] = (label[:_LONGEST], round(score, 3))
    return found


def _score(shape: Shape) -> float:
    match shape:
        case Label():
            return shape.value
        case Box() | Mask():
            return math.nan if shape.score is None else shape.score
    return math.nan


def osc_events(occurrences: Iterable[Occurrence]) -> Iterator[tuple[str, Values]]:
    """Yield the message of each event: its name and its zone."""
    for each in occurrences:
        yield f"{_ROOT}/event", (each.event[:_LONGEST], each.zone[:_LONGEST])


def _name(text: str) -> str:
    """Return a name as a part of a path; non-ASCII characters are percent-encoded, so that names stay distinct."""
    return quote(_UNFIT.sub("_", text[:_LONGEST]), safe="", errors="replace") or "_"


def _free(path: str, taken: Container[str]) -> str:
    """Return a path that is not taken: the given one, or that with a number appended."""
    numbered = (f"{path}-{number}" for number in itertools.count(2))
    return next(each for each in itertools.chain((path,), numbered) if each not in taken)


class OscOutput:
    """Sends messages to one address; those that the system cannot take at once are lost, as UDP may lose any.

    Attributes:
        fault: why the last message could not be sent, '' if it was.
    """

    def __init__(
        self, text: str, build: Build | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Send to 'PORT' of this machine or to 'HOST:PORT'; `build` is python-osc's unless another is given.

        Raise ControllerError if the package is missing or the host unknown, UsageError for no address.
        """
        self._build, self._clock = build or _builder(), clock
        host, port = osc_endpoint(text)
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
            self._socket = socket.socket(family, kind, protocol)
        except (OSError, UnicodeError) as error:
            raise ControllerError(
                sentence(
                    "OSC cannot be sent to {text}: {reason}; check the address.",
                    text=text[:80],
                    reason=reason(error),
                )
            ) from error
        self._address: tuple[Any, ...] = address
        self._socket.setblocking(False)
        self._text = text[:80]
        self.fault = ""
        self._sent: dict[str, Values] = {}
        self._repeated = -math.inf

    def send_changed(self, values: Mapping[str, Values]) -> None:
        """Send the values that differ from those sent before, and once a second all.

        Those that are gone are sent as 0 and ''.
        """
        gone: dict[str, Values] = {
            path: tuple(type(each)() for each in sent)
            for path, sent in self._sent.items()
            if path not in values
        }
        wanted = {**gone, **values}
        now = self._clock()
        is_repeat = now - self._repeated >= _REPEAT_S
        for path, each in wanted.items():
            if is_repeat or self._sent.get(path) != each:
                self.send(path, each)
        # What is gone is repeated too, once.
        self._sent = dict(values) if is_repeat else wanted
        if is_repeat:
            self._repeated = now

    def send(self, path: str, values: Values) -> None:
        """Send a message; `fault` tells if that failed."""
        try:
            self._socket.sendto(self._build(path, values), self._address)
        except BlockingIOError:
            log.debug("OSC to %s: the buffer is full", self._address)
        except OSError as error:
            self.fault = sentence(
                "OSC cannot be sent to {text}: {reason}; check the address.",
                text=self._text,
                reason=reason(error),
            )
        else:
            self.fault = ""

    def close(self) -> None:
        """Stop. Twice is allowed."""
        self._socket.close()


def _builder() -> Build:
    try:
        from pythonosc.osc_message_builder import OscMessageBuilder
    except ImportError as error:
        raise missing_package() from error

    def build(path: str, values: Values) -> bytes:
        builder: Any = OscMessageBuilder(address=path)
        for value in values:
            builder.add_arg(value)
        packet: bytes = builder.build().dgram
        return packet

    return build
