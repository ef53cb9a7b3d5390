"""--interpolate: frame interpolation by a network, for videos of a higher rate."""

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
from desktop.outputs.frame_interpolation import FrameInterpolator
from desktop.pipeline.engine import Engine
from desktop.pipeline.running.interpolation.network import LONGEST_S, InterpolationNetwork
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


def take_interpolation(options: argparse.Namespace, setup: Setup, *, is_video: bool) -> Setup:
    """Move a setup's frame interpolation to --interpolate and --fps unless given; return it without."""
    spec = setup.interpolation
    if spec is None or options.interpolate is not None or not is_video:
        return replace(setup, interpolation=None)
    if options.on is not None:
        console.fail("The look's frame interpolation is left out, as --on divides each video into pieces.")
        return replace(setup, interpolation=None)
    options.interpolate = spec.model
    options.interpolation_rate = None if options.fps else spec
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
    """Raise UsageError for --interpolate without --fps or with an output that is not a video."""
    follows = getattr(options, "interpolation_rate", None) is not None
    if options.interpolate is not None and not ((options.fps or follows) and is_video):
        raise UsageError("--interpolate needs --fps, as in --fps 60, and a video as the output.")


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
def interpolated(options: argparse.Namespace, engine: Engine) -> Iterator[FrameInterpolator | None]:
    """Yield the frame interpolator, None without --interpolate; report at the end what it made."""
    if options.interpolate is None:
        yield None
        return
    lazy = _Lazy(options, engine)
    smooth = FrameInterpolator(options.fps, lazy.between)
    try:
        yield smooth
    finally:
        if lazy.network is not None:
            lazy.network.close()
    console.err(f"{counted(smooth.made, 'frame')} interpolated{_not_across(smooth)}.")


def _not_across(smooth: FrameInterpolator) -> str:
    gaps = f"{counted(smooth.gaps, 'gap')} of more than {LONGEST_S:g} s"
    found = [
        text for count, text in ((smooth.cuts, counted(smooth.cuts, "cut")), (smooth.gaps, gaps)) if count
    ]
    return f"; none across {' and '.join(found)}" if found else ""
