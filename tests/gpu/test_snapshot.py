"""Snapshots for the window: values of one moment that nothing changes afterwards."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator

import numpy as np
import pytest

from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.snapshot import FrameSnapshot, NetworkStatus


def frame(pts: float) -> Frame:
    pixels = np.full((32, 48, 4), 200, np.uint8)
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    plane = Plane(pixels.tobytes(), 48 * 4, 48, 32)
    return Frame((plane,), RGBA, 48, 32, color, pts=pts, captured_at=time.perf_counter())


@pytest.fixture
def engine() -> Iterator[Engine]:
    made = Engine(Gpu.open, FilterLibrary(None), load_network=None, wait=True)
    yield made
    made.close()


def show(engine: Engine, *times: float) -> None:
    for pts in times:
        engine.render(frame(pts))
    engine.pipeline.drain()


def test_a_snapshot_before_the_first_picture(engine):
    now = engine.current.snapshot()
    assert now.picture_size == (0, 0) and not now.has_picture
    assert (now.stages, now.result, now.network) == ((), None, NetworkStatus())
    assert (now.latency, now.frame_time, now.stats.frames) == ((), (), 0)


def test_a_snapshot_stays_as_it_was(engine):
    chain = ChainSpec().added("invert", {})
    engine.current.set_setup(Setup(chain))
    show(engine, 0.0, 0.1)
    then = engine.current.snapshot()
    assert then.picture_size == (48, 32) and then.has_picture and then.stats.frames == 2
    assert len(then.latency) == 2 and len(then.frame_time) == 1
    assert [stage.id for stage in then.stages] == [chain.stages[0].id]
    kept = dataclasses.replace(then)
    engine.current.set_setup(Setup())
    show(engine, 0.2)
    engine.current.reset_stats()
    assert then == kept
    assert engine.current.snapshot().stages == () and engine.current.snapshot().stats.frames == 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        then.picture_size = (1, 1)


def test_a_snapshot_outlives_its_pipeline(engine):
    show(engine, 0.0)
    then = engine.current.snapshot()
    engine.rebuild()
    assert then.picture_size == (48, 32)
    assert engine.current.snapshot().picture_size == (48, 32), "the last picture is drawn anew"
    assert {field.name for field in dataclasses.fields(FrameSnapshot)} == {
        *("picture_size", "stats", "latency", "frame_time", "stages", "network", "result", "tracked_result"),
        *("calls", "counts", "hidden", "automated", "layers"),
    }


def test_a_new_source_brings_nothing_of_the_one_before(engine):
    show(engine, 0.0)
    engine.pipeline.analyses.latest = object()
    engine.current.clear_source_state()
    assert engine.current.snapshot().result is None and engine.current.result is None
    show(engine, 5.0)
    assert engine.current.snapshot().frame_time == (), "what lies between is no frame time"
