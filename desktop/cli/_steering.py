"""`--steer FOLDER`: let another program control a run through files.

Files because on Windows a bundled program has no standard streams. `progress.jsonl` has JSON lines; `pause`
and `stop` are checked between frames. The run ends when the controller closes its standard input.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import LightloomError, StoppedError
from desktop.base.wording import packed

_REPORT_S: Final = 0.2
_PAUSED_S: Final = 0.1


def steered(options: argparse.Namespace, run: Callable[[argparse.Namespace, Steering], int]) -> int:
    """Run a command that can be controlled, and report its failure to the controller too."""
    steering = Steering(options.steer, steps_back=options.piece is None)
    try:
        return run(options, steering)
    except LightloomError as error:
        steering.send(error=str(error), stopped=isinstance(error, StoppedError))
        raise


def add_steer_option(parser: argparse.ArgumentParser) -> None:
    """Add --steer."""
    parser.add_argument(
        "--steer",
        metavar="FOLDER",
        type=Path,
        help="for programs that start this one: tell in FOLDER/progress.jsonl how far it is, pause while there is a file 'pause' in "
        "FOLDER, end at a file 'stop' or with standard input",
    )


class Steering:
    """The controlled side; without a folder all methods do nothing.

    `before` is the number of frames of an earlier pass, which count as progress too.
    """

    def __init__(self, folder: Path | None, *, steps_back: bool = True) -> None:
        """Open the folder; `steps_back`: lower the process priority (not for a worker of `--on`)."""
        self._folder = folder
        self.before = 0
        self._reported_at = 0.0
        self._alone = threading.Event()
        if folder is not None:
            if steps_back:
                _step_back()
            threading.Thread(target=self._listen, name="steering", daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
            self._alone.set()

    def send(self, **entry: Any) -> None:
        """Send a message; texts as `packed` encodes them."""
        if self._folder is None:
            return
        line = json.dumps({name: packed(value) for name, value in entry.items()}) + "\n"
        # A full disk fails the export itself; a lost progress message must not.
        with (
            contextlib.suppress(OSError),
            (self._folder / "progress.jsonl").open("a", encoding="utf-8") as file,
        ):
            file.write(line)

    def progress(self, done: int, total: int) -> None:
        """Report how many frames are finished, several times a second."""
        now = time.monotonic()
        if self._folder is not None and now - self._reported_at >= _REPORT_S:
            self._reported_at = now
            self.send(done=self.before + done, total=self.before + total if total else 0)

    def check(self) -> None:
        """Wait while the run is paused; raise StoppedError if it is to end."""
        if self._folder is None:
            return
        while True:
            if self._alone.is_set() or (self._folder / "stop").exists():
                raise StoppedError("Stopped.")
            if not (self._folder / "pause").exists():
                return
            time.sleep(_PAUSED_S)


def _step_back() -> None:
    """Lower the process priority in favor of interactive programs."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), 0x4000)  # BELOW_NORMAL_PRIORITY_CLASS
    else:
        with contextlib.suppress(OSError):
            os.nice(10)
