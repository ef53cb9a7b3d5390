"""The sending process, seen from its parent: queue bytes with a timeout, get reports, terminate it."""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from desktop.base.child import start_own
from desktop.base.errors import ExportError
from desktop.base.resources import resource
from desktop.base.wording import sentence, unpacked
from desktop.outputs.live._stream_child import Order, Report
from desktop.outputs.live._stream_target import StreamTarget, init_name

COMMAND: Final = "send-stream"
_GNUTLS: Final = "GNUTLS_SYSTEM_PRIORITY_FILE"
"""Has to be set before GnuTLS is loaded."""
Start = Callable[[list[str], Path, int], "subprocess.Popen[bytes]"]
# For the process to start: with 30 others on two cores it took longer than a server's limit.
_START_S: Final = 60.0
_CONNECT_S: Final = 12.0
_STALLED_S: Final = 8.0
# What the bits of a second are counted over.
_SPAN_S: Final = 3.0


def starting(target: StreamTarget) -> Start:
    """Return what starts the process for a target. Raises OSError if a file of the program is missing."""
    if target.kind != "whip":
        return start_own
    return partial(start_own, variables={_GNUTLS: str(resource("assets", "streaming", "gnutls.conf"))})


class Link:
    """A connection. Written to on one thread; its state is thread-safe."""

    def __init__(
        self,
        target: StreamTarget,
        start: Start | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Start the process, by default as `starting` says; ExportError if it cannot be started."""
        self._target, self._clock = target, clock
        container = target.container
        options = dict(container.options)
        folder, address = "", target.address
        if target.kind == "hls":
            path = Path(target.address)
            folder, address = str(path.parent), path.name
            options["hls_segment_filename"] = f"{path.stem.replace('%', '%%')}-%05d.m4s"
            options["hls_fmp4_init_filename"] = init_name(path)
        if target.token:
            options["authorization"] = target.token
        order = Order(address, folder, target.public, target.host, target.port, container.format, options)
        try:
            begin = start or starting(target)
            self._process = begin([COMMAND], Path(tempfile.gettempdir()), subprocess.PIPE)
        except OSError as error:
            raise self._no_process(error.strerror or str(error)) from error
        self._lock = threading.Lock()
        self._waiting = 0
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._report: Report | None = None
        self._failed: Any = None
        self._connects_since: float | None = None
        self._reports: deque[tuple[float, int]] = deque()
        self._moved = self._begun = self._clock()
        self._ended = threading.Event()
        self._over = False
        for work in (self._pump, self._listen):
            threading.Thread(target=work, name=f"stream {work.__name__}", daemon=True).start()
        self.write(order.line())

    # What PyAV writes through; it asks for nothing else.

    def write(self, data: bytes) -> int:
        """Hand bytes over; never waits."""
        with self._lock:
            self._waiting += len(data)
        self._queue.put(bytes(data))
        return len(data)

    @property
    def waiting(self) -> int:
        """Bytes that the process has not taken yet."""
        return self._waiting

    @property
    def is_open(self) -> bool:
        """True once it is connected."""
        return self._report is not None

    @property
    def report(self) -> Report:
        """The newest report of those that it goes on."""
        return self._report or Report()

    @property
    def bits_per_second(self) -> float | None:
        """Figures of the last seconds, None while unknown."""
        with self._lock:
            if len(self._reports) < 2:
                return None
            (begin, first), (end, last) = self._reports[0], self._reports[-1]
        # 0 without a report for a while; over less than a second it would be the rate of single frames.
        end = max(end, self._clock() - 1.0)
        return (last - first) * 8 / (end - begin) if end - begin >= 1.0 else None

    def check(self) -> None:
        """Raise ExportError if the process failed, does not respond, or no longer accepts data."""
        report, now = self._report, self._clock()
        if self._failed is not None:
            try:
                raise ExportError(unpacked(self._failed))
            except ValueError:
                raise self._gone() from None
        if self._ended.is_set():
            raise self._gone()
        since = self._connects_since
        if report is None and since is None and now - self._begun > _START_S:
            raise self._no_process(os.strerror(errno.ETIMEDOUT))
        if report is None and since is not None and now - since > _CONNECT_S:
            raise ExportError(
                sentence(
                    "{address} does not answer: check the address, the network and the firewall.",
                    address=self._target.public,
                )
            )
        if report is not None and self._waiting and now - self._moved > _STALLED_S:
            raise ExportError(
                sentence(
                    "{address} takes nothing any more: check the server and the network.",
                    address=self._target.public,
                )
            )

    @staticmethod
    def _no_process(why: str | None) -> ExportError:
        return ExportError(
            sentence(
                "The process that sends streams cannot be started ({reason}); end other programs.", reason=why
            )
        )

    def _gone(self) -> ExportError:
        return ExportError(
            sentence(
                "The process that sends to {address} ended; begin the stream anew.",
                address=self._target.public,
            )
        )

    def finish(self, limit: float) -> None:
        """Have it send what it has and end, at most so many seconds; then end it."""
        self._queue.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(limit)
        self.end()

    def end(self) -> None:
        """End the process now. Twice is allowed."""
        self._over = True
        self._process.kill()
        self._process.wait()
        self._queue.put(None)

    def _pump(self) -> None:
        pipe: Any = self._process.stdin
        try:
            while (data := self._queue.get()) is not None and not self._over:
                pipe.write(data)
                pipe.flush()
                with self._lock:
                    self._waiting -= len(data)
                    self._moved = self._clock()
        except (OSError, ValueError):  # the process has ended
            pass
        finally:
            with contextlib.suppress(OSError):
                pipe.close()

    def _listen(self) -> None:
        output: Any = self._process.stdout
        with output:
            for line in output:
                report = Report.of_line(line)
                if report is None:  # what some library has printed
                    continue
                if report.failed is not None:
                    self._failed = report.failed
                    continue
                with self._lock:
                    now = self._moved = self._clock()
                    if report.connecting:
                        self._connects_since = now
                        continue
                    self._report = report
                    self._reports.append((now, report.size))
                    while now - self._reports[0][0] > _SPAN_S:
                        self._reports.popleft()
        self._ended.set()
