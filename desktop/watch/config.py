"""The file of `lightloom watch`: one table for the service, one for each source.

Every fault is reported, each with its line and key; nothing is ignored. What needs models and looks is checked by
the command (`cli/_watch_setup.py`).
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from desktop.base.addresses import has_hidden_password
from desktop.base.errors import LightloomError, UsageError
from desktop.base.fields import Secret
from desktop.base.files import has_unknown_home, home_expanded, read_regular, reason
from desktop.base.nearest import suggestion
from desktop.base.printable import printable
from desktop.base.toml_text import KeyPath, key_lines, parse_toml, place_of
from desktop.metrics.address import Address
from desktop.outputs.encoding import CONTAINERS, Encoding
from desktop.outputs.events import event_actions
from desktop.outputs.segment_limits import Retention, SegmentLimit, parse_duration, parse_size
from desktop.watch.announced_devices import AnnouncedDevice
from desktop.watch.secrets import has_literal_password, is_literal

MOST_SOURCES: Final = 64
_MOST_BYTES: Final = 1 << 20
_LONGEST_TEXT: Final = 2000
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_SUFFIXES: Final = (".mp4", ".mkv", ".mov", ".webm")


FileState = tuple[str, int, int]
"""A file's path, the time of its last change in nanoseconds, and its bytes."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a file: the line from 1, the key ('source.door.model', '' for the file), a sentence."""

    line: int
    key: str
    text: str

    def at(self, name: str) -> str:
        """Return it as a line of text that begins with the file's name."""
        place = f"{name}:{self.line}: " + (f"{self.key}: " if self.key else "")
        return printable(f"{place}{self.text}")


class ConfigError(LightloomError):
    """A configuration with faults; `sentences` has one for each, with file and line."""

    def __init__(self, faults: Sequence[Fault], name: str) -> None:
        self.faults = tuple(faults)
        self.sentences = tuple(fault.at(name) for fault in faults)
        super().__init__("; ".join(self.sentences))


@dataclass(frozen=True)
class RecordSpec:
    """The recording of a source: its target (a video in a folder), segments, retention and encoding."""

    target: Path
    limit: SegmentLimit
    retention: Retention
    encoding: Encoding
    audio: bool


@dataclass(frozen=True)
class SourceSpec:
    """A source of the file.

    Attributes:
        name: unique; letters, digits, '_' and '-'.
        address: as `open_source` takes it, with placeholders of passwords.
        table: all its keys, as a JSON value, with placeholders: equal for a source that was not changed.
        files: those of its look, network and zones, others after a change; of what these names stand for, and of
            what lies beside, only with the checks of the command.
        place: where the table is, for faults.
        secrets: digest of the table with its passwords (`Secrets.digest`), '' if it was not made: another after
            one has changed.
        devices: those that it announces to Home Assistant.
    """

    name: str
    address: str
    table: Mapping[str, Any]
    record: RecordSpec | None = None
    overlay: bool = False
    every_frame: bool = False
    files: tuple[FileState, ...] = ()
    place: KeyPath = field(default=(), compare=False)
    secrets: str = ""
    devices: tuple[AnnouncedDevice, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Config:
    """A file without faults: `metrics` is None if none are served; `adapter` is '' for the best."""

    sources: tuple[SourceSpec, ...]
    metrics: Address | None = None
    adapter: str = ""


class Faults:
    """Collects faults, and notes on what is no fault; `lines` as from `key_lines`."""

    def __init__(self, lines: Mapping[KeyPath, int], document: Mapping[str, Any]) -> None:
        self._lines, self._document = lines, document
        self._paths: set[KeyPath] = set()
        self.found: list[Fault] = []
        self.notes: list[Fault] = []

    def add(self, path: KeyPath, text: str) -> None:
        """Add a fault of the value at a path, in the line of the nearest table or key around it that has one."""
        self._paths.add(path)
        self.found.append(self._at(path, text))

    def note(self, path: KeyPath, text: str) -> None:
        """Add a note on the value at a path."""
        self.notes.append(self._at(path, text))

    def _at(self, path: KeyPath, text: str) -> Fault:
        near = path
        while near and near not in self._lines:
            near = near[:-1]
        return Fault(self._lines.get(near, 1), self._key(path), text)

    def has(self, path: KeyPath) -> bool:
        """Return True if the value at a path itself has a fault."""
        return path in self._paths

    def has_below(self, path: KeyPath) -> bool:
        """Return True if the value at a path, or anything in it, has a fault."""
        return any(each[: len(path)] == path for each in self._paths)

    def in_order(self) -> list[Fault]:
        """Return the faults in the order of their lines."""
        return sorted(self.found, key=lambda fault: fault.line)

    def _key(self, path: KeyPath) -> str:
        """Return a path for people: tables of an array by their name, or by their number from 1."""
        words: list[str] = []
        value: Any = self._document
        for part in path:
            try:
                value = value[part]
            except (LookupError, TypeError):
                value = None
            if isinstance(part, int):
                name = value.get("name") if isinstance(value, dict) else None
                words.append(name[:40] if isinstance(name, str) and name else str(part + 1))
            else:
                words.append(part)
        return ".".join(words)

    def read(self, path: KeyPath, read: Callable[[], Any], default: Any = None) -> Any:
        """Return what `read` returns; for a LightloomError, add its sentence and return `default`."""
        try:
            return read()
        except LightloomError as error:
            self.add(path, str(error))
            return default


@dataclass(frozen=True)
class ReadConfig:
    """A configuration as far as it has no fault, and the faults, to which more may be added."""

    config: Config
    faults: Faults
    folder: Path


_Check = Callable[[Any], Any]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError("It is not a line of text; write it in quotation marks.")
    if not value.strip():
        raise UsageError("It is empty; write a text, or leave the key out if it is not required.")
    if len(value) > _LONGEST_TEXT:
        raise UsageError(f"It is longer than {_LONGEST_TEXT} letters; shorten it.")
    if not value.isprintable():
        raise UsageError("It has a line break, or a letter that cannot be shown; write it without.")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise UsageError("It is neither true nor false; write one of them.")
    return value


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError("It is not a table; write its keys below a line with its name in brackets.")
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise UsageError("It is no name of a source; use up to 40 letters, digits, '_' and '-'.")
    return value


def _anything(value: Any) -> Any:
    return value


def _codec(value: Any) -> str:
    return Encoding(_text(value)).codec


def _crf(value: Any) -> int:
    if type(value) is not int:
        raise UsageError("It is not a whole number; write one such as 23.")
    Encoding(crf=value)
    return value


def _size(value: Any) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{0,5})x(\d{0,5})", str(value))
    if found is None or not (found[1] or found[2]) or "0" in found.groups():
        raise UsageError(f"'{str(value)[:40]}' is no size; write it as 1280x720, 1280x or x720.")
    return Encoding(size=(int(found[1] or 0), int(found[2] or 0))).size


def _format(value: Any) -> str:
    suffix = f".{value}"
    if suffix not in _SUFFIXES:
        raise UsageError(f"'{str(value)[:40]}' is no format; write {', '.join(s[1:] for s in _SUFFIXES)}.")
    return suffix


def _of_text(parse: Callable[[str], Any]) -> _Check:
    return lambda value: parse(_text(value))


_SERVICE: Final[Mapping[str, _Check]] = {"metrics": _of_text(Address.of), "adapter": _text}
_SOURCE: Final[Mapping[str, _Check]] = {
    "name": _name,
    "address": _text,
    "look": _text,
    "model": _text,
    "task": _text,
    "backend": _text,
    "precision": _text,
    "settings": _table,
    "track": _anything,
    "zones": _anything,
    "events": _anything,
    "overlay": _flag,
    "every_frame": _flag,
    "record": _table,
}
_RECORD: Final[Mapping[str, _Check]] = {
    "folder": _text,
    "segment": _of_text(SegmentLimit.parse),
    "keep": _of_text(parse_duration),
    "keep_size": _of_text(parse_size),
    "format": _format,
    "codec": _codec,
    "crf": _crf,
    "size": _size,
    "audio": _flag,
}
USUAL_SEGMENT: Final = SegmentLimit(seconds=600.0)


def read_config(path: Path) -> ReadConfig:
    """Read a file with the faults of its form; raise ConfigError for one that cannot be read or is not TOML."""
    try:
        text = read_regular(path, _MOST_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, UnicodeDecodeError):
            text = "The file cannot be read: it is not UTF-8; save it in that encoding."
        elif error.errno == errno.EFBIG:
            text = f"The file cannot be read: {reason(error)}; divide its sources between two files."
        else:
            text = f"The file cannot be read: {reason(error)}; check its name and permissions."
        raise ConfigError([Fault(1, "", text)], path.name) from error
    except ValueError as error:
        raise ConfigError(
            [Fault(1, "", "This is not the name of a file; give another one.")], path.name
        ) from error
    try:
        document = parse_toml(text)
    except ValueError as error:
        line, _ = place_of(error)
        raise ConfigError([Fault(line, "", f"This is not TOML: {error}; correct it.")], path.name) from error
    faults = Faults(key_lines(text), document)
    return ReadConfig(parse_config(document, path.parent, faults), faults, path.parent)


def parse_config(document: Mapping[str, Any], folder: Path, faults: Faults) -> Config:
    """Return what a document says, as far as it has no fault; `folder` is where its relative paths begin."""
    known = _known(document, {"service": _table, "source": _anything}, (), faults)
    service = _known(known.get("service", {}), _SERVICE, ("service",), faults)
    tables = known.get("source", [])
    if isinstance(tables, dict) and tables:
        faults.add(("source",), "It is a single table; write its line as [[source]], in double brackets.")
        return Config(())
    if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
        faults.add(("source",), "There is no source; begin one with a line [[source]].")
        tables = []
    if len(tables) > MOST_SOURCES:
        faults.add(
            ("source", MOST_SOURCES),
            f"There are more than {MOST_SOURCES} sources; divide them between two files.",
        )
    sources = [
        parse_source(each, folder, faults, ("source", n)) for n, each in enumerate(tables[:MOST_SOURCES])
    ]
    _check_unique(sources, faults)
    return Config(tuple(sources), service.get("metrics"), service.get("adapter", ""))


def parse_source(table: Mapping[str, Any], folder: Path, faults: Faults, place: KeyPath) -> SourceSpec:
    """Return the source of a table; '' stands for a name or address with a fault."""
    before = len(faults.found)
    values = _known(table, _SOURCE, place, faults)
    is_known = len(faults.found) == before
    name, address = (_required(key, values, table, place, faults) for key in ("name", "address"))
    _check_passwords(table, place, faults)
    _check_secrets(table.get("events"), (*place, "events"), faults)
    # A misspelled key may be the model.
    for key in ("task", "backend", "precision", "settings") if is_known else ():
        if key in table and "model" not in table:
            faults.add((*place, key), "It is about a network, and there is none; add the key 'model'.")
    record = values.get("record")
    return SourceSpec(
        name or "",
        address or "",
        table,
        parse_record(record, name or "", folder, faults, (*place, "record")) if record is not None else None,
        values.get("overlay", False),
        values.get("every_frame", False),
        tuple(_files_of(table, folder)),
        place,
    )


def _files_of(table: Mapping[str, Any], folder: Path) -> Iterator[FileState]:
    """Yield the state of each file that a source names."""
    for key in ("look", "model", "zones"):
        if isinstance(name := table.get(key), str):
            try:
                state = file_state(path_in(folder, name))
            except UsageError:
                continue
            if state is not None:  # a name of a bundled one, or missing
                yield state


def file_state(path: Path) -> FileState | None:
    """Return what a change of a file changes; None if there is no such file."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return str(path), status.st_mtime_ns, status.st_size


def path_in(folder: Path, text: str) -> Path:
    """Return a path that begins in a folder, with '~' expanded; raise UsageError if there is no such user."""
    if has_unknown_home(text):
        raise UsageError(f"'{text[:80]}' is of a user who is not known here; write the full path.")
    return folder / home_expanded(text)


def parse_record(
    table: Mapping[str, Any], name: str, folder: Path, faults: Faults, place: KeyPath
) -> RecordSpec | None:
    """Return the recording of a table; None without a folder."""
    values = _known(table, _RECORD, place, faults)
    target_folder = _required("folder", values, table, place, faults)
    if target_folder is not None:
        target_folder = faults.read((*place, "folder"), lambda: path_in(folder, target_folder))
    if target_folder is None:
        return None
    audio = values.get("audio", True)
    suffix = values.get("format", ".mp4")
    codec = values.get("codec", "")
    if codec and codec not in CONTAINERS[suffix].codecs:
        faults.add(
            (*place, "codec"),
            f"{suffix[1:]} files hold no {codec}; write one of {', '.join(CONTAINERS[suffix].codecs)}.",
        )
    encoding = Encoding(
        codec, values.get("crf"), values.get("size", (0, 0)), sound="auto" if audio else "none"
    )
    return RecordSpec(
        target_folder / f"{name}{suffix}",
        values.get("segment", USUAL_SEGMENT),
        Retention(values.get("keep", 0.0), values.get("keep_size", 0)),
        encoding,
        audio,
    )


def _known(table: Any, checks: Mapping[str, _Check], place: KeyPath, faults: Faults) -> dict[str, Any]:
    """Return the values that pass their checks; unknown keys and others become faults."""
    values: dict[str, Any] = {}
    for key, value in (table if isinstance(table, dict) else {}).items():
        check = checks.get(key)
        if check is None:
            faults.add((*place, key), f"This key is not known; {suggestion(key, checks)}")
            continue
        try:
            values[key] = check(value)
        except LightloomError as error:
            faults.add((*place, key), str(error))
    return values


def _required(
    key: str, values: Mapping[str, Any], table: Mapping[str, Any], place: KeyPath, faults: Faults
) -> Any:
    if key not in table:
        faults.add(place, f"The key '{key}' is missing; add it.")
    return values.get(key)


def _check_passwords(value: Any, place: KeyPath, faults: Faults, key: str = "") -> None:
    """Refuse addresses with passwords, wherever they are in a source's table."""
    if isinstance(value, dict):
        for name, each in value.items():
            _check_passwords(each, (*place, name), faults, name)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            _check_passwords(each, (*place, number), faults, key)
    elif isinstance(value, str):
        try:
            has_password = has_literal_password(value, key)
        except ValueError:
            faults.add(place, "This is not an address; write one such as rtsp://192.168.1.20/stream.")
            return
        if has_password:
            advice = "write ${CAMERA_PASSWORD} instead, and set that variable."
            if has_hidden_password(value):  # a guess, which may be wrong
                advice += (
                    " If the @ belongs to the network's name, write the host as an IP address or with its domain."
                    if key == "model"
                    else " If the @ belongs to the path, write it as %40."
                )
            faults.add(place, f"There is a password in it; {advice}")


def _check_secrets(events: Any, place: KeyPath, faults: Faults) -> None:
    """Refuse passwords in the actions of events, which are fields of type `Secret`."""
    for number, event in enumerate(events if isinstance(events, list) else ()):
        actions = event.get("actions") if isinstance(event, dict) else None
        for index, action in enumerate(actions if isinstance(actions, list) else ()):
            kind = event_actions().get(str(action.get("do"))) if isinstance(action, dict) else None
            for each in kind.fields if kind is not None else ():
                if isinstance(each, Secret) and is_literal(str(action.get(each.name, ""))):
                    faults.add(
                        (*place, number, "actions", index, each.name),
                        "There is a password in it; write ${NAME} instead, and set the variable NAME.",
                    )


def _check_unique(sources: Sequence[SourceSpec], faults: Faults) -> None:
    names: set[str] = set()
    for source in sources:
        if source.name and source.name.lower() in names:
            faults.add((*source.place, "name"), "Another source has this name; give each its own.")
        names.add(source.name.lower())
