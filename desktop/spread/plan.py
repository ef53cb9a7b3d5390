"""Plan of a run: clips, each of one or several pieces, as frozen values that can be serialized."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from desktop.base.errors import SourceNotFoundError
from desktop.base.files import open_regular, reason
from desktop.base.wording import sentence

PIECE_THREADS: Final = "8"
"""Encoder threads, fixed because the output of libx264, libx265 and FFV1 depends on their number."""

PIECE_MUXING: Final = {"fflags": "+bitexact"}
"""Muxer options for reproducible files: Matroska files otherwise contain a random number."""

_END_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class FileMark:
    """Identity of a file across machines: absolute path, size in bytes and digest.

    `digest` is the SHA-256 of its first and last MiB, hexadecimal; not of all, which is slow for long videos.
    """

    path: str
    size: int
    digest: str

    @classmethod
    def of(cls, path: Path) -> Self:
        """Return the identity of a file. Raises SourceNotFoundError if it cannot be read."""
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
        """Return True if this machine has the same file at the same path."""
        try:
            return FileMark.of(Path(self.path)) == self
        except SourceNotFoundError:
            return False


@dataclass(frozen=True)
class Piece:
    """The unit of work of a worker.

    Attributes:
        number, clip: index among all pieces of the run, and among all clips.
        span: the part of the input, as `TimeSpan.text` writes it; '' for an input that is not split.
        origin: the time of the clip's first frame, in seconds of the source: its timestamps start there.
    """

    number: int
    clip: int
    span: str = ""
    origin: float = 0.0

    @property
    def is_complete(self) -> bool:
        """True if the clip was not split."""
        return not self.span


@dataclass(frozen=True)
class Clip:
    """An input and its output.

    Attributes:
        name, path: the input as the user named it, and its absolute path.
        target: path of its output; '' if all clips have one result.
        mark: of the file; None for a folder.
        begins: time of the first frame on the source's own clock, for aligning the audio.
    """

    number: int
    name: str
    path: str
    target: str
    mark: FileMark | None
    pieces: tuple[Piece, ...]
    unsplit_reason: str = ""
    begins: float = 0.0


@dataclass(frozen=True)
class Plan:
    """A complete run.

    Attributes:
        needed: further files that every worker must be able to read: networks, presets, tables.
        folder: path of the pieces and the run journal, beside the output.
        suffix: file extension of the pieces.
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
        """All pieces, in order."""
        return tuple(piece for clip in self.clips for piece in clip.pieces)

    def identity(self, same: tuple[str, ...]) -> str:
        """Return the identity of the run: SHA-256 of the command `same`, inputs and pieces."""
        whole: dict[str, Any] = {**asdict(self), "argv": list(same)}
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
