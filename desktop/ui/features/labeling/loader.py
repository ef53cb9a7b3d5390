"""Decode the image shown and its neighbors on a thread; others are not cached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop.base.errors import LightloomError
from desktop.labeling.pictures import PictureSet
from desktop.media.display import rgb_of
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.thumbnails import image_of

Loaded = QImage | LightloomError
"""A decoded image, or why there is none."""


class PictureLoader(QObject):
    """Holds the requested images only.

    Signals:
        loaded: an image is decoded, by its name.
    """

    loaded = Signal(str)

    def __init__(self, pictures: PictureSet, parent: QObject) -> None:
        super().__init__(parent)
        self._pictures = pictures
        # One thread, which decodes in order: two would decode a large image's neighbor before the image
        # itself is shown.
        self._jobs = Jobs(self, threads=1)
        self._wanted: tuple[str, ...] = ()
        self._asked: set[str] = set()
        self._found: dict[str, Loaded] = {}

    @property
    def held(self) -> frozenset[str]:
        """The names of the images that are decoded."""
        return frozenset(self._found)

    def get(self, name: str) -> Loaded | None:
        """Return an image, or why it does not open; None as long as it is not decoded."""
        return self._found.get(name)

    def want(self, names: Sequence[str]) -> None:
        """Decode these, the first one first, and forget all others."""
        self._wanted = tuple(names)
        self._found = {name: found for name, found in self._found.items() if name in self._wanted}
        for name in self._wanted:
            if name not in self._found and name not in self._asked:
                self._asked.add(name)
                self._jobs.run(partial(self._load, name), partial(self._take, name))

    def _load(self, name: str) -> Loaded | None:
        if name not in self._wanted:
            return None  # the user has moved on meanwhile
        try:
            pixels = rgb_of(self._pictures.load(name))
        except LightloomError as error:
            return error
        return image_of(pixels)

    def _take(self, name: str, found: Loaded | None) -> None:
        self._asked.discard(name)
        if name not in self._wanted:
            return
        if found is None:  # it was requested again
            self.want(self._wanted)
            return
        self._found[name] = found
        self.loaded.emit(name)

    def close(self) -> None:
        """Forget everything, and wait for what is being decoded."""
        self._wanted = ()
        self._jobs.close()
