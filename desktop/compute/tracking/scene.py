"""What a network's results show over time: which thing of this picture is which of the one before, and the way that it went.

A `Scene` stands behind the network that looks at the pictures and makes a `Sighting` of each of its results. It knows shapes and
identities, and no task. Overlay, exports, tables and events read the sighting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.compute.tasks.shapes import Box, Line, Shape

if TYPE_CHECKING:
    # With it comes what runs networks, which the first picture does without.
    from desktop.compute.tasks.task import Result, Size


@dataclass(frozen=True)
class TrackSpec:
    """How things are followed; docs/tracking.md tells what each does.

    Attributes:
        score: how sure a thing must be for an identity of its own to begin, 0 to 1. What is less sure still goes on with one that is there.
        overlap: the least overlap (IoU) of where a thing is expected and where it is found, 0 to 1.
        hits: in how many results, one after the other, a thing must be found before it gets its identity.
        remember: for how many seconds a thing that is not found is still expected to return.
        by_class: only things of one class can be the same thing.
        trail: of how many seconds the way is shown; 0 shows none.
    """

    score: float = 0.5
    overlap: float = 0.2
    hits: int = 2
    remember: float = 2.0
    by_class: bool = True
    trail: float = 2.0


@dataclass(frozen=True)
class SceneSpec:
    """What is made of a network's results over time.

    Attributes:
        track: things are followed so; None follows nothing.
    """

    track: TrackSpec | None = None


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
    """

    result: Result
    pts: float
    size: Size
    shapes: tuple[Shape, ...]
    trails: tuple[Line, ...] = ()
    expected: tuple[Box, ...] = ()


class Scene:
    """Makes a sighting of each result, in their order. For one thread.

    Attributes:
        spec: what is made of the results; `use` changes it.
    """

    def __init__(self, spec: SceneSpec | None = None) -> None:
        self.spec = spec or SceneSpec()

    def use(self, spec: SceneSpec) -> None:
        """Go on with other settings; what is known stays, as far as they have a use for it."""
        self.spec = spec

    def cut(self) -> None:
        """What comes does not follow what was: another source, another place in it, another network. Identities end; none is used again."""

    def see(self, result: Result, pts: float, size: Size) -> Sighting:
        """Return what a result shows.

        Args:
            result: of the network.
            pts: presentation time of its picture in seconds. The same time again is the same picture seen again; one before it is a cut.
            size: (width, height) of its picture in pixels.
        """
        return Sighting(result, pts, size, result.shapes())
