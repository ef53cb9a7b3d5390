"""Unsaved texts of shaders, which outlive the program."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from pathlib import Path

from desktop.base.files import read_regular, replace_file
from desktop.pipeline.filters.header import MAX_FILE

log = logging.getLogger(__name__)


class Drafts:
    """A folder of unsaved texts, one for each file that was being edited."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, file: Path) -> Path:
        digest = hashlib.sha256(str(file).encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{file.stem[:40]}-{digest[:16]}.txt"

    def get(self, file: Path) -> str | None:
        """Return the unsaved text of a file; None without one."""
        try:
            return read_regular(self._path(file), MAX_FILE).decode("utf-8")
        except (OSError, ValueError):
            return None

    def put(self, file: Path, text: str) -> bool:
        """Store a text; return whether that was possible."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._path(file), [text.encode("utf-8")])
        except (OSError, ValueError) as error:
            log.warning("an unsaved shader cannot be stored: %s", error)
            return False
        return True

    def remove(self, file: Path) -> None:
        """Remove the text of a file that was saved."""
        with contextlib.suppress(OSError):
            self._path(file).unlink(missing_ok=True)
