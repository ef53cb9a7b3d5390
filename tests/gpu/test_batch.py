"""Frames of batch work."""

from __future__ import annotations

from itertools import islice

from desktop.compute.gpu.device import Gpu
from desktop.media.sources.sample import SampleSource
from desktop.pipeline.batch import run_batch
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup


def test_a_frame_is_taken_when_it_can_be_rendered(gpu):
    """It does not wait for those before it, and so is not older than the GPU makes it."""
    library = FilterLibrary(None)
    engine = Engine(lambda: Gpu.open(), library, LiveNetwork.load, wait=True)
    in_flight = []

    def frames():
        for frame in islice(SampleSource((640, 360)).frames(), 6):
            in_flight.append(engine.pipeline.in_flight)
            yield frame

    try:
        chain = typed_chain(library, [parse_stage("gaussian_blur:radius=20")] * 3)
        engine.current.set_setup(Setup(chain))
        result = run_batch(engine, frames())
    finally:
        engine.close()
    assert result.frames == 6
    assert len(in_flight) == 6
    assert max(in_flight) < 2
