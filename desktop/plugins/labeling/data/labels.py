"""Labels of an image, as frozen values, and operations that move and resize boxes.

Coordinates are fractions of the image, from the left and the top. Other shapes from a network (points, an
outline, a mask) are stored unchanged with their original box and transformed on export, to lose no precision.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.base.printable import printable
from desktop.outputs.detections import extents, group_by_object, leading
from desktop.outputs.journal import SavedMask
from desktop.outputs.run_lengths import from_run_lengths, run_lengths
from desktop.plugins.labeling.data.extras import Extra, checked
from desktop.vision.tasks.shapes import Box, Extents, Label, Position, Shape

MOST_ITEMS: Final = 10_000
"""Maximum number of items in an image."""
MOST_CLASSES: Final = 10_000
LONGEST_NAME: Final = 200

WHOLE: Final[Extents] = (0.0, 0.0, 1.0, 1.0)
_ALMOST: Final = 1e-9


@dataclass(frozen=True)
class Item:
    """A labeled object.

    Attributes:
        box: (left, top, right, bottom), within the image, with left < right and top < bottom.
        score: a network's confidence, 0 to 1; None for an item made by hand.
        confirmed: a person has confirmed it.
        shapes: its other shapes: `Points`, `Polygon`, `SavedMask`, unchanged.
        origin: the box that `shapes` belonged to.
    """

    label: str
    box: Extents
    score: float | None = None
    confirmed: bool = False
    shapes: tuple[Extra, ...] = ()
    origin: Extents = WHOLE


@dataclass(frozen=True)
class Picture:
    """Labels of an image.

    Attributes:
        word: the class of the whole image, '' for none.
        word_score: a network's confidence in that, 0 to 1; None for a class given by hand.
        confirmed: a person has confirmed all of it, possibly without items.
    """

    items: tuple[Item, ...] = ()
    word: str = ""
    word_score: float | None = None
    confirmed: bool = False

    @property
    def is_empty(self) -> bool:
        """True if nothing was labeled or proposed."""
        return self == Picture()

    def classes(self) -> tuple[str, ...]:
        """Return the names of its classes, in order."""
        words = (self.word,) if self.word else ()
        return tuple(dict.fromkeys((*(item.label for item in self.items), *words)))

    def with_item(self, place: int, item: Item) -> Picture:
        """Return a copy with another item at an index."""
        return replace(self, items=(*self.items[:place], item, *self.items[place + 1 :]))

    def without_item(self, place: int) -> Picture:
        """Return a copy without the item at an index."""
        return replace(self, items=self.items[:place] + self.items[place + 1 :])

    def all_confirmed(self) -> Picture:
        """Return a copy with everything confirmed."""
        return replace(
            self, confirmed=True, items=tuple(replace(item, confirmed=True) for item in self.items)
        )


def class_name(text: str) -> str:
    """Return a class name as stored: one printable line of bounded length, without outer spaces."""
    return printable(" ".join(text.split()))[:LONGEST_NAME].strip()


# -- boxes ---------------------------------------------------------------------------------------------------


def held(box: Iterable[float], least: Position) -> Extents:
    """Return a box (left, top, right, bottom, in any order) clamped to the image, its edges in order.

    `least` is the minimum (width, height). Raises ValueError for NaN, infinity or not four numbers.
    """
    x0, y0, x1, y1 = map(float, box)
    if not all(map(math.isfinite, (x0, y0, x1, y1))):
        raise ValueError("not a box")
    left, right = _side(x0, x1, least[0])
    top, bottom = _side(y0, y1, least[1])
    return (left, top, right, bottom)


def _side(start: float, end: float, least: float) -> tuple[float, float]:
    least = min(max(least, _ALMOST), 1.0)
    low, high = (min(1.0, max(0.0, each)) for each in sorted((start, end)))
    if high - low >= least:
        return low, high
    low = min(low, 1.0 - least)
    return low, low + least


def moved(item: Item, by: Position) -> Item:
    """Return an item moved by fractions of the image and kept within it, marked as confirmed."""
    left, top, right, bottom = item.box
    across = min(max(by[0], -left), 1.0 - right)
    down = min(max(by[1], -top), 1.0 - bottom)
    box = (left + across, top + down, min(right + across, 1.0), min(bottom + down, 1.0))
    return _at(item, held(box, (_ALMOST, _ALMOST)))


def _at(item: Item, box: Extents) -> Item:
    # An item without other shapes has no origin: two items that look the same are equal.
    return replace(item, box=box, confirmed=True, origin=item.origin if item.shapes else box)


Handle = tuple[int, int]
"""A corner or edge of a box: -1 is its left or upper side, 1 right or lower, 0 the middle."""
HANDLES: Final[tuple[Handle, ...]] = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""The eight handles of a box, clockwise from the upper left corner."""


def handle_positions(box: Extents) -> tuple[Position, ...]:
    """Return the positions of a box's handles, in the order of `HANDLES`."""
    left, top, right, bottom = box
    across = {-1: left, 0: (left + right) / 2, 1: right}
    down = {-1: top, 0: (top + bottom) / 2, 1: bottom}
    return tuple((across[x], down[y]) for x, y in HANDLES)


def resized(item: Item, handle: Handle, at: Position, least: Position) -> Item:
    """Return an item with one handle dragged to a position; beyond the opposite edge the box flips."""
    left, top, right, bottom = item.box
    x, y = handle
    box = (
        at[0] if x < 0 else left,
        at[1] if y < 0 else top,
        at[0] if x > 0 else right,
        at[1] if y > 0 else bottom,
    )
    return _at(item, held(box, least))


# -- conversion from and to shapes ---------------------------------------------------------------------------


def items_of(shapes: Iterable[Shape]) -> tuple[Item, ...]:
    """Return the objects of a result, unconfirmed; those entirely outside of the image are omitted."""
    found = (_item_of(group) for group in group_by_object(shapes))
    return tuple(item for item in found if item is not None)[:MOST_ITEMS]


def _item_of(group: list[Shape]) -> Item | None:
    first = leading(group)
    origin = extents(first)
    if origin is None or not (origin[0] < 1 and origin[1] < 1 and origin[2] > 0 and origin[3] > 0):
        return None
    score = next((s for shape in group if (s := getattr(shape, "score", None)) is not None), None)
    kept = tuple(shape for each in group if (shape := _extra(each)) is not None)
    label = class_name(first.label) or str(first.index)
    box = held(origin, (_ALMOST, _ALMOST))
    return Item(label, box, None if score is None else min(1.0, max(0.0, float(score))), False, kept, box)


def _extra(shape: Shape) -> Extra | None:
    """Return an item's other shape; None for one that could not be read back (NaN, or too many points)."""
    try:
        return checked(shape)
    except (ValueError, TypeError, ArithmeticError):
        return None


def read_box(box: Iterable[float]) -> Extents:
    """Return a box (left, top, right, bottom in fractions) clamped to the image, for readers of labels.

    Raises:
        ValueError: it is outside (as a box in pixels is), inverted, or empty.
    """
    left, top, right, bottom = box
    if not (left < right and top < bottom and left < 1 and top < 1 and right > 0 and bottom > 0):
        raise ValueError("not in the image")
    return held((left, top, right, bottom), (_ALMOST, _ALMOST))


def word_of(shapes: Iterable[Shape]) -> Label | None:
    """Return the best class of a result for the whole image, or None; legends of regions do not count."""
    words = [shape for shape in shapes if isinstance(shape, Label) and not shape.colored]
    return max(words, key=lambda word: word.value, default=None)


def proposed(shapes: Iterable[Shape]) -> Picture:
    """Return the labels that a network's result proposes for an image."""
    shapes = tuple(shapes)
    items, word = items_of(shapes), word_of(shapes)
    if items or word is None:
        return Picture(items)
    return Picture((), class_name(word.label) or str(word.index), min(1.0, max(0.0, float(word.value))))


def shapes_of(picture: Picture, classes: tuple[str, ...]) -> tuple[Shape, ...]:
    """Return an image's labels as shapes with indices into `classes`; confirmed items have no score."""
    numbers = {name: number for number, name in enumerate(classes)}
    found: list[Shape] = []
    if picture.word:
        share = picture.word_score if picture.word_score is not None and not picture.confirmed else 1.0
        found.append(Label(picture.word, share, numbers[picture.word]))
    for thing, item in enumerate(picture.items):
        score = None if item.confirmed else item.score
        number = numbers[item.label]
        found.append(Box(item.label, number, *item.box, score=score, thing=thing))
        for shape in item.shapes:
            of_item = carried(shape, item.origin, item.box)
            own = replace(of_item, label=item.label, index=number, score=score, identity=None, thing=thing)
            found.append(own)
    return tuple(found)


def carried(shape: Extra, origin: Extents, box: Extents) -> Extra:
    """Transform a shape from one box to another by moving and scaling; a mask by nearest neighbor."""
    if origin == box:
        return shape

    def put(x: float, y: float) -> Position:
        return (_along(x, origin[0::2], box[0::2]), _along(y, origin[1::2], box[1::2]))

    there = shape.moved(put)
    return replace(there, counts=_resampled(there, origin, box)) if isinstance(there, SavedMask) else there


def _along(value: float, before: tuple[float, ...], after: tuple[float, ...]) -> float:
    length = max(before[1] - before[0], _ALMOST)
    return after[0] + (value - before[0]) / length * (after[1] - after[0])


def _resampled(mask: SavedMask, origin: Extents, box: Extents) -> tuple[int, ...]:
    width, height = mask.size
    inside = from_run_lengths(mask.counts, mask.size)
    x, y = (np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height
    columns = np.floor(_back(x, origin[0::2], box[0::2]) * width).astype(np.int64)
    rows = np.floor(_back(y, origin[1::2], box[1::2]) * height).astype(np.int64)
    across, down = (columns >= 0) & (columns < width), (rows >= 0) & (rows < height)
    found = np.zeros_like(inside)
    found[np.ix_(down, across)] = inside[np.ix_(rows[down], columns[across])]
    return run_lengths(found)


def _back(values: np.ndarray, before: tuple[float, ...], after: tuple[float, ...]) -> np.ndarray:
    length = max(after[1] - after[0], _ALMOST)
    return before[0] + (values - after[0]) / length * (before[1] - before[0])


# -- merging of proposals ------------------------------------------------------------------------------------

_SAME: Final = 0.5


def merged(picture: Picture, proposal: Picture) -> Picture:
    """Return an image with its unconfirmed labels replaced by a proposal that omits confirmed ones."""
    kept = tuple(item for item in picture.items if item.confirmed)
    new = tuple(item for item in proposal.items if not any(_is_same(item, other) for other in kept))
    by_hand = bool(picture.word) and picture.word_score is None
    word, score = (
        (picture.word, picture.word_score)
        if by_hand or not proposal.word
        else (proposal.word, proposal.word_score)
    )
    return replace(picture, items=(*kept, *new)[:MOST_ITEMS], word=word, word_score=score)


def _is_same(item: Item, other: Item) -> bool:
    """Return whether two items are the same object: their boxes have an IoU of more than 0.5."""
    left, top = max(item.box[0], other.box[0]), max(item.box[1], other.box[1])
    right, bottom = min(item.box[2], other.box[2]), min(item.box[3], other.box[3])
    both = max(0.0, right - left) * max(0.0, bottom - top)
    return both > _SAME * (_area(item.box) + _area(other.box) - both)


def _area(box: Extents) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
