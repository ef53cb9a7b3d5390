"""`lightloom models remove`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.cli import Command
from desktop.cli.models._shared import add_library_options, downloadable, opened_store


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_library_options(parser)
    parser.add_argument("name", nargs="+", metavar="NAME")


def _run(options: argparse.Namespace) -> int:
    store, _ = opened_store(options)
    for name in options.name:
        store.remove(downloadable(store, name))
    return 0


COMMAND: Final = Command("Delete downloaded networks.", _run, _add_options)
