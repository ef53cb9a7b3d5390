"""Workers as local processes: `--on processes:N`, each on its own adapter as far as available."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Final

from desktop.base.errors import LightloomError, UsageError
from desktop.base.wording import sentence
from desktop.spread.executor import Event, Executor, ExecutorKind, Failed, Task
from desktop.spread.piece_run import PieceRun

_POLL_S: Final = 0.05
_MOST: Final = 256


class Processes(Executor):
    """Implements `Executor`."""

    def __init__(self, workers: int) -> None:
        self._names = [f"process {number + 1}" for number in range(workers)]
        self._running: dict[str, PieceRun] = {}
        self._failed: list[Failed] = []

    @property
    def idle(self) -> Sequence[str]:
        return [name for name in self._names if name not in self._running]

    @property
    def size(self) -> int:
        return len(self._names)

    @property
    def pids(self) -> dict[str, int]:
        """The processes that are at work, by the names of their workers."""
        return {name: run.pid for name, run in self._running.items()}

    def give(self, worker: str, task: Task) -> None:
        try:
            self._running[worker] = PieceRun(worker, self._names.index(worker), task)
        except LightloomError as error:
            self._failed.append(Failed(worker, task.number, str(error)))

    def poll(self) -> Sequence[Event]:
        time.sleep(_POLL_S)
        events: list[Event] = [*self._failed]
        self._failed.clear()
        for name, run in list(self._running.items()):
            event = run.poll()
            events.append(event)
            if run.pid == 0:
                del self._running[name]
        return events

    def close(self) -> None:
        for run in self._running.values():
            run.close()
        self._running.clear()


def _open(address: str, workers: int) -> Processes:
    found = re.fullmatch(r"processes(?::(\d{1,4}))?", address)
    count = int(found[1] or 0) if found else 0
    if found is None or (count and workers and count != workers):
        raise UsageError(sentence("'{address}' is not understood; write processes:4.", address=address))
    count = count or workers
    if not 1 <= count <= _MOST:
        raise UsageError(
            sentence("Say how many processes, 1 to {most}: processes:4.", most=_MOST),
        )
    return Processes(count)


EXECUTOR: Final = ExecutorKind("processes:N, N processes of this machine", _open)
