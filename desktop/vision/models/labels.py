"""Class names by a label file, the metadata, or ImageNet (WordNet synsets, arXiv:1409.0575)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from desktop.base.errors import ModelInvalidError
from desktop.base.files import read_regular, reason, text_lines
from desktop.base.printable import printable
from desktop.base.resources import resource
from desktop.base.wording import counted, joined, sentence
from desktop.compute.nn.frontends.formats import SCORE_NAMES
from desktop.vision.models.processor_config import CONFIG, network_config

LABEL_KEYS = (SCORE_NAMES, "labels", "classes", "class_names", "names", "label_names")
_MOST_BYTES = 8 << 20
# Python's parser needs a thousand times the text's memory, and seconds for a megabyte.
_MOST_PYTHON = 1 << 20
# Longer than any name, short enough to be drawn, printed and stored in a preset.
_LONGEST_NAME = 1000
_NUMBERED = re.compile(r"(\d{1,6})(?:\s*[:;,.)=]\s*|\s+)(\S.*)")
_DECIMAL = re.compile(r"\d+([.,])\d.*")
_PLURALS = {"people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot"}
# COCO's categories from 0 to 90 that the detection task does not have.
_NO_CATEGORY = frozenset({0, 12, 26, 29, 30, 45, 66, 68, 69, 71, 83})


@dataclass(frozen=True)
class Labels:
    """Class names by index, and their origin (text for the user).

    `lines`: the lines as they are, if the numbers in front of the names leave some out and may be parts of names.
    """

    names: tuple[str, ...]
    origin: str
    lines: Labels | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(map(printable, self.names)))

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> str:
        return self.names[index] if 0 <= index < len(self.names) else f"class {index}"

    def reading(self, classes: int) -> Labels:
        """Return `lines` if only they fit `classes` outputs, or fit them exactly; otherwise these labels."""
        if self.lines is None:
            return self
        fits = abs(len(self) - classes) <= 1
        if len(self.lines) == classes or (len(self.lines) == classes - 1 and not fits):
            return self.lines
        return self


def parse_labels(text: str) -> tuple[str, ...]:
    """Read one trimmed name a line, without '#' comment lines and trailing empty lines.

    If each line begins with its class's number (`0 person`, `1: car`), as in the files of Coral and Teachable
    Machine, names go by these, which may leave some out.
    """
    lines = _lines(text)
    return _numbered(lines) or lines


def _lines(text: str) -> tuple[str, ...]:
    lines = [line.strip() for line in text_lines(text) if not line.startswith("#")]
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def _numbered(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the names of lines that all begin with a number, rising from 0 or 1; () for others.

    The count of the names shows whether number 1 is the first class or follows a background.
    """
    found = [_NUMBERED.fullmatch(line) for line in lines if line]
    pairs = [(int(match[1]), match[2]) for match in found if match is not None]
    if len(pairs) < 2 or len(pairs) < len(found) or pairs[0][0] > 1:
        return ()
    # `0.5 mm` and `1.5 mm` are names. In `0,20 km/h` and `9,no passing` the comma ends the number.
    decimals = [match[1] for match in map(_DECIMAL.fullmatch, lines) if match is not None]
    if decimals and not _separates(decimals[0], lines, len(decimals)):
        return ()
    # `1 Euro`, `2 Euro` and `5 Euro` are names, and `1 star` and `2 stars`. ImageNet has two cranes.
    if 4 * len({_singular(name) for _, name in pairs}) <= 3 * len(pairs):
        return ()
    if any(after <= before for (before, _), (after, _) in pairwise(pairs)):
        return ()
    return _in_order({number - pairs[0][0]: name for number, name in pairs})


def _separates(mark: str, lines: Sequence[str], decimals: int) -> bool:
    """Return whether a mark follows the number in all lines, and a digit follows the mark in fewer than half."""
    all_have = all(re.match(rf"\d+\s*{re.escape(mark)}", line) for line in lines if line)
    return all_have and 2 * decimals < len(lines)


def _singular(name: str) -> str:
    *first, last = name.casefold().split()
    return " ".join((*first, _PLURALS.get(last, last.removesuffix("s"))))


def imagenet_labels(classes: int = 1000) -> Labels:
    """Return ImageNet's 1000 names, or 1001 with 'background' first as in TensorFlow's networks."""
    names = parse_labels(resource("assets", "labels", "imagenet.txt").read_text("utf-8"))
    if classes == len(names) + 1:
        return Labels(("background", *names), sentence("ImageNet with background first"))
    return Labels(names, "ImageNet")


def coco_labels() -> Labels:
    """Return the 80 names of COCO's detection task (Lin et al. 2014, arXiv:1405.0312)."""
    return Labels(parse_labels(resource("assets", "labels", "coco.txt").read_text("utf-8")), "COCO")


def coco_category_labels(*, background: bool = True) -> Labels:
    """Return 91 names by COCO's category numbers, which have gaps; 90 without the background, 0."""
    names = iter(coco_labels().names)
    by_number = tuple("N/A" if number in _NO_CATEGORY else next(names) for number in range(91))
    if background:
        return Labels(by_number, sentence("COCO's categories, by their numbers from 1 to 90"))
    return Labels(by_number[1:], sentence("COCO's categories, by their numbers less 1"))


def sidecar_labels(model: Path) -> Path | None:
    """Return a model's label file: the first of `<model>.labels.txt`, `<model>.txt` and `labels.txt`."""
    for name in (f"{model.stem}.labels.txt", f"{model.stem}.txt", "labels.txt"):
        path = model.with_name(name)
        if path.is_file():
            return path
    return None


def read_labels(path: Path) -> Labels:
    """Read a label file (UTF-8, a name a line, '#' begins a comment); raise ModelInvalidError if invalid."""
    not_text = ModelInvalidError(
        sentence("The label file {name} is not UTF-8 text; save it as UTF-8.", name=path.name)
    )
    try:
        text = read_regular(path, _MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_text from error
    except (OSError, ValueError) as error:
        raise ModelInvalidError(
            sentence(
                "The label file {path} cannot be read: {reason}; give a text with one name a line.",
                path=path,
                reason=reason(error),
            )
        ) from error
    # UTF-16 without a mark of its byte order can be valid UTF-8.
    if "\0" in text:
        raise not_text
    lines = _lines(text)
    numbered = _numbered(lines)
    names = numbered or lines
    if max(map(len, names), default=0) > _LONGEST_NAME:
        raise ModelInvalidError(
            sentence(
                "The label file {name} has a line of more than {longest} characters; give one name a line.",
                name=path.name,
                longest=_LONGEST_NAME,
            )
        )
    plain = Labels(lines, path.name)
    if not numbered:
        return plain
    origin = sentence("{name}, by the numbers in front of the names", name=path.name)
    return Labels(numbered, origin, plain if len(lines) != len(numbered) else None)


def metadata_labels(metadata: Mapping[str, str], *, may_be_one: bool = False) -> Labels | None:
    """Return names in metadata (JSON or Python literal, or by line or comma), unless an entry is no name.

    `may_be_one`: also a single name, of a list or Ultralytics' 'names'; other texts need not be names.
    """
    for key in LABEL_KEYS:
        text = metadata.get(key, "")
        names = _parse_value(text)
        is_list = key == "names" or text.lstrip()[:1] in ("[", "{", "(")
        if len(names) > 1 or (names and may_be_one and is_list):
            origin = sentence("the model's metadata '{key}'", key=key)
            lines = () if is_list else _lines(text.strip())
            is_numbered = 1 < len(lines) != len(names)
            return Labels(names, origin, Labels(lines, origin) if is_numbered else None)
    return None


def metadata_names(metadata: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names in Ultralytics' metadata 'names', also of one class; () without any."""
    return _parse_value(metadata.get("names", ""))


def _parse_value(text: str) -> tuple[str, ...]:
    text = text.strip()
    if not text or len(text) > _MOST_BYTES:
        return ()
    if text[0] in "[{(":
        names = _names_of(_literal(text))
    else:
        names = parse_labels(text) if "\n" in text else tuple(part.strip() for part in text.split(","))
    return () if max(map(len, names), default=0) > _LONGEST_NAME else names


def _literal(text: str) -> object:
    parsers = (json.loads, ast.literal_eval) if len(text) <= _MOST_PYTHON else (json.loads,)
    for parse in parsers:
        try:
            return parse(text)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _names_of(value: object) -> tuple[str, ...]:
    try:
        if isinstance(value, list | tuple):
            return tuple(map(_name_of, value))
        if not isinstance(value, dict) or not value:
            return ()
        by_index = {int(index): _name_of(name) for index, name in value.items()}
    except (TypeError, ValueError, OverflowError):  # a key may be a list, a word or infinity
        return ()
    return _in_order(by_index)


def _in_order(by_index: Mapping[int, str]) -> tuple[str, ...]:
    last = max(by_index)
    # Indices may have gaps, but an untrusted file must not cause a list of a billion names.
    if min(by_index) < 0 or last > 8 * len(by_index) + 1024:
        return ()
    return tuple(by_index.get(index, f"class {index}") for index in range(last + 1))


def _name_of(value: object) -> str:
    """Return an entry as a name; raise TypeError if neither text nor number, ValueError if too long."""
    if isinstance(value, str | int | float):
        return str(value)
    raise TypeError


def config_labels(model: Path, input_name: str, classes: int, usual: Labels | None = None) -> Labels | None:
    """Return the names in transformers' `config.json` beside a network or above; None unless there are `classes`.

    Optimum writes it with `model.onnx`. Names that transformers makes up, and ImageNet's, are left to others. Where most
    are those of `usual`, these are returned: other spellings would not fit settings that name classes.
    """
    names = _names_of(network_config(model, input_name).get("id2label"))
    if len(names) != classes or max(map(len, names), default=0) > _LONGEST_NAME:
        return None
    if all(name == f"LABEL_{number}" for number, name in enumerate(names)):
        return None
    if usual is not None and _agree(names, usual.names):
        return Labels(usual.names, CONFIG)
    if classes in (1000, 1001) and _agree(names, imagenet_labels(classes).names):
        return None
    return Labels(names, CONFIG)


def _agree(names: Sequence[str], usual: Sequence[str]) -> bool:
    """Return whether most of the names, up to their first comma, are the usual ones."""
    if len(names) != len(usual):
        return False
    same = sum(
        long.split(",")[0].casefold() == short.casefold() for long, short in zip(names, usual, strict=True)
    )
    return 2 * same > len(names)


def is_background(name: str) -> bool:
    """Return True for the name of what is no object: TensorFlow's label files have '???' there."""
    return "background" in name.lower() or name == "???"


def with_background(labels: Labels) -> Labels:
    """Return labels of which the first is the background's."""
    return Labels(
        ("background", *labels.names), sentence("{origin} with background first", origin=labels.origin)
    )


def choose_labels(
    classes: int,
    *,
    model: Path | None = None,
    input_name: str = "",
    metadata: Mapping[str, str] | None = None,
    usual: Labels | None = None,
) -> Labels:
    """Return names for `classes` outputs: the file's, the metadata's, `config.json`'s, `usual`, ImageNet's, or
    numbers.

    Those of file and metadata must be as many as outputs, or one fewer, when a background is put first, or one
    more, when theirs is left out. ImageNet's are for 1000 or 1001. Raises ModelInvalidError if the label file cannot be read.
    """
    path = sidecar_labels(model) if model is not None else None
    left_out: list[str] = []
    for found in (read_labels(path) if path else None, metadata_labels(metadata or {})):
        if found is None:
            continue
        found = found.reading(classes)
        if len(found) == classes:
            return found
        if len(found) == classes - 1:
            return with_background(found)
        if len(found) == classes + 1 and is_background(found.names[0]):
            return Labels(found.names[1:], sentence("{origin} without its background", origin=found.origin))
        left_out.append(
            sentence(
                " ({origin} has {names} for {outputs} and was left out)",
                origin=found.origin,
                names=counted(len(found), "name"),
                outputs=counted(classes, "output"),
            )
        )
    configured = config_labels(model, input_name, classes, usual) if model is not None else None
    chosen = (
        configured or usual or (imagenet_labels(classes) if classes in (1000, 1001) else _numbers(classes))
    )
    return Labels(chosen.names, joined("", (chosen.origin, *left_out)))


def _numbers(classes: int) -> Labels:
    return Labels(
        tuple(f"class {index}" for index in range(classes)),
        sentence("numbers, because the model has no names"),
    )
