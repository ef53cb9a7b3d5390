"""Colored boxes move through a video by a script; a real network finds them, and zones count what the script
knows.
"""

from __future__ import annotations

import csv
import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest
from event_rig import Requests, SmallBroker, free_port
from script_rig import (
    FRAMES,
    HEIGHT,
    PATHS,
    RATE,
    color_finder,
    scripted_crossings,
    scripted_video,
)
from waiting import LIMIT_S

from desktop.__main__ import main
from desktop.base.interrupt import Interrupt
from desktop.cli import _zones
from desktop.outputs.events import _lines

# The door is the upper part of the middle, from top to bottom: forward is to the left of the picture.
SCENE = """
[[scene.zones]]
name = "Door"
kind = "line"
points = [[0.5, 0.05], [0.5, 0.8]]

[[scene.zones]]
name = "Room"
points = [[0.7, 0.4], [1.0, 0.4], [1.0, 0.7], [0.7, 0.7]]

[[scene.events]]
name = "Through the door"
zone = "Door"
when = "crosses"
[[scene.events.actions]]
do = "csv"
path = "{csv}"

[[scene.events]]
name = "Into the room"
zone = "Room"
when = "enters"
classes = ["blue"]
[[scene.events.actions]]
do = "snapshot"
folder = "{folder}"
"""


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("zones")
    return scripted_video(folder / "script.mp4"), color_finder(folder / "colors.onnx")


def zones_file(folder: Path) -> Path:
    path = folder / "zones.toml"
    path.write_text(
        SCENE.format(csv=(folder / "door.csv").as_posix(), folder=(folder / "pictures").as_posix())
    )
    return path


def test_a_scripted_video_is_counted_without_error(material, tmp_path, capsys):
    video, model = material
    expected = scripted_crossings()
    assert expected == (1, 2)
    out = tmp_path / "r.jsonl"
    command = [
        "analyze",
        str(video),
        "--model",
        str(model),
        "--zones",
        str(zones_file(tmp_path)),
        "--events",
        "-o",
        str(out),
    ]
    assert main(command) == 0
    said = capsys.readouterr()
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    door, room = lines[-1]["zones"]
    assert (door["forward"], door["backward"]) == expected
    assert door["classes"] == {"red": {"forward": expected[0], "backward": expected[1]}}
    assert (room["inside"], room["entered"], room["left"]) == (0, 1, 1)
    # Blue's lower edge is in the room from 0.4 to 0.7 of the height, at 145 pixels in the four seconds of the
    # script.
    assert room["seconds"] == pytest.approx(0.3 * HEIGHT / 145 * FRAMES / RATE, abs=0.2)
    assert "Door: 1 forward, 2 backward" in said.out and "Room: 1 entered, 1 left" in said.out
    # Each event once, where the analysis has it, and nothing that was not delivered.
    with (tmp_path / "door.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    told = [event for line in lines for event in line["events"] if event["event"] == "Through the door"]
    assert [(row["direction"], float(row["pts"])) for row in rows] == [
        (e["direction"], e["pts"]) for e in told
    ]
    assert len(rows) == sum(expected)
    assert len(list((tmp_path / "pictures").glob("*.png"))) == 1
    assert "not delivered" not in said.err


def test_nothing_is_done_without_a_word_of_the_user(material, tmp_path, capsys):
    video, model = material
    out = tmp_path / "r.jsonl"
    path = zones_file(tmp_path)
    path.write_text(path.read_text().replace('["blue"]', '["bleu"]').replace("[0.5, 0.8]", "[0.5, 8]"))
    zones = ["--zones", str(path), "--max-frames", "60"]
    assert main(["analyze", str(video), "--model", str(model), *zones, "-o", str(out)]) == 0
    said = capsys.readouterr().err
    assert "switched off" in said and "a corner of 'Door' is outside the frame" in said
    unknown = "'Into the room' names the class 'bleu', which the network does not have; did you mean 'blue'?"
    assert said.count(unknown) == 1
    assert not (tmp_path / "door.csv").exists() and not (tmp_path / "pictures").exists()


def test_a_run_that_goes_on_counts_on(material, tmp_path, capsys):
    video, model = material
    out, zones = tmp_path / "r.jsonl", zones_file(tmp_path)
    command = ["analyze", str(video), "--model", str(model), "--zones", str(zones), "-o", str(out)]
    with pytest.MonkeyPatch.context() as patch:
        seen = []

        def check(self: Interrupt) -> None:
            seen.append(1)
            if len(seen) == 70:
                raise KeyboardInterrupt

        patch.setattr(Interrupt, "check", check)
        assert main(command) != 0
    assert main([*command, "--resume"]) == 0
    door = json.loads(out.read_text().splitlines()[-1])["zones"][0]
    assert (door["forward"], door["backward"]) == scripted_crossings()


CLIPS = (
    SCENE
    + """
[[scene.events.actions]]
do = "clip"
folder = "{folder}"
before = 0.5
after = 1
"""
)


@pytest.mark.parametrize("command", ["process", "analyze"])
def test_an_event_leaves_a_clip_of_what_was_before_and_after(material, tmp_path, command):
    video, model = material
    zones = tmp_path / "zones.toml"
    folder = tmp_path / "clips"
    zones.write_text(CLIPS.format(csv=(tmp_path / "door.csv").as_posix(), folder=folder.as_posix()))
    out = tmp_path / ("out.mp4" if command == "process" else "out.jsonl")
    options = ["--model", str(model), "--zones", str(zones), "--events", "-o", str(out)]
    # What is hidden is hidden in clips too.
    options += ["--anonymize", "red", "--anonymize-settings", "kind=fill"]
    assert main([command, str(video), *options]) == 0
    (clip,) = folder.glob("Into the room Room *.mp4")
    with av.open(str(clip)) as container:
        found = [
            (float(f.pts * f.time_base), f.to_ndarray(format="rgb24")) for f in container.decode(video=0)
        ]
    # Blue enters once the middle of its lower edge is in the room, by the script.
    entered = next(n for n in range(FRAMES) if round(PATHS["blue"](n / (FRAMES - 1))[1]) > 0.4 * HEIGHT)
    assert abs(found[-1][0] - 1.5) <= 1 / RATE + 0.005
    assert abs(len(found) - 46) <= 1
    picture = found[15][1].astype(int)
    blue = (picture[..., 2] > 180) & (picture[..., 0] < 80)
    assert abs(np.flatnonzero(blue.any(axis=1)).max() + 1 - 0.4 * HEIGHT) <= 4, (
        "the event's picture is where it should be"
    )
    assert entered > 15
    for _, pixels in found:
        assert not ((pixels[..., 0].astype(int) - pixels[..., 1]) > 100).any(), "red is hidden"


def test_home_assistant_gets_the_counts_of_all_zones_and_each_event(material, tmp_path):
    video, model = material
    broker = SmallBroker()
    zones, out = tmp_path / "zones.toml", tmp_path / "r.jsonl"
    scene = SCENE.partition("[[scene.events.actions]]")[0]
    action = f"""
[[scene.events.actions]]
do = "home_assistant"
address = "127.0.0.1:{broker.port}"
"""
    zones.write_text(scene + action)
    options = ["--model", str(model), "--zones", str(zones), "--events", "-o", str(out)]
    assert main(["analyze", str(video), *options]) == 0
    states = {
        topic.split("/")[-2].partition("_")[0]: json.loads(payload)
        for topic, payload in broker.retained.items()
        if topic.endswith("/state")
    }
    assert (states["door"]["forward"], states["door"]["backward"]) == scripted_crossings()
    assert (states["room"]["inside"], states["room"]["entered"], states["room"]["left"]) == (0, 1, 1)
    events = [json.loads(payload) for topic, payload in broker.messages if topic.endswith("/event")]
    assert [event["event_type"] for event in events] == ["crosses"] * sum(scripted_crossings())
    (image,) = (payload for topic, payload in broker.retained.items() if topic.endswith("/image"))
    assert image[:2] == b"\xff\xd8"
    configs = [json.loads(payload) for topic, payload in broker.retained.items() if topic.endswith("/config")]
    assert len(configs) == 8 and {each["device"]["name"] for each in configs} == {"Lightloom script.mp4"}
    broker.close()


UNREACHABLE = """
[[scene.zones]]
name = "All"
points = [[0, 0], [1, 0], [1, 1], [0, 1]]

[[scene.events]]
name = "Somebody"
zone = "All"
when = "enters"
[[scene.events.actions]]
do = "url"
address = "{stalling}"
[[scene.events.actions]]
do = "mqtt"
address = "127.0.0.1:{nobody}"
[[scene.events.actions]]
do = "csv"
path = '{full}'
"""


def test_frames_go_on_where_nothing_can_be_delivered_and_that_is_said(
    material, tmp_path, capsys, monkeypatch, caplog
):
    video, model = material
    server = Requests()
    server.stalls.set()
    full = tmp_path / "full.csv"
    zones, out = tmp_path / "zones.toml", tmp_path / "out.mp4"
    zones.write_text(UNREACHABLE.format(stalling=server.address, nobody=free_port(), full=full))
    write = os.write

    def on_a_full_disk(descriptor: int, data: bytes) -> int:
        if os.path.samestat(os.fstat(descriptor), full.stat()):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data)

    monkeypatch.setattr(_lines.os, "write", on_a_full_disk)
    monkeypatch.setattr(_zones, "_CLOSING_S", 0.2)
    command = [
        "process",
        str(video),
        "--model",
        str(model),
        "--zones",
        str(zones),
        "--events",
        "--max-frames",
        "40",
    ]
    assert main([*command, "-o", str(out)]) == 1
    said = capsys.readouterr()
    server.close()
    assert said.out.startswith("40 frames")
    with av.open(str(out)) as container:
        assert sum(1 for _ in container.decode(video=0)) == 40
    assert "All: 3 entered" in said.out
    # Three things entered, and each of three actions was to be done about it.
    assert "9 events were not delivered; the log has them." in said.err
    assert "full.csv cannot be written: No space left on device" in said.err
    for target in ("to 127.0.0.1", f"to {full}"):
        assert any(target in message for message in caplog.messages)
    assert sum("not delivered to" in message for message in caplog.messages) == 9
    assert full.read_bytes() == b""


def test_process_draws_zones_and_says_what_they_counted(material, tmp_path):
    video, model = material
    out = tmp_path / "out.mp4"
    zones = ["--zones", str(zones_file(tmp_path)), "--overlay", "--max-frames", "50"]
    # In a process of its own: the overlay needs an application without a window, and there is one in a
    # process.
    command = [sys.executable, "-m", "desktop", "process", str(video), "--model", str(model), *zones]
    done = subprocess.run([*command, "-o", str(out)], capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == 0, done.stderr
    assert "Door: 0 forward, 1 backward" in done.stdout
    with av.open(str(out)) as container:
        picture = next(container.decode(video=0)).to_ndarray(format="rgb24").astype(int)
    # On the door's line, above the boxes' ways and below its name, the bare video is dark.
    assert picture[130:150, 158:163].max() > 150
