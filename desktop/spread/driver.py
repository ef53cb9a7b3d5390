"""Assigns a plan's pieces to workers, up to three times each before their clip fails, and has them joined."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from desktop.base.errors import SpreadError, UsageError
from desktop.base.wording import sentence
from desktop.spread.executor import Done, Event, Executor, Failed, Moved, Task
from desktop.spread.plan import Clip, Piece, Plan
from desktop.spread.run_journal import RunJournal

ATTEMPTS: Final = 3


@dataclass
class Tally:
    """Statistics of a run.

    Attributes:
        made, found, again: pieces made in this run, done before it (also outputs), and retried.
        sent, returned: bytes transferred to and from workers that cannot access the files.
        starting, working: seconds of all pieces before their first frame, and in total.
        failed: sentences about failed clips, by clip number.
        incomplete_pieces: number of those, of an earlier run too, with a gap; see `Done.is_incomplete`.
    """

    made: int = 0
    found: int = 0
    again: int = 0
    sent: int = 0
    returned: int = 0
    starting: float = 0.0
    working: float = 0.0
    pictures: int = 0
    failed: dict[int, str] = field(default_factory=dict)
    incomplete_pieces: int = 0


class Driver:
    """A run. For one thread."""

    def __init__(
        self,
        plan: Plan,
        run_journal: RunJournal,
        workers: Callable[[], Executor],
        here: Path,
        finish: Callable[[Clip, list[Path]], None],
        on_progress: Callable[[float, int], None],
        on_note: Callable[[str], None],
    ) -> None:
        """Make the pieces of a plan and join them.

        Args:
            workers: provides the workers; called only if pieces are left.
            here: the folder in which the command was typed.
            on_progress: called with the fraction done, 0 to 1, and the frames; may raise StoppedError.
            on_note: called with sentences during the run.
        """
        self._plan, self._run_journal, self._workers, self._here = plan, run_journal, workers, here
        self._finish, self._on_progress, self._on_note = finish, on_progress, on_note
        self.tally = Tally()
        self._waiting: list[Piece] = []
        self._running: dict[int, tuple[Piece, str, str]] = {}
        self._shares: dict[int, float] = {}
        self._shown: dict[int, int] = {}
        self._tries: dict[int, list[str]] = {}
        self._noted: set[str] = set()

    def run(self) -> Tally:
        """Do all remaining work; return its statistics.

        Raises SpreadError if no worker is left, UsageError if the command is wrong, StoppedError from
        `on_progress`.
        """
        for clip in self._plan.clips:
            if clip.number in self._run_journal.outputs:
                self.tally.found += len(clip.pieces)
                self._shares |= {piece.number: 1.0 for piece in clip.pieces}
                continue
            for piece in clip.pieces:
                if piece.number in self._run_journal.pieces:
                    self.tally.found += 1
                    self._shares[piece.number] = 1.0
                else:
                    self._waiting.append(piece)
            self._finish_if_complete(clip)
        if self._waiting:
            with contextlib.closing(self._workers()) as executor:
                while self._waiting or self._running:
                    self._hand_out(executor)
                    for event in executor.poll():
                        self._take(event)
                    self._report_progress()
        self.tally.incomplete_pieces = len(self._run_journal.incomplete_pieces)
        return self.tally

    def _report_progress(self) -> None:
        whole = max(1, len(self._plan.pieces))
        self._on_progress(sum(self._shares.values()) / whole, sum(self._shown.values()))

    # -- giving ----------------------------------------------------------------------------------------------

    def _hand_out(self, executor: Executor) -> None:
        for worker in list(executor.idle):
            piece = self._next_for(worker, executor.size)
            if piece is None:
                continue
            self._waiting.remove(piece)
            task = self._task(piece)
            self._running[piece.number] = (piece, worker, task.name)
            executor.give(worker, task)

    def _next_for(self, worker: str, workers: int) -> Piece | None:
        """The first piece that this worker has not failed at; where there is no other worker, any."""
        fresh = [piece for piece in self._waiting if worker not in self._tries.get(piece.number, ())]
        if fresh:
            return fresh[0]
        alone = workers < 2 or not self._running
        return self._waiting[0] if self._waiting and alone else None

    def _task(self, piece: Piece) -> Task:
        plan, clip = self._plan, self._plan.clips[piece.clip]
        return Task(
            piece.number,
            plan.argv,
            str(self._here),
            clip.path,
            clip.mark,
            plan.needed,
            piece.span,
            piece.origin,
            plan.folder,
            self._run_journal.token,
            # A name of its own for each attempt: one that was given up may still be writing.
            f"{piece.number:06d}-{secrets.token_hex(4)}{Path(clip.target).suffix or plan.suffix}",
            plan.version,
        )

    # -- taking ----------------------------------------------------------------------------------------------

    def _take(self, event: Event) -> None:
        held = self._running.get(event.number)
        if held is None or held[1] != event.worker:
            return  # of a piece that was given to another one meanwhile
        piece, _, name = held
        if isinstance(event, Moved):
            self._shown[piece.number] = event.done
            # Less than all of it until the piece lies on the disk.
            self._shares[piece.number] = min(0.99, event.done / event.total) if event.total else 0.0
            return
        del self._running[piece.number]
        if isinstance(event, Failed):
            self._failed(piece, event)
            return
        try:
            self._record_piece(piece, name, event)
        except SpreadError as error:
            self._failed(piece, Failed(event.worker, piece.number, str(error)))

    def _record_piece(self, piece: Piece, name: str, event: Done) -> None:
        self._run_journal.piece_done(
            piece.number, name, event.sha256, event.data, is_incomplete=event.is_incomplete
        )
        tally = self.tally
        tally.made += 1
        tally.sent += event.sent
        tally.returned += event.size if event.data is not None else 0
        tally.starting += event.starting
        tally.working += event.seconds
        tally.pictures += event.pictures
        self._shares[piece.number] = 1.0
        self._shown[piece.number] = event.pictures
        for note in event.notes:
            self._note(note)
        self._finish_if_complete(self._plan.clips[piece.clip])

    def _failed(self, piece: Piece, event: Failed) -> None:
        clip = self._plan.clips[piece.clip]
        self._shares.pop(piece.number, None)
        self._shown.pop(piece.number, None)
        if event.is_final:
            raise UsageError(event.text)
        tries = self._tries.setdefault(piece.number, [])
        tries.append(event.worker)
        if clip.number in self.tally.failed:
            return
        if len(tries) < ATTEMPTS:
            self.tally.again += 1
            self._note(
                sentence("{name}, {worker}: {text}", name=clip.name, worker=event.worker, text=event.text)
            )
            self._waiting.insert(0, piece)
            return
        self.tally.failed[clip.number] = sentence("{name}: {text}", name=clip.name, text=event.text)
        self._on_note(self.tally.failed[clip.number])
        self._waiting = [each for each in self._waiting if each.clip != clip.number]

    def _note(self, text: str) -> None:
        if text not in self._noted:
            self._noted.add(text)
            self._on_note(text)

    def _finish_if_complete(self, clip: Clip) -> None:
        numbers = [piece.number for piece in clip.pieces]
        if all(number in self._run_journal.pieces for number in numbers):
            self._finish(clip, [self._run_journal.path_of(number) for number in numbers])
