"""`lightloom process` with masks, opacity and blend modes; `lightloom filters --masks`."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from dense_models import channel_model
from script_rig import color_finder

from desktop.__main__ import main
from desktop.pipeline.masks.blending import BLEND_MODES

# Of 255: the output is dithered.
ROUNDED = 1.5


def written(path: Path, picture: np.ndarray) -> Path:
    """Write an image, uint8 [height, width, 3], R'G'B'."""
    cv2.imwrite(str(path), picture[..., ::-1])
    return path


def processed(folder: Path, picture: np.ndarray, *arguments: object) -> np.ndarray:
    """Return what `lightloom process` makes of an image, as integers."""
    source, out = written(folder / "in.png", picture), folder / "out.png"
    assert main(["process", str(source), "-o", str(out), *map(str, arguments)]) == 0
    return cv2.imread(str(out))[..., ::-1].astype(int)


@pytest.fixture
def noise() -> np.ndarray:
    return np.random.default_rng(3).integers(0, 256, (60, 80, 3), np.uint8)


def test_a_shape_less_another(tmp_path, noise):
    mask = "rectangle(width=50,height=100)-rectangle(width=25,height=50)"
    found = processed(tmp_path, noise, "--filter", f"invert@mask={mask}")
    inside = np.zeros((60, 80), bool)
    inside[:, 20:60] = True
    inside[15:45, 30:50] = False
    expected = np.where(inside[..., None], 255 - noise.astype(int), noise)
    assert np.abs(found - expected).max() <= ROUNDED


def test_opacity_and_blend_mode(tmp_path, noise):
    found = processed(tmp_path, noise, "--filter", "invert@opacity=0.5,blend=multiply")
    c = noise / 255
    assert np.abs(found - 255 * (0.5 * c + 0.5 * c * (1 - c))).max() <= ROUNDED
    found = processed(tmp_path, noise, "--filter", "invert:strength=0.25")
    assert np.abs(found - 255 * (0.75 * c + 0.25 * (1 - c))).max() <= ROUNDED


def test_a_network_whose_mask_is_one_channel(tmp_path):
    picture = np.full((48, 64, 3), 100, np.uint8)
    picture[:, :32, 0] = 255
    picture[:, 32:, 0] = 0
    model = channel_model(tmp_path / "red, or (not).onnx", output="mask")
    found = processed(tmp_path, picture, "--filter", f'invert@mask=!person(model="{model}")')
    assert np.abs(found[:, :24] - picture[:, :24]).max() <= ROUNDED
    assert np.abs(found[:, 40:] - (255 - picture[:, 40:].astype(int))).max() <= ROUNDED


def test_what_the_analysis_network_finds(tmp_path):
    picture = np.full((64, 64, 3), 20, np.uint8)
    picture[16:32, 24:40] = (255, 0, 0)
    model = color_finder(tmp_path / "colors.onnx")
    found = processed(tmp_path, picture, "--model", model, "--filter", "invert@mask=detections(classes=red)")
    changed = np.abs(found - picture).max(axis=-1) > 64
    rows, columns = np.nonzero(changed)
    assert changed.any() and not changed.all()
    assert rows.min() >= 8 and rows.max() < 40 and columns.min() >= 16 and columns.max() < 48


def test_a_zone_needs_no_network(tmp_path, noise):
    zones = tmp_path / "zones.toml"
    zones.write_text('[[zones]]\nname = "Left"\npoints = [[0, 0], [0.5, 0], [0.5, 1], [0, 1]]\n')
    found = processed(tmp_path, noise, "--zones", zones, "--filter", "invert@mask=zone(zone=Left)")
    expected = noise.astype(int)
    expected[:, :40] = 255 - expected[:, :40]
    assert np.abs(found - expected).max() <= ROUNDED


def test_a_look_with_a_mask(tmp_path, noise):
    look = tmp_path / "look.toml"
    look.write_text(
        """
        lightloom = 2
        [[filter]]
        name = "invert"
        opacity = 0.5
        [filter.mask]
        inverted = true
        [[filter.mask.part]]
        kind = "rectangle"
        values = { width = 50.0, height = 100.0 }
        """
    )
    found = processed(tmp_path, noise, "--look", look)
    inside = np.zeros((60, 80, 1), bool)
    inside[:, 20:60] = True
    expected = np.where(inside, noise, 127.5)
    assert np.abs(found - expected).max() <= ROUNDED


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        ("detections", "The mask of 'invert' uses what an analysis network finds, and there is none"),
        ("track(identity=2)", "The mask of 'invert' uses what an analysis network finds"),
        ("zone", "The mask of 'invert' is a zone, and there is none"),
        ("persona", "There is no mask called 'persona'"),
        ("person(model=gone.onnx)", "Person or class was switched off: There is no network 'gone.onnx'"),
    ],
)
def test_a_mask_that_cannot_be_made_ends_the_work_with_a_sentence(tmp_path, noise, capsys, mask, said):
    source, out = written(tmp_path / "in.png", noise), tmp_path / "out.png"
    assert main(["process", str(source), "-o", str(out), "--filter", f"invert@mask={mask}"]) != 0
    printed = capsys.readouterr().err
    assert said in printed and printed.count("\n") == 1
    assert not out.exists()


def test_masks_and_blend_modes_are_listed(capsys):
    assert main(["filters", "--masks", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    kinds = {kind["name"]: {param["name"] for param in kind["params"]} for kind in listed["masks"]}
    assert kinds["ellipse"] == {"center", "width", "height", "angle"} and "person" in kinds
    assert [mode["name"] for mode in listed["blend_modes"]] == list(BLEND_MODES)
    assert "if_missing" in {setting["name"] for setting in listed["settings"]}
    assert main(["filters", "--masks"]) == 0
    printed = capsys.readouterr().out
    assert "ellipse" in printed and "soft_light" in printed and "@feather" in printed
