"""Audio tracks and time codes that `process` keeps."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition
from media_rig import write_tones

from desktop.__main__ import main


def _write_coded(path: Path, code: str, rate: Fraction) -> Path:
    """Write 40 frames with a time code."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=rate)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        container.metadata["timecode"] = code
        for number in range(40):
            frame = av.VideoFrame.from_ndarray(np.full((72, 64), 4 * number, np.uint8), format="yuv420p")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def _code(path: Path) -> str:
    with av.open(str(path)) as container:
        video = container.streams.video[0]
        if path.suffix == ".mov":
            assert [stream.type for stream in container.streams] == ["video", "data"]
        found = {key.lower(): text for key, text in (container.metadata | video.metadata).items()}
        return found["timecode"]


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("out.mov", (), "00:59:59;20"),
        ("out.mp4", ("--codec", "h264"), "00:59:59;20"),
        ("out.mkv", (), "00:59:59;20"),
        ("out.mov", ("--range", "0.5-1"), "01:00:00;05"),
        ("out.mov", ("--fps", "25"), "00:59:59:16"),
    ],
)
def test_the_time_code_is_that_of_the_first_frame(tmp_path, name, options, code):
    source = _write_coded(tmp_path / "in.mov", "00:59:59;20", Fraction(30000, 1001))
    made = tmp_path / name
    assert main(["process", str(source), "-o", str(made), *options]) == 0
    assert _code(made) == code


def test_a_file_without_time_codes_is_reported(tmp_path, capsys):
    source = _write_coded(tmp_path / "in.mov", "01:00:00:00", Fraction(25))
    assert main(["process", str(source), "-o", str(tmp_path / "out.gif"), "--max-frames", "2"]) == 0
    assert "The time code is left out: GIF holds none." in capsys.readouterr().err
    assert main(["process", str(source), "-o", str(tmp_path / "%d.png"), "--max-frames", "1"]) == 0
    assert (
        "Images hold no time code, so that of the input (01:00:00:00) is left out" in capsys.readouterr().err
    )


@pytest.mark.parametrize(("name", "french"), [("out.mov", "fra"), ("out.mkv", "fre"), ("out.webm", "fre")])
def test_all_audio_tracks_are_kept(tmp_path, capsys, name, french):
    source, made = tmp_path / "in.mkv", tmp_path / name
    write_tones(source, {"ger": (440.0, False), "eng": (880.0, True), "fre": (1760.0, False)})
    assert main(["process", str(source), "-o", str(made), "--audio-track", "all"]) == 0
    assert "3 audio tracks: " in capsys.readouterr().err
    with av.open(str(made)) as container:
        sounds = container.streams.audio
        assert [sound.metadata["language"] for sound in sounds] == ["ger", "eng", french]
        assert [bool(sound.disposition & Disposition.default) for sound in sounds] == [False, True, False]
        tones = [_tone(made, number) for number in range(3)]
    assert np.abs(np.array(tones) - (440, 880, 1760)).max() < 5


def _tone(path: Path, number: int) -> float:
    """Return the loudest frequency of an audio track, in Hz."""
    with av.open(str(path)) as container:
        frames = list(container.decode(audio=number))
    samples = np.concatenate([frame.to_ndarray()[0] for frame in frames])
    return float(np.abs(np.fft.rfft(samples)).argmax() * frames[0].sample_rate / len(samples))


def test_all_tracks_do_not_go_with_slow_motion(tmp_path, capsys):
    source = tmp_path / "in.mkv"
    write_tones(source, {"ger": (440.0, True)})
    command = ["process", str(source), "-o", str(tmp_path / "out.mp4"), "--audio-track", "all"]
    assert main([*command, "--slow-motion", "2"]) == 2
    assert "--slow-motion writes one audio track" in capsys.readouterr().err
