"""YOLO's labels: a folder with a text per image, and class names (docs.ultralytics.com/datasets)."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from desktop.base.errors import ExportError
from desktop.base.printable import utf8
from desktop.base.wording import sentence
from desktop.outputs.detections import DetectedObject, detections_of, picture_stem
from desktop.outputs.journal import PictureRecord, cannot_write
from desktop.outputs.result_format import (
    About,
    Records,
    ResultFormat,
    require_detections,
    write_chunks,
)
from desktop.outputs.run_lengths import from_run_lengths, outline_of


class Yolo(ResultFormat):
    """`labels/NAME.txt` for each image, `data.yaml` and `classes.txt`."""

    title = "YOLO"
    order = 60
    is_folder = True
    only_things = True

    def check(self, about: About, target: Path) -> None:
        """See `ResultFormat`: it holds objects in the image, and existing labels are not replaced."""
        require_detections(about, self.title)
        _check_free(target)

    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        _check_free(target)
        names = dict(enumerate(about.labels))
        points = 0
        try:
            target.mkdir(exist_ok=True)
            labels = Path(tempfile.mkdtemp(prefix="labels.", suffix=".part", dir=target))
            labels.chmod(0o755)
            try:
                for name, record in _named(records()):
                    things = detections_of(record)
                    for detection in things:
                        names.setdefault(detection.index, detection.label)
                        points = max(points, len(detection.points))
                    (labels / f"{name}.txt").write_bytes(b"".join(_line(t, record.size) for t in things))
                if (target / "labels").exists():
                    (target / "labels").rmdir()
                labels.rename(target / "labels")
            except BaseException:
                shutil.rmtree(labels, ignore_errors=True)
                raise
        except (OSError, ValueError) as error:
            raise cannot_write(target, error) from error
        return (
            target / "labels",
            *write_chunks(target / "data.yaml", _yaml(names, points)),
            *write_chunks(target / "classes.txt", _classes(names)),
        )


def _check_free(target: Path) -> None:
    labels = target / "labels"
    try:
        taken = labels.exists() and (not labels.is_dir() or any(labels.iterdir()))
    except (OSError, ValueError) as error:
        raise cannot_write(target, error) from error
    if taken:
        raise ExportError(
            sentence(
                "There are labels in {folder} already; choose another folder, or move them away.",
                folder=labels,
            )
        )


def _named(records: Iterator[PictureRecord]) -> Iterator[tuple[str, PictureRecord]]:
    """Yield the images' names without suffix, as label files need; ExportError if two are equal."""
    taken: dict[str, tuple[str, int]] = {}
    for record in records:
        name, own = picture_stem(record), (record.file, record.frame)
        # Some file systems do not tell 'A' from 'a'.
        other = taken.setdefault(name.casefold(), own)
        if other != own:
            raise ExportError(
                sentence(
                    "YOLO names a label file like its image without the suffix, so {one} and {other} "
                    "would have the same file {name}; rename one of them, or choose another format.",
                    one=other[0],
                    other=own[0],
                    name=f"{name}.txt",
                )
            )
        yield name, record


def _line(detection: DetectedObject, size: tuple[int, int]) -> bytes:
    values = " ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in _values(detection, size))
    return f"{detection.index} {values}\n".encode()


def _values(detection: DetectedObject, size: tuple[int, int]) -> Iterator[float]:
    """In shares of the frame: an outline's or mask's corners; else the box by its middle, and points."""
    width, height = size
    outline = detection.outline
    if detection.mask is not None:
        outline = outline_of(from_run_lengths(detection.mask.counts, detection.mask.size))
    if outline:
        for x, y in outline:
            yield from (_share(x, width), _share(y, height))
        return
    left, right = _share(detection.box[0], width), _share(detection.box[2], width)
    top, bottom = _share(detection.box[1], height), _share(detection.box[3], height)
    yield from ((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    for point in detection.confident_points():
        yield from (0, 0, 0) if point is None else (_share(point[0], width), _share(point[1], height), 2)


def _share(value: float, whole: int) -> float:
    return min(max(value / max(whole, 1), 0.0), 1.0)


def _yaml(names: dict[int, str], points: int) -> Iterator[bytes]:
    yield b"path: .\ntrain: images\nval: images\n"
    if points:
        yield f"kpt_shape: [{points}, 3]\n".encode()
    yield b"names:\n"
    for index, name in sorted(names.items()):
        yield f'  {index}: "{_quoted(name or str(index))}"\n'.encode()


def _quoted(name: str) -> str:
    """A name within YAML's double quotes: all but what is plainly printable is written as its number."""
    return "".join(map(_character, utf8(name).decode()))


def _character(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def _classes(names: dict[int, str]) -> Iterator[bytes]:
    # A line's number is the class's.
    for index in range(max(names, default=-1) + 1):
        yield utf8(" ".join(names.get(index, "").split()) or str(index)) + b"\n"


FORMAT: Final = Yolo()
