"""`lightloom models verify`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.base import console
from desktop.base.errors import LibraryError
from desktop.base.wording import counted
from desktop.cli import Command
from desktop.cli.models._shared import add_library_options, downloadable, opened_store


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_library_options(parser)
    parser.add_argument("name", nargs="*", metavar="NAME", help="default: all that are there")


def _run(options: argparse.Namespace) -> int:
    store, _ = opened_store(options)
    entries = [downloadable(store, name) for name in options.name] or [
        entry for entry in store.catalogue.values() if store.holding(entry).state in ("ready", "damaged")
    ]
    wrong: list[str] = []
    for entry in entries:
        options.interrupt.check()
        try:
            store.verify(entry)
            console.out(f"ok    {entry.id}")
        except LibraryError as error:
            console.out(f"FAIL  {entry.id}: {error}")
            wrong.append(entry.id)
    if not entries:
        console.out(f"no networks of the catalogue are in {store.folder}")
    if wrong:
        share = f"{len(wrong)} of {counted(len(entries), 'network')}"
        raise LibraryError(f"{share} not what the catalogue names: {', '.join(wrong)}; download again.")
    return 0


COMMAND: Final = Command("Compare downloaded networks with their checksums.", _run, _add_options)
