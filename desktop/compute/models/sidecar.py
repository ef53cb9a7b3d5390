"""Where a network's own settings are: beside its file, or in the box. A leaf: the library of filters reads it at each start."""

from __future__ import annotations

from pathlib import Path

from desktop.resources import resource


def sidecar_path(model: Path) -> Path:
    """Return where a model's own settings are kept: `<model>.lightloom.toml` beside it."""
    return model.with_name(f"{model.name}.lightloom.toml")


def settings_path(model: Path) -> Path:
    """Return where settings of a model are read: its sidecar, or without one a built-in network's own table, `<name>.toml`."""
    sidecar, table = sidecar_path(model), model.with_suffix(".toml")
    return sidecar if sidecar.is_file() or not (is_builtin(model) and table.is_file()) else table


def is_builtin(model: Path) -> bool:
    """True for the file of a network in the box."""
    try:
        return model.absolute().parent == resource("assets", "models")
    except FileNotFoundError:
        return False
