"""Start this program again as a child process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def own_program() -> list[str]:
    """Return the words that start this program. In a bundle the interpreter is the program itself."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "desktop"]


def start_own(
    arguments: Sequence[str],
    folder: Path,
    output: int | Any,
    *,
    own_session: bool = False,
    variables: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start this program with other arguments in a folder; raise OSError if it cannot be started. Its
    standard input is a pipe that is closed when this process ends, in whatever way. With `own_session` the signals
    of a terminal do not reach it. `variables` are added to its environment.
    """
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    flags: dict[str, Any] = {}
    if sys.platform == "win32":
        flags["creationflags"] = subprocess.CREATE_NO_WINDOW
    elif own_session:
        flags["start_new_session"] = True
    return subprocess.Popen(
        [*own_program(), *arguments],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=output,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **(variables or {})},
        **flags,
    )
