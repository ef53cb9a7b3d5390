"""Sources of frames: videos, images, folders, cameras, screens, streams."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import UsageError
from desktop.compute.gpu.device import Gpu as Device
from desktop.media.frame import Frame as RawFrame
from desktop.media.sources.base import Source as RawSource
from desktop.media.sources.base import left_out
from desktop.media.sources.opening import open_source
from desktop.media.stabilization.frames import read_motion_of, stabilized
from desktop.media.stabilization.path import LEAST_SECONDS, MOST_SECONDS, Stabilization, stabilization
from desktop.pipeline.picture.present import Exporter, LaidOver
from desktop.pipeline.picture.upload import Uploader
from lightloom._gpu import Gpu


class Frame:
    """A frame of a source.

    Attributes:
        time: presentation time in seconds from the beginning of the source.
        duration: seconds until the next frame, 0.0 if unknown.
        index: its number, from 0.
        size: (width, height) in pixels as it is displayed: rotated, with square pixels.
        raw: the program's own frame; private.
    """

    def __init__(self, raw: RawFrame, converter: _Converter) -> None:
        self.raw = raw
        self._converter = converter
        self._array: NDArray[np.uint8] | None = None
        self.time, self.duration, self.index = raw.pts, raw.duration, raw.index
        self.size = raw.display_size

    @property
    def array(self) -> NDArray[np.uint8]:
        """Pixels: uint8 [height, width, 3], R'G'B' (BT.709 primaries, sRGB), or 4 with straight alpha.

        Converted from the decoded planes on first access, by the program's GPU conversion (matrix, range,
        HDR, rotation, deinterlacing); not needed if the frame is passed to a network or a chain.

        Raises:
            UsageError: the source was closed before.
        """
        if self._array is None:
            self._array = self._converter.pixels(self.raw)
        return self._array

    def __repr__(self) -> str:
        return f"<lightloom.Frame {self.index} at {self.time:.3f} s, {self.size[0]}x{self.size[1]}>"


class _Converter:
    """Converts frames to arrays; opens a GPU with the first frame, unless one is given."""

    def __init__(self, gpu: Gpu | str | None) -> None:
        self._wanted = gpu
        self._own: Gpu | None = None
        self._is_closed = False
        self._parts: tuple[Device, Uploader, Exporter] | None = None

    def pixels(self, frame: RawFrame) -> NDArray[np.uint8]:
        _, uploader, exporter = self._ready()
        uploader.upload(frame)
        uploader.convert()
        pixels = exporter.begin(uploader.texture, LaidOver()).result()
        return pixels if frame.format.has_alpha else np.ascontiguousarray(pixels[..., :3])

    def _ready(self) -> tuple[Device, Uploader, Exporter]:
        if self._is_closed:
            raise UsageError("The source of this frame is closed; read frame.array before that.")
        if self._parts is None:
            gpu = self._wanted
            if not isinstance(gpu, Gpu):
                gpu = self._own = Gpu(gpu)
            self._parts = (gpu._inside, Uploader(gpu._inside), Exporter(gpu._inside, dither=False))
        return self._parts

    def close(self) -> None:
        self._is_closed = True
        if self._parts is not None:
            _, uploader, exporter = self._parts
            uploader.close()
            exporter.close()
            self._parts = None
        if self._own is not None:
            self._own.close()
            self._own = None

    def __del__(self) -> None:
        # A loop `for frame in lightloom.open(path)` cannot close it, and its frames may outlive the source.
        if not sys.is_finalizing():
            self.close()


class Source:
    """Source of frames: iterate over it once. See `lightloom.open`.

    A file yields all of its frames in order, as fast as the loop consumes them. A camera, screen or stream
    yields the newest frame, drops those that the loop was too slow for, and ends when it is closed.
    """

    def __init__(
        self, raw: RawSource, gpu: Gpu | str | None = None, again: Callable[[], Stabilization] | None = None
    ) -> None:
        self._raw, self._again = raw, again
        self._converter = _Converter(gpu)
        self._is_used = self._is_closed = False

    @property
    def title(self) -> str:
        """Display name."""
        return self._raw.info.title

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels; (0, 0) before the first frame."""
        return self._raw.info.size

    @property
    def rate(self) -> float:
        """Nominal frames a second; 0.0 where there is none, or before the first frame."""
        return self._raw.info.rate

    @property
    def duration(self) -> float:
        """Seconds; 0.0 for live sources and single images, and before the first frame."""
        return self._raw.info.duration

    @property
    def is_live(self) -> bool:
        """Whether frames arrive in real time, as from a camera, screen or stream."""
        return self._raw.info.live

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames. Unreadable parts are reported as a `UserWarning` at the end.

        Raises:
            SourceError: it cannot be opened, is damaged, or broke off.
            UsageError: it was iterated over before, or is closed.
        """
        if self._is_closed or self._is_used:
            state = "closed" if self._is_closed else "iterated over already"
            raise UsageError(f"{self.title} is {state}; open it again with lightloom.open.")
        self._is_used = True
        return self._frames()

    def _frames(self) -> Iterator[Frame]:
        frames = self._raw.frames()
        if self._again is not None:
            frames = stabilized(frames, self._again())
        try:
            for frame in frames:
                yield Frame(frame, self._converter)
            self._warn_of_losses()
        finally:
            if self.is_live:
                self._raw.close()  # a live source that is waiting for its connection is stopped first
            frames.close()
            self._raw.close()

    def _warn_of_losses(self) -> None:
        for note in left_out(self._raw):
            warnings.warn(str(note), stacklevel=3)
        damaged = self._raw.stats.damaged
        if damaged:
            warnings.warn(f"{self.title}: {damaged} damaged frames were left out.", stacklevel=3)
        live = self._raw.capabilities.live
        end = live.end if live is not None else None
        if end is not None and end.kind in ("broken", "refused") and end.error is not None:
            raise end.error

    def close(self) -> None:
        """Release the file or device and the GPU that converted its frames."""
        if not self._is_closed:
            self._is_closed = True
            self._raw.close()
            self._converter.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def open(
    source: str | os.PathLike[str],
    *,
    gpu: Gpu | str | None = None,
    image_seconds: float = 3.0,
    until_end: bool = True,
    stabilize: float = 0.0,
) -> Source:
    """Open a source of frames.

        for frame in lightloom.open("street.mp4"):
            print(frame.time, frame.array.shape)

    Args:
        source: path of a video, an image or a folder of images; an address ('rtsp://...'); 'camera',
            'camera:<part of the name>', 'screen', or 'sample:640x360@30' for the built-in sample. A
            `pathlib.Path` is always a path.
        gpu: converts frames to arrays; by default the best adapter, opened at the first `frame.array`.
        image_seconds: how long each image of a folder is shown, which decides its `time`.
        until_end: end with a live source's sender or at the first break; otherwise wait for it.
        stabilize: remove motion of the camera that is faster than so many seconds, 0.1 to 10, and enlarge
            shots until their edges are outside; 0.0 for not at all. A file is read twice, first when the
            iteration begins.

    Raises:
        UsageError: the text is none of these, or a live source is to be stabilized.
        SourceNotFoundError: there is no such file.
        SourceUnsupportedError: the file is neither a video nor an image.
    """

    def raw_source() -> RawSource:
        return open_source(source if isinstance(source, str) else Path(source), image_seconds=image_seconds)

    def steadied() -> Stabilization:
        again = raw_source()
        try:
            motion = read_motion_of(again.frames())
        finally:
            again.close()
        return stabilization(motion.frames, motion.aspect, stabilize)

    raw = raw_source()
    live = raw.capabilities.live
    if live is not None:
        live.until_end = until_end
    if not stabilize:
        return Source(raw, gpu)
    if raw.info.live:
        raise UsageError(
            f"{raw.info.title} is live, so it cannot be read twice; stabilize a recording of it."
        )
    if not LEAST_SECONDS <= stabilize <= MOST_SECONDS:
        raise UsageError(f"stabilize must be from {LEAST_SECONDS:g} to {MOST_SECONDS:g} seconds, or 0.")
    return Source(raw, gpu, steadied)
