"""Options and helpers shared by the `models` commands, which manage the model library."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

from desktop.base.errors import LibraryError
from desktop.base.files import exists
from desktop.base.paths import user_model_folder
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.folders import refuse_folder
from desktop.vision.models.library.access import Access
from desktop.vision.models.library.catalogue import Entry, read_catalogue
from desktop.vision.models.library.store import ModelStore


def add_library_options(parser: argparse.ArgumentParser) -> None:
    """Add --folder and --catalogue."""
    parser.set_defaults(offline=False, mirror=None)
    parser.add_argument(
        "--folder", metavar="DIR", help="where downloaded networks are (default: the window's)"
    )
    parser.add_argument("--catalogue", metavar="TOML", help="another catalogue (docs/model-library.md)")


def opened_store(options: argparse.Namespace) -> tuple[ModelStore, Access]:
    """Return the model library and the network access it may use."""
    chosen, offline, mirror = _chosen_in_window()
    folder = Path(options.folder) if options.folder else user_model_folder(chosen)
    access = Access(
        offline=options.offline or offline,
        mirror=mirror if options.mirror is None else options.mirror,
    )
    catalogue = read_catalogue(Path(options.catalogue)) if options.catalogue else None
    return ModelStore(folder, catalogue), access


def _chosen_in_window() -> tuple[str, bool, str]:
    """Return folder, offline mode and mirror from the window's settings; the defaults without Qt."""
    if importlib.util.find_spec("PySide6") is None:
        return "", False, ""
    from desktop.ui.forms.settings import Settings  # Qt's core; only these commands need it

    kept = Settings.load()
    return kept.model_folder, kept.offline, kept.model_mirror


def downloadable(store: ModelStore, name: str) -> Entry:
    """Return a catalogue entry by its id; raise LibraryError if it is unknown or bundled."""
    if name not in store.catalogue and name in builtin_models():
        raise LibraryError(f"'{name}' is bundled and needs no download; give its name to --model.")
    return find_entry(store, name)


def find_entry(store: ModelStore, name: str) -> Entry:
    """Return a catalogue entry by its id; raise LibraryError, with a hint for a file name or misspelling."""
    if name not in store.catalogue and exists(Path(name)):
        refuse_folder(name, LibraryError)
        raise LibraryError(
            f"'{name}' is here already, and no name of the catalogue: 'lightloom models' is for networks "
            "to download, 'lightloom model' "
            "looks into a file, and --model takes it."
        )
    return store.find(name)
