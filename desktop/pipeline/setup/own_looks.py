"""Rename and delete looks of the user."""

from __future__ import annotations

import shutil
from pathlib import Path

import tomli_w

from desktop.base.errors import ExportError
from desktop.base.files import read_regular, reason, replace_file
from desktop.base.toml_text import parse_toml
from desktop.base.wording import sentence
from desktop.pipeline.setup.known import MAX_BYTES, is_imported


def _copies(path: Path) -> Path:
    """Return the folder of the files that a saved look needs; it may not be there."""
    return path.with_name(f"{path.stem}.files")


def rename_look(path: Path, title: str, target: Path) -> Path:
    """Give a look another title, and its file the name `target` unless others refer to it; return its file.

    Raise ExportError if it cannot be read or written, or if there is a file `target`.
    """
    stays = is_imported(path) or _copies(path).exists() or target == path
    try:
        if not stays and target.exists():
            raise FileExistsError("there is a file of this name")
        document = parse_toml(read_regular(path, MAX_BYTES)) | {"title": title}
        replace_file(path if stays else target, [tomli_w.dumps(document).encode()])
        if not stays:
            path.unlink()
    except (OSError, ValueError) as error:
        raise ExportError(
            sentence(
                "The look {path} cannot be renamed: {reason}; check that its folder can be written to.",
                path=path,
                reason=reason(error),
            )
        ) from error
    return path if stays else target


def delete_look(path: Path) -> None:
    """Delete a look and the copies of files that it needs; raise ExportError if that fails."""
    try:
        if is_imported(path):
            shutil.rmtree(path.parent)
            return
        path.unlink()
        if _copies(path).is_dir():
            shutil.rmtree(_copies(path))
    except OSError as error:
        raise ExportError(
            sentence(
                "The look {path} cannot be deleted: {reason}; check that its folder can be written to.",
                path=path,
                reason=reason(error),
            )
        ) from error
