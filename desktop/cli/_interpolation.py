"""--interpolate and --slow-motion: frames between those of the source, for a higher rate or a lower speed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import numpy as np

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.base.wording import counted
from desktop.media.audio.tracks import ALL_TRACKS
from desktop.outputs.frame_interpolation import FrameInterpolator, Interpolator, SlowMotion, blended
from desktop.pipeline.engine import Engine
from desktop.pipeline.running.interpolation.network import LONGEST_S, InterpolationNetwork
from desktop.pipeline.running.interpolation.spec import MOST_SLOW_MOTION
from desktop.pipeline.setup.setup import Setup
from desktop.vision.backends import AUTO

# For a source of unknown rate, and for a preset that refers to the screen's rate, which a file does not have.
_USUAL_RATE: Final = 30.0
_SCREEN_RATE: Final = 60.0


def add_interpolate_option(parser: argparse.ArgumentParser) -> None:
    """Add --interpolate."""
    parser.add_argument(
        "--interpolate",
        metavar="NETWORK",
        help="with --fps: let a network such as RIFE compute the frames between the source's, instead of repeating the nearest",
    )


def add_slow_motion_option(parser: argparse.ArgumentParser) -> None:
    """Add --slow-motion."""
    parser.add_argument(
        "--slow-motion",
        metavar="K",
        type=_factor,
        default=0,
        help=f"slow the video and its audio down by K, 2 to {MOST_SLOW_MOTION}: K-1 frames are made between two, by the network of "
        "--interpolate, or else by blending them (docs/time.md)",
    )


def _factor(text: str) -> int:
    if not text.isdecimal() or not 2 <= int(text[:3]) <= MOST_SLOW_MOTION:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 2 to {MOST_SLOW_MOTION}")
    return int(text)


def take_interpolation(options: argparse.Namespace, setup: Setup, *, is_video: bool) -> Setup:
    """Move a setup's frame interpolation to --interpolate and --fps unless given; return it without."""
    spec = setup.interpolation
    if spec is None or options.interpolate is not None or not is_video:
        return replace(setup, interpolation=None)
    if options.on is not None:
        console.fail("The look's frame interpolation is left out, as --on divides each video into pieces.")
        return replace(setup, interpolation=None)
    options.interpolate = spec.model
    options.interpolation_rate = None if options.fps or options.slow_motion else spec
    if options.backend == AUTO:
        options.backend = spec.backend
    return replace(setup, interpolation=None)


def settle_rate(options: argparse.Namespace, rate: float) -> None:
    """Set --fps from a preset's frames per source frame, for a source with `rate` frames per second."""
    spec = getattr(options, "interpolation_rate", None)
    if spec is not None:
        rate = rate or _USUAL_RATE
        options.fps = rate * (spec.between(1 / rate, _SCREEN_RATE) + 1)


def check_interpolate(options: argparse.Namespace, *, is_video: bool) -> None:
    """Raise UsageError for --interpolate without --fps, and for outputs or options that do not go with it."""
    if options.slow_motion:
        if not is_video:
            raise UsageError("--slow-motion needs a video as the output.")
        if options.fps:
            raise UsageError("--slow-motion keeps the source's frame rate; leave out --fps.")
        if options.audio_track == ALL_TRACKS:
            raise UsageError(
                "--slow-motion writes one audio track; give --audio-track its number or language."
            )
        if options.audio == "copy":
            raise UsageError("Audio that is slowed down cannot be copied; choose --audio encode or none.")
        return
    follows = getattr(options, "interpolation_rate", None) is not None
    if options.interpolate is not None and not ((options.fps or follows) and is_video):
        raise UsageError(
            "--interpolate needs --fps or --slow-motion, as in --fps 60, and a video as the output."
        )


class _Lazy:
    """Loads the network with the first pair of frames, when their size is known."""

    def __init__(self, options: argparse.Namespace, engine: Engine) -> None:
        self._options, self._engine = options, engine
        self.network: InterpolationNetwork | None = None

    def between(self, first: np.ndarray, second: np.ndarray, position: float) -> np.ndarray:
        if self.network is None:
            size = (first.shape[1], first.shape[0])
            self.network = InterpolationNetwork.load(
                self._engine.gpu, self._options.interpolate, size, backend=self._options.backend
            )
            console.err(f"{self.network.name}: {self.network.reason}")
            for note in self.network.notes:
                console.err(note)
        return self.network.between(first, second, position)


@contextmanager
def interpolated(options: argparse.Namespace, engine: Engine) -> Iterator[Interpolator | None]:
    """Yield what makes frames, None without the options; report at the end what it made."""
    if options.interpolate is None and not options.slow_motion:
        yield None
        return
    lazy = _Lazy(options, engine)
    between = blended if options.interpolate is None else lazy.between
    if options.interpolate is None:
        console.err(
            "Frames in between are blended, which shows what moves fast twice; for better ones name an interpolation "
            "network such as RIFE with --interpolate."
        )
    smooth: Interpolator = (
        SlowMotion(options.slow_motion, between)
        if options.slow_motion
        else FrameInterpolator(options.fps, between)
    )
    try:
        yield smooth
    finally:
        if lazy.network is not None:
            lazy.network.close()
    word = "blended" if options.interpolate is None else "interpolated"
    console.err(f"{counted(smooth.made, 'frame')} {word}{_not_across(smooth)}.")


def _not_across(smooth: Interpolator) -> str:
    gaps = f"{counted(smooth.gaps, 'gap')} of more than {LONGEST_S:g} s"
    found = [
        text for count, text in ((smooth.cuts, counted(smooth.cuts, "cut")), (smooth.gaps, gaps)) if count
    ]
    return f"; none across {' and '.join(found)}" if found else ""
