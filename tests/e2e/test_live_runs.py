"""Commands that read a camera which closes, resets, stalls, goes away and comes back: what they say, write
and end with.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import av
import pytest
from camera_rig import Camera
from tiny_models import square_detector, squares
from waiting import LIMIT_S, until

from desktop.__main__ import main

ROOT = Path(__file__).parents[2]
COMMANDS = ("process", "analyze", "detect")
# One that reads ahead by itself and one that does not.
TWO = ("process", "detect")
ENDS = [(command, "SIGTERM") for command in COMMANDS] + [("process", "SIGINT"), ("process", "SIGHUP")]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


class Run:
    """A command that reads a camera, in a process of its own; `errors` grows line by line."""

    def __init__(self, command: str, camera: Camera, folder: Path, *more: str) -> None:
        model = square_detector(folder / "squares.onnx")
        self.output = folder / ("out.mkv" if command == "process" else "out.jsonl")
        out = ["--json"] if command == "detect" else ["-o", str(self.output)]
        line = [sys.executable, "-m", "desktop", command, camera.address, *out, *more]
        line += ["--model", str(model), "--backend", "onnxruntime"]
        self.process = subprocess.Popen(
            line,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.command, self.errors, self.said = command, [], ""
        self._threads = [
            threading.Thread(target=read, daemon=True) for read in (self._read_err, self._read_out)
        ]
        for thread in self._threads:
            thread.start()

    def _read_err(self) -> None:
        for line in self.process.stderr:
            self.errors.append(line)

    def _read_out(self) -> None:
        self.said = self.process.stdout.read()

    def wait_for(self, words: str, count: int = 1) -> None:
        until(
            lambda: sum(words in line for line in self.errors) >= count or self.process.poll() is not None,
            lambda: self.errors,
        )
        assert sum(words in line for line in self.errors) >= count, (self.errors, self.process.returncode)

    def end(self, number: int | None = None) -> int:
        if number is not None:
            self.process.send_signal(number)
        status = self.process.wait(LIMIT_S)
        for thread in self._threads:
            thread.join(LIMIT_S)
        return status

    @property
    def pictures(self) -> int:
        """How many pictures are in what it wrote."""
        if self.command == "detect":
            return len(json.loads(self.said)["results"])
        if self.command == "analyze":
            return len(self.output.read_text().splitlines())
        with av.open(str(self.output)) as container:
            return sum(1 for _ in container.decode(video=0))


@pytest.fixture
def camera():
    found = Camera(squares())
    yield found
    found.stop()


@pytest.fixture
def run(camera, tmp_path):
    runs = []

    def begin(command, *more):
        runs.append(Run(command, camera, tmp_path, *more))
        return runs[-1]

    yield begin
    for each in runs:
        if each.process.poll() is None:
            each.process.kill()


def reading(camera, count=3):
    """Wait until a connection has had some pictures."""
    before = camera.sent
    until(lambda: camera.sent >= before + count)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_goes_on_over_breaks_and_says_so(run, camera, command):
    begun = run(command, "--max-frames", "60")
    reading(camera)
    for number, breaks in enumerate((camera.close, camera.reset), 1):
        breaks()
        begun.wait_for("is back after", number)
        reading(camera)
    assert begun.end() == 0, begun.errors
    assert begun.pictures == 60
    assert sum("25 frames per second are assumed" in line for line in begun.errors) == 1
    told = [line for line in begun.errors if "opened again" in line]
    assert len(told) == 2 and "stopped sending" in told[0] and "broke the connection off" in told[1]
    assert camera.connections == 3


def test_a_camera_that_stalls_and_one_that_is_switched_off_are_waited_for(run, camera):
    begun = run("process", "--duration", "1000", "--metrics", "127.0.0.1:0")
    reading(camera)
    camera.stall()
    begun.wait_for("does not answer")
    camera.stop()
    camera.start()
    begun.wait_for("is back after")
    reading(camera)
    address = next(line.split()[-1] for line in begun.errors if line.startswith("metrics at"))
    with urllib.request.urlopen(address) as answer:
        text = answer.read().decode()
    assert 'lightloom_errors_total{kind="source"} 1' in text
    used = dict(
        re.findall(r"^lightloom_source_frames_(received_total|unused_total){.*?} (\S+)$", text, re.MULTILINE)
    )
    assert float(used["received_total"]) > 3 and float(used["unused_total"]) >= 0
    assert begun.end(signal.SIGTERM) == 0, begun.errors
    assert begun.pictures > 3


@pytest.mark.parametrize(("command", "name"), ENDS)
def test_signals_end_a_run_in_good_order(run, camera, command, name):
    begun = run(command)
    reading(camera, 10)
    assert begun.end(getattr(signal, name)) == 0, begun.errors
    assert begun.pictures >= 1
    if command != "detect":
        assert sorted(path.name for path in begun.output.parent.glob("out*")) == [begun.output.name]


@pytest.mark.parametrize("command", TWO)
def test_a_signal_is_heard_while_a_camera_stands_still(run, camera, command):
    begun = run(command)
    reading(camera)
    camera.stop()
    begun.wait_for("opened again")
    assert begun.end(signal.SIGTERM) == 0, begun.errors
    assert begun.pictures >= 1


EVENTS = """
[[scene.zones]]
name = "All"
points = [[0, 0], [1, 0], [1, 1], [0, 1]]
[[scene.events]]
name = "E"
zone = "All"
when = "enters"
[[scene.events.actions]]
do = "jsonl"
path = "{path}"
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_no_output_about_a_camera_has_its_password(run, camera, command, tmp_path):
    """Each line of the results, each event and what 'detect' prints had the address with it."""
    camera.login = "anna:hunter2"
    camera.address = camera.address.replace("http://", "http://anna:hunter2@") + "?token=hunter2"
    (tmp_path / "zones.toml").write_text(EVENTS.format(path=(tmp_path / "events.jsonl").as_posix()))
    events = ["--zones", str(tmp_path / "zones.toml"), "--events"] if command != "detect" else []
    begun = run(command, "--max-frames", "5", *events)
    assert begun.end() == 0, begun.errors
    written = {
        path.name: path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file() and path.suffix not in (".onnx", ".toml")
    }
    texts = {**written, "said": begun.said.encode(), "errors": "".join(begun.errors).encode()}
    assert not [name for name, data in texts.items() if b"hunter2" in data]
    host = camera.address.partition("@")[2].partition("/")[0]
    told = begun.said if command == "detect" else written["events.jsonl"].decode()
    assert f'"http://{host}/mjpeg"' in told


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_comparison_and_a_refusal_do_not_repeat_the_password(camera, tmp_path, capsys, more):
    camera.login = "anna:hunter2"
    address = camera.address.replace("http://", "http://anna:hunter2@") + "?token=hunter2"
    model = str(square_detector(tmp_path / "squares.onnx"))
    ways = ["--first", "onnxruntime", "--second", "onnxruntime"]
    assert main(["model", "compare", model, address, *ways, "--max-frames", "2", *more]) == 0
    spread = ["analyze", address, "--model", model, "-o", str(tmp_path / "r.jsonl"), "--on", "processes:1"]
    assert main(spread) == 2
    printed = capsys.readouterr()
    assert "is no file; only files and folders" in printed.err and "/mjpeg" in printed.out
    assert "hunter2" not in printed.out + printed.err


@pytest.mark.parametrize("command", COMMANDS)
def test_until_end_ends_with_the_stream(run, camera, command):
    begun = run(command, "--until-end")
    reading(camera)
    camera.close()
    assert begun.end() == 0, begun.errors
    assert begun.pictures >= 1 and any("stopped sending" in line for line in begun.errors)
    assert camera.connections == 1


@pytest.mark.parametrize("command", TWO)
def test_until_end_with_a_connection_that_breaks_fails(run, camera, command):
    begun = run(command, "--until-end")
    reading(camera)
    camera.reset()
    assert begun.end() == 1
    assert begun.pictures >= 1 and any("broke the connection off" in line for line in begun.errors)


@pytest.mark.parametrize("command", TWO)
def test_a_duration_is_over_though_the_camera_stands_still(run, camera, command):
    begun = run(command, "--duration", "2")
    reading(camera)
    camera.stall()
    assert begun.end() == 0, begun.errors
    assert begun.pictures >= 1


@pytest.mark.parametrize("command", TWO)
def test_a_camera_that_is_not_there_is_refused(run, camera, command):
    camera.stop()
    begun = run(command, "--max-frames", "3")
    assert begun.end() == 1 and any("refuses the connection" in line for line in begun.errors)
    assert not begun.output.exists()


@pytest.mark.parametrize("command", TWO)
def test_a_camera_may_come_back_with_another_size(run, camera, command):
    begun = run(command, "--max-frames", "40")
    reading(camera)
    camera.stop()
    camera.picture = squares(256, 192)
    camera.start()
    assert begun.end() == 0, begun.errors
    assert begun.pictures == 40
