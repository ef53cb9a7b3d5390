"""What was seen in a picture, thing by thing: the shapes that show one thing put together, in pixels, for formats of results."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from desktop.compute.outputs.journal import PictureRecord, SavedMask
from desktop.compute.outputs.result_format import number
from desktop.compute.tasks.shapes import Extents, Label, Line, Points, Polygon, Position, Shape, bounds


@dataclass(frozen=True)
class Thing:
    """One thing that lies in a picture.

    Attributes:
        label, index: the name of its class and its number.
        score: how sure the network is, 0 to 1; None where it does not say.
        identity: its number over time; None where nothing follows it.
        box: (left, top, right, bottom) in pixels of the picture.
        points: its key points in pixels, in the network's order; () for none.
        confidences: how sure each point is, 0 to 1; 0 for one that is not seen. () where all are sure.
        edges: pairs of places in `points` that a line joins.
        outline: a closed line around it in pixels (an oriented box, say); () for none.
        mask: its pixels; None for none.
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

    def points_seen(self) -> Iterator[Position | None]:
        """Yield each point, None for one that is not seen or lies nowhere (NaN)."""
        for place, (x, y) in enumerate(self.points):
            is_sure = not self.confidences or self.confidences[place] > 0
            yield (x, y) if is_sure and math.isfinite(x) and math.isfinite(y) else None


@dataclass(frozen=True)
class Row:
    """A row of a table: one thing, or one word about the whole picture, whose place is None.

    Attributes:
        pts, left, top, right, bottom: seconds, and pixels of the picture.
        score: of a thing, or the share of a word; None for what is no number.
        points, outline: (x, y) in pixels.
        confidences: of the points, 0 to 1; () where all are sure.
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
    """Return the upright rectangle around a shape, in shares; None for one that is no thing in the picture, or lies nowhere (NaN)."""
    if isinstance(shape, SavedMask):
        found: Extents | None = (shape.left, shape.top, shape.right, shape.bottom)
    else:
        found = bounds(shape)
    return found if found is not None and all(map(math.isfinite, found)) else None


def things_of(record: PictureRecord) -> tuple[Thing, ...]:
    """Return the things in a picture, in the order of the result."""
    return tuple(_thing(shapes, record.size) for shapes in by_thing(record.shapes))


def by_thing(shapes: Iterable[Shape]) -> tuple[list[Shape], ...]:
    """Return what lies in a picture, thing by thing. Shapes of one `thing` are one: a body's box and its points."""
    groups: dict[tuple[str, int], list[Shape]] = {}
    for place, shape in enumerate(shapes):
        if isinstance(shape, Label | Line) or extents(shape) is None:
            continue
        thing = getattr(shape, "thing", None)
        groups.setdefault(("alone", place) if thing is None else ("thing", thing), []).append(shape)
    return tuple(groups.values())


def leading(shapes: Sequence[Shape]) -> Shape:
    """Return the shape of a thing that says where it is: a box does that better than the points in it."""
    return min(shapes, key=lambda shape: isinstance(shape, Points))


def _thing(shapes: list[Shape], size: tuple[int, int]) -> Thing:
    def pixels(x: float, y: float) -> Position:
        return (x * size[0], y * size[1])

    first = leading(shapes)
    found = extents(first)
    assert found is not None
    points = next((shape for shape in shapes if isinstance(shape, Points)), None)
    outline = next((shape for shape in shapes if isinstance(shape, Polygon)), None)
    scores = (getattr(shape, "score", None) for shape in (first, *shapes))
    identities = (getattr(shape, "identity", None) for shape in shapes)
    return Thing(
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
    """Return what was said of the whole picture, best first."""
    return tuple(shape for shape in record.shapes if isinstance(shape, Label))


def rows_of(record: PictureRecord) -> Iterator[Row]:
    """Yield the rows of a picture in a table: none for one in which nothing was seen."""
    own = (record.input, record.file, record.frame, number(record.pts, 6), *record.size)
    for word in words_of(record):
        yield Row(*own, word.label, word.index, number(word.value, 6))
    for thing in things_of(record):
        yield Row(
            *own,
            *(thing.label, thing.index, thing.score, thing.identity),
            *thing.box,
            points=thing.points,
            confidences=thing.confidences,
            outline=thing.outline,
        )


class PictureNames:
    """What the files of pictures are called: no two of a run the same."""

    def __init__(self) -> None:
        self._taken: dict[str, tuple[str, int]] = {}

    def of(self, record: PictureRecord) -> str:
        """Return what the picture's own file is called: two that differ in their endings alone, or in capitals, are two."""
        stem, suffix = picture_stem(record), PurePath(record.file).suffix if record.still else ".png"
        own, unique, count = (record.file, record.frame), f"{stem}{suffix}", 1
        while self._taken.setdefault(unique, own) != own:
            count += 1
            unique = f"{stem}-{count}{suffix}"
        return unique


def picture_stem(record: PictureRecord) -> str:
    """Return a picture's name without its ending, and for one of a video its name with the frame's number, as `lightloom process` numbers
    them. Several may have the same: 'a.jpg' and 'a.png', or those of two folders.
    """
    stem = _file_name(PurePath(record.file).stem, is_address="://" in record.file)
    return stem if record.still else f"{stem}_{record.frame:06d}"


# What no name of a file may have anywhere, and what only some systems take; a picture that is a file keeps the latter, so that its labels
# are called as it is.
_NEVER: Final = re.compile("[/\x00-\x1f\x7f\ud800-\udfff]")
_SELDOM: Final = re.compile(r'[\\:*?"<>|]')
_LONGEST: Final = 200


def _file_name(text: str, *, is_address: bool) -> str:
    name = _NEVER.sub("_", _SELDOM.sub("_", text) if is_address else text)
    return name.encode()[:_LONGEST].decode(errors="ignore") or "picture"
