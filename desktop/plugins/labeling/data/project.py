"""A labeling project, which writes each edit to disk.

The file is a journal of JSON lines, each with all labels of one image or the list of classes; the last one
counts. A crash loses at most the line being written. A mostly outdated journal is rewritten when it is
opened. It is in the folder of the images, or in the user's own if that is not writable (`Project.note`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ExportError, SourceError, UsageError
from desktop.base.files import reason, replace_file, resolved
from desktop.base.journal import JournalFile, Tail, recover
from desktop.base.paths import user_label_folder
from desktop.base.wording import sentence
from desktop.plugins.labeling.data.label_set import Edit, LabelSet
from desktop.plugins.labeling.data.labels import Picture, class_name
from desktop.plugins.labeling.data.lines import picture_json, picture_of

FILE_NAME: Final = "lightloom-labels.jsonl"
_VERSION: Final = 1
_LARGEST: Final = 1 << 30
# Old lines that are kept in peace: a journal of fewer is not written anew.
_IDLE: Final = 200


def places_for(pictures: Path) -> tuple[Path, Path]:
    """Return where the labels of a folder or video are stored: beside it, or elsewhere if not possible."""
    wanted = pictures / FILE_NAME if pictures.is_dir() else pictures.with_name(f"{pictures.name}.{FILE_NAME}")
    whole = str(resolved(pictures))
    key = hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return wanted, user_label_folder() / f"{key}.jsonl"


@dataclass
class _FileContents:
    """Content of a label file."""

    classes: tuple[str, ...] = ()
    pictures: dict[str, Picture] = field(default_factory=dict)
    lines: int = 0
    whole: int = 0
    seen: _FileStamp = None


_FileStamp = tuple[int, int, int] | None
"""Inode, size and time, which show whether a file has changed since it was read; None for no file."""


def _file_stamp(path: Path) -> _FileStamp:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns)


class Project:
    """Labels of a folder's images or a video's frames, saved at each edit. Not thread-safe.

    Change `label_set` only through the project; `note` is a message about where it is stored, '' for none.
    """

    def __init__(self, pictures: Path) -> None:
        """Open the labels of a folder, or begin new ones; nothing is written before the first edit.

        Raises UsageError if the file is damaged or not of labels, SourceError if it cannot be read.
        """
        self._places = places_for(pictures)
        self._path, kept = self._read()
        self.note = (
            sentence("The labels of these images are stored in {name}.", name=self._path)
            if self._path == self._places[1]
            else ""
        )
        self._file: JournalFile | None = None
        self._end, self._file_stamp = kept.whole, kept.seen
        # What the file cannot be gone on with: it is written whole at the next edit.
        self._is_stale = kept.lines > 2 * len(kept.pictures) + _IDLE
        self._listed = kept.classes
        self._unsaved: set[str] = set()
        self.label_set = LabelSet(kept.classes, kept.pictures)

    @property
    def path(self) -> Path:
        """Path of the labels."""
        return self._path

    def _read(self) -> tuple[Path, _FileContents]:
        wanted, other = self._places
        # Who could not write beside the images before has newer ones in the other place.
        for path in (other, wanted):
            try:
                kept = _read_file(path)
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                raise SourceError(
                    sentence(
                        "The labels in {name} cannot be read ({reason}); check its permissions, or move it "
                        "away.",
                        name=path,
                        reason=reason(error),
                    )
                ) from error
            return path, kept
        return wanted, _FileContents()

    # -- changes: see `LabelSet` -----------------------------------------------------------------------------

    def edit(
        self, title: str, changes: Mapping[str, Picture], key: object = None, classes: Iterable[str] = ()
    ) -> None:
        """See `LabelSet.edit`. Raises ExportError if the edit is not saved; the next one saves it too."""
        self._save(self.label_set.edit(title, changes, key, classes))

    def use_classes(self, title: str, classes: tuple[str, ...]) -> None:
        """See `LabelSet.use_classes`, and `edit`."""
        self._save(self.label_set.use_classes(title, classes))

    def rename_class(self, title: str, old: str, new: str) -> None:
        """See `LabelSet.rename_class`, and `edit`."""
        self._save(self.label_set.rename_class(title, old, new))

    def take_in(self, proposals: Mapping[str, Picture]) -> frozenset[str]:
        """See `LabelSet.take_in`, and `edit`."""
        names = self.label_set.take_in(proposals)
        self._save(names)
        return names

    def undo(self) -> Edit | None:
        """See `LabelSet.undo`, and `edit`."""
        return self._went(self.label_set.undo())

    def redo(self) -> Edit | None:
        """See `LabelSet.redo`, and `edit`."""
        return self._went(self.label_set.redo())

    def _went(self, edit: Edit | None) -> Edit | None:
        if edit is not None:
            self._save(frozenset(edit.before))
        return edit

    # -- the file --------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Save what an earlier edit could not, nothing otherwise. Raises as `edit`."""
        self._save(frozenset())

    def _save(self, names: frozenset[str]) -> None:
        self._unsaved |= names
        if not self._unsaved and self.label_set.classes == self._listed:
            return
        try:
            if self._file is None:
                self._file = self._begin()
            self._append(self._file)
        except (OSError, ValueError) as error:
            raise ExportError(
                sentence(
                    "The labels cannot be kept in {name} ({reason}); make room, and the next edit keeps "
                    "them too.",
                    name=self._path,
                    reason=reason(error),
                )
            ) from error
        self._unsaved.clear()
        self._listed = self.label_set.classes

    def _begin(self) -> JournalFile:
        """Open the file for writing, in the first place that can be written."""
        wanted, other = self._places
        try:
            return self._open_at(self._path, self._file_stamp)
        except OSError as error:
            if self._path == other:
                raise
            other.parent.mkdir(parents=True, exist_ok=True)
            # None was there when these labels were opened, or it would have been them.
            opened = self._open_at(other, None)
            self._path = other
            self.note = sentence(
                "The labels cannot be stored beside the images ({reason}: {folder}), so they are stored in "
                "{name}.",
                reason=reason(error),
                folder=wanted.parent,
                name=other,
            )
            return opened

    def _open_at(self, path: Path, seen: _FileStamp) -> JournalFile:
        """Open a file that is as it was seen, or one that is not there."""
        if _file_stamp(path) != seen:
            raise _changed(path)
        if seen is None or self._is_stale or not self._end:
            # `_read_file` has refused existing files without a valid line, which may be foreign.
            replace_file(path, self._all_lines())
            self._file_stamp = _file_stamp(path)
            self._end, self._is_stale = path.stat().st_size, False
            self._unsaved.clear()
            self._listed = self.label_set.classes
        # Not locked: who opens the labels later goes on with them, and who had them before is refused.
        file = JournalFile(path, locked=False)
        # A line that was being written when the program ended.
        file.cut(self._end)
        return file

    def _all_lines(self) -> Iterator[bytes]:
        yield _line({"labels": {"version": _VERSION}})
        yield _line({"classes": list(self.label_set.classes)})
        for name, picture in self.label_set.pictures.items():
            yield _line({"picture": name, "labels": picture_json(picture)})

    def _append(self, file: JournalFile) -> None:
        lines = [
            _line({"picture": name, "labels": picture_json(self.label_set[name])})
            for name in sorted(self._unsaved)
        ]
        if self.label_set.classes != self._listed:
            lines.insert(0, _line({"classes": list(self.label_set.classes)}))
        if not file.is_intact():
            raise _changed(self._path)
        file.append(b"".join(lines))

    def close(self) -> None:
        """Close the file, which stays."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _read_file(path: Path) -> _FileContents:
    """Read a file of labels; a truncated last line is omitted.

    Raises OSError or ValueError if it cannot be opened, UsageError if it is damaged or not of labels.
    """
    seen = _file_stamp(path)
    if seen is not None and seen[1] > _LARGEST:
        raise _no_labels(path)
    kept = _FileContents(seen=seen)

    def take(entry: Any) -> None:
        if not kept.lines:
            _check_head(entry, path)
        else:
            _take(entry, kept)
        kept.lines += 1

    found = recover(path, take)
    if not found.lines and found.tail:
        raise _no_labels(path)
    if found.tail >= Tail.MALFORMED:
        raise _damaged(path, found.lines + 1)
    kept.whole = found.end
    return kept


def _check_head(entry: Any, path: Path) -> None:
    version = entry["labels"]["version"]
    if not isinstance(version, int):
        raise TypeError("not a version")
    if version > _VERSION:
        raise UsageError(
            sentence("{name} is of a newer Lightloom; update this one, or move the file away.", name=path)
        )


def _take(entry: Mapping[str, Any], into: _FileContents) -> None:
    if "classes" in entry:
        classes = entry["classes"]
        if not isinstance(classes, list):
            raise ValueError("not a list of classes")
        into.classes = tuple(dict.fromkeys(name for text in classes if (name := class_name(text))))
        return
    name, picture = entry["picture"], picture_of(entry["labels"])
    if not isinstance(name, str):
        raise TypeError("not a name")
    if picture.is_empty:
        into.pictures.pop(name, None)
    else:
        into.pictures[name] = picture


def _changed(path: Path) -> UsageError:
    return UsageError(
        sentence(
            "{name} was changed by another program, perhaps a second Lightloom; close that, and open the "
            "images here again.",
            name=path,
        )
    )


def _no_labels(path: Path) -> UsageError:
    return UsageError(
        sentence(
            "{name} holds no labels of Lightloom; move it away to begin new labels for these images.",
            name=path,
        )
    )


def _damaged(path: Path, line: int) -> UsageError:
    return UsageError(
        sentence(
            "Line {line} of {name} is damaged; remove that line, or move the file away to begin anew.",
            line=line,
            name=path,
        )
    )
