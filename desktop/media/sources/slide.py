"""A still image as a playlist entry with a time line: it can be paused and ends like a video."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

from desktop.base.errors import SourceError
from desktop.base.wording import sentence
from desktop.media.frame import Frame
from desktop.media.sources._on_demand import OnDemandSource
from desktop.media.sources.base import SourceInfo
from desktop.media.sources.image import Still, load_image
from desktop.media.sources.timeline import Timeline


class SlideSource(OnDemandSource):
    """One image, 'ended' after `seconds`. Seekable. Methods are for one consumer thread."""

    def __init__(self, path: Path, seconds: float) -> None:
        super().__init__(SourceInfo("image", path.name, seekable=True), 1 / seconds)
        self._path, self._seconds = path, seconds
        self._still: Still | None = None

    def frames(self) -> Generator[Frame]:
        """Yield the one image."""
        yield load_image(self._path).frame

    def _open(self) -> Timeline:
        still = self._still = load_image(self._path)
        self._info = SourceInfo(
            "image",
            self._path.name,
            still.frame.display_size,
            duration=self._seconds,
            seekable=True,
            detail=still.detail,
        )
        return Timeline(1, self._rate, loop=False)

    def _show(self, place: int) -> bool:
        assert self._still is not None
        index, self._delivered = self._delivered, self._delivered + 1
        self._slot.put(replace(self._still.frame, duration=self._seconds, index=index))
        self._notify_change()
        return True

    def _no_memory(self) -> SourceError:
        return SourceError(sentence("There is no memory for {name}: scale it down.", name=self._path.name))
