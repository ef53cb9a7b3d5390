"""What of a source was left out: each picture of a folder that does not open, which is told and makes the exit status that of an input
that does not open; and what no decoder here shows, which is told.
"""

from __future__ import annotations

from desktop import console
from desktop.compute.media.sources.base import Source, left_out


def tell_left_out(source: Source) -> int:
    """Say what of a source was left out; return how many pictures could not be opened."""
    for key in ("animation", "transparency"):
        if note := source.info.detail.get(key):
            console.err(f"{source.info.title}: {note}")
    notes = left_out(source)
    for note in notes:
        console.fail(note)
    return len(notes)
