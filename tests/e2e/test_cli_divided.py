"""Networks whose shapes follow from what they compute: the commands run them in two parts, and say where they
are cut.
"""

from __future__ import annotations

import json

import cv2
import numpy as np
import onnxruntime
import pytest
from divided_models import FORMS, suppressing_detector
from tiny_models import squares

from desktop.__main__ import main


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
@pytest.mark.parametrize("form", FORMS)
def test_detect_finds_each_square_once(form, backend, tmp_path, capsys):
    picture, model = tmp_path / "squares.png", suppressing_detector(tmp_path / "m.onnx", form)
    assert cv2.imwrite(str(picture), squares()[..., ::-1])
    assert main(["detect", str(picture), "--model", str(model), "--backend", backend, "--json"]) == 0
    said = capsys.readouterr()
    (found,) = json.loads(said.out)["results"]
    assert [each["label"] for each in found["objects"]] == ["red", "blue"]
    # Boxes of red cells are moved by a quarter of a pixel of the network's input, which is half the picture's
    # size.
    for each, box in zip(found["objects"], ([48.5, 32.5, 64, 48], [96, 64, 112, 80]), strict=True):
        assert each["box"] == pytest.approx(box, abs=0.05)


@pytest.mark.parametrize("colons", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_run_gives_what_onnxruntime_gives(form, colons, tmp_path, capsys):
    model = suppressing_detector(tmp_path / "m.onnx", form, colons=colons)
    x = np.random.default_rng(5).random((1, 3, 64, 64), np.float32)
    # Cells of single colors, so that there are scores on both sides of the thresholds.
    x = np.repeat(np.repeat(x[:, :, ::8, ::8], 8, 2), 8, 3)
    np.savez(tmp_path / "in.npz", x=x)
    given, made = str(tmp_path / "in.npz"), tmp_path / "out.npz"
    assert (
        main(["model", "run", str(model), "--backend", "wgpu", "--input", given, "--output", str(made)]) == 0
    )
    said = capsys.readouterr().err
    assert "on the CPU" in said and f"from {_FIRST[form]} 'the_" in said
    (expected,) = onnxruntime.InferenceSession(str(model)).run(["y"], {"x": x})
    assert 3 < np.count_nonzero(expected[0, :, 4]) < 64
    np.testing.assert_allclose(np.load(made)["y"], expected, rtol=1e-5, atol=1e-5)


_FIRST = {
    "nms": "NonMaxSuppression",
    "nonzero": "NonZero",
    "topk": "TopK",
    "if": "NonMaxSuppression",
}


def test_check_says_where_it_is_cut(tmp_path, capsys):
    model = suppressing_detector(tmp_path / "m.onnx", "nms")
    assert main(["model", "check", str(model)]) == 0
    assert "from NonMaxSuppression 'the_nonmaxsuppression" in capsys.readouterr().out


def test_verify_compares_both_parts_together(tmp_path, capsys):
    model = suppressing_detector(tmp_path / "m.onnx", "nonzero")
    assert main(["model", "verify", str(model), "--backend", "wgpu"]) == 0
    assert "y" in capsys.readouterr().out
