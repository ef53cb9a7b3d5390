"""The access log: a line for each request, in the combined log format or as JSON, written on a thread.

Combined: https://httpd.apache.org/docs/2.4/logs.html#combined, with the time that was taken behind it. Tokens, queries
and the bodies of requests are never in it. A file that was renamed (logrotate) is begun again. Requests never wait
for the file, whatever it is: a full disk, a device, or a named pipe that nothing reads.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from desktop.base.errors import UsageError, writing_advice
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
        self._is_slow = False
        self._file: _File | None = None
        if target is not None:
            try:
                self._file = _File(target)
            except OSError as error:
                raise UsageError(_not_opened(target, error)) from error
        self._thread = threading.Thread(target=self._run, name="access log", daemon=True)
        self._thread.start()

    def note(self, entry: AccessEntry) -> None:
        """Have an entry written soon; it is lost, and that reported, if the file takes nothing for too long."""
        try:
            self._entries.put_nowait(entry)
            is_slow = False
        except queue.Full:
            is_slow = True
        with self._counting:
            self._noted += 1
            is_first = is_slow and not self._is_slow
            self._is_slow = self._is_slow or is_slow
        if is_first:
            self._report(
                sentence(
                    "The access log takes lines too slowly, so that requests are missing in it; check its disk, or "
                    "what reads it."
                )
            )

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
            self._file.close()

    def _write(self, entries: list[AccessEntry]) -> None:
        lines = [each.combined() if self._form == "combined" else each.json() for each in entries]
        try:
            if self._target is None:
                sys.stdout.write("".join(f"{line}\n" for line in lines))
                sys.stdout.flush()
                self._written += len(lines)
            else:
                self._append(self._target, lines)
        except (OSError, ValueError) as error:  # ValueError: standard output was closed
            self._has_failed = True
            if not self._is_failing:
                self._is_failing = True
                self._report(_not_written(error))
        else:
            self._is_failing = False

    def _append(self, target: Path, lines: list[str]) -> None:
        """Write lines to the file, which is opened again if it was renamed or removed."""
        if self._file is None or not self._file.is_at(target):
            # The old one stays open until there is a new one, so that this can be tried again.
            opened = _File(target)
            if self._file is not None:
                self._file.close()
            self._file = opened
        for line in lines:
            self._file.append(line)
            self._written += 1


class _File:
    """A file that lines are appended to; the rest of one that was only half written comes before the next."""

    def __init__(self, path: Path) -> None:
        """Open or create it. Raises OSError, also for a named pipe that nothing reads."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        if sys.platform != "win32":
            # Otherwise opening a named pipe waits for a reader.
            flags |= os.O_NONBLOCK
        # Readable by its owner alone: it has the addresses of clients.
        self._handle = os.open(path, flags, 0o600)
        self._left = b""
        if sys.platform != "win32":
            os.set_blocking(self._handle, True)

    def is_at(self, path: Path) -> bool:
        """Return False if it was renamed or removed. Raises OSError if its folder cannot be read."""
        try:
            return os.path.samestat(path.stat(), os.fstat(self._handle))
        except FileNotFoundError:
            return False

    def append(self, line: str) -> None:
        """Write a line. Raises OSError if not all of it was written."""
        self._write_left()
        whole = f"{line}\n".encode()
        self._left = whole
        try:
            self._write_left()
        except OSError:
            self._left = b"" if self._left == whole else self._left
            raise

    def close(self) -> None:
        """Close it."""
        with contextlib.suppress(OSError):
            os.close(self._handle)

    def _write_left(self) -> None:
        while self._left:
            self._left = self._left[os.write(self._handle, self._left) :]


def _not_opened(path: Path, error: OSError) -> str:
    if error.errno == errno.ENXIO and path.is_fifo():
        return sentence(
            "The access log {path} is a named pipe that nothing reads; start its reader first.", path=path
        )
    return sentence(
        "The access log {path} cannot be written: {reason}; choose another file.",
        path=path,
        reason=reason(error),
    )


def _not_written(error: OSError | ValueError) -> str:
    if isinstance(error, BrokenPipeError):
        return sentence("Nothing reads the access log any more; start its reader again.")
    if not isinstance(error, OSError):
        return sentence("The access log cannot be written ({reason}); choose a file.", reason=error)
    why = reason(error)
    return sentence(
        "The access log cannot be written ({reason}); {advice}.", reason=why, advice=writing_advice(why)
    )
