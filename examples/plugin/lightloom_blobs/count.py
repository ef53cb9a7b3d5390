"""The command `lightloom count-blobs MODEL IMAGE...`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import lightloom
from lightloom.plugins import Command


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("images", nargs="+", metavar="IMAGE")


def _run(options: Namespace) -> int:
    with lightloom.load(options.model) as network:
        for path in options.images:
            print(path, len(network(path)))
    return 0


COMMAND = Command("Count the blobs in images.", _run, _add_options)
