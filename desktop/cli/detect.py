"""`lightloom detect`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.cli import Command
from desktop.cli._look import add_look_options, look
from desktop.cli._options import names, share


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_look_options(parser, "detection", default=None)
    parser.add_argument(
        "--score", type=share, metavar="S", help="least score, 0 to 1 (default: the network's usual)"
    )
    parser.add_argument(
        "--iou", type=share, metavar="S", help="overlap above which the lower of two boxes goes, 0 to 1"
    )
    parser.add_argument(
        "--classes", type=names, metavar="A,B", default=(), help="classes to print (default: all)"
    )


COMMAND: Final = Command(
    "Find things in pictures and videos: name, score and box of each.", look, _add_options, several="input"
)
