"""`--audio-track` of `lightloom process`: the audio tracks to copy."""

from __future__ import annotations

import argparse

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.media.audio.reader import find_audio_track
from desktop.media.audio.tracks import ALL_TRACKS, MOST_TRACKS
from desktop.media.sources.base import Source


def add_audio_track_option(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--audio-track",
        metavar="TRACK",
        help="audio track: its number in the input, counted from 1, or its language as in the input, "
        "such as 'ger', or 'all' (default: the input's default track, else the first)",
    )


def chosen_tracks(wanted: str | None, source: Source) -> tuple[int | None, ...]:
    """Return the requested audio tracks' indices, from 0, or one of None; raise UsageError if there is none."""
    if wanted is None:
        return (None,)
    sound = source.capabilities.audio
    tracks = sound.tracks if sound is not None else ()
    if wanted == ALL_TRACKS:
        if len(tracks) > MOST_TRACKS:
            console.fail(
                f"{source.info.title} has {len(tracks)} audio tracks, and only the first {MOST_TRACKS} are "
                "copied; name another one with --audio-track."
            )
        return tuple(track.index for track in tracks[:MOST_TRACKS]) or (None,)
    found = find_audio_track(wanted, tracks)
    if found is None:
        if not tracks:
            raise UsageError(f"{source.info.title} has no audio track; leave out --audio-track.")
        there = "; ".join(track.name for track in tracks)
        raise UsageError(
            f"There is no audio track '{wanted}' in {source.info.title}, which has: {there}. "
            "Give --audio-track one of these numbers or languages, or 'all'."
        )
    return (found,)
