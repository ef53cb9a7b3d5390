"""`lightloom remote token`."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import Final

from desktop.base import console
from desktop.cli import Command
from desktop.cli.remote._shared import server_named
from desktop.net.inference.tokens import store_token

_LONGEST: Final = 1 << 14


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("server", metavar="HOST:PORT")
    parser.add_argument("--remove", action="store_true", help="remove it from the key ring")


def _run(options: argparse.Namespace) -> int:
    # Never an argument: the shell stores a history, and all users of the machine can read arguments.
    server, token = server_named(options.server).server, ""
    if not options.remove:
        token = (getpass.getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline(_LONGEST)).strip()
    store_token(server, token)
    console.err(
        f"The token for {server} is {'kept in the key ring' if token else 'removed from the key ring'}."
    )
    return 0


COMMAND: Final = Command(
    "Store a server's token in the system's key ring; it is prompted for, or read from standard input.",
    _run,
    _add_options,
)
