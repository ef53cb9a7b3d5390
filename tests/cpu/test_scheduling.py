"""A run of the tests goes on, and ends, where one of its processes ends in a crash."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_TESTS = Path(__file__).resolve().parent.parent
_PASSES = "def test_{0}():\n    pass\n"
_CRASHES = "def test_crash():\n    import os\n    os._exit(1)\n"
_FILE = "".join(_PASSES.format(number) for number in range(6))

# What is in the files; pytest-xdist 3.8 alone waits for ever in the first two, and in the third is through
# with its files before all ran.
_RUNS = {
    "what was done before is not handed out again": (
        _FILE,
        _FILE + _CRASHES + _FILE.replace("test_", "test_b"),
        _FILE,
    ),
    "a single test is left": (_FILE, _CRASHES + _PASSES.format("after")),
    "several crashes": tuple(_CRASHES + _PASSES.format("after") for _ in range(3)),
    "nothing is left": (_CRASHES,),
}


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("files", _RUNS.values(), ids=_RUNS)
def test_each_test_runs_once_though_processes_crash(
    files: tuple[str, ...], processes: int, tmp_path: Path
) -> None:
    for number, text in enumerate(files):
        (tmp_path / f"test_{number}.py").write_text(text, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "scheduling",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:pytest-qt",
    ]
    command += [
        "-n",
        str(processes),
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
        "-c",
        "pytest.ini",
        "--rootdir",
        ".",
    ]
    # Python does not start on Windows without SYSTEMROOT.
    needed = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    environment = {**needed, "PYTHONPATH": str(_TESTS), "PATH": ""}
    done = subprocess.run(
        [*command, "."],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    crashes = sum(text.count("os._exit") for text in files)
    passes = sum(text.count("pass\n") for text in files)
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed)", done.stdout)}
    assert counts == {"failed": crashes, **({"passed": passes} if passes else {})}, done.stdout[-3000:]
    assert done.returncode == 1
