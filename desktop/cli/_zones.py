"""Zones and events of commands: options, actions of events, and a summary of the counts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.base.wording import joined
from desktop.metrics.queue_reader import QueueState
from desktop.outputs.events.action import Surroundings
from desktop.outputs.events.delivery import Deliveries, Trouble, summary
from desktop.pipeline.engine import Engine
from desktop.pipeline.setup.class_names import unknown_classes
from desktop.pipeline.setup.zones import consent_notice, load_zones
from desktop.vision.tracking.counts import LineCounts
from desktop.vision.tracking.scene import SceneSpec, TrackedResult
from desktop.vision.tracking.track import TrackSpec

# A command runs unattended, so deliveries to an address get more time than in the window.
_CLOSING_S: Final = 10.0


def add_zone_options(parser: argparse.ArgumentParser) -> None:
    """Add --zones and --events."""
    parser.add_argument(
        "--zones",
        metavar="FILE",
        help="count in the zones and at the lines of a file, TOML or JSON, or of a look; turns on tracking",
    )
    parser.add_argument(
        "--events",
        action="store_true",
        help="do what the events of the zones say: write files, call addresses, publish. Look into the file first",
    )


def with_zones(options: argparse.Namespace, scene: SceneSpec) -> SceneSpec:
    """Return a scene with the zones and events of the options.

    Raises PresetError if the file of zones cannot be read, UsageError for --events without events.
    """
    if options.zones is not None:
        found, warnings = load_zones(Path(options.zones))
        for warning in warnings:
            console.fail(warning)
        scene = replace(scene, zones=found.zones, events=found.events, heat_map=found.heat_map)
        scene = replace(scene, track=scene.track or TrackSpec())
    if options.events and not scene.events:
        raise UsageError(
            "--events does what the events of zones say, and there are none; give some with --zones."
        )
    if options.events:
        scene = replace(scene, events=tuple(event.permitted() for event in scene.events))
        if names := [event.name for event in scene.events if event.actions and not event.enabled]:
            console.fail(
                f"Disabled in their file, so that their actions are not performed: {', '.join(names)}."
            )
        return scene
    if off := consent_notice(scene.events):
        console.fail(joined(" ", (off, "--events does that.")))
    return scene


def report_unknown_classes(engine: Engine) -> None:
    """Report classes in zones, events and the look that the network in use does not have."""
    features = engine.current.network_status.features
    for unknown in unknown_classes(engine.current.setup, features.labels if features is not None else ()):
        console.fail(unknown.text)


class CommandEvents:
    """Runs the actions of events for a command; `undelivered` counts abandoned ones, known at the end."""

    def __init__(self, engine: Engine, deliveries: Deliveries) -> None:
        self._engine, self._deliveries = engine, deliveries
        self.undelivered = 0

    def _export(self) -> Callable[[], np.ndarray] | None:
        pending = self._engine.current.export()
        return None if pending is None else pending.result

    def queue(self) -> QueueState:
        """Return the state of the delivery queue; thread-safe."""
        return QueueState("events", self._deliveries.waiting, self._deliveries.undelivered)

    def take(self, tracked_result: TrackedResult, source: str) -> None:
        """Run the actions that a frame's results trigger, and publish their counts."""
        self._deliveries.show_counts(tracked_result.counts, source)
        self._deliveries.take(tracked_result.occurrences, source, self._export)

    @property
    def wants_pictures(self) -> bool:
        """Return True if clips need the frames."""
        return self._deliveries.clip_buffer.wants

    def buffer_picture(self, picture: np.ndarray, pts: float) -> None:
        """Buffer a frame that is written anyway, for clips."""
        if self._deliveries.clip_buffer.wants:
            self._deliveries.clip_buffer.add(lambda: picture, pts)

    def buffer_shown(self, pts: float) -> None:
        """Buffer the last analyzed frame, for clips."""
        if self._deliveries.clip_buffer.wants and (picture := self._export()) is not None:
            self._deliveries.clip_buffer.add(picture, pts)


@contextmanager
def events_done(engine: Engine, scene: SceneSpec, *, waits: bool = True) -> Iterator[CommandEvents]:
    """Run the actions of a scene's events inside the context; yield the receiver of results and frames. With `waits`
    frames wait for clips, so that these have each of them.
    """
    deliveries = Deliveries(Surroundings(console.err), _report, wait=waits)
    deliveries.use(scene.events)
    events = CommandEvents(engine, deliveries)
    try:
        yield events
    finally:
        events.undelivered = deliveries.close(_CLOSING_S)
        if events.undelivered:
            console.fail(summary(events.undelivered))


def _report(trouble: Trouble) -> None:
    if trouble.text:
        console.fail(trouble.text)


def print_counts(tracked_result: TrackedResult | None, print_line: Callable[[object], None]) -> None:
    """Print the counts of zones and lines at the end of a run, and how many detections were not tracked."""
    if tracked_result is None:
        return
    for each in tracked_result.counts:
        if isinstance(each, LineCounts):
            print_line(f"{each.name}: {each.forward} forward, {each.backward} backward")
        else:
            print_line(
                f"{each.name}: {each.entered} entered, {each.left} left, {each.mean_stay:.1f} s on average"
            )
    if (tally := tracked_result.tally) is not None and tally.detections:
        print_line(f"detections never assigned to a track: {tally.unassigned} of {tally.detections}")
