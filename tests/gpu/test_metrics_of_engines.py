"""Metrics of an engine that runs: scraped by a real Prometheus, with the rules and the dashboard that
Lightloom brings; and their page.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from metrics_rig import DASHBOARD, prometheus_on, promtool, scrape
from prometheus_client.parser import text_string_to_metric_families

from desktop.base.errors import ModelError
from desktop.compute.gpu.device import Gpu
from desktop.media.sources.opening import open_source
from desktop.metrics.address import Address
from desktop.metrics.engine_reader import EngineReader, stage_names
from desktop.metrics.exporter import Exporter
from desktop.metrics.queue_reader import QueueReader, QueueState
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.totals import MOST_NAMES, OTHERS
from desktop.vision.models.builtin import builtin_models
from desktop.vision.tasks.shapes import Box, Shape
from desktop.vision.tasks.task import Result
from desktop.vision.tracking.scene import Scene, SceneSpec, TrackedResult
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.zones import LineSpec, ZoneSpec

PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"
FILTERS = [("sharpen", {}), ("exposure", {"stops": 0.1}), ("sharpen", {})]


class Playing:
    """An engine that plays the sample through filters and the detector in the box, with zones, and serves
    metrics.
    """

    def __init__(self) -> None:
        library = FilterLibrary(None)
        self.source = open_source("sample:320x180@30")
        # `in_flight` of 1 and no waiting: some pictures are skipped.
        self.engine = Engine(lambda: Gpu.open(), library, load_analysis)
        # `SourcePipeline.tracked_result` is that of the picture on screen alone: none, where playing pauses
        # before its result is there.
        self.last_sighting: TrackedResult | None = None
        self.engine.on_tracked_result.append(self._saw)
        zones = (
            ZoneSpec("Street", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))),
            ZoneSpec("Corner", ((0.0, 0.0), (0.01, 0.0), (0.01, 0.01))),
            LineSpec("Door", ((0.5, 0.0), (0.5, 1.0))),
        )
        network = NetworkSpec(str(builtin_models()["detector"].path))
        self.engine.current.set_setup(
            Setup(chain_of(library, FILTERS), network, SceneSpec(track=TrackSpec(), zones=zones))
        )
        reader = EngineReader(self.engine, lambda: {self.engine.current: self.source})
        queues = QueueReader(lambda: (QueueState("recording", 0, 0),))
        self.exporter = Exporter(Address("127.0.0.1", 0), (reader, queues))
        self.exporter.start()
        self.source.start()

    def _saw(self, tracked_result: TrackedResult) -> None:
        self.last_sighting = tracked_result

    @property
    def port(self) -> int:
        return self.exporter.address.port

    def step(self) -> None:
        """Draw what there is, as a window does."""
        frame = self.source.take(time.perf_counter())
        if frame is None or not self.engine.render(frame):
            self.engine.poll()
            self.engine.current.is_busy()
            time.sleep(0.002)

    def text(self) -> str:
        status, text = scrape(self.port)
        assert status == 200
        return text

    def values(self, name: str) -> dict[tuple[str, ...], float]:
        """The values of a metric by those of its labels but the lane."""
        return {
            tuple(value for key, value in sorted(sample.labels.items()) if key != "lane"): sample.value
            for family in text_string_to_metric_families(self.text())
            for sample in family.samples
            if sample.name == name
        }

    def until(self, condition) -> None:
        ends = time.monotonic() + 120
        while not condition():
            assert time.monotonic() < ends, self.text()
            for _ in range(20):
                self.step()

    def close(self) -> None:
        self.exporter.close()
        self.source.close()
        self.engine.close()


@pytest.fixture(scope="module")
def playing():
    made = Playing()
    yield made
    made.close()


def queries(document: dict) -> list[tuple[str, str]]:
    return [
        (panel["title"], target["expr"].replace("$instance", ".*").replace("$__rate_interval", "1m"))
        for panel in document["panels"]
        for target in panel["targets"]
    ]


def test_prometheus_scrapes_and_the_dashboard_s_queries_have_values(playing, tmp_path):
    wanted = queries(json.loads(DASHBOARD.read_text("utf-8")))
    assert len(wanted) >= 25
    if not playing.engine.gpu.has("timestamp-query"):
        wanted = [(title, query) for title, query in wanted if "stage_gpu" not in query]
    with prometheus_on(f"127.0.0.1:{playing.port}", tmp_path) as prometheus:
        left = list(wanted)

        def is_answered() -> bool:
            left[:] = [(title, query) for title, query in left if not prometheus.values(query)]
            return not left

        try:
            playing.until(is_answered)
        except AssertionError:
            raise AssertionError(left) from None
        [target] = prometheus.get("targets")["activeTargets"]
        assert target["health"] == "up" and target["lastError"] == ""
        [rules] = prometheus.get("rules")["groups"]
        assert all(rule["health"] == "ok" for rule in rules["rules"])
        # What Prometheus has is what the engine counted.
        counted = playing.engine.current.totals.frames
        playing.until(lambda: prometheus.values("lightloom_frames_total")[0] >= counted)
        assert prometheus.values("lightloom_frames_total")[0] <= playing.engine.current.totals.frames


def test_promtool_finds_nothing(playing):
    playing.until(lambda: playing.values("lightloom_zone_things"))
    assert promtool("check", "metrics", text=playing.text()) == ""


def test_the_page_lists_what_is_exported(playing):
    """Each row of its table: name, kind, labels."""
    playing.until(lambda: playing.values("lightloom_line_crossings_total"))
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \|([^|]*)\|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    listed = {
        name: (kind, set(re.findall(r"`(\w+)`", labels)))
        for name, kind, labels, meaning in rows
        if sys.platform == "linux" or "Linux only" not in meaning
    }
    text = playing.text()
    exported = {name: (kind, set()) for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE)}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            name = (
                re.sub(r"_(bucket|sum|count)$", "", sample.name)
                if family.type == "histogram"
                else sample.name
            )
            exported[name][1].update(set(sample.labels) - {"le"})
    assert listed == exported


def test_figures_are_those_of_the_engine(playing):
    playing.until(lambda: playing.engine.current.totals.results > 2)
    playing.engine.pipeline.drain()
    totals, stats = playing.engine.current.totals, playing.engine.pipeline.stats
    assert playing.values("lightloom_frames_total")[()] == totals.frames == stats.frames
    assert playing.values("lightloom_frames_skipped_total")[()] == stats.skipped
    assert playing.values("lightloom_frame_latency_seconds_count")[()] == sum(totals.latency.counts)
    stages = {labels[0] for labels in playing.values("lightloom_stage_cpu_seconds_count")}
    assert stages == {
        *("upload", "color", "network"),
        *("filter:sharpen", "filter:exposure", "filter:sharpen:2"),
    }
    assert playing.values("lightloom_stages")[("running",)] == 3
    assert playing.values("lightloom_network_state") == {
        **{(state,): 0.0 for state in ("none", "loading", "failed", "away")},
        ("running",): 1.0,
    }
    seen = playing.values("lightloom_things_seen_total")
    assert seen[("person",)] > 0 and set(seen) <= {("person",), ("face",)}
    counts = {count.name: count for count in playing.last_sighting.counts}
    inside = playing.values("lightloom_zone_things")
    assert inside[("", "Corner")] == 0, "a zone in which nothing was is told of too"
    assert sum(v for (_, zone), v in inside.items() if zone == "Street") == counts["Street"].inside
    assert playing.values("lightloom_gpu_memory_bytes")[("textures",)] >= 320 * 180 * 8 * 2
    assert playing.values("process_resident_memory_bytes")[()] > 50e6


def test_counters_go_on_over_a_lost_device_and_tell_of_it(playing):
    playing.until(lambda: playing.engine.current.totals.results > 2)
    frames, seen = playing.engine.current.totals.frames, playing.values("lightloom_things_seen_total")
    playing.engine.rebuild()
    playing.until(lambda: playing.engine.current.totals.frames > frames)
    assert playing.values("lightloom_device_rebuilds_total")[()] == 1
    assert playing.values("lightloom_frames_total")[()] > frames
    assert playing.values("lightloom_things_seen_total")[("person",)] >= seen[("person",)]


def test_a_network_that_fails_is_an_error(playing, tmp_path):
    before = playing.values("lightloom_errors_total")[("network",)]
    setup = playing.engine.current.setup
    (tmp_path / "broken.onnx").write_bytes(b"no network")
    playing.engine.current.set_setup(
        Setup(setup.chain, NetworkSpec(str(tmp_path / "broken.onnx")), setup.scene)
    )
    playing.until(lambda: playing.engine.current.network_status.state == "failed")
    assert playing.values("lightloom_errors_total")[("network",)] == before + 1
    assert playing.values("lightloom_network_state")[("failed",)] == 1
    playing.engine.pipeline.analyses.drop(str(ModelError("it failed")), 0)
    assert playing.values("lightloom_errors_total")[("network",)] == before + 2
    playing.engine.current.set_setup(setup)
    playing.until(lambda: playing.engine.current.network_status.state == "running")


def test_lanes_are_told_apart_and_end_with_their_tiles(playing):
    source_pipeline = playing.engine.add_source_pipeline()
    assert set(re.findall(r'lightloom_frames_total{lane="(\d)"}', playing.text())) == {
        "0",
        "1",
    }
    playing.engine.remove_source_pipeline(source_pipeline)
    assert set(re.findall(r'lightloom_frames_total{lane="(\d)"}', playing.text())) == {"0"}


def test_a_file_s_classes_make_a_bounded_number_of_series(playing):
    source_pipeline = playing.engine.current
    kept = source_pipeline.totals
    source_pipeline.totals = None
    source_pipeline.count()
    try:
        for tracked_result in tracked_results(5000):
            source_pipeline._publish(tracked_result)
        seen = playing.values("lightloom_things_seen_total")
        assert (
            len(seen) == MOST_NAMES + 1
            and sum(seen.values()) == 5000
            and seen[(OTHERS,)] == 5000 - MOST_NAMES
        )
        assert all(len(name) <= 64 for (name,) in seen)
        promtool("check", "metrics", text=playing.text())
    finally:
        source_pipeline.totals = source_pipeline.pipeline.statistics.totals = kept


@dataclass(frozen=True)
class Found(Result):
    """A result of a network whose classes a stranger named."""

    found: tuple[Shape, ...] = ()

    def json(self):
        return {}

    def lines(self):
        return ()

    def shapes(self):
        return self.found


def tracked_results(count: int) -> Iterator[TrackedResult]:
    """Each with a thing of another class."""
    scene = Scene()
    hostile = ("a\nb", '"} 1\nlightloom_evil 2', "\ud800", "x" * 9999, "\x1b[2J")
    for number in range(count):
        name = hostile[number] if number < len(hostile) else f"class {number}"
        yield scene.see(Found(found=(Box(name, 0, 0.1, 0.1, 0.2, 0.2),)), float(number), (64, 64))


def test_reading_while_the_picture_plays_never_fails(playing):
    """Scrapes on two threads while stages and networks come and go."""
    ended = threading.Event()
    faults: list[object] = []
    reader = EngineReader(playing.engine, lambda: {playing.engine.current: playing.source})

    def read() -> None:
        while not ended.is_set():
            try:
                list(reader.read())
            except Exception as error:
                faults.append(error)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    setup = playing.engine.current.setup
    chance = np.random.default_rng(1)
    library = playing.engine.library
    try:
        for _ in range(8):
            items = [FILTERS[index] for index in chance.integers(0, 3, chance.integers(0, 5))]
            playing.engine.current.set_setup(
                Setup(chain_of(library, items), setup.network if chance.random() < 0.7 else None, setup.scene)
            )
            for _ in range(4):
                playing.step()
    finally:
        ended.set()
        for thread in threads:
            thread.join(60)
        playing.engine.current.set_setup(setup)
    assert not faults


def test_stages_are_called_by_their_filters():
    chain = chain_of(FilterLibrary(None), FILTERS)
    names = stage_names(chain)
    assert [names[f"filter:{stage.id}"] for stage in chain.stages] == [
        *("filter:sharpen", "filter:exposure", "filter:sharpen:2"),
    ]
