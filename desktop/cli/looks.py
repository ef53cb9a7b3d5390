"""`lightloom looks`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.base import console
from desktop.cli import Command
from desktop.pipeline.setup.known import looks


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def _run(options: argparse.Namespace) -> int:
    found = looks()
    if options.json:
        table = [
            {
                "name": look.name,
                "title": look.title,
                "purpose": look.purpose,
                "path": str(look.path),
                "bundled": look.is_bundled,
            }
            for look in found
        ]
        console.out_json({"looks": table})
        return 0
    for look in found:
        console.out(f"{look.name:18} {look.title:18} {look.purpose}".rstrip())
    return 0


COMMAND: Final = Command("List the looks, bundled and saved, with their purposes.", _run, _add_options)
