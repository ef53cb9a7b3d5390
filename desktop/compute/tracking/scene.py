"""What a network's results show over time: which thing of this picture is which of the one before, and the way that it went.

A `Scene` stands behind the network that looks at the pictures and makes a `Sighting` of each of its results. It knows shapes and
identities, and no task. Overlay, exports, tables and events read the sighting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.compute.tasks.shapes import Box, Label, Line, Shape, identity_of
from desktop.compute.tracking.counts import Counts
from desktop.compute.tracking.events import EventSpec, Happening
from desktop.compute.tracking.heat_map import HeatImage
from desktop.compute.tracking.hiding import Hiding
from desktop.compute.tracking.track import FollowedShapes, TrackSpec, TrackTally
from desktop.compute.tracking.zone_watch import SceneWatch
from desktop.compute.tracking.zones import AnyZone

if TYPE_CHECKING:
    # With it comes what runs networks, which the first picture does without.
    from desktop.compute.tasks.task import Result, Size
    from desktop.compute.tracking.follower import Follower


@dataclass(frozen=True)
class SceneSpec:
    """What is made of a network's results over time.

    Attributes:
        track: things are followed so; None follows nothing.
        zones: zones and lines on the picture, which count what is in them; their names differ.
        events: what is to be told of them.
        heat_map: where things were is added up.
    """

    track: TrackSpec | None = None
    zones: tuple[AnyZone, ...] = ()
    events: tuple[EventSpec, ...] = ()
    heat_map: bool = False

    @property
    def image_seconds(self) -> float:
        """How far apart pictures of a folder are for a command: as in a slide show, or as in a video where things are followed."""
        return 3.0 if self.track is None else 0.04


@dataclass(frozen=True)
class Sighting:
    """What one result shows, with what is known from those before it.

    Attributes:
        result: what the network said.
        pts: presentation time of its picture in seconds.
        size: (width, height) of that picture in pixels.
        shapes: the result's shapes, in its order; `identity` is set where something follows them.
        trails: the way of each identity, oldest position first, with `identity` and the class of its thing.
        expected: where identities are that this result lacks, as far as their motion tells: a thing that is hidden for a moment.
        followed: things are followed, so that a shape without an identity is one that has none yet.
        zones: what was watched.
        counts: what each of them has counted so far.
        happenings: what events had to tell of this picture.
        heat: where things were so far, renewed some times a second; None where it is not added up.
        tally: how many things there were so far, and how many of them nothing followed; None where nothing is followed.
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
    happenings: tuple[Happening, ...] = ()
    heat: HeatImage | None = None
    tally: TrackTally | None = None

    @property
    def identities(self) -> tuple[int | None, ...]:
        """The identity of each thing of the result, in its order; shapes of one `thing` are one."""
        things: dict[object, int | None] = {}
        for place, shape in enumerate(self.shapes):
            if not isinstance(shape, Label | Line):
                number = getattr(shape, "thing", None)
                things.setdefault(("alone", place) if number is None else number, identity_of(shape))
        return tuple(things.values())

    def json(self) -> dict[str, Any]:
        """Return the result as JSON has it; where things are followed, each of its 'objects' has its 'identity', null for none yet.

        A result of one thing that has no 'objects' has it itself.
        """
        document = self.result.json()
        if not self.followed:
            return document
        identities, objects = self.identities, document.get("objects")
        if isinstance(objects, list) and len(objects) == len(identities):
            both = zip(objects, identities, strict=True)
            return {**document, "objects": [{**item, "identity": identity} for item, identity in both]}
        return {**document, "identity": identities[0]} if len(identities) == 1 else document


class Scene:
    """Makes a sighting of each result, in their order. For one thread.

    Attributes:
        spec: what is made of the results; `use` changes it.
        hiding: which places of the picture are hidden.
    """

    def __init__(self, spec: SceneSpec | None = None) -> None:
        self._watch = SceneWatch()
        self.hiding = Hiding()
        self._follower: Follower | None = None
        self.spec = SceneSpec()
        self.use(spec or SceneSpec())

    def use(self, spec: SceneSpec) -> None:
        """Go on with other settings; what is known stays, as far as they have a use for it."""
        self.spec = spec
        self._watch.use(spec.zones, spec.events, heat_map=spec.heat_map)
        if spec.track is None and self._follower is not None:
            self._follower.cut()

    def reset_counts(self) -> None:
        """Begin the counts of all zones and the heat map anew."""
        self._watch.reset()

    def cut(self) -> None:
        """What comes does not follow what was: another source, another place in it, another network. Identities end; none is used again."""
        self._watch.cut()
        self.hiding.cut()
        if self._follower is not None:
            self._follower.cut()

    def see(self, result: Result, pts: float, size: Size) -> Sighting:
        """Return what a result shows.

        Args:
            result: of the network.
            pts: presentation time of its picture in seconds. The same time again is the same picture seen again; one before it is a cut.
            size: (width, height) of its picture in pixels.
        """
        shapes = result.shapes()
        self.hiding.see(shapes, pts, size, has_nan=result.has_nan)
        followed = self._follow(shapes, pts, size)
        seen = self._watch.see(followed.shapes, pts, size, followed=self.spec.track is not None)
        return Sighting(
            result,
            pts,
            size,
            followed.shapes,
            followed.trails,
            followed.expected,
            self.spec.track is not None,
            zones=self.spec.zones,
            counts=seen.counts,
            happenings=seen.happenings,
            heat=seen.heat,
            tally=followed.tally if self.spec.track is not None else None,
        )

    def _follow(self, shapes: tuple[Shape, ...], pts: float, size: Size) -> FollowedShapes:
        if self.spec.track is None:
            return FollowedShapes(shapes)
        if self._follower is None:
            # What follows nothing needs neither this nor lapx.
            from desktop.compute.tracking.follower import Follower

            self._follower = Follower()
        return self._follower.follow(shapes, pts, size, self.spec.track)
