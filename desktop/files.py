"""Files that readers see whole or not at all."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path

PART_SUFFIX = ".part"
"""Ends the name of a file that is still being written; one that a killed program left behind may be deleted."""


def replace_file(path: Path, chunks: Iterable[bytes | memoryview[int]]) -> None:
    """Write a file beside `path`, then give it that name: a reader, or a program that ends meanwhile, leaves the old one or the new one.

    Raises:
        OSError: it cannot be written; nothing is left of it.
    """
    written = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}{PART_SUFFIX}")
    try:
        with written.open("wb") as stream:
            stream.writelines(chunks)
        written.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            written.unlink(missing_ok=True)
        raise
