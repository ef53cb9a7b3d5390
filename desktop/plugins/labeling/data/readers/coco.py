"""Read COCO's JSON (cocodataset.org/#format-data): boxes, polygons, run lengths, key points, scores."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import SourceError, UsageError
from desktop.base.wording import sentence
from desktop.outputs.journal import SavedMask
from desktop.plugins.labeling.data.extras import Extra, checked
from desktop.plugins.labeling.data.labels import MOST_CLASSES, MOST_ITEMS, Item, Picture, class_name, read_box
from desktop.plugins.labeling.data.pictures import PictureSet
from desktop.plugins.labeling.data.readers.read import Read, finite, of_others, read_bounded
from desktop.vision.tasks.shapes import Extents, Points, Polygon

_LARGEST: Final = 256 << 20
_WRONG: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
# In log(width / height): scaled images differ by a fraction of a pixel, rotated ones by far more.
_ASPECT: Final = 0.05
_LONGEST: Final = 1 << 24


@dataclass(frozen=True)
class _Image:
    """An image that the file names."""

    name: str
    size: tuple[int, int]


@dataclass(frozen=True)
class _Category:
    """A class that the file names, and how its points are joined."""

    name: str
    edges: tuple[tuple[int, int], ...] = ()


def read(path: Path, pictures: PictureSet) -> Read:
    """Read a COCO file. Raises SourceError, or UsageError if it is not COCO's or is of other images."""
    try:
        document = json.loads(read_bounded(path, _LARGEST))
        entries = {key: list(document[key]) for key in ("images", "annotations", "categories")}
        if len(entries["categories"]) > MOST_CLASSES:
            raise ValueError("too many classes")
        categories = dict(map(_category, entries["categories"]))
    except (*_WRONG, RecursionError, MemoryError) as error:
        raise UsageError(
            sentence(
                "{name} is not a file of COCO's with images, annotations and categories; choose another one.",
                name=path.name,
            )
        ) from error
    images, foreign, broken = _images(entries["images"], pictures)
    if not images:
        raise of_others(path, pictures)
    upright = {key: image for key, image in images.items() if _is_upright(image, pictures)}
    reshaped, images = len(images) - len(upright), upright
    items: dict[str, list[Item]] = {image.name: [] for image in images.values()}
    crowds = in_parts = 0
    for entry in entries["annotations"]:
        try:
            # Of an image that is not here; that one was counted.
            image = images.get(_key(entry["image_id"]))
            if image is not None and entry.get("iscrowd") == 1:
                crowds += 1
            elif image is not None:
                if len(items[image.name]) == MOST_ITEMS:
                    raise ValueError("too many objects")
                items[image.name].append(_item(entry, image, categories[_key(entry["category_id"])]))
                in_parts += _is_in_parts(entry)
        except _WRONG:
            broken += 1
    found = {name: Picture(tuple(each)) for name, each in items.items()}
    classes = tuple(dict.fromkeys(c.name for c in categories.values()))
    return Read(found, classes, foreign, broken, reshaped, crowds, in_parts)


def _key(value: Any) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError("not an id")
    return value


def _category(entry: Mapping[str, Any]) -> tuple[int | str, _Category]:
    name = class_name(str(entry["name"])) or str(entry["id"])
    edges = tuple((int(a) - 1, int(b) - 1) for a, b in entry.get("skeleton") or ())
    return _key(entry["id"]), _Category(name, edges)


def _images(entries: list[Any], pictures: PictureSet) -> tuple[dict[int | str, _Image], int, int]:
    named: dict[int | str, tuple[str, tuple[int, int]]] = {}
    broken = 0
    for entry in entries:
        try:
            size = (int(entry["width"]), int(entry["height"]))
            if not isinstance(entry["file_name"], str) or not 1 <= min(size) <= max(size) <= _LONGEST:
                raise ValueError("not an image")
            if (key := _key(entry["id"])) in named:
                raise ValueError("a number twice")
            named[key] = (entry["file_name"], size)
        except _WRONG:
            broken += 1
    here = pictures.find(name for name, _ in named.values())
    found = {key: _Image(here[name], size) for key, (name, size) in named.items() if name in here}
    return found, len(named) - len(found), broken


def _is_upright(image: _Image, pictures: PictureSet) -> bool:
    """Tell whether an image has the proportions that the file says; one that cannot be read is not judged."""
    try:
        width, height = pictures.record(image.name, ()).size
    except SourceError:
        return True
    return abs(math.log(width / height * image.size[1] / image.size[0])) <= _ASPECT


def _item(entry: Mapping[str, Any], image: _Image, category: _Category) -> Item:
    width, height = image.size
    x, y, across, down = map(finite, entry["bbox"])
    box = read_box((x / width, y / height, (x + across) / width, (y + down) / height))
    score = finite(entry["score"]) if entry.get("score") is not None else None
    if score is not None and not 0 <= score <= 1:
        raise ValueError("not a score")
    item = Item(category.name, box, score, confirmed=score is None, origin=box)
    return replace(
        item, shapes=tuple(checked(shape) for shape in _shapes(entry, image, item, category.edges))
    )


def _is_in_parts(entry: Mapping[str, Any]) -> bool:
    outline = entry.get("segmentation")
    return isinstance(outline, list) and len(outline) > 1


def _shapes(
    entry: Mapping[str, Any], image: _Image, item: Item, edges: tuple[tuple[int, int], ...]
) -> Iterator[Extra]:
    outline = entry.get("segmentation")
    if isinstance(outline, Mapping):
        yield _mask(outline, image, item.label, item.box)
    elif outline:
        # An object has one outline here; of one in several parts the longest stays.
        part = max(outline, key=len)
        yield Polygon(item.label, 0, _positions(part, 2, image.size))
    points = entry.get("keypoints")
    if points and any(points[2::3]):
        seen = tuple(1.0 if finite(value) > 0 else 0.0 for value in points[2::3])
        positions = _positions(points, 3, image.size)
        joined = tuple(edge for edge in edges if max(edge) < len(positions))
        yield Points(item.label, 0, positions, joined, confidences=() if all(seen) else seen)


def _positions(values: list[Any], step: int, size: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    if len(values) % step:
        raise ValueError("half a point")
    across, down = values[0::step], values[1::step]
    return tuple((finite(x) / size[0], finite(y) / size[1]) for x, y in zip(across, down, strict=True))


def _mask(outline: Mapping[str, Any], image: _Image, label: str, box: Extents) -> SavedMask:
    height, width = outline["size"]
    counts = outline["counts"]
    if (width, height) != image.size:
        raise ValueError("a mask of another size")
    runs = _uncompressed(counts) if isinstance(counts, str) else tuple(counts)
    left, top, right, bottom = box
    return SavedMask(label, 0, left, top, right, bottom, (width, height), runs)


def _uncompressed(text: str) -> tuple[int, ...]:
    """Decode COCO's compressed run lengths: 6 bits a character, deltas from the third (`rleFrString`)."""
    counts: list[int] = []
    value = shift = 0
    for char in text:
        bits = ord(char) - 48
        if not 0 <= bits < 64 or shift > 30:
            raise ValueError("not compressed runs")
        value |= (bits & 31) << shift
        shift += 5
        if bits & 32:
            continue
        if bits & 16:
            value -= 1 << shift
        counts.append(value + counts[-2] if len(counts) > 2 else value)
        value = shift = 0
    return tuple(counts)
