"""Modules that are imported as on macOS and Windows: none assumes a system before it is asked to work on it.

A process imports everything as it is, so that the packages of others are there, forgets Lightloom's modules,
takes away what the other system has not, and imports them once more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="has the most to take away")

# Beside fcntl and the rest: functions of Linux alone (macOS), and of POSIX (Windows).
MODULES = {"darwin": [], "win32": ["fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog"]}
LINUX = (
    "sched_getaffinity sched_setaffinity eventfd memfd_create pidfd_open posix_fadvise splice copy_file_range"
)
POSIX = "geteuid getuid getgid fork forkpty killpg setsid getpgid mkfifo chown statvfs uname wait3 wait4"
ATTRIBUTES = {"darwin": LINUX.split(), "win32": f"{LINUX} {POSIX}".split()}

PROGRAM = """
import importlib, json, os, pkgutil, sys

import desktop, lightloom

platform, modules, attributes = json.loads(sys.argv[1])
names = [
    found.name
    for package in (desktop, lightloom)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not found.name.endswith("__main__")
]
for name in names:
    importlib.import_module(name)
for name in [name for name in sys.modules if name.split(".")[0] in ("desktop", "lightloom")]:
    del sys.modules[name]
sys.platform = platform
for name in modules:
    sys.modules[name] = None
for name in attributes:
    if hasattr(os, name):
        delattr(os, name)
failed = {}
for name in names:
    try:
        importlib.import_module(name)
    except Exception as error:
        failed[name] = f"{type(error).__name__}: {error}"
print(json.dumps({"count": len(names), "failed": failed}))
"""


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_every_module_can_be_imported(platform, tmp_path):
    plan = json.dumps([platform, MODULES[platform], ATTRIBUTES[platform]])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, plan],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["count"] > 1000
    assert found["failed"] == {}
