"""`--decode`: the video decoder."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.base import console
from desktop.media.sources.base import Source

_KINDS: Final = ("auto", "software", "cuda", "vaapi", "videotoolbox", "d3d11va", "dxva2", "qsv")


def add_decode_option(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--decode",
        choices=_KINDS,
        default=_KINDS[0],
        help="who decodes a video: the processor (software), a decoder of the graphics card (cuda is NVDEC), or what was measured to be "
        "faster on this machine (default: auto)",
    )


def with_requested_decoder(source: Source, options: argparse.Namespace) -> Source:
    """Set the requested decoder on a source and return the source."""
    decoding = source.capabilities.decoding
    if decoding is not None:
        decoding.decode_by(options.decode)
        decoding.on_notice = console.fail
    return source
