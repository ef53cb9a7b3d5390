"""`--automate` of `lightloom process`: parameters that change over time."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from desktop.base.errors import SoundError
from desktop.media.audio.reader import find_audio_track
from desktop.media.audio.tracks import ALL_TRACKS
from desktop.media.sources.base import Source, SourceCurves
from desktop.pipeline.chain.filter_inputs import inputs_of
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.automation import following_audio
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.typed_automation import typed_automations


def add_automation_option(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--automate",
        metavar="N.NAME=SOURCE(...)",
        action="append",
        default=[],
        help="change a number of the chain's Nth filter over time, any number of times, as in "
        "'1.radius=lfo(period=2,low=0,high=20)' or '1.opacity=key_frames(0=0 2.5=1:ease)' (docs/automation.md)",
    )


def with_typed_automations(
    options: argparse.Namespace, library: FilterLibrary, chain: ChainSpec
) -> ChainSpec:
    """Return a chain with the automations of the options; raise UsageError if one is invalid."""
    return typed_automations(library, chain, options.automate)


def awaited_audio(
    options: argparse.Namespace,
    setups: Sequence[Setup],
    library: FilterLibrary,
    source: Source,
    check: Callable[[], None],
) -> SourceCurves | None:
    """Return the curves of the source's audio, all computed, if something in a setup follows it; else None.

    Raise SoundError if there are none: there would be no effect. `check` may end the wait.
    """
    name = next(filter(None, (following_audio(setup, library) for setup in setups)), "")
    if not name:
        return None
    curves = source.capabilities.curves
    if curves is None:
        raise SoundError(
            f"'{name}' follows the audio, which only a video file has, and {source.info.title} is none; "
            "remove that filter or its automation."
        )
    if options.audio_track not in (None, ALL_TRACKS):
        curves.track = find_audio_track(options.audio_track, curves.find_tracks())
    # Together, as the file is read once: the samples are for filters with the input 'audio'.
    stages = (stage for setup in setups for stage in setup.chain.stages)
    curves.stores_samples = any("audio" in inputs_of(stage, library) for stage in stages)
    curves.wait(check)
    return curves
