"""A stranger's filter on the command line: tried once, ended by Ctrl+C and by SIGTERM, run when the user
insists.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from waiting import LIMIT_S, until

pytestmark = pytest.mark.long
ENDLESS = """/* lightloom
title = "Endless"
*/
fn main(p: vec2i) -> vec4f { var s = 0.0; for (var i = 0; i < 60000; i++) { s += sin(s + f32(p.x)); } return vec4f(s); }
"""
PLAIN = '/* lightloom\ntitle = "Plain"\n*/\nfn main(p: vec2i) -> vec4f { return load(p); }\n'
RESET = "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch, tmp_path):
    folder = tmp_path / "filters"
    folder.mkdir()
    (folder / "endless.wgsl").write_text(ENDLESS)
    (folder / "plain.wgsl").write_text(PLAIN)
    monkeypatch.setenv("LIGHTLOOM_FILTERS", str(folder))
    monkeypatch.setenv("LIGHTLOOM_CACHE", str(tmp_path / "cache"))


def start(tmp_path, name, *options):
    output = ["-o", str(tmp_path / "o.png"), "--max-frames", "3"]
    arguments = ["desktop", "process", "sample:1920x1080", *output, "--filter", name, *options]
    run = f"{RESET}sys.argv = {arguments!r}; runpy.run_module('desktop', run_name='__main__')"
    return subprocess.Popen([sys.executable, "-c", run], stderr=subprocess.PIPE, text=True)


def trial_of(process):
    try:
        children = psutil.Process(process.pid).children()
        return next((child for child in children if "try-filter" in child.cmdline()), None)
    except psutil.Error:  # it ended between two looks
        return None


def drawing_s(process):
    """How long a software adapter has computed for a process, in seconds of its threads; elsewhere what is
    more than starting takes.
    """
    busy = psutil.Process(process.pid)
    if not sys.platform.startswith("linux"):
        return sum(busy.cpu_times()[:2]) - 7.0
    found = 0.0
    for thread in busy.threads():
        with contextlib.suppress(OSError):
            if Path(f"/proc/{process.pid}/task/{thread.id}/comm").read_text().startswith("llvmpipe"):
                found += thread.user_time + thread.system_time
    return found or sum(busy.cpu_times()[:2]) - 7.0


def is_gone(child):
    return not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a single process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_trial_ends_with_the_command(tmp_path, number):
    process = start(tmp_path, "endless")
    child = until(lambda: trial_of(process))
    time.sleep(0.3)
    process.send_signal(number)
    complaint = process.communicate(timeout=LIMIT_S)[1]
    until(lambda: is_gone(child))
    assert process.returncode == 1
    assert "Traceback" not in complaint
    assert complaint.splitlines()[-1] == "lightloom: Stopped."


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a single process")
def test_a_pass_that_takes_minutes_is_left_where_it_is(tmp_path):
    """The main thread waits inside the driver, where Python's own handlers never run."""
    process = start(tmp_path, "endless", "--trust-shaders")
    # What comes before the pass takes a tenth of it. In sandboxes that count no time for threads it has begun
    # after half a minute.
    begun = time.monotonic()
    until(lambda: drawing_s(process) > 1.0 or time.monotonic() > begun + 30)
    process.send_signal(signal.SIGINT)
    complaint = process.communicate(timeout=LIMIT_S)[1]
    assert process.returncode == 1
    assert complaint.splitlines()[-1] == "lightloom: Stopped."


def test_a_filter_is_tried_once_and_told_of_in_one_sentence(tmp_path):
    def run(name):
        process = start(tmp_path, name)
        complaint = process.communicate(timeout=240)[1]
        return process.returncode, [
            line for line in complaint.splitlines() if "for the first time" not in line
        ]

    assert run("plain")[0] == 0
    assert len(list((tmp_path / "cache" / "filters").iterdir())) == 1
    status, lines = run("endless")
    assert status == 1
    assert len(lines) == 1
    assert "endless.wgsl: it takes " in lines[0]
    assert "--trust-shaders" in lines[0]
    # The verdict is kept: no trial is started.
    process = start(tmp_path, "endless")
    seen = []
    while process.poll() is None:
        seen.append(trial_of(process) is not None)
        time.sleep(0.02)
    assert process.communicate()[1].splitlines() == lines
    assert not any(seen)
