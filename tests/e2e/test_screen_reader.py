"""Open, add and export as a screen reader does: another process walks the window by AT-SPI alone, on a display,
a session bus and a registry of accessible programs of their own.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import av
import pytest
from spread_rig import make_clip
from waiting import LIMIT_S

WALK = Path(__file__).parent / "screen_reader_walk.py"
TASKS = Path(__file__).resolve().parents[2] / "tasks.py"
# pyatspi is a package of Debian's Python, never of a virtual environment's.
PYTHON = "/usr/bin/python3"


def obstacle() -> str:
    """Return why a window cannot be walked here, '' if it can."""
    if not sys.platform.startswith("linux"):
        return "AT-SPI is on Linux alone"
    missing = [name for name in ("Xvfb", "dbus-run-session") if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed (Debian: xvfb, dbus)"
    if (
        not Path(PYTHON).exists()
        or subprocess.run([PYTHON, "-c", "import pyatspi"], stderr=subprocess.DEVNULL).returncode
    ):
        return f"{PYTHON} has no pyatspi (Debian: python3-pyatspi, at-spi2-core)"
    return ""


_OBSTACLE: Final = obstacle()
pytestmark = pytest.mark.skipif(_OBSTACLE != "", reason=_OBSTACLE)


@pytest.fixture
def display() -> Iterator[str]:
    """A display without other programs, which would take the focus."""
    with runpy.run_path(str(TASKS))["xvfb"]() as name:
        yield name


def test_open_add_and_export_are_reached_by_a_screen_reader(tmp_path, display):
    video = make_clip(tmp_path / "clip.mp4", 20)
    own = {
        f"LIGHTLOOM_{name}": str(tmp_path / name.lower())
        for name in ("CONFIG", "CACHE", "FILTERS", "PRESETS")
    }
    environment = {**os.environ, **own, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    # What a desktop with a screen reader says on the session's bus.
    environment["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] = "1"
    environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
    environment.pop("AT_SPI_BUS_ADDRESS", None)
    script = '"$1" -m desktop --empty & "$2" "$3" "$4" "$5"; status=$?; kill $!; wait $!; exit $status'
    target = tmp_path / "clip 2.mp4"
    programs = [sys.executable, PYTHON, str(WALK), str(video), str(target)]
    walk = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script, "sh", *programs],
        env=environment,
        capture_output=True,
        text=True,
        timeout=4 * LIMIT_S,
    )
    assert walk.returncode == 0, walk.stdout + walk.stderr
    # The registry of accessible programs has a line of its own.
    done = [line for line in walk.stdout.splitlines() if not line.startswith("SpiRegistry")]
    assert done == ["opened", "added", "exported"]
    with av.open(str(target)) as made:
        assert sum(1 for _ in made.decode(video=0)) == 20
