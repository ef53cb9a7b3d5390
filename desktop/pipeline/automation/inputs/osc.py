"""Messages of other programs by Open Sound Control 1.0, over UDP. What arrives is untrusted."""

from __future__ import annotations

import logging
import math
import socket
import threading
from collections.abc import Callable
from typing import Any, Final

from desktop.base.addresses import split_endpoint
from desktop.base.errors import ControllerError, UsageError
from desktop.base.files import reason
from desktop.base.version import extra_command
from desktop.base.wording import sentence
from desktop.pipeline.automation.controller_input import ControllerInput
from desktop.pipeline.automation.controls import ControlValues
from desktop.pipeline.automation.sources.osc import LONGEST_PATH, osc_address

log = logging.getLogger(__name__)

MOST_BYTES: Final = 8192
"""Of a packet; larger ones are ignored."""
Parse = Callable[[bytes], Any]
"""A packet's bytes -> an object with `messages`; raises for malformed ones."""

_GREATEST: Final = 1e9
# Seconds between checks for `close`.
_POLL_S: Final = 0.2


def osc_endpoint(text: str) -> tuple[str, int]:
    """Return host and port of 'PORT' or 'HOST:PORT', of this machine alone by default; raise UsageError."""
    try:
        return split_endpoint(text.strip())
    except ValueError:
        raise UsageError(
            sentence("'{text}' is no port for OSC; give a number such as 9000, or HOST:PORT.", text=text[:80])
        ) from None


class OscInput:
    """Receives numbers at a port until it is closed.

    Attributes:
        port: in use, which the system chooses for 0.
        ignored: packets that were malformed or too large, and messages without a number.
    """

    def __init__(self, text: str, values: ControlValues, *, parse: Parse | None = None) -> None:
        """Receive at 'PORT' or 'HOST:PORT'; `parse` is python-osc's unless another is given.

        Raise ControllerError if the package is missing or the port cannot be used, UsageError if it is none.
        """
        self._parse = parse or _packets()
        host, port = osc_endpoint(text)
        self._values = values
        self.ignored = 0
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._socket = socket.socket(family, socket.SOCK_DGRAM)
        except OSError as error:
            raise _refusal(text, error) from error
        try:
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise _refusal(text, error) from error
        self._socket.settimeout(_POLL_S)
        self.port = int(self._socket.getsockname()[1])
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="osc", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                data = self._socket.recv(MOST_BYTES + 1)
            except TimeoutError:
                continue
            except OSError as error:
                # Windows reports a packet larger than the buffer, or an ICMP error, this way.
                if self._ended.wait(_POLL_S):
                    return
                log.debug("OSC: %s", error)
                continue
            self.take(data)

    def take(self, data: bytes) -> None:
        """Take the numbers of a packet; one that is malformed is ignored and counted."""
        try:
            if len(data) > MOST_BYTES:
                raise ValueError
            messages = [timed.message for timed in self._parse(data).messages]
        except Exception as error:
            # Whatever the parser raises for bytes from anyone: also RecursionError for nested bundles.
            log.debug("OSC: a packet of %d bytes was ignored: %r", len(data), error)
            self.ignored += 1
            return
        if not messages:
            self.ignored += 1
        for message in messages:
            number = _first_number(message.params)
            if number is None or not str(message.address).startswith("/"):
                self.ignored += 1
            else:
                self._values.put(osc_address(str(message.address)[:LONGEST_PATH]), number)

    def close(self) -> None:
        """Stop receiving. Twice is allowed."""
        self._ended.set()
        if self._thread is not threading.current_thread():
            self._thread.join(10 * _POLL_S)
        self._socket.close()


def _first_number(params: Any) -> float | None:
    """Return the first argument of a message if it is a number; text, blobs, colors and arrays are not taken."""
    first = next(iter(params), None)
    if not isinstance(first, bool | int | float):
        return None
    return float(first) if math.isfinite(first) and abs(first) <= _GREATEST else None


def _packets() -> Parse:
    try:
        from pythonosc.osc_packet import OscPacket
    except ImportError as error:
        raise missing_package() from error
    found: Parse = OscPacket
    return found


def missing_package() -> ControllerError:
    """Return the error for an installation without python-osc."""
    return ControllerError(
        sentence(
            "OSC needs the package python-osc, which is not installed: {command}.",
            command=extra_command("osc"),
        )
    )


def _refusal(text: str, error: OSError) -> ControllerError:
    return ControllerError(
        sentence(
            "OSC cannot be received at {text}: {reason}; choose another port.",
            text=text[:80],
            reason=reason(error),
        )
    )


def _open(text: str, values: ControlValues, notify: Callable[[str], None]) -> OscInput:
    return OscInput(text, values)


INPUT: Final = ControllerInput("osc", sentence("OSC"), _open)
