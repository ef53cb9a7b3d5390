"""`lightloom models get`."""

from __future__ import annotations

import argparse
import time
from typing import Final

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.cli import Command
from desktop.cli.models._shared import add_library_options, downloadable, opened_store
from desktop.vision.models.library.access import Access, DownloadProgress
from desktop.vision.models.library.catalogue import Entry
from desktop.vision.models.library.store import ModelStore, format_size

_DRAW_S: Final = 0.2


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_library_options(parser)
    parser.add_argument("name", nargs="*", metavar="NAME")
    parser.add_argument("--all", action="store_true", help="all of the catalogue")
    parser.add_argument(
        "--mirror", metavar="URL", help="address below which the files are ('' for the catalogue's own)"
    )
    parser.add_argument("--offline", action="store_true", help="make no request")


class _Line:
    """A progress line on stderr for a download; silent if stderr is not a terminal."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._shown = console.shows_progress()
        self._drawn = 0.0

    def update(self, progress: DownloadProgress) -> None:
        """Show the progress, at most five times a second."""
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


def _run(options: argparse.Namespace) -> int:
    store, access = opened_store(options)
    if bool(options.name) == options.all:
        raise UsageError(
            "Name the networks to download, or give --all; 'lightloom models list' shows what there is."
        )
    entries = (
        list(store.catalogue.values())
        if options.all
        else [downloadable(store, name) for name in options.name]
    )
    for entry in entries:
        if store.holding(entry).state != "ready":
            _download(store, access, entry, options)
        console.out(store.finish(entry))
    return 0


def _download(store: ModelStore, access: Access, entry: Entry, options: argparse.Namespace) -> None:
    line = _Line(entry)

    def show(progress: DownloadProgress) -> None:
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


COMMAND: Final = Command(
    "Download networks, or go on with downloads that were interrupted.", _run, _add_options
)
