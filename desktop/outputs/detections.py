"""Detections of an image in pixels, for result formats: all shapes of an object are combined."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from desktop.base.file_names import local_name, portable_name
from desktop.outputs.journal import PictureRecord, SavedMask
from desktop.outputs.result_format import number
from desktop.vision.tasks.shapes import Extents, Label, Line, Points, Polygon, Position, Shape, bounds


@dataclass(frozen=True)
class DetectedObject:
    """A detected object; positions are pixels of the image.

    Attributes:
        score: the network's confidence, 0 to 1; None if unknown.
        identity: its track number; None without tracking.
        points: its key points, in the network's order; () for none.
        confidences: of each point, 0 to 1, 0 if not visible; () if all are certain.
        edges: pairs of indices of connected `points`.
        outline: a closed polygon around it (such as an oriented box); () for none.
    """

    label: str
    index: int
    score: float | None
    identity: int | None
    box: Extents
    points: tuple[Position, ...] = ()
    confidences: tuple[float, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    outline: tuple[Position, ...] = ()
    mask: SavedMask | None = None

    def confident_points(self) -> Iterator[Position | None]:
        """Yield each point, None for one that is not visible or NaN."""
        for place, (x, y) in enumerate(self.points):
            is_sure = not self.confidences or self.confidences[place] > 0
            yield (x, y) if is_sure and math.isfinite(x) and math.isfinite(y) else None


@dataclass(frozen=True)
class Row:
    """A row of a table: a detection, or a class of the whole image, whose position is None.

    Attributes:
        pts, left, top, right, bottom: seconds, and pixels of the image.
        score: confidence of a detection, or probability of a class; None for NaN.
        confidences: of the `points` (x, y), 0 to 1; () if all are certain.
    """

    input: str
    file: str
    frame: int
    pts: float | None
    width: int
    height: int
    label: str
    index: int
    score: float | None
    identity: int | None = None
    left: float | None = None
    top: float | None = None
    right: float | None = None
    bottom: float | None = None
    points: tuple[Position, ...] = ()
    confidences: tuple[float, ...] = ()
    outline: tuple[Position, ...] = ()


def extents(shape: Shape) -> Extents | None:
    """Return the upright bounding box of a shape, in fractions; None if it is not an object, or NaN."""
    if isinstance(shape, SavedMask):
        found: Extents | None = (shape.left, shape.top, shape.right, shape.bottom)
    else:
        found = bounds(shape)
    return found if found is not None and all(map(math.isfinite, found)) else None


def detections_of(record: PictureRecord) -> tuple[DetectedObject, ...]:
    """Return the detections in an image, in the order of the result."""
    return tuple(_detection(shapes, record.size) for shapes in group_by_object(record.shapes))


def group_by_object(shapes: Iterable[Shape]) -> tuple[list[Shape], ...]:
    """Return the shapes in an image, grouped by object: those with one `thing` belong together."""
    groups: dict[tuple[str, int], list[Shape]] = {}
    for place, shape in enumerate(shapes):
        if isinstance(shape, Label | Line) or extents(shape) is None:
            continue
        thing = getattr(shape, "thing", None)
        groups.setdefault(("alone", place) if thing is None else ("thing", thing), []).append(shape)
    return tuple(groups.values())


def leading(shapes: Sequence[Shape]) -> Shape:
    """Return the shape of an object that determines its position: a box, rather than the points in it."""
    return min(shapes, key=lambda shape: isinstance(shape, Points))


def _detection(shapes: list[Shape], size: tuple[int, int]) -> DetectedObject:
    def pixels(x: float, y: float) -> Position:
        return (x * size[0], y * size[1])

    first = leading(shapes)
    found = extents(first)
    assert found is not None
    points = next((shape for shape in shapes if isinstance(shape, Points)), None)
    outline = next((shape for shape in shapes if isinstance(shape, Polygon)), None)
    scores = (getattr(shape, "score", None) for shape in (first, *shapes))
    identities = (getattr(shape, "identity", None) for shape in shapes)
    return DetectedObject(
        label=first.label,
        index=first.index,
        score=number(next((score for score in scores if score is not None), None), 6),
        identity=next((identity for identity in identities if identity is not None), None),
        box=_rounded((*pixels(*found[:2]), *pixels(*found[2:]))),
        points=_placed(points.moved(pixels).points) if points is not None else (),
        confidences=tuple(round(float(c), 6) for c in points.confidences) if points is not None else (),
        edges=points.edges if points is not None else (),
        outline=_placed(outline.moved(pixels).points) if outline is not None else (),
        mask=next((shape for shape in shapes if isinstance(shape, SavedMask)), None),
    )


def _rounded(box: Extents) -> Extents:
    left, top, right, bottom = (round(value, 3) for value in box)
    return (left, top, right, bottom)


def _placed(points: tuple[Position, ...]) -> tuple[Position, ...]:
    return tuple((round(x, 3), round(y, 3)) for x, y in points)


def words_of(record: PictureRecord) -> tuple[Label, ...]:
    """Return the classes of the whole image, best first."""
    return tuple(shape for shape in record.shapes if isinstance(shape, Label))


def rows_of(record: PictureRecord) -> Iterator[Row]:
    """Yield the rows of an image in a table: none if nothing was detected."""
    own = (record.input, record.file, record.frame, number(record.pts, 6), *record.size)
    for word in words_of(record):
        yield Row(*own, word.label, word.index, number(word.value, 6))
    for thing in detections_of(record):
        yield Row(
            *own,
            *(thing.label, thing.index, thing.score, thing.identity),
            *thing.box,
            points=thing.points,
            confidences=thing.confidences,
            outline=thing.outline,
        )


class PictureNames:
    """Unique file names for the images of a run."""

    def __init__(self) -> None:
        self._taken: dict[str, tuple[str, int]] = {}

    def of(self, record: PictureRecord) -> str:
        """Return the file name for an image, unique even if inputs differ only in extension or case."""
        stem, suffix = picture_stem(record), PurePath(record.file).suffix if record.still else ".png"
        own, unique, count = (record.file, record.frame), f"{stem}{suffix}", 1
        # Some file systems do not tell 'A' from 'a'.
        while self._taken.setdefault(unique.casefold(), own) != own:
            count += 1
            unique = f"{stem}-{count}{suffix}"
        return unique


def picture_stem(record: PictureRecord) -> str:
    """Return an image's name without extension, with a frame number for videos. It is not unique: 'a.jpg' and
    'a.png', or files of two folders, share it.
    """
    if record.still and "://" not in record.file:
        # Labels are found by the image's own name.
        return local_name(PurePath(record.file).stem, empty="picture")
    stem = input_stem(record.file, empty="picture")
    return stem if record.still else f"{stem}_{record.frame:06d}"


def input_stem(name: str, *, empty: str) -> str:
    """Return the name of an input (a file, an address, 'sample:', 'camera:0') without suffix as a file name;
    `empty` if nothing is left.
    """
    stem = PurePath(name).stem
    return portable_name(stem, empty=empty) if _ADDRESS.match(name) else local_name(stem, empty=empty)


# A single letter is a drive of Windows.
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
