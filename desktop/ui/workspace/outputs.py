"""Files that jobs under way write or read, so that no other job is given the same name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.base.files import exists

_NUMBER: Final = re.compile(r"%0?\d*d")


class Outputs:
    """The paths in use by exports, recordings and snapshots that have not ended."""

    def __init__(self) -> None:
        self._users: list[Callable[[], Iterable[Path]]] = []

    def add_user(self, paths: Callable[[], Iterable[Path]]) -> None:
        """Add a function that returns the paths in use by a feature."""
        self._users.append(paths)

    def is_used(self, path: Path) -> bool:
        """True if a job that has not ended uses the path."""
        key = _key(path)
        return any(_key(each) == key for paths in self._users for each in paths())

    def free(self, path: Path) -> Path:
        """Return the path, or the first of "name 2", "name 3", ... that nothing has and no job uses."""
        found, count = path, 1
        while is_there(found) or self.is_used(found):
            count += 1
            found = numbered(path, count)
        return found

    def may_write(self, path: Path, parent: QWidget, *, agreed: Path | None = None) -> bool:
        """Refuse, with a sentence, a path in use; ask before replacing a file other than `agreed`."""
        title = parent.windowTitle()
        if self.is_used(path):
            said = QCoreApplication.translate(
                "Outputs", "An export or a recording that has not ended uses {0}; choose another name."
            )
            QMessageBox.information(parent, title, said.format(path.name))
            return False
        return path == agreed or not is_there(path) or may_replace(path, parent)


def may_replace(path: Path, parent: QWidget, title: str = "") -> bool:
    """Ask whether to replace a file; No is the default."""
    yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No
    question = QCoreApplication.translate("Outputs", "{0} is there already. Replace it?").format(path.name)
    return QMessageBox.question(parent, title or parent.windowTitle(), question, yes | no, no) == yes


def completed(path: str, endings: Sequence[str], parent: QWidget, title: str = "") -> Path | None:
    """Return a file dialog's path, with the first of `endings` if it has none of them; None if there is none, or the
    user refuses. Before a file is replaced it asks: the dialog asked only about the name without the ending.
    """
    target = Path(path)
    if not path or target.suffix.lower() in endings:
        return target if path else None
    target = target.with_name(target.name + endings[0])
    return target if not exists(target) or may_replace(target, parent, title) else None


def numbered(path: Path, count: int) -> Path:
    """Return the path with a number after its stem, before the %05d of a series."""
    stem = path.stem
    match = _NUMBER.search(stem)
    if match is None:
        return path.with_name(f"{stem} {count}{path.suffix}")
    head = stem[: match.start()].removesuffix("-")
    return path.with_name(f"{head} {count}{stem[len(head) :]}{path.suffix}")


def is_series_name(name: str) -> bool:
    """True for a file name with a place for a number, such as %05d."""
    return _NUMBER.search(name) is not None


def is_there(path: Path) -> bool:
    """True if the file exists, or for the name of a series, with %05d, one of its files."""
    match = _NUMBER.search(path.name)
    if match is None:
        return exists(path)
    head, tail = path.name[: match.start()], path.name[match.end() :]
    pattern = re.compile(rf"{re.escape(head)}\d+{re.escape(tail)}")
    try:
        return any(pattern.fullmatch(each.name) for each in path.parent.iterdir())
    except OSError:
        return False


def _key(path: Path) -> str:
    # A file system may ignore case: names that differ in nothing else are treated as one.
    return os.path.realpath(path).casefold()
