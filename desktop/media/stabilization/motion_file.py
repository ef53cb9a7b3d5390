"""Motion of a video as a file, so that it is read once: JSON with a row for each frame. Untrusted when read."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import (
    OutputError,
    SourceDamagedError,
    SourceNotFoundError,
    SourceUnsupportedError,
)
from desktop.base.files import open_regular, read_regular, reason, replace_file
from desktop.base.wording import sentence
from desktop.media.stabilization.frames import MOST_FRAMES, ReadMotion
from desktop.media.stabilization.path import MovedFrame
from desktop.media.stabilization.tracks import Motion

MOST_BYTES: Final = 128 << 20
_FORMAT: Final = "lightloom motion"
_VERSION: Final = 1
# Of a step, in widths, radians and powers of e: more is no motion between two frames.
_FARTHEST: Final = 10.0
# Of a video's file, read at each end: where containers keep their indexes and codecs their first key frame.
_END: Final = 1 << 20
_MOST_IMAGES: Final = 1_000_000


def digest_of_video(name: str) -> str:
    """Return a digest that another video, or an edited one, does not have; moving and renaming a file keep it.

    Of a file it covers the size and the first and last MiB, of a folder the names and sizes of its files, and of
    anything else the name. Raise SourceNotFoundError if the file or folder cannot be read.
    """
    path = Path(name)
    try:
        if path.is_dir():
            return _digest_of_folder(path)
        return (
            _digest_of_file(path)
            if path.is_file()
            else hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        )
    except (OSError, ValueError) as error:
        raise SourceNotFoundError(
            sentence(
                "{name} can't be read: {reason}; check its name and permissions.",
                name=name,
                reason=reason(error),
            )
        ) from error


def _digest_of_file(path: Path) -> str:
    with open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        found = hashlib.sha256(b"%d\n" % size + stream.read(_END))
        stream.seek(max(0, size - _END))
        found.update(stream.read(_END))
    return found.hexdigest()


def _digest_of_folder(path: Path) -> str:
    found = hashlib.sha256()
    with os.scandir(path) as entries:
        listed = sorted((entry.name, entry.stat().st_size) for entry in islice(entries, _MOST_IMAGES))
    for name, size in listed:
        found.update(f"{size} {name}\n".encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def write_motion(path: Path, found: ReadMotion, video: str) -> None:
    """Write the motion of the video with the digest `video`; OutputError if that fails."""
    facts = {"format": _FORMAT, "version": _VERSION, "video": video, "aspect": round(found.aspect, 6)}
    head = json.dumps(facts)[:-1]
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


def read_motion(path: Path, video: str) -> ReadMotion:
    """Read the motion of the video with the digest `video`.

    Raise SourceNotFoundError or SourceDamagedError if the file cannot be read or is none, SourceUnsupportedError if
    it is of another video.
    """
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
        own, aspect = str(document["video"]), _number(document["aspect"], 1e-4, 1e4)
        frames = _read_frames(document["frames"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SourceDamagedError(
            sentence(
                "{path} holds no motion of a video as this version writes it; delete it, and it is written anew.",
                path=path,
            )
        ) from error
    if own != video:
        raise SourceUnsupportedError(
            sentence(
                "The motion in {path} is that of another video, or of this one before it was changed; name another "
                "file, or delete it, and it is written anew.",
                path=path,
            )
        )
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
