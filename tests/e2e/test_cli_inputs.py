"""Exports whose files leave things open, through the command line on both backends: equal to those that say
them, and what was assumed is printed.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from input_models import FREE, Graph, classifier, cutter, patches

from desktop.__main__ import main
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD

BACKENDS = ("wgpu", "onnxruntime")


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Soft spots of color, 256 x 192."""
    spots = np.random.default_rng(5).integers(0, 256, (6, 8, 3), np.uint8)
    path = tmp_path_factory.mktemp("picture") / "spots.png"
    cv2.imwrite(str(path), cv2.resize(spots, (256, 192), interpolation=cv2.INTER_CUBIC))
    return path


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[str, str]:
    """What a command printed."""
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert status == 0, err
    return out, err


def top(capsys: pytest.CaptureFixture[str], backend: str, model: Path, picture: Path) -> dict[int, float]:
    out, _ = ran(capsys, "classify", "--json", "--top", 10, "--backend", backend, "--model", model, picture)
    return {each["index"]: each["probability"] for each in json.loads(out)["results"][0]["top"]}


def with_shape(path: Path, shape: tuple[int, ...]) -> Path:
    """Write the same network with another shape of its input beside it."""
    model = onnx.load(path)
    for dim, size in zip(model.graph.input[0].type.tensor_type.shape.dim, shape, strict=True):
        dim.Clear()
        dim.dim_value = size
    onnx.save(model, path.with_name("fixed.onnx"))
    return path.with_name("fixed.onnx")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("form", "shape", "options", "fixed"),
    [
        (classifier, FREE, {"first": ["Cast", "Sub", "Pad"]}, (1, 3, 224, 224)),
        (classifier, ("b", "c", 48, 64), {"first": ["Concat"]}, (1, 3, 48, 64)),
        (classifier, ("b", "h", "w", "c"), {"channels_last": True}, (1, 224, 224, 3)),
        (patches, FREE, {}, (1, 3, 48, 48)),
    ],
)
def test_free_axes_classify_as_fixed_ones(capsys, tmp_path, picture, backend, form, shape, options, fixed):
    path = form(tmp_path / "free.onnx", shape, **options)
    free = top(capsys, backend, path, picture)
    stated = top(capsys, backend, with_shape(path, fixed), picture)
    assert list(free)[:3] == list(stated)[:3]
    assert max(abs(free[index] - stated.get(index, 0.0)) for index in free) < 1e-4


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(1, 3, 224, 224), FREE])
def test_a_picture_is_like_itself_to_clip(capsys, tmp_path, picture, backend, shape):
    graph = Graph(7)
    graph.conv("pixel_values", 3, 32, 16, strides=[16, 16])
    flat = graph.node("Flatten", graph.node("GlobalAveragePool", "n0"))
    weights = graph.random.normal(0, 1, (32, 64)).astype(np.float32)
    graph.node("MatMul", flat, graph.constant(weights), to="image_embeds")
    path = graph.save(tmp_path / "clip.onnx", shape, [("image_embeds", (shape[0], 64))], name="pixel_values")
    out, _ = ran(
        capsys, "match", "--backend", backend, "--model", path, picture, "--likeness", picture, "--json"
    )
    assert json.loads(out)["results"][0]["likeness"][0]["cosine"] == pytest.approx(1.0, abs=1e-5)
    assert "center crop 1," in json.loads(out)["network"]


def intersection_over_union(a: np.ndarray, b: np.ndarray) -> float:
    return float((a & b).sum() / max((a | b).sum(), 1))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("options", "mean", "std", "told"),
    [
        ({"masks": 7, "names": ("input.1", "d0")}, IMAGENET_MEAN, IMAGENET_STD, "U2-Net takes RGB"),
        ({"masks": 6}, (0.5,) * 3, (1.0,) * 3, "IS-Net (RMBG-1.4) takes RGB"),
        (
            {"last": "", "names": ("input_image", "output_image")},
            *(IMAGENET_MEAN, IMAGENET_STD, "ends in logits; a sigmoid"),
        ),
        ({"modules": ("lr_branch", "hr_branch")}, (0.5,) * 3, (0.5,) * 3, "MODNet takes RGB"),
        ({"last": "", "names": ("x", "mask")}, (0.0,) * 3, (1.0,) * 3, "so logits; a sigmoid"),
    ],
)
def test_masks_are_those_of_the_authors_preprocessing(
    capsys, tmp_path, picture, backend, options, mean, std, told
):
    weight, bias = (2.0, -1.5, 1.0), -0.4
    path = cutter(tmp_path / "net.onnx", weight, bias, size=(256, 192), **options)
    out = tmp_path / "mask.png"
    stage = f"background:model={path},backend={backend},mode=mask,edges=0,smoothing=0,feather=0.005"
    _, err = ran(capsys, "process", picture, "-o", out, "--filter", stage)
    assert told in err and "whole image" in err
    seen = cv2.imread(str(picture))[..., ::-1] / 255.0
    wanted = ((seen - mean) / std) @ np.array(weight) + bias > 0.0
    assert 0.1 < wanted.mean() < 0.9
    assert intersection_over_union(cv2.imread(str(out))[..., 0] > 127, wanted) > 0.95


def test_values_of_a_trial_run_that_are_probabilities_stay_as_they_are(capsys, tmp_path, picture):
    path = cutter(tmp_path / "net.onnx", (1.0, 0.0, 0.0), last="", size=(256, 192), names=("x", "mask"))
    out = tmp_path / "mask.png"
    stage = f"background:model={path},mode=mask,edges=0,smoothing=0,feather=0.005"
    _, err = ran(capsys, "process", picture, "-o", out, "--filter", stage)
    assert "so probabilities, which are the mask" in err
    wanted = cv2.imread(str(picture))[..., 2] > 127
    assert intersection_over_union(cv2.imread(str(out))[..., 0] > 127, wanted) > 0.95


@pytest.mark.parametrize("action", ["check", "verify"])
def test_sizes_are_offered_as_the_weights_settle_them(capsys, tmp_path, action):
    path = patches(tmp_path / "free.onnx", FREE, side=48)
    status = main(["model", action, str(path)])
    assert status in (1, 2) and "--shape x=1,3,48,48" in capsys.readouterr().err
