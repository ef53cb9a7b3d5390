"""The access log: a line for each request, in the combined log format or as JSON, written on a thread.

Combined: https://httpd.apache.org/docs/2.4/logs.html#combined, with the time that was taken behind it. Tokens, queries
and the bodies of requests are never in it. A file that was renamed (logrotate) is begun again.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TextIO
from urllib.parse import urlsplit

from desktop.base.errors import UsageError
from desktop.base.files import reason
from desktop.base.wording import sentence

Form = Literal["combined", "json"]
FORMS: Final[tuple[Form, ...]] = ("combined", "json")
_MOST_WAITING: Final = 4096
_LONGEST: Final = 256
_CLOSE_S: Final = 5.0
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class AccessEntry:
    """An answered request.

    Attributes:
        client: the client's address, without its port.
        path: without the query, which is not logged.
        protocol: such as 'HTTP/1.1'.
        status: HTTP's; `grpc` has gRPC's name of it, '' for HTTP.
        size: bytes of the response's body.
        seconds: from the request's head to the end of the response.
        at: when it was answered, in seconds since 1970.
    """

    client: str
    method: str
    path: str
    protocol: str
    status: int
    size: int
    seconds: float
    agent: str = ""
    referer: str = ""
    grpc: str = ""
    at: float = 0.0

    def combined(self) -> str:
        """Return a line of the combined log format, and the microseconds that it took."""
        local = time.localtime(self.at)
        # Not strftime's %b, which follows the locale.
        day = f"{local.tm_mday:02}/{_MONTHS[local.tm_mon - 1]}/{local.tm_year}"
        when = f"{day}:{time.strftime('%H:%M:%S %z', local)}"
        request = f"{_quoted(self.method)} {_quoted(self.path)} {self.protocol}"
        return (
            f'{self.client or "-"} - - [{when}] "{request}" {self.status} {self.size or "-"} '
            f'"{_quoted(_without_query(self.referer)) or "-"}" "{_quoted(self.agent) or "-"}" '
            f"{round(self.seconds * 1e6)}"
        )

    def json(self) -> str:
        """Return a line of JSON."""
        document = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(self.at))
            + f".{int(self.at % 1 * 1e3):03}Z",
            "client": self.client,
            "method": self.method[:_LONGEST],
            "path": self.path[:_LONGEST],
            "protocol": self.protocol,
            "status": self.status,
            "bytes": self.size,
            "seconds": round(self.seconds, 6),
            "agent": self.agent[:_LONGEST],
        }
        return json.dumps(document | ({"grpc_status": self.grpc} if self.grpc else {}))


def _quoted(text: str) -> str:
    r"""Return an untrusted text as Apache writes it: `\"`, `\\`, and `\xhh` for what is not printable ASCII."""
    parts = []
    for byte in text[:_LONGEST].encode("utf-8", "replace"):
        letter = chr(byte)
        plain = letter if 32 <= byte < 127 else f"\\x{byte:02x}"
        parts.append(f"\\{letter}" if letter in '"\\' else plain)
    return "".join(parts)


def _without_query(address: str) -> str:
    """Return an address without user, query and fragment, which may have secrets."""
    try:
        parts = urlsplit(address)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.scheme else ""
    except ValueError:
        return ""


class AccessLog:
    """Appends entries to a file, or writes them to standard output, until `close`. Thread-safe."""

    def __init__(self, target: Path | None, form: Form, report: Callable[[str], None]) -> None:
        """`target`: None for standard output. `report` gets a sentence once lines are lost.

        Raises UsageError if the file cannot be written.
        """
        self._target = target
        self._form: Form = form
        self._report = report
        self._entries: queue.Queue[AccessEntry | None] = queue.Queue(_MOST_WAITING)
        self._counting = threading.Lock()
        self._noted = 0
        self._written = 0
        self._is_failing = False
        self._has_failed = False
        try:
            self._file = _opened(target) if target is not None else None
        except OSError as error:
            raise UsageError(
                sentence(
                    "The access log {path} cannot be written: {reason}; choose another file.",
                    path=target,
                    reason=reason(error),
                )
            ) from error
        self._thread = threading.Thread(target=self._run, name="access log", daemon=True)
        self._thread.start()

    def note(self, entry: AccessEntry) -> None:
        """Have an entry written soon; it is lost, and that reported, if the disk is too slow."""
        with self._counting:
            self._noted += 1
        with contextlib.suppress(queue.Full):
            self._entries.put_nowait(entry)

    def close(self, seconds: float = _CLOSE_S) -> None:
        """Write what is left, for twice `seconds` at most, and end; report how many lines are lost."""
        with contextlib.suppress(queue.Full):
            self._entries.put(None, timeout=seconds)
            self._thread.join(seconds)
        lost = self._noted - self._written
        if lost and self._has_failed:
            self._report(
                sentence(
                    "{count} requests are missing in the access log, because it could not be written; make room, "
                    "or choose another file.",
                    count=lost,
                )
            )
        elif lost:
            self._report(
                sentence(
                    "{count} requests are missing in the access log, because it was written too slowly; put it "
                    "on a faster disk.",
                    count=lost,
                )
            )

    def _run(self) -> None:
        is_over = False
        while not is_over:
            lines = [self._entries.get()]
            while not self._entries.empty() and len(lines) < _MOST_WAITING:
                lines.append(self._entries.get())
            is_over = None in lines
            self._write([each for each in lines if each is not None])
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()

    def _write(self, entries: list[AccessEntry]) -> None:
        lines = [each.combined() if self._form == "combined" else each.json() for each in entries]
        text = "".join(f"{line}\n" for line in lines)
        try:
            stream = self._current() or sys.stdout
            stream.write(text)
            stream.flush()
        except (OSError, ValueError) as error:  # ValueError: standard output was closed
            self._has_failed = True
            if not self._is_failing:
                self._is_failing = True
                why = reason(error) if isinstance(error, OSError) else error
                self._report(sentence("The access log cannot be written ({reason}); make room.", reason=why))
        else:
            self._is_failing = False
            self._written += len(entries)

    def _current(self) -> TextIO | None:
        """Return the file, opened again if it was renamed or removed; None for standard output."""
        if self._file is None or self._target is None:
            return self._file
        try:
            is_same = os.path.samestat(self._target.stat(), os.fstat(self._file.fileno()))
        except FileNotFoundError:
            is_same = False
        if not is_same:
            # The old one stays open until there is a new one, so that this can be tried again.
            opened = _opened(self._target)
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = opened
        return self._file


def _opened(target: Path) -> TextIO:
    # Readable by its owner alone: it has the addresses of clients.
    handle = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    return os.fdopen(handle, "a", encoding="utf-8")
