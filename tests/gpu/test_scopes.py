"""Scopes against NumPy on the same pixels: every count exact where every pixel is counted."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from losing import lose
from test_pipeline import noise, rgba_frame
from waiting import LIMIT_S

from desktop.compute.gpu.device import Gpu
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.scopes.values import MAGNIFIED, Magnifier, ScopesSpec
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tracking.anonymize import AnonymizeSpec

ALL = frozenset(("histogram", "waveform", "parade", "vectorscope"))
INVERTED = ChainSpec().added("invert", {})
TWO = INVERTED.added("posterize", {"levels": 2})


@pytest.fixture
def engine(gpu):
    made = Engine(Gpu.open, FilterLibrary(None), load_network=None)
    yield made
    made.close()


def get(engine, frame, wanted):
    """Render a frame, and repaint until the wanted values are there."""
    engine.render(frame)
    end = time.perf_counter() + LIMIT_S
    while not (found := wanted()) and time.perf_counter() < end:
        time.sleep(0.01)
        engine.current.is_busy()
        if engine.current.wants_frames:
            engine.render(None)
    assert found, "they did not come"
    return found


def scopes_of(engine, picture, point="result", kinds=ALL):
    engine.watch_scopes(ScopesSpec())  # what there is of an earlier picture is dropped
    engine.watch_scopes(ScopesSpec(kinds, point))
    return get(engine, rgba_frame(picture), lambda: engine.current.scopes)


def with_luma(picture):
    """uint8 [h, w, 4]: R, G, B, luma, with its code as BT.709 has it."""
    luma = picture[..., :3].astype(np.float64) @ (0.2126, 0.7152, 0.0722)
    return np.dstack((picture[..., :3], np.floor(luma + 0.5 + 1e-9).astype(np.uint8)))


def histogram(picture):
    return np.array(
        [np.bincount(channel.ravel(), minlength=256) for channel in np.moveaxis(with_luma(picture), 2, 0)]
    )


def waveform(picture):
    width = picture.shape[1]
    columns = min(256, width)
    ends = np.arange(columns + 1) * width // columns
    whole = with_luma(picture) // 2
    return np.array(
        [
            np.array(
                [
                    np.bincount(whole[:, a:b, channel].ravel(), minlength=128)
                    for a, b in itertools.pairwise(ends)
                ]
            ).T
            for channel in range(4)
        ]
    )


def vectorscope(picture):
    code = picture[..., :3].astype(np.int64)
    luma = code @ (2126, 7152, 722)
    found = np.zeros((128, 128), np.int64)
    bins = [
        (64 * divisor + (10000 * code[..., channel] - luma) * 126 + divisor // 2) // divisor
        for channel, divisor in ((0, 4015740), (2, 4731780))
    ]
    np.add.at(found, tuple(bins), 1)
    return found


def check(values, picture):
    assert values.size == (picture.shape[1], picture.shape[0]) and values.step == 1
    assert (values.histogram == histogram(picture)).all()
    assert (values.waveform == waveform(picture)).all()
    assert (values.vectorscope == vectorscope(picture)).all()


@pytest.mark.parametrize("size", [(320, 180), (97, 61), (1, 1), (513, 7), (1000, 300)])
def test_every_pixel_is_counted(engine, size):
    picture = noise(5, *size)
    check(scopes_of(engine, picture), picture)


def test_a_picture_of_one_color_is_in_one_bin(engine):
    picture = np.full((200, 300, 4), (191, 64, 64, 255), np.uint8)
    values = scopes_of(engine, picture)
    check(values, picture)
    assert values.count == 60000 and np.count_nonzero(values.histogram) == 4
    assert values.mean(0) == 191 and values.clipped(0) == (0.0, 0.0)
    # Half-saturated red, by the formulas of BT.709 themselves.
    luma = (0.2126 * 191 + 0.7874 * 64) / 255
    cb, cr = (64 / 255 - luma) / 1.8556, (191 / 255 - luma) / 1.5748
    assert values.vectorscope[round(64 + 126 * cr), round(64 + 126 * cb)] == 60000


def test_clipped_shares_and_means(engine):
    picture = np.zeros((64, 64, 4), np.uint8)
    picture[:16, :, :3] = 255
    picture[..., 3] = 255
    values = scopes_of(engine, picture)
    assert values.clipped(3) == (0.75, 0.25) and values.mean(3) == 63.75


def test_the_image_may_be_that_of_any_stage(engine):
    picture = noise(8, 160, 90)
    inverted = picture.copy()
    inverted[..., :3] = 255 - picture[..., :3]
    first, second = (stage.id for stage in TWO.stages)
    engine.current.set_setup(Setup(TWO))
    get(
        engine,
        rgba_frame(picture),
        lambda: all(s.state == "running" for s in engine.current.snapshot().stages),
    )
    check(scopes_of(engine, picture, "source"), picture)
    check(scopes_of(engine, picture, first), inverted)
    last = scopes_of(engine, picture, second)
    result = scopes_of(engine, picture, "result")
    assert (last.histogram == result.histogram).all() and (last.waveform == result.waveform).all()
    assert np.count_nonzero(result.histogram[0]) == 2
    # A frame that stays: another image of it, without a new frame.
    engine.watch_scopes(ScopesSpec(ALL, first))
    check(get(engine, None, lambda: engine.current.scopes), inverted)
    # A stage that is off hands on what it gets.
    engine.current.set_setup(Setup(TWO.with_enabled(first, False)))
    check(scopes_of(engine, picture, first), picture)


def test_only_what_is_asked_for_is_counted(engine):
    picture = noise(5, 320, 180)
    values = scopes_of(engine, picture, kinds=frozenset(("histogram",)))
    assert values.waveform is None and values.vectorscope is None
    values = scopes_of(engine, picture, kinds=frozenset(("vectorscope",)))
    assert values.waveform is None and (values.vectorscope == vectorscope(picture)).all()


def test_nothing_is_recorded_without_a_request(engine):
    def spans():
        return engine.pipeline.statistics.spans.get("scopes", ((), None))

    engine.render(rgba_frame(noise(1, 64, 36)))
    engine.pipeline.drain()
    assert "scopes" not in engine.pipeline.statistics.spans and engine.current.scopes is None
    scopes_of(engine, noise(1, 64, 36))
    engine.watch_scopes(ScopesSpec())
    engine.pipeline.drain()
    assert engine.current.scopes is None
    counted = len(spans()[1].values)
    for pts in range(10):
        engine.render(rgba_frame(noise(pts, 64, 36), pts))
        engine.pipeline.drain()
        time.sleep(0.02)
    assert counted > 0 and len(spans()[1].values) == counted
    assert engine.current.scopes is None and engine.current.picked is None


def test_at_most_ten_times_a_second(engine):
    engine.watch_scopes(ScopesSpec(ALL))
    begun, seen = time.perf_counter(), set()
    while time.perf_counter() - begun < 1.0:
        engine.render(rgba_frame(noise(1, 64, 36), time.perf_counter()))
        engine.pipeline.drain()
        seen.add(id(engine.current.scopes))
    spans = engine.pipeline.statistics.spans["scopes"][1].values
    assert 2 <= len(spans) <= 11


def test_large_frames_are_sampled_while_they_play_and_whole_when_they_stay(engine):
    picture = noise(3, 2560, 1440)
    engine.watch_scopes(ScopesSpec(ALL))
    playing = get(engine, rgba_frame(picture), lambda: engine.current.scopes)
    assert playing.step == 2 and playing.count == 2560 * 720
    assert (playing.histogram == histogram(picture[::2])).all()
    resting = get(engine, None, lambda: engine.current.scopes.step == 1 and engine.current.scopes)
    check(resting, picture)


def test_the_source_of_a_redacted_frame_is_redacted(engine):
    picture = noise(4, 160, 90)
    engine.current.set_setup(Setup(anonymize=AnonymizeSpec(frozenset(("face",)))))
    values = scopes_of(engine, picture, "source")
    # Nothing was analyzed yet: all of the frame is hidden, and its noise with it.
    assert np.count_nonzero(values.histogram[3]) < np.count_nonzero(histogram(picture)[3]) / 2


def test_turning_redaction_on_drops_what_was_counted(engine):
    picture = noise(4, 160, 90)
    engine.watch_scopes(ScopesSpec(ALL, picked=(0.5, 0.5)))
    get(engine, rgba_frame(picture), lambda: engine.current.scopes and engine.current.picked)
    engine.current.set_setup(Setup(anonymize=AnonymizeSpec(frozenset(("face",)))))
    assert engine.current.scopes is None and engine.current.picked is None
    hidden = get(engine, rgba_frame(picture), lambda: engine.current.scopes)
    assert np.count_nonzero(hidden.histogram[3]) < np.count_nonzero(histogram(picture)[3]) / 2


@pytest.mark.parametrize("at", [(0.5, 0.5), (0.0, 0.0), (1.0, 1.0), (0.9, 0.03)])
def test_picked_colors_are_means_before_and_after(engine, at):
    picture = noise(6, 160, 90)
    engine.current.set_setup(Setup(INVERTED))
    get(engine, rgba_frame(picture), lambda: engine.current.snapshot().stages[0].state == "running")
    engine.watch_scopes(ScopesSpec(picked=at))
    found = get(engine, rgba_frame(picture), lambda: engine.current.picked)
    x, y = min(int(at[0] * 160), 159), min(int(at[1] * 90), 89)
    around = picture[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3, :3].reshape(-1, 3) / 255
    assert found.at == at
    assert np.abs(found.before - around.mean(axis=0)).max() < 0.001
    assert np.abs(found.after - (1 - around.mean(axis=0))).max() < 0.001
    assert engine.current.scopes is None


def test_a_pointer_that_moves_over_a_frame_that_stays_brings_other_colors(engine):
    picture = np.zeros((40, 80, 4), np.uint8)
    picture[:, 40:, 0] = picture[..., 3] = 255
    engine.watch_scopes(ScopesSpec(picked=(0.2, 0.5)))
    assert get(engine, rgba_frame(picture), lambda: engine.current.picked).after[0] == 0
    engine.watch_scopes(ScopesSpec(picked=(0.8, 0.5)))
    found = get(engine, None, lambda: engine.current.picked.at == (0.8, 0.5) and engine.current.picked)
    assert found.after == (1.0, 0.0, 0.0)


def test_they_go_on_after_a_device_was_lost(engine):
    picture = noise(5, 320, 180)
    check(scopes_of(engine, picture), picture)
    lose(engine.gpu)
    other = noise(9, 320, 180)
    engine.render(rgba_frame(other))
    assert engine.losses == 1
    check(get(engine, rgba_frame(other), lambda: engine.current.scopes), other)


def test_they_are_of_the_source_in_use(engine):
    first, second = noise(1, 64, 36), noise(2, 64, 36)
    check(scopes_of(engine, first), first)
    before = engine.current
    other = engine.add_source_pipeline()
    engine.use_source_pipeline(other)
    check(get(engine, rgba_frame(second), lambda: engine.current.scopes), second)
    assert before.scopes is None
    engine.use_source_pipeline(before)
    engine.remove_source_pipeline(other)


# -- magnified pixels ----------------------------------------------------------------------------------------


def around(picture, center, side):
    """The pixels that a magnifier shows: R, G, B in 0..1, [side, side, 3]."""
    height, width = picture.shape[:2]
    x = np.clip(np.arange(side) + center[0] - side // 2, 0, width - 1)
    y = np.clip(np.arange(side) + center[1] - side // 2, 0, height - 1)
    return picture[y][:, x, :3] / 255


def test_magnified_pixels(engine):
    picture = noise(1, 96, 64)
    engine.render(rgba_frame(picture))
    places = {(0.5, 0.5): (48, 32), (0.0, 1.0): (0, 63), (2.0, -1.0): (95, 0)}
    for side, (at, center) in zip(MAGNIFIED, places.items(), strict=True):
        engine.watch_scopes(ScopesSpec())
        engine.watch_scopes(ScopesSpec(magnifier=Magnifier(at, "source", side)))
        found = get(engine, None, lambda: engine.current.magnified)
        assert found.center == center and found.size == (96, 64) and found.point == "source"
        assert np.abs(found.pixels[..., :3] - around(picture, center, side)).max() < 0.001
        assert (found.pixels[..., 3] == 1).all() and found.value == tuple(found.pixels[side // 2, side // 2])


def test_magnified_pixels_after_each_stage_move_over_a_frame_that_stays(engine):
    picture = noise(1, 96, 64)
    engine.current.set_setup(Setup(TWO))
    engine.render(rgba_frame(picture))
    engine.pipeline.drain()

    def at(share, point):
        engine.watch_scopes(ScopesSpec(magnifier=Magnifier(share, point, 8)))

        def arrived():
            found = engine.current.magnified
            is_there = found is not None and found.point == point and found.center == (int(share[0] * 96), 32)
            return found if is_there else None

        return get(engine, None, arrived)

    inverted = 255 - picture
    assert np.abs(at((0.5, 0.5), 1).pixels[..., :3] - around(inverted, (48, 32), 8)).max() < 0.001
    runs = engine.pipeline.statistics.spans["filter:1"][1].values
    before = len(runs)
    assert np.abs(at((0.25, 0.5), 1).pixels[..., :3] - around(inverted, (24, 32), 8)).max() < 0.001
    assert len(runs) == before, "the chain is not rendered again for another position"
    result = at((0.25, 0.5), "result").pixels[..., :3]
    assert np.isin(np.round(result, 3), (0, 1)).all()
    engine.watch_scopes(ScopesSpec(ALL, 2, (0.5, 0.5), Magnifier((0.5, 0.5), 1, 8)))
    values = get(
        engine, rgba_frame(picture), lambda: engine.current.scopes if engine.current.magnified else None
    )
    assert np.count_nonzero(values.histogram[0]) == 2 and engine.current.picked is not None
    engine.watch_scopes(ScopesSpec())
    assert engine.current.magnified is None
