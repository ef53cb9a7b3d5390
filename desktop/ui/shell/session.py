"""Files of a running window, from which the next start determines how it ended.

Each window has a folder `sessions/<name>` beside the log with a locked file, the stacks of `faulthandler` and
the last setup, which it deletes on closing. A folder with a free lock and stacks, or of a hung window, is of
a crash. Otherwise the process was killed or lost power; the user is not asked about that, since users who are
asked at each log-out learn to dismiss the question (obsproject/obs-studio issues 9877, 10011, 10833).
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import logging
import math
import os
import re
import shutil
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from desktop.base.files import exists, read_regular, replace_file
from desktop.base.lock import take_lock
from desktop.base.paths import user_log_folder
from desktop.base.printable import printable
from desktop.pipeline.setup.known import MAX_BYTES

log = logging.getLogger(__name__)

_LOCK: Final = "running"
_STACKS: Final = "stacks.txt"
_HUNG: Final = "hung.txt"
_SETUP: Final = "setup.toml"
SOURCE_FILE: Final = "source.json"
_OWN_SETUP: Final = re.compile(r"(setup-[1-9]\.toml)?")
# It names the files of all shaders of the user that were opened, of which there may be thousands.
_MAX_BYTES: Final = 4 << 20
_MAX_CRASHES: Final = 3
"""Number of crashes to keep."""
_MAX_INCOMPLETE: Final = 10
"""Number of setups to keep that could not be restored completely."""


@dataclass(frozen=True)
class Crash:
    """Remains of a crashed window: the folder with its files, and when it ended (seconds since 1970)."""

    folder: Path
    at: float


@dataclass(frozen=True)
class LastSource:
    """A source that a window had open when the session was saved.

    Attributes:
        name: a path, an address, 'sample', 'camera:...'; '' for none.
        withheld: a displayable address whose password is not stored; `name` is empty then.
        in_use: whether it was the active tile of a grid; True without a grid.
        setup: the file with its own setup; '' for the common setup.
    """

    name: str = ""
    position: float = 0.0
    withheld: str = ""
    in_use: bool = True
    setup: str = ""

    @property
    def document(self) -> dict[str, str | float]:
        """Return it as stored."""
        kept: dict[str, str | float] = {"source": self.name, "position": round(self.position, 3)}
        more: dict[str, str | float] = {
            "withheld": self.withheld,
            "in_use": self.in_use,
            "setup": self.setup,
        }
        return kept | {key: value for key, value in more.items() if value}

    @property
    def has_own(self) -> bool:
        """Whether it is anything but the sample."""
        return bool(self.name) and not self.is_kind("sample")

    def is_kind(self, *kinds: str) -> bool:
        """Return whether it is 'kind' or 'kind:...' for one of these kinds, and not a file of that name."""
        return self.name.partition(":")[0] in kinds


def last_folder(settings: Path) -> Path:
    """Return the folder of the last session (ui/shell/last_session.py) for a settings file."""
    return settings.with_name("last_session")


def _read_key(folder: Path, key: str) -> Any:
    """Return a value of a stored session; None if there is none or it cannot be read."""
    try:
        return json.loads(read_regular(folder / SOURCE_FILE, _MAX_BYTES)).get(key)
    except (OSError, ValueError, AttributeError, RecursionError):
        return None


def read_look(folder: Path) -> str:
    """Return the title of the look that a stored session's chain began with; '' if there is none."""
    title = _read_key(folder, "look")
    return printable(title) if isinstance(title, str) else ""


def read_look_path(folder: Path) -> str:
    """Return the file of the look that a stored session's chain began with; '' if it is not known."""
    path = _read_key(folder, "look_path")
    return path if isinstance(path, str) else ""


def has_complete_look(folder: Path) -> bool:
    """Return whether all effects of that look were there when the session was stored."""
    return _read_key(folder, "look_incomplete") is not True


def read_origins(folder: Path) -> dict[str, Path]:
    """Return where the user's own shaders of a stored session came from, by the names of their filters."""
    found = _read_key(folder, "shaders")
    entries = found.items() if isinstance(found, dict) else ()
    return {name: Path(path) for name, path in entries if isinstance(path, str) and "\0" not in path}


def incomplete_folder(settings: Path) -> Path:
    """Return the folder of copies of what could not be restored completely, for a settings file."""
    return settings.with_name("incomplete_sessions")


def copy_incomplete(path: Path, folder: Path) -> Path | None:
    """Copy a file of a session that could not be restored completely, with its files, into a new folder in `folder`.

    Return the copy, an existing one if it has the same content; None if it cannot be made. Of the copies, the
    last ones stay.
    """
    try:
        data = read_regular(path, MAX_BYTES)
        numbers = sorted(int(each.name) for each in folder.glob("*") if each.name.isdecimal())
        for number in numbers:
            kept = folder / str(number) / path.name
            if kept.is_file() and kept.read_bytes() == data:
                return kept
        target = folder / str(numbers[-1] + 1 if numbers else 1)
        target.mkdir(parents=True)
        replace_file(target / path.name, [data])
        files = path.with_name(f"{path.stem}.files")
        if files.is_dir():
            shutil.copytree(files, target / files.name)
        for number in numbers[: 1 - _MAX_INCOMPLETE]:
            shutil.rmtree(folder / str(number), ignore_errors=True)
    except (OSError, ValueError) as error:
        log.warning("%s is not kept: %s", path.name, error)
        return None
    return target / path.name


def own_setup(number: int) -> str:
    """Return the file name of a tile's own setup; tiles count from 1."""
    return f"setup-{number}.toml"


def has_session(folder: Path) -> bool:
    """Return whether there is a stored session, also one that cannot be read."""
    return exists(folder / SOURCE_FILE)


def read_source(folder: Path) -> LastSource | None:
    """Return the source of a stored session; None if there is none or it cannot be read."""
    try:
        return _source_of(json.loads(read_regular(folder / SOURCE_FILE, _MAX_BYTES)))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def read_tiles(folder: Path) -> tuple[LastSource, ...]:
    """Return the sources of the stored grid's tiles in order; () if there is none or it is unreadable."""
    try:
        listed = json.loads(read_regular(folder / SOURCE_FILE, _MAX_BYTES)).get("tiles", [])
        return tuple(_source_of(found) for found in listed)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return ()


def _source_of(found: Any) -> LastSource:
    name, position = found["source"], found["position"]
    withheld, setup = found.get("withheld", ""), found.get("setup", "")
    if not isinstance(name, str) or "\0" in name or not math.isfinite(position):
        raise ValueError
    if not isinstance(setup, str) or not _OWN_SETUP.fullmatch(setup):
        raise ValueError
    withheld = withheld if isinstance(withheld, str) else ""
    return LastSource(name, max(0.0, float(position)), withheld, found.get("in_use") is True, setup)


class WindowSession:
    """The folder of the current window; `folder` is None if it cannot be written."""

    def __init__(self, root: Path | None = None) -> None:
        self.folder: Path | None = None
        self._files: list[IO[bytes]] = []
        root = (root or user_log_folder()) / "sessions"
        folder = root / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{time.monotonic_ns() % 10**6}"
        try:
            folder.mkdir(parents=True)
            # Both stay open: the lock, and the file that the fatal signal handler writes without allocating.
            lock, stacks = (folder / _LOCK).open("wb"), (folder / _STACKS).open("wb", buffering=0)
            self._files = [lock, stacks]
            take_lock(lock)
            faulthandler.enable(stacks)
        except OSError as error:
            log.warning("no record of this session: %s", error)
            return
        self.folder = folder

    @property
    def setup_file(self) -> Path | None:
        """Path of the current setup, saved as a preset for a crash report."""
        return self.folder / _SETUP if self.folder is not None else None

    def crashed(self, error: BaseException) -> None:
        """Save the traceback of an error that ends the program."""
        if self.folder is not None:
            with contextlib.suppress(OSError), (self.folder / _STACKS).open("a", encoding="utf-8") as stream:
                traceback.print_exception(error, file=stream)

    def mark_hung(self, stacks: str) -> None:
        """Record that the window hangs, with its stacks; '' clears the record."""
        if self.folder is not None:
            with contextlib.suppress(OSError):
                if stacks:
                    (self.folder / _HUNG).write_text(stacks, encoding="utf-8")
                else:
                    (self.folder / _HUNG).unlink(missing_ok=True)

    def close(self) -> None:
        """Delete the folder: the window has closed, and later faults of the process do no harm."""
        folder, self.folder = self.folder, None
        if folder is None:
            return
        faulthandler.disable()
        for file in self._files:
            file.close()
        shutil.rmtree(folder, ignore_errors=True)


def find_crash(root: Path | None = None) -> Crash | None:
    """Archive the files of windows that crashed since the last call; return the newest or None."""
    root = root or user_log_folder()
    found = None
    with contextlib.suppress(OSError):
        for folder in sorted((root / "sessions").iterdir()):
            if _has_ended(folder):
                crash = _put_away(folder, root / "crashes")
                found = crash or found
        _delete_old(root / "crashes")
    return found


def last_crash(root: Path | None = None) -> Crash | None:
    """Return the newest archived crash."""
    folder = (root or user_log_folder()) / "crashes"
    kept = sorted(folder.iterdir()) if folder.is_dir() else []
    return Crash(kept[-1], kept[-1].stat().st_mtime) if kept else None


def _has_ended(folder: Path) -> bool:
    try:
        with (folder / _LOCK).open("r+b") as stream:
            return take_lock(stream)
    except FileNotFoundError:
        # Another start is archiving it now, or it is about to be written.
        return folder.is_dir() and time.time() - folder.stat().st_mtime > 60
    except OSError:
        return False  # unknown


def _put_away(folder: Path, kept: Path) -> Crash | None:
    stacks, hung = folder / _STACKS, folder / _HUNG
    crashed = hung.exists() or (stacks.exists() and stacks.stat().st_size > 0)
    if not crashed:
        shutil.rmtree(folder, ignore_errors=True)
        return None
    at = max(path.stat().st_mtime for path in (stacks, hung) if path.exists())
    kept.mkdir(exist_ok=True)
    target = kept / folder.name
    folder.rename(target)
    return Crash(target, at)


def _delete_old(kept: Path) -> None:
    folders = sorted(kept.iterdir()) if kept.is_dir() else []
    for folder in folders[:-_MAX_CRASHES]:
        shutil.rmtree(folder, ignore_errors=True)


def stacks_of_threads() -> str:
    """Return the stacks of all Python threads as text."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(
        f"Thread {names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
        for ident, frame in sys._current_frames().items()
    )


@contextlib.contextmanager
def logged_errors() -> Iterator[None]:
    """Log uncaught errors of slots and threads, in addition to printing them on stderr."""
    before, before_threads = sys.excepthook, threading.excepthook

    def hook(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        log.error("an error that nothing caught", exc_info=(kind, error, where))
        before(kind, error, where)

    def thread_hook(args: Any) -> None:
        if args.exc_value is not None:
            log.error(
                "an error that nothing caught in thread %s",
                args.thread.name if args.thread is not None else "?",
                exc_info=(args.exc_type, args.exc_value, args.exc_traceback),
            )
        before_threads(args)

    sys.excepthook, threading.excepthook = hook, thread_hook
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before, before_threads
