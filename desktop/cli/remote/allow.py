"""`lightloom remote allow`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.base import console
from desktop.cli import Command
from desktop.cli.remote._shared import server_named
from desktop.net.inference.hosts import AllowedHosts


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("host", nargs="+", metavar="HOST")


def _run(options: argparse.Namespace) -> int:
    for text in options.host:
        note = AllowedHosts().allow(server_named(text).host)
        if note:
            console.err(note)
    return 0


COMMAND: Final = Command(
    "Allow hosts to receive images when a look names a network on them.", _run, _add_options
)
