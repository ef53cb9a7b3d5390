"""Networks in step: every picture that is shown has its own result, whichever way the network runs.

The pictures are flat: their value is their number. The network gives its input back, and the stage shows side
by side what it reads, what the network gave, and the picture before the chain; so each picture that comes out
tells three numbers.
"""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from dense_models import convolution
from test_pipeline import rgba_frame
from test_stages_network import runner_of
from waiting import LIMIT_S

from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup

SIDE_BY_SIDE = """/* lightloom
title = "Side by side"

[[param]]
name = "net"
type = "model"
tasks = ["image"]

[[param]]
name = "backend"
type = "choice"

[[param]]
name = "timing"
type = "choice"
choices = ["newest result", "in step"]

[network]
output = "image"
texture = "given"
model = "net"
backend = "backend"
timing = "timing"
*/
fn main(p: vec2i) -> vec4f {
  let third = i32(frame.size.x) / 3;
  if (p.x < third) { return load(p); }
  if (p.x < 2 * third) { return vec4f(textureLoad(given, vec2i(1, 1), 0).rgb, 1.0); }
  return textureLoad(original, p, 0);
}
"""
# Red counts how often the stage has run since its past began, green is the picture.
COUNTER = """/* lightloom
title = "Counter"
*/
fn main(p: vec2i) -> vec4f { return vec4f(f32(frame.index) / 255.0, load(p).g, frame.delta, 1.0); }
"""
WIDTH, HEIGHT = 48, 32
STEP = 5  # codes from picture to picture: the 8 bits that come out are rounded and dithered


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "filters"
    folder.mkdir()
    (folder / "side_by_side.wgsl").write_text(SIDE_BY_SIDE, "utf-8")
    (folder / "counter.wgsl").write_text(COUNTER, "utf-8")
    found = FilterLibrary(folder)
    assert found.errors == {}
    return found


@pytest.fixture
def live(gpu, library):
    made = Pipeline(gpu, library, adapts_budget=False)
    made.network_budget_ms = 1e-6  # what is recorded into the frame: one step a frame
    yield made
    made.close()


def identity(path):
    return str(convolution(path, np.eye(3, dtype=np.float32)[:, :, None, None]))


def numbered(number, width=WIDTH, height=HEIGHT):
    """The picture of a number. It was captured `number` thousand seconds ago, so that its latency tells which
    it was.
    """
    picture = np.full((height, width, 4), 255, np.uint8)
    picture[..., :3] = number * STEP
    return replace(rgba_frame(picture, pts=number * 0.04), captured_at=-1000.0 * number)


def shown(pipeline):
    """The numbers of what the stage read, of what the network looked at, and of the picture before the chain."""
    pipeline.drain()
    result = pipeline.export().result()[..., 1].astype(float)
    width = result.shape[1]
    middles = [result[4:-4, width * i // 6 - 2 : width * i // 6 + 2].mean() for i in (1, 3, 5)]
    return [round(value / STEP) for value in middles]


def until(pipeline, condition, frame=None, seconds=LIMIT_S):
    end = time.perf_counter() + seconds
    while not condition():
        assert time.perf_counter() < end, pipeline.chain.statuses
        assert not [s.message for s in pipeline.chain.statuses if s.message]
        pipeline.render(frame)
        time.sleep(0.002)
    pipeline.drain()


def begin(pipeline, library, model, backend, timing, before=(), behind=()):
    """A chain with the stage, which has shown its first result."""
    values = {"net": model, "backend": backend, "timing": timing}
    pipeline.set_chain(chain_of(library, [*before, ("side_by_side", values), *behind]))
    until(pipeline, lambda: all(s.state == "running" for s in pipeline.chain.statuses), numbered(0))
    until(pipeline, lambda: not pipeline.wants_frames and _is_idle(runner_of(pipeline, len(before))))


def _is_idle(runner):
    worker = getattr(runner.strategy, "_worker", None)
    return worker is None or worker.idle


def slow_session(pipeline, stage=0):
    """Put a gate before the session of a network on a thread: each `release` lets one inference through."""
    session, gate = runner_of(pipeline, stage).network.session, threading.Semaphore(0)
    run = session.run

    def gated(feeds):
        assert gate.acquire(timeout=LIMIT_S)
        return run(feeds)

    session.run = gated
    return gate


def play(pipeline, backend, count=20, every=4, gate=None):
    """Show pictures 1 to `count`; a thread answers after every fourth. Return what each frame showed."""
    found = []
    for number in range(1, count + 1):
        pipeline.render(numbered(number))
        found.append(shown(pipeline))
        if gate is not None and number % every == 0:
            gate.release()
            end = time.perf_counter() + LIMIT_S
            while not _is_idle(runner_of(pipeline)):
                assert time.perf_counter() < end
                time.sleep(0.001)
    return found


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_without_it_the_result_lags_behind_the_picture(live, library, tmp_path, backend):
    begin(live, library, identity(tmp_path / "same.onnx"), backend, "newest result")
    gate = slow_session(live) if backend == "onnxruntime" else None
    found = play(live, backend, gate=gate)
    assert [picture for picture, _, _ in found] == list(range(1, 21))  # every picture is shown
    lags = [picture - result for picture, result, _ in found[6:]]
    assert min(lags) >= 0 and max(lags) >= 2, found
    if gate is not None:
        gate.release(100)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_in_step_every_picture_has_its_own_result(live, library, tmp_path, backend):
    begin(live, library, identity(tmp_path / "same.onnx"), backend, "in step")
    gate = slow_session(live) if backend == "onnxruntime" else None
    live.statistics.reset()
    found = play(live, backend, gate=gate)
    assert all(picture == result == original for picture, result, original in found), found
    numbers = [picture for picture, _, _ in found]
    assert numbers == sorted(numbers)
    new = sorted(set(numbers) - {0})
    assert 3 <= len(new) <= 10 and new[-1] >= 13, found  # the network's rate, not the pictures'
    # No picture waits longer than one inference (4 frames) and what was left of the one before.
    assert max(at - number for at, number in enumerate(numbers, 1)) <= 9, found
    # Statistics count the pictures that were shown, and their latency is from the capture of each.
    now = time.perf_counter()
    counted = [round((latency / 1e3 - now) / 1000) for latency in live.statistics.latency.values]
    assert [number for number in counted if number] == new
    assert live.stats.frames == len(counted)
    report = live.chain.statuses[0].network
    assert report.is_asynchronous and report.in_step and report.latency_ms is not None
    if gate is not None:
        gate.release(100)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_what_stands_before_and_behind_keeps_step(live, library, tmp_path, backend):
    """A stage before changes each picture; one behind runs once for each picture that it is given, not for
    each that comes.
    """
    behind = [("invert", {}), ("counter", {})]
    begin(live, library, identity(tmp_path / "same.onnx"), backend, "in step", [("invert", {})], behind)
    gate = slow_session(live, 1) if backend == "onnxruntime" else None
    counts = []
    for found in range(1, 21):
        live.render(numbered(found))
        picture, result, original = shown(live)
        assert picture == result, found
        # Behind the second inversion the first two are the picture's number, and the third is inverted.
        assert original == round((255 - picture * STEP) / STEP), found
        counts.append((picture, round(float(live.export().result()[8:-8, :, 0].mean()))))
        if gate is not None and found % 4 == 0:
            gate.release()
            while not _is_idle(runner_of(live, 1)):
                time.sleep(0.001)
    assert len({number for number, _ in counts}) >= 4
    # As often as there was another picture, and no more.
    steps = [(b - a, n - m) for (m, a), (n, b) in itertools.pairwise(counts)]
    assert all(ran == (1 if other else 0) for ran, other in steps), counts
    if gate is not None:
        gate.release(100)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_pause_shows_the_last_picture(live, library, tmp_path, backend):
    begin(live, library, identity(tmp_path / "same.onnx"), backend, "in step")
    play(live, backend, 7)
    until(live, lambda: shown(live) == [7, 7, 7])


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_two_networks_in_step_with_a_third_that_is_not(live, library, tmp_path, backend):
    model = identity(tmp_path / "same.onnx")
    values = {"net": model, "backend": backend, "timing": "in step"}
    newest = {**values, "timing": "newest result"}
    chain = chain_of(library, [("side_by_side", values), ("side_by_side", newest), ("side_by_side", values)])
    live.set_chain(chain)
    until(live, lambda: all(s.state == "running" for s in live.chain.statuses), numbered(0))
    seen = set()
    for number in range(1, 40):
        live.render(numbered(number))
        picture, _, original = shown(live)
        # The second's result is a third of the third's picture: the network's middle is what it read, which
        # may lag.
        assert picture == original, number
        seen.add(picture)
        time.sleep(0.005)
    assert len(seen) > 3
    until(live, lambda: shown(live) == [39, 39, 39])


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_seek_another_size_and_the_other_timing(live, library, tmp_path, backend):
    model = identity(tmp_path / "same.onnx")
    begin(live, library, model, backend, "in step")
    play(live, backend, 6)
    live.chain.reset()
    live.render(numbered(20))
    picture, _, original = shown(live)
    assert picture == original == 20  # as it is, until its result is there: nothing of the past
    until(live, lambda: shown(live) == [20, 20, 20], numbered(20))
    small = numbered(30, 36, 24)
    until(live, lambda: shown(live) == [30, 30, 30] and live.picture_size == (36, 24), small)
    live.set_chain(live_chain := _with_timing(live, library, model, backend, "newest result"))
    live.render(numbered(31, 36, 24))
    assert shown(live)[0] == 31  # the newest picture, whatever the result
    live.set_chain(live_chain.with_values(1, {"timing": "in step"}))
    for number in range(32, 45):
        live.render(numbered(number, 36, 24))
        time.sleep(0.01)
    # A busy machine may take longer than those thirteen frames.
    until(live, lambda: shown(live)[1] > 31, numbered(45, 36, 24))
    picture, result, _ = shown(live)
    assert picture == result > 31


def _with_timing(live, library, model, backend, timing) -> ChainSpec:
    values = {"net": model, "backend": backend, "timing": timing}
    return chain_of(library, [("side_by_side", values)])


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_in_batch_work_and_inside_the_frame_it_changes_nothing(gpu, library, tmp_path, backend):
    pipeline = Pipeline(gpu, library, wait=True)
    values = {"net": identity(tmp_path / "same.onnx"), "backend": backend, "timing": "in step"}
    pipeline.set_chain(chain_of(library, [("side_by_side", values)]))
    for number in range(1, 6):
        pipeline.render(numbered(number))
        assert shown(pipeline) == [number] * 3
    assert pipeline.stats.frames == 5 and not pipeline.chain._held
    pipeline.close()


def test_presets_keep_it_and_load_without_it(library, tmp_path):
    model = identity(tmp_path / "same.onnx")
    for name in ("style", "background", "depth", "segmentation"):
        chain = chain_of(library, [(name, {"model": model, "timing": "in step"})])
        save_preset(Setup(chain), library, tmp_path / "look.toml")
        text = (tmp_path / "look.toml").read_text("utf-8")
        assert load_preset(tmp_path / "look.toml", library).setup.chain == chain
        old = "\n".join(line for line in text.splitlines() if not line.startswith("timing"))
        assert old.count("timing") == 0
        (tmp_path / "old.toml").write_text(old, "utf-8")
        loaded = load_preset(tmp_path / "old.toml", library)
        assert loaded.warnings == ()
        values = loaded.setup.chain.stages[0].values
        assert library.get(name).check(values)["timing"] == "newest result"
