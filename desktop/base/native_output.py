"""Redirect output that libraries print directly from the user's terminal to a file.

libpng, Mesa, OpenCV, onnxruntime, panics of wgpu-native and others write to file descriptor 2. It is
redirected once, at the start, as threads share it; `sys.stderr` stays with the terminal. A file, unlike a
pipe, preserves the last output of a crashing library.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
from pathlib import Path
from typing import BinaryIO, Final, TextIO, cast

from desktop.base.printable import PrintableFormatter

FILE_NAME: Final = "stderr.log"
_LARGEST: Final = 1 << 20
_DESCRIPTOR: Final = 2


def capture_native_output(folder: Path) -> Path | None:
    """Send descriptor 2 to `stderr.log` in a folder, leaving `sys.stderr`; once, at the start.

    Log records without another handler go there too. A file over 1 MiB is rotated; one old file is kept.
    Return None without a standard error or a writable folder; libraries' output is then discarded.
    """
    if not isinstance(sys.stderr, io.TextIOWrapper):
        return None
    path: Path | None = folder / FILE_NAME
    try:
        if sys.stderr.fileno() != _DESCRIPTOR:
            return None
        try:
            log = _opened(folder / FILE_NAME)
        except OSError:
            path, log = None, os.open(os.devnull, os.O_WRONLY)
        terminal = os.dup(_DESCRIPTOR)
    except (OSError, ValueError):
        return None
    sys.stderr.flush()
    os.dup2(log, _DESCRIPTOR)
    os.close(log)
    sys.stderr = _text(os.fdopen(terminal, "wb", buffering=0), sys.stderr.encoding)
    handler = logging.StreamHandler(_text(io.FileIO(_DESCRIPTOR, "wb", closefd=False), "utf-8"))
    handler.setFormatter(PrintableFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.lastResort = handler
    return path


def _opened(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > _LARGEST:
            path.replace(path.with_name(f"{FILE_NAME}.1"))
    # Without waiting: a pipe of this name has no reader.
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0), 0o600)


def _text(raw: io.RawIOBase, encoding: str) -> TextIO:
    # Unbuffered, so that nothing is lost in a crash. TextIOWrapper accepts raw streams; its stub does not.
    return io.TextIOWrapper(cast("BinaryIO", raw), encoding, errors="backslashreplace", write_through=True)
