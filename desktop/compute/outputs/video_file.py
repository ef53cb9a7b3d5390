"""The file that a video grows in, beside its target: `clip.part.mp4`, which takes that name at the end (`desktop/files.py`)."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import av

from desktop.compute.media.containers import open_container
from desktop.errors import ExportError
from desktop.files import PartFile, known_reason, reason
from desktop.wording import sentence


class VideoFile(io.FileIO):
    """What FFmpeg writes a video through, instead of its own access to files.

    MP4's muxer passes over errors of its last flush: a disk that was full at the very end gave a file that was cut off, and no error.
    """

    failure: OSError | None = None

    def write(self, data: Any) -> int:
        """Write all of `data`; after a failure, nothing any more."""
        if self.failure is not None:
            raise self.failure
        left = memoryview(data)
        try:
            while left:
                left = left[super().write(left) :]
        except OSError as error:
            self.failure = error
            raise
        return len(data)

    def close(self) -> None:
        """Close it; some file systems say only now that they are full."""
        try:
            super().close()
        except OSError as error:
            self.failure = self.failure or error


def open_video(path: Path, format_name: str, options: Mapping[str, str]) -> tuple[PartFile, VideoFile, Any]:
    """Begin a video of FFmpeg's format; return the growing file, what is written through, and the `av` container.

    Raises:
        ExportError: it cannot be written; nothing is left of it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = PartFile(path)
    except (OSError, ValueError) as error:
        raise _not_written(path, reason(error)) from error
    file = None
    try:
        file = VideoFile(part.path, "wb")
        return part, file, open_container(file, "w", format=format_name, options=dict(options))
    except (OSError, ValueError, av.FFmpegError) as error:
        if file is not None:
            file.close()
        part.discard()
        raise _not_written(path, av_reason(error)) from error


def _not_written(path: Path, why: str) -> ExportError:
    return ExportError(
        sentence(
            "{path} cannot be written: {reason}; check that its folder can be written to.",
            path=path,
            reason=why,
        )
    )


def av_reason(error: Exception) -> str:
    """Return why FFmpeg or the system did not write; encoders refuse with ValueError and others too."""
    return known_reason(str(getattr(error, "strerror", None) or error).rstrip("."))


def plays(path: Path) -> bool:
    """True if a picture of a file can be decoded."""
    try:
        with open_container(str(path)) as container:
            return next(container.decode(video=0), None) is not None
    except (OSError, ValueError, LookupError, av.FFmpegError):
        return False
