"""Looks by name: the bundled ones, and the user's own. In files, folders and code they are called presets."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from desktop.base.errors import PresetError
from desktop.base.files import exists, read_regular
from desktop.base.nearest import nearest
from desktop.base.paths import user_preset_folder
from desktop.base.printable import printable
from desktop.base.resources import resource
from desktop.base.toml_text import parse_toml
from desktop.base.wording import sentence
from desktop.pipeline.setup.description import Description, take_description

MAX_BYTES: Final = 1 << 20
"""The longest preset that is read."""

_IMPORTED: Final = "imported"
_ALIKE: Final = 0.8
"""Least likeness of a name for it to be suggested alone; otherwise all names are listed."""


@dataclass(frozen=True)
class Look:
    """A look as lists show it.

    Attributes:
        name: what `--look` takes.
        title: for users; English for a bundled one, untrusted plain text otherwise.
        purpose: a sentence, as the title; '' if the file has none.
        path: its preset, a .toml file.
        is_bundled: True if it comes with the program.
    """

    name: str
    title: str
    purpose: str
    path: Path
    is_bundled: bool


def looks() -> tuple[Look, ...]:
    """Return all looks: the bundled ones by title, then the user's by title.

    Only files that were added or changed since the last call are read. A file without a usable title has its
    name as title.
    """
    bundled = [_look(path.stem, path, is_bundled=True) for path in bundled_presets()]
    own = [_look(name, path, is_bundled=False) for name, path in own_presets()]
    return (*bundled, *sorted(own, key=lambda look: look.title.casefold()))


def _look(name: str, path: Path, *, is_bundled: bool) -> Look:
    description = Description()
    with contextlib.suppress(OSError, ValueError):  # opening it explains what is wrong
        status = path.stat()
        description = _described(path, status.st_mtime_ns, status.st_size)
    return Look(name, title_of(path, description), description.purpose, path, is_bundled)


@lru_cache(maxsize=1024)
def _described(path: Path, modified: int, size: int) -> Description:
    """Read a preset's title and purpose; `modified` (ns) and `size` (bytes) are part of the cache's key."""
    return take_description(parse_toml(read_regular(path, MAX_BYTES)), lambda warning: None)


def bundled_presets() -> list[Path]:
    """Return the presets that travel with the program, by file name."""
    return sorted(resource("assets", "presets").glob("*.toml"))


def own_presets() -> list[tuple[str, Path]]:
    """Return names and files of the user's presets, by name, saved ones before imported ones."""
    folder = user_preset_folder()
    saved = [(_name(path), path) for path in folder.glob("*.toml")]
    imported = [(_name(path), path) for path in folder.glob(f"{_IMPORTED}/*/preset.toml")]
    return sorted(saved + imported, key=lambda entry: entry[0].casefold())


def is_imported(path: Path) -> bool:
    """Return whether a preset was unpacked from a look in one file, into a folder of its own."""
    return path.name == "preset.toml" and path.parent.parent.name == _IMPORTED


def _name(path: Path) -> str:
    if is_imported(path):
        # Such a folder is called after the file and its checksum.
        return path.parent.name.rpartition("-")[0]
    return path.stem


def preset_title(path: Path) -> str:
    """Return a bundled look's title, without reading it: `night_city.toml` is 'Night city'."""
    return path.stem.replace("_", " ").capitalize()


def title_of(path: Path, description: Description) -> str:
    """Return a look's title: that of its file, or one made of the file's name."""
    if description.title:
        return description.title
    return preset_title(path) if path.parent == resource("assets", "presets") else printable(_name(path))


def known_preset(name: str) -> Path | None:
    """Return the file of a typed path or preset name, None for neither. Bundled presets precede the user's
    saved ones, which precede untrusted imports.
    """
    path = Path(name)
    if name and exists(path):
        return path
    boxed = [(path.stem, path) for path in bundled_presets()]
    return next((path for title, path in (*boxed, *own_presets()) if title == name), None)


def require_preset(name: str) -> Path:
    """Return `known_preset`; raise PresetError if there is no such file or look."""
    found = known_preset(name)
    if found is None:
        known = [path.stem for path in bundled_presets()] + [title for title, _ in own_presets()]
        if near := nearest(name, known, _ALIKE):
            raise PresetError(
                sentence("There is no look {name}; did you mean '{near}'?", name=name, near=near)
            )
        raise PresetError(
            sentence(
                "There is no look {name}; give the path of a .toml or .lightloom file, or one of {names}.",
                name=name,
                names=", ".join(known),
            )
        )
    return found
