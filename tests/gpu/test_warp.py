"""Warps of frames: read where they say, once, and exactly where that is a pixel."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from shots_rig import frame_of, texture

from desktop.media.frame import Warp
from desktop.pipeline.picture.present import Exporter, LaidOver
from desktop.pipeline.picture.upload import Uploader

SIZE = (96, 54)
STILL = texture(1, SIZE)


@pytest.fixture(scope="module")
def warped(gpu):
    """Return a function that gives the pixels of a warped frame."""
    uploader, exporter = Uploader(gpu), Exporter(gpu, dither=False)

    def pixels(warp: Warp | None) -> np.ndarray:
        uploader.upload(replace(frame_of(STILL, 0.0), warp=warp))
        uploader.convert()
        return exporter.begin(uploader.texture, LaidOver()).result()[..., :3].astype(int)

    yield pixels
    uploader.close()
    exporter.close()


def _moved(x: float, y: float) -> Warp:
    return Warp((1.0, 0.0, x / SIZE[0]), (0.0, 1.0, y / SIZE[0]))


def test_frames_with_and_without_a_warp_alternate(warped):
    for warp in (None, Warp(), None, Warp()):
        np.testing.assert_array_equal(warped(warp), STILL)


def test_pixels_are_read_where_the_warp_says_and_mirrored_beyond_the_edges(warped):
    mirrored = np.pad(STILL, ((9, 9), (9, 9), (0, 0)), mode="symmetric").astype(int)
    for x, y in ((3, 0), (0, -5), (-9, 7)):
        expected = mirrored[9 + y : 9 + y + SIZE[1], 9 + x : 9 + x + SIZE[0]]
        assert np.abs(warped(_moved(x, y)) - expected).max() <= 1


def test_a_turn_is_about_the_center(warped):
    half = Warp((-1.0, 0.0, 0.0), (0.0, -1.0, 0.0))
    assert np.abs(warped(half) - STILL[::-1, ::-1]).max() <= 1
    # Lengths are in widths both across and down.
    a = math.radians(90)
    quarter = warped(Warp((math.cos(a), -math.sin(a), 0.0), (math.sin(a), math.cos(a), 0.0)))
    left = (SIZE[0] - SIZE[1]) // 2
    square = STILL[:, left : left + SIZE[1]]
    assert np.abs(quarter[:, left : left + SIZE[1]] - np.rot90(square, 1)).max() <= 1


def test_between_pixels_it_is_cubic(warped):
    row = STILL[20].astype(float)
    expected = (-row[9:-3] + 9 * row[10:-2] + 9 * row[11:-1] - row[12:]) / 16
    assert np.abs(warped(_moved(0.5, 0.0))[20, 10:-2] - np.clip(expected, 0, 255)).max() <= 1
