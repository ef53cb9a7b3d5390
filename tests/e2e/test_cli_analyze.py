"""`lightloom analyze`: whole runs, runs that are stopped and go on, and runs that cannot be."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import av
import cv2
import numpy as np
import onnxruntime
import pandas
import pytest
from constant_models import write_constant
from key_point_models import constant_network
from tiny_models import red_or_blue_model, square_detector, squares

from desktop.__main__ import main
from desktop.base.interrupt import Interrupt


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in (10, 2, 1):
        picture = np.roll(squares(), number, axis=1)
        assert cv2.imwrite(str(folder / f"{number}.png"), picture[..., ::-1])
    return folder, square_detector(tmp_path / "squares.onnx")


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def run_apart(*arguments: str) -> str:
    """Run a command that succeeds in a process of its own and return its standard error: an overlay makes Qt's
    application, and the window's tests have one of another kind.
    """
    done = subprocess.run(
        [sys.executable, "-m", "desktop", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_line_for_each_picture_says_what_detect_says(files, tmp_path, capsys, backend):
    folder, model = files
    network = ["--model", str(model), "--backend", backend]
    assert main(["detect", str(folder), str(folder / "1.png"), "--json", *network]) == 0
    expected = json.loads(capsys.readouterr().out)["results"]
    out = tmp_path / "r.jsonl"
    assert main(["analyze", str(folder), str(folder / "1.png"), "-o", str(out), *network]) == 0
    assert capsys.readouterr().out.splitlines() == ["4 frames", str(out)]
    found = lines(out)
    assert [entry["file"] for entry in found] == [entry["file"] for entry in expected]
    assert [entry["frame"] for entry in found] == [1, 2, 3, 1]
    for entry, said in zip(found, expected, strict=True):
        assert entry["size"] == [128, 96] and entry["result"]["objects"] == said["objects"]
        assert [thing["label"] for thing in entry["things"]] == [item["label"] for item in said["objects"]]
        for thing, item in zip(entry["things"], said["objects"], strict=True):
            assert thing["box"] == pytest.approx(item["box"], abs=1e-3) and thing["identity"] is None
    assert not (tmp_path / "r.jsonl.journal").exists()


def test_a_class_that_is_a_formula_is_a_text_and_is_told_of(files, tmp_path, capsys):
    folder, _ = files
    model = red_or_blue_model(tmp_path / "colors.onnx")
    model.with_suffix(".txt").write_text("=1+1\n=2+2\n=3+3\n")
    out = tmp_path / "r.csv"
    assert main(["analyze", str(folder), "--model", str(model), "--top", "2", "-o", str(out)]) == 0
    assert "The class '=1+1' has an apostrophe before it" in capsys.readouterr().err
    assert set(pandas.read_csv(out)["label"]) <= {"'=1+1", "'=2+2", "'=3+3"}
    assert main(["analyze", str(folder), "--model", str(model), "-o", str(tmp_path / "r.jsonl")]) == 0
    assert "formula" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["analyze", "detect", "process"])
def test_values_that_are_no_numbers_are_reported(tmp_path, command):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, light in enumerate((255, 0, 255, 0, 255)):
        assert cv2.imwrite(str(folder / f"{number}.png"), np.full((96, 128, 3), light, np.uint8))
    model = square_detector(tmp_path / "broken.onnx", broken=1)
    session = onnxruntime.InferenceSession(str(model))
    for light, is_number in ((0, False), (255, True)):
        (out,) = session.run(None, {"x": np.full((1, 3, 64, 64), light, np.float32)})
        assert np.isfinite(out).all() == is_number
    out = {
        "analyze": ["-o", str(tmp_path / "r.csv")],
        "process": ["-o", str(tmp_path / "r.mp4"), "--overlay"],
    }
    said = run_apart(command, str(folder), "--model", str(model), "--decoder", "yolox", *out.get(command, []))
    assert said.count("NaN") == 1 and "The network returned NaN in 2 of 5 frames, so objects" in said


@pytest.mark.parametrize("name", ["r.csv", "r.json"])
def test_candidates_beyond_the_limit_are_reported(files, tmp_path, capsys, name):
    folder, _ = files
    outputs = {"output0": np.ones((1, 51, 336), np.float32), "output1": np.ones((1, 32, 32, 32), np.float32)}
    # Boxes of ten pixels side by side: none suppresses another.
    outputs["output0"][0, :2] = 5 + 10 * np.stack(np.unravel_index(np.arange(336) % 144, (12, 12)))
    outputs["output0"][0, 2:4] = 10
    names = str({number: f"c{number}" for number in range(15)})
    model = tmp_path / "instances.onnx"
    constant_network(model, outputs, (128, 128), metadata={"task": "segment", "names": names})
    arguments = ["analyze", str(folder), "--model", str(model), "-o"]
    form = ["--format", "coco"] if name == "r.json" else []
    assert main([*arguments, str(tmp_path / name), *form]) == 0
    said = capsys.readouterr().err
    assert main([*arguments, str(tmp_path / "r.jsonl")]) == 0
    (left_out,) = {each["result"]["left_out"] for each in lines(tmp_path / "r.jsonl")}
    assert left_out > 200
    assert f"The results of 3 of 3 frames are incomplete; in the worst of them: {left_out} candidates" in said


def test_a_classifier_gives_rows_and_no_boxes(files, tmp_path, capsys):
    folder, _ = files
    out = tmp_path / "r.csv"
    model = red_or_blue_model(tmp_path / "colors.onnx")
    assert main(["analyze", str(folder), "--model", str(model), "--top", "2", "-o", str(out)]) == 0
    table = pandas.read_csv(out)
    assert len(table) == 6 and table["left"].isna().all() and table["score"].between(0, 1).all()
    capsys.readouterr()
    assert (
        main(
            [
                "analyze",
                str(folder),
                "--model",
                str(model),
                "--format",
                "coco",
                "-o",
                str(tmp_path / "r.json"),
            ]
        )
        == 2
    )
    assert "classifies whole images" in capsys.readouterr().err
    assert main(["analyze", str(folder), "--model", str(model), "--iou", "0.5", "-o", str(out)]) == 2
    assert "--iou is no setting of Classification" in capsys.readouterr().err
    assert not list(tmp_path.glob("r.json*")) and len(list(tmp_path.glob("r.csv*"))) == 1


@pytest.fixture
def of_unknown_length(tmp_path):
    """A video whose container states no length: the five frames of a raw stream."""
    video = tmp_path / "street.h264"
    with av.open(str(video), "w", format="h264") as container:
        stream = container.add_stream("libx264", rate=25, options={"qp": "0"})
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        for number in range(5):
            picture = np.roll(squares(), number, axis=1)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
    return video


def test_frames_of_a_video_of_unknown_length_are_named_as_process_names_them(
    of_unknown_length, files, tmp_path, capsys
):
    (_, model), video = files, str(of_unknown_length)
    network = ["--model", str(model)]
    (tmp_path / "images").mkdir()
    assert main(["process", video, "-o", str(tmp_path / "images" / "street_%06d.png")]) == 0
    images = sorted(path.name for path in (tmp_path / "images").glob("*.png"))
    assert len(images) == 5
    coco, yolo = tmp_path / "r.json", tmp_path / "set"
    assert main(["analyze", video, *network, "--format", "coco", "-o", str(coco)]) == 0
    found = json.loads(coco.read_text())["images"]
    assert [each["file_name"] for each in found] == images
    assert [each["frame"] for each in found] == [1, 2, 3, 4, 5]
    assert main(["analyze", video, *network, "--format", "yolo", "-o", str(yolo)]) == 0
    assert sorted(path.stem for path in (yolo / "labels").iterdir()) == [Path(name).stem for name in images]
    capsys.readouterr()
    assert main(["detect", video, *network]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith(video)]
    assert said == [f"{video} {number / 25:.3f} s" for number in range(5)]


def test_a_webp_of_a_video_of_unknown_length_has_all_its_frames(of_unknown_length, tmp_path, capsys):
    out = tmp_path / "street.webp"
    assert main(["process", str(of_unknown_length), "-o", str(out)]) == 0
    # By the chunks of the file (RFC 9649): one 'ANMF' a frame.
    assert out.read_bytes().count(b"ANMF") == 5 and "Only the last" not in capsys.readouterr().err


def stop_after(monkeypatch, count: int) -> None:
    """Ctrl+C is heard when so many pictures were looked at."""
    seen = 0

    def check(self):
        nonlocal seen
        if self.last_words is None:  # not among the pictures yet
            return
        seen += 1
        if seen == count:
            raise KeyboardInterrupt

    monkeypatch.setattr(Interrupt, "check", check)


@pytest.mark.parametrize("name", ["r.jsonl", "r.csv", "r.parquet"])
def test_a_run_that_was_stopped_goes_on_and_ends_the_same(files, tmp_path, capsys, monkeypatch, name):
    folder, model = files
    inputs = [str(folder), "sample:96x64", str(folder / "2.png")]
    arguments = ["analyze", *inputs, "--model", str(model), "--max-frames", "3", "-o"]
    assert main([*arguments, str(tmp_path / f"whole-{name}")]) == 0
    out = tmp_path / name
    out.write_bytes(b"what was there")
    journal = tmp_path / f"{name}.journal"
    capsys.readouterr()
    for count, done in ((2, 2), (3, 3), (2, 5)):
        with monkeypatch.context() as patch:
            stop_after(patch, count)
            assert main([*arguments, str(out), *(["--resume"] if done > 2 else [])]) == 1
        said = capsys.readouterr().err.splitlines()[-1]
        assert said.startswith(
            f"lightloom: Stopped. What was seen until then, in {done} frames, is in {journal}"
        )
        # Readable as it is, and nothing that was there is touched.
        assert sum("picture" in json.loads(line) for line in journal.read_text().splitlines()) == done
        assert out.read_bytes() == b"what was there"
    with journal.open("ab") as stream:
        stream.write(b'{"picture": {"number": 2, "torn')
    assert main([*arguments, str(out), "--resume"]) == 0
    assert out.read_bytes() == (tmp_path / f"whole-{name}").read_bytes() and not journal.exists()


@pytest.mark.parametrize("change", ["added", "removed", "another video"])
def test_a_run_is_not_resumed_with_another_input(files, tmp_path, capsys, monkeypatch, change):
    folder, model = files
    images = tmp_path / "images"
    shutil.copytree(folder, images)
    name = images
    if change == "another video":
        name = tmp_path / "v.mp4"
        write_video(name, rate=10)
    arguments = ["analyze", str(name), "--model", str(model), "-o", str(tmp_path / "r.jsonl")]
    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        assert main(arguments) == 1
    kept = (tmp_path / "r.jsonl.journal").read_bytes()
    first, *others = sorted(images.iterdir())
    if change == "added":
        shutil.copyfile(first, first.with_name("0.png"))
    elif change == "removed":
        for each in others:
            each.unlink()
    else:
        write_video(name, rate=5)
    capsys.readouterr()
    assert main([*arguments, "--resume"]) == 2
    assert f"{name} has changed since its first 2 frames were analyzed; leave" in capsys.readouterr().err
    assert (tmp_path / "r.jsonl.journal").read_bytes().startswith(kept) and not (
        tmp_path / "r.jsonl"
    ).exists()


def write_video(path, rate):
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        for number in range(5):
            picture = np.full((64, 64, 3), 20 + 30 * number, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())


def test_tracks_end_at_cuts_also_in_a_run_that_was_stopped(tmp_path, monkeypatch):
    """By a detector whose box is always the same; the video becomes bright with its eighth frame."""
    lists = {
        "boxes": np.array([[[8, 8, 30, 30]]], np.float32),
        "scores": np.array([[0.9]], np.float32),
        "classes": np.array([[5]]),
    }
    model, video = write_constant(tmp_path / "net.onnx", lists), tmp_path / "cut.mp4"
    with av.open(str(video), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        for number in range(14):
            picture = np.full((64, 64, 3), 20 if number < 7 else 230, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    track = ["--track", "--track-settings", "cuts=true,hits=1"]
    arguments = ["analyze", str(video), "--model", str(model), *track, "-o"]
    assert main([*arguments, str(tmp_path / "whole.jsonl")]) == 0
    found = [entry["things"][0]["identity"] for entry in lines(tmp_path / "whole.jsonl")]
    assert found == [1] * 7 + [2] * 7
    for count in (3, 10):
        out = tmp_path / f"{count}.jsonl"
        with monkeypatch.context() as patch:
            stop_after(patch, count)
            assert main([*arguments, str(out)]) == 1
        assert main([*arguments, str(out), "--resume"]) == 0
        assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_identities_go_on_with_a_run_that_was_stopped(tmp_path, monkeypatch):
    """Of a square that is there all the time, and of one that is there from the seventh picture on."""
    model, video = square_detector(tmp_path / "squares.onnx"), tmp_path / "two.mp4"
    with av.open(str(video), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt, stream.options = 128, 96, "yuv444p", {"crf": "4"}
        for number in range(14):
            picture = np.full((96, 128, 3), 20, np.uint8)
            picture[32:48, 48:64] = (255, 0, 0)
            if number >= 6:
                picture[64:80, 96:112] = (0, 0, 255)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    arguments = ["analyze", str(video), "--model", str(model), "--track", "-o"]
    assert main([*arguments, str(tmp_path / "whole.jsonl")]) == 0
    out = tmp_path / "r.jsonl"
    with monkeypatch.context() as patch:
        stop_after(patch, 9)
        assert main([*arguments, str(out)]) == 1
    assert main([*arguments, str(out), "--resume"]) == 0
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    things = [thing for entry in lines(out) for thing in entry["things"]]
    assert {t["identity"] for t in things if t["label"] == "red"} - {None} == {1}
    assert {t["identity"] for t in things if t["label"] == "blue"} - {None} == {2}
    assert (
        main(
            [
                "analyze",
                str(video),
                "--model",
                str(model),
                "--track",
                "--format",
                "mot",
                "-o",
                str(tmp_path / "m.txt"),
            ]
        )
        == 0
    )
    table = pandas.read_csv(tmp_path / "m.txt", header=None)
    assert set(table[1]) == {1, 2} and set(table[0]) <= set(range(1, 15)) and len(table) > 18


def test_process_tracks_the_images_of_a_folder_as_analyze_does(files, tmp_path):
    folder, model = files
    for number in range(11, 16):
        assert cv2.imwrite(str(folder / f"{number}.png"), np.roll(squares(), number, axis=1)[..., ::-1])
    options = [str(folder), "--model", str(model), "--track", "--overlay"]
    video, report = tmp_path / "seen.mp4", tmp_path / "report.json"
    said = run_apart("process", *options, "-o", str(video), "--report", str(report))
    assert f"The images in {folder} are read as a video at 25 frames per second, because" in said
    assert main(["analyze", *options[:-1], "-o", str(tmp_path / "r.jsonl")]) == 0
    expected = [[thing["identity"] for thing in each["things"]] for each in lines(tmp_path / "r.jsonl")]
    predictions = json.loads(report.read_text())["predictions"]
    assert [[each["identity"] for each in seen["objects"]] for seen in predictions] == expected
    assert expected[-1] == expected[-2] and None not in expected[-1]
    with av.open(str(video)) as container:
        times = [frame.time for frame in container.decode(video=0)]
    assert times == pytest.approx([0.04 * number for number in range(8)], abs=0.001)


def test_another_run_cannot_go_on(files, tmp_path, capsys, monkeypatch):
    folder, model = files
    out = str(tmp_path / "r.jsonl")
    arguments = ["analyze", str(folder), "--model", str(model), "-o", out]
    assert main([*arguments, "--resume"]) == 2
    assert "There is no run to go on with" in capsys.readouterr().err
    with monkeypatch.context() as patch:
        stop_after(patch, 1)
        assert main(arguments) == 1
    assert main([*arguments, "--score", "0.6", "--resume"]) == 2
    assert "was another one (network.settings.score)" in capsys.readouterr().err
    # What is beside the network counts too, where the journal has it.
    model.with_suffix(".txt").write_text("rot\nblau\n")
    assert main([*arguments, "--resume"]) == 2
    assert "was another one (sidecars.squares.txt)" in capsys.readouterr().err
    # Without it the run begins anew.
    assert main(arguments) == 0 and len(lines(Path(out))) == 3


def test_an_input_that_does_not_open_does_not_stop_the_others(files, tmp_path, capsys):
    folder, model = files
    (folder / "3.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    out = tmp_path / "r.jsonl"
    assert (
        main(["analyze", str(tmp_path / "none.mp4"), str(folder), "--model", str(model), "-o", str(out)]) == 1
    )
    said = capsys.readouterr().err
    assert "There is no file" in said and "3.png is left out" in said
    assert [Path(entry["file"]).name for entry in lines(out)] == ["1.png", "2.png", "10.png"]


def test_nothing_to_look_at_writes_nothing(files, tmp_path, capsys):
    _, model = files
    assert (
        main(["analyze", str(tmp_path / "none.mp4"), "--model", str(model), "-o", str(tmp_path / "r.csv")])
        == 1
    )
    assert "nothing was written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("r.")] == []


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
def test_a_full_disk_is_one_sentence(files, capsys):
    folder, model = files
    assert main(["analyze", str(folder), "--model", str(model), "--format", "csv", "-o", "/dev/full"]) == 1
    said = capsys.readouterr()
    assert (
        said.err.splitlines()[-1]
        == "lightloom: The results cannot be written to /dev/full (No space left on device); make room, or choose another place."
    )
    assert not said.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "{folder}/r.csv"], "would be among the files of the input"),
        (["-o", "{model}", "--format", "csv"], "must end in .csv"),
        (["-o", "{tmp}/none/r.csv"], "does not exist"),
        (["-o", "{tmp}/r.txt", "--format", "mot"], "turn on tracking"),
        (["-o", "{tmp}/r.json"], "for coco, mot, yolo say so with --format"),
    ],
)
def test_outputs_that_cannot_be(files, tmp_path, capsys, arguments, said):
    folder, model = files
    names = [text.format(folder=folder, model=model, tmp=tmp_path) for text in arguments]
    assert main(["analyze", str(folder), "--model", str(model), *names]) == 2
    assert said in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        *("1.png", "10.png", "2.png", "squares.onnx", "squares.txt"),
    ]
