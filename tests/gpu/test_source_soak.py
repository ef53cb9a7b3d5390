"""A short form of benchmarks/source_soak.py, with senders of each kind; tests/nightly.txt has the longer one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the file size limit of POSIX stands in for a disk"
)


def soak(*options: str) -> dict[str, Any]:
    """Run it, and return its report; it must not find anything wrong."""
    # A process of its own: it limits the size of files, and counts threads and file handles.
    command = [sys.executable, str(ROOT / "benchmarks" / "source_soak.py"), "--json", *options]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
    )
    assert done.returncode == 0, (done.stdout[-3000:], done.stderr[-3000:])
    return json.loads(done.stdout)


def test_every_frame_is_delivered_or_reported():
    report = soak("--events", "40", "--every", "14", "--lanes", "ts,mjpeg,rtsp-frames,udp,camera")
    assert report["events"] >= 40 and report["failures"] == {}
    assert report["frames_in"] == report["frames_out"] + sum(report["drops"].values())
    assert report["frames_out"] == report["results.jsonl"] == report["events.jsonl"] > 80
    assert report["disks_full"] + report["devices_lost"] + report["receivers_away"] >= 2


def test_memory_threads_and_handles_are_constant():
    report = soak("--events", "1500")
    assert report["failures"] == {} and len(report["levels"]) >= 3
