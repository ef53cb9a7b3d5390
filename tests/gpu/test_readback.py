"""Small results of frames: read by a thread, and by the thread that waits for each frame."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pytest
import wgpu
from test_pipeline import FakeNetwork, noise, rgba_frame
from waiting import LIMIT_S

from desktop.base.errors import StoppedError
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.readback import ReadbackRing
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.pipeline import Pipeline

_BYTES = 32


@pytest.fixture
def own_gpu():
    gpu = Gpu.open()
    yield gpu
    gpu.close()


@pytest.fixture
def discrete(own_gpu):
    """An adapter that says that it computes with cores of its own."""
    own_gpu.adapter = replace(own_gpu.adapter, kind="discrete")
    return own_gpu


@pytest.fixture
def make_ring(own_gpu):
    made = []

    def make(**options):
        made.append(ReadbackRing(own_gpu, 2, _BYTES, **options))
        return made[-1]

    yield make
    for ring in made:
        ring.close()


def submit(gpu, ring, number):
    slot = ring.take(wait=True)
    content = bytes([number] * _BYTES)
    source = gpu.device.create_buffer_with_data(data=content, usage=wgpu.BufferUsage.COPY_SRC)
    encoder = gpu.command_encoder()
    encoder.copy_buffer_to_buffer(source, 0, slot.buffer, 0, _BYTES)
    ring.submitted(slot, f"frame {number}", _BYTES, gpu.submit(encoder.finish()))


def readers():
    return {thread for thread in threading.enumerate() if thread.name == "readback"}


class Held:
    """Maps that are not done until `is_open`."""

    def __init__(self, monkeypatch, gpu):
        self.is_open = False
        self.looks = 0
        begin = gpu.begin_map
        monkeypatch.setattr(gpu, "begin_map", lambda buffer: self._of(begin(buffer)))

    def _of(self, mapping):
        held = self

        class Mapping:
            def is_done(self):
                held.looks += 1
                return held.is_open and mapping.is_done()

            def finish(self):
                mapping.finish()

        return Mapping()


@pytest.mark.parametrize("is_direct", [False, True])
def test_each_frame_comes_with_its_own_bytes_in_order(own_gpu, make_ring, is_direct):
    ring = make_ring(is_direct=is_direct)
    assert ring.is_direct is is_direct
    found = []
    for number in range(7):
        submit(own_gpu, ring, number)
        found += ring.arrivals()
    assert ring.drain(LIMIT_S)
    found += ring.arrivals()
    assert [each.note for each in found] == [f"frame {number}" for number in range(7)]
    assert [each.data for each in found] == [bytes([number] * _BYTES) for number in range(7)]
    finished = [each.finished_at for each in found]
    assert finished == sorted(finished)
    assert (ring.submitted_frames, ring.finished_frames, ring.in_flight) == (7, 7, 0)


def test_the_thread_that_waits_reads_by_itself(own_gpu, make_ring):
    before = readers()
    ring = make_ring(is_direct=True)
    callers = []
    ring.on_arrival = lambda: callers.append(threading.current_thread())
    submit(own_gpu, ring, 1)
    assert ring.drain(LIMIT_S) and len(ring.arrivals()) == 1
    assert callers == [threading.current_thread()]
    assert not readers() - before


def test_without_a_thread_nothing_blocks_that_need_not(own_gpu, make_ring, monkeypatch):
    held = Held(monkeypatch, own_gpu)
    ring = make_ring(is_direct=True)
    submit(own_gpu, ring, 1)
    submit(own_gpu, ring, 2)
    begun = time.perf_counter()
    assert ring.arrivals() == [] and ring.take() is None
    assert ring.take(wait=True, timeout=0.05) is None
    assert not ring.drain(0.05)
    assert time.perf_counter() - begun < LIMIT_S
    assert ring.in_flight == 2
    held.is_open = True
    assert ring.take(wait=True) is not None and ring.in_flight == 1
    assert ring.drain(LIMIT_S) and [each.data[0] for each in ring.arrivals()] == [1, 2]


def test_a_long_wait_leaves_the_core_to_others(own_gpu, make_ring, monkeypatch):
    """Looking without a pause for 0.3 s would be tens of thousands of looks."""
    held = Held(monkeypatch, own_gpu)
    ring = make_ring(is_direct=True)
    submit(own_gpu, ring, 1)
    used = time.thread_time()
    assert not ring.drain(0.3)
    assert time.thread_time() - used < 0.1
    held.is_open = True
    assert ring.drain(LIMIT_S)


def test_stopping_ends_the_wait_for_a_slot_and_not_the_one_for_the_last_frames(
    own_gpu, make_ring, monkeypatch
):
    held = Held(monkeypatch, own_gpu)
    ring = make_ring(is_direct=True)
    submit(own_gpu, ring, 1)
    submit(own_gpu, ring, 2)
    own_gpu.stopping.set()
    with pytest.raises(StoppedError):
        ring.take(wait=True)
    assert not ring.drain(0.01)
    held.is_open = True
    assert ring.drain(LIMIT_S)


@pytest.mark.parametrize("is_direct", [False, True])
def test_a_ring_that_has_failed_waits_for_no_map(own_gpu, make_ring, monkeypatch, is_direct):
    """Of a lost device a map may never come back, and each pipeline that is closed would wait for its own."""
    held = Held(monkeypatch, own_gpu)
    ring = make_ring(is_direct=is_direct)
    submit(own_gpu, ring, 1)
    ring.failed = "device lost"
    begun = time.perf_counter()
    ring.drain(20.0)
    assert time.perf_counter() - begun < 10.0 and held.looks == 0


def test_a_map_that_fails_fails_the_ring(own_gpu, make_ring, monkeypatch):
    ring = make_ring(is_direct=True)

    class Failed:
        def is_done(self):
            return True

        def finish(self):
            raise RuntimeError("Could not map buffer (gone).")

    monkeypatch.setattr(own_gpu, "begin_map", lambda buffer: Failed())
    submit(own_gpu, ring, 1)
    assert ring.drain(LIMIT_S)
    assert "gone" in ring.failed and ring.in_flight == 0 and ring.arrivals() == []


def test_a_map_that_is_refused_fails_the_ring(own_gpu, make_ring, monkeypatch):
    ring = make_ring(is_direct=True)

    def refuse(buffer):
        raise wgpu.GPUValidationError("not mappable")

    monkeypatch.setattr(own_gpu, "begin_map", refuse)
    submit(own_gpu, ring, 1)
    assert "not mappable" in ring.failed and ring.drain(LIMIT_S)


def test_a_drain_does_not_sleep_past_the_end_of_a_frame(own_gpu, make_ring, monkeypatch):
    """It slept half a millisecond at a time: much of a frame on a fast GPU."""
    ring = make_ring()
    submit(own_gpu, ring, 1)
    me, sleep = threading.current_thread(), time.sleep

    def awake(seconds):
        assert threading.current_thread() is not me
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", awake)
    assert ring.drain(LIMIT_S) and len(ring.arrivals()) == 1


# -- pipelines -----------------------------------------------------------------------------------------------


class Noted(FakeNetwork):
    """Notes when it is recorded."""

    def __init__(self, notes):
        super().__init__()
        self.notes = notes

    def encode(self, encoder, texture, pts, timer, *, is_new):
        self.notes.append("network")


@pytest.fixture
def notes(discrete, monkeypatch):
    """What the device is given, in order."""
    found = []
    submit = discrete.submit
    monkeypatch.setattr(discrete, "submit", lambda commands: found.append("submission") or submit(commands))
    return found


@pytest.mark.parametrize("in_flight", [1, 2])
def test_an_idle_gpu_begins_with_a_frame_before_its_network_is_recorded(discrete, library, notes, in_flight):
    pipeline = Pipeline(discrete, library, wait=True, in_flight=in_flight)
    pipeline.set_chain(chain_of(library, [("invert", {})]))
    pipeline.set_analysis(Noted(notes))
    try:
        for seed in range(3):
            picture = noise(seed)
            pipeline.render(rgba_frame(picture))
            inverted = 255 - picture[..., :3].astype(int)
            assert np.abs(pipeline.export().result()[..., :3].astype(int) - inverted).max() <= 1
            assert pipeline.drain(LIMIT_S)
        assert notes == ["submission", "network", "submission"] * 3
        names = [stage.name for stage in pipeline.stats.stages if stage.gpu_ms is not None]
        assert "color" in names and "filter:1" in names
    finally:
        pipeline.close()


def test_a_busy_gpu_gets_a_frame_at_once(discrete, library, notes, monkeypatch):
    held = Held(monkeypatch, discrete)
    monkeypatch.setattr(
        discrete, "map_for_reading", lambda *_: [time.sleep(0.001) for _ in iter(lambda: held.is_open, True)]
    )
    pipeline = Pipeline(discrete, library, wait=True, in_flight=2)
    pipeline.set_analysis(Noted(notes))
    try:
        pipeline.render(rgba_frame(noise(1)))
        notes.clear()
        pipeline.render(rgba_frame(noise(2)))
        assert notes == ["network", "submission"]
    finally:
        held.is_open = True
        pipeline.close()


def test_without_a_network_a_frame_is_one_submission(discrete, library, notes):
    pipeline = Pipeline(discrete, library, wait=True)
    try:
        pipeline.render(rgba_frame(noise(1)))
        assert notes == ["submission"]
    finally:
        pipeline.close()


@pytest.mark.parametrize(
    ("kind", "options", "is_direct"),
    [
        ("discrete", {"wait": True, "in_flight": 1}, True),
        ("integrated", {"wait": True, "in_flight": 1}, True),
        ("software", {"wait": True, "in_flight": 1}, False),
        ("discrete", {"wait": True, "in_flight": 2}, False),
        ("discrete", {"in_flight": 1}, False),
    ],
)
def test_a_thread_reads_unless_each_frame_is_waited_for(own_gpu, library, kind, options, is_direct):
    own_gpu.adapter = replace(own_gpu.adapter, kind=kind)
    before = readers()
    pipeline = Pipeline(own_gpu, library, **options)
    try:
        assert (not readers() - before) is is_direct
    finally:
        pipeline.close()


def test_beside_a_window_a_thread_reads(discrete, library):
    """Looking without a pause would contend with the window for the interpreter's lock."""
    found = []

    def work():
        before = readers()
        pipeline = Pipeline(discrete, library, wait=True, in_flight=1)
        found.append(len(readers() - before))
        pipeline.close()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [1]
