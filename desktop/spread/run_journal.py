"""Persistent state of a run: a folder beside the output with the finished pieces and a file of JSON lines.

A line is written after its piece is complete, so that a killed driver loses only work in progress. On
resuming, each piece's SHA-256 is verified: after a power loss there may be lines for incomplete files.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
from pathlib import Path
from typing import Any, Final, Self

from desktop.base.errors import SpreadError, UsageError, not_written
from desktop.base.files import reason
from desktop.base.journal import InUseError, JournalFile, begins_with, recover
from desktop.base.wording import sentence
from desktop.vision.models.library.checksum import sha256_of

_NAME: Final = "done.jsonl"
_TOKEN: Final = "seen"
_BEGINNING: Final = b'{"run": "'


class RunJournal:
    """The folder of a run. Not thread-safe; a lock allows one driver.

    Attributes:
        pieces: file names of the finished pieces, by number.
        incomplete_pieces: numbers of those that were made, in an earlier run too, with a gap; see
            `Done.is_incomplete`.
        outputs: numbers of the clips whose output is written.
        token: name and content of a file by which workers recognize the folder.
    """

    def __init__(self, folder: Path, file: JournalFile) -> None:
        """Use `open`."""
        self.folder = folder
        self._file = file
        self.pieces: dict[int, str] = {}
        self.incomplete_pieces: set[int] = set()
        self.outputs: set[int] = set()
        self.token = (_TOKEN, secrets.token_hex(16))

    @classmethod
    def open(cls, folder: Path, identity: str) -> Self:
        """Start a run, or resume an equal one.

        Raises UsageError if the folder is not of this run, SpreadError if another driver is using it,
        ExportError if it cannot be written.
        """
        path = folder / _NAME
        try:
            if path.is_symlink() or (folder.exists() and not path.exists() and any(folder.iterdir())):
                raise _occupied_error(folder)
            folder.mkdir(exist_ok=True)
            run_journal = cls(folder, JournalFile(path, create=True))
            try:
                run_journal._take_up(identity)
                (folder / _TOKEN).write_text(run_journal.token[1], "ascii")
            except BaseException:
                run_journal._file.close()
                raise
        except InUseError as error:
            raise SpreadError(
                sentence("Another run is at the pieces in {name}; wait for it, or end it.", name=str(folder))
            ) from error
        except OSError as error:
            raise not_written(folder, reason(error)) from error
        return run_journal

    def _take_up(self, identity: str) -> None:
        path = self.folder / _NAME
        if not begins_with(path, _BEGINNING):
            raise _occupied_error(self.folder)
        entries: list[dict[str, Any]] = []
        found = recover(path, entries.append)
        if not found.lines and {other.name for other in self.folder.iterdir()} - {_NAME, _TOKEN}:
            # A run that was killed while it wrote its first line has no pieces.
            raise _occupied_error(self.folder)
        if found.lines and entries[0]["run"] != identity:
            raise UsageError(
                sentence(
                    "The pieces in {name} are of another command, other inputs or another version; give "
                    "the same as then, or "
                    "delete that folder.",
                    name=str(self.folder),
                )
            )
        self._file.cut(found.end)
        if not found.lines:
            self._write({"run": identity})
        for entry in entries[1 : found.lines]:
            # An invalid line, perhaps edited, is ignored: its piece is made again.
            with contextlib.suppress(LookupError, TypeError, ValueError):
                self._believe(entry)
        kept = {_NAME, _TOKEN, *self.pieces.values()}
        for path in self.folder.iterdir():
            if path.name not in kept:
                # Left by an unfinished piece.
                path.unlink(missing_ok=True)

    def _believe(self, entry: dict[str, Any]) -> None:
        """Accept a line as done if its file exists and matches it."""
        if "output" in entry:
            if _is_same(Path(entry["path"]), entry["sha256"]):
                self.outputs.add(int(entry["output"]))
            return
        name = entry["name"]
        # Also if its file was joined and deleted. A piece that was made again has a second line, which holds.
        count = (
            self.incomplete_pieces.add
            if entry.get("is_incomplete") is True
            else self.incomplete_pieces.discard
        )
        count(int(entry["piece"]))
        # A plain name only: pieces are deleted in the end, and nothing outside of the folder may be.
        if Path(name).name == name and _is_same(self.folder / name, entry["sha256"]):
            self.pieces[int(entry["piece"])] = name

    def _write(self, entry: dict[str, Any]) -> None:
        try:
            self._file.append(json.dumps(entry).encode() + b"\n")
        except OSError as error:
            raise not_written(self.folder, reason(error)) from error

    def piece_done(
        self, number: int, name: str, sha256: str, data: bytes | None, *, is_incomplete: bool = False
    ) -> None:
        """Record a finished piece: the file of that name, which exists or is created with `data`. `is_incomplete`
        is that of `Done`.

        Raises ExportError if it is missing or cannot be written, SpreadError if its content differs.
        """
        path = self.folder / name
        try:
            if data is not None:
                path.write_bytes(data)
            found = sha256_of(path)
        except OSError as error:
            raise not_written(path, reason(error)) from error
        if found != sha256:
            raise SpreadError(
                sentence(
                    "The result differs from what is stored in {name}; check that storage.", name=str(path)
                )
            )
        self.pieces[number] = name
        self.incomplete_pieces.discard(number)
        if is_incomplete:
            self.incomplete_pieces.add(number)
        self._write({"piece": number, "name": name, "sha256": sha256, "is_incomplete": is_incomplete})

    def output_done(self, clip: int, target: Path, pieces: list[int]) -> None:
        """Record a clip's output as written, and delete its pieces."""
        try:
            sha256 = sha256_of(target)
        except OSError as error:
            raise not_written(target, reason(error)) from error
        self.outputs.add(clip)
        self._write({"output": clip, "path": str(target.absolute()), "sha256": sha256})
        for number in pieces:
            if name := self.pieces.pop(number, ""):
                with contextlib.suppress(OSError):
                    (self.folder / name).unlink(missing_ok=True)

    def path_of(self, number: int) -> Path:
        """Return the path of a finished piece."""
        return self.folder / self.pieces[number]

    def close(self, *, delete: bool) -> None:
        """Close the run journal, and delete its folder if `delete` is set."""
        if delete:
            self._file.delete(lambda: shutil.rmtree(self.folder, ignore_errors=True))
        self._file.close()


def _is_same(path: Path, sha256: str) -> bool:
    try:
        return sha256_of(path) == sha256
    except (OSError, ValueError):
        return False


def _occupied_error(folder: Path) -> UsageError:
    return UsageError(
        sentence(
            "{name} is there and is no folder of pieces; move it away, or choose another output.",
            name=str(folder),
        )
    )
