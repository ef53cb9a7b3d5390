"""`lightloom classify`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.cli import Command
from desktop.cli._look import add_look_options, look


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_look_options(parser, "classification", default="classifier")
    parser.add_argument(
        "--top",
        type=int,
        choices=range(1, 11),
        default=5,
        metavar="K",
        help="classes to print, 1 to 10",
    )


COMMAND: Final = Command("Name what pictures and videos show.", look, _add_options, several="input")
