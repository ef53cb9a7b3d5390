"""Options for the color of what is written: bits a color, HDR."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from desktop.base import console
from desktop.base.addresses import public_name
from desktop.base.errors import UsageError
from desktop.media.frame import Frame
from desktop.outputs.encoding import CONTAINERS, DEPTHS, Encoding, deep_suffixes
from desktop.outputs.still import DEEP_SUFFIXES, IMAGE_SUFFIXES, UNTAGGED_SUFFIXES, is_always_deep
from desktop.outputs.video_color import HDR_NAMES, HDR_USES, VideoColor, hdr_color, with_one_color
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.color_mode import DITHERS, ColorMode
from desktop.pipeline.setup.hdr import hdr_fault
from desktop.pipeline.setup.setup import Setup

_HDR_DEPTH: Final = 10


@dataclass(frozen=True)
class Coloring:
    """How frames are rendered and written: for the engine, for the file, and the encoding with its bits."""

    mode: ColorMode
    color: VideoColor
    encoding: Encoding

    def frames(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        """Yield frames; raise ExportError if HDR is kept and a frame's color differs from the first one's."""
        return with_one_color(frames) if self.mode.keeps_hdr else frames


def add_color_options(parser: argparse.ArgumentParser) -> None:
    """Add --bits, --hdr and --dither."""
    parser.add_argument(
        "--bits",
        metavar="N",
        type=int,
        choices=DEPTHS,
        default=0,
        help="bits a color: 8 or 10 of a video, 8 or 16 of PNG and TIFF images "
        "(default: 8; 10 for ProRes 422 HQ, DNxHR and HDR that is kept)",
    )
    parser.add_argument(
        "--hdr",
        choices=HDR_USES,
        default="tonemap",
        help="HDR (PQ, HLG) of the input: made SDR, or kept as it is coded, through filters that allow it "
        "(default: tonemap)",
    )
    parser.add_argument(
        "--dither",
        choices=DITHERS,
        default="bayer",
        help="pattern that hides the steps of 8 bits a color: bayer, which compresses well, noise without a visible grid, "
        "or none (default: bayer)",
    )


def check_color(options: argparse.Namespace) -> None:
    """Raise UsageError for a file that does not hold what --bits and --hdr ask for, and for options that work with
    8 bits.
    """
    suffix = Path(options.output).suffix.lower()
    keeps = options.hdr == "keep"
    if keeps and options.bits == 8:
        raise UsageError(
            "HDR is not kept with 8 bits a color, where it shows steps; leave out --bits, or use --hdr tonemap."
        )
    if suffix in CONTAINERS and suffix in IMAGE_SUFFIXES and (keeps or options.bits > 8):
        raise UsageError(
            f"{suffix} files hold 8 bits a color; write one of {', '.join(DEEP_SUFFIXES)} for more, or for a video one "
            f"of {', '.join(deep_suffixes(alpha=options.alpha))}."
        )
    if suffix not in CONTAINERS and suffix in IMAGE_SUFFIXES:
        holds_more = suffix in DEEP_SUFFIXES
        if (keeps or options.bits == 16) and not holds_more:
            raise UsageError(
                f"{suffix} files hold 8 bits a color; write one of {', '.join(DEEP_SUFFIXES)} for more."
            )
        if options.bits == 10 or (options.bits == 8 and is_always_deep(Path(options.output))):
            raise UsageError(f"{suffix} files do not hold {options.bits} bits a color; leave out --bits.")
    if keeps and options.snapshot and Path(options.snapshot).suffix.lower() not in DEEP_SUFFIXES:
        raise UsageError(
            f"HDR is kept, and the snapshot {options.snapshot} would hold 8 bits a color; write it as one of "
            f"{', '.join(DEEP_SUFFIXES)}."
        )
    if not (keeps or options.bits > 8):
        return
    for name, is_given in (
        ("--slow-motion", options.slow_motion),
        ("--interpolate", options.interpolate is not None),
    ):
        if is_given:
            raise UsageError(
                f"{name} makes frames with 8 bits a color; leave it out, or leave out --bits and --hdr."
            )


def coloring_of(
    options: argparse.Namespace,
    encoding: Encoding,
    first: Frame,
    setups: Sequence[Setup],
    library: FilterLibrary,
) -> Coloring:
    """Return how frames are rendered and written, by the first one; raise UsageError if HDR is to be kept and a
    part of a setup assumes SDR.
    """
    path = Path(options.output)
    keeps = encoding.hdr == "keep"
    if keeps and not first.color.is_hdr:
        console.fail(f"{public_name(options.input)} has no HDR, so --hdr keep has nothing to keep.")
        keeps = False
    if keeps:
        _check_hdr(options, setups, library)
        _report_image(path, HDR_NAMES[first.color.transfer])
    if path.suffix.lower() in CONTAINERS:
        if keeps and not encoding.bits:
            encoding = replace(encoding, bits=_HDR_DEPTH)
        makes_frames = options.slow_motion or options.interpolate is not None
        is_deep = encoding.depth > 8 and not makes_frames
    else:
        is_deep = keeps or encoding.bits > 8 or is_always_deep(path)
    color = hdr_color(first) if keeps else VideoColor()
    mode = ColorMode(keeps_hdr=keeps, is_deep=is_deep, dither=options.dither)
    return Coloring(mode, color, encoding)


def _report_image(path: Path, name: str) -> None:
    """Report for an image that HDR is kept; the forecast says so of a video."""
    suffix = path.suffix.lower()
    if suffix in CONTAINERS:
        return
    console.err(f"HDR ({name}) is kept{'' if is_always_deep(path) else ' as it is coded'}.")
    if suffix in UNTAGGED_SUFFIXES:
        console.fail(
            f"{suffix} files do not say that they hold {name}: set it in the program that reads them, or write .png."
        )


def _check_hdr(options: argparse.Namespace, setups: Sequence[Setup], library: FilterLibrary) -> None:
    for setup in setups:
        if fault := hdr_fault(setup, library):
            raise UsageError(fault)
    if options.subtitles is not None:
        raise UsageError(
            "Subtitles are drawn in SDR, so HDR cannot be kept with them; leave out --subtitles, or use "
            "'--hdr tonemap'."
        )
