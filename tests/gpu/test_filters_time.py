"""Filters with a memory, and those that depend on the frame's number: several frames, resets, and NumPy
references.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from filter_rig import FilterRig, natural_picture
from sampling_reference import BT709, bilinear, pixel_centers

RESETS = (0, 4)


@pytest.fixture(scope="module")
def rig(gpu):
    return FilterRig(gpu)


@pytest.fixture(scope="module")
def frames():
    """A still scene with new noise in every frame, through which a bright square moves; a reset comes with
    frame 4.
    """
    rng = np.random.default_rng(3)
    scene = natural_picture(48, 40)
    out = []
    for index in range(7):
        frame = scene.copy()
        frame[8:20, 4 + 5 * index : 14 + 5 * index] = (0.9, 0.95, 0.2)
        out.append(
            np.clip(frame + rng.normal(0, 0.02, frame.shape), 0, 1).astype(np.float16).astype(np.float32)
        )
    return out


@pytest.mark.parametrize(("strength", "threshold"), [(0.85, 0.05), (0.97, 0.3), (0.0, 0.05)])
def test_temporal_denoise(rig, frames, strength, threshold):
    outputs = rig.run_frames(
        rig.library.get("temporal_denoise"), frames, resets=RESETS, strength=strength, threshold=threshold
    )
    past = None
    for index, (frame, output) in enumerate(zip(frames, outputs, strict=True)):
        if index in RESETS:
            past = frame
        change = [cv2.blur(p, (3, 3), borderType=cv2.BORDER_REPLICATE) for p in (frame, past)]
        still = np.exp(-np.sum((change[0] - change[1]) ** 2, axis=-1, keepdims=True) / threshold**2)
        past = frame + strength * still * (past - frame)
        # The bilinear weights' 8 bits (a third is 85 / 256) move the change by 0.003 of a step, which the
        # exponential sharpens.
        np.testing.assert_allclose(output[..., :3], past, atol=1.5e-2)
        assert np.abs(output[..., :3] - past).mean() < 1e-3


def test_temporal_denoise_removes_noise_and_leaves_no_ghost(rig):
    rng = np.random.default_rng(8)
    clean = np.full((32, 48, 3), 0.4, np.float32)
    noisy = [np.clip(clean + rng.normal(0, 0.02, clean.shape), 0, 1).astype(np.float32) for _ in range(16)]
    after_cut = np.full_like(clean, 0.9)
    *_, still, cut = rig.run_frames(
        rig.library.get("temporal_denoise"), [*noisy, after_cut], strength=0.9, threshold=0.15
    )
    # A recursive average of weight a leaves the noise's deviation times sqrt((1 - a) / (1 + a)): 0.23.
    assert (still[..., :3] - clean).std() < 0.4 * 0.02
    np.testing.assert_allclose(cut[..., :3], after_cut, atol=2e-3)


@pytest.mark.parametrize("mode", ["difference", "signed", "mask", "highlight"])
def test_frame_difference(rig, frames, mode):
    gain, threshold = 3.0, 0.1
    outputs = rig.run_frames(
        rig.library.get("frame_difference"), frames, resets=RESETS, mode=mode, gain=gain, threshold=threshold
    )
    previous = frames[0]
    for index, (frame, output) in enumerate(zip(frames, outputs, strict=True)):
        change = np.zeros_like(frame) if index in RESETS else frame - previous
        largest = np.abs(change).max(axis=-1, keepdims=True)
        expected = {
            "difference": cv2.absdiff(change, np.zeros_like(change)) * gain,
            "signed": np.maximum(0.5 + change * gain / 2, 0),
            "mask": np.broadcast_to(largest > threshold, frame.shape).astype(np.float32),
            "highlight": (dim := (frame @ BT709)[..., None] / 4)
            + np.clip((largest - threshold) * gain, 0, 1) * (frame - dim),
        }[mode]
        certain = np.abs(largest[..., 0] - threshold) > 1e-4  # where rounding cannot decide the mask
        assert certain.mean() > 0.99
        np.testing.assert_allclose(output[..., :3][certain], expected[certain], atol=3e-3)
        previous = frame


def pcg3d_float(x, y, z):
    """First word of PCG3D (Jarzynski and Olano, 2020) as a float in [0, 1)."""
    v = [a * 1664525 + 1013904223 & 0xFFFFFFFF for a in (x, y, z)]
    for final in (False, True):
        v[0] = v[0] + v[1] * v[2] & 0xFFFFFFFF
        v[1] = v[1] + v[2] * v[0] & 0xFFFFFFFF
        v[2] = v[2] + v[0] * v[1] & 0xFFFFFFFF
        if not final:
            v = [a ^ a >> 16 for a in v]
    return (v[0] >> 8) / 2**24


def glitched(picture, index, amount, shift, block, split, lines, hold, seed):
    height, width = picture.shape[:2]
    expected = np.empty_like(picture)

    def draw(a, b, purpose):
        return pcg3d_float(a, b, ((index // hold) * 7919 + seed) * 8 + purpose)

    for y, x in np.ndindex(height, width):
        row = y // block
        column = x // (block * (4 + int(draw(row, 0, 0) * 13)))
        moved = draw(row, 0, 1) < amount and draw(row, column + 1, 2) < 0.75
        offset = round((2 * draw(row, column + 1, 3) - 1) * shift / 100 * width) if moved else 0
        apart = round((2 * draw(0, 0, 4) - 1) * split * (1 if offset else 1 / 3))
        source = [(x + offset + d) % width for d in (apart, 0, -apart)]
        dark = 1 - lines * (y // 2 % 2)
        expected[y, x] = [picture[y, source[c], c] * dark for c in range(3)]
    return expected


def test_glitch(rig):
    values = {"amount": 0.6, "shift": 20.0, "block": 5, "split": 6.0, "lines": 0.3, "hold": 2, "seed": 42}
    picture = natural_picture(60, 40)
    outputs = rig.run_frames(rig.library.get("glitch"), [picture] * 5, **values)
    for index in (0, 3, 4):
        np.testing.assert_allclose(outputs[index][..., :3], glitched(picture, index, **values), atol=1e-3)
    np.testing.assert_array_equal(outputs[2], outputs[3])  # held
    assert np.abs(outputs[3] - outputs[4]).max() > 0.1
    again = rig.run_frames(rig.library.get("glitch"), [picture] * 5, **values)
    np.testing.assert_array_equal(np.stack(outputs), np.stack(again))


def test_glitch_is_neutral_at_zero(rig):
    picture = natural_picture(60, 40)
    np.testing.assert_allclose(
        rig.run("glitch", picture, amount=0, split=0, lines=0)[..., :3], picture, atol=5e-4
    )


@pytest.mark.parametrize("blend", ["lighten", "mix"])
def test_feedback(rig, frames, blend):
    zoom, turn, shift, decay = 1.05, 3.0, 20.0, 0.8
    outputs = rig.run_frames(
        rig.library.get("feedback"),
        frames,
        resets=RESETS,
        blend=blend,
        zoom=zoom,
        turn=turn,
        hue=shift,
        decay=decay,
    )
    height, width = frames[0].shape[:2]
    x, y = pixel_centers(height, width)
    source = (x - width / 2 + 1j * (y - height / 2)) / zoom * np.exp(-1j * np.radians(turn))
    rotation = cv2.Rodrigues(np.full(3, np.radians(shift) / 3**0.5))[0]  # about the gray axis
    past = np.zeros_like(frames[0])
    for index, (frame, output) in enumerate(zip(frames, outputs, strict=True)):
        if index in RESETS:
            past = np.zeros_like(frame)
        older = bilinear(past, source.real + width / 2, source.imag + height / 2, "edge")
        older = np.maximum(older @ rotation.T, 0)
        if blend == "lighten":
            past = np.maximum(frame, older * decay)
        else:
            past = frame if index in RESETS else frame * (1 - decay) + older * decay
        np.testing.assert_allclose(output[..., :3], past, atol=1.2e-2)


def test_feedback_is_neutral_at_zero(rig, frames):
    for frame, output in zip(
        frames, rig.run_frames(rig.library.get("feedback"), frames, decay=0), strict=True
    ):
        np.testing.assert_allclose(output[..., :3], frame, atol=1e-3)
