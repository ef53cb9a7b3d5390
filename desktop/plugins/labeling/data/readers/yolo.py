"""Read YOLO's labels (docs.ultralytics.com/datasets): a text file per image, in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from desktop.base.errors import SourceError
from desktop.base.files import reason, text_lines
from desktop.base.wording import sentence
from desktop.plugins.labeling.data.extras import Extra, checked
from desktop.plugins.labeling.data.labels import MOST_CLASSES, MOST_ITEMS, Item, Picture, class_name, read_box
from desktop.plugins.labeling.data.pictures import PictureSet
from desktop.plugins.labeling.data.readers.read import Read, finite, of_others, read_bounded
from desktop.vision.tasks.shapes import Points, Polygon

_LARGEST: Final = 16 << 20
_TABLE: Final = 1 << 20
_SUFFIX: Final = ".txt"
_CLASSES: Final = "classes.txt"
_ESCAPE: Final = re.compile(r'\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(["\\/]))')
_ENTRY: Final = re.compile(r"\s+(?:(\d{1,5})\s*:|-)(.*)")


@dataclass
class _Table:
    """Class names by index, and the number of key points of an object and of values for each."""

    names: dict[int, str] = field(default_factory=dict)
    points: tuple[int, int] = (0, 3)

    def name(self, number: int) -> str:
        return self.names.get(number) or f"class {number}"


def read(path: Path, pictures: PictureSet) -> Read:
    """Read a folder of labels, or its `labels`, and `classes.txt` or `data.yaml` there or above.

    Raises SourceError if a file cannot be read, UsageError if its labels are of other images.
    """
    folder = path / "labels" if (path / "labels").is_dir() else path
    table = _table((path, folder.parent) if folder == path else (path,))
    files = _label_files(folder)
    here = pictures.find(files)
    if not here:
        raise of_others(path, pictures)
    broken = 0
    found: dict[str, Picture] = {}
    for file, name in here.items():
        items: list[Item] = []
        for line in text_lines(read_bounded(folder / file, _LARGEST).decode("utf-8", "replace")):
            try:
                if line.strip():
                    if len(items) == MOST_ITEMS:
                        raise ValueError("too many objects")
                    items.append(_item(line.split(), table))
            except (ValueError, TypeError, ArithmeticError):
                broken += 1
        found[name] = Picture(tuple(items))
    listed = (table.name(number) for number in range(max(table.names, default=-1) + 1))
    return Read(found, tuple(dict.fromkeys(listed)), len(files) - len(here), broken)


def _label_files(folder: Path) -> list[str]:
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.suffix.lower() == _SUFFIX)
    except (OSError, ValueError) as error:
        raise SourceError(
            sentence(
                "The labels in {name} cannot be read ({reason}); choose another folder.",
                name=folder,
                reason=reason(error),
            )
        ) from error
    return [name for name in names if name != _CLASSES]


def _item(words: list[str], table: _Table) -> Item:
    number = int(words[0])
    if not 0 <= number < MOST_CLASSES:
        raise ValueError("not a class")
    label, values = table.name(number), [finite(float(word)) for word in words[1:]]
    count, size = table.points
    score = None
    shapes: tuple[Extra, ...] = ()
    if count and len(values) == 4 + count * size:
        shapes = (_points(label, values[4:], size),)
    elif len(values) == 5:
        score = values[4]
        if not 0 <= score <= 1:
            raise ValueError("not a score")
    elif len(values) >= 6 and len(values) % 2 == 0:
        return _outlined(label, values)
    elif len(values) != 4:
        raise ValueError("not a box")
    x, y, width, height = values[:4]
    box = read_box((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    return Item(label, box, score, confirmed=score is None, shapes=tuple(map(checked, shapes)), origin=box)


def _outlined(label: str, values: list[float]) -> Item:
    outline = checked(Polygon(label, 0, tuple(zip(values[0::2], values[1::2], strict=True))))
    across, down = values[0::2], values[1::2]
    box = read_box((min(across), min(down), max(across), max(down)))
    return Item(label, box, None, confirmed=True, shapes=(outline,), origin=box)


def _points(label: str, values: list[float], size: int) -> Points:
    positions = tuple(zip(values[0::size], values[1::size], strict=True))
    seen = tuple(1.0 if value > 0 else 0.0 for value in values[2::size]) if size == 3 else ()
    return Points(label, 0, positions, confidences=() if all(seen) else seen)


# -- names of classes ----------------------------------------------------------------------------------------


def _table(folders: tuple[Path, ...]) -> _Table:
    found = _Table()
    for folder in folders:
        if (folder / "data.yaml").is_file():
            _read_yaml(read_bounded(folder / "data.yaml", _TABLE).decode("utf-8", "replace"), found)
        if (folder / _CLASSES).is_file():
            lines = text_lines(read_bounded(folder / _CLASSES, _TABLE).decode("utf-8-sig", "replace"))
            found.names = {
                n: name for n, line in enumerate(lines[:MOST_CLASSES]) if (name := class_name(line))
            }
        if found.names:
            break
    return found


def _read_yaml(text: str, into: _Table) -> None:
    """Read class names and `kpt_shape` of a data.yaml, without a YAML library for just two keys."""
    shape = re.search(r"^kpt_shape:\s*\[\s*(\d{1,4})\s*,\s*([23])\s*\]", text, re.MULTILINE)
    if shape is not None:
        into.points = (int(shape[1]), int(shape[2]))
    into.names = {
        number: name
        for number, text in _names(text)
        if number < MOST_CLASSES and (name := class_name(_plain(text)))
    }


def _names(text: str) -> Iterator[tuple[int, str]]:
    # The end is looked for once: within the expression it would be for each line that begins so.
    flow = re.search(r"^names:\s*\[", text, re.MULTILINE)
    if flow is not None and (end := text.find("]", flow.end())) >= 0:
        yield from enumerate(text[flow.end() : end].split(",")[:MOST_CLASSES])
        return
    lines = iter(text_lines(text))
    if not any(re.fullmatch(r"names:\s*(#.*)?", line) for line in lines):
        return
    for place, line in enumerate(lines):
        entry = _ENTRY.fullmatch(line if line[:1] != "-" else f" {line}")
        if entry is None or place >= MOST_CLASSES:
            return
        yield int(entry[1]) if entry[1] else place, entry[2]


def _plain(text: str) -> str:
    """Return a scalar of YAML's without its quotes."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return _ESCAPE.sub(_unescaped, text[1:-1])
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return text.partition(" #")[0]


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    return match[4] or (chr(min(int(code, 16), 0x10FFFF)) if code else "")
