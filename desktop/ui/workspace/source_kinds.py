"""Likely kind of a source, judged by its name."""

from __future__ import annotations

import mimetypes
from pathlib import Path


def kind_of(name: str) -> str:
    """What something opened lately is likely to be, by its name alone: it may be gone."""
    if "://" in name:
        return "stream"
    if not Path(name).suffix:
        return "folder"
    guessed, _ = mimetypes.guess_type(name)
    return "image" if guessed is not None and guessed.startswith("image/") else "video"
