"""Decode the image shown and its neighbors on a thread; others are not cached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop.base.errors import LightloomError
from desktop.media.display import rgb_of
from desktop.plugins.labeling.data.pictures import PictureSet
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.thumbnails import image_of

Loaded = QImage | LightloomError
"""A decoded image, or why there is none."""


class PictureLoader(QObject):
    """Cache of the requested images. `loaded` is emitted with the name of a decoded one."""

    loaded = Signal(str)

    def __init__(self, pictures: PictureSet, parent: QObject) -> None:
        super().__init__(parent)
        self._pictures = pictures
        # One thread: two would decode a large image's neighbor before the image itself is shown.
        self._jobs = Jobs(self, threads=1)
        self._requested: tuple[str, ...] = ()
        self._queued: set[str] = set()
        self._loaded: dict[str, Loaded] = {}

    @property
    def held(self) -> frozenset[str]:
        """The names of the images that are decoded."""
        return frozenset(self._loaded)

    def get(self, name: str) -> Loaded | None:
        """Return an image, or why it does not open; None as long as it is not decoded."""
        return self._loaded.get(name)

    def want(self, names: Sequence[str]) -> None:
        """Decode these, the first one first, and forget all others."""
        self._requested = tuple(names)
        self._loaded = {name: found for name, found in self._loaded.items() if name in self._requested}
        for name in self._requested:
            if name not in self._loaded and name not in self._queued:
                self._queued.add(name)
                self._jobs.run(partial(self._load, name), partial(self._take, name))

    def _load(self, name: str) -> Loaded | None:
        if name not in self._requested:
            return None  # the user has moved on meanwhile
        try:
            pixels = rgb_of(self._pictures.load(name))
        except LightloomError as error:
            return error
        return image_of(pixels)

    def _take(self, name: str, found: Loaded | None) -> None:
        self._queued.discard(name)
        if name not in self._requested:
            return
        if found is None:  # it was requested again
            self.want(self._requested)
            return
        self._loaded[name] = found
        self.loaded.emit(name)

    def close(self) -> None:
        """Forget everything, and wait for what is being decoded."""
        self._requested = ()
        self._jobs.close()
