"""Signals that end a command, whatever it is doing just then."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.base.interrupt import Interrupt

ROOT = Path(__file__).parents[2]

ASKS_WHILE_IMPORTING = """
import os, signal, sys
from desktop.__main__ import main

class Ask:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), int(sys.argv[2]))

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Ask())
sys.exit(main(["filters", "--json"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("module", ["desktop.cli", "desktop.cli.filters"])
def test_a_signal_while_a_command_is_imported_ends_it_with_a_sentence(module, number):
    """SIGTERM ended the process without a word, and after Ctrl+C the status depended on what was imported
    just then.
    """
    words = [sys.executable, "-c", ASKS_WHILE_IMPORTING, module, str(int(number))]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "lightloom: stopped.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_service_reads_its_file_again_on_a_hangup_and_goes_on():
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with Interrupt() as interrupt:
            reloads = []
            interrupt.on_hangup = lambda: reloads.append(1)
            for _ in range(2):
                signal.raise_signal(signal.SIGHUP)
            interrupt.check()
            assert len(reloads) == 2 and not interrupt.is_requested
    finally:
        signal.signal(signal.SIGHUP, before)
