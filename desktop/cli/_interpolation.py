"""--interpolate: pictures between two of the source's, made by a network, for videos of a higher rate."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from desktop import console
from desktop.compute.engine import Engine
from desktop.compute.outputs.frame_interpolation import FrameInterpolator
from desktop.compute.running.interpolation import LONGEST_S, InterpolationNetwork
from desktop.errors import UsageError
from desktop.wording import counted


def add_interpolate_option(parser: argparse.ArgumentParser) -> None:
    """Add --interpolate."""
    parser.add_argument(
        "--interpolate",
        metavar="NETWORK",
        help="with --fps: have a network such as RIFE make the pictures between the source's, instead of repeating the nearest",
    )


def check_interpolate(options: argparse.Namespace, *, is_video: bool) -> None:
    """Refuse --interpolate where nothing could follow from it.

    Raises:
        UsageError: without --fps, or for pictures.
    """
    if options.interpolate is not None and not (options.fps and is_video):
        raise UsageError("--interpolate needs --fps, as in --fps 60, and a video as the output.")


class _Lazy:
    """Loads the network with the first pair of pictures, whose size is known then."""

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
    """Yield what makes pictures between two, None without --interpolate; tells what was made at the end."""
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
    console.err(f"{counted(smooth.made, 'picture')} interpolated{_not_across(smooth)}.")


def _not_across(smooth: FrameInterpolator) -> str:
    gaps = f"{counted(smooth.gaps, 'gap')} of more than {LONGEST_S:g} s"
    found = [
        text for count, text in ((smooth.cuts, counted(smooth.cuts, "cut")), (smooth.gaps, gaps)) if count
    ]
    return f"; none across {' and '.join(found)}" if found else ""
