"""Report what a source left out: pictures of a folder that cannot be opened and what of a video is damaged, which make the command fail,
and parts of a file that no decoder here supports.
"""

from __future__ import annotations

from desktop import console
from desktop.compute.media.sources.base import Source, left_out


def tell_left_out(source: Source) -> int:
    """Say what of a source was left out; return how many pictures or parts could not be read."""
    for key in ("animation", "transparency"):
        if note := source.info.detail.get(key):
            console.err(f"{source.info.title}: {note}")
    notes = left_out(source)
    for note in notes:
        console.fail(note)
    return len(notes)
