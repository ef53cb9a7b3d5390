"""Transfer the missing bytes of a file to the disk: in parts, each on its own thread, with retries."""

from __future__ import annotations

import contextlib
import http.client
import queue
import random
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import urlsplit

from desktop.base.wording import counted, sentence
from desktop.net.http_client import Failed, HttpClient, Interrupted, Response
from desktop.vision.models.library.access import Access
from desktop.vision.models.library.parts import ByteRange, Partial, is_strong

_CHUNK: Final = 1 << 16
_TICK_S: Final = 0.1
# A connection that takes longer than `stall_s` for this counts as stalled.
_LEAST: Final = 1024
# A connection that delivered this much before it broke does not count as a failed attempt.
_PROGRESS: Final = 1 << 16
_LONGEST_WAIT_S: Final = 60.0
# A thread in a name lookup cannot be interrupted; it is abandoned, and ends by itself.
_FAREWELL_S: Final = 2.0
_CONTENT_RANGE: Final = re.compile(r"bytes (\d{1,15})-(\d{1,15})/(\d{1,15})")


class FileChanged(Exception):
    """The server has another version of the file than the one whose parts are on disk."""


class RangesLie(Exception):
    """The server's range responses cannot be trusted."""


class DiskFailed(OSError):
    """A disk error, which a network retry does not fix."""


class Transfer:
    """One attempt. `run` once; `stop` on any thread.

    A part is continued only with `If-Range` and a strong tag (RFC 9110 §13.1.5), so that versions never mix.
    """

    def __init__(self, state: Partial, size: int, data: Path, access: Access, *, ranges: bool) -> None:
        """Prepare to write at most `size` bytes to an existing file; `state` is updated as they arrive."""
        self._state = state
        self._size = size
        self._data = data
        self._access = access
        self._ranges = ranges
        self._client = HttpClient(access.stall_s, access.schemes)
        self._halt = threading.Event()
        self._others = False
        self._host = urlsplit(state.address).hostname or state.address

    def stop(self) -> None:
        """End soon; the state has the bytes that arrived."""
        self._halt.set()
        self._client.abort()

    def run(self, tick: Callable[[], None]) -> None:
        """Fetch all missing bytes; return early when stopped. `tick` is called ten times a second.

        Raises:
            Failed: this address does not provide the file.
            FileChanged, RangeGone: the parts on disk are useless.
            RangesLie: ranges must not be used with this server.
        """
        lead = next((part for part in self._state.parts if part.left), None)
        if lead is None:
            return
        ends: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        threads = [self._begin(lead, ends)]
        running, all_begun = 1, False
        try:
            while running:
                with contextlib.suppress(queue.Empty):
                    error = ends.get(timeout=_TICK_S)
                    running -= 1
                    if error is not None:
                        raise error
                # The first response shows whether the server supports ranges; only then do the others begin.
                if self._others and not all_begun:
                    all_begun = True
                    others = [part for part in self._state.parts if part is not lead and part.left]
                    threads += [self._begin(part, ends) for part in others]
                    running += len(others)
                tick()
        finally:
            self.stop()
            until = time.monotonic() + _FAREWELL_S
            for thread in threads:
                thread.join(max(0.0, until - time.monotonic()))

    def _begin(self, part: ByteRange, ends: queue.SimpleQueue[BaseException | None]) -> threading.Thread:
        def work() -> None:
            try:
                self._fetch(part)
            except BaseException as error:
                ends.put(error)
            else:
                ends.put(None)

        thread = threading.Thread(target=work, name="download part", daemon=True)
        thread.start()
        return thread

    # -- a part, on its thread -------------------------------------------------------------------------------

    def _fetch(self, part: ByteRange) -> None:
        failures = 0
        with self._data.open("r+b", buffering=0) as file:
            while part.left and not self._halt.is_set():
                before = part.done
                try:
                    self._request(part, file)
                except DiskFailed:
                    raise
                except (Interrupted, OSError, http.client.HTTPException) as error:
                    if self._halt.is_set():
                        return
                    failures = 1 if part.done - before >= _PROGRESS else failures + 1
                    self._wait(failures, error)

    def _wait(self, failures: int, error: Exception) -> None:
        if not isinstance(error, Interrupted):
            slow = isinstance(error, TimeoutError)
            error = Interrupted(
                sentence("{host} stopped sending", host=self._host)
                if slow
                else sentence("the connection to {host} broke", host=self._host)
            )
        kept = sentence("; what has arrived is kept") if self._state.etag and self._state.done else ""
        if failures >= self._access.attempts:
            raise Failed(
                sentence("{error}, {failures} times in a row", error=error, failures=failures),
                sentence("check the network and try again{kept}", kept=kept),
            )
        if error.wait_s > _LONGEST_WAIT_S:
            minutes = round(error.wait_s / 60)
            raise Failed(
                sentence(
                    "{error} and asks to come back in {minutes}",
                    error=error,
                    minutes=counted(minutes, "minute"),
                ),
                sentence("try again then{kept}", kept=kept),
            )
        # Half of the wait is random, so that parts don't retry together; full jitter might not wait.
        delay = self._access.backoff_s * 2 ** (failures - 1) * random.uniform(0.5, 1.0)
        self._halt.wait(max(delay, error.wait_s))

    def _request(self, part: ByteRange, file: BinaryIO) -> None:
        headers = {}
        if self._ranges and self._state.etag:
            headers = {"Range": f"bytes={part.next}-{part.stop - 1}", "If-Range": self._state.etag}
        else:
            part.done = 0
            if self._ranges:
                # The complete file: without ranges or a version, no second request is needed.
                headers = {"Range": f"bytes={part.start}-"}
        with contextlib.closing(self._client.get(self._state.address, headers)) as response:
            if self._halt.is_set():
                return
            if response.headers.get("Content-Encoding", "identity").lower() != "identity":
                raise Failed(
                    sentence("{host} sends the file in an encoding that was not requested", host=self._host),
                    sentence("use a mirror"),
                )
            if response.status == 206 and headers:
                stop = self._take_range(part, response)
            elif response.status == 200:
                stop = self._take_all(part, response)
            else:
                raise Failed(
                    sentence("{host} answered {status} and no file", host=self._host, status=response.status)
                )
            self._receive(part, response, file, stop)

    def _take_range(self, part: ByteRange, response: Response) -> int:
        """Check a 206 response; return the byte before which it ends."""
        found = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
        if found is None:
            raise RangesLie
        first, last, total = map(int, found.groups())
        if total != self._size:
            raise self._other_size(total)
        end = part.stop if self._state.etag else total
        if first != part.next or not first <= last < end:
            raise RangesLie
        length = response.headers.get("Content-Length")
        if length is not None and length.strip() != str(last - first + 1):
            raise RangesLie
        etag = response.headers.get("ETag", "")
        if self._state.etag:
            if etag != self._state.etag:
                raise FileChanged
            self._others = True
        elif is_strong(etag):
            self._state.etag = etag
            self._others = True
        else:
            self._assign_complete_file(part)
        return last + 1

    def _take_all(self, part: ByteRange, response: Response) -> int:
        """Check a 200 response, which is the whole file whatever was requested."""
        if self._others:
            raise FileChanged
        length = response.headers.get("Content-Length", "").strip()
        if length and length != str(self._size):
            raise self._other_size(int(length) if re.fullmatch(r"[0-9]{1,15}", length) else None)
        etag = response.headers.get("ETag", "")
        self._state.etag = etag if is_strong(etag) else ""
        self._assign_complete_file(part)
        return part.stop

    def _assign_complete_file(self, part: ByteRange) -> None:
        """Make this request's part all of the file: there are no others yet."""
        part.start, part.stop, part.done = 0, self._size, 0
        self._state.parts = [part]

    def _other_size(self, size: int | None) -> Failed:
        theirs = f"{size:,} bytes" if size is not None else "a size that is no number"
        return Failed(
            sentence(
                "the file at {host} has {theirs} and the catalogue's has {size:,}",
                host=self._host,
                theirs=theirs,
                size=self._size,
            ),
            sentence("use a mirror, or look for a newer version of Lightloom"),
        )

    def _receive(self, part: ByteRange, response: Response, file: BinaryIO, stop: int) -> None:
        stop = min(stop, part.stop)
        window, got = time.monotonic(), 0
        file.seek(part.next)
        while part.next < stop and not self._halt.is_set():
            chunk = response.read1(min(_CHUNK, stop - part.next))
            if not chunk:
                raise Interrupted(sentence("{host} ended the connection early", host=self._host))
            _write(file, chunk)
            part.done += len(chunk)
            got += len(chunk)
            now = time.monotonic()
            if got >= _LEAST:
                window, got = now, 0
                response.deadline.put_off()
            elif now - window > self._access.stall_s:
                raise TimeoutError
        # With a length, http.client returns no more than it; without one, excess bytes were never requested.
        at_end = stop == self._size and not self._halt.is_set()
        if at_end and response.headers.get("Content-Length") is None and response.read1(1):
            raise Failed(
                sentence(
                    "{host} sends more than the catalogue's {size:,} bytes", host=self._host, size=self._size
                ),
                sentence("use a mirror"),
            )


def _write(file: BinaryIO, chunk: bytes) -> None:
    view = memoryview(chunk)
    try:
        while view:
            view = view[file.write(view) :]
    except OSError as error:
        raise DiskFailed(error.errno, error.strerror) from error
