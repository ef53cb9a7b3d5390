"""Where `process` puts its pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from desktop import console
from desktop.compute.media.sources.base import Source
from desktop.compute.outputs.recording import VIDEO_SUFFIXES, Recorder
from desktop.compute.outputs.still import IMAGE_SUFFIXES, write_image
from desktop.errors import ExportError
from desktop.wording import counted

# As printf and FFmpeg write it: %d, %04d.
_NUMBER: Final = re.compile(r"%(0[1-9])?d")


class Output:
    """A video, or (for a picture's suffix) one image, the last, or one each if the name numbers them."""

    def __init__(self, path: Path, source: Source, rate: float, snapshot: Path | None) -> None:
        self._path = path
        self._is_video = path.suffix.lower() in VIDEO_SUFFIXES
        self._is_series = is_series(path)
        self._source = source
        self._rate = rate
        self._snapshot = snapshot
        self._recorder: Recorder | None = None
        self._first_pts = 0.0
        self._last: Any = None
        self._count = 0
        self.bytes_per_frame = 0

    def add(self, picture: Any, pts: float) -> None:
        """Take one picture."""
        self._last = picture
        self._count += 1
        self.bytes_per_frame = picture.nbytes
        if self._is_series:
            write_image(picture, self._path.with_name(_numbered(self._path.name, self._count)))
        if not self._is_video:
            return
        if self._recorder is None:
            self._first_pts = pts
            audio = getattr(self._source, "path", None)
            size = (picture.shape[1], picture.shape[0])
            self._recorder = Recorder(
                self._path, size, self._rate, audio_from=audio, audio_offset=pts, wait=True
            )
        self._recorder.add(picture, pts - self._first_pts)

    def abandon(self) -> str:
        """Finish what can be finished after something went wrong; return a sentence about what there is, '' for nothing."""
        done, place = self._count if self._is_series else 0, self._path
        if self._recorder is not None:
            kept = self._recorder.abandon()
            done, place = self._recorder.written if kept else 0, kept or place
        return f"What was done until then, {counted(done, 'frame')}, is in {place}." if done else ""

    def close(self, *, whole: bool) -> list[Path]:
        """Finish; return the files written. `whole`: that was all of the input."""
        if self._recorder is not None:
            self._recorder.close(whole=whole)
            for note in self._recorder.notes:
                console.fail(note)
        if self._last is None:
            raise ExportError("The input gave no picture, so nothing was written.")
        written = [self._path]
        if not self._is_video and not self._is_series:
            write_image(self._last, self._path)
            if self._count > 1:
                each = self._path.with_stem(f"{self._path.stem}-%04d")
                console.fail(
                    f"Only the last of {self._count} pictures is in {self._path}; "
                    f"to keep them all, name a video or, to have them numbered, {each}."
                )
        if self._snapshot is not None:
            write_image(self._last, self._snapshot)
            written.append(self._snapshot)
        return written


def is_series(path: Path) -> bool:
    """True for the name of pictures that are numbered."""
    return path.suffix.lower() in IMAGE_SUFFIXES and bool(_NUMBER.search(path.name))


def _numbered(name: str, number: int) -> str:
    return _NUMBER.sub(lambda match: f"{number:{match[1] or ''}d}", name)
