"""Turns at the queue of a software adapter, so that the thread which renders never waits for it.

There a submission returns only when the one before has been executed (docs/facts.md): a frame behind a
network would hold up its thread for seconds. So a frame begins only while nothing is submitted, else it is
skipped, and every other thread waits for its turn, submits, and waits until the GPU is done.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

# Time for which others leave the next turn to a frame that had to be skipped; the window may tick 60 times a
# second.
_RESERVED_S: Final = 0.04


class Turns:
    """The right to submit. On an adapter whose submissions return at once there are none to take.

    Frames begin and end their turn, which frames of several pipelines share; `submit` is for everything else,
    on any thread.

    Attributes:
        are_needed: submissions to this adapter wait for each other.
    """

    def __init__(self, *, are_needed: bool = False) -> None:
        self.are_needed = are_needed
        self._free = threading.Condition()
        self._frames = 0  # under way
        self._waiting = 0  # threads
        self._is_taken = False  # by what does not share it
        self._renderer: int | None = None  # the thread that renders, once there is one
        self._reserved_until = 0.0

    def is_free(self) -> bool:
        """Return True if a frame could begin; otherwise the next turn is reserved for one for a moment."""
        if not self.are_needed:
            return True
        with self._free:
            return self._may_begin()

    def _may_begin(self) -> bool:
        if self._is_taken:
            self._reserved_until = time.monotonic() + _RESERVED_S
            return False
        # Behind a frame others have their turn, or frames would follow each other for ever.
        return not (self._frames and self._waiting)

    def begin_frame(self) -> bool:
        """Take the turn for a frame of the calling thread, and return True; False if it is taken."""
        if not self.are_needed:
            return True
        with self._free:
            if not self._may_begin():
                return False
            self._renderer = threading.get_ident()
            self._frames += 1
            self._reserved_until = 0.0
            return True

    def end_frame(self) -> None:
        """End a frame's turn: the GPU has finished it; on any thread."""
        if not self.are_needed:
            return
        with self._free:
            self._frames -= 1
            self._free.notify_all()

    def begin_alone(self) -> bool:
        """Take the turn for other work of the thread that renders, and return True; False if a frame is under
        way or another thread submits or waits.
        """
        if not self.are_needed:
            return True
        with self._free:
            if self._is_taken or self._frames or self._waiting or self._left > 0.0:
                return False
            self._renderer = threading.get_ident()
            self._is_taken = True
            return True

    def end_alone(self) -> None:
        """End the turn of `begin_alone`: the GPU has finished; on any thread."""
        if not self.are_needed:
            return
        with self._free:
            self._is_taken = False
            self._free.notify_all()

    def submit(self, submit: Callable[[], None], submit_and_wait: Callable[[], None]) -> None:
        """Call `submit` at once on the thread that renders; on others `submit_and_wait`, in its turn, which
        returns when the GPU is done.
        """
        if not self.are_needed or self._renderer in (None, threading.get_ident()):
            submit()
            return
        self._wait_for_turn()
        try:
            submit_and_wait()
        finally:
            self.end_alone()

    def _wait_for_turn(self) -> None:
        with self._free:
            self._waiting += 1
            try:
                while (is_taken := self._is_taken or self._frames > 0) or self._left > 0.0:
                    self._free.wait(None if is_taken else self._left)
            finally:
                self._waiting -= 1
            self._is_taken = True

    @property
    def _left(self) -> float:
        """Seconds for which the turn is reserved for a frame."""
        return self._reserved_until - time.monotonic()
