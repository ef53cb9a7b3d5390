"""Interface between driver and workers: tasks, events, and the protocol of a module in `executors/`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from desktop.spread.plan import FileMark

CARRIED_BYTES: Final = 1 << 30
"""Maximum size of an input or result sent over the connection; larger ones need a shared folder."""


@dataclass(frozen=True)
class Task:
    """A piece as assigned to a worker.

    Attributes:
        number: of the piece.
        argv: the command line of the run, with the command's name.
        here: the working directory of the run.
        input: absolute path of the input.
        mark: of the input's file; None for a folder.
        needed: further files that the worker must be able to read.
        span, origin: as in `Piece`.
        folder: where the result goes, if the worker can access it.
        token: name and content of a file in it, by which a worker recognizes the folder.
        name: of the result.
        version: of the program.
    """

    number: int
    argv: tuple[str, ...]
    here: str
    input: str
    mark: FileMark | None
    needed: tuple[FileMark, ...]
    span: str
    origin: float
    folder: str
    token: tuple[str, str]
    name: str
    version: str


@dataclass(frozen=True)
class Moved:
    """Progress of a worker: `done` of `total` frames, 0 if unknown."""

    worker: str
    number: int
    done: int
    total: int


@dataclass(frozen=True)
class Done:
    """A piece is finished.

    Attributes:
        sha256: of the result, hexadecimal.
        size: of the result in bytes.
        data: the result, if the worker cannot access the folder; None: it is in the folder.
        sent: bytes of the input sent to the worker.
        pictures: number of frames, as far as reported.
        seconds: duration, from the start of its process.
        starting: the part of it before the first frame.
        notes: its warnings.
    """

    worker: str
    number: int
    sha256: str
    size: int
    data: bytes | None = None
    sent: int = 0
    pictures: int = 0
    seconds: float = 0.0
    starting: float = 0.0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failed:
    """A piece has failed.

    Attributes:
        text: a sentence.
        is_final: it would fail on any worker: the command is wrong.
    """

    worker: str
    number: int
    text: str
    is_final: bool = False


Event = Moved | Done | Failed


class Executor(Protocol):
    """Workers, each of which processes one piece at a time on its own GPU. Not thread-safe."""

    @property
    def idle(self) -> Sequence[str]:
        """Names of the idle workers."""

    @property
    def size(self) -> int:
        """Number of workers present or expected."""

    def give(self, worker: str, task: Task) -> None:
        """Assign a piece to an idle worker; `poll` returns its outcome.

        Raises:
            SpreadError: no worker is left.
        """

    def poll(self) -> Sequence[Event]:
        """Return the events since the last call; blocks for a fraction of a second at most.

        Raises:
            SpreadError: no worker is left.
        """

    def close(self) -> None:
        """Stop all workers and abort their work."""


@dataclass(frozen=True)
class ExecutorKind:
    """Description of an executor, as EXECUTOR in its module, whose name is the first word of the address.

    Attributes:
        help: its syntax and purpose, for --help.
        open: makes it from the address and the number of workers (0: one per GPU). Raises UsageError for an
            invalid address, SpreadError if no worker is available.
    """

    help: str
    open: Callable[[str, int], Executor]
