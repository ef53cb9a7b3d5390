"""Kinds of sources: guessed by a name, and their icons."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import Final

_WITH_ICON: Final = frozenset({"camera", "folder", "image", "sample", "screen", "stream", "video"})


def kind_of(name: str) -> str:
    """Guess the kind of a recent source by its name alone, since it may no longer exist."""
    if "://" in name:
        return "stream"
    if not Path(name).suffix:
        return "folder"
    guessed, _ = mimetypes.guess_type(name)
    return "image" if guessed is not None and guessed.startswith("image/") else "video"


def icon_of(kind: str) -> str:
    """Return the name of the icon for a kind of source; that of a video for a plug-in's."""
    return kind if kind in _WITH_ICON else "video"
