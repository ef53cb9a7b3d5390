"""Report what a source skipped; unreadable frames and damaged parts of a video make the command fail."""

from __future__ import annotations

from desktop.base import console
from desktop.media.sources.base import Source, left_out


def report_skipped(source: Source) -> int:
    """Report what a source skipped; return the number of frames or parts that could not be read."""
    for key in ("animation", "transparency"):
        if note := source.info.detail.get(key):
            console.err(f"{source.info.title}: {note}")
    notes = left_out(source)
    for note in notes:
        console.fail(note)
    return len(notes)
