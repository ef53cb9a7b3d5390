"""Masks, opacity and blend modes of the library's chains."""

from __future__ import annotations

import numpy as np
import pytest
from dense_models import channel_model

import lightloom
from lightloom import MaskPart, Stage


@pytest.fixture(scope="module")
def gpu():
    with lightloom.Gpu() as opened:
        yield opened


@pytest.fixture(scope="module")
def noise() -> np.ndarray:
    return np.random.default_rng(8).integers(0, 256, (60, 80, 3), np.uint8)


def applied(gpu, image, *stages) -> np.ndarray:
    with lightloom.Chain(stages, gpu=gpu) as chain:
        return chain(image).astype(int)


def box(left: int, right: int) -> np.ndarray:
    inside = np.zeros((60, 80, 1), bool)
    inside[:, left:right] = True
    return inside


HALF = {"width": 50, "height": np.float32(100)}
QUARTER = {"width": 25, "height": 100}


@pytest.mark.parametrize(
    "mask",
    [
        "rectangle(width=50,height=100)-rectangle(width=25,height=100)",
        [MaskPart("rectangle", HALF), MaskPart("rectangle", QUARTER, join="subtract")],
        [MaskPart("rectangle", HALF), MaskPart("rectangle", QUARTER, join="intersect", inverted=True)],
    ],
)
def test_parts_and_text_are_the_same_mask(gpu, noise, mask):
    inside = box(20, 60) & ~box(30, 50)
    expected = np.where(inside, 255 - noise.astype(int), noise)
    assert np.abs(applied(gpu, noise, Stage("invert", mask=mask)) - expected).max() <= 1


def test_one_part_opacity_and_blend_mode(gpu, noise):
    stage = Stage("invert", mask=MaskPart("rectangle", HALF), inverted=True, opacity=0.5, blend="multiply")
    c = noise / 255
    expected = 255 * np.where(box(20, 60), c, 0.5 * c + 0.5 * c * (1 - c))
    assert np.abs(applied(gpu, noise, stage) - expected).max() <= 1


def test_a_mask_reads_an_earlier_stage(gpu, noise):
    stages = [
        "black_and_white",
        Stage("invert", mask=[MaskPart("stage", {"stage": 1, "channel": "opacity"})]),
    ]
    with lightloom.Chain(stages, gpu=gpu) as chain:
        found = chain(noise)
        again = chain.stages
    assert applied(gpu, noise, "black_and_white", "invert").tolist() == found.tolist()
    assert applied(gpu, noise, *again).tolist() == found.tolist()


def test_a_network_is_a_path(gpu, tmp_path):
    image = np.zeros((48, 64, 3), np.uint8)
    image[:, :32, 0] = 255
    model = channel_model(tmp_path / "red.onnx", output="mask")
    found = applied(gpu, image, Stage("invert", mask=MaskPart("person", {"model": model})))
    assert np.abs(found[:, :24] - (0, 255, 255)).max() <= 1 and found[:, 40:].max() <= 1


def test_what_a_chain_has_makes_the_same_chain(gpu, noise):
    given = Stage(
        "sepia",
        opacity=0.75,
        blend="screen",
        mask=[MaskPart("ellipse", {"width": 60.0}), MaskPart("luma", join="subtract", inverted=True)],
        feather=3.0,
        if_missing="black",
    )
    with lightloom.Chain([given, "mirror"], gpu=gpu) as chain:
        found, stages = chain(noise), chain.stages
    assert [name for name, _ in stages] == ["sepia", "mirror"]
    (sepia, mirror) = stages
    assert isinstance(sepia, Stage) and isinstance(mirror, tuple)
    assert (sepia.opacity, sepia.blend, sepia.feather, sepia.if_missing) == (0.75, "screen", 3.0, "black")
    assert applied(gpu, noise, *stages).tolist() == found.tolist()


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        (Stage("invert", mask="detections"), "uses what an analysis network finds"),
        (Stage("invert", mask="elipse"), "no mask called 'elipse'"),
        (Stage("invert", mask=MaskPart("ellipse", {"size": 3})), "The mask 'ellipse' has no 'size'"),
        (Stage("invert", mask=[MaskPart("luma", join="or")]), "joined by one of add, subtract, intersect"),
        (Stage("invert", mask=["luma"]), "made of MaskParts"),
        (Stage("invert", feather=2.0), "no effect without a mask"),
        (Stage("invert", opacity=2.0), "'opacity' is 2.0; give 0 to 1."),
        (Stage("invert", blend="mix"), "'blend' is mix"),
        (Stage("invert", mask=MaskPart("stage", {"stage": 1})), "does not stand before it"),
    ],
)
def test_what_is_wrong_is_one_sentence(gpu, stage, said):
    with pytest.raises(lightloom.errors.UsageError) as caught:
        lightloom.Chain([stage], gpu=gpu)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_a_mask_that_fails_is_an_error(gpu, noise):
    with (
        lightloom.Chain([Stage("invert", mask="person(model=gone.onnx)")], gpu=gpu) as chain,
        pytest.raises(lightloom.errors.FilterError, match=r"no network 'gone\.onnx'"),
    ):
        chain(noise)


def test_what_the_page_of_the_library_shows(gpu, noise):
    array = noise
    gray = lightloom.Stage("black_and_white", mask="person", inverted=True, feather=0.5)
    shapes = [
        lightloom.MaskPart("ellipse", {"width": 60.0}),
        lightloom.MaskPart("luma", {"low": 80.0}, join="subtract"),
    ]
    glow = lightloom.Stage("gaussian_blur", {"radius": 12.0}, mask=shapes, opacity=0.5, blend="screen")
    with lightloom.Chain([gray, glow]) as chain:
        filtered = chain(array)
    # A screen only brightens, here nowhere but in the ellipse.
    without = applied(gpu, noise, gray)
    assert (filtered >= without - 1).all() and filtered.mean() > without.mean() + 5
    assert np.abs(filtered[:, :12] - without[:, :12]).max() <= 1


def test_kinds_are_listed():
    assert lightloom.masks()["ellipse"] == ("center", "width", "height", "angle")
