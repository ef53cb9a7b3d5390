"""The built-in sample: a moving, colourful picture that needs no file, no camera and no network.

Made by the project (`_sample_scene`), the same on every machine for the same size and frame number. It has what filters are
judged by: smooth gradients, sharp edges, fine detail, saturated colours, skin tones, letters, moving silhouettes, a green screen.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.compute.media.frame import NV12, ColorInfo, Frame, Plane
from desktop.compute.media.sources.base import (
    NewestSlot,
    Reporter,
    SourceInfo,
    SourceKind,
    SourceStats,
    State,
)
from desktop.compute.media.sources.timeline import Timeline
from desktop.errors import SourceError, UsageError
from desktop.paths import user_cache_folder
from desktop.wording import sentence

if TYPE_CHECKING:
    from desktop.compute.media.sources._sample_scene import Bytes, Scene

SECONDS = 30
_LARGEST = 8192


class SampleSource(Reporter):
    """The sample as a seekable source that loops every 30 s. Methods are for one consumer thread.

    Frames are NV12 (8 bit, BT.709, limited range, chroma to the left).

    Args:
        size: (width, height) in pixels, both even, from 64 to 8192.
        rate: whole frames a second, from 1 to 240.

    Raises:
        UsageError: size or rate is out of these bounds.
    """

    def __init__(self, size: tuple[int, int] = (1280, 720), rate: int = 30) -> None:
        if any(side % 2 or not 64 <= side <= _LARGEST for side in size):
            raise UsageError(
                sentence(
                    "The sample can't be {width}x{height}: give even sides from 64 to {largest} pixels.",
                    width=size[0],
                    height=size[1],
                    largest=_LARGEST,
                )
            )
        if not 1 <= rate <= 240:
            raise UsageError(
                sentence(
                    "The sample can't run at {rate} frames a second: give a rate from 1 to 240.", rate=rate
                )
            )
        detail = {"pixel format": "nv12", "decoder": "software", "color": "BT.709, limited"}
        super().__init__(
            SourceInfo("sample", sentence("Sample"), size, float(rate), float(SECONDS), True, False, detail)
        )
        self._size, self._rate = size, rate
        self._timeline = Timeline(SECONDS * rate, rate, loop=True)
        self._slot = NewestSlot()
        self._wake = threading.Condition()
        self._moved = False
        self._again = False
        self._closing = False
        self._shown = 0
        self._delivered = 0
        self._thread: threading.Thread | None = None

    @property
    def stats(self) -> SourceStats:
        """Counters."""
        return self._slot.stats

    @property
    def position(self) -> float:
        """Presentation time in seconds of the frame last taken."""
        return self._shown / self._rate

    @property
    def playing(self) -> bool:
        """False while paused."""
        return self._timeline.playing

    def start(self) -> None:
        """Begin to draw on the source's thread."""
        if self._thread is None and not self._closing:
            self._state = "opening"
            self._thread = threading.Thread(target=self._run, name="sample", daemon=True)
            self._thread.start()

    def take(self, now: float) -> Frame | None:
        """Return the newest frame once."""
        frame = self._slot.take()
        if frame is not None:
            self._shown = round(frame.pts * self._rate)
        return frame

    def frames(self) -> Iterator[Frame]:
        """Yield the 30 s once."""
        from desktop.compute.media.sources._sample_scene import Scene

        scene = Scene(*self._size)
        for index in range(SECONDS * self._rate):
            yield self._render(scene, index, index)

    def blank(self) -> Frame:
        """Return a frame of the sample's form with nothing on it, to compile shaders with before the first one is drawn."""
        width, height = self._size
        luma, chroma = np.zeros((height, width), np.uint8), np.zeros((height // 2, width // 2, 2), np.uint8)
        return self._frame(luma, chroma, 0.0, 0)

    def close(self) -> None:
        """Stop the thread."""
        self._closing = True
        self._poke()
        if self._thread is not None:
            self._thread.join()
        self._state = "closed"

    def play(self) -> None:
        """Go on."""
        self._timeline.play(time.perf_counter())
        self._poke()

    def pause(self) -> None:
        """Hold the frame that is shown."""
        self._timeline.pause(time.perf_counter())
        self._poke()

    def seek(self, seconds: float) -> None:
        """Show the frame whose interval holds `seconds`."""
        self._timeline.seek(seconds, time.perf_counter())
        self._poke(again=True)

    def step(self, frames: int) -> None:
        """Pause and go `frames` on or back."""
        now = time.perf_counter()
        # From where the time line is held, if it is: two steps at once are then two frames.
        shown = self._shown if self._timeline.playing else self._timeline.place(now).index
        self._timeline.step(frames, now, shown)
        self._poke(again=True)

    def set_speed(self, factor: float) -> None:
        """Play at 0.25 to 4 times the normal speed."""
        self._timeline.set_speed(factor, time.perf_counter())
        self._poke()

    def set_loop(self, start: float | None, end: float | None, *, whole: bool = False) -> None:
        """Loop between two times, over the whole (the default of this source), or not at all."""
        self._timeline.set_loop(start, end, whole=whole, now=time.perf_counter())
        self._poke()

    def _poke(self, *, again: bool = False) -> None:
        with self._wake:
            self._moved = True
            self._again |= again
            self._wake.notify()

    def _run(self) -> None:
        # Decoding the layers loads PyAV at the first start: on this thread, not on the one that asked.
        from desktop.compute.media.sources._sample_scene import Scene

        try:
            self._play(Scene(*self._size, user_cache_folder() / "sample"))
        except MemoryError:
            self._error = SourceError(
                sentence(
                    "There is no memory for a sample of {width}x{height}: choose a smaller one.",
                    width=self._size[0],
                    height=self._size[1],
                )
            )
            self._set_state("failed")

    def _play(self, scene: Scene) -> None:
        self._timeline.begin(time.perf_counter())
        last = -1
        while not self._closing:
            with self._wake:
                self._moved = False
            place = self._timeline.place(time.perf_counter())
            # After a seek the frame is delivered even if it is the one shown: the consumer may have lost it with its GPU.
            if place.index != last or self._again:
                last, self._again = place.index, False
                self._slot.put(self._render(scene, last, self._delivered))
                self._delivered += 1
                self._notify()
            self._set_state("ended" if place.ended else "playing" if self._timeline.playing else "paused")
            # Measured again: drawing took a part of the frame's time.
            wait = self._timeline.place(time.perf_counter()).wait
            with self._wake:
                if not self._moved:
                    self._wake.wait(None if wait == float("inf") else wait)

    def _render(self, scene: Scene, place: int, index: int) -> Frame:
        seconds = place / self._rate
        return self._frame(*scene.render(seconds / SECONDS, seconds), seconds, index)

    def _frame(self, y: Bytes, uv: Bytes, seconds: float, index: int) -> Frame:
        width, height = self._size
        return Frame(
            (Plane(y, width, width, height), Plane(uv, width, width // 2, height // 2)),
            NV12,
            width,
            height,
            ColorInfo("bt709", "limited", "sdr", "bt709"),
            pts=seconds,
            duration=1 / self._rate,
            captured_at=time.perf_counter(),
            index=index,
        )

    def _set_state(self, state: State) -> None:
        if self._state != state:
            self._state = state
            self._notify()

    def _notify(self) -> None:
        self._tell()


_TEXT: Final = re.compile(r"sample(?::(?:(\d+)x(\d+))?)?(?:@(\d+))?")


def _open_text(text: str) -> SampleSource | None:
    given = _TEXT.fullmatch(text)
    if given is None:
        return None
    size = (int(given[1]), int(given[2])) if given[1] else (1280, 720)
    return SampleSource(size, int(given[3] or 30))


SOURCE: Final = SourceKind(open_text=_open_text)
