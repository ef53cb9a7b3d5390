"""Sentences for whoever uses the program that come up deep inside, while something runs, and that no call returns.

What finds one out says it with `notice`; the command line prints it to standard error, the window shows it. Python's logging carries them:
it is safe on any thread, and a process that shows nothing keeps them in its log.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_LOG: Final = logging.getLogger("lightloom.notices")
_LOG.setLevel(logging.INFO)
_FIRST_S: Final = 2.0
_NEXT_S: Final = 30.0


class _Teller(logging.Handler):
    def __init__(self, tell: Callable[[str], object], level: int) -> None:
        super().__init__(level)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell(str(record.msg))


def notice(sentence: str) -> None:
    """Say a sentence to whoever listens; without anybody it goes to the log."""
    _LOG.warning(sentence)


@contextmanager
def said_while_it_lasts(sentence: str) -> Iterator[None]:
    """Have a sentence said while what is done inside lasts longer than two seconds, and again each half minute.

    Only those hear it who asked for what is `under_way`.
    """
    ended = threading.Event()

    def say() -> None:
        wait = _FIRST_S
        while not ended.wait(wait):
            _LOG.info(sentence)
            wait = _NEXT_S

    threading.Thread(target=say, name="notices", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


@contextmanager
def told_by(tell: Callable[[str], object], *, under_way: bool = False) -> Iterator[None]:
    """Have `tell` called with each notice, on the thread that it comes up on; `under_way`: and with what says that something lasts."""
    teller = _Teller(tell, logging.INFO if under_way else logging.WARNING)
    _LOG.addHandler(teller)
    try:
        yield
    finally:
        _LOG.removeHandler(teller)
