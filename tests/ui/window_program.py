"""The window as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from waiting import LIMIT_S, until


class Program:
    """The window as a user starts it, with some of the machine's drivers taken away."""

    def __init__(self, folder, environment, *arguments):
        own = {f"LIGHTLOOM_{name}": str(folder / name.lower()) for name in ("CONFIG", "CACHE", "LOGS")}
        self.said = folder / "said.txt"
        self.said.write_text("")
        self._file = self.said.open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "desktop", *arguments],
            env={**os.environ, **own, **environment, "LIGHTLOOM_STARTUP_TRACE": "1"},
            stdout=self._file,
            stderr=self._file,
        )

    def wait_for(self, words):
        def is_printed():
            assert words in self.said.read_text() or self.process.poll() is None, self.said.read_text()
            return words in self.said.read_text()

        until(is_printed, self.said.read_text)

    def end(self):
        """Ask it to end, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LIMIT_S)

    def close(self):
        self.process.kill()
        self.process.wait()
        self._file.close()
