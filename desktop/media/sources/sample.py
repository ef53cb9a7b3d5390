"""The built-in sample: a moving scene for judging filters, the same for a size and frame number everywhere.
It has smooth gradients, sharp edges, fine detail, skin tones, letters, moving silhouettes and a green screen.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.base.errors import SourceError, SourceNotFoundError, UsageError
from desktop.base.files import exists
from desktop.base.paths import user_cache_folder
from desktop.base.wording import sentence
from desktop.media.frame import NV12, ColorInfo, Frame, Plane
from desktop.media.sources._between import InterpolatedSlot
from desktop.media.sources._on_demand import OnDemandSource
from desktop.media.sources.base import FrameInterpolation, SourceCapabilities, SourceInfo, SourceKind
from desktop.media.sources.timeline import Timeline

if TYPE_CHECKING:
    from desktop.media.sources._sample_scene import Bytes, Scene

SECONDS = 30
_LARGEST = 8192


class SampleSource(OnDemandSource):
    """The sample as a seekable source that loops every 30 s. Methods are for one consumer thread.

    Frames are NV12 (8 bit, BT.709, limited range, chroma to the left), of even sides from 64 to 8192, 1 to
    240 a second (an integer); otherwise UsageError. `draws` makes another scene.
    """

    def __init__(
        self,
        size: tuple[int, int] = (1280, 720),
        rate: int = 30,
        draws: Callable[[int, int, Path], Scene] | None = None,
    ) -> None:
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
        line = Timeline(SECONDS * rate, rate, loop=True)
        super().__init__(
            SourceInfo("sample", sentence("Sample"), size, float(rate), float(SECONDS), True, False, detail),
            rate,
            line,
        )
        self._size, self._line = size, line
        self._smooth = InterpolatedSlot()
        self._slot = self._smooth
        self._draws = draws
        self._scene: Scene | None = None
        self._drawn: tuple[int, Bytes, Bytes] | None = None  # what is due next: its place, luma and chroma

    @property
    def capabilities(self) -> SourceCapabilities:
        """A time line, and frame interpolation."""
        return SourceCapabilities(timeline=self, interpolation=self)

    @property
    def interpolation(self) -> FrameInterpolation | None:
        """See `Interpolatable`."""
        return self._smooth.interpolation

    def interpolate_by(self, interpolation: FrameInterpolation | None) -> None:
        """See `Interpolatable`; as it is drawn when it is due, it is shown a part of an interval later."""
        self._smooth.interpolate_by(interpolation)

    def take(self, now: float) -> Frame | None:
        """Return the frame that is due, once."""
        frame = self._smooth.take_at(now)
        if frame is not None:
            self._position = frame.pts
        return frame

    def set_speed(self, factor: float) -> None:
        """See `Seekable`."""
        super().set_speed(factor)
        self._smooth.speed = factor

    def _request(self, action: Callable[[Timeline], None], *, again: bool = False) -> None:
        super()._request(action, again=again)
        # Whatever was asked: what is shown next need not follow what was.
        self._smooth.cut()

    def close(self) -> None:
        """Stop the threads."""
        self._smooth.close()
        super().close()

    def frames(self) -> Generator[Frame]:
        """Yield the 30 s once."""
        from desktop.media.sources._sample_scene import Scene

        scene = Scene(*self._size)
        for index in range(self._line.count):
            seconds = index / self._rate
            yield self._frame(*scene.render(seconds / SECONDS, seconds), seconds, index)

    def blank(self) -> Frame:
        """Return an empty frame in the sample's format, to compile shaders before the first one is drawn."""
        width, height = self._size
        luma, chroma = np.zeros((height, width), np.uint8), np.zeros((height // 2, width // 2, 2), np.uint8)
        return self._frame(luma, chroma, 0.0, 0)

    def _open(self) -> Timeline:
        # Decoding the layers loads PyAV at the first start: on this thread, not on the one that asked.
        from desktop.media.sources._sample_scene import Scene

        self._scene = (self._draws or Scene)(*self._size, user_cache_folder() / "sample")
        return self._line

    def _show(self, place: int) -> bool:
        self._prepare(place)
        assert self._drawn is not None
        (_, y, uv), self._drawn = self._drawn, None
        self._slot.put(self._frame(y, uv, place / self._rate, self._delivered))
        self._delivered += 1
        self._notify_change()
        return True

    def _prepare(self, place: int) -> bool:
        # Drawn before it is due, so that waiting for the interpreter's lock or a core does not delay it.
        if self._drawn is None or self._drawn[0] != place:
            assert self._scene is not None
            seconds = place / self._rate
            self._drawn = (place, *self._scene.render(seconds / SECONDS, seconds))
        return True

    def _no_memory(self) -> SourceError:
        return SourceError(
            sentence(
                "There is no memory for a sample of {width}x{height}: choose a smaller one.",
                width=self._size[0],
                height=self._size[1],
            )
        )

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


_TEXT: Final = re.compile(r"sample(?::(?:(\d+)x(\d+))?)?(?:@(\d+))?")


def _open_text(text: str) -> SampleSource | None:
    given = _TEXT.fullmatch(text)
    if given is None:
        if text.startswith("sample:") and not exists(Path(text)):
            raise SourceNotFoundError(
                sentence("There is no sample '{text}': write it as sample:640x360@30.", text=text)
            )
        return None
    size = (int(given[1]), int(given[2])) if given[1] else (1280, 720)
    return SampleSource(size, int(given[3] or 30))


SOURCE: Final = SourceKind(open_text=_open_text)
