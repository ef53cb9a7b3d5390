"""Motion of a video as a file, so that it is read once: JSON with a row for each frame. Untrusted when read."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import OutputError, SourceDamagedError, SourceNotFoundError
from desktop.base.files import read_regular, reason, replace_file
from desktop.base.wording import sentence
from desktop.media.stabilization.frames import MOST_FRAMES, ReadMotion
from desktop.media.stabilization.path import MovedFrame
from desktop.media.stabilization.tracks import Motion

MOST_BYTES: Final = 128 << 20
_FORMAT: Final = "lightloom motion"
_VERSION: Final = 1
# Of a step, in widths, radians and powers of e: more is no motion between two frames.
_FARTHEST: Final = 10.0


def write_motion(path: Path, found: ReadMotion) -> None:
    """Write the motion; OutputError if that fails."""
    head = json.dumps({"format": _FORMAT, "version": _VERSION, "aspect": round(found.aspect, 6)})[:-1]
    rows = ",\n".join(json.dumps(_row(frame)) for frame in found.frames)
    try:
        replace_file(path, [f'{head}, "frames": [\n{rows}\n]}}\n'.encode()])
    except OSError as error:
        raise OutputError(
            sentence(
                "The motion can't be written to {path}: {reason}; choose another folder.",
                path=path,
                reason=reason(error),
            )
        ) from error


def _row(frame: MovedFrame) -> list[Any]:
    motion = frame.motion
    values = (
        [None]
        if motion is None
        else [round(each, 7) for each in (motion.x, motion.y, motion.angle, motion.scale)]
    )
    return [round(frame.pts, 6), int(frame.is_cut), *values]


def read_motion(path: Path) -> ReadMotion:
    """Read the motion; SourceNotFoundError or SourceDamagedError if the file cannot be read or is none."""
    try:
        data = read_regular(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise SourceNotFoundError(
            sentence(
                "The motion in {path} can't be read: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error),
            )
        ) from error
    try:
        document = json.loads(data)
        is_known = document["format"] == _FORMAT and document["version"] == _VERSION
        if not is_known or not 1 <= len(document["frames"]) <= MOST_FRAMES:
            raise ValueError
        aspect = _number(document["aspect"], 1e-4, 1e4)
        frames = _read_frames(document["frames"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SourceDamagedError(
            sentence(
                "{path} holds no motion of a video as this version writes it; delete it, and it is written anew.",
                path=path,
            )
        ) from error
    return ReadMotion(frames, aspect)


def _read_frames(rows: Sequence[Any]) -> tuple[MovedFrame, ...]:
    frames: list[MovedFrame] = []
    last = -math.inf
    for row in rows:
        pts, is_cut, *values = row
        last = _number(pts, max(last, -1e9), 1e9)
        motion = None
        if values != [None]:
            x, y, angle, scale = (_number(value, -_FARTHEST, _FARTHEST) for value in values)
            motion = Motion(x, y, angle, scale)
        frames.append(MovedFrame(last, motion, bool(is_cut)))
    return tuple(frames)


def _number(value: Any, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(value)
    return float(value)
