"""`lightloom process` with networks as stages: every picture has its own result."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from dense_models import enlarging_model, swap_model


def lightloom(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "desktop", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five pictures, each of one color."""
    pictures = tmp_path / "in"
    pictures.mkdir()
    for index in range(5):
        cv2.imwrite(str(pictures / f"{index}.png"), np.full((24, 32, 3), (10, 100, 40 * index), np.uint8))
    return pictures


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_the_last_picture_is_the_last_pictures_result(folder, tmp_path, backend):
    model = swap_model(tmp_path / "swap.onnx")
    out, report = tmp_path / "out.png", tmp_path / "report.json"
    stage = f"style:model={model},backend={backend}"
    done = lightloom("process", folder, "-o", out, "--filter", stage, "--report", report)
    assert done.returncode == 0, done.stderr
    # OpenCV's B, G, R: blue 10 and red 160 have changed places.
    assert np.abs(cv2.imread(str(out)).astype(int) - (160, 100, 10)).max() <= 2
    found = json.loads(report.read_text())
    assert {"Network of Style", "Style"} <= {s["name"] for s in found["stages"]}
    (network,) = found["stage_networks"]
    assert network["name"] == "swap.onnx" and backend in network["text"]
    assert f"Style with swap.onnx: {backend} on" in done.stderr and not found["mask_networks"]


def test_the_network_of_a_mask_is_named_once(folder, tmp_path):
    """Two filters share it."""
    out, report = tmp_path / "out.png", tmp_path / "report.json"
    stages = ["--filter", "sepia@mask=person", "--filter", "invert@mask=!person"]
    done = lightloom("process", folder, "-o", out, *stages, "--max-frames", "1", "--report", report)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Mask with person_mask.onnx: ") == 1
    (network,) = json.loads(report.read_text())["mask_networks"]
    assert (
        network["name"] == "person_mask.onnx"
        and f"Mask with person_mask.onnx: {network['text']}" in done.stderr
    )


def test_timing_is_a_value_like_any_other(folder, tmp_path):
    model, out = swap_model(tmp_path / "swap.onnx"), tmp_path / "out.png"
    done = lightloom("process", folder, "-o", out, "--filter", f"style:model={model},timing=in step")
    assert done.returncode == 0, done.stderr
    assert np.abs(cv2.imread(str(out)).astype(int) - (160, 100, 10)).max() <= 2
    done = lightloom("process", folder, "-o", out, "--filter", f"style:model={model},timing=late")
    assert done.returncode == 1 and "newest result, in step" in done.stderr


def test_a_network_that_is_not_there_ends_the_work_with_a_sentence(folder, tmp_path):
    done = lightloom("process", folder, "-o", tmp_path / "out.png", "--filter", "style:model=gone.onnx")
    assert done.returncode == 1
    assert "Style was switched off: There is no network 'gone.onnx'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_larger_picture_is_written_as_large_as_it_is(folder, tmp_path):
    model = enlarging_model(tmp_path / "net.onnx")
    still, clip = tmp_path / "out.png", tmp_path / "out.mp4"
    stage = f"super_resolution:model={model}"
    done = lightloom("process", folder, "-o", still, "--filter", stage)
    assert done.returncode == 0, done.stderr
    assert cv2.imread(str(still)).shape == (48, 64, 3)
    done = lightloom("process", folder, "-o", clip, "--filter", stage, "--filter", "invert")
    assert done.returncode == 0, done.stderr
    read = cv2.VideoCapture(str(clip))
    assert (read.get(cv2.CAP_PROP_FRAME_WIDTH), read.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (64, 48)
    read.release()
