"""The presets that there are: those in the box, and the user's own."""

from __future__ import annotations

from pathlib import Path

from desktop.paths import user_preset_folder
from desktop.resources import resource


def bundled_presets() -> list[Path]:
    """Return the presets that travel with the program, by file name."""
    return sorted(resource("assets", "presets").glob("*.toml"))


def own_presets() -> list[tuple[str, Path]]:
    """Return title and file of the presets in the user's folder, by title; those that came in one file have a folder of their own."""
    folder = user_preset_folder()
    saved = [(path.stem, path) for path in folder.glob("*.toml")]
    # Such a folder is called after the file and its checksum.
    imported = [(path.parent.name.rpartition("-")[0], path) for path in folder.glob("imported/*/preset.toml")]
    return sorted(saved + imported, key=lambda found: found[0].casefold())


def preset_title(path: Path) -> str:
    """Return what a bundled preset is called: `night_city.toml` is 'Night city'."""
    return path.stem.replace("_", " ").capitalize()
