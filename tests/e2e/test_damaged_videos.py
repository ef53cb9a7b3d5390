"""Videos that were cut off or are damaged: every reader says so, and a command's exit status tells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from camera_rig import Camera
from media_rig import Coding, Part, look_at, write_joined, write_part
from tiny_models import square_detector

from desktop.media.sources.base import left_out
from desktop.media.sources.stream import StreamSource
from desktop.media.sources.video import VideoSource

ROOT = Path(__file__).parents[2]
MKV = Coding(".mkv")
MP4 = Coding(".mp4", muxing=(("movflags", "faststart"),))
FRAGMENTS = Coding(".mp4", muxing=(("movflags", "frag_keyframe+empty_moov"),))
TS = Coding(".ts", sound="ac3")
AVI = Coding(".avi", sound="")


def _clip(folder: Path, coding: Coding, part: Part | None = None) -> Path:
    path = folder / f"clip{coding.suffix}"
    write_part(path, coding, part or Part(4.0))
    return path


def _cut(path: Path, share: float) -> Path:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def _zeroed(path: Path) -> Path:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 400] = bytes(400)
    path.write_bytes(data)
    return path


def _without_packets(path: Path) -> Path:
    """Leave out twelve packets of a transport stream, as a bad reception does."""
    data = path.read_bytes()
    middle = len(data) // 2 // 188 * 188
    path.write_bytes(data[:middle] + data[middle + 12 * 188 :])
    return path


def _read(path: Path) -> tuple[int, str]:
    source = VideoSource(path, hwaccel="software")
    count = sum(1 for _ in source.frames())
    return count, " ".join(left_out(source))


@pytest.mark.parametrize(
    "damaged, words",
    [
        (lambda folder: _cut(_clip(folder, MKV), 0.6), "its header states 4.0"),
        (lambda folder: _cut(_clip(folder, MP4), 0.6), "its header states 4.00 s"),
        (lambda folder: _cut(_clip(folder, AVI), 0.6), "clip.avi ends after"),
        (lambda folder: _zeroed(_clip(folder, Coding(".mp4", sound=""))), "is damaged in"),
        (lambda folder: _without_packets(_clip(folder, TS)), "is damaged in 1 place:"),
    ],
    ids=["cut mkv", "cut mp4", "cut avi", "zeros in mp4", "lost packets in ts"],
)
def test_what_is_missing_is_said(tmp_path, damaged, words):
    path = damaged(tmp_path)

    count, said = _read(path)

    assert 0 < count < 100
    assert words in said and path.name in said


_UNSTAMPED = [("plain", Part(1.6)), ("sound ends early", Part(1.6, sound=(0.0, 0.8)))]
# AVI has no time stamps for them.
_STAMPED = [
    ("sound around", Part(1.6, origin=1.0, sound=(-0.7, 2.4))),
    ("sound later", Part(1.6, origin=1.0, sound=(0.7, 1.6))),
    ("b-frames", Part(1.6, bframes=2)),
]
_WHOLE = [
    pytest.param(coding, part, id=f"{name}{coding.suffix}{'-fragments' * (coding is FRAGMENTS)}")
    for coding in (MKV, MP4, FRAGMENTS, TS, AVI)
    for name, part in (_UNSTAMPED if coding is AVI else _UNSTAMPED + _STAMPED)
]


@pytest.mark.parametrize(("coding", "part"), _WHOLE)
def test_a_whole_file_is_not_called_damaged(tmp_path, coding, part):
    path = _clip(tmp_path, coding, part)

    assert _read(path) == (len(look_at(path).pictures), "")


def test_joined_recordings_are_not_called_damaged(tmp_path):
    path = write_joined(tmp_path, TS, (Part(1.6), Part(1.6, origin=300.0, bframes=2), Part(1.6)))

    assert _read(path) == (120, "")


def _run(*words: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "desktop", *map(str, words)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("command", ["process", "analyze", "detect"])
def test_commands_end_with_status_1(tmp_path, command):
    path = _cut(_clip(tmp_path, Coding(".mp4", sound="", muxing=MP4.muxing)), 0.6)
    model = square_detector(tmp_path / "squares.onnx")
    out = {"process": ["-o", tmp_path / "out.mp4"], "analyze": ["-o", tmp_path / "out.jsonl"], "detect": []}

    run = _run(command, path, *out[command], "--model", model, "--backend", "onnxruntime")

    assert run.returncode == 1, run.stderr
    assert "clip.mp4 ends after" in run.stderr and "its header states 4.00 s" in run.stderr
    if command == "process":
        assert len(look_at(tmp_path / "out.mp4").pictures) == _read(path)[0]


class _Broken(Camera):
    """A camera whose pictures are no JPEG from a moment on."""

    def __init__(self, picture: np.ndarray) -> None:
        self.good = 5
        super().__init__(picture)

    def encoded(self) -> bytes:
        self.good -= 1
        return super().encoded() if self.good >= 0 else b"\xff\xd8" + bytes(500)


def test_a_camera_of_which_no_picture_can_be_decoded_is_opened_again():
    camera = _Broken(np.full((48, 64, 3), 90, np.uint8))
    source = StreamSource(camera.address)
    said: list[str] = []

    def changed() -> None:
        if source.state == "reconnecting":
            said.append(str(source.error))
            camera.good = 1000

    source.on_change = changed
    frames = source.frames()
    try:
        for _ in range(6):
            next(frames)
    finally:
        source.close()
        frames.close()
        camera.stop()

    assert "sends frames that cannot be decoded" in said[0]
    assert source.stats.damaged > 0


def test_a_damaged_layer_is_said_and_the_status_tells(tmp_path):
    layer = _zeroed(_clip(tmp_path, Coding(".mp4", sound="")))
    done = _run(
        *("process", "sample:64x64@25", "-o", tmp_path / "out.mkv", "--max-frames", "100"),
        *("--layer", f"video:path={layer},width=0.5"),
    )
    assert done.returncode == 1
    assert "clip.mp4 is damaged in" in done.stderr
    assert (tmp_path / "out.mkv").stat().st_size > 0
