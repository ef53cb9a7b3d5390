"""Images to label, decoded on request: those of a folder, or frames of a video at a fixed interval."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from desktop.base.errors import SourceDamagedError, SourceNotFoundError, UsageError
from desktop.base.wording import sentence
from desktop.media.frame import Frame
from desktop.media.sources._video_reader import VideoReader
from desktop.media.sources.folder import list_images
from desktop.media.sources.image import load_image, size_of
from desktop.outputs.detections import picture_stem
from desktop.outputs.journal import PictureRecord
from desktop.vision.tasks.shapes import Shape

MOST_PICTURES: Final = 1_000_000
SHORTEST_S, LONGEST_S = 0.01, 3600.0
"""Between two images of a video."""


class PictureSet(ABC):
    """A set of images, or frames of a video, to label; `names` are the keys of labels. Thread-safe."""

    path: Path
    names: tuple[str, ...]
    is_video: bool

    @abstractmethod
    def load(self, name: str) -> Frame:
        """Decode an image. Raises SourceError."""

    @abstractmethod
    def record(self, name: str, shapes: tuple[Shape, ...]) -> PictureRecord:
        """Return an image's labels for a result format, reading only its header. Raises SourceError."""

    @abstractmethod
    def file_of(self, name: str) -> tuple[str, int]:
        """Return an image's file and its number in what was opened, from 1."""

    def find(self, texts: Iterable[str]) -> dict[str, str]:
        """Return the image for each name in a label file, matched with or without its suffix.

        Names without an image, ambiguous ones, and other folders' names of an image are omitted.
        """
        by_stem: dict[str, list[str]] = {}
        for name in self.names:
            file, number = self.file_of(name)
            record = PictureRecord("", file, number, 0.0, (0, 0), (), still=not self.is_video)
            by_stem.setdefault(picture_stem(record), []).append(name)
        # What is called 'a' without an ending may be of 'a.jpg' or of 'a.png': of neither, then.
        only = {stem: names[0] for stem, names in by_stem.items() if len(names) == 1}
        known = set(self.names)
        bases = {text: text.replace("\\", "/").rpartition("/")[2] for text in texts}
        # 'a.jpg' is no other name of 'a.png' where that is named too.
        exact = known.intersection(bases.values())
        by_picture: dict[str, list[str]] = {}
        for text, base in bases.items():
            at = base if base in known else only.get(base.rpartition(".")[0] or base)
            if at is not None and (at == base or at not in exact):
                by_picture.setdefault(at, []).append(text)
        return {text: at for at, named in by_picture.items() for text in self._only(named, at)}

    def _only(self, named: list[str], at: str) -> list[str]:
        """Return the name that an image has among several, with its folder if needed ('train/a.png')."""
        own = [text for text in named if text.replace("\\", "/").endswith(f"{self.path.name}/{at}")]
        return named if len(named) == 1 else own if len(own) == 1 else []

    def close(self) -> None:  # noqa: B027 (a folder holds nothing open)
        """Release what is open."""


class FolderPictures(PictureSet):
    """The images in a folder, by file name, in natural order.

    Raises SourceNotFoundError if it is missing or not readable, SourceUnsupportedError if it has no image,
    UsageError if it has more than `MOST_PICTURES`.
    """

    is_video = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names = tuple(image.name for image in list_images(path))
        _check_count(len(self.names), path)
        self._places = {name: place for place, name in enumerate(self.names, 1)}

    def load(self, name: str) -> Frame:
        return load_image(self.path / name).frame

    def record(self, name: str, shapes: tuple[Shape, ...]) -> PictureRecord:
        file, number = self.file_of(name)
        return PictureRecord(str(self.path), file, number, 0.0, size_of(Path(file)), shapes, still=True)

    def file_of(self, name: str) -> tuple[str, int]:
        return str(self.path / name), self._places[name]


class VideoPictures(PictureSet):
    """Frames of a video, one every `every` seconds, by frame number from 1 (at the average rate).

    Raises SourceError if it cannot be opened, UsageError if `every` is out of range or gives more than
    `MOST_PICTURES`.
    """

    is_video = True

    def __init__(self, path: Path, every: float = 1.0) -> None:
        if not SHORTEST_S <= every <= LONGEST_S:
            raise UsageError(
                sentence("Frames can't be taken every {seconds:g} s: give 0.01 to 3600.", seconds=every)
            )
        self.path = path
        # A device's decoder is slower to seek with, and one image at a time is all that is wanted.
        self._reader = VideoReader(path, hwaccel="none")
        self._lock = threading.Lock()
        facts = self._reader.facts
        self._size, self._rate = facts.size, facts.rate
        _check_count(int(facts.duration / every), path)
        times = (place * every for place in range(int(max(facts.duration - 1e-6, 0.0) / every) + 1))
        self._numbers = dict.fromkeys(round(at * self._rate) + 1 for at in times)
        self.names = tuple(f"{number:06d}" for number in self._numbers)

    def load(self, name: str) -> Frame:
        with self._lock:
            # In the middle of its time, so that no rounding gives its neighbor.
            self._reader.seek((int(name) - 0.5) / self._rate)
            frame = self._reader.read()
        if frame is None:
            raise SourceDamagedError(
                sentence(
                    "Frame {number} of {name} cannot be decoded; go on to the next one.",
                    number=int(name),
                    name=self.path.name,
                )
            )
        return frame

    def record(self, name: str, shapes: tuple[Shape, ...]) -> PictureRecord:
        file, number = self.file_of(name)
        return PictureRecord(file, file, number, (number - 1) / self._rate, self._size, shapes)

    def file_of(self, name: str) -> tuple[str, int]:
        return str(self.path), int(name)

    def close(self) -> None:
        self._reader.interrupt()
        with self._lock:
            self._reader.close()


def _check_count(count: int, path: Path) -> None:
    if count > MOST_PICTURES:
        raise UsageError(
            sentence(
                "{name} has more than {most:,} images; label a part of them.",
                name=path.name,
                most=MOST_PICTURES,
            )
        )


def open_pictures(path: Path, every: float = 1.0) -> PictureSet:
    """Return the images of a folder, or of a video; errors as `FolderPictures` and `VideoPictures`."""
    if not path.exists():
        raise SourceNotFoundError(sentence("There is no file {path}: check its name.", path=path))
    return FolderPictures(path) if path.is_dir() else VideoPictures(path, every)
