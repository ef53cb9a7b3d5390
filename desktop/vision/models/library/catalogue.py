"""The catalogue of public networks, `assets/models/catalogue.toml`; keys: docs/model-library.md.

A catalogue may be untrusted (`--catalogue`): every value is checked, paths made from an id stay in the
folder, and sizes are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, get_args

from desktop.base.addresses import split_address
from desktop.base.errors import LibraryError
from desktop.base.files import read_regular, reason
from desktop.base.resources import resource
from desktop.base.toml_text import parse_toml
from desktop.base.wording import sentence
from desktop.vision.models.preprocess import Colors, Layout, Preprocess
from desktop.vision.task_ids import TASK_IDS

_MOST_BYTES: Final = 1 << 20
_LARGEST_MODEL: Final = 4 << 30
_ID: Final = re.compile(r"[a-z0-9][a-z0-9_]{0,63}")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
# Windows opens a device under these names, whatever the suffix.
_DEVICES: Final = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")
_TABLES: Final = ("preprocess", "input", "output")
_PREPROCESS: Final = frozenset(field.name for field in fields(Preprocess))


@dataclass(frozen=True)
class Entry:
    """A network of the catalogue.

    Attributes:
        id: lower-case letters, digits and '_'; names the file.
        task: one of `TASK_IDS`.
        size: of the file, in bytes.
        sha256: of the file, in hexadecimal digits.
        licence, source: as stated at the origin; the origin's page.
        addresses: download addresses, tried in order.
        width, height: of the input image, in pixels; 0 for any.
        layout, colors: 'NCHW' or 'NHWC'; 'RGB', 'BGR' or 'GRAY', '' if not stated.
        classes: description of its classes; '' for networks without classes.
        labels: names by class index, if no bundled list has them.
        settings: tables of a sidecar (`preprocess`, `input`, `output`).
    """

    id: str
    title: str
    task: str
    size: int
    sha256: str
    licence: str
    source: str
    addresses: tuple[str, ...]
    help: str = ""
    width: int = 0
    height: int = 0
    layout: str = "NCHW"
    colors: str = ""
    classes: str = ""
    labels: tuple[str, ...] = ()
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """The file's name, in the folder and below a mirror's address."""
        return f"{self.id}.onnx"

    @property
    def input_text(self) -> str:
        """The input in a line, e.g. '224x224 BGR, 0..255, mean (104, 117, 123), NCHW'."""
        values = self.settings.get("preprocess", {})
        size = f"{self.width}x{self.height}" if self.width and self.height else "any size"
        parts = [f"{size} {self.colors}".strip()]
        if "scale" in values:
            parts.append(values["scale"])
        for name, neutral in (("mean", 0.0), ("std", 1.0)):
            if any(value != neutral for value in values.get(name, ())):
                parts.append(f"{name} ({_numbers(values[name])})")
        return ", ".join((*parts, self.layout))


def _numbers(values: Any) -> str:
    return ", ".join(f"{v:g}" for v in values)


class _EntryReader:
    """Reader that removes an entry's keys one by one; errors name the file and the entry."""

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        self._data = dict(data)
        self._where = where

    def fail(self, what: str) -> LibraryError:
        return LibraryError(
            sentence(
                "The catalogue {where}: {what}; docs/model-library.md lists the keys.",
                where=self._where,
                what=what,
            )
        )

    def text(self, key: str, default: str | None = None) -> str:
        value = self._data.pop(key, default)
        if not isinstance(value, str) or (default is None and not value) or len(value) > 2000:
            raise self.fail(sentence("'{key}' must be a text", key=key))
        if any(ord(c) < 32 for c in value):
            raise self.fail(sentence("'{key}' has control characters", key=key))
        return value

    def choice(self, key: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        value = self.text(key, default)
        if value != default and value not in allowed:
            raise self.fail(sentence("'{key}' must be one of {allowed}", key=key, allowed=", ".join(allowed)))
        return value

    def match(self, key: str, pattern: re.Pattern[str], what: str) -> str:
        value = self.text(key)
        if not pattern.fullmatch(value):
            raise self.fail(sentence("'{key}' must be {what}", key=key, what=what))
        return value

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value = self._data.pop(key, default)
        if type(value) is not int or not low <= value <= high:
            raise self.fail(
                sentence("'{key}' must be a whole number from {low} to {high}", key=key, low=low, high=high)
            )
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._data.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(v, str) and v.isprintable() for v in value):
            raise self.fail(sentence("'{key}' must be a list of texts", key=key))
        return tuple(value)

    def addresses(self) -> tuple[str, ...]:
        found = self.texts("addresses")
        for address in found:
            if not is_address(address, ("https",)):
                raise self.fail(
                    sentence(
                        "the address '{address}' must begin with https:// and name a host", address=address
                    )
                )
        if not found:
            raise self.fail(sentence("'addresses' must name at least one"))
        return found

    def tables(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for name in _TABLES:
            table = self._data.pop(name, {})
            if not isinstance(table, dict) or not all(_is_plain(v) for v in table.values()):
                raise self.fail(
                    sentence("'{name}' must be a table of texts, numbers and lists of numbers", name=name)
                )
            if table:
                found[name] = table
        unknown = sorted(set(found.get("preprocess", {})) - _PREPROCESS)
        if unknown:
            raise self.fail(sentence("'{unknown}' in [network.preprocess] is not known", unknown=unknown[0]))
        return found

    def done(self) -> None:
        if self._data:
            raise self.fail(sentence("'{key}' is not known", key=next(iter(self._data))))


def _is_plain(value: Any) -> bool:
    if isinstance(value, str):
        return value.isprintable()
    if isinstance(value, list):
        return all(type(v) in (int, float) for v in value)
    return type(value) in (int, float)


def is_address(text: str, schemes: tuple[str, ...]) -> bool:
    """Return True for an absolute address of one of these schemes, with a host and no blanks or controls."""
    try:
        parts = split_address(text)
        return (
            parts.scheme in schemes
            and bool(parts.hostname)
            and text.isascii()
            and not re.search(r"[\s\x00-\x1f]", text)
        )
    except ValueError:  # a bracket that is not part of an IPv6 address
        return False


def _entry(data: Any, where: str) -> Entry:
    if not isinstance(data, dict):
        raise LibraryError(
            sentence("The catalogue {where} has no table [[network]]; choose another catalogue.", where=where)
        )
    name = data.get("id")
    reader = _EntryReader(data, f"{where}, network '{name}'" if isinstance(name, str) else where)
    entry_id = reader.match("id", _ID, "up to 64 lower-case letters, digits and '_'")
    if _DEVICES.fullmatch(entry_id):
        raise reader.fail(sentence("'{entry_id}' is the name of a device on Windows", entry_id=entry_id))
    settings = reader.tables()
    preprocess = settings.get("preprocess", {})
    entry = Entry(
        id=entry_id,
        title=reader.text("title"),
        task=reader.choice("task", TASK_IDS),
        size=reader.integer("bytes", 1, _LARGEST_MODEL),
        sha256=reader.match("sha256", _SHA256, "64 hexadecimal digits"),
        licence=reader.text("licence"),
        source=reader.text("source"),
        addresses=reader.addresses(),
        help=reader.text("help", ""),
        width=reader.integer("width", 0, 8192, 0),
        height=reader.integer("height", 0, 8192, 0),
        layout=reader.choice("layout", get_args(Layout), "NCHW"),
        colors=str(preprocess.get("colors", "")),
        classes=reader.text("classes", ""),
        labels=reader.texts("labels"),
        settings=settings,
    )
    if entry.colors and entry.colors not in get_args(Colors):
        raise reader.fail(sentence("'colors' must be one of {choices}", choices=", ".join(get_args(Colors))))
    reader.done()
    return entry


def read_catalogue(path: Path | None = None) -> dict[str, Entry]:
    """Return a catalogue's (by default the bundled one's) entries by id; raise LibraryError if invalid."""
    if path is None:
        path = resource("assets", "models", "catalogue.toml")
    try:
        data = read_regular(path, _MOST_BYTES)
    except (OSError, ValueError) as error:
        raise LibraryError(
            sentence(
                "The catalogue {path} cannot be read: {reason}; choose another.",
                path=path,
                reason=reason(error),
            )
        ) from error
    try:
        document = parse_toml(data)
    except ValueError as error:
        raise LibraryError(
            sentence(
                "The catalogue {name} is not TOML: {error}; choose another.", name=path.name, error=error
            )
        ) from error
    tables = document.get("network", [])
    entries = (
        [_entry(table, path.name) for table in tables]
        if isinstance(tables, list)
        else [_entry(None, path.name)]
    )
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.id in found:
            raise LibraryError(
                sentence(
                    "The catalogue {name} has two networks '{entry_id}'; rename one of them.",
                    name=path.name,
                    entry_id=entry.id,
                )
            )
        found[entry.id] = entry
    return found
