"""Presets by name: the bundled ones, and the user's own."""

from __future__ import annotations

from pathlib import Path

from desktop.base.errors import PresetError
from desktop.base.files import exists
from desktop.base.paths import user_preset_folder
from desktop.base.resources import resource
from desktop.base.wording import sentence


def bundled_presets() -> list[Path]:
    """Return the presets that travel with the program, by file name."""
    return sorted(resource("assets", "presets").glob("*.toml"))


def own_presets() -> list[tuple[str, Path]]:
    """Return titles and files of the user's presets, by title, saved ones before imported ones."""
    folder = user_preset_folder()
    saved = [(path.stem, path) for path in folder.glob("*.toml")]
    # Such a folder is called after the file and its checksum.
    imported = [(path.parent.name.rpartition("-")[0], path) for path in folder.glob("imported/*/preset.toml")]
    return sorted(saved + imported, key=lambda found: found[0].casefold())


def preset_title(path: Path) -> str:
    """Return what a bundled preset is called: `night_city.toml` is 'Night city'."""
    return path.stem.replace("_", " ").capitalize()


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
    """Return `known_preset`; raise PresetError if there is no such file or preset."""
    found = known_preset(name)
    if found is None:
        known = [path.stem for path in bundled_presets()] + [title for title, _ in own_presets()]
        raise PresetError(
            sentence(
                "There is no preset {name}; give the path of a .toml or .lightloom file, or one of {names}.",
                name=name,
                names=", ".join(known),
            )
        )
    return found
