"""`lightloom models list`."""

from __future__ import annotations

import argparse
from typing import Any, Final

from desktop.base import console
from desktop.cli import Command
from desktop.cli.models._shared import add_library_options, opened_store
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.library.catalogue import Entry
from desktop.vision.models.library.store import ModelStore, format_size


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_library_options(parser)
    parser.add_argument("--json", action="store_true")


def _run(options: argparse.Namespace) -> int:
    store, _ = opened_store(options)
    builtin = list(builtin_models().values())
    if options.json:
        box = [
            {"id": m.name, "title": m.title, "task": m.task, "licence": m.licence, "path": str(m.path)}
            for m in builtin
        ]
        console.out_json({"builtin": box, "catalogue": [_row(store, e) for e in store.catalogue.values()]})
        return 0
    if builtin:
        console.out("bundled")
    for model in builtin:
        console.out(f"  {model.name:28} {model.task:15} {'':>9} {'':10} {model.title}; {model.licence}")
    console.out(f"catalogue, kept in {store.folder}")
    for entry in store.catalogue.values():
        holding = store.holding(entry)
        state = {"ready": "here", "missing": ""}.get(holding.state, holding.state)
        if holding.state == "partial":
            state = f"{holding.done / entry.size:.0%} here"
        console.out(
            f"  {entry.id:28} {entry.task:15} {format_size(entry.size):>9} {state:10} {entry.title}; "
            f"{entry.input_text}; "
            f"{entry.licence}"
        )
    return 0


def _row(store: ModelStore, entry: Entry) -> dict[str, Any]:
    holding = store.holding(entry)
    return {
        "id": entry.id,
        "title": entry.title,
        "task": entry.task,
        "bytes": entry.size,
        "sha256": entry.sha256,
        "licence": entry.licence,
        "source": entry.source,
        "input": entry.input_text,
        "state": holding.state,
        "bytes_here": holding.done,
        "path": str(store.path(entry)) if holding.state == "ready" else None,
    }


COMMAND: Final = Command("List the bundled networks and those in the catalogue.", _run, _add_options)
