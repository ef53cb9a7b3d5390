"""Write a network's settings (docs/models.md) to `<file>.onnx.lightloom.toml` and a label file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import tomli_w

from desktop.base.errors import LibraryError
from desktop.base.files import read_regular, reason, replace_file
from desktop.base.paths import user_remote_folder
from desktop.base.toml_text import parse_toml
from desktop.base.wording import sentence
from desktop.vision.models.sidecar import sidecar_path

_MOST_BYTES: Final = 1 << 16


def read_settings(model: Path) -> dict[str, Any]:
    """Return all entries of a network's sidecar; none if it is missing or invalid TOML."""
    try:
        return parse_toml(read_regular(sidecar_path(model), _MOST_BYTES))
    except (OSError, ValueError):
        return {}


def write_settings(model: Path, values: Mapping[str, Any]) -> Path:
    """Set top-level keys of a sidecar, keeping others; return its path; raise LibraryError if it fails."""
    path = sidecar_path(model)
    _write(path, tomli_w.dumps({**read_settings(model), **values}))
    return path


def labels_path(model: Path) -> Path:
    """Return the first path at which a network's own labels are looked for."""
    return model.with_name(f"{model.stem}.labels.txt")


def write_labels(model: Path, names: Sequence[str]) -> Path:
    """Write a label file, one name a line; return its path; raise LibraryError if it fails."""
    path = labels_path(model)
    _write(path, "".join(f"{name}\n" for name in names))
    return path


def _write(path: Path, text: str) -> None:
    try:
        # A network on a server may have no folder yet; for a file, a missing folder is an error.
        if path.parent.parent == user_remote_folder():
            path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, [text.encode()])
    except OSError as error:
        raise LibraryError(
            sentence(
                "{name} cannot be written to {parent} ({reason}); copy the network to a folder of your own.",
                name=path.name,
                parent=path.parent,
                reason=reason(error),
            )
        ) from error
