"""Base class of result formats: each converts the journal of a run, at its end."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from desktop.base.errors import UsageError
from desktop.base.files import replaced
from desktop.base.wording import joined, sentence
from desktop.outputs.journal import PictureRecord, cannot_write

Records = Callable[[], Iterator[PictureRecord]]
"""Iterates over all images of a run from the first; callable again, because a format may need two passes."""


@dataclass(frozen=True)
class About:
    """Facts about a run for formats.

    Attributes:
        labels: class names by index; () if there are none, or they are unknown.
        finds: whether the network locates objects, rather than only classifying the whole image.
        tracked: whether objects are tracked from image to image.
    """

    network: str = ""
    labels: tuple[str, ...] = ()
    finds: bool = True
    tracked: bool = False
    inputs: int = 1


class ResultFormat(ABC):
    """A format of results. Stateless; its name is that of its file.

    Attributes:
        title: the display name.
        order: its position in lists.
        suffixes: file extensions, the default first; () for a folder, or if any name is allowed.
        by_suffix: whether the extension of an output selects this format.
        is_folder: whether it always writes into a folder.
        only_things: whether it cannot represent classes of the whole image.
    """

    title: ClassVar[str]
    order: ClassVar[int]
    suffixes: ClassVar[tuple[str, ...]] = ()
    by_suffix: ClassVar[bool] = False
    is_folder: ClassVar[bool] = False
    only_things: ClassVar[bool] = False

    def writes_folder(self, about: About) -> bool:
        """Return whether the target is a folder: always, never, or for several inputs."""
        return self.is_folder

    def check(self, about: About, target: Path) -> None:  # noqa: B027 (most formats take everything)
        """Reject unsuitable results or targets early: UsageError; ExportError if a package is missing."""

    def note(self, about: About) -> str:
        """Return a sentence about limitations of the file that will be written; '' for none."""
        return ""

    @abstractmethod
    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        """Write the results of a run atomically; return the files written. Raises ExportError if one cannot
        be written; an existing file is unchanged.
        """


def require_detections(about: About, title: str) -> None:
    """Raise UsageError for a network that does not locate objects."""
    if not about.finds:
        raise UsageError(
            sentence(
                "{format} holds boxes, and {network} classifies whole images; choose CSV, JSON lines or "
                "Parquet, or a detector.",
                format=title,
                network=about.network,
            )
        )


def write_chunks(target: Path, chunks: Iterable[bytes]) -> tuple[Path, ...]:
    """Replace a file atomically; ExportError if it cannot be written; an existing one is unchanged."""
    return write_with(target, lambda stream: stream.writelines(chunks))


def write_with(target: Path, write: Callable[[BinaryIO], object]) -> tuple[Path, ...]:
    """Like `write_chunks`, with a function that writes into the open file."""
    try:
        with replaced(target) as stream:
            write(stream)
    except (OSError, ValueError) as error:
        raise cannot_write(target, error) from error
    return (target,)


def wrong_ending(target: Path, suffixes: Sequence[str], title: str) -> UsageError:
    """Return the error for a target whose extension does not match the format."""
    return UsageError(
        sentence(
            "The output '{name}' must end in {suffixes} for {title}; choose another name.",
            name=str(target),
            suffixes=joined(", ", tuple(suffixes)),
            title=title,
        )
    )


def number(value: float | None, digits: int) -> float | None:
    """Return a rounded number, None for NaN and infinity, which JSON, SQL and COCO cannot represent."""
    return None if value is None or not math.isfinite(value) else round(float(value), digits)


def tidy(value: Any) -> Any:
    """Return a value for JSON, with None for NaN and infinity at any depth."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): tidy(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(each) for each in value]
    return value
