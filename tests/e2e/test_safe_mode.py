"""A window that really crashes, and the start after it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from waiting import LIMIT_S

CRASH = """
import faulthandler, threading
from PySide6.QtCore import QTimer
from desktop.app import run_app
def fall():
    from PySide6.QtWidgets import QApplication
    from desktop.ui.shell.window import Window
    window = next((w for w in QApplication.topLevelWidgets() if isinstance(w, Window)), None)
    if window is not None and window.isVisible():
        window.workspace.edits.add_filter("vignette")
        faulthandler._sigsegv()
"""
AFTER = """
def answer():
    from PySide6.QtWidgets import QApplication
    from desktop.ui.shell.safety import CrashDialog
    from desktop.ui.shell.window import Window
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, CrashDialog) and widget.isVisible():
            print("asked", flush=True)
            widget.safely.click()
        if isinstance(widget, Window) and widget.isVisible() and widget.workspace.engine.pipeline.stats.frames:
            print("title", widget.windowTitle(), flush=True)
            print("software", widget.workspace.adapter.is_software, flush=True)
            print("folder", widget.workspace.library.user_folder, flush=True)
            print("network", widget.workspace.edits.setup.network, flush=True)
            print("notices", [n.text for n in widget.notices.notices], flush=True)
            widget.close()
"""
POLL = """
import sys
from desktop.app import make_application, run_app
from PySide6.QtCore import QTimer
app = make_application()
timer = QTimer(interval=100)
timer.timeout.connect({name})
timer.start()
sys.exit(run_app(empty={empty}, safe={safe}))
"""


@pytest.fixture
def environment(tmp_path):
    filters = tmp_path / "filters"
    filters.mkdir()
    (filters / "broken.wgsl").write_text("/* lightloom\n*/ this is no shader")
    places = {
        "LIGHTLOOM_LOGS": tmp_path / "logs",
        "LIGHTLOOM_CONFIG": tmp_path / "config",
        "LIGHTLOOM_FILTERS": filters,
        "LIGHTLOOM_PRESETS": tmp_path / "presets",
    }
    found = {**os.environ, **{name: str(path) for name, path in places.items()}}
    if sys.platform == "linux" and not (found.get("DISPLAY") or found.get("WAYLAND_DISPLAY")):
        found["QT_QPA_PLATFORM"] = "offscreen"
    return found


def run(code, environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def test_after_a_crash_safe_mode_is_offered_and_leaves_things_out(environment, tmp_path):
    fallen = run(CRASH + POLL.format(name="fall", empty=True, safe=False), environment)
    assert fallen.returncode not in (0, 1), fallen.stdout
    after = run(AFTER + POLL.format(name="answer", empty=False, safe=False), environment)
    assert after.returncode == 0, after.stdout
    lines = after.stdout.splitlines()
    assert "asked" in lines
    assert any(line == "title Sample — Safe mode — Lightloom" for line in lines), after.stdout
    assert "folder None" in lines
    assert "network None" in lines
    (notices,) = [line for line in lines if line.startswith("notices")]
    assert "Safe mode:" in notices and "broken" not in notices
    (crash,) = (tmp_path / "logs" / "crashes").iterdir()
    assert "vignette" in (crash / "setup.toml").read_text()
    assert (
        "_sigsegv" in (crash / "stacks.txt").read_text()
        or "Current thread" in (crash / "stacks.txt").read_text()
    )
    # Nothing is asked again, and a window that is closed leaves nothing.
    third = run(AFTER + POLL.format(name="answer", empty=False, safe=False), environment)
    assert third.returncode == 0, third.stdout
    assert "asked" not in third.stdout
    assert "Safe mode" not in third.stdout
    assert list((tmp_path / "logs" / "sessions").iterdir()) == []
