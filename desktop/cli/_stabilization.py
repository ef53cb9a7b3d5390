"""--stabilize of `lightloom process`: read the motion of all frames first, then move each onto a smooth path."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Generator
from pathlib import Path

from desktop.base import console
from desktop.base.errors import SourceUnsupportedError, UsageError
from desktop.base.files import exists
from desktop.base.wording import counted
from desktop.cli._decoding import with_requested_decoder
from desktop.cli._report import Progress
from desktop.media.frame import Frame
from desktop.media.sources.base import Source
from desktop.media.sources.opening import open_source
from desktop.media.stabilization.frames import MotionReader, ReadMotion, stabilized
from desktop.media.stabilization.live import AHEAD, LIVE_ZOOM, stabilized_live
from desktop.media.stabilization.motion_file import digest_of_video, read_motion, write_motion
from desktop.media.stabilization.path import EDGES, LEAST_SECONDS, MOST_SECONDS, MOST_ZOOM, stabilization
from desktop.outputs.span import TimeLimit


def add_stabilize_options(parser: argparse.ArgumentParser) -> None:
    """Add --stabilize, --stabilize-edges and --motion."""
    parser.add_argument(
        "--stabilize",
        metavar="S",
        type=_strength,
        default=0.0,
        help=f"smooth the camera path over S seconds, {LEAST_SECONDS:g} to {MOST_SECONDS:g}; 1 removes shaking and "
        "keeps pans. The input is read twice (docs/time.md)",
    )
    parser.add_argument(
        "--stabilize-edges",
        choices=EDGES,
        help="what is done about edges that come into the frame: enlarge each shot until they are outside, or "
        "mirror the frame there (default: crop)",
    )
    parser.add_argument(
        "--motion",
        metavar="FILE",
        help="with --stabilize: keep the motion of the input in FILE (.json), or use it if the file is there",
    )


def _strength(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not LEAST_SECONDS <= value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of seconds from {LEAST_SECONDS:g} to {MOST_SECONDS:g}"
        )
    return value


def check_stabilize(options: argparse.Namespace) -> None:
    """Raise UsageError for --stabilize-edges and --motion without --stabilize, or a motion of another kind."""
    if options.stabilize_edges is not None and not options.stabilize:
        raise UsageError(
            "--stabilize-edges is about the edges that --stabilize moves; add --stabilize, as in --stabilize 1."
        )
    if options.motion is None:
        return
    if not options.stabilize:
        raise UsageError(
            "--motion is the motion that --stabilize reads; add --stabilize, as in --stabilize 1."
        )
    if Path(options.motion).suffix.lower() != ".json":
        raise UsageError(f"The motion '{options.motion}' must end in .json.")


def stabilized_frames(
    options: argparse.Namespace,
    source: Source,
    frames: Generator[Frame],
    on_frame: Callable[[int, int], None],
) -> tuple[Generator[Frame], int]:
    """Return the frames with the warps of --stabilize, and how many were read for that.

    `on_frame` is called with the number of frames read and their expected total, and may raise. Raise
    UsageError for --motion with a live source.
    """
    if not options.stabilize:
        return frames, 0
    if source.info.live:
        if options.motion is not None:
            raise UsageError("--motion is for files: the motion of a live source is not known before.")
        console.err(
            f"Live frames wait for the next {AHEAD}, whatever the number of --stabilize, and are enlarged by "
            f"{(LIVE_ZOOM - 1) * 100:.0f} %."
        )
        return stabilized_live(frames, _report_unreadable), 0
    kept = Path(options.motion) if options.motion is not None else None
    video = digest_of_video(options.input) if kept is not None else ""
    if kept is not None and exists(kept):
        motion, count = read_motion(kept, video), 0
        console.err(f"The motion is that of {kept}.")
    else:
        motion = _read(options, on_frame)
        count = len(motion.frames)
        if kept is not None and count:
            write_motion(kept, motion, video)
    edges = options.stabilize_edges or EDGES[0]
    found = stabilization(motion.frames, motion.aspect, options.stabilize, edges)
    shots = 1 + sum(frame.is_cut for frame in motion.frames)
    unknown = sum(frame.motion is None for frame in motion.frames) - shots
    console.err(
        f"Stabilized, with {counted(shots - 1, 'cut')}, and enlarged by up to {(found.zoom - 1) * 100:.0f} %."
    )
    if unknown > 0:
        console.fail(
            f"The motion of {counted(unknown, 'frame')} could not be read; the camera is taken to be still there."
        )
    if found.mirrored:
        console.fail(
            f"{found.mirrored} of {shots} shots would have to be enlarged by more than {(MOST_ZOOM - 1) * 100:.0f} %, "
            "so the frame is mirrored at its edges there; a smaller number for --stabilize moves it less."
        )
    return stabilized(frames, found), count


def _report_unreadable(error: SourceUnsupportedError) -> None:
    console.fail(f"Frames are not stabilized. {error}")


def _read(options: argparse.Namespace, on_frame: Callable[[int, int], None]) -> ReadMotion:
    """Read the motion of the frames that the command will process."""
    source = with_requested_decoder(open_source(options.input, image_seconds=options.image_seconds), options)
    frames = options.range.frames(source)
    total = round(options.range.length(source.info.duration) * source.info.rate)
    total = min(total, options.max_frames) if options.max_frames and total else options.max_frames or total
    reader, progress = MotionReader(), Progress(total)
    console.err("Reading the motion of all frames.")
    try:
        within = TimeLimit(options.duration, is_live=False).of(frames)
        for number, frame in enumerate(itertools.islice(within, options.max_frames or None), 1):
            reader.add(frame)
            progress.update(number)
            on_frame(number, total)
    finally:
        progress.done()
        frames.close()
        source.close()
    return reader.end()
