"""Ctrl+C and kill end the window as its own button does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from waiting import LIMIT_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to a single process")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_the_window(tmp_path, number):
    # A group of its own with the default handler: a background job of a shell ignores SIGINT, and so would
    # its children.
    reset = "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    run = f"{reset}sys.argv = ['desktop']; runpy.run_module('desktop', run_name='__main__')"
    environment = {**os.environ, "LIGHTLOOM_STARTUP_TRACE": "1", "LIGHTLOOM_CONFIG": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", run], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        # The loop that draws has begun by then, and with it whatever it does to signals.
        assert "first frame" in process.stdout.readline()
        process.send_signal(number)
        assert process.wait(LIMIT_S) == 0
    finally:
        process.kill()
    assert (tmp_path / "settings.ini").exists()
