"""What two networks say of one picture: the first finds things, the second looks closer at each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from desktop.compute.tasks.common.regions import Region, find_region
from desktop.compute.tasks.shapes import (
    Box,
    Label,
    Mask,
    Points,
    Polygon,
    Position,
    Shape,
    ThingShape,
    bounds,
)
from desktop.compute.tasks.task import RegionRule, Result, Size
from desktop.wording import counted, plural

# Of two regions that share more than this, one is of a thing that the other has already (`AssociationNormRect` of MediaPipe's hands).
_SAME = 0.5


@dataclass(frozen=True)
class FoundThing:
    """A thing that the second network is to look at.

    Attributes:
        label, index, score: as the first network names it.
        box: (left, top, right, bottom) in shares of the picture; None where the region was carried from the picture before.
        region: what the second sees.
    """

    label: str
    index: int
    score: float | None
    box: tuple[float, float, float, float] | None
    region: Region


@dataclass(frozen=True)
class CloserLook:
    """A thing, and what the second network said of it; positions in `said` are shares of the region."""

    found: FoundThing
    said: Result

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """What can be drawn of it, in shares of the picture: the thing's box first, named by the second network where that names things.

        The box is around the thing's points where it has some: a palm's box comes and goes with the detector, that of the hand stays.
        """
        said, found = self.said.shapes(), self.found
        inside = tuple(each for shape in said if (each := _placed(shape, found.region)) is not None)
        points = next((shape for shape in inside if isinstance(shape, Points)), None)
        around = bounds(points) if points is not None else found.box
        if around is None:
            return inside
        label, index, score = found.label, found.index, found.score
        name = next((shape for shape in said if isinstance(shape, Label)), None)
        if name is not None:
            label, score = f"{label}: {name.label}" if label else name.label, name.value
        elif points is not None and points.label:
            label, index, score = points.label, points.index, points.score
            # It stands beside the box.
            inside = tuple(replace(s, label="", score=None) if s is points else s for s in inside)
        return (Box(label, index, *around, score=score), *inside)

    @property
    def points(self) -> tuple[Position, ...]:
        """Its first points, in shares of the picture; none where it gives none."""
        found = next((shape for shape in self.said.shapes() if isinstance(shape, Points)), None)
        return found.moved(self.found.region.place).points if found is not None else ()


@dataclass(frozen=True)
class CloserResult(Result):
    """What two networks said of one frame.

    Attributes:
        looks: the things that the second looked at, best first.
        others: what the first shows beside them.
        size: (width, height) of the picture.
        rested: the first network rested: the regions are those of the points before.
        left_out: things that the first found and the second did not look at, as far as that is known.
    """

    looks: tuple[CloserLook, ...]
    others: tuple[Shape, ...]
    size: Size
    rested: bool = False
    left_out: int = 0

    def json(self) -> dict[str, Any]:
        """'objects' with box, region and what the second said of each, the picture's 'size', and 'carried'; docs/second-look.md."""
        return {
            "size": list(self.size),
            "carried": self.rested,
            "objects": [self._entry(look) for look in self.looks],
            "others": [self._shape(shape) for shape in self.others],
        }

    def _entry(self, look: CloserLook) -> dict[str, Any]:
        found, shapes = look.found, look.shapes
        around = bounds(shapes[0]) if shapes else None
        # The first is the thing itself.
        inside = shapes[1:]
        # What lies in the region is told in the picture; a name or a vector as the second network's own task tells it.
        placed = any(not isinstance(shape, Label) for shape in look.said.shapes())
        return {
            "index": found.index,
            "label": found.label,
            "score": found.score,
            "box": self._pixels((around[:2], around[2:])) if around is not None else None,
            "region": [self._point(corner) for corner in found.region.corners],
            "second": [self._shape(shape) for shape in inside] if placed else look.said.json(),
        }

    def _shape(self, shape: Shape) -> dict[str, Any]:
        entry: dict[str, Any] = {"shape": type(shape).__name__.lower(), "label": shape.label}
        entry["index"] = shape.index
        if getattr(shape, "score", None) is not None:
            entry["score"] = getattr(shape, "score", None)
        if isinstance(shape, Points | Polygon):
            entry["points"] = [self._point(position) for position in shape.points]
        elif (around := bounds(shape)) is not None:
            entry["box"] = self._pixels((around[:2], around[2:]))
        return entry

    def _point(self, position: Position) -> list[float]:
        return [position[0] * self.size[0], position[1] * self.size[1]]

    def _pixels(self, corners: Sequence[Sequence[float]]) -> list[float]:
        return [value * side for corner in corners for value, side in zip(corner, self.size, strict=True)]

    def lines(self) -> tuple[str, ...]:
        """Score, name and box of each thing, and below it what the second network said."""
        if not self.looks and not self.others:
            return ("nothing found; a lower --score finds more",)
        found = []
        for look in self.looks:
            entry = self._entry(look)
            score = f"{look.found.score:7.2%}" if look.found.score is not None else " " * 7
            where = ""
            if entry["box"] is not None:
                left, top, right, bottom = (round(value) for value in entry["box"])
                where = f"  {left},{top} to {right},{bottom}"
            found.append(f"{score}  {look.found.label:16}{where}")
            if look.points:
                found.append(f"         {counted(len(look.points), 'point')}")
            else:
                found += [f"         {line}" for line in look.said.lines()]
        if self.others:
            found.append(f"not looked at closer: {len(self.others)}")
        return tuple(found)

    @property
    def remark(self) -> str:
        """How many things were too many."""
        if not self.left_out:
            return ""
        return plural(
            self.left_out,
            "%n thing was not looked at closer; raise how many are.",
            "%n things were not looked at closer; raise how many are.",
        )

    def shapes(self) -> tuple[Shape, ...]:
        """The box of each thing with what the second network shows of it, and what the first shows of the others."""
        found: list[Shape] = []
        for number, look in enumerate(self.looks):
            found += [_of_thing(shape, number) for shape in look.shapes]
        return (*found, *self.others)


def _of_thing(shape: Shape, number: int) -> Shape:
    return replace(shape, thing=number) if isinstance(shape, ThingShape) else shape


def _placed(shape: Shape, region: Region) -> Shape | None:
    """A shape of a region, in the picture; None for one that has no place there."""
    if isinstance(shape, Label):
        return None
    if region.is_upright or not isinstance(shape, Box | Mask):
        return shape.moved(region.place)
    if isinstance(shape, Mask):
        return None  # its texture lies upright
    left, top, right, bottom = shape.left, shape.top, shape.right, shape.bottom
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Polygon(shape.label, shape.index, corners, score=shape.score).moved(region.place)


# -- which regions ---------------------------------------------------------------------------------------------------------


def find_things(
    result: Result, rule: RegionRule, size: Size, aspect: float, most: int
) -> tuple[tuple[FoundThing, ...], tuple[Shape, ...]]:
    """Return the things of a first network's result that a second looks at, at most so many, and the shapes that it does not look at."""
    found: list[FoundThing] = []
    others: list[Shape] = []
    seen: set[int] = set()
    for shape in result.shapes():
        thing = getattr(shape, "thing", None)
        around = bounds(shape)
        if around is None or thing in seen or len(found) == most:
            others.append(shape)
            continue
        points = shape.points if isinstance(shape, Box) else ()
        region = find_region(rule, around, points, size, aspect)
        if region is None:
            others.append(shape)
            continue
        if thing is not None:
            seen.add(thing)
        found.append(FoundThing(shape.label, shape.index, getattr(shape, "score", None), around, region))
    return tuple(found), tuple(others)


def carried(looks: Sequence[CloserLook], rule: RegionRule, size: Size) -> tuple[FoundThing, ...]:
    """Return the regions of the next picture, of things whose points are sure; each thing once."""
    found: list[FoundThing] = []
    for look in looks:
        region = find_region(rule, None, look.points, size) if look.points else None
        if region is None or any(same(region, other.region) for other in found):
            continue
        found.append(replace(look.found, box=None, region=region))
    return tuple(found)


def joined(held: Sequence[FoundThing], new: Sequence[FoundThing], most: int) -> tuple[FoundThing, ...]:
    """Return carried things, and of those that were found anew the ones that none of them is."""
    fresh = (item for item in new if not any(same(item.region, other.region) for other in held))
    return (*held, *fresh)[:most]


def same(one: Region, other: Region) -> bool:
    """Tell whether two regions show the same thing: by the overlap of the upright rectangles around them."""
    a, b = _around(one), _around(other)
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return False
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return across * down > _SAME * (areas - across * down)


def _around(region: Region) -> tuple[float, float, float, float]:
    across, down = zip(*region.corners, strict=True)
    return min(across), min(down), max(across), max(down)
