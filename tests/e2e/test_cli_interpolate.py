"""`process --fps N --interpolate NETWORK`: networks that blend two pictures by the time, whose result is
known to the digit.
"""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest
from interpolation_models import (
    channels_last,
    enlarging,
    relu,
    seven_channels,
    six_channels,
    two_and_time,
)

from desktop.__main__ import main

STEP = 8


def clip(path, levels, times=None):
    """Gray pictures of these levels at 10 a second, or at other times in tenths of a second, 96x80, without
    loss.
    """
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=10)
        stream.width, stream.height, stream.pix_fmt = 96, 80, "bgr0"
        for index, level in enumerate(levels):
            frame = av.VideoFrame.from_ndarray(np.full((80, 96, 3), level, np.uint8), format="rgb24")
            frame.pts, frame.time_base = times[index] if times else index, Fraction(1, 10)
            container.mux(stream.encode(frame.reformat(format="bgr0")))
        container.mux(stream.encode(None))
    return path


def levels_of(path):
    """(time, level) of each picture of a file."""
    with av.open(str(path)) as container:
        return [
            (round(float(frame.time), 4), float(frame.to_ndarray(format="rgb24").mean()))
            for frame in container.decode(video=0)
        ]


NETWORKS = {
    "time as a tensor of four dimensions": two_and_time,
    "time as a number": lambda path: two_and_time(path, (1,)),
    "time as a plane": lambda path: two_and_time(path, (1, 1, "h", "w")),
    "one size": lambda path: two_and_time(path, sides=(64, 128)),
    "seven channels": seven_channels,
    "one width, any height": lambda path: two_and_time(path, sides=("h", 64)),
    "one height, any width": lambda path: two_and_time(path, sides=(128, "w")),
    "channels last": channels_last,
    "channels last, a plane of one size": lambda path: channels_last(path, (1, 64, 128, 1), (64, 128)),
}


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
@pytest.mark.parametrize("make", NETWORKS.values(), ids=NETWORKS)
def test_pictures_between_are_those_of_their_time(tmp_path, capsys, make, backend):
    source = clip(tmp_path / "in.mkv", range(20, 20 + 6 * STEP, STEP))
    model = make(tmp_path / "net.onnx")
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--codec", "ffv1", "--fps", "25"]
    assert main([*command, "--interpolate", str(model), "--backend", backend]) == 0
    found = levels_of(tmp_path / "out.mkv")
    assert [at for at, _ in found] == pytest.approx([n / 25 for n in range(15)], abs=2e-3)
    expected = [20 + STEP * min(n / 25 * 10, 5.0) for n in range(15)]
    assert [level for _, level in found] == pytest.approx(expected, abs=0.75)
    assert "interpolated" in capsys.readouterr().err


def test_a_network_of_the_middle_alone_is_halved_and_said_to_be(tmp_path, capsys):
    source = clip(tmp_path / "in.mkv", (20, 40, 60))
    model = six_channels(tmp_path / "net.onnx")
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--codec", "ffv1", "--fps", "40"]
    assert main([*command, "--interpolate", str(model)]) == 0
    expected = [20, 25, 30, 35, 40, 45, 50, 55, 60, 60, 60, 60]
    assert [level for _, level in levels_of(tmp_path / "out.mkv")] == pytest.approx(expected, abs=1.5)
    assert "halfway between two" in capsys.readouterr().err


def test_a_preset_s_interpolation_is_that_of_process(tmp_path, capsys):
    source = clip(tmp_path / "in.mkv", range(20, 20 + 6 * STEP, STEP))
    two_and_time(tmp_path / "net.onnx")
    (tmp_path / "smooth.toml").write_text(
        'lightloom = 1\n[interpolation]\nmodel = "net.onnx"\nrate = "3x"\nbackend = "onnxruntime"\nspeed = 3\n'
    )
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--codec", "ffv1"]
    assert main([*command, "--preset", str(tmp_path / "smooth.toml")]) == 0
    found = levels_of(tmp_path / "out.mkv")
    assert [at for at, _ in found] == pytest.approx([n / 30 for n in range(18)], abs=2e-3)
    assert [level for _, level in found] == pytest.approx(
        [20 + STEP * min(n / 3, 5) for n in range(18)], abs=0.75
    )
    said = capsys.readouterr().err
    assert "10 frames interpolated" in said
    assert "Frame interpolation has no value 'speed'." in said


def test_nothing_is_made_across_a_cut(tmp_path, capsys):
    source = clip(tmp_path / "in.mkv", (20, 28, 200, 208))
    model = two_and_time(tmp_path / "net.onnx")
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--codec", "ffv1", "--fps", "50"]
    assert main([*command, "--interpolate", str(model)]) == 0
    levels = [level for _, level in levels_of(tmp_path / "out.mkv")]
    scene, other = [20, 21.6, 23.2, 24.8, 26.4], [200, 201.6, 203.2, 204.8, 206.4]
    assert levels == pytest.approx([*scene, 28, 28, 28, 200, 200, *other, *[208] * 5], abs=0.75)
    assert "none across 1 cut" in capsys.readouterr().err


def test_nothing_is_made_across_a_gap_which_is_counted(tmp_path, capsys):
    source = clip(tmp_path / "in.mkv", (20, 28, 36, 200), (0, 1, 13, 14))
    model = two_and_time(tmp_path / "net.onnx")
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--codec", "ffv1", "--fps", "20"]
    assert main([*command, "--interpolate", str(model)]) == 0
    levels = [level for _, level in levels_of(tmp_path / "out.mkv")]
    assert levels[:3] == pytest.approx([20, 24, 28], abs=0.75)
    assert {round(level) for level in levels[3:27]} == {28, 36}
    said = capsys.readouterr().err
    assert "1 frame interpolated; none across 1 cut and 1 gap of more than 1 s." in said


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_network_that_enlarges_is_refused_in_one_sentence(tmp_path, capsys, backend):
    source = clip(tmp_path / "in.mkv", (20, 28))
    model = enlarging(tmp_path / "net.onnx")
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv"), "--fps", "30", "--backend", backend]
    assert main([*command, "--interpolate", str(model)]) == 1
    said = capsys.readouterr().err
    assert "net.onnx gives a result of [1, 3, 256, 256] where images of [1, 3, 128, 128] are needed" in said


def test_what_cannot_be_is_said(tmp_path, capsys):
    source = clip(tmp_path / "in.mkv", (20, 28))
    command = ["process", str(source), "-o", str(tmp_path / "out.mkv")]
    assert main([*command, "--interpolate", "any.onnx"]) == 2
    assert "--fps" in capsys.readouterr().err
    one = relu(tmp_path / "one.onnx")
    assert main([*command, "--fps", "30", "--interpolate", str(one)]) == 1
    assert "does not interpolate frames: it takes x [0, 3, 0, 0]" in capsys.readouterr().err.replace(
        "[1,", "[0,"
    )
