"""Results of two networks on one frame: the first finds objects, the second examines a region around each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from desktop.base.wording import counted, plural
from desktop.vision.tasks.common.regions import Region, find_region
from desktop.vision.tasks.shapes import (
    Box,
    Label,
    Mask,
    ObjectShape,
    Points,
    Polygon,
    Position,
    Shape,
    bounds,
)
from desktop.vision.tasks.task import RegionRule, Result, Size

# Of two regions that overlap more than this, one is a duplicate (`AssociationNormRect` of MediaPipe's hands).
_SAME = 0.5


@dataclass(frozen=True)
class ObjectRegion:
    """Object for the secondary network, with label, index and score from the primary.

    Attributes:
        box: (left, top, right, bottom) as fractions of the frame; None if its region was tracked.
        region: the part that the secondary network reads.
    """

    label: str
    index: int
    score: float | None
    box: tuple[float, float, float, float] | None
    region: Region


@dataclass(frozen=True)
class CascadeObject:
    """An object with the secondary network's result; its positions are fractions of the region."""

    found: ObjectRegion
    second_result: Result

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Shapes as fractions of the frame, the box first; it encloses the object's points, if any."""
        second_result, found = self.second_result.shapes(), self.found
        inside = tuple(each for shape in second_result if (each := _placed(shape, found.region)) is not None)
        points = next((shape for shape in inside if isinstance(shape, Points)), None)
        around = bounds(points) if points is not None else found.box
        if around is None:
            return inside
        label, index, score = found.label, found.index, found.score
        name = next((shape for shape in second_result if isinstance(shape, Label)), None)
        if name is not None:
            label, score = f"{label}: {name.label}" if label else name.label, name.value
        elif points is not None and points.label:
            label, index, score = points.label, points.index, points.score
            # The label is drawn beside the box.
            inside = tuple(replace(s, label="", score=None) if s is points else s for s in inside)
        return (Box(label, index, *around, score=score), *inside)

    @property
    def points(self) -> tuple[Position, ...]:
        """Its first points, in shares of the frame; none if it has none."""
        found = next((shape for shape in self.second_result.shapes() if isinstance(shape, Points)), None)
        return found.moved(self.found.region.place).points if found is not None else ()


@dataclass(frozen=True)
class CascadeResult(Result):
    """Result of two networks on one frame.

    Attributes:
        objects: objects that the secondary network processed, best first.
        others: further shapes of the primary network.
        rested: the primary network did not run: the regions follow from the previous points.
        left_out: detections that the secondary network did not process, as far as known.
    """

    objects: tuple[CascadeObject, ...]
    others: tuple[Shape, ...]
    size: Size
    rested: bool = False
    left_out: int = 0

    def json(self) -> dict[str, Any]:
        """'objects' with box, region and second result, 'size' and 'carried'; see docs/second-look.md."""
        return {
            "size": list(self.size),
            "carried": self.rested,
            "objects": [self._entry(item) for item in self.objects],
            "others": [self._shape(shape) for shape in self.others],
        }

    def _entry(self, item: CascadeObject) -> dict[str, Any]:
        found, shapes = item.found, item.shapes
        around = bounds(shapes[0]) if shapes else None
        # The first shape is the object itself.
        inside = shapes[1:]
        # Positions in the region are converted to the frame; names and vectors are as in the second's task.
        placed = any(not isinstance(shape, Label) for shape in item.second_result.shapes())
        return {
            "index": found.index,
            "label": found.label,
            "score": found.score,
            "box": self._pixels((around[:2], around[2:])) if around is not None else None,
            "region": [self._point(corner) for corner in found.region.corners],
            "second": [self._shape(shape) for shape in inside] if placed else item.second_result.json(),
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
        """Score, label and box of each object, followed by the second network's result."""
        if not self.objects and not self.others:
            return ("nothing found; a lower --score finds more",)
        found = []
        for item in self.objects:
            entry = self._entry(item)
            score = f"{item.found.score:7.2%}" if item.found.score is not None else " " * 7
            where = ""
            if entry["box"] is not None:
                left, top, right, bottom = (round(value) for value in entry["box"])
                where = f"  {left},{top} to {right},{bottom}"
            found.append(f"{score}  {item.found.label:16}{where}")
            if item.points:
                found.append(f"         {counted(len(item.points), 'point')}")
            else:
                found += [f"         {line}" for line in item.second_result.lines()]
        if self.others:
            found.append(f"not processed: {len(self.others)}")
        return tuple(found)

    @property
    def hint(self) -> str:
        """Number of objects beyond the limit."""
        if not self.left_out:
            return ""
        return plural(
            self.left_out,
            "%n object was not processed by the secondary network; raise the limit.",
            "%n objects were not processed by the secondary network; raise the limit.",
        )

    def shapes(self) -> tuple[Shape, ...]:
        """Box of each object with the secondary network's shapes, and the primary's shapes of the others."""
        found: list[Shape] = []
        for number, item in enumerate(self.objects):
            found += [_of_object(shape, number) for shape in item.shapes]
        return (*found, *self.others)


def _of_object(shape: Shape, number: int) -> Shape:
    return replace(shape, thing=number) if isinstance(shape, ObjectShape) else shape


def _placed(shape: Shape, region: Region) -> Shape | None:
    """Convert a shape from a region to the frame; return None for one that has no place there."""
    if isinstance(shape, Label):
        return None
    if region.is_upright or not isinstance(shape, Box | Mask):
        return shape.moved(region.place)
    if isinstance(shape, Mask):
        return None  # its texture is not rotated
    left, top, right, bottom = shape.left, shape.top, shape.right, shape.bottom
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Polygon(shape.label, shape.index, corners, score=shape.score).moved(region.place)


# -- which regions -------------------------------------------------------------------------------------------


def find_objects(
    result: Result, rule: RegionRule, size: Size, aspect: float, most: int
) -> tuple[tuple[ObjectRegion, ...], tuple[Shape, ...]]:
    """Return at most `most` objects of a primary network's result, and the other shapes."""
    found: list[ObjectRegion] = []
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
        found.append(ObjectRegion(shape.label, shape.index, getattr(shape, "score", None), around, region))
    return tuple(found), tuple(others)


def carried(objects: Sequence[CascadeObject], rule: RegionRule, size: Size) -> tuple[ObjectRegion, ...]:
    """Return the regions for the next frame, of objects whose points are certain; each object once."""
    found: list[ObjectRegion] = []
    for item in objects:
        region = find_region(rule, None, item.points, size) if item.points else None
        if region is None or any(same(region, other.region) for other in found):
            continue
        found.append(replace(item.found, box=None, region=region))
    return tuple(found)


def joined(held: Sequence[ObjectRegion], new: Sequence[ObjectRegion], most: int) -> tuple[ObjectRegion, ...]:
    """Join carried objects with the newly found ones that are not among them."""
    fresh = (item for item in new if not any(same(item.region, other.region) for other in held))
    return (*held, *fresh)[:most]


def same(one: Region, other: Region) -> bool:
    """Return True if two regions show the same object, by the overlap of their bounding rectangles."""
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
