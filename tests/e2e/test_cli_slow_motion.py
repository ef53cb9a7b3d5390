"""`process --slow-motion K`: frame count and times, pixels in between, cuts, and audio at the same pitch."""

from __future__ import annotations

import av
import numpy as np
import pytest
from interpolation_models import two_and_time
from sound_rig import decoded, write_flashes
from test_cli_interpolate import STEP, clip, levels_of

from desktop.__main__ import main
from desktop.media.audio.samples import RATE


@pytest.mark.parametrize(("factor", "network"), [(4, True), (3, False), (16, False)])
def test_n_frames_become_k_times_n_less_one_plus_one(tmp_path, capsys, factor, network):
    source = clip(tmp_path / "in.mkv", range(20, 20 + 6 * STEP, STEP))
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--codec", "ffv1"]
    model = ["--interpolate", str(two_and_time(tmp_path / "net.onnx"))] if network else []
    assert main([*command, "--slow-motion", str(factor), *model]) == 0
    found = levels_of(tmp_path / "out.mkv")
    assert len(found) == factor * 5 + 1
    # The source's rate, each frame between at its own time.
    assert [at for at, _ in found] == pytest.approx([n / 10 for n in range(len(found))], abs=2e-3)
    assert [level for _, level in found] == pytest.approx(
        [20 + STEP * n / factor for n in range(len(found))], abs=0.75
    )
    text = capsys.readouterr().err
    assert f"{5 * (factor - 1)} frames {'interpolated' if network else 'blended'}." in text
    assert ("Frames in between are blended" in text) is not network


def test_uneven_times_are_multiplied_and_nothing_is_made_across_cuts_and_gaps(tmp_path, capsys):
    source = clip(tmp_path / "in.mkv", (20, 28, 36, 200), (0, 1, 13, 14))
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--codec", "ffv1"]
    assert main([*command, "--slow-motion", "2"]) == 0
    found = levels_of(tmp_path / "out.mkv")
    assert [at for at, _ in found] == pytest.approx([0, 0.1, 0.2, 1.4, 2.6, 2.7, 2.8], abs=2e-3)
    assert [level for _, level in found] == pytest.approx([20, 24, 28, 36, 36, 200, 200], abs=0.75)
    assert "1 frame blended; none across 1 cut and 1 gap" in capsys.readouterr().err


def _beeps(samples: np.ndarray) -> list[tuple[float, float, float]]:
    """Return beginning, end in seconds and frequency in hertz of each beep."""
    loud = np.flatnonzero(np.abs(samples) > 0.15)
    found = []
    for part in np.split(loud, np.flatnonzero(np.diff(loud) > RATE // 10) + 1):
        begin, end = int(part[0]), int(part[-1])
        spectrum = np.abs(np.fft.rfft(samples[begin:end] * np.hanning(end - begin)))
        found.append((begin / RATE, end / RATE, float(spectrum.argmax() * RATE / (end - begin))))
    return found


@pytest.mark.parametrize(("factor", "begin"), [(4, 0.0), (4, 1.2), (16, 0.0)])
def test_audio_is_slowed_down_at_its_pitch(tmp_path, capsys, factor, begin):
    source, target = tmp_path / "in.mkv", tmp_path / "out.mkv"
    write_flashes(source, seconds=2.0)
    options = ["--slow-motion", str(factor), "--codec", "ffv1", "--range", f"{begin}-"]
    assert main(["process", str(source), "-o", str(target), *options]) == 0
    assert f"audio at 1/{factor} of its speed and the same pitch" in capsys.readouterr().err
    with av.open(str(target)) as container:
        assert sum(1 for _ in container.decode(video=0)) == factor * (round((2.0 - begin) * 25) - 1) + 1
    beeps = _beeps(decoded(target, 40.0))
    marks = [at - begin for at in (0.4, 1.4) if at > begin]
    assert len(beeps) == len(marks)
    for (starts, ends, frequency), mark in zip(beeps, marks, strict=True):
        # The filter works in windows of 43 ms of the slowed audio.
        assert (
            abs(starts - factor * mark) < 0.05 * factor and abs(ends - starts - 0.1 * factor) < 0.05 * factor
        )
        # Which changes a pure tone by less than a third of a semitone.
        assert abs(frequency - 1000.0) < 20.0


def test_audio_can_be_left_out(tmp_path):
    source, target = tmp_path / "in.mkv", tmp_path / "out.mkv"
    write_flashes(source, seconds=0.6)
    assert main(["process", str(source), "-o", str(target), "--slow-motion", "2", "--audio", "none"]) == 0
    with av.open(str(target)) as container:
        assert not container.streams.audio


def test_audio_that_cannot_be_decoded_is_reported(tmp_path, capsys):
    source, target = tmp_path / "in.mkv", tmp_path / "out.mkv"
    write_flashes(source, seconds=0.4)
    source.write_bytes(source.read_bytes().replace(b"A_PCM/INT/LIT", b"A_PCN/INT/LIT"))
    assert main(["process", str(source), "-o", str(target), "--slow-motion", "2"]) == 0
    assert "The audio of in.mkv cannot be decoded, so the slow motion has none" in capsys.readouterr().err
    with av.open(str(target)) as container:
        assert not container.streams.audio


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--fps", "30"], "leave out --fps"),
        (["--audio", "copy"], "cannot be copied"),
        (["--on", "processes:1"], "--slow-motion does not go with --on"),
    ],
)
def test_what_does_not_go_with_slow_motion_is_refused(tmp_path, capsys, options, text):
    source = clip(tmp_path / "in.mkv", (20, 28))
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--slow-motion", "2", *options]
    assert main(command) == 2
    assert text in capsys.readouterr().err
