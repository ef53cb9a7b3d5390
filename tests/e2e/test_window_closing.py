"""Closing the window ends its process, also while a recording runs or something does not end."""

from __future__ import annotations

import os
import subprocess
import sys

import av
import pytest
from waiting import LIMIT_S

# Composes the program as `run_app` does, and then presses what a user would.
_RECORDS: str = """
import sys
from pathlib import Path
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QMessageBox, QPushButton
import desktop.app as program
from desktop.ui.features.recording.pictures import Pictures

make_window = program.make_window

def make(*parts):
    window = make_window(*parts)
    pictures = window.workspace.get(Pictures)

    def answer():
        box = window.findChild(QMessageBox)
        print(box.text(), flush=True)
        next(b for b in box.findChildren(QPushButton) if "save the recording" in b.text()).click()

    def close():
        # The file is opened for the first frame, which shaders may have to be compiled for.
        if list(Path(sys.argv[1]).parent.glob("*.part*")):
            timer.stop()
            QTimer.singleShot(2000, window, leave)

    def leave():
        if sys.argv[2] == "close":
            QTimer.singleShot(500, window, answer)
            window.close()
        elif sys.argv[2] == "quit":
            QTimer.singleShot(500, window, answer)
            window.actions_by_name["quit"].trigger()
        else:
            window.end()

    timer = QTimer(window, interval=100)
    timer.timeout.connect(close)
    begin = lambda: (pictures.toggle_recording(Path(sys.argv[1])), timer.start())
    window.first_picture.connect(begin, Qt.ConnectionType.SingleShotConnection)
    return window

program.make_window = make
sys.exit(program.run_app([]))
"""
_HANGS: str = """
import logging, threading, time
from desktop.ui.shell.safety import limit_closing

def wait_for_the_camera():
    time.sleep(600)

logging.basicConfig()
threading.Thread(target=wait_for_the_camera).start()
limit_closing(0.5)
"""


def _run(code: str, folder, *arguments: str) -> subprocess.CompletedProcess[str]:
    own = {f"LIGHTLOOM_{name}": str(folder / name.lower()) for name in ("CONFIG", "CACHE", "LOGS")}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


@pytest.mark.parametrize("how", ["close", "quit", "end"])
def test_closing_during_a_recording_saves_it_and_ends_the_process(tmp_path, how):
    video = tmp_path / "recording.mp4"
    done = _run(_RECORDS, tmp_path, str(video), how)
    assert done.returncode == 0, done.stderr
    assert ("A recording is running." in done.stdout) == (how != "end")
    with av.open(str(video)) as container:
        assert sum(1 for _ in container.decode(video=0)) > 0
    assert "docks" in (tmp_path / "config" / "settings.ini").read_text()


def test_what_does_not_end_is_logged_and_ended(tmp_path):
    done = _run(_HANGS, tmp_path)
    assert done.returncode == 1
    assert "wait_for_the_camera" in done.stderr
