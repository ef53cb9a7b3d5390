"""Find and read a network's settings. Imports little: the library of filters imports it at each start."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ModelInvalidError
from desktop.base.files import read_regular, reason
from desktop.base.resources import resource
from desktop.base.toml_text import parse_toml
from desktop.base.wording import sentence

_MOST_SETTINGS: Final = 1 << 16
SIDECAR_KEYS: Final = ("task", "preprocess", "input", "output")
"""Keys of a sidecar that are valid for every network."""


def sidecar_path(model: Path) -> Path:
    """Return the path of a model's sidecar: `<model>.lightloom.toml`."""
    return model.with_name(f"{model.name}.lightloom.toml")


def settings_path(model: Path) -> Path:
    """Return the path of a model's settings: its sidecar, or else a built-in network's `<name>.toml`."""
    sidecar, table = sidecar_path(model), model.with_suffix(".toml")
    return sidecar if sidecar.is_file() or not (is_builtin(model) and table.is_file()) else table


def is_builtin(model: Path) -> bool:
    """Return True for the file of a built-in network."""
    try:
        return model.absolute().parent == resource("assets", "models")
    except FileNotFoundError:
        return False


def read_settings(path: Path) -> dict[str, Any]:
    """Return a settings file's content; raise ModelInvalidError if it is unreadable or not TOML."""
    try:
        data = read_regular(path, _MOST_SETTINGS)
    except (OSError, ValueError) as error:
        raise ModelInvalidError(
            sentence(
                "The settings {path} cannot be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    try:
        return parse_toml(data)
    except ValueError as error:
        raise ModelInvalidError(
            sentence(
                "The settings {name} are not TOML: {error}; correct them in a text editor.",
                name=path.name,
                error=error,
            )
        ) from error
