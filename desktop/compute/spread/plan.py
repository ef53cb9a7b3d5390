"""What a run is cut into: clips, each of one piece or several, as frozen values that a worker and a disk can be given."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from desktop.compute.outputs.span import TimeSpan
from desktop.errors import SourceNotFoundError
from desktop.files import open_regular, reason
from desktop.wording import sentence

PIECE_THREADS: Final = "8"
"""Threads of an encoder: libx264, libx265 and FFV1 write other bytes with another number, which else follows from the processor."""

PIECE_MUXING: Final = {"fflags": "+bitexact"}
"""What a muxer is told, so that the same packets give the same file: Matroska's else has a random number in it."""

_END_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class FileMark:
    """A file as another machine can recognize it.

    Attributes:
        path: absolute.
        size: in bytes.
        digest: SHA-256 of its first and its last MiB, hexadecimal. Not of all of it: every machine would read a long film once more.
    """

    path: str
    size: int
    digest: str

    @classmethod
    def of(cls, path: Path) -> Self:
        """Look at a file.

        Raises:
            SourceNotFoundError: it cannot be read.
        """
        try:
            with open_regular(path) as stream:
                size = stream.seek(0, 2)
                stream.seek(0)
                digest = hashlib.sha256(stream.read(_END_BYTES))
                stream.seek(max(0, size - _END_BYTES))
                digest.update(stream.read(_END_BYTES))
        except (OSError, ValueError) as error:
            raise SourceNotFoundError(
                sentence(
                    "{name} can't be read ({reason}): check its name and permissions.",
                    name=str(path),
                    reason=reason(error),
                )
            ) from error
        return cls(str(path.absolute()), size, digest.hexdigest())

    @property
    def is_here(self) -> bool:
        """True where this machine has the same file in the same place."""
        try:
            return FileMark.of(Path(self.path)) == self
        except SourceNotFoundError:
            return False


@dataclass(frozen=True)
class Piece:
    """What one worker does at once.

    Attributes:
        number: among all pieces of the run, from 0.
        clip: the number of its clip.
        span: the part of the input, as `TimeSpan.text` has it; '' for an input that is left whole.
        origin: the time of the first picture of the clip, in seconds of the source: from there on its pictures are stamped.
    """

    number: int
    clip: int
    span: str = ""
    origin: float = 0.0

    @property
    def is_whole(self) -> bool:
        """True where the clip has no other piece and was not cut."""
        return not self.span


@dataclass(frozen=True)
class Clip:
    """An input and what becomes of it.

    Attributes:
        number: among all clips, from 0.
        name: the input as the user named it.
        path: its absolute path; a folder's of pictures too.
        target: where its result goes; '' where all clips have one result.
        mark: of the file; None for a folder.
        pieces: in their order.
        why_whole: the reason why it was not cut, '' where it could have been.
        begins: at which time of the source's own clock the first picture stands, which sound is placed by.
    """

    number: int
    name: str
    path: str
    target: str
    mark: FileMark | None
    pieces: tuple[Piece, ...]
    why_whole: str = ""
    begins: float = 0.0


@dataclass(frozen=True)
class Plan:
    """All of a run.

    Attributes:
        argv: the command as it was typed, with its name.
        clips: in their order.
        needed: files beside the inputs that every worker must see: networks, presets, tables.
        folder: where the pieces and the ledger are, beside the output.
        suffix: what the pieces' names end in.
        version: of this program: workers must have the same.
    """

    argv: tuple[str, ...]
    clips: tuple[Clip, ...]
    needed: tuple[FileMark, ...]
    folder: str
    suffix: str
    version: str

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces, in their order."""
        return tuple(piece for clip in self.clips for piece in clip.pieces)

    def identity(self, same: tuple[str, ...]) -> str:
        """Return what tells this run from another: SHA-256 of the command `same`, inputs and pieces."""
        whole: dict[str, Any] = {**asdict(self), "argv": list(same)}
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def span_of(piece: Piece) -> TimeSpan:
    """Return the part of the input that a piece is."""
    return TimeSpan.parse(piece.span) if piece.span else TimeSpan()
