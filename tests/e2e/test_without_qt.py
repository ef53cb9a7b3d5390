"""The base install, which has neither Qt nor what plays sound: commands work, and what is missing is told in
one sentence.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
for name in ("PySide6", "rendercanvas", "miniaudio"):
    sys.modules[name] = None
from desktop.__main__ import main
sys.exit(main())
"""


def run(folder, *arguments):
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LIGHTLOOM_CONFIG": str(folder / "config")}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


@pytest.mark.parametrize("arguments", [[], ["sample:"], ["--empty"], ["--grid", "sample:"]])
def test_the_window_says_what_to_install(tmp_path, arguments):
    done = run(tmp_path, *arguments)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and "[app]" in done.stderr and "window" in done.stderr


def test_commands_work(tmp_path):
    assert run(tmp_path, "--version").stdout.startswith("lightloom ")
    made = run(
        tmp_path, "process", "sample:96x64@30", "-o", "out.png", "--filter", "invert", "--max-frames", "1"
    )
    assert made.returncode == 0, made.stderr
    plain = run(tmp_path, "process", "sample:96x64@30", "-o", "plain.png", "--max-frames", "1")
    assert plain.returncode == 0, plain.stderr
    total = cv2.imread(str(tmp_path / "out.png")).astype(int) + cv2.imread(str(tmp_path / "plain.png"))
    assert np.abs(total - 255).max() <= 2  # both are dithered
    classified = run(tmp_path, "classify", "plain.png", "--json")
    assert classified.returncode == 0 and json.loads(classified.stdout)["results"]
    listed = run(tmp_path, "models", "list")
    assert listed.returncode == 0, listed.stderr


def test_doctor_says_that_the_window_is_not_there(tmp_path):
    done = run(tmp_path, "doctor", "--json")
    found = {each["what"]: each for each in json.loads(done.stdout)}
    assert found["Window"]["ok"] and "[app]" in found["Window"]["detail"]
    assert found["Folders"]["ok"], found["Folders"]


def test_what_qt_draws_says_what_to_install(tmp_path):
    arguments = ["--model", "classifier", "--overlay", "--max-frames", "1"]
    done = run(tmp_path, "process", "sample:96x64@30", "-o", "out.png", *arguments)
    assert done.returncode == 1 and "[app]" in done.stderr and "--overlay" in done.stderr
