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
        argv, here: the command line of the run, with the command's name, and its working directory.
        mark: of the input's file; None for a folder.
        needed: further files that the worker must be able to read.
        folder: where the result `name` goes, if the worker can access it.
        token: name and content of a file in it, by which a worker recognizes the folder.
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
    """A finished piece.

    Attributes:
        data: the result, if the worker cannot access the folder; None: it is in the folder.
        sent: bytes of the input sent to the worker.
        pictures: number of frames, as far as reported.
        seconds, starting: duration, from the start of its process, and the part before the first frame.
        notes: sentences for the user.
        is_incomplete: parts of the input, or of a layer over it, could not be read, as `notes` say.
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
    is_incomplete: bool = False


@dataclass(frozen=True)
class Failed:
    """A piece has failed; `is_final`: the command is wrong, and would fail on any worker."""

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
        """Assign a piece to an idle worker; `poll` has its outcome. Raises SpreadError without workers."""

    def poll(self) -> Sequence[Event]:
        """Return new events; blocks for a fraction of a second. Raises SpreadError if no worker is left."""

    def close(self) -> None:
        """Stop all workers and abort their work."""


@dataclass(frozen=True)
class ExecutorKind:
    """Description of an executor, as EXECUTOR in its module, whose name is the first word of the address.

    `open` makes it from the address and the number of workers (0: one per GPU). Raises UsageError for an
    invalid address, SpreadError if no worker is available.
    """

    help: str
    open: Callable[[str, int], Executor]
