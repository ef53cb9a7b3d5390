"""Likely kind of a source, judged by its name."""

from __future__ import annotations

import mimetypes
from pathlib import Path


def kind_of(name: str) -> str:
    """Guess the kind of a recent source by its name alone, since it may no longer exist."""
    if "://" in name:
        return "stream"
    if not Path(name).suffix:
        return "folder"
    guessed, _ = mimetypes.guess_type(name)
    return "image" if guessed is not None and guessed.startswith("image/") else "video"
