"""Read YOLO's labels (docs.ultralytics.com/datasets): a text file per image, in a folder."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from desktop.base.errors import SourceError, UsageError
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
_NAMES: Final = re.compile(r"^names:[ \t]*", re.MULTILINE)
# A number in quotes or without them and a colon, or a dash that need not be indented; then the value.
_ENTRY: Final = re.compile(r"(?:[ \t]+[\"']?(\d{1,5})[\"']?[ \t]*:|[ \t]*-)(?:[ \t]+|$)")
_QUOTED: Final = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\n]|'')*)'")
_MARKS: Final = tuple("'\"[]{}|>&*!%@`")
"""Characters that a text without quotes cannot begin with."""
_PLAIN: Final = re.compile(r"[^\s\[\]{},:#'\"|>&*!%@`](?:[^\[\]{},:#\n]|:(?!\s)|(?<!\s)#)*")
_SPACE: Final = re.compile(r"(?:\s|#[^\n]*)*")


@dataclass
class _Table:
    """Class names by index, and the number of key points of an object and of values for each."""

    names: dict[int, str] = field(default_factory=dict)
    points: tuple[int, int] = (0, 3)

    def name(self, number: int) -> str:
        return self.names.get(number) or f"class {number}"


def read(path: Path, pictures: PictureSet) -> Read:
    """Read a folder of labels, or its `labels`, and `classes.txt` or `data.yaml` there or above.

    Raises SourceError if a file cannot be read, UsageError if its labels are of other images, or the names of their
    classes in a form that is not understood.
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
        has_list = (folder / _CLASSES).is_file()
        if (folder / "data.yaml").is_file():
            _read_yaml(folder / "data.yaml", found, has_names=not has_list)
        if has_list:
            lines = text_lines(read_bounded(folder / _CLASSES, _TABLE).decode("utf-8-sig", "replace"))
            found.names = {
                n: name for n, line in enumerate(lines[:MOST_CLASSES]) if (name := class_name(line))
            }
        if found.names:
            break
    return found


def _read_yaml(path: Path, into: _Table, *, has_names: bool) -> None:
    """Read `kpt_shape` of a data.yaml and, with `has_names`, class names, without a YAML library for just two keys.

    Raises UsageError if there are names in a form that is not understood: the numbers would get other names.
    """
    text = read_bounded(path, _TABLE).decode("utf-8-sig", "replace")
    shape = re.search(r"^kpt_shape:\s*\[\s*(\d{1,4})\s*,\s*([23])\s*\]", text, re.MULTILINE)
    if shape is not None:
        into.points = (int(shape[1]), int(shape[2]))
    if not has_names:  # those of classes.txt are used
        return
    try:
        found = _names(text)
    except ValueError as error:
        raise UsageError(
            sentence(
                "The names of the classes in {name} cannot be read; write each on a line of its own below 'names:', such "
                "as '  0: person'.",
                name=path,
            )
        ) from error
    into.names = {
        number: name for number, text in found.items() if number < MOST_CLASSES and (name := class_name(text))
    }


def _names(text: str) -> dict[int, str]:
    """Return the names by their numbers: of a list or a mapping, in brackets or line by line.

    Raises ValueError for another form.
    """
    begin = _NAMES.search(text)
    if begin is None:
        return {}
    if text[begin.end() : begin.end() + 1] in ("[", "{"):
        return _numbered(_in_brackets(text, begin.end()))
    first, *lines = text_lines(text[begin.end() :]) or [""]
    if not _is_blank(first):
        raise ValueError("neither a list nor a mapping")
    entries: list[tuple[str, str]] = []
    for line in lines:
        if _is_blank(line):
            continue
        entry = _ENTRY.match(line)
        if entry is None:
            if line[0].isspace() or line[0] == "-":
                raise ValueError("not an entry")
            break  # the next key
        entries.append((entry[1] or "", _scalar(line, entry.end())))
        if len(entries) > MOST_CLASSES:
            raise ValueError("too many names")
    return _numbered(entries)


def _numbered(entries: list[tuple[str, str]]) -> dict[int, str]:
    """Return the values by their keys; those of a list have none."""
    if not any(key for key, _ in entries):
        return dict(enumerate(value for _, value in entries))
    return {int(key): value for key, value in entries}


def _is_blank(text: str) -> bool:
    return not text.strip() or text.lstrip().startswith("#")


def _scalar(line: str, at: int) -> str:
    """Return the value that a line has from a place on, without quotes and without a comment."""
    quoted = _QUOTED.match(line, at)
    if quoted is None:
        plain = "" if _is_blank(line[at:]) else line[at:].partition(" #")[0].strip()
        if plain[:1] in _MARKS or ": " in f"{plain} ":
            raise ValueError("not a plain text")
        return plain
    if not _is_blank(line[quoted.end() :]):
        raise ValueError("text behind the quotes")
    return _unquoted(quoted)


def _in_brackets(text: str, at: int) -> list[tuple[str, str]]:
    """Return the keys (none in a list) and values in brackets that open at a place."""
    is_list = text[at] == "["
    entries: list[tuple[str, str]] = []
    key = ""
    value: str | None = None
    at += 1
    while at < len(text):
        space = _SPACE.match(text, at)
        at = space.end() if space is not None else at
        if (quoted := _QUOTED.match(text, at)) is not None:
            part, at = _unquoted(quoted), quoted.end()
        elif (plain := _PLAIN.match(text, at)) is not None:
            part, at = plain[0].strip(), plain.end()
        else:
            mark, at = text[at : at + 1], at + 1
            if mark == ":" and not is_list and value is not None and not key:
                key, value = value, None
                continue
            is_end = mark == ("]" if is_list else "}")
            if not (is_end or mark == ",") or (value is None and not is_end):
                raise ValueError("unexpected mark")
            if value is not None:
                if not (is_list or key):
                    raise ValueError("no key")
                entries.append((key, value))
                key, value = "", None
            if is_end:
                return entries
            if len(entries) > MOST_CLASSES:
                raise ValueError("too many names")
            continue
        if value is not None:
            raise ValueError("two texts")
        value = part
    raise ValueError("no end")


def _unquoted(found: re.Match[str]) -> str:
    if found[1] is not None:
        return _ESCAPE.sub(_unescaped, found[1])
    return found[2].replace("''", "'")


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    return match[4] or (chr(min(int(code, 16), 0x10FFFF)) if code else "")
