"""`lightloom filters`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Final

from desktop.base import console
from desktop.base.paths import user_filter_folder
from desktop.cli import Command
from desktop.cli._options import add_listing_options
from desktop.pipeline.filters.library import FilterLibrary


def _run(options: argparse.Namespace) -> int:
    library = FilterLibrary(user_filter_folder())
    items = sorted(library.filters.values(), key=lambda f: (f.group, f.title))
    if options.json:
        table = [
            {
                "name": f.id,
                "title": f.title,
                "group": f.group,
                "help": f.help,
                "builtin": f.builtin,
                "params": [asdict(p) for p in f.params],
            }
            for f in items
        ]
        errors = {path: str(error) for path, error in library.errors.items()}
        console.out_json({"filters": table, "errors": errors})
        return 0
    for item in items:
        console.out(f"{item.id:22} {item.group:12} {item.help}")
        for param in item.params:
            given = "".join(f" (with {name}={'|'.join(map(str, values))})" for name, values in param.when)
            console.out(f"    {param.name:18} {param.expects}; {param.help}{given}")
    for error in library.errors.values():
        console.fail(error)
    return 0


COMMAND: Final = Command("List the filters with their parameters.", _run, add_listing_options)
