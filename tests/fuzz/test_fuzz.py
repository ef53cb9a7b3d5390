"""Each harness for some hundred inputs with a fixed seed, without coverage: what CI has time for.
docs/fuzzing.md has the longer runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from waiting import LIMIT_S

from fuzz import harness, runner

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as Linux does"),
]

RUNS = {
    "video": 60,
    "glsl": 1000,
    "http": 120,
    "still": 500,
    "onnx": 500,
    "tflite": 300,
    "pipeline": 300,
    "metrics": 300,
    "serve_http": 120,
    "serve_grpc": 300,
}
READERS = {
    "video",
    "still",
    "onnx",
    "tflite",
    "pipeline",
    "preset",
    "cube",
    "motion",
    "filter",
    "glsl",
    "catalogue",
    "labels",
    "annotations",
    "exports",
    "sound",
    "settings",
    "http",
    "inference",
    "metrics",
    "serve_http",
    "serve_grpc",
}


def test_every_reader_has_a_harness():
    assert set(harness.names()) == READERS


def test_a_harness_leaves_the_threads_of_this_process_their_stacks():
    """In 256 KiB nested JSON ends the process, from Python 3.12 on: no other test may get such a thread."""
    for name in harness.names():
        harness.load(name)
        assert threading.stack_size() == 0, name


@pytest.mark.parametrize("name", harness.names())
def test_only_sentences_leave_a_reader(name, tmp_path):
    report = runner.run(name, seconds=60, runs=RUNS.get(name, 600), seed=20261122, folder=tmp_path)
    assert report.findings == [], json.dumps(report.to_dict(), indent=1)
    assert report.executions >= RUNS.get(name, 600) or report.seconds > 59


_BROKEN = """
import os, time
from fuzz.harness import Harness

def read(data, folder):
    if data.startswith(b"raise"):
        raise KeyError(1)
    if data.startswith(b"die"):
        os.abort()
    if data.startswith(b"hang"):
        time.sleep(60)
    if data.startswith(b"grow"):
        bytearray(300 << 20)
    if data.startswith(b"say"):
        from desktop.base.errors import FilterError
        class Raw(FilterError):
            def __str__(self):
                return "\\x1b[31m"
        raise Raw("")

HARNESS = Harness(read, lambda folder: [b"ok", b"fine", b"good", b"raise", b"grow", b"say", b"hang", b"die"], memory_mb=200, seconds=2.0)
"""


def test_the_runner_finds_what_it_is_for(tmp_path):
    """An exception, memory, text that acts on a terminal, a hang and a crash, with the input of each."""
    package = tmp_path / "fuzz"
    package.mkdir()
    for path in Path(harness.FOLDER).glob("*.py"):
        if not path.name.startswith("read_"):
            (package / path.name).write_bytes(path.read_bytes())
    (package / "read_broken.py").write_text(_BROKEN)
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "fuzz", "broken", "--seconds", "20", "--runs", "8", "--engine", "plain"]
    done = subprocess.run(
        [*command, "--report", str(report), "--folder", str(tmp_path / "out")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    assert done.returncode == 1, done.stderr
    found = json.loads(report.read_text())[0]
    inputs = {
        f["kind"].split(" ")[0]: (tmp_path / "out" / "broken" / f["input"]).read_bytes()
        for f in found["findings"]
    }
    assert {kind: data[:4] for kind, data in inputs.items()} == {
        "KeyError": b"rais",
        "memory": b"grow",
        "unprintable": b"say",
        "hang": b"hang",
        "signal": b"die",
    }
