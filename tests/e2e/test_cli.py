"""The command line from end to end, in this process (and once in another): output, reports, exit statuses."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import av
import cv2
import numpy as np
import pytest
from tiny_models import red_or_blue_model

from desktop.__main__ import main


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch, tmp_path):
    monkeypatch.setenv("LIGHTLOOM_FILTERS", str(tmp_path / "filters"))


def write_picture(path, rgb, size=(64, 48)):
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    picture[:] = rgb[::-1]
    cv2.imwrite(str(path), picture)
    return path


def test_process_the_sample(tmp_path, capsys):
    out, report, snapshot = tmp_path / "o.mp4", tmp_path / "r.json", tmp_path / "s.png"
    command = [
        "process",
        "sample:160x90",
        "-o",
        str(out),
        "--filter",
        "gaussian_blur:radius=2",
        "--filter",
        "invert",
    ]
    status = main([*command, "--max-frames", "6", "--report", str(report), "--snapshot", str(snapshot)])
    assert status == 0
    printed = capsys.readouterr().out
    assert all(str(path) in printed for path in (out, report, snapshot))
    data = json.loads(report.read_text())
    assert data["frames"] == 6
    assert data["dropped"] == 0
    assert data["fps"] > 0
    assert set(data["latency_ms"]) == {"p50", "p95", "p99"}
    assert [s["name"] for s in data["stages"]] == ["upload", "color", "Gaussian blur", "Invert"]
    assert data["upload_bytes_per_frame"] == 160 * 90 * 3 // 2
    assert data["readback_bytes_per_frame"] <= 4096
    with av.open(str(out)) as container:
        frames = [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]
    assert len(frames) == 6 and frames[0].shape == (90, 160, 3)
    still = cv2.cvtColor(cv2.imread(str(snapshot)), cv2.COLOR_BGR2RGB)
    assert np.abs(frames[-1].astype(int) - still).mean() < 8


def test_a_preset_and_a_filter_act_on_a_picture(tmp_path):
    picture = write_picture(tmp_path / "in.png", (200, 100, 50))
    preset = tmp_path / "p.toml"
    preset.write_text('lightloom = 1\n[[filter]]\nname = "invert"\n')
    assert main(["process", str(picture), "-o", str(tmp_path / "a.png"), "--preset", str(preset)]) == 0
    assert np.abs(cv2.imread(str(tmp_path / "a.png"))[0, 0].astype(int) - (205, 155, 55)).max() <= 1
    arguments = ["--preset", str(preset), "--filter", "invert"]
    assert main(["process", str(picture), "-o", str(tmp_path / "b.png"), *arguments]) == 0
    assert np.abs(cv2.imread(str(tmp_path / "b.png"))[0, 0].astype(int) - (50, 100, 200)).max() <= 1


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_classify(tmp_path, capsys, backend):
    model = red_or_blue_model(tmp_path / "colour.onnx")
    (tmp_path / "colour.lightloom.toml").write_text("")
    pictures = [
        write_picture(tmp_path / f"{n}.png", rgb) for n, rgb in (("r", (255, 0, 0)), ("b", (0, 0, 255)))
    ]
    command = [
        "classify",
        *map(str, pictures),
        "--model",
        str(model),
        "--backend",
        backend,
        "--json",
        "--top",
        "2",
    ]
    assert main(command) == 0
    data = json.loads(capsys.readouterr().out)
    assert [r["top"][0]["label"] for r in data["results"]] == ["red", "blue"]
    assert all(len(r["top"]) == 2 for r in data["results"])
    assert backend in data["network"]


def test_process_with_a_network_reports_what_it_saw(tmp_path):
    model = red_or_blue_model(tmp_path / "colour.onnx")
    picture = write_picture(tmp_path / "g.png", (0, 255, 0))
    report = tmp_path / "r.json"
    command = [
        "process",
        str(picture),
        "-o",
        str(tmp_path / "o.png"),
        "--model",
        str(model),
        "--backend",
        "wgpu",
    ]
    assert main([*command, "--report", str(report)]) == 0
    data = json.loads(report.read_text())
    assert data["predictions"][0]["top"][0]["label"] == "green"
    assert "wgpu" in data["network"]


def test_the_folders_include_that_of_downloaded_networks(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("LIGHTLOOM_MODELS", str(tmp_path / "downloads"))
    assert main(["doctor", "--json"]) == 0
    folders = next(f for f in json.loads(capsys.readouterr().out) if f["what"] == "Folders")
    assert f"networks {tmp_path / 'downloads'}" in folders["detail"]


def test_lists(capsys):
    assert main(["filters", "--json"]) == 0
    names = {f["name"] for f in json.loads(capsys.readouterr().out)["filters"]}
    assert {"gaussian_blur", "lut", "canny", "motion_trails"} <= names
    assert main(["devices", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"]
    assert main(["doctor", "--json"]) == 0
    assert all(f["ok"] for f in json.loads(capsys.readouterr().out))
    assert main(["filters"]) == 0
    assert "gaussian_blur" in capsys.readouterr().out


def mistakes(folder):
    text = folder / "text.mp4"
    text.write_text("this is not a video")
    picture = write_picture(folder / "in.png", (1, 2, 3))
    model = folder / "bad.onnx"
    model.write_bytes(b"\x08\x01garbage")
    preset = folder / "bad.toml"
    preset.write_text("x = [")
    out = str(folder / "out.png")
    yield 1, ["process", str(folder / "none.mp4"), "-o", out], "none.mp4"
    yield 1, ["process", str(text), "-o", out], "text.mp4"
    yield 1, ["process", str(picture), "-o", out, "--filter", "nothing"], "nothing"
    yield 1, ["process", str(picture), "-o", out, "--filter", "gaussian_blur:radius=900"], "0 to 64"
    yield 2, ["process", str(picture), "-o", out, "--filter", "gaussian_blur:radius"], "key=value"
    yield 1, ["process", str(picture), "-o", out, "--filter", f"lut:table={folder / 'no.cube'}"], "no.cube"
    yield 1, ["process", str(picture), "-o", out, "--preset", str(preset)], "bad.toml"
    yield 2, ["process", str(picture), "-o", str(folder / "out.xyz")], "out.xyz"
    new = folder / "new" / "folder"
    yield 2, ["process", str(picture), "-o", str(new / "out.png")], f"The folder {new} "
    yield 2, ["process", str(picture), "-o", out, "--snapshot", str(new / "shot.png")], f"The folder {new} "
    yield 2, ["process", str(picture), "-o", out, "--report", str(new / "r.json")], f"The folder {new} "
    yield 2, ["process", str(picture), "-o", str(picture)], "is the input"
    yield 1, ["process", str(picture), "-o", str(picture / "x.png")], "cannot be written"
    yield 2, ["process", str(picture), "-o", out, "--model", str(folder / "none.onnx")], "none.onnx"
    yield 1, ["process", str(picture), "-o", out, "--model", str(model)], "bad.onnx"
    yield (
        1,
        ["classify", str(folder / "none.png"), "--model", str(red_or_blue_model(folder / "ok.onnx"))],
        "none.png",
    )
    long = "a" * 5000
    (folder / "dir.mp4").mkdir()
    (folder / "dir.png").mkdir()
    yield 1, ["process", long, "-o", out], "aaa"
    yield 1, ["process", str(picture), "-o", f"{long}.mp4"], "cannot be written"
    yield 1, ["process", "~nosuchuser/x.png", "-o", out], "nosuchuser"
    yield 2, ["process", "", "-o", out], "input has no name"
    yield 2, ["process", str(picture), "-o", str(folder / "dir.mp4")], "dir.mp4"
    yield 2, ["process", str(picture), "-o", str(folder / "dir.png")], "dir.png"
    yield 2, ["process", str(picture), "-o", out, "--report", str(folder / "dir.png")], "dir.png"
    yield 2, ["process", str(picture), "-o", out, "--snapshot", str(folder / "s.xyz")], "s.xyz"
    yield 1, ["process", str(picture), "-o", out, *["--filter", "invert"] * 33], "at most 32"
    yield 1, ["process", str(picture), "-o", out, "--preset", str(folder / "dir.png")], "dir.png"
    yield 1, ["doctor", "--adapter", "no such gpu"], ""
    yield 1, ["process", str(picture), "-o", out, "--adapter", "no such gpu"], "no such gpu"


def test_mistakes_get_one_sentence_and_the_right_status(tmp_path, capsys):
    for status, arguments, word in mistakes(tmp_path):
        assert main(arguments) == status, arguments
        complaint = capsys.readouterr().err
        assert word in complaint, (arguments, complaint)
        assert "Traceback" not in complaint
        if word:
            assert len([line for line in complaint.splitlines() if line.startswith("lightloom:")]) == 1, (
                complaint
            )


@pytest.mark.parametrize(
    "arguments",
    [
        ["process"],
        ["process", "x", "-o", "y.mp4", "--max-frames", "-1"],
        ["bench", "nothing"],
        ["bench", "pipeline", "--seconds", "nan"],
        ["classify", "x", "--top", "99", "--model", "m"],
    ],
)
def test_usage_errors_of_the_parser(arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def test_bench_pipeline(capsys):
    command = ["bench", "pipeline", "--size", "160x90", "--seconds", "0.3", "--json"]
    assert main([*command, "--filter", "invert"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["upload_bytes_per_pixel"] == 1.5
    assert data["readback_bytes_per_frame"] <= 4096
    assert data["frames"] > 0 and data["fps"] > 0


def test_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "devices"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert "*" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a single process")
def test_an_interrupted_run_leaves_a_video_that_plays(tmp_path):
    out = tmp_path / "o.mp4"
    command = [sys.executable, "-m", "desktop", "process", "sample:320x180", "-o", str(out)]
    # A group of its own with the default handler: a background job of a shell ignores SIGINT, and so would its children.
    reset = "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    run = f"{reset}sys.argv = {command[2:]!r}; runpy.run_module('desktop', run_name='__main__')"
    process = subprocess.Popen([sys.executable, "-c", run], stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not (out.exists() and out.stat().st_size > 4096) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    complaint = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert complaint.startswith("lightloom: Stopped. What was done until then, ")
    assert "Traceback" not in complaint
    with av.open(str(out)) as container:
        count = sum(1 for _ in container.decode(video=0))
    assert 0 < count < 900
    assert f"{count} frames" in complaint


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a single process")
def test_classification_stops_between_two_pictures(tmp_path):
    model = red_or_blue_model(tmp_path / "m.onnx")
    arguments = ["desktop", "classify", "sample:320x180", "--model", str(model), "--backend", "wgpu"]
    reset = "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    run = f"{reset}sys.argv = {arguments!r}; runpy.run_module('desktop', run_name='__main__')"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", run], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    complaint = process.communicate(timeout=60)[1]
    assert "sample" in first
    assert process.returncode == 1
    assert complaint.splitlines()[-1] == "lightloom: stopped."
    assert "Traceback" not in complaint


def test_a_reader_that_goes_away_is_no_error_of_ours():
    command = f"{sys.executable} -m desktop filters --json | {sys.executable} -c ''"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""


def test_a_single_picture_waits_for_a_network_beside_it(tmp_path):
    model = red_or_blue_model(tmp_path / "colour.onnx")
    picture, report = write_picture(tmp_path / "b.png", (0, 0, 255)), tmp_path / "r.json"
    command = ["process", str(picture), "-o", str(tmp_path / "o.png"), "--report", str(report)]
    assert main([*command, "--model", str(model), "--backend", "onnxruntime"]) == 0
    data = json.loads(report.read_text())
    assert data["predictions"][0]["top"][0]["label"] == "blue"
    assert data["readback_bytes_per_frame"] >= 32 * 32 * 3 * 4


def test_a_run_that_fails_in_the_middle_says_what_it_left(tmp_path, capsys):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for index, size in enumerate(((64, 48), (64, 48), (32, 32))):
        write_picture(pictures / f"{index}.png", (9, 9, 9), size)
    out = tmp_path / "o.mp4"
    assert main(["process", str(pictures), "-o", str(out)]) == 1
    complaint = capsys.readouterr().err
    assert "size changed" in complaint and "2 frames, is in" in complaint
    with av.open(str(out)) as container:
        assert sum(1 for _ in container.decode(video=0)) == 2


def test_a_filter_whose_file_is_broken_is_named_with_its_fault(tmp_path, capsys):
    folder = tmp_path / "filters"
    folder.mkdir()
    (folder / "mine.wgsl").write_text("fn main() {}")
    picture = write_picture(tmp_path / "in.png", (1, 2, 3))
    assert main(["process", str(picture), "-o", str(tmp_path / "o.png"), "--filter", "mine"]) == 1
    assert "does not begin with" in capsys.readouterr().err
    # It is no hindrance to others.
    assert main(["process", str(picture), "-o", str(tmp_path / "o.png"), "--filter", "invert"]) == 0


def test_bench_refuses_what_it_cannot_run(tmp_path, capsys):
    command = ["bench", "pipeline", "--size", "160x90", "--seconds", "0.1"]
    assert main([*command, "--filter", f"lut:table={tmp_path / 'none.cube'}"]) == 1
    assert "none.cube" in capsys.readouterr().err
