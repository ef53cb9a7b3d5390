"""Entry point of the bundled program. From source, `python -m desktop` and the command `lightloom` do without
it.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from desktop.__main__ import main
from desktop.base.errors import LightloomError


class _Kept(io.TextIOBase):
    """Passes text on to `out` (None on Windows without a console) and keeps the last sentence."""

    def __init__(self, out: TextIO | None) -> None:
        self._out = out
        self.last = ""

    def write(self, text: str) -> int:
        self.last = text.strip() or self.last
        if self._out is not None:
            self._out.write(text)
        return len(text)

    def flush(self) -> None:
        if self._out is not None:
            self._out.flush()


def restore_library_path() -> None:
    """Give back the LD_LIBRARY_PATH that the bootloader replaced: browsers and file managers started from
    here need their own libraries.
    """
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


def find_certificates() -> None:
    """Tell OpenSSL where macOS keeps its certificates: the bundled one looks in the folder of the Python that
    it was built with.

    On Linux it is the system's own OpenSSL, on Windows Python asks the system.
    """
    if sys.platform == "darwin":
        os.environ.setdefault("SSL_CERT_FILE", "/etc/ssl/cert.pem")


def shows_windows(stderr: TextIO | None) -> bool:
    """True if nobody reads stderr but a window can be seen: started from a menu, a desktop, a file manager."""
    from desktop.app import check_display  # only a start without a command needs it

    try:
        check_display()
    except LightloomError:
        return False
    return stderr is None or not stderr.isatty()


def show(sentence: str) -> None:
    """Say in a box what would be lost: someone who double-clicked sees no stderr."""
    from PySide6.QtWidgets import QApplication, QMessageBox

    app = QApplication.instance() or QApplication(sys.argv[:1])
    QMessageBox.critical(None, "Lightloom", sentence)
    del app


def run(
    arguments: Sequence[str],
    stderr: TextIO | None,
    program: Callable[[], int] = main,
    explain: Callable[[str], None] = show,
) -> int:
    """Run Lightloom; a window that could not open is explained in a box.

    Args:
        arguments: of this process.
        stderr: of this process; None on Windows without a console.
        program: what runs with this process's arguments and returns the exit status.
        explain: shows a sentence in a box.
    """
    restore_library_path()
    find_certificates()
    # A double-click gives no argument, or a file. Subcommands are for terminals and scripts, which read the
    # status and stderr. Not Path.exists, which raises for a name that is too long or holds a null character.
    from_desktop = not arguments or os.path.exists(arguments[0])  # noqa: PTH110
    if not from_desktop or not shows_windows(stderr):
        return program()
    kept = _Kept(stderr)
    with contextlib.redirect_stderr(kept):
        status = program()
    if status == 1 and kept.last:
        explain(kept.last.removeprefix("lightloom: "))
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], sys.__stderr__))
