"""Layers of the library's chains."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import lightloom
from lightloom import Layer, Stage


@pytest.fixture(scope="module")
def gpu():
    with lightloom.Gpu() as opened:
        yield opened


GRAY = np.full((40, 60, 3), 100, np.uint8)


@pytest.fixture
def green(tmp_path):
    Image.new("RGB", (8, 8), (0, 255, 0)).save(tmp_path / "green.png")
    return tmp_path / "green.png"


def test_layers_lie_over_and_under_the_result_with_filters_of_their_own(gpu, green):
    corner = Layer(green, x=0.5, width=0.5, height=0.5, fit="stretch", stages=["invert"])
    whole = Layer(str(green), width=1, height=1.0, fit="stretch", opacity=0.5, below=True)
    gone = Stage("cut_out", mask="rectangle(width=50,height=200,center=0.25/0.5)")
    with lightloom.Chain([gone], layers=[whole, corner], gpu=gpu) as chain:
        found = chain(np.dstack([GRAY, np.full((40, 60), 255, np.uint8)]))
    assert found[10, 45].tolist() == [255, 0, 255, 255]
    assert found[30, 45].tolist() == [100, 100, 100, 255]
    assert found[30, 5].tolist() == [0, 255, 0, 128]


def test_the_example_of_the_documents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Image.new("RGB", (8, 8), (0, 255, 0)).save("logo.png")
    Image.new("RGB", (16, 8), (0, 0, 255)).save("beach.jpg", quality=100)
    array = GRAY
    logo = lightloom.Layer("logo.png", x=0.82, y=0.04, width=0.15)
    beach = lightloom.Layer("beach.jpg", width=1.0, height=1.0, fit="cover", below=True)
    cut_out = lightloom.Stage("cut_out", mask="person", inverted=True)
    with lightloom.Chain([cut_out], layers=[beach, logo]) as chain:
        combined = chain(array)
    # There is no person in a gray image: all of it is background.
    assert np.abs(combined[35, 5].astype(int) - (0, 0, 255)).max() <= 3
    assert combined[4, 52].tolist() == [0, 255, 0]


def test_wrong_layers_are_refused(gpu, tmp_path):
    with pytest.raises(lightloom.errors.UsageError, match=r"A layer is a lightloom.Layer, not 'a.png'"):
        lightloom.Chain([], layers=["a.png"], gpu=gpu)
    with pytest.raises(lightloom.errors.UsageError, match="'x' of a place is 7; give -2 to 2"):
        lightloom.Chain([], layers=[Layer("a.png", x=7)], gpu=gpu)
    chain = lightloom.Chain([], layers=[Layer(tmp_path / "gone.png")], gpu=gpu)
    with chain, pytest.raises(lightloom.errors.FilterError, match=r"The layer 'gone.png' is not drawn"):
        chain(GRAY)
