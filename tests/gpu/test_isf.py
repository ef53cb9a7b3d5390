"""Translated ISF files and Shadertoy functions against OpenGL, which drew tests/data/isf/reference.npz."""

from __future__ import annotations

import numpy as np
import pytest
from filter_rig import FilterRig
from isf_reference import FOLDER, RATE, moving_frames

from desktop.pipeline.filters.header import read_filter

REFERENCE = np.load(FOLDER / "reference.npz")


@pytest.fixture(scope="module")
def rig(gpu):
    return FilterRig(gpu)


def steps(images):
    return np.clip(np.stack(images), 0, 1) * 255


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.fs")))
def test_a_file_draws_what_opengl_draws(rig, name):
    """Built-in functions and statements in the cells of a grid; passes with buffers; inputs at their defaults."""
    frames = rig.run_frames(read_filter(FOLDER / f"{name}.fs"), moving_frames(), rate=RATE)
    apart = np.abs(steps(frames) - REFERENCE[name].astype(float)).max(-1)
    # A value near an edge of fract() may be on its other side.
    assert (apart > 1.5).mean() < 1e-3, np.argwhere(apart > 1.5)[:5]


def test_inputs_have_the_values_that_are_set(rig):
    image = moving_frames()[0]
    item = read_filter(FOLDER / "inputs.fs")
    bright = rig.run_frames(item, [image], flash=True, mode="Red")[0]
    np.testing.assert_allclose(bright[..., :3], 1.0)
    tinted = rig.run_frames(item, [image], level=0.0, is_on=True, mode="Red", taps="many (3)")[0]
    np.testing.assert_allclose(tinted[..., :3], image[..., :3] * (0.5, 1.0, 1.0), atol=2e-3)
    point = rig.run_frames(item, [image], level=1.0, is_on=False, center="0.25/0.25", tint="#000000")[0]
    y, x = np.unravel_index(np.argmin((point / np.maximum(image, 0.1))[..., :3].sum(-1)), image.shape[:2])
    assert (abs(x - 24), abs(y - 15)) <= (2, 2)


def test_light_above_white_stays_and_light_below_black_does_not(rig, tmp_path):
    path = tmp_path / "twice.fs"
    path.write_text(
        '/*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]}*/\n'
        "void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage) * 3.0 - 1.0; }"
    )
    image = np.full((4, 4, 4), 0.1, np.float32)
    image[:, 2:] = 1.0
    drawn = rig.run_frames(read_filter(path), [image])[0]
    np.testing.assert_allclose(drawn[0, 0], 0.0)
    np.testing.assert_allclose(drawn[0, 3], (2.0, 2.0, 2.0, 1.0))


def test_audio_is_an_image(rig, tmp_path):
    """Without audio the spectrum is 0, and the waveform at rest."""
    path = tmp_path / "sound.fs"
    path.write_text(
        '/*{"INPUTS": [{"NAME": "levels", "TYPE": "audioFFT"}, {"NAME": "wave", "TYPE": "audio"}]}*/\n'
        "void main() { vec2 at = isf_FragNormCoord; gl_FragColor = vec4(IMG_NORM_PIXEL(levels, at).r,"
        " IMG_NORM_PIXEL(wave, at).r, IMG_SIZE(wave).x / 1024.0, texelFetch(levels, ivec2(3, 0), 0).a); }"
    )
    item = read_filter(path)
    assert item.inputs == ("audio",)
    drawn = rig.run_frames(item, [moving_frames()[0]])[0]
    np.testing.assert_allclose(drawn[5, 7], (0.0, 0.5, 0.5, 1.0))


def test_shadertoy_draws_what_isf_draws(rig, tmp_path):
    body = (
        "float wave(vec2 at) { return sin(at.x * 9.0 + clock * 40.0) * 0.02; }\n"
        "vec4 drawn(vec2 pixel) { vec2 at = pixel / size.xy; return frameCount > 1 ? vec4(at, 0.5, 1.0)"
        " : texture2D(source, at + wave(at)); }\n"
    )
    isf, toy = tmp_path / "a.fs", tmp_path / "b.glsl"
    isf.write_text(
        '/*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}]}*/\n'
        "#define clock TIME\n#define size RENDERSIZE\n#define source inputImage\n#define frameCount FRAMEINDEX\n"
        f"{body}void main() {{ gl_FragColor = drawn(gl_FragCoord.xy); }}"
    )
    toy.write_text(
        "#define clock iTime\n#define size iResolution\n#define source iChannel0\n#define frameCount iFrame\n"
        f"{body}void mainImage(out vec4 color, vec2 at) {{ color = drawn(at); color.a = 0.0; }}"
    )
    images = moving_frames()
    first, second = (rig.run_frames(read_filter(path), images) for path in (isf, toy))
    # The alpha of a Shadertoy is not shown there.
    np.testing.assert_allclose(np.stack(first), np.stack(second), atol=1e-6)
    assert np.ptp(first[0]) > 0.5
