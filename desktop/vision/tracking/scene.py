"""Track results over time: a `Scene` makes a `TrackedResult` of each, with identities and trails."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from desktop.vision.tasks.shapes import Box, Extents, Label, Line, Shape, identity_of
from desktop.vision.tracking.counts import Counts
from desktop.vision.tracking.events import EventSpec, Occurrence
from desktop.vision.tracking.heat_map import HeatImage
from desktop.vision.tracking.redaction_areas import RedactionAreas
from desktop.vision.tracking.track import FollowedShapes, TrackSpec, TrackTally
from desktop.vision.tracking.zone_watch import SceneWatch
from desktop.vision.tracking.zones import AnyZone

# Cuts whose results are awaited; a network that is slower than that has missed them in any case.
_MOST_CUTS: Final = 64

if TYPE_CHECKING:
    from desktop.media.frame import Frame
    from desktop.media.scene_cuts import CutWatch

    # With it comes what runs networks, which the first frame does without.
    from desktop.vision.tasks.task import Result, Size
    from desktop.vision.tracking.follower import Follower


@dataclass(frozen=True)
class SceneSpec:
    """Settings of tracking (`track`, None for none), zones and lines (unique names), and the heat map."""

    track: TrackSpec | None = None
    zones: tuple[AnyZone, ...] = ()
    events: tuple[EventSpec, ...] = ()
    heat_map: bool = False

    @property
    def image_seconds(self) -> float:
        """Seconds between frames of a folder: as in a slide show, or as in a video if objects are tracked."""
        return 3.0 if self.track is None else 0.04


@dataclass(frozen=True)
class TrackedResult:
    """A result with the tracks, counts and events up to it.

    Attributes:
        pts, size: presentation time of its frame in seconds; its (width, height) in pixels.
        shapes: the result's shapes, in its order; `identity` is set if they are tracked.
        trails: the trail of each identity, oldest position first, with `identity` and class.
        expected: predicted positions of identities missing in this result, such as hidden objects.
        followed: objects are tracked, so a shape without an identity has none yet.
        heat: the heat map so far, updated a few times a second; None without one.
        tally: number of objects so far, and of those without a track; None if objects are not tracked.
    """

    result: Result
    pts: float
    size: Size
    shapes: tuple[Shape, ...]
    trails: tuple[Line, ...] = ()
    expected: tuple[Box, ...] = ()
    followed: bool = False
    zones: tuple[AnyZone, ...] = ()
    counts: tuple[Counts, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    heat: HeatImage | None = None
    tally: TrackTally | None = None

    @property
    def identities(self) -> tuple[int | None, ...]:
        """The identity of each object of the result, in its order; shapes of one `thing` are one object."""
        things: dict[object, int | None] = {}
        for place, shape in enumerate(self.shapes):
            if not isinstance(shape, Label | Line):
                number = getattr(shape, "thing", None)
                things.setdefault(("alone", place) if number is None else number, identity_of(shape))
        return tuple(things.values())

    def json(self) -> dict[str, Any]:
        """Return JSON values; with tracking, objects (or the only one) have an 'identity' or null."""
        document = self.result.json()
        if not self.followed:
            return document
        identities, objects = self.identities, document.get("objects")
        if isinstance(objects, list) and len(objects) == len(identities):
            both = zip(objects, identities, strict=True)
            return {**document, "objects": [{**item, "identity": identity} for item, identity in both]}
        return {**document, "identity": identities[0]} if len(identities) == 1 else document


class Scene:
    """Makes a tracked result of each result, in their order; `use` changes the settings. For one thread.

    `last_events` has the time of the last occurrence of each event by its name, in seconds.
    """

    def __init__(self, spec: SceneSpec | None = None) -> None:
        self._watch = SceneWatch()
        self.redaction = RedactionAreas()
        self._follower: Follower | None = None
        self._cut_watch: CutWatch | None = None
        # Times of the frames after the cuts, of which no result has come.
        self._cuts: deque[float] = deque(maxlen=_MOST_CUTS)
        self.last_events: dict[str, float] = {}
        self.spec = SceneSpec()
        self.use(spec or SceneSpec())

    def use(self, spec: SceneSpec) -> None:
        """Change the settings, keeping the tracks and counts that still apply."""
        self.spec = spec
        self._watch.use(spec.zones, spec.events, heat_map=spec.heat_map)
        if spec.track is None and self._follower is not None:
            self._follower.cut()

    def reset_counts(self) -> None:
        """Reset the counts of all zones and the heat map."""
        self._watch.reset()

    def cut(self) -> None:
        """Start anew with the next frame: another source, position or network. Identities are not reused."""
        self._watch.cut()
        self.redaction.cut()
        self.last_events.clear()
        self._cuts.clear()
        if self._cut_watch is not None:
            self._cut_watch.clear()
        if self._follower is not None:
            self._follower.cut()

    def watch(self, frame: Frame) -> None:
        """Note an image that does not follow the one before, and look for a scene cut if tracks end at cuts.

        Each frame is to be given, before its result is passed to `see`.
        """
        if self.spec.track is not None and not frame.follows:
            self._cuts.append(frame.pts)
        if self.spec.track is None or not self.spec.track.cuts:
            self._cut_watch = None
            return
        if self._cut_watch is None:
            # Without that setting no image is converted.
            from desktop.media.scene_cuts import CutWatch

            self._cut_watch = CutWatch()
        if self._cut_watch.add(frame):
            self._cuts.append(frame.pts)

    def see(self, result: Result, pts: float, size: Size) -> TrackedResult:
        """Make the tracked result of a frame of `size` (width, height) in pixels, at `pts` in seconds.

        An equal time is the same frame, an earlier one a cut.
        """
        shapes = result.shapes()
        self.redaction.see(shapes, pts, size, has_nan=result.has_nan)
        followed = self._follow(shapes, pts, size)
        seen = self._watch.see(followed.shapes, pts, size, followed=self.spec.track is not None)
        self.last_events.update({each.event: pts for each in seen.occurrences})
        return TrackedResult(
            result,
            pts,
            size,
            followed.shapes,
            followed.trails,
            followed.expected,
            self.spec.track is not None,
            zones=self.spec.zones,
            counts=seen.counts,
            occurrences=seen.occurrences,
            heat=seen.heat,
            tally=followed.tally if self.spec.track is not None else None,
        )

    def places(self, pts: float) -> Mapping[int, Extents]:
        """Return where tracked objects are expected at a time not before the newest result, in fractions."""
        if self._follower is None or self.spec.track is None:
            return {}
        return self._follower.places(pts, self.spec.track)

    def _follow(self, shapes: tuple[Shape, ...], pts: float, size: Size) -> FollowedShapes:
        if self.spec.track is None:
            return FollowedShapes(shapes)
        while self._cuts and self._cuts[0] <= pts:
            self._cuts.popleft()
            if self._follower is not None:
                self._follower.cut()
        if self._follower is None:
            # Without tracking, neither this nor lapx is needed.
            from desktop.vision.tracking.follower import Follower

            self._follower = Follower()
        return self._follower.follow(shapes, pts, size, self.spec.track)
