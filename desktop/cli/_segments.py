"""Recording in segments: --segment, --keep and --keep-size."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import UsageError
from desktop.base.files import exists
from desktop.base.wording import counted
from desktop.cli._encoding import checked
from desktop.outputs.encoding import VIDEO_SUFFIXES
from desktop.outputs.segment_index import Segment
from desktop.outputs.segment_limits import Retention, SegmentLimit, parse_duration, parse_size


@dataclass(frozen=True)
class Segmenting:
    """When a segment of a recording ends, and which ones are kept."""

    limit: SegmentLimit
    retention: Retention


def add_segment_options(parser: argparse.ArgumentParser) -> None:
    """Add --segment, --keep and --keep-size."""
    parser.add_argument(
        "--segment",
        metavar="TIME|SIZE",
        type=checked(SegmentLimit.parse),
        help="write one complete video after another, each of 10m, 1h or 500MB; those of a live source are named "
        "by the time at which they begin",
    )
    parser.add_argument(
        "--keep",
        metavar="TIME",
        type=checked(parse_duration),
        default=0.0,
        help="with --segment: delete segments of this recording that are older, as 7d",
    )
    parser.add_argument(
        "--keep-size",
        metavar="SIZE",
        type=checked(parse_size),
        default=0,
        help="with --segment: delete the oldest segments of this recording beyond this size in total, as 50GB",
    )


def segmenting_of(options: argparse.Namespace) -> Segmenting | None:
    """Return what the options say, None without --segment; raise UsageError if they do not fit the others."""
    if options.segment is None:
        for name, value in (("--keep", options.keep), ("--keep-size", options.keep_size)):
            if value:
                raise UsageError(f"{name} is about segments; say with --segment how long they are.")
        return None
    if Path(options.output).suffix.lower() not in VIDEO_SUFFIXES:
        raise UsageError(f"--segment is for videos; give the output one of {', '.join(VIDEO_SUFFIXES)}.")
    if options.on is not None or options.steer is not None or options.slow_motion:
        raise UsageError(
            "--segment does not go together with --on, --steer and --slow-motion; leave those out."
        )
    return Segmenting(options.segment, Retention(options.keep, options.keep_size))


def segment_text(segment: Segment) -> str:
    """Return the frames and the length of a segment as text."""
    return f"{counted(segment.frames, 'frame')}, {segment.seconds:.1f} s"


def recovery_text(segment: Segment) -> str:
    """Return a sentence about a segment that a killed run had begun, and that was completed."""
    end = "" if exists(segment.path) else "; it was deleted again, as it is beyond what is kept"
    return f"{segment.path} was completed after a crash: {segment_text(segment)}{end}."
