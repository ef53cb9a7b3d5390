"""Unsaved texts of shaders, which outlive the program."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import logging
import os
from pathlib import Path
from typing import Final

from desktop.base.files import read_regular, replace_file
from desktop.base.wording import sentence

log = logging.getLogger(__name__)

# More than a file may have (1 MiB), so that a text which became too long can be shortened after the next start.
_MOST_BYTES: Final = 16 << 20


class Drafts:
    """A folder of unsaved texts, one for each file that was being edited."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, file: Path) -> Path:
        digest = hashlib.sha256(str(file).encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{file.stem[:40]}-{digest[:16]}.txt"

    def get(self, file: Path) -> str | None:
        """Return the unsaved text of a file; None without one. Raise OSError or ValueError if it cannot be read."""
        try:
            return read_regular(self._path(file), _MOST_BYTES).decode("utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            raise OSError(errno.EILSEQ, sentence("it is not text in UTF-8")) from error

    def put_aside(self, file: Path) -> Path:
        """Keep a text that cannot be read under another name, which the next one does not replace; return its path."""
        path = self._path(file)
        names = (path.with_suffix(f".unreadable-{number}.txt") for number in itertools.count(1))
        aside = next(name for name in names if not os.path.lexists(name))
        try:
            path.rename(aside)
        except OSError as error:
            # Then nothing replaces it either.
            log.warning("an unsaved shader cannot be renamed: %s", error)
            return path
        return aside

    def put(self, file: Path, text: str) -> None:
        """Store a text; raise OSError or ValueError if that is not possible."""
        data = encoded(text)
        if len(data) > _MOST_BYTES:
            raise OSError(errno.EFBIG, sentence("it is larger than {size}", size=f"{_MOST_BYTES >> 20} MiB"))
        self._folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._path(file), [data])

    def remove(self, file: Path) -> None:
        """Remove the text of a file that was saved."""
        with contextlib.suppress(OSError):
            self._path(file).unlink(missing_ok=True)


def encoded(text: str) -> bytes:
    """Return a text in UTF-8; a half of a surrogate pair, which no file can have, becomes '?'."""
    return text.encode("utf-8", "replace")
