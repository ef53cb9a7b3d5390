"""Exports as the window runs them: by the real program, in a process of its own, which is paused, stopped and
killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import av
import cv2
import numpy as np
import psutil
import pytest
from tiny_models import red_or_blue_model
from waiting import LIMIT_S, until

from desktop.base.child import start_own
from desktop.outputs.encoding import Encoding
from desktop.outputs.export_queue import ExportJob, ExportQueue
from desktop.outputs.export_runner import ExportRunner
from desktop.outputs.span import TimeSpan
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.preset import save_preset
from desktop.pipeline.setup.setup import Setup


@pytest.fixture
def runner(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_FILTERS", str(tmp_path / "filters"))
    runner = ExportRunner(ExportQueue(tmp_path / "exports"))
    yield runner
    runner.close()


def add(runner, target, source, encoding=None, span=None):
    queue = runner.queue
    name = queue.new_id()
    save_preset(Setup(), FilterLibrary(None), queue.folder_of(name) / "preset.toml")
    adapter = os.environ.get("LIGHTLOOM_ADAPTER", "")
    queue.add(ExportJob(name, source, target, encoding or Encoding(), span or TimeSpan(), False, adapter))
    return name


def poll_until(runner, condition):
    until(lambda: runner.poll() or condition(), lambda: runner.queue.exports, each=0.02)


def pictures(path):
    with av.open(str(path)) as container:
        return sum(1 for _ in container.decode(video=0))


def test_an_export_with_a_part_and_a_size(runner, tmp_path):
    target = tmp_path / "out.webm"
    name = add(runner, target, "sample:64x64@10", Encoding("vp8", size=(0, 32)), TimeSpan(1.0, 2.0))
    poll_until(runner, lambda: runner.queue.get(name).state not in ("waiting", "running"))
    export = runner.queue.get(name)
    assert export.state == "done", export
    assert "WebM with VP8 by libvpx, 32 x 32" in export.text
    assert pictures(target) == 10
    assert sorted(p.name for p in tmp_path.glob("out*")) == ["out.webm"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_kill_in_an_export_leaves_the_old_file_and_the_next_start_takes_it_up_again(runner, tmp_path):
    target = tmp_path / "out.mp4"
    target.write_bytes(b"older")
    # Long enough that a quick machine is not through before the kill.
    name = add(runner, target, "sample:320x180@30", span=TimeSpan(0.0, 10.0))
    poll_until(runner, lambda: runner.queue.get(name).done > 70)
    (process,) = (each for each in psutil.Process().children() if "process" in each.cmdline())
    process.kill()
    part = tmp_path / "out.part.mp4"
    # Of the process: the window that saw it end, and of the window too: the next one that finds the list.
    poll_until(runner, lambda: runner.queue.get(name).state == "interrupted")
    assert target.read_bytes() == b"older"
    assert pictures(part) >= 30
    runner.queue.change(name, state="running")
    runner.queue.close()
    again = ExportRunner(ExportQueue(tmp_path / "exports"))
    try:
        assert [e.state for e in again.queue.exports] == ["interrupted"]
        again.poll()
        assert not again.is_running  # it does not begin by itself
        again.go_on(name)
        poll_until(again, lambda: again.queue.get(name).state == "done")
    finally:
        again.close()
    assert pictures(target) == 300
    assert not part.exists()


def test_a_pause_holds_it_and_a_cancel_leaves_nothing(runner, tmp_path):
    target = tmp_path / "out.mkv"
    name = add(runner, target, "sample:64x64@30")
    messages = runner.queue.folder_of(name) / "progress.jsonl"

    def message_count():
        return messages.read_bytes().count(b"\n") if messages.exists() else 0

    poll_until(runner, lambda: message_count() > 3)
    begun = time.monotonic()
    poll_until(runner, lambda: message_count() > 8)
    usual = time.monotonic() - begun
    runner.pause(name)
    before, held = message_count(), time.monotonic()
    # As long as twice as many messages take, of which a frame that was under way may send one.
    poll_until(runner, lambda: time.monotonic() - held > 2 * usual)
    assert message_count() <= before + 1
    assert runner.queue.get(name).state == "paused"
    done = runner.queue.get(name).done
    runner.go_on(name)
    poll_until(runner, lambda: runner.queue.get(name).done > done)
    runner.cancel(name)
    poll_until(runner, lambda: runner.queue.get(name).state == "canceled")
    assert list(tmp_path.glob("out*")) == []


def test_an_export_ends_with_the_program_that_steers_it(tmp_path):
    folder = tmp_path / "job"
    folder.mkdir()
    arguments = ["process", "sample:64x64@30", "-o", str(tmp_path / "out.mp4"), "--steer", str(folder)]
    with (folder / "output.txt").open("wb") as output:
        process = start_own(arguments, folder, output)
    end = time.monotonic() + LIMIT_S
    while not (folder / "progress.jsonl").exists() and time.monotonic() < end:
        time.sleep(0.02)
    process.stdin.close()
    assert process.wait(LIMIT_S) == 1
    # What there is of it plays, and has not taken the name of a whole one.
    assert [p.name for p in tmp_path.glob("out*")] in (["out.part.mp4"], [])


@pytest.mark.parametrize(
    "command", ["process pictures -o out.mp4", "analyze pictures --model color.onnx -o out.jsonl"]
)
def test_a_picture_that_does_not_open_is_no_failure_to_who_steers(tmp_path, command):
    red_or_blue_model(tmp_path / "color.onnx")
    (tmp_path / "pictures").mkdir()
    cv2.imwrite(str(tmp_path / "pictures" / "1.png"), np.zeros((32, 32, 3), np.uint8))
    (tmp_path / "pictures" / "2.png").write_text("none")
    with (tmp_path / "output.txt").open("wb") as output:
        process = start_own([*command.split(), "--steer", str(tmp_path)], tmp_path, output)
    assert process.wait(LIMIT_S) == 0
    process.stdin.close()
    assert "2.png is left out" in (tmp_path / "output.txt").read_text()
    assert len(list(tmp_path.glob("out.*"))) == 1


def test_a_source_that_is_gone_fails_in_a_sentence(runner, tmp_path):
    name = add(runner, tmp_path / "out.mp4", str(tmp_path / "gone.mp4"))
    poll_until(runner, lambda: runner.queue.get(name).state == "failed")
    assert "gone.mp4" in runner.queue.get(name).text


def test_options_of_videos_are_refused_for_pictures(tmp_path):
    command = [
        sys.executable,
        "-m",
        "desktop",
        "process",
        "sample:",
        "-o",
        str(tmp_path / "a.png"),
        "--fps",
        "5",
    ]
    done = subprocess.run([*command, "--max-frames", "1"], capture_output=True, text=True)
    assert done.returncode == 2 and "for videos" in done.stderr
