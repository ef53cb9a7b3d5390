"""Networks that come and go in the window leave its memory as it was.

Measured in a new process: the heaps of one that has run thousands of tests return nothing for minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="the heaps of other systems are not ours to trim")
@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_memory_stays_where_networks_come_and_go(backend):
    file = Path(__file__).with_name("networks_come_and_go.py")
    # With the variables of pytest-xdist, the new process would take itself for a worker.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-q",
            f"{file}::test_memory_stays[{backend}]",
        ],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]
