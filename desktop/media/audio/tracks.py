"""Constants for the audio tracks that an export copies. Imports no decoder: the window starts without one."""

from __future__ import annotations

from typing import Final

ALL_TRACKS: Final = "all"
"""Value for a track's number or language that copies each track."""

MOST_TRACKS: Final = 32
"""Tracks that are copied at most; each is read from the file on its own."""
