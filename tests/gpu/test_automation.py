"""Automated parameters: each source against what it should give, and live frames against exported ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sound_rig import clicks
from test_object_masks import GREEN, frame
from waiting import until

from desktop.base.errors import UsageError
from desktop.compute.gpu.device import Gpu
from desktop.media.audio.curves import AudioCurves, CurveMaker
from desktop.media.audio.samples import RATE
from desktop.pipeline.automation.controls import ControlValues
from desktop.pipeline.automation.key_frames import key_frames_of, key_frames_text, value_at
from desktop.pipeline.automation.source import Moment, automation_source, automation_sources
from desktop.pipeline.automation.sources.midi import midi_address
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.automating import targets_of, value_of, with_value_of
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.setup.setup import Setup


@pytest.fixture
def library(tmp_path) -> FilterLibrary:
    folder = tmp_path / "filters"
    folder.mkdir()
    (folder / "green.wgsl").write_text(GREEN, "utf-8")
    return FilterLibrary(folder)


def at(source: str, pts: float, **values: object) -> float | None:
    found = automation_source(source)
    return found.at(found.check(values), Moment(pts))


# -- the sources ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "values"),
    [
        ("sine", [0.0, 0.5, 1.0, 0.5]),
        ("triangle", [0.0, 0.5, 1.0, 0.5]),
        ("square", [1.0, 1.0, 0.0, 0.0]),
        ("sawtooth", [0.0, 0.25, 0.5, 0.75]),
    ],
)
def test_oscillators(shape, values):
    found = [at("lfo", 8 + quarter, shape=shape, period=4.0) for quarter in range(4)]
    assert found == pytest.approx(values, abs=1e-9)
    turned = [at("lfo", quarter, shape=shape, period=4.0, phase=90.0) for quarter in range(4)]
    assert turned == pytest.approx([*values[1:], values[0]], abs=1e-9)


def test_random_steps_are_the_same_each_time_and_hold():
    steps = [at("lfo", n * 0.5 + 0.1, shape="random", period=0.5) for n in range(200)]
    assert steps == [at("lfo", n * 0.5 + 0.4, shape="random", period=0.5) for n in range(200)]
    assert len(set(steps)) == 200 and 0.4 < np.mean(steps) < 0.6 and min(steps) >= 0 and max(steps) <= 1


def test_key_frames():
    text = "1=10 3=20:ease 5=0:hold 6=4"
    found = {time: at("key_frames", time, frames=text) for time in (0, 1, 2, 3, 4, 5, 5.9, 6, 99)}
    assert found == {0: 10, 1: 10, 2: 15, 3: 20, 4: 10, 5: 0, 5.9: 0, 6: 4, 99: 4}
    # Slow at both ends: after a quarter of the time, less than a quarter of the change is done.
    assert at("key_frames", 3.5, frames=text) == pytest.approx(20 - 20 * (0.25**2 * (3 - 0.5)))
    assert at("key_frames", 0, frames="") is None


@pytest.mark.parametrize(
    "text", ["1", "1=", "=2", "1=x", "nan=1", "1=inf", "1=2:swing", "-1=2", "1=2:ease:hold", "1=1e300"]
)
def test_key_frames_that_are_none_are_refused(text):
    with pytest.raises(UsageError, match="values at times in seconds"):
        automation_source("key_frames").check({"frames": text})


def test_key_frames_are_sorted_and_the_last_of_a_time_counts():
    frames = key_frames_of("3=1 1=5:hold 3=2")
    assert key_frames_text(frames) == "1=5:hold 3=2" and value_at(frames, 2.99) == 5
    late = "12345.678=1 12345.679=2"
    assert key_frames_text(key_frames_of(late)) == late


def curves(samples: np.ndarray):
    maker = CurveMaker()
    for begin in range(0, len(samples), 4321):
        maker.add(samples[begin : begin + 4321])
    return maker.finish()


def test_onsets_of_a_click_track_are_within_20_ms():
    times = np.arange(0.5, 19.5, 0.25) + np.random.default_rng(1).uniform(-0.08, 0.08, 76)
    found = curves(clicks(times, 20.0)).onsets
    assert len(found) == len(times)
    assert np.abs(found - times).max() < 0.02


@pytest.mark.parametrize("tempo", [90.0, 120.0, 150.0])
def test_beats_of_a_steady_click_track(tempo):
    times = np.arange(0.5, 29.5, 60 / tempo)
    found = curves(clicks(times, 30.0))
    assert found.tempo == pytest.approx(tempo, rel=0.02)
    nearest = [np.abs(found.beats - time).min() for time in times[2:-2]]
    assert max(nearest) < 0.02


def test_loudness_and_bands_of_sines():
    time = np.arange(2 * RATE) / RATE
    for frequency, band in ((80, "bass"), (800, "mid"), (6000, "treble")):
        for decibels in (0, -20, -40):
            wave = 10 ** (decibels / 20) * np.sin(2 * np.pi * frequency * time)
            found = curves(np.stack([wave, wave], 1).astype(np.float32))
            middle = len(found.level) // 2
            assert found.level[middle] == pytest.approx(1 + decibels / 60, abs=0.01)
            assert found.bands[band][middle] == pytest.approx(1 + decibels / 60, abs=0.01)
            others = [found.bands[other][middle] for other in found.bands if other != band]
            assert max(others) <= max(0.0, 1 + decibels / 60 - 0.4)


def test_silence_has_neither_onsets_nor_a_tempo():
    found = curves(np.zeros((RATE, 2), np.float32))
    assert len(found.onsets) == len(found.beats) == 0 and found.tempo == 0 and found.level.max() == 0
    assert len(curves(np.zeros((0, 2), np.float32)).onsets) == 0


def test_audio_follows_at_the_release_that_is_set():
    audio = curves(clicks(np.array([1.0]), 3.0))
    source = automation_source("audio")
    pulse = source.check({"follow": "onset", "release": 0.5})
    found = [source.at(pulse, Moment(time, audio)) for time in (0.9, 1.02, 1.52, 2.02)]
    assert found[0] == 0 and found[1] > 0.95
    assert found[2] == pytest.approx(found[1] / 2) and found[3] == pytest.approx(found[1] / 4)
    loud = source.check({"follow": "level", "release": 0.0})
    levels = [source.at(loud, Moment(time, audio)) for time in (0.5, 1.005, 1.5)]
    assert levels[1] > levels[0] + 0.3 and levels[2] < levels[1] - 0.3
    assert source.at(loud, Moment(1.0)) is None


# -- stages --------------------------------------------------------------------------------------------------


def lfo(low: float, high: float, **values: object) -> Automation:
    return Automation("lfo", automation_source("lfo").check(values), low, high)


def faded(**more: object) -> ChainSpec:
    """A chain whose opacity goes from 0 to 1 within a second."""
    return (
        ChainSpec().added("green", {}).with_automation(1, "opacity", lfo(0, 1, shape="sawtooth", period=1.0))
    )


def green_of(pipeline: Pipeline) -> float:
    pipeline.drain()
    return pipeline.export().result()[0, 0, 1] / 255


def test_opacity_is_automated_frame_by_frame(gpu, library):
    exported = Pipeline(gpu, library, wait=True, dither=False)
    exported.set_chain(faded())
    for number in range(25):
        exported.render(frame(number * 0.04))
        assert green_of(exported) == pytest.approx(number * 0.04, abs=1 / 255)
        assert exported.chain.automated[1]["opacity"] == pytest.approx(number * 0.04)
    exported.close()


def test_live_frames_equal_exported_ones(gpu, library):
    """Frames that are shown live, some left out, have the values that they have in an export."""
    live = Pipeline(gpu, library, dither=False)
    live.set_chain(faded())
    until(lambda: live.render(frame(0.0)) and not live.chain.is_compiling)
    shown = {}
    for number in range(0, 60, 3):
        pts = number * 0.04
        until(lambda pts=pts: live.render(frame(pts)))
        shown[pts] = green_of(live)
    live.close()
    for pts, value in shown.items():
        assert value == pytest.approx(math.fmod(pts, 1.0), abs=1 / 255)


def test_parameters_points_and_masks_are_automated(gpu, library):
    """A rectangle that goes from left to right."""
    part = MaskPart("rectangle", library.mask("rectangle").check({"width": 20, "height": 200}))
    chain = ChainSpec().added("green", {}).with_mixing(1, mask=MaskSpec((part,)))
    chain = chain.with_automation(1, "mask.1.center.x", lfo(0.1, 0.9, shape="sawtooth", period=1.0))
    pipeline = Pipeline(gpu, library, wait=True)
    pipeline.set_chain(chain)
    for number in range(0, 25, 4):
        pipeline.render(frame(number * 0.04))
        pipeline.drain()
        columns = np.flatnonzero(pipeline.export().result()[4, :, 1] > 127)
        wanted = (0.1 + 0.8 * number * 0.04) * 128
        assert (columns[0] + columns[-1] + 1) / 2 == pytest.approx(wanted, abs=1)
    pipeline.close()


def test_a_removed_automation_leaves_the_own_value(gpu, library):
    pipeline = Pipeline(gpu, library, wait=True, dither=False)
    values = library.get("brightness_contrast").check({"brightness": 0.5})
    chain = ChainSpec().added("brightness_contrast", values)
    pipeline.set_chain(chain.with_automation(1, "brightness", lfo(1.0, 1.0)))
    pipeline.render(frame(0.0))
    assert green_of(pipeline) == pytest.approx(1.0, abs=1 / 255)
    pipeline.set_chain(chain)
    pipeline.render(frame(0.1))
    assert green_of(pipeline) == pytest.approx(0.5, abs=1 / 255) and pipeline.chain.automated == {}
    disabled = Automation("lfo", automation_source("lfo").check({}), 1.0, 1.0, enabled=False)
    pipeline.set_chain(chain.with_automation(1, "brightness", disabled))
    pipeline.render(frame(0.2))
    assert green_of(pipeline) == pytest.approx(0.5, abs=1 / 255)
    pipeline.close()


def test_a_controller_moves_a_paused_frame(gpu, library):
    controls = ControlValues()
    pipeline = Pipeline(gpu, library, wait=True, dither=False, controls=controls)
    midi = Automation("midi", automation_source("midi").check({"channel": 2, "number": 7}))
    pipeline.set_chain(ChainSpec().added("green", {}).with_automation(1, "opacity", midi))
    pipeline.render(frame(0.0))
    assert green_of(pipeline) == 1.0, "its own value, before the controller was touched"
    controls.put(midi_address("control", 2, 7), 0.25)
    assert pipeline.wants_frames
    pipeline.render(None)
    assert green_of(pipeline) == pytest.approx(0.25, abs=1 / 255)
    pipeline.close()


def test_every_number_can_be_automated_and_read_back(library):
    part = MaskPart("ellipse", library.mask("ellipse").check({}))
    for name, item in library.filters.items():
        chain = ChainSpec().added(name, item.check({})).with_mixing(1, mask=MaskSpec((part,)))
        stage = chain.stages[0]
        for target in targets_of(stage, library).values():
            for value in (target.min, target.max):
                assert value_of(with_value_of(stage, target.name, value), target.name) == pytest.approx(value)
        fixed = item.network.params if item.network is not None else frozenset()
        assert not fixed & targets_of(stage, library).keys()


def test_sources_are_found_with_their_files():
    assert list(automation_sources()) == ["key_frames", "lfo", "audio", "detections", "midi", "osc"]
    with pytest.raises(UsageError, match="There is no automation called 'moon'"):
        automation_source("moon")
    with pytest.raises(UsageError, match="'speed' is no setting of the automation 'lfo'"):
        automation_source("lfo").check({"speed": 1})


class CurvesOf:
    """Curves that are there from the beginning, as of a video file."""

    def __init__(self, curves: AudioCurves) -> None:
        self._curves, self.reads = curves, 0

    @property
    def current(self) -> AudioCurves:
        self.reads += 1
        return self._curves


def test_engines_keep_controls_and_audio_when_the_device_is_replaced(library):
    engine = Engine(lambda: Gpu.open(), library, lambda gpu, spec: None, wait=True)
    audio = CurvesOf(curves(clicks(np.array([0.5]), 1.0)))
    engine.current.curves = audio
    chain = ChainSpec().added("green", {})
    midi = Automation("midi", automation_source("midi").check({"number": 7}))
    engine.current.set_setup(Setup(chain.with_automation(1, "opacity", midi)))
    engine.controls.put(midi_address("control", 1, 7), 0.25)
    engine.render(frame(0.0))
    assert engine.pipeline.chain.automated == {1: {"opacity": 0.25}}
    assert engine.pipeline.audio is None and audio.reads == 0, "no automation needs it"
    engine.rebuild()
    assert engine.pipeline.chain.automated == {1: {"opacity": 0.25}}
    pulse = Automation("audio", automation_source("audio").check({"follow": "onset", "release": 0.5}))
    engine.current.set_setup(Setup(chain.with_automation(1, "opacity", pulse)))
    engine.render(frame(0.6))
    assert 0.8 < engine.pipeline.chain.automated[1]["opacity"] < 1.0
    engine.rebuild()
    assert 0.8 < engine.pipeline.chain.automated[1]["opacity"] < 1.0
    engine.close()
