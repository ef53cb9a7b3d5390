"""The command lines of README.md and docs/ run: each in a folder of its own, with small files in place of the
reader's.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from dense_models import channel_model, enlarging_model, flow_model, swap_model
from detector_models import write_detector
from document_commands import ROOT, CommandLine, command_lines
from interpolation_models import two_and_time
from key_point_models import constant_network, forms
from prompt_models import decoder, encoder
from PySide6.QtWidgets import QApplication
from sound_rig import write_flashes
from subtitle_rig import srt, write_video
from tiny_models import color_vector_model, red_or_blue_model

from desktop.__main__ import main

COCO = (ROOT / "assets" / "labels" / "coco.txt").read_text(encoding="utf-8").split("\n")[:80]
SAVED = re.compile(r"Save this as `([\w.-]+)`.*?\n```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
EXAMPLE = re.compile(r"<!-- example: (\w+) -->\n```wgsl\n(.*?)^```", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"[\w.%-]+(?:/[\w.%-]*)*")
# Its status is that of the machine.
OF_THE_MACHINE = ("doctor",)


@pytest.fixture(scope="module", autouse=True)
def application():
    """An application for the lines that draw text, which would make one beside which no window can be opened."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QApplication.instance() or QApplication([])


def finder(path, *names):
    return write_detector(path, "yolov8", (160, 160), len(names), names=names)


def large_finder(path):
    return write_detector(path, "yolov8", (640, 640), len(COCO), names=COCO)


def coco_finder(path):
    return finder(path, *COCO)


def face_finder(path):
    return finder(path, "face", "other")


def pose_network(path):
    _, size, outputs, options, _ = forms()["yolo_pose v8"]
    return constant_network(path, outputs, size, **options)


def prompted(path):
    decoder(path.with_name(path.name.replace("encoder", "decoder")))
    return encoder(path)


def arrays(path):
    np.savez(path, x=np.zeros((1, 3, 32, 32), np.float32))


def bundled_preset(path):
    shutil.copy(ROOT / "assets" / "presets" / "comic.toml", path)


def preset_with_network(path):
    path.write_text('lightloom = 1\n\n[network]\nmodel = "detector"\n')


def zones(path):
    path.write_text(
        '[[scene.zones]]\nname = "Door"\nkind = "line"\npoints = [[0.1, 0.5], [0.9, 0.5]]\nanchor = "bottom"\n'
    )


def picture(path):
    assert main(["process", "sample:640x480", "--max-frames", "1", "-o", str(path)]) == 0


def video(path):
    write_video(
        path, [("srt", srt().encode()), ("srt", srt().encode())] if path.suffix == ".mkv" else (), seconds=1
    )


def long_video(path):
    write_video(path, seconds=82)


def folder_of(make, name):
    def made(path):
        path.mkdir()
        make(path / name)

    return made


MADE = {
    **dict.fromkeys(("yolox_nano.onnx", "yolox.onnx", "yolox_nano_coco.onnx"), coco_finder),
    **dict.fromkeys(("yunet.onnx", "yunet_n_dynamic.onnx"), face_finder),
    **dict.fromkeys(("candy.onnx", "my_style.onnx"), swap_model),
    **dict.fromkeys(("mobilenet_v1_0.25_224_f32.onnx", "mobilenet.onnx"), red_or_blue_model),
    "my_detector.onnx": large_finder,
    "yolov8n-pose.onnx": pose_network,
    "features.onnx": color_vector_model,
    "selfie.onnx": channel_model,
    "compact_2x.onnx": enlarging_model,
    "raft_small.onnx": flow_model,
    "rife.onnx": two_and_time,
    "mobile_sam.encoder.onnx": prompted,
    "in.npz": arrays,
    "my-look.toml": bundled_preset,
    "my_look.toml": preset_with_network,
    "zones.toml": zones,
    "in.mkv": long_video,
    "concert.mkv": lambda path: write_flashes(path, seconds=1),
    "film.srt": lambda path: path.write_text(srt()),
    "clips/": folder_of(video, "one.mp4"),
    "pictures/": folder_of(picture, "one.png"),
}
"""Files that the documents' lines expect: the name, and a function that makes it. Any other video or image is
a short one.
"""


def prepare(line: CommandLine, folder: Path) -> list[str]:
    """Make what a line names, and what its page has the reader save; return the arguments."""
    page = (ROOT / line.page).read_text(encoding="utf-8")
    for name, text in [
        *SAVED.findall(page),
        *((f"{name}.wgsl", text) for name, text in EXAMPLE.findall(page)),
    ]:
        (folder / name).write_text(text, encoding="utf-8")
    arguments = [re.sub(r"^\$\(lightloom models path (\w+)\)$", r"\1.onnx", word) for word in line.arguments]
    outputs = {arguments[at + 1] for at, word in enumerate(arguments[:-1]) if word in ("-o", "--output")}
    for output in outputs:
        (folder / output).parent.mkdir(exist_ok=True)
    for name in {name for word in arguments if word not in outputs for name in NAME.findall(word)}:
        path = folder / name
        make = MADE.get(name if name.endswith("/") else path.name)
        if make is None and path.suffix in (".mp4", ".mkv", ".jpg", ".png"):
            make = video if path.suffix in (".mp4", ".mkv") else picture
        if make is not None and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            make(path)
    return arguments


@pytest.mark.parametrize(
    "line",
    [line for line in command_lines() if line.is_run and not line.is_synopsis and not line.needs],
    ids=str,
)
def test_a_line_runs(line, tmp_path, monkeypatch, capfd):
    for variable in ("CONFIG", "DATA", "LIBRARY"):
        monkeypatch.setenv(f"LIGHTLOOM_{variable}", str(tmp_path / "own"))
    monkeypatch.setenv("LIGHTLOOM_FILTERS", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    arguments = prepare(line, tmp_path)
    capfd.readouterr()
    status = main(arguments)
    said = capfd.readouterr()
    allowed = (0, 1) if arguments[0] in OF_THE_MACHINE else (line.status,)
    assert status in allowed, said.err
    assert "Traceback" not in said.err
    assert (said.err if line.status else said.out).strip()
    for at, word in enumerate(arguments[:-1]):
        if word == "-o" and not line.status:
            place = arguments[at + 1]
            if "--segment" in arguments:
                place = f"{Path(place).stem}-*{Path(place).suffix}"
            assert list(tmp_path.glob(re.sub(r"%\w+", "*", place))), f"{place} was not written"
