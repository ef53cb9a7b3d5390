"""The command line from end to end, in this process (and once in another): output, reports, exit statuses."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from tiny_models import red_or_blue_model
from waiting import LIMIT_S

from desktop.__main__ import main
from desktop.app import check_display
from desktop.base.errors import ExportError, LightloomError
from desktop.media.sources.opening import open_source
from desktop.outputs.recording import Recorder
from desktop.pipeline.picture.upload import Uploader


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
    model = red_or_blue_model(tmp_path / "color.onnx")
    (tmp_path / "color.lightloom.toml").write_text("")
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
    model = red_or_blue_model(tmp_path / "color.onnx")
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
    numbered = write_picture(folder / "7.png", (1, 2, 3))
    yield 2, ["process", str(numbered), "-o", str(folder / "%d.png")], "among the images"
    yield 2, ["process", str(folder), "-o", str(folder / "%04d.jpg")], "among the files"
    yield (
        1,
        ["process", str(picture), "-o", out, "--preset", "night"],
        "There is no look night; give the path",
    )
    yield 1, ["process", str(picture), "-o", out, "--model", "style_ink"], "--filter style:model=style_ink"
    yield (
        1,
        ["detect", str(picture), "--model", "classifier"],
        "It is for classification: 'lightloom classify'",
    )
    yield 1, ["classify", str(picture), "--model", "style_ink"], "process --filter style:model=style_ink'."
    idle = ["process", str(picture), "-o", out]
    yield (
        2,
        [*idle, "--filter", "background:mode=dim,blur=9"],
        "'blur' of the filter 'background' has no effect",
    )
    yield 2, [*idle, "--filter", "diffusion:prompt=a cat"], "unless 'model' is the folder of a pipeline"
    yield 2, [*idle, "--filter", "exposure:stops=1,stops=2"], "'stops' stands twice"
    for option in (
        *(["--backend", "wgpu"], ["--precision", "fp16"], ["--device-of-network", "cpu"]),
        *(["--second", "detector"], ["--second-things", "2"], ["--second-setting", "score=0.5"]),
    ):
        yield 2, [*idle, *option], f"{option[0]} goes with --model"
    yield 2, [*idle, "--track"], "--track follows what a network finds"
    yield 2, [*idle, "--events"], "--events does what the events of zones say, and there are none"
    yield 2, [*idle, "--workers", "2"], "--workers is for the workers of --on"
    yield 2, [*idle, "--piece-seconds", "9"], "--piece-seconds is for the workers of --on"
    names = str(red_or_blue_model(folder / "names.onnx"))
    yield 2, [*idle, "--model", names, "--track"], "detects no objects"
    yield (
        2,
        ["analyze", str(picture), "-o", str(folder / "r.csv"), "--model", names, "--track"],
        "detects no objects",
    )
    yield 2, ["procss", "sample:", "-o", out], "no command or file 'procss'; did you mean 'process'?"
    yield 2, ["holiday"], "no command or file 'holiday'; 'lightloom --help'"
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
    "command",
    [
        "process in.png -o out.png --model {}",
        "process in.png -o out.png --model detector --second {}",
        "process in.png -o out.png --filter style:model={}",
        "classify in.png --model {}",
        "detect in.png --model {}",
        "keypoints in.png --model {}",
        "match in.png --likeness in.png --model {}",
        "analyze in.png -o r.csv --model {}",
        "segment in.png --point 1,1 --model {}",
        "segment in.png --point 1,1 --model detector --decoder {}",
        "model check {}",
        "model run {} --input in.npz --output out.npz",
        "model verify {}",
        "model profile {}",
        "model tune {}",
        "model compare {} in.png",
        "models get {}",
        "models path {}",
        "models remove {}",
        "models verify {}",
        "serve {}",
        "serve net={}",
        "export-web {} -o site",
        "bench pipeline --model {}",
        "bench inference --models {}",
    ],
)
def test_a_folder_in_the_place_of_a_network_is_told_for_what_it_is(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_picture(tmp_path / "in.png", (9, 9, 9))
    (tmp_path / "pipe" / "unet").mkdir(parents=True)
    (tmp_path / "pipe" / "model_index.json").write_text("{}")
    (tmp_path / "pipe" / "unet" / "model.onnx").touch()
    (tmp_path / "empty").mkdir()
    for folder, said in (
        ("pipe", "pipe is the folder of a pipeline, not one network: 'lightloom generate' makes"),
        (
            str(Path("pipe/unet")),
            f"is a folder; give the file of a network in it, as {Path('pipe/unet/model.onnx')}.",
        ),
        ("empty", "empty is a folder without a network in it; give"),
    ):
        assert main([word.format(folder) for word in command.split()]) in (1, 2)
        complaint = capsys.readouterr().err
        assert said in complaint and "Traceback" not in complaint
    assert {path.name for path in tmp_path.iterdir()} == {"in.png", "pipe", "empty"}


def test_a_file_in_the_place_of_a_name_of_the_catalogue_is_told_for_what_it_is(tmp_path, capsys):
    model = red_or_blue_model(tmp_path / "mine.onnx")
    assert main(["models", "verify", str(model)]) == 1
    assert "is here already, and no name of the catalogue" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["process"],
        ["process", "x", "-o", "y.mp4", "--max-frames", "-1"],
        ["bench", "nothing"],
        ["bench pipeline", "--seconds", "nan"],
        ["classify", "x", "--top", "99", "--model", "m"],
        ["classify", "x", "--jsn", "y"],
        ["filters", "bogus"],
        ["model check", "m.onnx", "bogus"],
        ["bench pipeline", "--models", "x"],
        ["bench inference", "--filter", "invert"],
    ],
)
def test_usage_errors_of_the_parser(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main([*arguments[0].split(), *arguments[1:]])
    assert caught.value.code == 2
    # Under the usage of the command that was meant.
    assert capsys.readouterr().err.startswith(f"usage: lightloom {arguments[0]} [-h]")


def test_a_preset_is_found_by_its_name(tmp_path, monkeypatch, capsys):
    """Those in the box and those of the user; a file of that name goes first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIGHTLOOM_PRESETS", str(tmp_path / "own"))
    write_picture(tmp_path / "in.png", (200, 100, 50))
    (tmp_path / "own").mkdir()
    own = 'lightloom = 1\n[[filter]]\nname = "invert"\n'
    (tmp_path / "own" / "my look.toml").write_text(own)

    def color(preset):
        assert main(["process", "in.png", "-o", "out.png", "--look", preset]) == 0
        return cv2.imread("out.png")[10, 10].tolist()

    assert np.abs(np.subtract(color("my look"), [205, 155, 55])).max() <= 1
    toned = color("night_city")
    assert toned != [50, 100, 200]
    (tmp_path / "night_city").write_text(own)
    assert color("night_city") == color("my look") != toned
    # What came in one file has its folder's name, and takes the place of none that the user has saved.
    for title in ("my look", "came"):
        came = tmp_path / "own" / "imported" / f"{title}-0123"
        came.mkdir(parents=True)
        (came / "preset.toml").write_text("lightloom = 1\n")
    assert color("came") != color("my look")
    assert np.abs(np.subtract(color("my look"), [205, 155, 55])).max() <= 1


def test_pictures_of_a_folder_that_do_not_open_are_told_of(tmp_path, monkeypatch, capsys):
    """By every command that goes through a folder: each by its name, after what was done of the others, with
    exit status 1.
    """
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "folder"
    folder.mkdir()
    write_picture(folder / "1.png", (255, 0, 0)), write_picture(folder / "3.png", (0, 0, 255))
    (folder / "2.png").write_bytes((folder / "1.png").read_bytes()[:40])
    (folder / "4.jpg").write_text("no picture, but called so")
    (folder / "notes.txt").write_text("no picture, nor called so")
    model = str(red_or_blue_model(tmp_path / "color.onnx"))
    for command, done in (
        (["classify", "folder", "--model", model], "1.png"),
        (["analyze", "folder", "--model", model, "-o", "r.jsonl"], "2 frames"),
        (["process", "folder", "-o", "out.mp4"], "2 frames"),
        (["model", "compare", model, "folder", "--first", "onnxruntime", "--second", "wgpu"], "3.png"),
    ):
        assert main(command) == 1, command
        said = capsys.readouterr()
        assert done in said.out and "Traceback" not in said.err
        told = [line for line in said.err.splitlines() if "left out" in line]
        assert [line.split()[1] for line in told] == ["2.png", "4.jpg"], (command, told)
    (folder / "2.png").unlink()
    (folder / "4.jpg").unlink()
    assert main(["classify", "folder", "--model", model]) == 0
    assert "left out" not in capsys.readouterr().err


def test_files_may_stand_on_both_sides_of_options(tmp_path, capsys):
    model = red_or_blue_model(tmp_path / "color.onnx")
    red, blue = write_picture(tmp_path / "r.png", (255, 0, 0)), write_picture(tmp_path / "b.png", (0, 0, 255))
    assert main(["classify", str(red), "--json", str(blue), "--model", str(model), str(red)]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [entry["input"] for entry in results] == [str(red), str(blue), str(red)]
    assert [entry["top"][0]["label"] for entry in results] == ["red", "blue", "red"]


def test_a_picture_of_many_is_the_last_and_said_to_be(tmp_path, capsys):
    command = ["process", "sample:64x64", "--max-frames"]
    assert main([*command, "3", "-o", str(tmp_path / "x.png"), "--snapshot", str(tmp_path / "s.png")]) == 0
    assert "Only the last of 3 frames is in" in capsys.readouterr().err
    assert (tmp_path / "x.png").read_bytes() == (tmp_path / "s.png").read_bytes()
    assert main([*command, "1", "-o", str(tmp_path / "one.png")]) == 0
    assert capsys.readouterr().err == ""


def test_pictures_are_numbered_where_the_name_says_so(tmp_path, capsys):
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    out.mkdir()
    colors = [(200, 100, 50), (10, 20, 30)]
    for index, (rgb, size) in enumerate(zip(colors, [(64, 48), (32, 32)], strict=True)):
        write_picture(folder / f"{index}.png", rgb, size)
    assert main(["process", str(folder), "-o", str(out / "p-%03d.png"), "--filter", "invert"]) == 0
    assert capsys.readouterr().err == ""
    # And the settings that they were made with.
    assert sorted(path.name for path in out.iterdir()) == ["p-%03d.png.run", "p-001.png", "p-002.png"]
    for number, rgb in enumerate(colors, 1):
        written = cv2.imread(str(out / f"p-{number:03d}.png"))
        assert np.abs(255 - written[..., ::-1].astype(int) - rgb).max() <= 1


def test_sound_of_a_part_ends_with_its_last_picture(shared, tmp_path):
    clip, out = shared / "video/files/big-buck-bunny_trailer.webm", tmp_path / "o.mp4"
    assert main(["process", str(clip), "-o", str(out), "--max-frames", "20"]) == 0
    with av.open(str(out)) as container:
        video, audio = container.streams.video[0], container.streams.audio[0]
        ends = [float(stream.duration * stream.time_base) for stream in (video, audio)]
    assert ends[1] == pytest.approx(ends[0], abs=0.05)


def test_a_part_with_other_codec_size_and_rate(tmp_path, capsys):
    clip, out = tmp_path / "in.mkv", tmp_path / "out.webm"
    assert main(["process", "sample:160x90@20", "-o", str(clip), "--max-frames", "40"]) == 0
    capsys.readouterr()
    given = [
        "--range",
        "0.5-1.5",
        "--codec",
        "vp8",
        "--crf",
        "20",
        "--size",
        "80x",
        "--fps",
        "10",
        "--hardware",
    ]
    assert main(["process", str(clip), "-o", str(out), *given]) == 0
    printed = capsys.readouterr()
    assert "20 frames" in printed.out
    # What will be made is said first, and that no hardware encodes VP8.
    assert (
        "WebM with VP8 by libvpx, 80 x 44, 10 frames per second" in printed.err
        and "No hardware" in printed.err
    )
    with av.open(str(out)) as container:
        frames = [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]
    with av.open(str(clip)) as container:
        first = list(container.decode(video=0))[10].to_ndarray(format="rgb24")
    assert len(frames) == 10 and frames[0].shape == (44, 80, 3)
    assert (
        np.abs(frames[0].astype(int) - cv2.resize(first, (80, 44), interpolation=cv2.INTER_AREA)).mean() < 12
    )


def test_a_webp_is_a_film_where_there_is_one_and_a_picture_where_one_was_asked_for(tmp_path):
    from PIL import Image

    for more, count in (["--max-frames", "5"], 5), (["--max-frames", "1"], 1):
        out = tmp_path / f"{count}.webp"
        assert main(["process", "sample:64x64@10", "-o", str(out), *more]) == 0
        with Image.open(out) as image:
            assert image.n_frames == count and image.size == (64, 64)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--codec", "vp9", "--crf", "-3"], "no quality"),
        (["--fps", "0.001"], "rate"),
        (["--fps", "nan"], "rate"),
    ],
)
def test_encodings_that_nobody_can_choose(tmp_path, capsys, given, words):
    assert main(["process", "sample:", "-o", str(tmp_path / "a.mp4"), "--max-frames", "2", *given]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "given", [["--range", "9-3"], ["--range", "x"], ["--size", "0x5"], ["--size", "12"], ["--codec", "x"]]
)
def test_encodings_that_the_parser_refuses(given, capsys):
    with pytest.raises(SystemExit):
        main(["process", "sample:", "-o", "a.mp4", *given])
    assert "error:" in capsys.readouterr().err


def test_two_numbers_are_shown_as_they_are_written(capsys):
    assert main(["filters"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:1] == ["center"] and "0.25/0.75" in line for line in lines)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere a display is always there")
@pytest.mark.parametrize(
    "display",
    [
        {"DISPLAY": ""},
        {"DISPLAY": ":4711.0"},
        {"DISPLAY": "nonsense"},
        {"DISPLAY": ":99999", "QT_QPA_PLATFORM": "xcb"},
        {"DISPLAY": "", "WAYLAND_DISPLAY": "none"},
    ],
)
def test_a_window_without_a_display_is_refused_in_a_sentence(tmp_path, display):
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment |= {"XDG_RUNTIME_DIR": str(tmp_path), "LIGHTLOOM_CONFIG": str(tmp_path), **display}
    command = [sys.executable, "-m", "desktop"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=LIMIT_S, check=False, env=environment
    )
    assert done.returncode == 1
    assert done.stderr.startswith("lightloom: No display can be opened; ")
    assert len(done.stderr.splitlines()) == 1


def test_a_display_without_a_screen_is_refused_in_a_sentence(tmp_path):
    """As a Windows whose monitor is off, or a session that is disconnected."""
    (tmp_path / "none.json").write_text('{"screens": []}')
    environment = {
        **os.environ,
        "LIGHTLOOM_CONFIG": str(tmp_path),
        "LIGHTLOOM_LOGS": str(tmp_path),
        # Without its folder: Qt would end the name at the colon of a drive of Windows.
        "QT_QPA_PLATFORM": "offscreen:configfile=none.json",
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
    }
    command = [sys.executable, "-m", "desktop"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=LIMIT_S, check=False, env=environment, cwd=tmp_path
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("lightloom: There is no screen for the window; connect one")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there an X server may refuse a user")
def test_a_display_that_lets_this_user_not_in_is_one_sentence(tmp_path):
    """A server that answers as X11's protocol has it for a wrong cookie: "Failed", with a reason."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment |= {"XDG_RUNTIME_DIR": str(tmp_path), "LIGHTLOOM_LOGS": str(tmp_path / "log")}
    environment |= {"QT_QPA_PLATFORM": "xcb", "DISPLAY": f":{os.getpid()}"}
    refusal = struct.pack("<BBHHH", 0, 8, 11, 0, 2) + b"refused\n"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0/tmp/.X11-unix/X{os.getpid()}")
        server.listen()

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    with server.accept()[0] as client:
                        if client.recv(4096):
                            client.sendall(refusal)

        threading.Thread(target=answer, daemon=True).start()
        done = subprocess.run(
            [sys.executable, "-m", "desktop"],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
            env=environment,
        )
        server.shutdown(socket.SHUT_RDWR)
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"lightloom: Qt cannot open a window here (could not connect to display :{os.getpid()}); "
    )
    assert len(done.stderr.splitlines()) == 1
    # The next window asks nothing: this was no crash.
    (sessions,) = tmp_path.rglob("sessions")
    assert list(sessions.iterdir()) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Qt tells by itself elsewhere")
def test_displays_that_may_be_there_are_left_to_qt(tmp_path, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(LightloomError, match="No display"):
        check_display()
    # Of ssh -X, of another machine; a platform without displays.
    for name, value in (
        ("DISPLAY", "localhost:10.0"),
        ("DISPLAY", "far.example:0"),
        ("QT_QPA_PLATFORM", "offscreen"),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            check_display()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
        check_display()


def test_bench_pipeline(capsys):
    command = ["bench", "pipeline", "--size", "160x90", "--seconds", "0.3", "--json"]
    assert main([*command, "--filter", "invert"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["upload_bytes_per_pixel"] == 1.5
    assert data["readback_bytes_per_frame"] <= 4096
    assert data["frames"] > 0 and data["fps"] > 0


def test_bench_pipeline_says_how_long_frames_are_awaited(capsys, monkeypatch):
    """Of a source that takes 40 ms a frame nearly all of it, where the frame itself takes a few."""

    class Slow:
        def __init__(self, name):
            self._source = open_source(name)

        def frames(self):
            for frame in self._source.frames():
                time.sleep(0.04)
                yield frame

        def close(self):
            self._source.close()

    monkeypatch.setattr("desktop.bench.pipeline.open_source", Slow)
    command = ["bench", "pipeline", "--size", "64x64", "--seconds", "1", "--json", "--filter", "invert"]
    assert main(command) == 0
    data = json.loads(capsys.readouterr().out)
    period = 1e3 / data["fps"]
    assert period > 36.0  # a few frames are ahead when the measurement begins
    assert period / 2 < data["wait_ms_per_frame"] < period


def test_bench_pipeline_measures_frames_one_by_one(capsys, monkeypatch):
    """Each one's time contains its own upload, which is made to take 20 ms here, and no other frame's."""
    upload = Uploader.upload

    def slow(self, frame):
        time.sleep(0.02)
        upload(self, frame)

    monkeypatch.setattr(Uploader, "upload", slow)
    command = ["bench", "pipeline", "--size", "64x64", "--seconds", "1", "--json", "--filter", "invert"]
    assert main([*command, "--one-by-one"]) == 0
    data = json.loads(capsys.readouterr().out)
    found = data["result_ms"]
    assert 20.0 < found["p50"] <= found["p95"] <= found["p99"]
    # One at a time: all of them and the waits between them fill the second.
    assert found["p50"] + data["wait_ms_per_frame"] < 2e3 / data["fps"]
    assert main([*command]) == 0
    assert "result_ms" not in json.loads(capsys.readouterr().out)


def test_bench_pipeline_takes_a_network_of_the_box(capsys):
    command = ["bench", "pipeline", "--size", "160x90", "--seconds", "0.3", "--json", "--filter", "invert"]
    assert main([*command, "--model", "classifier"]) == 0
    assert "network" in [stage["name"] for stage in json.loads(capsys.readouterr().out)["stages"]]


def test_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "devices"],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0
    assert "*" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a single process")
def test_an_interrupted_run_leaves_a_video_that_plays(tmp_path):
    out = tmp_path / "o.mp4"
    command = [sys.executable, "-m", "desktop", "process", "sample:320x180", "-o", str(out)]
    # A group of its own with the default handler: a background job of a shell ignores SIGINT, and so would
    # its children.
    reset = "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    run = f"{reset}sys.argv = {command[2:]!r}; runpy.run_module('desktop', run_name='__main__')"
    process = subprocess.Popen([sys.executable, "-c", run], stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + LIMIT_S
    part = tmp_path / "o.part.mp4"
    while not (part.exists() and part.stat().st_size > 4096) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    complaint = process.communicate(timeout=LIMIT_S)[1]
    assert process.returncode == 1
    assert complaint.splitlines()[-1].startswith("lightloom: Stopped. What was done until then, ")
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
    complaint = process.communicate(timeout=LIMIT_S)[1]
    assert "sample" in first
    assert process.returncode == 1
    assert complaint.splitlines()[-1] == "lightloom: stopped."
    assert "Traceback" not in complaint


def test_a_reader_that_goes_away_is_no_error_of_ours():
    command = f"{sys.executable} -m desktop filters --json | {sys.executable} -c ''"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.stderr == ""


def test_a_single_picture_waits_for_a_network_beside_it(tmp_path):
    model = red_or_blue_model(tmp_path / "color.onnx")
    picture, report = write_picture(tmp_path / "b.png", (0, 0, 255)), tmp_path / "r.json"
    command = ["process", str(picture), "-o", str(tmp_path / "o.png"), "--report", str(report)]
    assert main([*command, "--model", str(model), "--backend", "onnxruntime"]) == 0
    data = json.loads(report.read_text())
    assert data["predictions"][0]["top"][0]["label"] == "blue"
    assert data["readback_bytes_per_frame"] >= 32 * 32 * 3 * 4


def test_a_source_whose_size_changes_is_written_whole(tmp_path, capsys):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for index, size in enumerate(((64, 48), (64, 48), (32, 32))):
        write_picture(pictures / f"{index}.png", (9, 9, 9), size)
    out = tmp_path / "o.mp4"
    assert main(["process", str(pictures), "-o", str(out)]) == 0
    assert "size changes" in capsys.readouterr().err
    with av.open(str(out)) as container:
        assert [(frame.width, frame.height) for frame in container.decode(video=0)] == [(64, 48)] * 3


def test_a_folder_of_videos_names_the_option_that_takes_it(tmp_path, capsys):
    folder = tmp_path / "videos"
    folder.mkdir()
    for name in ("a.mp4", "b.mp4"):
        assert main(["process", "sample:160x120", "--max-frames", "2", "-o", str(folder / name)]) == 0
    capsys.readouterr()
    assert main(["process", str(folder), "-o", str(tmp_path / "o.mp4")]) == 2
    said = capsys.readouterr().err
    assert "--on processes:1" in said and "2 videos" in said


def test_values_may_begin_with_a_dash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for option, name in (("-o", "-a.mp4"), ("--output", "-b.mp4"), ("-o", "--c.png")):
        assert main(["process", "sample:160x120", "--max-frames", "2", option, name]) == 0
        assert (tmp_path / name).exists()
    with pytest.raises(SystemExit):
        main(["process", "sample:160x120", "-o", "--overlay"])


def test_a_run_that_fails_in_the_middle_says_what_it_left(tmp_path, capsys, monkeypatch):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for index in range(3):
        write_picture(pictures / f"{index}.png", (9, 9, 9), (64, 48))
    add = Recorder.add

    def fails_at_the_third(self, pixels, pts, duration=0.0):
        if pts > 5.0:
            raise ExportError("The encoder gave up.")
        add(self, pixels, pts, duration)

    monkeypatch.setattr(Recorder, "add", fails_at_the_third)
    out = tmp_path / "o.mp4"
    assert main(["process", str(pictures), "-o", str(out)]) == 1
    complaint = capsys.readouterr().err
    assert "gave up" in complaint and "2 frames, is in" in complaint
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


def test_a_filter_in_glsl_is_a_stage_and_is_printed_as_wgsl(tmp_path, capsys):
    shader = tmp_path / "Swap Colors.fs"
    shader.write_text(
        '/*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}, {"NAME": "share", "TYPE": "float"}]}*/\n'
        "void main() { vec4 c = IMG_THIS_PIXEL(inputImage); gl_FragColor = mix(c, c.bgra, share); }"
    )
    picture = write_picture(tmp_path / "in.png", (200, 100, 50))
    target = tmp_path / "o.png"
    assert main(["process", str(picture), "-o", str(target), "--filter", f"{shader}:share=1"]) == 0
    # BGR: red and blue are exchanged.
    assert np.abs(cv2.imread(str(target))[0, 0].astype(int) - (200, 100, 50)).max() <= 1
    capsys.readouterr()
    assert main(["filters", "--translate", str(shader)]) == 0
    printed = tmp_path / "swap.wgsl"
    printed.write_text(capsys.readouterr().out)
    assert main(["process", str(picture), "-o", str(target), "--filter", f"{printed}:share=1"]) == 0
    # BGR: red and blue are exchanged.
    assert np.abs(cv2.imread(str(target))[0, 0].astype(int) - (200, 100, 50)).max() <= 1
    shader.write_text("void mainImage(out vec4 c, in vec2 at) {\n c = dFdx(at); }")
    shader = shader.rename(tmp_path / "edges.glsl")
    assert main(["filters", "--translate", str(shader)]) == 1
    assert "edges.glsl: Line 2: uses dFdx()" in capsys.readouterr().err


def test_bench_refuses_what_it_cannot_run(tmp_path, capsys):
    command = ["bench", "pipeline", "--size", "160x90", "--seconds", "0.1"]
    assert main([*command, "--filter", f"lut:table={tmp_path / 'none.cube'}"]) == 1
    assert "none.cube" in capsys.readouterr().err


def test_a_network_in_place_of_a_picture_is_told_what_to_do(tmp_path, capsys):
    """There is no chain on the command line, and a classifier is no stage of one."""
    model = red_or_blue_model(tmp_path / "m.onnx")
    assert main(["classify", str(model)]) == 1
    assert "m.onnx is a model, not a video or an image: open a video or an image" in capsys.readouterr().err
