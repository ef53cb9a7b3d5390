"""Inputs of filters: audio, the stage's mask and tracked objects, compared with NumPy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from test_automation import CurvesOf
from test_masks import HEIGHT, WIDTH, frame_of
from test_object_masks import frame, image
from tiny_models import square_detector

import lightloom
from desktop.base.errors import UsageError
from desktop.compute.gpu.device import Gpu
from desktop.media.audio.curves import AudioCurves, CurveMaker
from desktop.media.audio.samples import RATE
from desktop.media.audio.spectrum import BINS, STORED_RATE, spectrum_at
from desktop.pipeline.chain.filter_inputs import tracks_of
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.inputs import MAX_TRACKS
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.sources import MaskScene
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.shapes import Box
from desktop.vision.tasks.task import Features, Result
from desktop.vision.tracking.scene import SceneSpec, TrackedResult
from desktop.vision.tracking.track import TrackSpec

ALL = """/* lightloom
title = "All inputs"
inputs = ["audio", "mask", "tracks"]
*/
// Red: a bar of the spectrum per column. Green: inside an object. Blue: the mask.
fn main(p: vec2i) -> vec4f {
  let uv = uv_of(p);
  var inside = 0.0;
  for (var i = 0u; i < tracks.count; i++) {
    let box = tracks.items[i].box;
    if (all(uv >= box.xy) && all(uv < box.zw)) { inside = 1.0; }
  }
  return vec4f(spectrum(uv.x * 12000.0), inside, texel(mask, p).r, 1.0);
}
"""
WAVE = """/* lightloom
title = "Wave"
inputs = ["audio"]
*/
fn main(p: vec2i) -> vec4f {
  let uv = uv_of(p);
  return vec4f(0.5 + 0.5 * waveform(uv.x), loudest(900.0, 1100.0), spectrum(5000.0), 1.0);
}
"""
MASKED = """/* lightloom
title = "Masked"
inputs = ["mask"]
*/
fn main(p: vec2i) -> vec4f { return vec4f(vec3f(texel(mask, p).r), 1.0); }
"""


@pytest.fixture
def library(tmp_path) -> FilterLibrary:
    folder = tmp_path / "filters"
    folder.mkdir()
    for name, text in (("all_inputs", ALL), ("wave", WAVE), ("masked", MASKED)):
        (folder / f"{name}.wgsl").write_text(text, "utf-8")
    return FilterLibrary(folder)


@pytest.fixture
def engine(library) -> Iterator[Engine]:
    made = Engine(Gpu.open, library, LiveNetwork.load, wait=True, in_flight=1)
    yield made
    made.close()


def sines(*parts: tuple[float, float], seconds: float = 1.0) -> np.ndarray:
    """Sum sines of (Hz, amplitude): float32 [n, 2]."""
    time = np.arange(round(seconds * RATE)) / RATE
    wave = sum(amplitude * np.sin(2 * np.pi * hz * time) for hz, amplitude in parts)
    return np.stack([wave, wave], 1).astype(np.float32)


def curves(samples: np.ndarray, *, piece: int = 4321) -> AudioCurves:
    maker = CurveMaker(stores_samples=True)
    for begin in range(0, len(samples), piece):
        maker.add(samples[begin : begin + piece])
    return maker.finish()


def rendered(engine: Engine, shown) -> np.ndarray:
    assert engine.render(shown)
    return image(engine.pipeline) / 255


# -- audio ---------------------------------------------------------------------------------------------------


def test_samples_are_stored_at_half_the_rate_whatever_the_pieces():
    samples = sines((1000, 0.5), (5000, 0.25))
    found = curves(samples).samples
    assert found is not None and len(found) == len(samples) // 2
    assert np.array_equal(found, curves(samples, piece=RATE).samples)
    assert np.array_equal(found, curves(samples, piece=17).samples)
    time = np.arange(len(found)) / STORED_RATE
    expected = 0.5 * np.sin(2 * np.pi * 1000 * time) + 0.25 * np.sin(2 * np.pi * 5000 * time)
    assert np.abs(found[100:-100] / 32767 - expected[100:-100]).max() < 0.002
    # What half the rate cannot hold must not come back as another frequency.
    assert np.abs(curves(sines((15000, 0.5))).samples[100:-100]).max() < 33
    assert CurveMaker().finish().samples is None


@pytest.mark.parametrize("decibels", [0, -20, -40])
def test_spectrum_of_a_sine(decibels):
    hz = 64 * STORED_RATE / (2 * BINS)
    samples = curves(sines((hz, 10 ** (decibels / 20)))).samples
    spectrum, waveform = spectrum_at(samples, 0.5)
    assert int(np.argmax(spectrum)) == 64
    assert spectrum[64] == pytest.approx(1 + decibels / 80, abs=0.01)
    assert spectrum[:60].max() < 0.4 and spectrum[70:].max() < 0.4
    middle = round(0.5 * STORED_RATE)
    expected = samples[middle - BINS // 2 : middle + BINS // 2] / 32767
    assert np.abs(waveform - expected).max() < 1e-6


@pytest.mark.parametrize("seconds", [-5.0, 99.0, float("nan"), float("inf")])
def test_silence_outside_of_the_track(seconds):
    found = spectrum_at(curves(sines((1000, 0.5))).samples, seconds)
    assert found.shape == (2, BINS) and not found.any()


def test_filters_read_spectrum_and_waveform(engine):
    audio = curves(sines((1000, 0.5)))
    engine.current.curves = CurvesOf(audio)
    engine.current.set_setup(Setup(ChainSpec().added("wave", {})))
    found = rendered(engine, frame_of(np.zeros((HEIGHT, WIDTH, 3), np.uint8), pts=0.5))
    spectrum, waveform = spectrum_at(audio.samples, 0.5)
    at = np.clip((np.arange(WIDTH) + 0.5) / WIDTH * BINS - 0.5, 0, BINS - 1)
    expected = 0.5 + 0.5 * np.interp(at, np.arange(BINS), waveform)
    assert np.abs(found[0, :, 0] - expected).max() < 2 / 255
    assert found[0, 0, 1] == pytest.approx(spectrum[38:48].max(), abs=1.5 / 255)
    assert found[0, 0, 2] == pytest.approx(spectrum[round(5000 / 12000 * BINS)], abs=2 / 255)
    assert engine.current.snapshot().stages[0].inputs.lacks == ()


def test_without_audio_there_is_silence_and_the_status_says_so(engine):
    engine.current.set_setup(Setup(ChainSpec().added("wave", {})))
    found = rendered(engine, frame_of(np.zeros((HEIGHT, WIDTH, 3), np.uint8), pts=0.5))
    assert np.abs(found[0, 0, :3] - (0.5, 0, 0)).max() < 1.5 / 255
    assert engine.current.snapshot().stages[0].inputs.lacks == ("audio",)


# -- the mask ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("inverted", [False, True])
def test_filters_read_their_mask_instead_of_being_mixed_by_it(engine, library, inverted):
    values = library.mask("rectangle").check({"center": (0.25, 0.5), "width": 50, "height": 100})
    mask = MaskSpec((MaskPart("rectangle", values),), inverted=inverted)
    chain = ChainSpec().added("masked", {}).with_mixing(1, mask=mask)
    gray = np.full((HEIGHT, WIDTH, 3), 100, np.uint8)
    engine.current.set_setup(Setup(chain))
    found = rendered(engine, frame_of(gray))
    expected = np.zeros((HEIGHT, WIDTH))
    expected[:, : WIDTH // 2] = 1
    expected = 1 - expected if inverted else expected
    away = np.abs(np.arange(WIDTH) + 0.5 - WIDTH // 2) > 1
    assert np.abs(found[..., 0] - expected)[:, away].max() < 1 / 255
    # Opacity mixes it still.
    engine.current.set_setup(Setup(chain.with_mixing(1, opacity=0.5)))
    half = rendered(engine, frame_of(gray))
    assert np.abs(half[..., 0] - (expected + 100 / 255) / 2)[:, away].max() < 1.5 / 255
    # Without a mask it is the whole frame.
    engine.current.set_setup(Setup(chain.with_mixing(1, mask=None)))
    assert rendered(engine, frame_of(gray))[..., 0].min() == 1


# -- tracked objects -----------------------------------------------------------------------------------------


def test_a_filter_reads_audio_mask_and_tracks(engine, library, tmp_path):
    audio = curves(sines((3000, 0.5)))
    engine.current.curves = CurvesOf(audio)
    values = library.mask("ellipse").check({"center": (0.5, 0.5), "width": 60, "height": 80})
    chain = ChainSpec().added("all_inputs", {}).with_mixing(1, mask=MaskSpec((MaskPart("ellipse", values),)))
    network = NetworkSpec(str(square_detector(tmp_path / "detector.onnx")))
    engine.current.set_setup(Setup(chain, network, SceneSpec(track=TrackSpec())))
    for number in range(4):
        found = rendered(engine, frame(0.1 * number, 32 + 4 * number, 32))
    height, width = found.shape[:2]
    y, x = (np.mgrid[0:height, 0:width] + 0.5) / np.array([height, width])[:, None, None]
    spectrum = spectrum_at(audio.samples, 0.3)[0]
    bins = np.clip(x[0] * BINS, 0, BINS - 1)
    assert np.abs(found[0, :, 0] - np.interp(bins, np.arange(BINS), spectrum)).max() < 2 / 255
    tracked = engine.current.snapshot().tracked_result
    (box,) = (shape for shape in tracked.shapes if isinstance(shape, Box))
    expected = (x >= box.left) & (x < box.right) & (y >= box.top) & (y < box.bottom)
    assert expected.any() and np.array_equal(found[..., 1] > 0.5, expected)
    ellipse = ((x - 0.5) / 0.3) ** 2 + ((y - 0.5) / 0.4) ** 2
    assert found[..., 2][ellipse < 0.9].min() > 0.99 and found[..., 2][ellipse > 1.1].max() < 0.01
    status = engine.current.snapshot().stages[0].inputs
    assert status.lacks == () and status.lag_ms == 0


class Found(Result):
    """A result without content of its own."""

    features = Features()

    def json(self):
        return {}

    def lines(self):
        return ()

    def shapes(self):
        return ()


def scene_of(*shapes, lag: float = 0.0, expected_at=lambda pts: {}) -> MaskScene:
    return MaskScene(1.0 + lag, TrackedResult(Found(), 1.0, (100, 100), shapes), expected_at)


def test_tracks_are_moved_to_the_frame_and_the_largest_come_first():
    def expected(pts: float):
        x = 0.2 + 0.5 * (pts - 1.0)
        return {7: (x, 0.1, x + 0.3, 0.4)}

    small = Box("cup", 3, 0.8, 0.8, 0.9, 0.9, 0.5)
    large = Box("dog", 1, 0.25, 0.15, 0.45, 0.35, 0.75, identity=7)
    first, second = tracks_of(scene_of(small, large, lag=0.2, expected_at=expected))
    assert first.box == pytest.approx((0.35, 0.15, 0.55, 0.35)) and first.velocity == pytest.approx((0.5, 0))
    assert (first.identity, first.label, first.score) == (7, 1, 0.75)
    assert second.box == (0.8, 0.8, 0.9, 0.9) and (second.identity, second.velocity) == (0, (0.0, 0.0))


def test_outputs_that_are_no_numbers_and_too_many_objects_do_no_harm():
    many = [Box("x", 0, 0, 0, 0.1 + 0.001 * n, 0.1, float("nan")) for n in range(100)]
    found = tracks_of(scene_of(Box("y", 0, float("nan"), 0, 1, 1), *many))
    assert len(found) == MAX_TRACKS and found[0].box[2] == pytest.approx(0.199) and found[0].score == 1.0
    assert tracks_of(MaskScene(1.0)) == ()
    assert tracks_of(scene_of(*many, lag=2.0)) == (), "a result of the far past"


# -- bundled filters -----------------------------------------------------------------------------------------


def test_audio_spectrum_draws_bars(engine):
    engine.current.curves = CurvesOf(curves(sines((1000, 1.0))))
    engine.current.set_setup(
        Setup(ChainSpec().added("spectrum", {"bars": 16, "height": 50.0, "color": (1.0, 0.0, 0.0, 1.0)}))
    )
    found = rendered(engine, frame_of(np.zeros((HEIGHT, WIDTH, 3), np.uint8), pts=0.5))
    heights = (found[..., 0] > 0.5).sum(axis=0)
    loudest = int(np.log(1000 / 40) / np.log(12000 / 40) * 16)
    middles = ((np.arange(16) + 0.5) * WIDTH / 16).astype(int)
    assert heights[middles[loudest]] == pytest.approx(HEIGHT / 2, abs=2)
    assert int(np.argmax(heights[middles])) == loudest
    assert heights[0] == 0, "the gap between bars"


def test_spotlight_lights_objects_alone(engine, tmp_path):
    chain = ChainSpec().added("spotlight", {"dim": 0.0, "softness": 0.01, "size": 2.0})
    network = NetworkSpec(str(square_detector(tmp_path / "detector.onnx")))
    engine.current.set_setup(Setup(chain, network))
    found = rendered(engine, frame(0.0, 48, 32))
    assert found[40, 56, 0] > 0.95 and found[..., 0].sum() == pytest.approx(256, rel=0.05)
    # Nothing detected: the frame as it is.
    engine.current.set_setup(Setup(chain))
    assert np.array_equal(rendered(engine, frame(0.1)), rendered(engine, frame(0.1)))


def test_commands_refuse_what_the_inputs_lack():
    with pytest.raises(UsageError, match="'spectrum' reads the audio of a video file, and there is none"):
        lightloom.Chain(["spectrum"])
    with pytest.raises(UsageError, match="'spotlight' reads what an analysis network finds"):
        lightloom.Chain(["spotlight"])
