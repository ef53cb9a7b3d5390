"""What a format of results is: a view of the journal of a run, written at its end."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from desktop.compute.outputs.journal import PictureRecord
from desktop.errors import ExportError, UsageError
from desktop.files import reason, replaced
from desktop.wording import joined, sentence

Records = Callable[[], Iterator[PictureRecord]]
"""Gives all pictures of a run from the first one, each time it is called: a format may go through them twice."""


@dataclass(frozen=True)
class About:
    """What a format may have to know of a run beside its pictures.

    Attributes:
        network: title of the network.
        labels: names of its classes by their numbers; () where it has none, or nobody knows them.
        finds: it finds things that lie in the picture, and not only words about the whole of it.
        tracked: things have an identity from picture to picture.
        inputs: how many inputs there are.
    """

    network: str = ""
    labels: tuple[str, ...] = ()
    finds: bool = True
    tracked: bool = False
    inputs: int = 1


class ResultFormat(ABC):
    """A format of results. Stateless; its name is that of its file.

    Attributes:
        title: for people.
        order: its place in lists.
        suffixes: what its files' names end in, the first as proposed; () for a folder, or where nothing is asked of the name.
        by_suffix: an output that ends so is of this format.
        is_folder: it always writes into a folder.
        only_things: it has no place for words about the whole picture.
    """

    title: ClassVar[str]
    order: ClassVar[int]
    suffixes: ClassVar[tuple[str, ...]] = ()
    by_suffix: ClassVar[bool] = False
    is_folder: ClassVar[bool] = False
    only_things: ClassVar[bool] = False

    def writes_folder(self, about: About) -> bool:
        """Tell whether the target is a folder: always, never, or where there are several inputs."""
        return self.is_folder

    def check(self, about: About, target: Path) -> None:  # noqa: B027 (most formats take everything)
        """Refuse before the work begins what could not be written at its end.

        Raises:
            UsageError: the format has no place for such results, or the target does not suit it.
            ExportError: a package that writes it is missing.
        """

    def remark(self, about: About) -> str:
        """Return what is to be known of the file that will be written, as a sentence; '' for nothing."""
        return ""

    @abstractmethod
    def write(self, records: Records, target: Path, about: About) -> tuple[Path, ...]:
        """Write the results of a run beside the target and put them in its place; return what was written.

        Raises:
            ExportError: it cannot be written; what was there stays as it was.
        """


def needs_things(about: About, title: str) -> None:
    """Raise UsageError for a network that finds nothing that lies in a picture."""
    if not about.finds:
        raise UsageError(
            sentence(
                "{format} holds boxes, and {network} says words about the whole picture; choose CSV, JSON lines or Parquet, or a detector.",
                format=title,
                network=about.network,
            )
        )


def write_chunks(target: Path, chunks: Iterable[bytes]) -> tuple[Path, ...]:
    """Write a file beside its target, which it replaces at the end.

    Raises:
        ExportError: it cannot be written; what was there stays as it was.
    """
    return write_with(target, lambda stream: stream.writelines(chunks))


def write_with(target: Path, write: Callable[[BinaryIO], object]) -> tuple[Path, ...]:
    """As `write_chunks`, by a function that writes into the open file."""
    try:
        with replaced(target) as stream:
            write(stream)
    except (OSError, ValueError) as error:
        raise cannot_write(target, error) from error
    return (target,)


def cannot_write(target: Path, error: OSError | ValueError) -> ExportError:
    """Return the error for results that cannot be written."""
    return ExportError(
        sentence(
            "The results cannot be written to {name} ({reason}); make room, or choose another place.",
            name=target,
            reason=reason(error),
        )
    )


def wrong_ending(target: Path, suffixes: Sequence[str], title: str) -> UsageError:
    """Return the error for a target whose name does not say the format."""
    return UsageError(
        sentence(
            "The output '{name}' must end in {suffixes} for {title}; choose another name.",
            name=str(target),
            suffixes=joined(", ", tuple(suffixes)),
            title=title,
        )
    )


def number(value: float | None, digits: int) -> float | None:
    """Return a number rounded, None for what is none (NaN, infinity): JSON, SQL and COCO know none of these."""
    return None if value is None or not math.isfinite(value) else round(float(value), digits)


def tidy(value: Any) -> Any:
    """Return a value as JSON takes it, with None for what is no number, however deep."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): tidy(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(each) for each in value]
    return value


def utf8(text: str) -> bytes:
    """Return a text's bytes; a half of a surrogate pair, which no UTF-8 has, as a question mark."""
    return text.encode("utf-8", "replace")
