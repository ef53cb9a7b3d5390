"""`process --on ray`: a cluster of this machine with two workers, one of which is killed with all that it
runs.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from pathlib import Path

import psutil
import pytest
from spread_rig import make_clip, pictures_of

from desktop.__main__ import main
from desktop.base.version import version
from desktop.spread.executor import CARRIED_BYTES, Done, Failed, Task
from desktop.spread.executors import executor_kind
from desktop.spread.plan import FileMark

pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]' (70 MB; not in the dev extra)")
pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system"),
    # Ray's own processes take their time on a busy machine.
    pytest.mark.timeout(900),
]


@pytest.fixture(autouse=True)
def nothing_of_ray_is_left():
    """Whatever a test does, its cluster ends with it: those of its processes that are this one's children,
    and theirs.
    """
    yield
    import ray

    ray.shutdown()
    own = [child for child in psutil.Process().children(recursive=True) if "ray" in " ".join(_line(child))]
    _, alive = psutil.wait_procs(own, timeout=60)
    for child in alive:
        with contextlib.suppress(psutil.Error):
            child.kill()
    assert not alive


def _line(child):
    try:
        return child.cmdline()
    except psutil.Error:
        return []


def task(number, clip, folder, *, input_path=None):
    argv = ("process", "ignored", "-o", "ignored.mkv", "--codec", "ffv1", "--filter", "sharpen")
    return Task(
        *(number, argv, str(folder), str(input_path or clip), FileMark.of(clip), (), "", 0.0),
        *(str(folder), ("seen", "token"), f"{number}.mkv", version()),
    )


def events_until(cluster, count):
    found = []
    end = time.monotonic() + 600
    while sum(isinstance(event, Done | Failed) for event in found) < count:
        assert time.monotonic() < end
        found += cluster.poll()
    return [event for event in found if isinstance(event, Done | Failed)]


def wait_idle(cluster, count):
    end = time.monotonic() + 600
    while len(cluster.idle) < count:
        assert time.monotonic() < end
        cluster.poll()


def test_workers_are_killed_replaced_and_sent_what_they_do_not_see(tmp_path):
    clips = [make_clip(tmp_path / f"{number}.mp4", 12, seed=number) for number in range(3)]
    (tmp_path / "seen").write_text("token")
    cluster = executor_kind("ray").open("ray", 2)
    try:
        assert cluster.size == 2
        wait_idle(cluster, 2)
        first, second = cluster.idle
        cluster.give(first, task(0, clips[0], tmp_path))
        cluster.give(second, task(1, clips[1], tmp_path))
        end = time.monotonic() + 300
        while 0 in (pids := cluster.pids(first)):
            assert time.monotonic() < end
            cluster.poll()
        os.kill(pids[0], signal.SIGKILL)
        events = {event.number: event for event in events_until(cluster, 2)}
        assert isinstance(events[0], Failed) and isinstance(events[1], Done), events
        # What the killed worker had begun ends by itself.
        psutil.wait_procs([psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)], timeout=60)
        assert not psutil.pid_exists(pids[1]) or psutil.Process(pids[1]).status() == psutil.STATUS_ZOMBIE
        # Another one has taken its place; it is given the piece again, and a file that is not where it looks.
        wait_idle(cluster, 2)
        elsewhere = task(2, clips[2], tmp_path, input_path=clips[2])
        hidden = FileMark("/nowhere/2.mp4", elsewhere.mark.size, elsewhere.mark.digest)
        assert elsewhere.mark.size < CARRIED_BYTES
        cluster.give(cluster.idle[0], task(0, clips[0], tmp_path))
        strange = Task(**{**vars(elsewhere), "mark": hidden, "token": ("seen", "another folder")})
        cluster.give(cluster.idle[0], strange)
        events = {event.number: event for event in events_until(cluster, 2)}
        assert isinstance(events[0], Done) and events[0].data is None
        sent = events[2]
        assert isinstance(sent, Done), sent
        assert sent.sent == hidden.size and len(sent.data) == sent.size
        (tmp_path / "returned.mkv").write_bytes(sent.data)
        assert len(pictures_of(tmp_path / "returned.mkv")) == 12
    finally:
        cluster.close()


def test_two_workers_of_ray_make_what_one_process_makes(tmp_path, capsys):
    clips = tmp_path / "clips"
    clips.mkdir()
    make_clip(clips / "1.mp4", 40, gop=20, seed=1, sound=True)
    make_clip(clips / "2.mp4", 8, seed=2)
    outputs = {}
    for name, on in (("ray", ("ray", "--workers", "2")), ("one", ("processes:1",))):
        out = tmp_path / name
        out.mkdir()
        command = ["process", str(clips), "-o", str(out / "%s.mp4"), "--filter", "sharpen"]
        assert main([*command, "--piece-seconds", "0.7", "--on", *on]) == 0
        assert re.search(r"2 clips in 3 pieces", capsys.readouterr().err)
        outputs[name] = {path.name: path.read_bytes() for path in Path(out).iterdir()}
    assert outputs["ray"] == outputs["one"] and len(outputs["one"]) == 2
