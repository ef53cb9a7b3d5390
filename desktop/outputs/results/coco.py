"""COCO's JSON (cocodataset.org/#format-data): images, annotations, categories, and result scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from desktop.base.printable import utf8
from desktop.outputs.detections import DetectedObject, PictureNames, detections_of
from desktop.outputs.journal import PictureRecord
from desktop.outputs.result_format import (
    About,
    Records,
    ResultFormat,
    number,
    require_detections,
    tidy,
    write_chunks,
)
from desktop.vision.tasks.shapes import Position

_VISIBLE: Final = 2


class Coco(ResultFormat):
    """One annotation an object; its category's id is the class's number and one."""

    title = "COCO"
    order = 40
    suffixes = (".json",)
    only_things = True

    def check(self, about: About, target: Path) -> None:
        """See `ResultFormat`: it holds objects that lie in an image."""
        require_detections(about, self.title)

    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        return write_chunks(target, _document(records, about))


@dataclass
class _Categories:
    """The categories that were seen: names, and how their points are joined."""

    names: dict[int, str]
    points: dict[int, int] = field(default_factory=dict)
    edges: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def see(self, detection: DetectedObject) -> None:
        self.names.setdefault(detection.index, detection.label)
        if detection.points:
            self.points[detection.index] = max(self.points.get(detection.index, 0), len(detection.points))
            self.edges.setdefault(detection.index, detection.edges)

    def json(self) -> list[dict[str, Any]]:
        found = []
        for index, name in sorted(self.names.items()):
            category: dict[str, Any] = {"id": index + 1, "name": name or str(index), "supercategory": ""}
            if index in self.points:
                category["keypoints"] = [str(number) for number in range(self.points[index])]
                category["skeleton"] = [[first + 1, last + 1] for first, last in self.edges[index]]
            found.append(category)
        return found


def _document(records: Records, about: About) -> Iterator[bytes]:
    categories = _Categories(dict(enumerate(about.labels)))
    yield b'{"info": ' + _json({"description": about.network, "version": "1.0"}) + b',\n"images": ['
    yield from _list(records, _image_of())
    yield b'],\n"annotations": ['
    yield from _list(records, _annotations_of(categories))
    yield b'],\n"categories": ' + _json(categories.json()) + b"}\n"


def _list(
    records: Records, entries_of: Callable[[int, PictureRecord], Iterator[dict[str, Any]]]
) -> Iterator[bytes]:
    separator = b"\n"
    for place, record in enumerate(records(), 1):
        for entry in entries_of(place, record):
            yield separator + _json(entry)
            separator = b",\n"


def _json(value: Any) -> bytes:
    return utf8(json.dumps(tidy(value), allow_nan=False))


def _image_of() -> Callable[[int, PictureRecord], Iterator[dict[str, Any]]]:
    names = PictureNames()

    def images(place: int, record: PictureRecord) -> Iterator[dict[str, Any]]:
        width, height = record.size
        own = {"id": place, "file_name": names.of(record), "width": width, "height": height}
        if not record.still:
            own |= {"video": record.file, "frame": record.frame, "pts": number(record.pts, 6)}
        yield own

    return images


def _annotations_of(
    categories: _Categories,
) -> Callable[[int, PictureRecord], Iterator[dict[str, Any]]]:
    count = 0

    def annotations(place: int, record: PictureRecord) -> Iterator[dict[str, Any]]:
        nonlocal count
        for detection in detections_of(record):
            count += 1
            categories.see(detection)
            yield {
                "id": count,
                "image_id": place,
                "category_id": detection.index + 1,
                **_annotation(detection),
            }

    return annotations


def _annotation(detection: DetectedObject) -> dict[str, Any]:
    left, top, right, bottom = detection.box
    width, height = round(right - left, 3), round(bottom - top, 3)
    found: dict[str, Any] = {
        "bbox": [left, top, width, height],
        "area": round(width * height, 3),
        "iscrowd": 0,
    }
    if detection.score is not None:
        found["score"] = detection.score
    if detection.identity is not None:
        found["track_id"] = detection.identity
    if detection.mask is not None:
        across, down = detection.mask.size
        found["segmentation"] = {"size": [down, across], "counts": list(detection.mask.counts)}
        found["area"] = sum(detection.mask.counts[1::2])
    elif detection.outline:
        found["segmentation"] = [[value for point in detection.outline for value in point]]
        found["area"] = round(_area(detection.outline), 3)
    if detection.points:
        found["keypoints"] = [value for point in detection.confident_points() for value in _point(point)]
        found["num_keypoints"] = sum(value == _VISIBLE for value in found["keypoints"][2::3])
    return found


def _area(outline: tuple[tuple[float, float], ...]) -> float:
    """Of a polygon, by the shoelace formula."""
    following = (*outline[1:], outline[0])
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(outline, following, strict=True))) / 2


def _point(point: Position | None) -> tuple[float, float, int]:
    # A point that is not seen is one that is not labeled.
    return (0.0, 0.0, 0) if point is None else (*point, _VISIBLE)


FORMAT: Final = Coco()
