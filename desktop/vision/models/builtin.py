"""Built-in networks (`assets/models/<name>.onnx` with a `.toml`, see docs/models.md), and sidecars.

A sidecar may have the tables `[preprocess]`, `[input]` and `[output]` (vision/models/preprocess.py). onnx is
not imported: the window lists networks at start.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ModelInvalidError, UsageError
from desktop.base.files import reason
from desktop.base.resources import resource
from desktop.base.wording import sentence
from desktop.net.inference.address import is_remote, parse_address
from desktop.vision.models.folders import refuse_folder
from desktop.vision.models.sidecar import is_builtin, read_settings, settings_path
from desktop.vision.task_ids import TASK_IDS

log = logging.getLogger(__name__)

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_LARGEST: Final = 4096
_SCALES: Final = ("0..1", "-1..1", "0..255")
_COLORS: Final = ("RGB", "BGR", "GRAY")
_ACTIVATIONS: Final = ("none", "sigmoid", "softmax", "argmax")


@dataclass(frozen=True)
class Statement:
    """Settings of a network from a file; '' and None mean not stated.

    Attributes:
        multiple: free heights and widths must be multiples of it.
        working: longer side in pixels that a network of free size was made for.
        scale: '0..1', '-1..1' or '0..255': range of an output image.
        colors: 'RGB', 'BGR' or 'GRAY': its channels.
        activation: of a mask: 'none', 'sigmoid', 'softmax' or 'argmax'.
        channel: of a mask: the channel or class to use.
        near: of a depth map: 'high' or 'low', the values of near objects.
    """

    preprocess: Mapping[str, Any] = field(default_factory=dict)
    input_name: str = ""
    multiple: int | None = None
    working: int | None = None
    output_name: str = ""
    scale: str = ""
    colors: str = ""
    activation: str = ""
    channel: int | None = None
    near: str = ""


@dataclass(frozen=True)
class BuiltinModel:
    """A built-in network: its name, its file, and its settings."""

    name: str
    path: Path
    title: str
    task: str
    licence: str
    card: str
    help: str = ""
    labels: str = ""
    statement: Statement = field(default_factory=Statement)


class _Table:
    """A TOML table whose entries are removed one by one; errors name the file."""

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        self._data = dict(data)
        self._where = where

    def fail(self, what: str) -> ModelInvalidError:
        return ModelInvalidError(
            sentence(
                "The settings {where}: {what}; docs/models.md lists the keys.", where=self._where, what=what
            )
        )

    def text(self, key: str, allowed: tuple[str, ...] = (), *, required: bool = False) -> str:
        value = self._data.pop(key, None if required else "")
        if value is None:
            raise self.fail(sentence("'{key}' is missing", key=key))
        if not isinstance(value, str) or (value and allowed and value not in allowed):
            raise self.fail(
                sentence("'{key}' must be one of {allowed}", key=key, allowed=", ".join(allowed))
                if allowed
                else sentence("'{key}' must be a text", key=key)
            )
        return value

    def integer(self, key: str, low: int) -> int | None:
        value = self._data.pop(key, None)
        if value is not None and (type(value) is not int or not low <= value <= _LARGEST):
            raise self.fail(
                sentence(
                    "'{key}' must be a whole number from {low} to {high}",
                    key=key,
                    low=low,
                    high=_LARGEST,
                )
            )
        return value

    def boolean(self, key: str) -> bool | None:
        value = self._data.pop(key, None)
        if not isinstance(value, bool | None):
            raise self.fail(sentence("'{key}' must be true or false", key=key))
        return value

    def table(self, key: str) -> _Table:
        value = self._data.pop(key, {})
        if not isinstance(value, dict):
            raise self.fail(sentence("'{key}' must be a table [{key}]", key=key))
        return _Table(value, f"{self._where}, [{key}]")

    def rest(self) -> dict[str, Any]:
        rest, self._data = self._data, {}
        return rest

    def done(self) -> None:
        if self._data:
            raise self.fail(sentence("'{key}' is not known", key=next(iter(self._data))))


_READERS: Final[Mapping[str, Mapping[str, tuple[str, Callable[[_Table, str], Any]]]]] = {
    "input": {
        "name": ("input_name", _Table.text),
        "multiple": ("multiple", lambda table, key: table.integer(key, 1)),
        "working": ("working", lambda table, key: table.integer(key, 16)),
        "turns": ("", _Table.boolean),  # see `stated_turns`
    },
    "output": {
        "name": ("output_name", _Table.text),
        "scale": ("scale", lambda table, key: table.text(key, _SCALES)),
        "colors": ("colors", lambda table, key: table.text(key, _COLORS)),
        "activation": ("activation", lambda table, key: table.text(key, _ACTIVATIONS)),
        "channel": ("channel", lambda table, key: table.integer(key, 0)),
        "near": ("near", lambda table, key: table.text(key, ("high", "low"))),
    },
}
"""By table and key of a sidecar: its attribute in `Statement`, '' for none, and what reads it."""
TABLE_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    table: tuple(readers) for table, readers in _READERS.items()
}
"""Keys of a sidecar's tables, each of which some task reads."""


def _statement(table: _Table) -> Statement:
    stated: dict[str, Any] = {"preprocess": table.table("preprocess").rest()}
    for name, readers in _READERS.items():
        inner = table.table(name)
        read = {attribute: read(inner, key) for key, (attribute, read) in readers.items()}
        inner.done()
        stated |= {attribute: value for attribute, value in read.items() if attribute}
    return Statement(**stated)


def stated_turns(model: Path) -> bool | None:
    """Return whether a network's settings state that its image input turns with the frames; None without.

    Other keys are not checked. Raises ModelInvalidError for another value than true or false, or if the
    sidecar cannot be read.
    """
    path = settings_path(model)
    return _read(path).table("input").boolean("turns") if path.is_file() else None


def _read(path: Path) -> _Table:
    return _Table(read_settings(path), path.name)


def read_builtin(path: Path) -> BuiltinModel:
    """Read a built-in network's table; raise ModelInvalidError if unreadable or its keys are wrong."""
    try:
        stat = path.stat()
    except OSError as error:
        raise ModelInvalidError(
            sentence(
                "The settings {path} cannot be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    return _read_version(path, (stat.st_mtime_ns, stat.st_size))


@lru_cache(maxsize=64)
def _read_version(path: Path, _stamp: tuple[int, int]) -> BuiltinModel:
    """Return a file's table, cached by time stamp because it is read often."""
    table = _read(path)
    if not _NAME.fullmatch(path.stem):
        raise table.fail(
            sentence("the name '{path_stem}' must be lower-case letters, digits and '_'", path_stem=path.stem)
        )
    model = BuiltinModel(
        name=path.stem,
        path=path.with_suffix(".onnx"),
        title=table.text("title", required=True),
        task=table.text("task", TASK_IDS, required=True),
        licence=table.text("licence", required=True),
        card=table.text("card", required=True),
        help=table.text("help"),
        labels=table.text("labels"),
        statement=_statement(table),
    )
    table.done()
    return model


def builtin_models(folder: Path | None = None) -> dict[str, BuiltinModel]:
    """Return the built-in networks by name; one with an invalid table is logged and left out."""
    if folder is None:
        try:
            folder = resource("assets", "models")
        except FileNotFoundError:
            return {}
    found: dict[str, BuiltinModel] = {}
    for path in sorted(folder.glob("*.toml")):
        if not path.with_suffix(".onnx").exists():
            continue
        try:
            found[path.stem] = read_builtin(path)
        except ModelInvalidError as error:
            log.warning("%s", error)
    return found


@cache
def title_of(model: Path) -> str:
    """Return a network's title: that of a built-in one, its file's stem, or its name on its server."""
    if is_builtin(model):
        found = builtin_models().get(model.stem)
        if found is not None:
            return found.title
    return parse_address(str(model)).model if is_remote(str(model)) else model.stem


def find_model(value: str) -> tuple[Path, Statement]:
    """Return the file and the settings that a model parameter names: a built-in's name or a path.

    Raises ModelInvalidError if it cannot be found or read, UsageError if no network is named.
    """
    if not value:
        raise UsageError(
            sentence(
                "No network is chosen; choose an .onnx or .tflite file, or get a network on the Networks page."
            )
        )
    models = builtin_models()
    if value in models:
        return models[value].path, models[value].statement
    path = Path(value)
    refuse_folder(path)
    try:
        there = path.is_file()
    except (OSError, ValueError):  # too long for the system, or with a NUL
        there = False
    if not there:
        shown = value if len(value) <= 120 else f"{value[:117]}..."
        names = ", ".join(models) or "none"
        raise ModelInvalidError(
            sentence(
                "There is no network '{shown}': it is no file, and the built-in ones are {names}; choose "
                "another.",
                shown=shown,
                names=names,
            )
        )
    return path, read_statement(path)


def read_statement(model: Path) -> Statement:
    """Return a network's settings, if any; raise ModelInvalidError if the sidecar cannot be read."""
    path = settings_path(model)
    if not path.is_file():
        return Statement()
    return _statement(_read(path))  # other tables of a sidecar belong to other tasks


def statement_of(settings: Mapping[str, Any], origin: str) -> Statement:
    """Return a sidecar's settings (`origin`: for messages); raise ModelInvalidError if it is invalid."""
    return _statement(_Table(settings, origin))
