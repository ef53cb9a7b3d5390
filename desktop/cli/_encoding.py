"""Encoding options: codec, quality, size, frame rate, audio, range."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import TypeVar

from desktop.base.errors import UsageError
from desktop.outputs.encoding import CODECS, SOUNDS, Encoding
from desktop.outputs.span import TimeSpan

_Value = TypeVar("_Value")


def add_encoding_options(parser: argparse.ArgumentParser) -> None:
    """Add --codec, --crf, --size, --fps, --audio, --hardware, --alpha and --range."""
    scales = ", ".join(f"{codec.title} 0 to {codec.worst}" for codec in CODECS.values() if codec.worst)
    parser.add_argument(
        "--codec",
        choices=tuple(CODECS),
        default="",
        help="codec of a video (default: the file's usual one that works here)",
    )
    parser.add_argument(
        "--crf",
        metavar="N",
        type=int,
        help=f"quality, lower is better: {scales} (default: the codec's usual)",
    )
    parser.add_argument(
        "--size",
        metavar="WxH",
        type=checked(_size),
        default=(0, 0),
        help="size of the video: 1280x720, or 1280x and x720 to keep the shape (default: that of the frames)",
    )
    parser.add_argument(
        "--fps",
        metavar="N",
        type=float,
        default=0.0,
        help="frames per second (default: as in the input)",
    )
    parser.add_argument(
        "--audio",
        choices=SOUNDS,
        default="auto",
        help="audio: copied unchanged, encoded again, none, or copied where the file format takes it (default: auto)",
    )
    parser.add_argument(
        "--hardware", action="store_true", help="ask encoders of the graphics card before those of software"
    )
    parser.add_argument(
        "--alpha",
        action="store_true",
        help="keep transparency: VP9 in .webm, ProRes 4444 in .mov, VP9 or FFV1 in .mkv "
        "(without it only .gif and .webp keep it; in other videos transparent parts are black)",
    )
    add_range_option(parser)


def add_range_option(parser: argparse.ArgumentParser) -> None:
    """Add --range."""
    parser.add_argument(
        "--range",
        metavar="A-B",
        type=checked(TimeSpan.parse),
        default=TimeSpan(),
        help="the part from A to B, in seconds or as 1:05.5; -B and A- leave an end open (default: all)",
    )


def encoding_of(options: argparse.Namespace) -> Encoding:
    """Return the options' encoding; raise UsageError for an invalid value."""
    return Encoding(
        options.codec,
        options.crf,
        options.size,
        options.fps,
        options.audio,
        options.hardware,
        options.alpha,
        options.bits,
        options.hdr,
    )


def checked(parse: Callable[[str], _Value]) -> Callable[[str], _Value]:
    """Return a parser of an option whose UsageError becomes argparse's error."""

    def parsed(text: str) -> _Value:
        try:
            return parse(text)
        except UsageError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parsed


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{0,5})x(\d{0,5})", text)
    if found is None or text == "x" or "0" in found.groups():
        raise UsageError(f"'{text}' is no size; write it as 1280x720, 1280x or x720")
    return int(found[1] or 0), int(found[2] or 0)
