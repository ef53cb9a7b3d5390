"""`--audio-track` of `lightloom process`: the audio track to copy."""

from __future__ import annotations

import argparse

from desktop.base.errors import UsageError
from desktop.media.audio.reader import find_audio_track
from desktop.media.sources.base import Source


def add_audio_track_option(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--audio-track",
        metavar="TRACK",
        help="audio track: its number in the input, counted from 1, or its language as in the input, "
        "such as 'ger' (default: the input's default track, else the first)",
    )


def chosen_track(wanted: str | None, source: Source) -> int | None:
    """Return the requested audio track's index, from 0, or None; raise UsageError if there is none."""
    if wanted is None:
        return None
    sound = source.capabilities.audio
    tracks = sound.tracks if sound is not None else ()
    found = find_audio_track(wanted, tracks)
    if found is None:
        if not tracks:
            raise UsageError(f"{source.info.title} has no audio track; leave out --audio-track.")
        there = "; ".join(track.name for track in tracks)
        raise UsageError(
            f"There is no audio track '{wanted}' in {source.info.title}, which has: {there}. "
            "Give --audio-track one of these numbers or languages."
        )
    return found
