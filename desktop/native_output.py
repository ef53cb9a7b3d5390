"""Keeps what libraries print by themselves away from the user's terminal, and in a file.

libpng, libjpeg, Mesa, libEGL, OpenCV, libva, onnxruntime and panics of wgpu-native write to file descriptor 2, past Python. Turning
each off was weighed: some can't be (libpng inside OpenCV, libwayland without XDG_RUNTIME_DIR), and the next driver brings new ones. So was
redirecting around single calls: the descriptor is the process's, and other threads call other libraries meanwhile. It is moved once, at the
beginning, for all of them; `sys.stderr` stays with the terminal. To a file and not a pipe: what a dying library says is in it.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
from pathlib import Path
from typing import BinaryIO, Final, TextIO, cast

from desktop.printable import PrintableFormatter

FILE_NAME: Final = "stderr.log"
_LARGEST: Final = 1 << 20
_DESCRIPTOR: Final = 2


def capture_native_output(folder: Path) -> Path | None:
    """Send descriptor 2 to `stderr.log` in a folder and leave `sys.stderr` where it is; once, at the start of the process.

    Records of the log that nobody else takes go to the file too. Of an older file of more than 1 MiB one more is kept.

    Args:
        folder: made if it is not there.

    Returns:
        the file; None where there is no standard error, and where the folder cannot be written: what libraries print is lost then, which is
        better than four lines of a driver's beside the program's own sentence.
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
    # Unbuffered: what is written is there if the process dies. TextIOWrapper takes a raw stream, which its stub does not say.
    return io.TextIOWrapper(cast("BinaryIO", raw), encoding, errors="backslashreplace", write_through=True)
