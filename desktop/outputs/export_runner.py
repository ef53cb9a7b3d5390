"""Run the exports of a queue in order, each in a child process: `lightloom process --steer`. Playback is not
slowed, and no crash ends the window. The owner calls `poll` several times a second.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from desktop.base.child import start_own
from desktop.base.files import is_part_of
from desktop.base.wording import joined, plural, sentence
from desktop.outputs.export_queue import Export, ExportQueue, shown_text

_PATIENCE_S: Final = 5.0
_LONGEST: Final = 1 << 20
_MOST_PICTURES: Final = 1 << 53
# Shown in full; what `unpacked` reads back at the next start is limited too.
_MOST_NOTES: Final = 10
_MOST_CHARACTERS: Final = 2000


class ExportRunner:
    """Runs one export at a time, as two would share the GPU; calls `on_end` with each ended entry."""

    def __init__(
        self,
        queue: ExportQueue,
        start: Callable[[Sequence[str], Path, Any], subprocess.Popen[bytes]] = start_own,
    ) -> None:
        self.queue = queue
        self.on_end: Callable[[Export], None] = lambda _: None
        self._start = start
        self._process: subprocess.Popen[bytes] | None = None
        self._name = ""
        self._read_to = 0
        self._written = self._failed = False
        self._measured_at = 0.0
        self._stopped_at = 0.0
        self._older_part = ""
        self._made = ""
        self._notes: list[str] = []
        self._notes_left_out = 0

    @property
    def is_running(self) -> bool:
        """True while there is a process."""
        return self._process is not None

    # -- what a user asks for --------------------------------------------------------------------------------

    def pause(self, name: str) -> None:
        """Hold an export that runs; one that waits is held before it begins."""
        entry = self.queue.get(name)
        if entry is not None and entry.state == "running":
            self._leave("pause")
            self.queue.change(name, state="paused")

    def go_on(self, name: str) -> None:
        """Resume a paused export; restart one that was interrupted, has failed or was canceled."""
        entry = self.queue.get(name)
        if entry is not None and entry.state == "paused":
            with contextlib.suppress(OSError):
                (self._folder / "pause").unlink(missing_ok=True)
            self._measured_at = time.monotonic()
            self.queue.change(name, state="running")
        else:
            self.queue.again(name)

    def cancel(self, name: str) -> None:
        """End an export; nothing of it is left, an older file stays."""
        entry = self.queue.get(name)
        if entry is not None and entry.state in ("running", "paused"):
            self._stopped_at = time.monotonic()
            self._leave("stop")
        elif entry is not None and entry.state == "waiting":
            self.queue.change(name, state="canceled")

    @property
    def _folder(self) -> Path:
        return self.queue.folder_of(self._name)

    def _leave(self, word: str) -> None:
        with contextlib.suppress(OSError):
            (self._folder / word).touch()

    # -- the process -----------------------------------------------------------------------------------------

    def poll(self) -> None:
        """Start the next export, read the process's messages, and notice its end."""
        if self._process is None:
            entry = self.queue.next()
            if entry is not None:
                self._begin(entry)
            return
        ended = self._process.poll() is not None
        self._take_in()
        if ended:
            self._end()
        elif self._stopped_at and time.monotonic() - self._stopped_at > _PATIENCE_S:
            self._process.kill()

    def _begin(self, entry: Export) -> None:
        self._name, self._read_to, self._stopped_at = entry.job.id, 0, 0.0
        self._written = self._failed = False
        self._older_part = entry.part
        self._made, self._notes, self._notes_left_out = "", [], 0
        folder = self._folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("pause", "stop", "progress.jsonl"):
                (folder / name).unlink(missing_ok=True)
            with (folder / "output.txt").open("wb") as output:
                self._process = self._start(entry.job.command(folder), folder, output)
        except (
            OSError,
            ValueError,
        ) as error:  # a list that was edited may have names that no system can be told
            why = sentence(
                "The export cannot be started: {reason}.", reason=getattr(error, "strerror", None) or error
            )
            self.queue.change(self._name, state="failed", text=why)
            self._notify_end()
            return
        self._measured_at = time.monotonic()
        self.queue.change(self._name, state="running", done=0, seconds=0.0, text="", part="")

    def _take_in(self) -> None:
        entry = self.queue.get(self._name)
        assert entry is not None
        fields: dict[str, Any] = {}
        for told in self._entries():
            fields |= _fields(told, entry)
            self._made = _text_of(told, "made") or self._made
            if note := _text_of(told, "note"):
                self._note(note)
            if text := _text_of(told, "error") or (self._text() if "made" in told or "note" in told else ""):
                fields["text"] = text
            self._written |= "written" in told
            self._failed |= "error" in told and not told.get("stopped")
        now = time.monotonic()
        if entry.state == "running":
            fields["seconds"] = entry.seconds + now - self._measured_at
        self._measured_at = now
        self.queue.change(self._name, **fields)

    def _note(self, note: str) -> None:
        if len(self._notes) >= _MOST_NOTES or sum(map(len, (*self._notes, note))) > _MOST_CHARACTERS:
            self._notes_left_out += 1
        else:
            self._notes.append(note)

    def _text(self) -> str:
        """Return the description of the result with what was noted on it."""
        notes = self._notes
        if rest := self._notes_left_out:
            said = plural(rest, "%n further note is left out.", "%n further notes are left out.")
            if not notes:
                said = plural(rest, "%n note is too long to show.", "%n notes are too long to show.")
            notes = [*notes, said]
        return joined(". ", [each for each in (self._made, joined(" ", notes)) if each])

    def _entries(self) -> Iterator[dict[str, Any]]:
        """Yield the messages since the last call, in complete lines."""
        with contextlib.suppress(OSError), (self._folder / "progress.jsonl").open("rb") as stream:
            stream.seek(self._read_to)
            data = stream.read(_LONGEST)
            whole = data[: data.rfind(b"\n") + 1]
            self._read_to += len(whole)
            for line in whole.splitlines():
                with contextlib.suppress(ValueError):
                    told = json.loads(line)
                    if isinstance(told, dict):
                        yield told

    def _end(self) -> None:
        assert self._process is not None
        status = self._process.returncode
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None
        entry = self.queue.get(self._name)
        assert entry is not None
        if self._written and status == 0:
            _delete(self._older_part if self._older_part != entry.part else "")
            self.queue.change(self._name, state="done", part="")
        elif self._stopped_at:
            _delete(entry.part)
            self.queue.change(self._name, state="canceled", part="", text="")
        elif self._failed:
            self.queue.change(self._name, state="failed")
        else:
            why = sentence(
                "The export ended without a word (status {status}); begin it again.", status=status
            )
            self.queue.change(self._name, state="interrupted", text=why)
        self._notify_end()

    def _notify_end(self) -> None:
        entry = self.queue.get(self._name)
        if entry is not None:
            self.on_end(entry)

    def close(self) -> None:
        """End the process; what it was at is interrupted, and a next start shows it."""
        if self._process is not None:
            process, self._process = self._process, None
            if process.stdin is not None:
                process.stdin.close()  # which ends it
            try:
                process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(_PATIENCE_S)
            self.queue.change(self._name, state="interrupted")
        self.queue.close()


def _fields(told: dict[str, Any], entry: Export) -> dict[str, Any]:
    """Return an entry's fields changed by a message of the untrusted process; ignore invalid values."""
    fields: dict[str, Any] = {}
    for name in ("done", "total"):
        if isinstance(told.get(name), int):
            fields[name] = min(max(0, told[name]), _MOST_PICTURES)
    part = told.get("part")
    if isinstance(part, str) and is_part_of(part, entry.job.target):
        fields["part"] = part
    return fields


def _text_of(told: dict[str, Any], name: str) -> str:
    """Return a text of an untrusted message; '' if there is none."""
    with contextlib.suppress(ValueError):
        return shown_text(told[name]) if name in told else ""
    return ""


def _delete(part: str) -> None:
    if part:
        with contextlib.suppress(OSError):
            Path(part).unlink(missing_ok=True)
