"""Metrics of an engine and its source pipelines: frames, times, detections, zones, memory, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, get_args

import wgpu

from desktop.base.version import version_line
from desktop.media.sources.base import DropReason, Source
from desktop.metrics.family import Family, Reader, Reading
from desktop.pipeline.chain.runner import StageState
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.snapshot import NetworkState
from desktop.pipeline.source_pipeline import SourcePipeline
from desktop.pipeline.totals import BoundedNames, Totals, clean_name
from desktop.vision.tracking.counts import ClassCounts, LineCounts, ZoneCounts

INFO: Final = Family(
    "lightloom_info", "gauge", "Always 1: version and adapter in use", ("version", "adapter", "backend")
)
FRAMES: Final = Family("lightloom_frames_total", "counter", "Frames finished by the GPU", ("lane",))
SKIPPED: Final = Family(
    "lightloom_frames_skipped_total", "counter", "Frames not drawn because the GPU was busy", ("lane",)
)
IN_FLIGHT: Final = Family(
    "lightloom_frames_in_flight", "gauge", "Frames submitted to the GPU and not finished", ("lane",)
)
LATENCY: Final = Family(
    "lightloom_frame_latency_seconds",
    "histogram",
    "From a frame's capture to the GPU having finished its last pass",
    ("lane",),
)
STAGE_GPU: Final = Family(
    "lightloom_stage_gpu_seconds",
    "histogram",
    "GPU time of each stage of a frame, where the adapter has timestamps",
    ("lane", "stage"),
)
STAGE_CPU: Final = Family(
    "lightloom_stage_cpu_seconds", "histogram", "Time to record each stage of a frame", ("lane", "stage")
)
STAGES: Final = Family("lightloom_stages", "gauge", "Stages of the chain by their state", ("lane", "state"))
INFERENCE: Final = Family(
    "lightloom_inference_seconds",
    "histogram",
    "Complete inferences of the network that analyzes the frames",
    ("lane",),
)
NETWORK: Final = Family(
    "lightloom_network_state", "gauge", "1 for the state that the network is in, else 0", ("lane", "state")
)
RESULTS: Final = Family("lightloom_results_total", "counter", "Results of the network", ("lane",))
SEEN: Final = Family(
    "lightloom_things_seen_total",
    "counter",
    "Objects of each class, added up over all results",
    ("lane", "class"),
)
IN_VIEW: Final = Family(
    "lightloom_things_in_view", "gauge", "Objects of each class in the newest result", ("lane", "class")
)
_ZONE: Final = ("lane", "zone", "class")
INSIDE: Final = Family(
    "lightloom_zone_things", "gauge", "Objects of each class that are in a zone now", _ZONE
)
ENTERED: Final = Family("lightloom_zone_entered_total", "counter", "Objects that entered a zone", _ZONE)
LEFT: Final = Family("lightloom_zone_left_total", "counter", "Objects that left a zone", _ZONE)
STAYED: Final = Family(
    "lightloom_zone_stay_seconds_total", "counter", "How long objects were in a zone, added up", _ZONE
)
CROSSED: Final = Family(
    "lightloom_line_crossings_total", "counter", "Objects that crossed a line", (*_ZONE, "direction")
)
ERRORS: Final = Family(
    "lightloom_errors_total", "counter", "Devices lost, networks and sources that failed", ("kind",)
)
REBUILDS: Final = Family(
    "lightloom_device_rebuilds_total", "counter", "How often everything on the GPU was made anew"
)
MEMORY: Final = Family(
    "lightloom_gpu_memory_bytes", "gauge", "Memory of buffers and textures that are held", ("kind",)
)
DECODED: Final = Family(
    "lightloom_source_frames_decoded_total", "counter", "Frames that the source decoded", ("lane",)
)
DROPPED: Final = Family(
    "lightloom_source_frames_dropped_total", "counter", "Frames decoded or received, but late", ("lane",)
)
DAMAGED: Final = Family(
    "lightloom_source_frames_damaged_total", "counter", "Frames that were damaged", ("lane",)
)
RECEIVED: Final = Family(
    "lightloom_source_frames_received_total", "counter", "Frames that a live source received", ("lane",)
)
UNUSED: Final = Family(
    "lightloom_source_frames_unused_total",
    "counter",
    "Frames that a live source received and did not deliver, by reason",
    ("lane", "reason"),
)

_MOST_ZONE_CLASSES: Final = 16
_HELD: Final = {"Buffer": "buffers", "Texture": "textures"}

Sources = Callable[[], Mapping[SourcePipeline, Source]]
"""Returns the sources that are playing; called on any thread."""


class EngineReader(Reader):
    """Reads an engine's metrics, and makes the engine count them."""

    families = (
        *(INFO, FRAMES, SKIPPED, IN_FLIGHT, LATENCY, STAGE_GPU, STAGE_CPU, STAGES, INFERENCE, NETWORK),
        *(RESULTS, SEEN, IN_VIEW, INSIDE, ENTERED, LEFT, STAYED, CROSSED, ERRORS, REBUILDS, MEMORY),
        *(DECODED, DROPPED, DAMAGED, RECEIVED, UNUSED),
    )

    def __init__(
        self, engine: Engine, sources: Sources = dict, failed_sources: Callable[[], int] = lambda: 0
    ) -> None:
        """Make a reader on the render thread; `read` and `failed_sources` may be called on any thread."""
        self._engine, self._sources, self._failed_sources = engine, sources, failed_sources
        self._zones, self._classes = BoundedNames(), BoundedNames(_MOST_ZONE_CLASSES)
        self._version = ""
        engine.count()

    def read(self) -> Iterator[Reading]:
        engine = self._engine
        adapter = engine.gpu.adapter
        # Deferred: a checkout runs git.
        self._version = self._version or version_line()
        yield Reading(INFO, 1, (self._version, clean_name(adapter.name), clean_name(adapter.backend)))
        yield Reading(REBUILDS, engine.rebuilds)
        yield Reading(ERRORS, engine.losses, ("device",))
        yield Reading(ERRORS, self._failed_sources(), ("source",))
        held = wgpu.diagnostics.object_counts.get_dict()
        for name, kind in _HELD.items():
            yield Reading(MEMORY, held.get(name, {}).get("resource_mem", 0), (kind,))
        sources = self._sources()
        for number, source_pipeline in enumerate(engine.source_pipelines):
            yield from self._pipeline_readings(str(number), source_pipeline, source_pipeline.totals)
            if (source := sources.get(source_pipeline)) is not None:
                yield from _source(str(number), source)

    def _pipeline_readings(
        self, number: str, source_pipeline: SourcePipeline, totals: Totals | None
    ) -> Iterator[Reading]:
        if totals is None:
            return
        yield Reading(FRAMES, totals.frames, (number,))
        yield Reading(SKIPPED, totals.skipped, (number,))
        yield Reading(IN_FLIGHT, source_pipeline.pipeline.in_flight, (number,))
        yield Reading(LATENCY, totals.latency, (number,))
        names = stage_names(source_pipeline.setup.chain)
        for family, spans in ((STAGE_GPU, totals.gpu), (STAGE_CPU, totals.cpu)):
            for span, found in spans.items():
                # A stage that has just left the chain has no name any more.
                if (span in names or ":" not in span) and any(found.counts):
                    yield Reading(family, found, (number, names.get(span, span)))
        states = [status.state for status in source_pipeline.pipeline.chain.statuses]
        for state in get_args(StageState):
            yield Reading(STAGES, states.count(state), (number, state))
        yield from _network(number, source_pipeline, totals)
        yield from self._detection_counts(number, totals)

    def _detection_counts(self, number: str, totals: Totals) -> Iterator[Reading]:
        for name, count in totals.things.items():
            yield Reading(SEEN, count, (number, name))
        for name, count in totals.in_view.items():
            yield Reading(IN_VIEW, count, (number, name))
        for counts in totals.counts:
            zone = self._zones.of(counts.name)
            # A zone that nothing has entered yet is included.
            for each in counts.classes or (ClassCounts(""),):
                labels = (number, zone, self._classes.of(each.label) if each.label else "")
                yield from _counted(counts, each, labels)


def _network(number: str, source_pipeline: SourcePipeline, totals: Totals) -> Iterator[Reading]:
    status = source_pipeline.network_status
    for state in get_args(NetworkState):
        yield Reading(NETWORK, status.state == state, (number, state))
    yield Reading(ERRORS, totals.network_failures, ("network",))
    yield Reading(RESULTS, totals.results, (number,))
    yield Reading(INFERENCE, totals.inference, (number,))


def _counted(
    counts: ZoneCounts | LineCounts, each: ClassCounts, labels: tuple[str, str, str]
) -> Iterable[Reading]:
    if isinstance(counts, LineCounts):
        return (
            Reading(CROSSED, each.forward, (*labels, "forward")),
            Reading(CROSSED, each.backward, (*labels, "backward")),
        )
    return (
        Reading(INSIDE, each.inside, labels),
        Reading(ENTERED, each.entered, labels),
        Reading(LEFT, each.left, labels),
        Reading(STAYED, each.seconds, labels),
    )


def _source(number: str, source: Source) -> Iterator[Reading]:
    stats = source.stats
    yield Reading(DECODED, stats.decoded, (number,))
    yield Reading(DROPPED, stats.dropped, (number,))
    yield Reading(DAMAGED, stats.damaged, (number,))
    yield Reading(RECEIVED, stats.received, (number,))
    for reason in get_args(DropReason):
        yield Reading(UNUSED, stats.drops.get(reason, 0), (number, reason))


def stage_names(chain: ChainSpec) -> dict[str, str]:
    """Return the span names of a chain's stages: 'filter:sharpen', for a second one 'filter:sharpen:2'."""
    used: dict[str, int] = {}
    names: dict[str, str] = {}
    for stage in chain.stages:
        used[stage.filter] = count = used.get(stage.filter, 0) + 1
        name = clean_name(stage.filter) + (f":{count}" if count > 1 else "")
        names[f"filter:{stage.id}"], names[f"network:{stage.id}"] = f"filter:{name}", f"network:{name}"
    return names
