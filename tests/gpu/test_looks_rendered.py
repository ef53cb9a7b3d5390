"""Every bundled look on an image: it loads without a warning, and the image after it is another."""

from __future__ import annotations

import warnings
from itertools import islice

import numpy as np
import pytest

import lightloom
from desktop.pipeline.setup.known import bundled_presets


@pytest.fixture(scope="module")
def gpu():
    with lightloom.Gpu() as opened:
        yield opened


@pytest.fixture(scope="module")
def frame():
    return next(islice(lightloom.open("sample:320x180@30"), 1))


@pytest.mark.parametrize("name", [path.stem for path in bundled_presets()])
def test_a_bundled_look_changes_the_image(gpu, frame, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chain = lightloom.Chain.load(name, gpu=gpu)
    with chain:
        seen = chain(frame)
    before = frame.array[..., :3].astype(float)
    assert seen.shape == before.shape
    assert np.abs(seen - before).mean() > 1.0  # of 255; rounding alone gives 0.03
    assert seen.std() > 8.0  # not one color
