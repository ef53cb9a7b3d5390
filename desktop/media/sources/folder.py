"""A folder of still images as a slide show with a time line: each image is one long frame. Order is natural
("2.png" before "10.png"). Those that cannot be opened are skipped, counted and named.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from desktop.base.errors import (
    LightloomError,
    SourceError,
    SourceNotFoundError,
    SourceUnsupportedError,
    UsageError,
)
from desktop.base.files import open_regular, unreadable_folder
from desktop.base.wording import Text, counted, sentence
from desktop.media.frame import Frame
from desktop.media.sources._on_demand import OnDemandSource
from desktop.media.sources._still_header import sniff
from desktop.media.sources.base import SourceCapabilities, SourceInfo, SourceKind, SourceStats
from desktop.media.sources.image import Still, load_image
from desktop.media.sources.timeline import Timeline

_SLIDE_S: Final = 1.0
"""From so many seconds an image on, a folder is a slide show, and not the frames of a video."""


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers in names by their value, and letters without regard to case."""
    parts = re.split(r"(\d+)", name.casefold())
    # Digits of other scripts match \d and int() alike; a number sorts before a letter, as in file managers.
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)


def in_natural_order(paths: Iterable[Path]) -> list[Path]:
    """Return paths in the order of their names, the same one on every machine."""
    # Names that differ only in case or leading zeros have equal keys, and a folder on the disk has no order of its own.
    return sorted(paths, key=lambda path: (natural_key(path.name), path.name))


def list_images(folder: Path) -> list[Path]:
    """Return a folder's images (without subfolders), recognized by their first bytes, in natural order.

    Raises:
        SourceNotFoundError: the folder does not exist or may not be read.
        SourceUnsupportedError: it has no images.
    """
    try:
        files = [path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file()]
    except FileNotFoundError:
        raise SourceNotFoundError(
            sentence("There is no folder {folder}: check its name.", folder=folder)
        ) from None
    except OSError as error:
        raise SourceNotFoundError(unreadable_folder(folder, error)) from error
    images = [path for path in files if is_image(path)]
    if not images:
        raise SourceUnsupportedError(
            sentence("The folder {name} holds no images: choose one with images in it.", name=folder.name)
        )
    return in_natural_order(images)


def is_image(path: Path) -> bool:
    """Return whether a folder's file is one of its images, by its first bytes or its name."""
    try:
        with open_regular(path) as file:
            found = bool(sniff(file.read(64)))
    except OSError:
        found = False
    # A file with an image's name that is no image or unreadable is listed among those that cannot be opened.
    return found or path.suffix.lower() in (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp")


class FolderSource(OnDemandSource):
    """A folder of images, each shown for `seconds`, 0.04 to 3600 (otherwise UsageError). `step(1)` is the
    next image. Methods are for one consumer thread.
    """

    def __init__(self, folder: Path, seconds: float = 3.0) -> None:
        if not 0.04 <= seconds <= 3600:
            raise UsageError(
                sentence("An image cannot be shown for {seconds:g} s: give 0.04 to 3600.", seconds=seconds)
            )
        super().__init__(SourceInfo("folder", folder.name, seekable=True), 1 / seconds)
        self._folder, self._seconds = folder, seconds
        self._images: list[Path] = []
        self._skipped: dict[Path, LightloomError] = {}
        self._damage: dict[Path, tuple[Text, ...]] = {}

    @property
    def stats(self) -> SourceStats:
        """Counters; `damaged` are the images that were skipped."""
        stats = self._slot.stats
        return SourceStats(stats.decoded, stats.taken, stats.dropped, len(self._skipped))

    @property
    def capabilities(self) -> SourceCapabilities:
        """A time line, and files that may be unreadable or damaged."""
        return SourceCapabilities(
            timeline=self,
            frames_from=self.frames_from,
            unreadable=lambda: self.skipped,
            damage=lambda: tuple(note for notes in self._damage.values() for note in notes),
        )

    @property
    def skipped(self) -> dict[str, LightloomError]:
        """Names of the images that could not be opened so far, and why."""
        return {path.name: error for path, error in self._skipped.items()}

    def frames(self) -> Generator[Frame]:
        """Yield every image that can be opened, once."""
        yield from self.frames_from(0.0)

    def frames_from(self, seconds: float) -> Generator[Frame]:
        """As `frames`, from the image on that is shown at `seconds`."""
        self._images = list_images(self._folder)
        first = int(seconds / self._seconds + 1e-6)
        for place, path in list(enumerate(self._images))[first:]:
            try:
                still = load_image(path)
            except LightloomError as error:
                self._skipped[path] = error
                continue
            self._info = replace(self._info, detail={"name": path.name, "pictures": str(len(self._images))})
            yield self._place(still, place)
        if len(self._skipped) == len(self._images):
            raise self._nothing_opens()

    def places(self) -> list[float]:
        """Return when each image begins to be shown, in seconds; none is opened."""
        return [place * self._seconds for place in range(len(list_images(self._folder)))]

    def _open(self) -> Timeline:
        self._images = list_images(self._folder)
        return Timeline(len(self._images), self._rate, loop=True)

    def _show(self, place: int) -> bool:
        path = self._images[place]
        if path in self._skipped:
            return False
        try:
            still = load_image(path)
        except LightloomError as error:
            self._skipped[path] = error
            if len(self._skipped) == len(self._images):
                raise self._nothing_opens() from error
            return False
        self._describe(still, path)
        self._slot.put(self._place(still, place))
        self._notify_change()
        return True

    def _no_memory(self) -> SourceError:
        return SourceError(
            sentence("There is no memory for an image in {name}: scale it down.", name=self._folder.name)
        )

    def _place(self, still: Still, place: int) -> Frame:
        index, self._delivered = self._delivered, self._delivered + 1
        if still.notes:
            self._damage[self._images[place]] = still.notes
        frame = replace(still.frame, pts=place * self._seconds, duration=self._seconds, index=index)
        return replace(frame, follows=self._seconds < _SLIDE_S)

    def _describe(self, still: Still, path: Path) -> None:
        detail = {"name": path.name, "pictures": str(len(self._images)), **still.detail}
        if self._skipped:
            names = ", ".join(skipped.name for skipped in list(self._skipped)[:5])
            detail["skipped"] = f"{len(self._skipped)}: {names}{', ...' if len(self._skipped) > 5 else ''}"
        length = len(self._images) * self._seconds
        self._info = SourceInfo(
            "folder",
            self._folder.name,
            still.frame.display_size,
            1 / self._seconds,
            length,
            True,
            False,
            detail,
        )

    def _nothing_opens(self) -> SourceError:
        first = next(iter(self._skipped.values()))
        return SourceUnsupportedError(
            sentence(
                "None of {pictures} in {name} opens: {first}",
                pictures=counted(len(self._images), "image"),
                name=self._folder.name,
                first=first,
            )
        )


SOURCE: Final = SourceKind(takes_file=lambda path, head: path.is_dir(), open_file=FolderSource)
