"""`lightloom detect`, and what `process` reports of a detector."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from detector_models import write_table
from tiny_models import red_or_blue_model, square_detector, squares

from desktop.__main__ import main
from desktop.vision.tracking.scene import TrackedResult


@pytest.fixture
def files(tmp_path):
    picture = tmp_path / "squares.png"
    assert cv2.imwrite(str(picture), squares()[..., ::-1])
    return picture, square_detector(tmp_path / "squares.onnx")


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_detect_prints_json(files, capsys, backend):
    picture, model = files
    assert main(["detect", str(picture), "--model", str(model), "--backend", backend, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    assert found["input"] == str(picture) and found["size"] == [128, 96] and found["left_out"] == 0
    red, blue = found["objects"]
    assert (red["index"], red["label"]) == (0, "red") and red["box"] == pytest.approx(
        [48, 32, 64, 48], abs=1e-3
    )
    assert (blue["index"], blue["label"]) == (1, "blue") and blue["box"] == pytest.approx(
        [96, 64, 112, 80], abs=1e-3
    )
    assert 0.9 < red["score"] <= 1.0


def test_results_that_are_printed_or_drawn_are_not_kept(files, tmp_path, capsys, monkeypatch):
    """A camera gives gigabytes of them in a day."""
    picture, model = files
    made = []
    json_of = TrackedResult.json

    def noted(tracked_result):
        made.append(json_of(tracked_result))
        return made[-1]

    monkeypatch.setattr(TrackedResult, "json", noted)
    for more, count in (((), 0), (("--json",), 3)):
        made.clear()
        assert main(["detect", *[str(picture)] * 3, "--model", str(model), *more]) == 0
        assert len(made) == count
    for more, count in (((), 0), (("--report", str(tmp_path / "r.json")), 1)):
        made.clear()
        arguments = ["process", str(picture), "-o", str(tmp_path / "x.png"), "--model", str(model)]
        assert main([*arguments, *more]) == 0
        assert len(made) == count
    assert len(json.loads((tmp_path / "r.json").read_text())["predictions"]) == 1


def test_detect_prints_lines_for_people_and_takes_thresholds(files, capsys):
    picture, model = files
    assert main(["detect", str(picture), "--model", str(model), "--score", "0.9", "--iou", "0.5"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0] == str(picture) and len(lines) == 2
    assert lines[1].split()[1:] == ["red", "48,32", "to", "64,48"]
    assert "YOLOX" in printed.err
    assert main(["detect", str(picture), "--model", str(model), "--classes", "blue"]) == 0
    assert "red" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["detect", "analyze", "process"])
def test_an_option_of_live_sources_is_reported_with_a_file(files, capsys, tmp_path, command):
    picture, model = files
    typed = {
        "detect": [str(picture), str(picture), "--model", str(model)],
        "analyze": [str(picture), "--model", str(model), "-o", str(tmp_path / "x.csv")],
        "process": [str(picture), "-o", str(tmp_path / "x.png")],
    }[command]
    said = []
    for more in ((), ("--until-end",)):
        assert main([command, *typed, *more]) == 0
        said.append(capsys.readouterr().err.count("--until-end has no effect on squares.png"))
    assert said == [0, 1]


def test_pictures_of_a_folder_are_named_each(files, capsys, tmp_path):
    picture, model = files
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    for name in ("10.png", "2.png"):
        (folder / name).write_bytes(picture.read_bytes())
    assert main(["detect", str(folder), "--json", str(picture), "--model", str(model)]) == 1
    said = capsys.readouterr()
    assert said.err.count("left out") == 1 and "broken.png is left out: broken.png is damaged" in said.err
    results = json.loads(said.out)["results"]
    assert [entry["input"] for entry in results] == [str(folder), str(folder), str(picture)]
    assert [entry["file"] for entry in results] == [
        str(folder / "2.png"), str(folder / "10.png"), str(picture)
    ]  # fmt: skip
    (folder / "broken.png").unlink()
    assert main(["detect", str(folder), "--model", str(model)]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert heads == [str(folder / "2.png"), str(folder / "10.png")]


def test_detect_with_a_network_that_finds_nothing_of_the_kind(files, capsys, tmp_path):
    picture, _ = files
    model = red_or_blue_model(tmp_path / "color.onnx")
    assert main(["detect", str(picture), "--model", str(model)]) == 1
    error = capsys.readouterr().err
    assert "color.onnx is no detector" in error and "[1, 3]" in error


@pytest.mark.parametrize("wrong", [["--score", "2"], ["--iou", "much"]])
def test_thresholds_are_shares(files, wrong):
    picture, model = files
    with pytest.raises(SystemExit) as ended:
        main(["detect", str(picture), "--model", str(model), *wrong])
    assert ended.value.code == 2


def test_process_reports_boxes(files, tmp_path):
    picture, model = files
    report = tmp_path / "report.json"
    arguments = ["-o", str(tmp_path / "out.png"), "--model", str(model), "--report", str(report)]
    assert main(["process", str(picture), *arguments]) == 0
    (found,) = json.loads(report.read_text())["predictions"]
    assert [item["label"] for item in found["objects"]] == ["red", "blue"]


def test_detect_follows_things_within_an_input(files, tmp_path, capsys):
    picture, model = files
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in ("1.png", "2.png"):
        (folder / name).write_bytes(picture.read_bytes())
    command = ["detect", str(folder), str(picture), "--model", str(model), "--track"]
    assert main([*command, "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    found = [[item["identity"] for item in result["objects"]] for result in results]
    assert found == [[1, 2], [1, 2], [3, 4]]
    assert main([*command, "--track-settings", "remember=5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "%" in line] == ["#1", "#2", "#1", "#2", "#3", "#4"]


def test_detect_says_which_setting_of_tracking_there_is_not(files, capsys):
    picture, model = files
    with pytest.raises(SystemExit):
        main(["detect", str(picture), "--model", str(model), "--track-settings", "speed=3"])
    assert "'speed' is no setting of tracking" in capsys.readouterr().err


def table_of(folder, *, units=1.0):
    """A table [1, cells, 8] of one thing in the middle; whether the first score is an objectness nothing but
    the numbers tells.
    """
    table = np.zeros((1, 1008, 8))
    table[0, 50] = *(np.array([128.0, 96.0, 64.0, 48.0]) * units), 0.99, 0.0, 0.8, 0.0
    return write_table(folder / "table.onnx", table, (256, 192))


@pytest.fixture
def gray(tmp_path):
    picture = tmp_path / "gray.png"
    assert cv2.imwrite(str(picture), np.full((192, 256, 3), 90, np.uint8))
    return picture


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_what_a_trial_told_is_printed(gray, tmp_path, capsys, backend):
    assert main(["detect", str(gray), "--model", str(table_of(tmp_path)), "--backend", backend]) == 0
    printed = capsys.readouterr()
    assert "A trial run shows that its outputs are those of YOLOv6." in printed.err
    assert "A trial run shows that the boxes are pixels." in printed.err
    assert "96,72 to 160,120" in printed.out


@pytest.mark.parametrize("verb", ["detect", "analyze"])
def test_a_network_that_nothing_tells_ends_with_status_2(gray, tmp_path, capsys, verb):
    model = write_table(tmp_path / "table.onnx", np.zeros((1, 1008, 8)), (256, 192))
    out = ["-o", str(tmp_path / "out.jsonl")] if verb == "analyze" else []
    assert main([verb, str(gray), "--model", str(model), *out]) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in ("yolox", "yolov6", "yolov8", "--decoder"))
    assert main([verb, str(gray), "--model", str(model), *out, "--decoder", "yolov8"]) == 0
    assert "The chosen decoder is YOLOv8." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (["detect", "--decoder", "nonsense"], ("yolov8", "yolox_decoded")),
        (["analyze", "-o", "out.jsonl", "--decoder", "nonsense"], ("yolov8", "heat_maps")),
        (["process", "-o", "out.png", "--decoder", "nonsense"], ("yolov8", "heat_maps")),
        (["analyze", "-o", "out.jsonl", "--task", "nonsense"], ("detection", "key_points")),
        (["classify", "--decoder", "yolov8"], ("leave --decoder out",)),
    ],
)
def test_names_that_there_are_not(gray, tmp_path, capsys, monkeypatch, command, wanted):
    monkeypatch.chdir(tmp_path)
    assert main([*command, str(gray), "--model", str(table_of(tmp_path))]) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in wanted)


def test_the_sidecars_decoder_counts(gray, tmp_path, capsys):
    model = table_of(tmp_path, units=1 / np.array([256, 192, 256, 192]))
    beside = model.with_name("table.onnx.lightloom.toml")
    beside.write_text('task = "detection"\ndecoder = "yolov5"\nunits = "shares"\n')
    assert main(["detect", str(gray), "--model", str(model)]) == 0
    printed = capsys.readouterr()
    assert "The chosen decoder is YOLOv5." in printed.err and "trial" not in printed.err
    assert "96,72 to 160,120" in printed.out


def test_a_decoder_that_the_task_does_not_have_is_told(gray, tmp_path, capsys):
    model = red_or_blue_model(tmp_path / "colors.onnx")
    out = ["-o", str(tmp_path / "out.jsonl"), "--task", "classification"]
    beside = model.with_name("colors.onnx.lightloom.toml")
    beside.write_text('decoder = "yolov8"\nlabel = "names.txt"\n')
    assert main(["analyze", str(gray), "--model", str(model), *out]) == 0
    said = capsys.readouterr().err
    assert "The key 'decoder' in colors.onnx.lightloom.toml is not for classification" in said
    assert "The key 'label' in colors.onnx.lightloom.toml is unknown" in said
