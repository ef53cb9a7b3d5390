"""Where workers are: what the driver gives them, what it hears of them, and what a file in `executors/` has to offer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from desktop.compute.spread.plan import FileMark

CARRIED_BYTES: Final = 1 << 30
"""What is sent to a worker, or back, where there is no folder that both see: more belongs on shared storage."""


@dataclass(frozen=True)
class Task:
    """A piece as a worker gets it.

    Attributes:
        number: of the piece.
        argv: the command as it was typed, with its name.
        here: the folder in which it was typed.
        input: absolute path of the input.
        mark: of the input's file; None for a folder.
        needed: what the worker must see beside it.
        span, origin: as in `Piece`.
        folder: where the result goes, if the worker sees it.
        token: the name of a file in it, by which a worker knows that it does, and what stands in it.
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
    """A worker is at it: `done` of `total` pictures, 0 where nobody knows."""

    worker: str
    number: int
    done: int
    total: int


@dataclass(frozen=True)
class Done:
    """A piece is done.

    Attributes:
        sha256: of the result, hexadecimal.
        size: of it in bytes.
        data: the result, where the worker does not see the folder; None: it is there.
        sent: bytes of the input that were carried to the worker.
        pictures: how many there were, as far as was told.
        seconds: how long it took, from the start of its process.
        starting: how much of that passed before its first picture.
        notes: what it complained of.
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
    """A piece is not done.

    Attributes:
        text: a sentence.
        is_final: no worker would do better: the command is wrong.
    """

    worker: str
    number: int
    text: str
    is_final: bool = False


Event = Moved | Done | Failed


class Executor(Protocol):
    """Workers, each of which does one piece at a time on a GPU of its own. For one thread."""

    @property
    def idle(self) -> Sequence[str]:
        """Names of the workers that can be given something now."""

    @property
    def size(self) -> int:
        """How many workers there are, or will be."""

    def give(self, worker: str, task: Task) -> None:
        """Have an idle worker do a piece; what becomes of it, `poll` tells.

        Raises:
            SpreadError: there are no workers any more.
        """

    def poll(self) -> Sequence[Event]:
        """Return what has happened since the last call; waits a fraction of a second at most.

        Raises:
            SpreadError: there are no workers any more.
        """

    def close(self) -> None:
        """End all workers, and what they are at."""


@dataclass(frozen=True)
class ExecutorKind:
    """What a file in `executors/` says of itself, as EXECUTOR; its name is the first word of the address.

    Attributes:
        help: how it is written, and what it is, for --help.
        open: makes it of the whole address and the number of workers that was asked for (0: as many as there are GPUs). Raises a UsageError
            for an address that is none, a SpreadError where no worker can be had.
    """

    help: str
    open: Callable[[str, int], Executor]
