"""Thumbnails for the window, made on request, on a thread of low priority."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop.base.errors import LightloomError
from desktop.ui.kit.jobs import Jobs

if TYPE_CHECKING:
    import numpy as np

    from desktop.media.thumbnails import Thumbnail

_MOST_BYTES: Final = 32 << 20
# Error messages are small, but counted to bound the number of broken files, too.
_SENTENCE_BYTES: Final = 1 << 10


def image_of(pixels: np.ndarray) -> QImage:
    """Return an image of uint8 [height, width, 3] in the format that is painted quickest."""
    height, width, _ = pixels.shape
    image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.convertToFormat(QImage.Format.Format_RGB32)


class Small:
    """A thumbnail: the image, its time and the file's length in seconds."""

    def __init__(self, made: Thumbnail) -> None:
        self.image = image_of(made.pixels)
        self.at, self.seconds = made.at, made.seconds


ThumbnailResult = Small | LightloomError
"""A small image, or why there is none."""
Maker = Callable[[Callable[[], bool]], "Thumbnail | None"]
"""Makes a thumbnail on another thread; its argument returns whether the thumbnail is still requested."""


class Thumbnails(QObject):
    """A memory-bounded cache of thumbnails; `made` has the key of one that is ready or has failed."""

    made = Signal(object)

    def __init__(
        self, maker: Callable[[Hashable], Maker], parent: QObject, most_bytes: int = _MOST_BYTES
    ) -> None:
        """Make it; `maker` returns a function that makes a key's thumbnail, or raises if there is none."""
        super().__init__(parent)
        self._maker, self._most_bytes = maker, most_bytes
        self._jobs = Jobs(self, threads=1)
        self._requested: tuple[Hashable, ...] = ()
        self._queued: set[Hashable] = set()
        self._results: OrderedDict[Hashable, ThumbnailResult] = OrderedDict()
        self._bytes = 0

    @property
    def nbytes(self) -> int:
        """Memory used by the cache."""
        return self._bytes

    def get(self, key: Hashable) -> ThumbnailResult | None:
        """Return the result, None until it is made."""
        return self._results.get(key)

    def want(self, keys: Sequence[Hashable]) -> None:
        """Request these, in order; other requests are dropped, and canceled if in progress."""
        self._requested = tuple(keys)
        for key in self._requested:
            if key in self._results:
                self._results.move_to_end(key)
            elif key not in self._queued:
                self._queued.add(key)
                self._jobs.run(partial(self._make, key), partial(self._take, key), partial(self._take, key))

    def invalidate(self, key: Hashable) -> None:
        """Discard a thumbnail, so that it is made again on request."""
        found = self._results.pop(key, None)
        if found is not None:
            self._bytes -= _size(found)

    def _make(self, key: Hashable) -> Small | None:
        def is_requested() -> bool:
            return key in self._requested

        if not is_requested():
            return None
        from desktop.base.priority import yield_to_others

        yield_to_others()
        made = self._maker(key)(is_requested)
        return Small(made) if made is not None else None

    def _take(self, key: Hashable, found: ThumbnailResult | None) -> None:
        self._queued.discard(key)
        if found is None:
            if key in self._requested:
                self.want(self._requested)
            return
        self._results[key] = found
        self._bytes += _size(found)
        while self._bytes > self._most_bytes and len(self._results) > 1:
            self._bytes -= _size(self._results.popitem(last=False)[1])
        self.made.emit(key)

    def close(self) -> None:
        """Drop all requests, and wait for the thumbnail in progress."""
        self._requested = ()
        self._jobs.close()


def _size(found: ThumbnailResult) -> int:
    return found.image.sizeInBytes() if isinstance(found, Small) else _SENTENCE_BYTES
