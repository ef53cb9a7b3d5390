"""`lightloom models path`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.base import console
from desktop.base.errors import LibraryError
from desktop.cli import Command
from desktop.cli.models._shared import add_library_options, find_entry, opened_store
from desktop.vision.models.builtin import builtin_models


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_library_options(parser)
    parser.add_argument("name", nargs="?", metavar="NAME")


def _run(options: argparse.Namespace) -> int:
    store, _ = opened_store(options)
    if not options.name:
        console.out(store.folder)
        return 0
    found = builtin_models().get(options.name)
    if found is not None:
        console.out(found.path)
        return 0
    entry = find_entry(store, options.name)
    if store.holding(entry).state != "ready":
        raise LibraryError(
            f"{entry.title} is not in {store.folder}; download it with 'lightloom models get {entry.id}'."
        )
    console.out(store.path(entry))
    return 0


COMMAND: Final = Command("Print where a network is, or the folder.", _run, _add_options)
