"""Thumbnails of playlist entries and of positions in a video: key frames, read separately from playback."""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
from av.stream import Discard
from numpy.typing import NDArray

from desktop.base.errors import SourceDamagedError, SourceUnsupportedError
from desktop.base.wording import sentence
from desktop.media.containers import packet_of
from desktop.media.display import small_rgb
from desktop.media.file_clock import FileClock, Mark
from desktop.media.frame import Frame
from desktop.media.sources._av_frames import TraitsOfFrames, check_size, frame_from_av
from desktop.media.sources._still_repair import without_notes
from desktop.media.sources._video_file import check_path, open_file, video_stream
from desktop.media.sources.file_kinds import classify_drop
from desktop.media.sources.folder import list_images
from desktop.media.sources.image import LARGEST_PIXELS, load_image

_BROKEN: Final = (av.FFmpegError, LookupError, ValueError, ArithmeticError)
# A decoder that has given nothing after so many packets of a file is given up.
_MOST_PACKETS: Final = 1000
# Of a video as an entry of a list: behind a black beginning, as far as its length lets it be.
_INTO: Final = 0.1
# Seconds spent on searching for timestamp breaks, before the first frame and before a later one.
_PATIENCE: Final = 0.3


@dataclass(frozen=True)
class Thumbnail:
    """A thumbnail.

    Attributes:
        pixels: uint8 [height, width, 3], R'G'B' as displayed, upright, with square pixels.
        at: presentation time in seconds from the file's first frame.
        seconds: the file's duration, 0.0 for an image or if unknown.
    """

    pixels: NDArray[np.uint8]
    at: float = 0.0
    seconds: float = 0.0


class KeyFrames:
    """Key frames of a video file, decoded on request. One thread at a time. Raises SourceNotFoundError,
    SourceUnsupportedError or SourceDamagedError if it cannot be opened, or no frame can be decoded.
    """

    def __init__(self, path: Path) -> None:
        check_path(path)
        self._path = path
        self._container: Any = None
        self._traits: TraitsOfFrames | None = None
        self._clock = FileClock(lambda: open_file(path), _PATIENCE)
        try:
            self._open()
            first = self._decode(self._clock.packets(self._container, self._stream))
        except BaseException:
            self.close()
            raise
        if first is None:
            self.close()
            raise SourceDamagedError(
                sentence("No frame of {name} can be decoded; try another copy.", name=path.name)
            )
        # Not the first key frame's, which an edit list may have cut off.
        start = self._stream.start_time
        self._origin = self._stamp(first) if start is None else start * self._time_base
        try:
            self._first = self._frame(first)
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        self._container = open_file(self._path)
        self._stream = video_stream(self._container, self._path)
        self._prepare()

    def _prepare(self) -> None:
        context = self._stream.codec_context
        if context.width and context.height:
            check_size(context.width, context.height)
        if context.width * context.height > LARGEST_PIXELS:
            raise SourceUnsupportedError(
                sentence(
                    "The images of {name} are too large for thumbnails; open the file itself.",
                    name=self._path.name,
                )
            )
        context.options = {"max_pixels": str(LARGEST_PIXELS)}
        # One thread: with more, FFmpeg holds frames back, and what plays needs the cores.
        context.thread_count = 1
        self._packs_notes = context.name in ("png", "apng")
        if self._packs_notes and context.extradata:
            context.extradata = without_notes(context.extradata)
        for stream in self._container.streams:
            if stream.index != self._stream.index:
                stream.discard = Discard.all
        self._time_base = Fraction(self._stream.time_base or Fraction(1, 1000))
        self._traits = TraitsOfFrames(self._stream, self._traits)

    @property
    def seconds(self) -> float:
        """Duration in the file's header in seconds, 0.0 if it states none."""
        if self._clock.end is not None and not self._clock.is_straight:
            return max(0.0, self._clock.end - float(self._origin))
        if self._stream.duration:
            return max(0.0, float(self._stream.duration * self._time_base))
        return max(0.0, (self._container.duration or 0) / av.time_base)

    def at(self, seconds: float, wanted: Callable[[], bool] = lambda: True) -> Frame | None:
        """Return the last indexed key frame at or before a time, with `pts` from the first frame. None if
        nothing can be decoded there, or once `wanted`, called between packets, returns False.
        """
        try:
            mark = self._enter(seconds)
        except _BROKEN:
            # No index and no way to search: the beginning is all that can be had.
            return self._first if seconds <= 0 else None
        self._stream.codec_context.flush_buffers()
        picture = self._decode(self._clock.packets(self._container, self._stream, mark=mark), wanted)
        return self._frame(picture) if picture is not None else None

    def _enter(self, seconds: float) -> Mark | None:
        """Seek to the key frame at or before a time; return its mark, None if by the file's own index."""
        at = seconds + float(self._origin)
        if self._clock.has_marks(self._stream.index, at):
            mark = self._clock.mark(self._stream.index, at)
            if mark is None or not self._clock.enter(self._container, mark):
                self._container.close()
                self._open()
            return mark
        ticks = int((Fraction(seconds) + self._origin) / self._time_base)
        self._container.seek(ticks, stream=self._stream, backward=True)
        return None

    def _decode(self, packets: Iterable[Any], wanted: Callable[[], bool] = lambda: True) -> Any | None:
        """Return the next frame that can be decoded from where the file stands, a key frame."""
        context = self._stream.codec_context
        count = 0
        try:
            for packet in packets:
                count += 1
                if count > _MOST_PACKETS or not wanted():
                    return None
                if not packet.size or not packet.is_keyframe:
                    continue
                with contextlib.suppress(*_BROKEN):
                    # A key frame needs no other: at the end of the stream the decoder returns it at once.
                    pictures = context.decode(self._cleaned(packet)) or context.decode(None)
                    if pictures:
                        return pictures[0]
                context.flush_buffers()
        except _BROKEN:
            return None
        return None

    def _cleaned(self, packet: Any) -> Any:
        if not self._packs_notes:
            return packet
        kept = packet_of(without_notes(bytes(packet)))
        kept.pts, kept.dts, kept.time_base = packet.pts, packet.dts, packet.time_base
        kept.is_keyframe = packet.is_keyframe
        return kept

    def _stamp(self, picture: Any) -> Fraction:
        return Fraction(0) if picture.pts is None else picture.pts * self._time_base

    def _frame(self, picture: Any) -> Frame:
        at = max(0.0, float(self._stamp(picture) - self._origin))
        assert self._traits is not None
        # Key frames alone are decoded: each may be of another part of the file.
        self._traits.restart()
        return frame_from_av(picture, traits=self._traits.of(picture), pts=at)

    def close(self) -> None:
        """Release the file."""
        self._clock.close()
        if self._container is not None:
            self._container.close()


def thumbnail(
    path: Path, bounds: tuple[int, int], wanted: Callable[[], bool] = lambda: True
) -> Thumbnail | None:
    """Return a thumbnail of a file or image folder, within `bounds` (width, height); None once not `wanted`.
    Raises SourceError if the file cannot be opened, or no image can be decoded.
    """
    kind = classify_drop(path)
    if kind == "folder":
        path, kind = list_images(path)[0], "image"
    if not wanted():
        return None
    if kind == "image":
        return Thumbnail(small_rgb(load_image(path).frame, bounds))
    reader = KeyFrames(path)
    try:
        frame = reader.at(_INTO * reader.seconds, wanted) or (reader.at(0.0, wanted) if wanted() else None)
        return None if frame is None else Thumbnail(small_rgb(frame, bounds), frame.pts, reader.seconds)
    finally:
        reader.close()


class KeyFrameCache:
    """Cache of recent thumbnails of a video's key frames, in bounded memory. A key frame represents all times
    from its own to the latest one for which it was returned.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        # The key frame's time -> (image, latest requested time), in order of last use.
        self._cached: OrderedDict[float, tuple[Thumbnail, float]] = OrderedDict()
        self._times: list[float] = []

    def find(self, seconds: float) -> Thumbnail | None:
        """Return the image that stands for a time; None where it is not known."""
        place = bisect_right(self._times, seconds)
        if not place:
            return None
        at = self._times[place - 1]
        made, until = self._cached[at]
        if seconds > until:
            return None
        self._cached.move_to_end(at)
        return made

    def put(self, seconds: float, made: Thumbnail) -> None:
        """Keep what came for a time; what was used longest ago goes where there is no room."""
        # Where the file's index is wrong, the result may lie behind the requested time.
        at = min(made.at, seconds)
        before = self._cached.pop(at, None)
        if before is not None:
            self._bytes -= before[0].pixels.nbytes
        self._bytes += made.pixels.nbytes
        self._cached[at] = (made, max(seconds, made.at, before[1] if before is not None else 0.0))
        while self._bytes > self._most_bytes and len(self._cached) > 1:
            _, (gone, _) = self._cached.popitem(last=False)
            self._bytes -= gone.pixels.nbytes
        self._times = sorted(self._cached)

    @property
    def nbytes(self) -> int:
        """Memory of what is kept."""
        return self._bytes
