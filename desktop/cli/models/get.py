"""`lightloom models list | get | verify | path | remove`: the library of networks without the window, with the window's settings."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from desktop import console
from desktop.compute.models.access import Access, Progress
from desktop.compute.models.builtin import builtin_models
from desktop.compute.models.catalogue import Entry, read_catalogue
from desktop.compute.models.store import ModelStore, format_size
from desktop.errors import LibraryError, UsageError
from desktop.paths import user_model_folder
from desktop.wording import counted

_DRAW_S = 0.2


def _store(options: argparse.Namespace) -> tuple[ModelStore, Access]:
    from desktop.ui.settings import Settings  # Qt's core; only these commands need it

    kept = Settings.load()
    folder = Path(options.folder) if options.folder else user_model_folder(kept.model_folder)
    access = Access(
        offline=options.offline or kept.offline,
        mirror=kept.model_mirror if options.mirror is None else options.mirror,
    )
    catalogue = read_catalogue(Path(options.catalogue)) if options.catalogue else None
    return ModelStore(folder, catalogue), access


# -- list -------------------------------------------------------------------------------------------------------------


def _list(options: argparse.Namespace) -> int:
    store, _ = _store(options)
    builtin = list(builtin_models().values())
    if options.json:
        box = [
            {"id": m.name, "title": m.title, "task": m.task, "licence": m.licence, "path": str(m.path)}
            for m in builtin
        ]
        console.out_json({"builtin": box, "catalogue": [_row(store, e) for e in store.catalogue.values()]})
        return 0
    if builtin:
        console.out("in the box")
    for model in builtin:
        console.out(f"  {model.name:28} {model.task:15} {'':>9} {'':10} {model.title}; {model.licence}")
    console.out(f"catalogue, kept in {store.folder}")
    for entry in store.catalogue.values():
        holding = store.holding(entry)
        state = {"ready": "here", "missing": ""}.get(holding.state, holding.state)
        if holding.state == "partial":
            state = f"{holding.done / entry.size:.0%} here"
        console.out(
            f"  {entry.id:28} {entry.task:15} {format_size(entry.size):>9} {state:10} {entry.title}; {entry.input_text}; "
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


# -- get --------------------------------------------------------------------------------------------------------------


class _Line:
    """One line on stderr about a download; silent where stderr is no terminal."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._shown = console.shows_progress()
        self._drawn = 0.0

    def update(self, progress: Progress) -> None:
        """Show how far it is, five times a second at most."""
        now = time.monotonic()
        if not self._shown or now - self._drawn < _DRAW_S:
            return
        self._drawn = now
        share = progress.done / progress.total
        left = (progress.total - progress.done) / progress.rate if progress.rate else 0.0
        text = f"{self._entry.id}  [{'#' * round(share * 30):<30}] {share:4.0%}"
        if left:
            text += f"  {format_size(progress.rate)}/s, {left:.0f} s left"
        console.progress(text, 100)

    def done(self) -> None:
        """End the line."""
        if self._shown:
            console.progress("", 100)


def _get(options: argparse.Namespace) -> int:
    store, access = _store(options)
    if bool(options.name) == options.all:
        raise UsageError(
            "Name the networks to download, or give --all; 'lightloom models list' shows what there is."
        )
    entries = list(store.catalogue.values()) if options.all else [store.find(name) for name in options.name]
    for entry in entries:
        if store.holding(entry).state != "ready":
            _download(store, access, entry, options)
        console.out(store.finish(entry))
    return 0


def _download(store: ModelStore, access: Access, entry: Entry, options: argparse.Namespace) -> None:
    line = _Line(entry)

    def show(progress: Progress) -> None:
        options.interrupt.check()
        line.update(progress)

    console.err(f"{entry.title}, {format_size(entry.size)}, {entry.licence}, from {entry.source}")
    try:
        store.download(entry, access, show).run()
    except KeyboardInterrupt:
        line.done()
        kept = store.holding(entry).done
        if kept:
            console.fail(f"{format_size(kept)} of {entry.title} are kept; the same command goes on.")
        raise
    finally:
        line.done()


# -- verify, path, remove -----------------------------------------------------------------------------------------------


def _verify(options: argparse.Namespace) -> int:
    store, _ = _store(options)
    entries = [store.find(name) for name in options.name] or [
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


def _path(options: argparse.Namespace) -> int:
    store, _ = _store(options)
    if not options.name:
        console.out(store.folder)
        return 0
    found = builtin_models().get(options.name)
    if found is not None:
        console.out(found.path)
        return 0
    entry = store.find(options.name)
    if store.holding(entry).state != "ready":
        raise LibraryError(
            f"{entry.title} is not in {store.folder}; download it with 'lightloom models get {entry.id}'."
        )
    console.out(store.path(entry))
    return 0


def _remove(options: argparse.Namespace) -> int:
    store, _ = _store(options)
    for name in options.name:
        store.remove(store.find(name))
    return 0


# -- arguments --------------------------------------------------------------------------------------------------------


def add_library_commands(commands: Any) -> None:
    """Add `models` and what follows it to the command line's subcommands."""
    text = "The library of networks: list, download, check and find them."
    actions = commands.add_parser("models", help=text, description=text).add_subparsers(
        dest="action", required=True, metavar="list|get|verify|path|remove"
    )

    def action(name: str, run: Any, text: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = actions.add_parser(name, help=text, description=text)
        parser.set_defaults(run=run, offline=False, mirror=None)
        parser.add_argument(
            "--folder", metavar="DIR", help="where downloaded networks are (default: the window's)"
        )
        parser.add_argument("--catalogue", metavar="TOML", help="another catalogue (docs/model-library.md)")
        return parser

    action("list", _list, "List the networks in the box and in the catalogue.").add_argument(
        "--json", action="store_true"
    )
    get = action("get", _get, "Download networks, or go on with downloads that were interrupted.")
    get.add_argument("name", nargs="*", metavar="NAME")
    get.add_argument("--all", action="store_true", help="all of the catalogue")
    get.add_argument(
        "--mirror", metavar="URL", help="address below which the files are ('' for the catalogue's own)"
    )
    get.add_argument("--offline", action="store_true", help="make no request")
    verify = action("verify", _verify, "Compare downloaded networks with their checksums.")
    verify.add_argument("name", nargs="*", metavar="NAME", help="default: all that are there")
    path = action("path", _path, "Print where a network is, or the folder.")
    path.add_argument("name", nargs="?", metavar="NAME")
    remove = action("remove", _remove, "Delete downloaded networks.")
    remove.add_argument("name", nargs="+", metavar="NAME")
