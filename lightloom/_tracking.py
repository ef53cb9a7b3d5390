"""Tracks of objects over time, and zones and lines that count them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import UsageError
from desktop.media.scene_cuts import CutWatch
from desktop.pipeline.setup.zones import load_zones
from desktop.vision.tasks.shapes import Box as BoxShape
from desktop.vision.tracking.counts import ClassCounts, LineCounts, ZoneCounts
from desktop.vision.tracking.follower import Follower
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.track import TrackSpec, with_track_value
from desktop.vision.tracking.zone_watch import ZoneWatch
from desktop.vision.tracking.zones import ANCHORS, MOST_ZONES, AnyZone, LineSpec, ZoneSpec, is_drawable
from lightloom._network import Network
from lightloom._results import Detections, Keypoints
from lightloom._sources import Frame, Source, open

Point = tuple[float, float]
Tracked = TypeVar("Tracked", Detections, Keypoints)


class Tracker:
    """Object tracker: assigns each detection a track number that persists from image to image.

        tracker = lightloom.Tracker()
        for frame in lightloom.open("street.mp4"):
            people = tracker(network(frame), frame.time)

    It matches boxes by their overlap and motion (docs/tracking.md describes and measures it), so it needs
    images in order.
    """

    def __init__(self, **settings: Any) -> None:
        """Make a tracker.

        Args:
            settings: 'score', minimum score of a detection that begins a track (0.25); 'overlap', minimum IoU
                with the predicted box (0.3); 'hits', consecutive images with the object before it gets its
                number (2); 'remember', seconds that a lost object is kept (2.0); 'by_class', match only
                detections of one class (True).

        Raises:
            UsageError: an unknown setting, or an invalid value.
        """
        self._spec = TrackSpec()
        for name, value in settings.items():
            self._spec = with_track_value(self._spec, name, value)
        if self._spec.cuts:
            raise UsageError(
                "A Tracker gets no images, so that it finds no scene cuts; use lightloom.track, or call reset() at each cut."
            )
        self._follower = Follower()

    def __call__(self, detections: Tracked, time: float) -> Tracked:
        """Return the detections with their identities.

        Args:
            detections: of one image.
            time: its presentation time in seconds. A time before the last one resets the tracker; no number
                is reused.
        """
        shapes = _shapes(detections)
        followed = self._follower.follow(shapes, time, detections.size, self._spec)
        numbers = [getattr(shape, "identity", None) or 0 for shape in followed.shapes]
        return replace(detections, identities=np.array(numbers, np.int64))

    def reset(self) -> None:
        """End all tracks, before another video or after a seek."""
        self._follower.cut()


def track(
    network: Network, source: Source | str | os.PathLike[str], **settings: Any
) -> Iterator[tuple[Frame, Detections]]:
    """Detect and track objects in a source; yield each frame with its detections, which have identities.

        for frame, people in lightloom.track(network, "street.mp4"):
            print(frame.time, people.identities)

    Args:
        network: a detector.
        source: as of `open`, or an open `Source`, which is closed at the end. The images of a folder, if this opens it,
            are 0.04 s apart, as frames of a video: objects are lost between those of a slide show.
        settings: see `Tracker`; and 'cuts', whether all tracks end at scene cuts (False).

    Raises:
        UsageError: the network detects no objects, or a setting is invalid.
        SourceError, ModelError: see `Source` and `Network`.
    """
    ends = with_track_value(TrackSpec(), "cuts", settings.pop("cuts", False)).cuts
    tracker = Tracker(**settings)
    apart = SceneSpec(track=TrackSpec()).image_seconds
    frames = source if isinstance(source, Source) else open(source, gpu=network.gpu, image_seconds=apart)
    return _tracks(network, frames, tracker, CutWatch() if ends else None)


def _tracks(
    network: Network, frames: Source, tracker: Tracker, cuts: CutWatch | None
) -> Iterator[tuple[Frame, Detections]]:
    with frames:
        for frame in frames:
            found = network(frame)
            if not isinstance(found, Detections):
                kind = type(found).__name__
                raise UsageError(
                    f"{network.name} gives {kind} and not Detections; load a detector, or give key points "
                    "to a lightloom.Tracker."
                )
            if not frame.raw.follows or (cuts is not None and cuts.add(frame.raw)):
                tracker.reset()
            yield frame, tracker(found, frame.time)


def _boxes(found: Detections | Keypoints) -> NDArray[np.float64]:
    """Return boxes, float64 [n, 4] in fractions; for key points the bounding box of visible ones."""
    width, height = found.size
    if found.boxes is not None:
        boxes = found.boxes.astype(float)
    else:
        assert isinstance(found, Keypoints)
        seen = (found.confidences > 0)[..., None]
        low = np.where(seen, found.points, np.inf).min(axis=1)
        high = np.where(seen, found.points, -np.inf).max(axis=1)
        boxes = np.concatenate((low, high), axis=1).astype(float)
    return np.asarray(boxes / (width, height, width, height))


def _shapes(found: Detections | Keypoints) -> list[BoxShape]:
    identities = found.identities if found.identities is not None else np.zeros(len(found), np.int64)
    rows = zip(
        found.labels,
        found.class_ids.tolist(),
        _boxes(found).tolist(),
        found.scores.tolist(),
        identities.tolist(),
        strict=True,
    )
    return [
        BoxShape(label, index, left, top, right, bottom, score=score, identity=identity or None)
        for label, index, (left, top, right, bottom), score, identity in rows
    ]


@dataclass(frozen=True)
class Zone:
    """Polygon that counts the objects in it.

    Attributes:
        name: unique among the zones and lines of a `Zones`.
        points: three corners or more, (x, y) in fractions of the image from its upper left corner.
        classes: names of the classes that count; all if empty.
        anchor: the point of a box that is tested: 'bottom', the middle of its lower edge, or 'center'.
    """

    name: str
    points: tuple[Point, ...]
    classes: tuple[str, ...] = ()
    anchor: str = "bottom"


@dataclass(frozen=True)
class Line:
    """A line that counts the objects crossing it.

    Forward is from left to right as seen from `start` towards `end`: for a line from left to right, down.

    Attributes:
        start, end: (x, y) in fractions of the image.
        name, classes, anchor: see `Zone`.
    """

    name: str
    start: Point
    end: Point
    classes: tuple[str, ...] = ()
    anchor: str = "bottom"


class Zones:
    """Zones and lines that count tracked objects over the images of one video.

        zones = lightloom.Zones([lightloom.Line("road", (0.0, 0.5), (1.0, 0.5))])
        for frame, cars in lightloom.track(network, "road.mp4"):
            zones(cars, frame.time)
        print(zones.counts["road"].forward)

    Jitter on the line does not count a crossing twice (docs/zones.md has the rules).
    """

    def __init__(self, zones: Iterable[Zone | Line]) -> None:
        """Make zones.

        Raises:
            UsageError: duplicate names, an empty polygon or line, or points that are not fractions.
        """
        self._use([_checked(zone) for zone in zones])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load the zones of a .toml or .json file, or of a look; unusable parts cause a `UserWarning`.

        Raises:
            PresetError: the file cannot be read.
        """
        found, notes = load_zones(Path(path))
        for note in notes:
            warnings.warn(str(note), stacklevel=2)
        made = cls.__new__(cls)
        made._use(found.zones)
        return made

    def _use(self, zones: Sequence[AnyZone]) -> None:
        names = [zone.name for zone in zones]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"Two zones are called '{twice}'; give each a name of its own.")
        if len(zones) > MOST_ZONES:
            raise UsageError(
                f"There are {len(zones)} zones, and {MOST_ZONES} at most are counted; leave some out."
            )
        self._watch = ZoneWatch()
        self._watch.use(zones, ())

    def __call__(
        self, detections: Detections | Keypoints, time: float
    ) -> Mapping[str, ZoneCounts | LineCounts]:
        """Count the objects of one image; return `counts`.

        Args:
            detections: with identities, from a `Tracker`; without, zones only count the objects inside.
            time: presentation time in seconds.
        """
        followed = detections.identities is not None
        self._watch.see(_shapes(detections), time, detections.size, followed=followed)
        return self.counts

    @property
    def counts(self) -> Mapping[str, ZoneCounts | LineCounts]:
        """Counts of each zone and line so far, by its name."""
        return {each.name: each for each in self._watch.counts()}

    def reset(self) -> None:
        """Count from nothing."""
        self._watch.reset()


def _checked(zone: Zone | Line) -> AnyZone:
    if not isinstance(zone, Zone | Line):
        raise UsageError(f"Zones are made of lightloom.Zone and lightloom.Line, not {type(zone).__name__}.")
    points = tuple(zone.points) if isinstance(zone, Zone) else (zone.start, zone.end)
    flat = np.array(points, float)
    if flat.ndim != 2 or flat.shape[1] != 2 or not ((flat >= 0) & (flat <= 1)).all():
        raise UsageError(
            f"The points of '{zone.name}' are not shares of the image, 0 to 1; divide pixels by its width "
            "and height."
        )
    anchor = next((each for each in ANCHORS if each == zone.anchor), None)
    if anchor is None:
        raise UsageError(f"The anchor of '{zone.name}' is '{zone.anchor}'; choose {' or '.join(ANCHORS)}.")
    kind = ZoneSpec if isinstance(zone, Zone) else LineSpec
    made = kind(zone.name, tuple((float(x), float(y)) for x, y in points), tuple(zone.classes), anchor)
    if not is_drawable(made):
        raise UsageError(
            f"'{zone.name}' has no {'area' if isinstance(zone, Zone) else 'length'}; move its points apart."
        )
    return made


__all__ = ["ClassCounts", "Line", "LineCounts", "Tracker", "Zone", "ZoneCounts", "Zones", "track"]
