"""Pictures of a folder that do not open: each is told of, and the exit status is that of an input that does not open."""

from __future__ import annotations

from desktop import console
from desktop.compute.media.sources.base import Source, left_out


def tell_left_out(source: Source) -> int:
    """Say which of a source's pictures could not be opened; return how many."""
    notes = left_out(source)
    for note in notes:
        console.fail(note)
    return len(notes)
