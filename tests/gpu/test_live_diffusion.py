"""The live stage Diffusion: a denoiser's steps, its noise and its sketch, beside ONNX Runtime and OpenCV.

The reference runs the same steps in float32: pcg3d in Python's own integers, squares and their enlargement by
OpenCV, the denoiser by ONNX Runtime. 2 codes of 255 hold the 8 bits of the saved picture, its dither and
rgba16float; with a denoiser in half precision 4.
"""

from __future__ import annotations

import itertools
import math
import time

import cv2
import numpy as np
import onnxruntime
import pytest
from dense_models import convolution, denoiser_model
from test_pipeline import rgba_frame
from test_stages_network import picture8, until
from waiting import LIMIT_S

from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.running.repaint.denoising import noise
from desktop.pipeline.running.repaint.denoising_session import GpuDenoising

BACKENDS = ("wgpu", "onnxruntime")
STAGE = "diffusion"


def drawn(x: int, y: int, channel: int, seed: int) -> float:
    """One number of the noise, in Python's integers."""
    word = 2**32 - 1
    a, b, c = ((v * 1664525 + 1013904223) & word for v in (x, y | channel << 20, seed))
    for turn in range(2):
        a = (a + b * c) & word
        b = (b + c * a) & word
        c = (c + a * b) & word
        if turn == 0:
            a, b, c = (v ^ v >> 16 for v in (a, b, c))
    return math.sqrt(-2 * math.log(((a >> 8) + 1) / 2**24)) * math.cos(2 * math.pi * (b >> 8) / 2**24)


def all_noise(height: int, width: int, seed: int) -> np.ndarray:
    return np.array([[[drawn(x, y, c, seed) for x in range(width)] for y in range(height)] for c in range(3)])


def repainted(path, picture: np.ndarray, strength: float, steps: int, seed: int) -> np.ndarray:
    """A picture (H, W, 3) in 0..255, whose sides are multiples of 8, through a denoiser; not rounded."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    dtype = np.float16 if "float16" in session.get_inputs()[0].type else np.float32
    x = picture[..., :3].astype(np.float32) / 127.5 - 1
    height, width = x.shape[:2]
    small = cv2.resize(x, (width // 8, height // 8), interpolation=cv2.INTER_AREA)
    drawing = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    z = all_noise(height, width, seed).transpose(1, 2, 0)
    for step in range(steps):
        level = strength * (steps - step) / steps
        noised = (1 - level) * x + level * z
        given = {"noised": noised.transpose(2, 0, 1)[None], "sketch": drawing.transpose(2, 0, 1)[None]}
        given["level"] = np.full((1, 1, 1, 1), level)
        (found,) = session.run(None, {name: value.astype(dtype) for name, value in given.items()})
        x = found[0].transpose(1, 2, 0).astype(np.float32).clip(-1, 1)
    return x * 127.5 + 127.5


def chain(library, model, **values):
    return chain_of(library, [(STAGE, {"model": str(model), "similarity": 0.0, **values})])


def show(pipeline, picture: np.ndarray, pts: float = 0.0) -> np.ndarray:
    pipeline.render(rgba_frame(picture, pts))
    (status,) = pipeline.chain.statuses
    assert status.state == "running", status.message
    return pipeline.export().result()[..., :3].astype(int)


def test_the_noise_is_normal_and_every_place_has_its_own():
    found = noise(96, 128, 7)
    expected = [drawn(x, y, c, 7) for x, y, c in ((0, 0, 0), (5, 3, 1), (127, 95, 2))]
    np.testing.assert_allclose(found[0, (0, 1, 2), (0, 3, 95), (0, 5, 127)], expected, atol=1e-5)
    assert abs(found.mean()) < 0.02 and abs(found.std() - 1) < 0.02
    assert abs(np.corrcoef(found[0].reshape(3, -1))[np.triu_indices(3, 1)]).max() < 0.03
    assert abs(np.corrcoef(found.ravel(), noise(96, 128, 8).ravel())[0, 1]) < 0.02


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("steps", "strength"), [(1, 1.0), (2, 0.6), (4, 0.9)])
def test_steps_are_those_of_the_reference(pipeline, library, tmp_path, backend, steps, strength):
    model, picture = denoiser_model(tmp_path / "d.onnx"), picture8(64, 48)
    pipeline.set_chain(chain(library, model, backend=backend, steps=steps, strength=strength, seed=3))
    found = show(pipeline, picture)
    assert np.abs(found - repainted(model, picture, strength, steps, 3)).max() <= 2


def test_a_denoiser_in_half_precision(pipeline, library, tmp_path):
    model, picture = denoiser_model(tmp_path / "d.onnx", half=True), picture8(64, 48)
    pipeline.set_chain(chain(library, model, backend="wgpu", steps=2, strength=0.7))
    assert np.abs(show(pipeline, picture) - repainted(model, picture, 0.7, 2, 0)).max() <= 4


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "the folder of a Stable Diffusion pipeline"),
        ({"model": "denoiser"}, "There is no network 'denoiser'"),
    ],
)
def test_without_its_network_the_frame_is_shown_and_the_stage_says_why(pipeline, library, values, said):
    """None is bundled; looks of earlier versions name one that was."""
    picture = picture8(64, 48)
    pipeline.set_chain(chain_of(library, [(STAGE, values)]))
    pipeline.render(rgba_frame(picture))
    (status,) = pipeline.chain.statuses
    assert said in status.message
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - picture[..., :3]).max() <= 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_without_strength_the_picture_comes_back(pipeline, library, tmp_path, backend):
    picture = picture8(64, 48)
    pipeline.set_chain(chain(library, denoiser_model(tmp_path / "d.onnx"), backend=backend, strength=0.0))
    assert np.abs(show(pipeline, picture) - picture[..., :3]).max() <= 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_steady_noise_repeats_and_other_noise_does_not(pipeline, library, tmp_path, backend):
    model, picture = denoiser_model(tmp_path / "d.onnx"), picture8(64, 48)
    pipeline.set_chain(chain(library, model, backend=backend, strength=1.0))
    first = show(pipeline, picture, 0.0)
    assert np.abs(show(pipeline, picture, 1.0) - first).max() <= 1  # the saved picture's dither
    pipeline.set_chain(chain(library, model, backend=backend, strength=1.0, seed=1))
    assert np.abs(show(pipeline, picture, 2.0) - first).mean() > 5
    pipeline.set_chain(chain(library, model, backend=backend, strength=1.0, steady=False))
    boiling = [show(pipeline, picture, float(pts)) for pts in (3, 4)]
    assert np.abs(boiling[0] - boiling[1]).mean() > 5


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_similar_picture_keeps_the_last_result(pipeline, library, tmp_path, backend):
    model, picture = denoiser_model(tmp_path / "d.onnx"), picture8(64, 48)
    brighter = picture.copy()
    brighter[..., :3] = np.minimum(picture[..., :3].astype(int) + 6, 255)
    other = picture.copy()
    other[8:16, 8:16, :3] ^= 128
    pipeline.set_chain(chain(library, model, backend=backend, strength=0.3, similarity=0.05))
    first = show(pipeline, picture, 0.0)
    assert np.abs(show(pipeline, brighter, 1.0) - first).max() <= 1
    # One square that has changed is enough.
    changed = show(pipeline, other, 2.0)
    assert np.abs(changed - repainted(model, other, 0.3, 2, 0)).max() <= 2
    # Other values are not put off by a picture that is the same.
    pipeline.set_chain(chain(library, model, backend=backend, strength=0.8, similarity=0.05))
    assert np.abs(show(pipeline, other, 3.0) - repainted(model, other, 0.8, 2, 0)).max() <= 2


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (129, 67), (1000, 2)])
def test_sizes_that_nobody_films_in(pipeline, library, tmp_path, size):
    picture = picture8(*size)
    pipeline.set_chain(chain(library, denoiser_model(tmp_path / "d.onnx"), size=128))
    found = show(pipeline, picture)
    assert found.shape[:2] == (size[1], size[0]) and found.std() >= 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_live_in_slices_and_on_a_thread(in_slices, library, tmp_path, backend):
    live = in_slices
    model, picture = denoiser_model(tmp_path / "d.onnx"), picture8(64, 48)
    expected = repainted(model, picture, 0.8, 2, 0)
    live.set_chain(chain(library, model, backend=backend, strength=0.8))

    def is_shown() -> bool:
        live.drain()
        return bool(np.abs(live.export().result()[..., :3] - expected).max() <= 2)

    until(live, picture, lambda: live.chain.statuses[0].state == "running")
    until(live, picture, is_shown)
    report = live.chain.statuses[0].network
    assert report.is_asynchronous and report.inference_ms > 0


@pytest.fixture
def encoded(monkeypatch) -> list[tuple[int, int | None]]:
    """From which dispatch to which each recording of a network goes."""
    spans: list[tuple[int, int | None]] = []
    whole = GpuDenoising.encode

    def encode(self, compute_pass, start=0, stop=None):
        spans.append((start, stop))
        whole(self, compute_pass, start, stop)

    monkeypatch.setattr(GpuDenoising, "encode", encode)
    return spans


@pytest.mark.parametrize("rests", [False, True])
def test_values_that_change_between_two_slices_are_of_the_next_result(
    in_slices, library, tmp_path, encoded, rests
):
    """A result of both would be kept for as long as the picture is like its own; one of a network that was
    put aside is of another.
    """
    live = in_slices
    model, picture = denoiser_model(tmp_path / "d.onnx"), picture8(64, 48)
    other = denoiser_model(tmp_path / "other.onnx", seed=6)
    live.set_chain(chain(library, model, backend="wgpu", strength=0.3, similarity=0.05))
    # In its last step, which has noise of the first values in it.
    until(live, picture, lambda: live.chain.statuses[0].state == "running" and encoded and encoded[-1][0] > 8)
    if rests:
        live.set_chain(chain(library, other, backend="wgpu", strength=0.5, similarity=0.05))
        until(live, picture, lambda: live.chain.statuses[0].network.name == "other.onnx")
    live.set_chain(chain(library, model, backend="wgpu", strength=0.9, similarity=0.05, seed=4))
    expected = repainted(model, picture, 0.9, 2, 4)

    def is_shown() -> bool:
        live.drain()
        return bool(np.abs(live.export().result()[..., :3] - expected).max() <= 2)

    until(live, picture, is_shown)


@pytest.mark.parametrize("plays", [True, False])
def test_a_similar_picture_is_only_glanced_at(live, library, tmp_path, encoded, plays):
    """On the GPU: squares and verdict, and nothing of the network; another picture is seen, also where it is
    the last one.
    """
    model, picture = denoiser_model(tmp_path / "d.onnx"), picture8(64, 48)
    other = 255 - picture
    other[..., 3] = 255
    live.set_chain(chain(library, model, backend="wgpu", strength=0.8, similarity=0.02))
    live.network_budget_ms = 1000.0
    times = itertools.count()

    def draws(shown: np.ndarray, pts: float | None = None) -> np.ndarray:
        live.render(rgba_frame(shown, float(next(times)) if pts is None else pts))
        live.drain()
        return live.export().result()[..., :3].astype(int)

    def after(shown: np.ndarray, condition, pts: float | None = None) -> None:
        end = time.perf_counter() + LIMIT_S
        while not condition(draws(shown, pts)):
            assert time.perf_counter() < end

    expected = repainted(model, picture, 0.8, 2, 0)
    after(picture, lambda found: np.abs(found - expected).max() <= 2)
    after(picture, lambda _: len(encoded) >= 5 and all(call == (0, 2) for call in encoded[-5:]))
    assert np.abs(draws(picture) - expected).max() <= 2
    changed = repainted(model, other, 0.8, 2, 0)
    after(other, lambda found: np.abs(found - changed).max() <= 2, None if plays else 1e6)


def test_a_network_that_gives_no_numbers_does_no_harm(pipeline, library, tmp_path):
    model = tmp_path / "d.onnx"
    denoiser_model(model)
    import onnx

    made = onnx.load(str(model))
    made.graph.initializer[0].CopyFrom(
        onnx.numpy_helper.from_array(np.full((3, 6, 3, 3), np.nan, np.float32), "w")
    )
    onnx.save(made, str(model))
    pipeline.set_chain(chain(library, model, strength=1.0, backend="wgpu"))
    assert np.abs(show(pipeline, picture8(64, 48)) - 128).max() <= 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_another_number_of_steps_loads_nothing(pipeline, library, tmp_path, loads, backend):
    """Each count gives the reference's picture, whichever came before, by the network that is there."""
    model, picture = denoiser_model(tmp_path / "d.onnx"), picture8(64, 48)
    for number, steps in enumerate((2, 4, 1, 3)):
        pipeline.set_chain(chain(library, model, backend=backend, steps=steps, strength=0.8))
        found = show(pipeline, picture, float(number))
        assert np.abs(found - repainted(model, picture, 0.8, steps, 0)).max() <= 2, steps
    assert len(loads) == 1


def test_another_number_of_steps_between_two_slices(in_slices, library, tmp_path):
    live = in_slices
    model, picture = denoiser_model(tmp_path / "d.onnx"), picture8(64, 48)
    for steps in (4, 1, 3):
        live.set_chain(chain(library, model, backend="wgpu", strength=0.8, steps=steps))
        until(
            live,
            picture,
            lambda: live.chain.statuses[0].state == "running" and live.chain.statuses[0].network,
        )
        for number in range(4):
            live.render(rgba_frame(picture, 100.0 * steps + number))
    expected = repainted(model, picture, 0.8, 3, 0)

    def is_shown() -> bool:
        live.drain()
        return bool(np.abs(live.export().result()[..., :3] - expected).max() <= 2)

    until(live, picture, is_shown)


def test_what_is_no_denoiser_is_told(pipeline, library, tmp_path):
    model = convolution(tmp_path / "one.onnx", np.ones((3, 3, 1, 1), np.float32))
    pipeline.set_chain(chain(library, model))
    pipeline.render(rgba_frame(picture8(32, 24)))
    (status,) = pipeline.chain.statuses
    assert status.state == "failed" and "where a denoiser has" in status.message


def test_a_denoiser_is_recognized(tmp_path):
    model = denoiser_model(tmp_path / "d.onnx")
    assert stage_for_model(model) == (STAGE, {"model": str(model)})
