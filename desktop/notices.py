"""Sentences for whoever uses the program that come up deep inside, while something runs, and that no call returns.

What finds one out says it with `notice`; the command line prints it to standard error, the window shows it. Python's logging carries them:
it is safe on any thread, and a process that shows nothing keeps them in its log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_LOG: Final = logging.getLogger("lightloom.notices")


class _Teller(logging.Handler):
    def __init__(self, tell: Callable[[str], object]) -> None:
        super().__init__(logging.WARNING)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell(str(record.msg))


def notice(sentence: str) -> None:
    """Say a sentence to whoever listens; without anybody it goes to the log."""
    _LOG.warning(sentence)


@contextmanager
def told_by(tell: Callable[[str], object]) -> Iterator[None]:
    """Have `tell` called with each notice, on the thread that it comes up on."""
    teller = _Teller(tell)
    _LOG.addHandler(teller)
    try:
        yield
    finally:
        _LOG.removeHandler(teller)
