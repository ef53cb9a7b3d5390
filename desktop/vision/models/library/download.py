"""Download a file of the catalogue: resumable, and checked before it gets its name.

The bytes go to `<name>.part`, their state to `<name>.part.json`; both survive a kill.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import urlsplit

from desktop.base.errors import DownloadError
from desktop.base.files import reason
from desktop.base.lock import take_lock
from desktop.base.wording import sentence
from desktop.net.http_client import Failed, RangeGone
from desktop.vision.models.library.access import Access, DownloadProgress
from desktop.vision.models.library.catalogue import Entry
from desktop.vision.models.library.checksum import sha256_of
from desktop.vision.models.library.parts import ByteRange, Partial, load_partial, plan_parts
from desktop.vision.models.library.transfer import FileChanged, RangesLie, Transfer

_SAVE_S: Final = 1.0
_RATE_S: Final = 5.0
_RESTARTS: Final = 4


class Download:
    """One file's download to `target`. `run` once, on any thread; `stop` on any other."""

    def __init__(
        self,
        entry: Entry,
        folder: Path,
        access: Access | None = None,
        on_progress: Callable[[DownloadProgress], None] = lambda _: None,
    ) -> None:
        self.entry = entry
        self.target = folder / entry.file_name
        self._data = folder / f"{entry.file_name}.part"
        self._state_path = folder / f"{entry.file_name}.part.json"
        self._access = access or Access()
        self._on_progress = on_progress
        self._stopped = threading.Event()
        self._transfer: Transfer | None = None
        self._state = Partial("")
        self._rates: deque[tuple[float, int]] = deque()
        self._saved = 0.0

    # -- for the caller --------------------------------------------------------------------------------------

    def stop(self) -> None:
        """End the download soon; bytes that arrived are kept for resuming."""
        self._stopped.set()
        transfer = self._transfer
        if transfer is not None:
            transfer.stop()

    def run(self) -> bool:
        """Download, check and move the file; False if stopped before; raise DownloadError if it failed."""
        entry = self.entry
        if self._access.offline:
            raise DownloadError(
                sentence(
                    "{title} was not downloaded, because Lightloom is set to work offline; switch that off "
                    "first.",
                    title=entry.title,
                )
            )
        failures: list[Failed] = []
        addresses = self._access.addresses(entry)
        try:
            self.target.parent.mkdir(parents=True, exist_ok=True)
            with _locked(self._data.with_name(f"{self._data.name}.lock"), entry):
                for address in addresses:
                    try:
                        return self._from(address)
                    except Failed as error:
                        failures.append(error)
        except OSError as error:
            raise self._disk_error(error) from error
        last = failures[-1]
        raise DownloadError(
            sentence(
                "{title} was not downloaded: {last}; {advice}.",
                title=entry.title,
                last=last,
                advice=last.advice,
            )
        )

    # -- one address -----------------------------------------------------------------------------------------

    def _from(self, address: str) -> bool:
        ranges = True
        kept = load_partial(self._state_path, self.entry.sha256, self.entry.size)
        if kept is None or kept.address != address or not kept.is_in(self._data):
            kept = self._fresh(address, ranges)
        self._state = kept
        host = urlsplit(address).hostname
        for _ in range(_RESTARTS):
            resumed = self._state.done > 0
            try:
                if not self._fetch(ranges):
                    return False
                if self._publish():
                    return True
                self._discard()
                # Repeat only a resumed download, whose earlier bytes a power cut may have lost.
                if not resumed:
                    raise Failed(
                        sentence(
                            "what {host} sent is not the file that the catalogue names (its checksum is "
                            "another one)",
                            host=host,
                        ),
                        sentence("use a mirror, or look for a newer version of Lightloom"),
                    )
            except (FileChanged, RangeGone):
                self._discard()
            except RangesLie:
                ranges = False
                self._discard()
            self._state = self._fresh(address, ranges)
        raise Failed(sentence("the file at {host} changes while it is downloaded", host=host))

    def _fresh(self, address: str, ranges: bool) -> Partial:
        return Partial(address, "", plan_parts(self.entry.size, self._access.connections if ranges else 1))

    def _fetch(self, ranges: bool) -> bool:
        """Download all that is missing; return False if stopped before."""
        self._need_space()
        # Kept open: the file must be synchronized before the state that describes it.
        with self._data.open("r+b" if self._data.exists() else "x+b") as data:
            if not self._state.done:
                data.truncate(0)
            self._transfer = Transfer(self._state, self.entry.size, self._data, self._access, ranges=ranges)
            # Checked after `stop` could see the transfer, so that one of the two ends it.
            if self._stopped.is_set():
                return False
            try:
                self._transfer.run(lambda: self._tick(data))
            finally:
                self._save(data)
        return not self._stopped.is_set()

    def _tick(self, data: BinaryIO) -> None:
        now, done = time.monotonic(), self._state.done
        self._rates.append((now, done))
        while now - self._rates[0][0] > _RATE_S:
            self._rates.popleft()
        since, before = self._rates[0]
        rate = max(0, done - before) / (now - since) if now > since else 0.0
        self._on_progress(DownloadProgress(done, self.entry.size, rate))
        if now - self._saved > _SAVE_S:
            self._save(data)
            self._saved = now

    # -- the disk --------------------------------------------------------------------------------------------

    def _need_space(self) -> None:
        missing = self.entry.size - self._state.done
        if shutil.disk_usage(self.target.parent).free < missing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _save(self, data: BinaryIO) -> None:
        """Save the state; the bytes first, so that the state never claims bytes that were lost in a crash."""
        # Resuming needs an entity tag; without one there is nothing to save.
        if not self._state.etag:
            return
        parts = [ByteRange(part.start, part.stop, part.done) for part in self._state.parts]
        os.fsync(data.fileno())
        Partial(self._state.address, self._state.etag, parts).save(self._state_path, self.entry.sha256)

    def _discard(self) -> None:
        self._data.unlink(missing_ok=True)
        self._state_path.unlink(missing_ok=True)

    def _publish(self) -> bool:
        """Check the whole file and rename it; return False if the checksum differs."""
        if self._data.stat().st_size != self.entry.size or sha256_of(self._data) != self.entry.sha256:
            return False
        self._data.replace(self.target)
        self._state_path.unlink(missing_ok=True)
        self._on_progress(DownloadProgress(self.entry.size, self.entry.size))
        return True

    def _disk_error(self, error: OSError) -> DownloadError:
        folder = self.target.parent
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            need = (self.entry.size - self._state.done) / (1 << 20)
            return DownloadError(
                sentence(
                    "{title} was not downloaded: {folder} needs {need:.1f} MiB more than is free there; "
                    "make room or "
                    "choose another folder.",
                    title=self.entry.title,
                    folder=folder,
                    need=need,
                )
            )
        return DownloadError(
            sentence(
                "{title} was not downloaded: the folder {folder} cannot be written ({reason}); choose "
                "another "
                "folder.",
                title=self.entry.title,
                folder=folder,
                reason=reason(error),
            )
        )


@contextmanager
def _locked(path: Path, entry: Entry) -> Iterator[None]:
    """Lock a download until the process ends; raise DownloadError if locked, OSError if not writable."""
    try:
        with path.open("ab") as file:
            if not take_lock(file, required=False):
                raise DownloadError(
                    sentence(
                        "{title} is being downloaded by another window or command already; wait for that one.",
                        title=entry.title,
                    )
                )
            try:
                yield
            finally:
                # Before the lock is released: afterwards the file may be another download's.
                _delete(path, is_open=True)
    finally:
        _delete(path, is_open=False)


def _delete(path: Path, *, is_open: bool) -> None:
    """Delete a lock file where it can be: Windows deletes none that is open, here or in another download."""
    if is_open != (sys.platform == "win32"):
        with contextlib.suppress(OSError):
            path.unlink()
