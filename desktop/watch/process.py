"""The process of one source, as the supervisor sees it: started, read, ended and started again."""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final

from desktop.base.child import start_own
from desktop.base.wording import counted
from desktop.metrics.family import Family
from desktop.watch.config import SourceSpec
from desktop.watch.messages import LONGEST_LINE, Counts, Message, added_up, read_message

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
# After this time the next failure is a new one.
_HEALTHY_S: Final = 60.0
_STARTING_S: Final = 900.0
"""Limit on the start: a network may be compiled and tuned for minutes."""
_SILENT_S: Final = 60.0
_LAST_LINES_S: Final = 5.0


@dataclass(frozen=True)
class Launch:
    """How processes are started: arguments of this program, and the folder of the configuration."""

    arguments: tuple[str, ...]
    folder: Path
    adapter: str = ""


@dataclass(frozen=True)
class SourceStatus:
    """State of a source for people and monitoring.

    Attributes:
        counts: of all its processes together. Received frames are dropped, `recorded`, `unrecorded` or lost;
            `recovered` are others: of segments that an earlier run of the service, or a failure, left unfinished.
        lost: frames that were processed by killed processes and are in no segment.
        age_s: seconds since the last frame; None before the first.
        restarts: how often its process was started again.
    """

    name: str
    state: str
    error: str
    counts: Counts
    lost: int
    age_s: float | None
    restarts: int
    records: bool


class SourceProcess:
    """Runs a source in a process of its own. `step` and the other methods are for one thread."""

    def __init__(
        self,
        spec: SourceSpec,
        launch: Launch,
        families: Iterable[Family],
        report: Callable[[str, str], None],
        clock: Callable[[], float] = time.monotonic,
        earlier: SourceStatus | None = None,
    ) -> None:
        """Make it without a process. `report` is called with the source's name and a line for people, on any
        thread; counting goes on from `earlier`, the last state of a source of this name.
        """
        self.spec = spec
        self._launch, self._families, self._report, self._clock = launch, tuple(families), report, clock
        self._child: subprocess.Popen[bytes] | None = None
        self._readers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._before = earlier.counts if earlier is not None else Counts()
        self._lost = earlier.lost if earlier is not None else 0
        self._records = spec.record is not None or (earlier is not None and earlier.records)
        self._message = Message(Counts(), "starting")
        self._wait = FIRST_WAIT_S
        self._due = self._begun = self._heard = 0.0
        self._frame_at: float | None = None
        self.restarts = earlier.restarts if earlier is not None else 0
        self.failed = False
        self._is_stopping = False

    # -- what it reported ------------------------------------------------------------------------------------

    @property
    def message(self) -> Message:
        """The newest report of its process."""
        return self._message

    @property
    def status(self) -> SourceStatus:
        """Its state; thread-safe."""
        with self._lock:
            message, before, lost, at = self._message, self._before, self._lost, self._frame_at
        counts, lost = added_up(before, lost, message.counts)
        age = None if at is None else max(0.0, self._clock() - at)
        return SourceStatus(
            self.spec.name,
            message.state,
            message.error,
            counts,
            lost,
            age,
            self.restarts,
            self._records,
        )

    # -- its process -----------------------------------------------------------------------------------------

    def step(self) -> None:
        """Start the process if it is due; end one that is silent. Call it several times a second."""
        now = self._clock()
        if self._child is None:
            if not self._is_stopping and now >= self._due:
                self._start(now)
            return
        if self._child.poll() is not None:
            self._ended(now)
        elif not self._is_stopping:
            limit = _STARTING_S if self._message.state == "starting" else _SILENT_S
            if now - self._heard > limit:
                self._report(
                    self.spec.name, f"nothing was heard of it for {limit:.0f} s; it is started again."
                )
                self._child.kill()

    def _start(self, now: float) -> None:
        self._begun = self._heard = now
        with self._lock:
            self._message = Message(Counts(), "starting")
        try:
            child = start_own(self._launch.arguments, self._launch.folder, subprocess.PIPE, own_session=True)
        except OSError as error:
            self._report(self.spec.name, f"its process cannot be started: {error.strerror or error}.")
            self._postpone(now)
            return
        self._child = child
        document = {
            "table": self.spec.table,
            "folder": str(self._launch.folder),
            "adapter": self._launch.adapter,
        }
        assert child.stdin is not None
        # Not in its arguments, which every user of the machine can read. If it has ended already, the next step
        # reports that.
        with contextlib.suppress(OSError):
            child.stdin.write(json.dumps(document).encode() + b"\n")
            child.stdin.flush()
        self._readers = [
            threading.Thread(target=target, args=(stream,), name=f"watch {self.spec.name}", daemon=True)
            for target, stream in ((self._read_messages, child.stdout), (self._read_lines, child.stderr))
        ]
        for reader in self._readers:
            reader.start()

    def _read_messages(self, stream: IO[bytes]) -> None:
        for line in _lines(stream):
            message = read_message(line, self._families)
            if message is None:
                continue
            with self._lock:
                old, self._heard = self._message, self._clock()
                if message.readings is None:
                    message = replace(message, readings=old.readings)
                if message.counts.received > old.counts.received:
                    self._frame_at = self._heard
                self._message = message

    def _read_lines(self, stream: IO[bytes]) -> None:
        for line in _lines(stream):
            text = line.decode("utf-8", "replace").strip().removeprefix("lightloom: ")
            if text:
                self._report(self.spec.name, text)

    def _ended(self, now: float) -> None:
        child = self._child
        assert child is not None
        # A process of a library's that it has started may keep its output open for ever.
        for reader in self._readers:
            reader.join(_LAST_LINES_S)
        if child.stdin is not None:
            _close(child.stdin)
        self._child = None
        is_clean, waiting = self._message.state == "stopped", self._message.waiting
        self._add_up(("stopped" if is_clean else "failed") if self._is_stopping else "restarting")
        if self._is_stopping:
            if not is_clean:
                self.failed = True
                self._report(
                    self.spec.name,
                    "its process did not end in time or failed; what it had completed is kept.",
                )
            return
        if now - self._begun > _HEALTHY_S:
            self._wait = FIRST_WAIT_S
        status = child.returncode
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        were = "was" if waiting == 1 else "were"
        lost = f" {counted(waiting, 'queued event')} {were} lost." if waiting else ""
        self._report(self.spec.name, f"its process {how}; it is started again in {self._wait:.0f} s.{lost}")
        self.restarts += 1
        self._postpone(now)

    def _add_up(self, state: str) -> None:
        """Add the counts of a process that has ended to those of the earlier ones."""
        with self._lock:
            counts, error = self._message.counts, self._message.error
            # After an orderly end none waits.
            counts = replace(counts, undelivered=counts.undelivered + self._message.waiting)
            self._before, self._lost = added_up(self._before, self._lost, counts)
            if self.spec.record is not None:
                written = counts.recorded - counts.recovered + counts.unrecorded
                self._lost += max(0, counts.processed - written)
            self._message = Message(Counts(), state, error, ())

    def _postpone(self, now: float) -> None:
        self._due = now + self._wait
        self._wait = min(LONGEST_WAIT_S, self._wait * 2)

    def stop(self) -> None:
        """Ask the process to end; it completes its segments and delivers its events."""
        self._is_stopping = True
        if self._child is None:
            with self._lock:
                self._message = replace(self._message, state="stopped")
        elif self._child.stdin is not None:
            _close(self._child.stdin)

    def kill(self) -> None:
        """End the process at once."""
        self._is_stopping = True
        if self._child is not None:
            self._child.kill()

    @property
    def is_over(self) -> bool:
        """True if it was stopped and its process has ended."""
        return self._is_stopping and self._child is None

    @property
    def pid(self) -> int | None:
        """The id of its process, None while there is none."""
        return self._child.pid if self._child is not None else None


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream, and close it then: on another thread, that would wait for the one that reads."""
    with stream:
        yield from iter(lambda: stream.readline(LONGEST_LINE), b"")


def _close(stream: IO[Any]) -> None:
    with contextlib.suppress(OSError):  # what was not read any more
        stream.close()
