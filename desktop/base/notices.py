"""Notices for the user from deep inside a running operation, which no call returns. The command line prints
them to standard error, the window shows them; Python's logging makes them thread-safe.
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
        self._listener = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._listener(str(record.msg))


def notice(sentence: str) -> None:
    """Report a sentence to all listeners; without any it goes to the log."""
    _LOG.warning(sentence)


@contextmanager
def report_while_running(sentence: str, *, first_s: float = _FIRST_S) -> Iterator[None]:
    """Report a sentence after `first_s` seconds and every half minute, to listeners with `under_way`."""
    ended = threading.Event()

    def repeat() -> None:
        wait = first_s
        while not ended.wait(wait):
            _LOG.info(sentence)
            wait = _NEXT_S

    threading.Thread(target=repeat, name="notices", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


@contextmanager
def forward_notices(tell: Callable[[str], object], *, under_way: bool = False) -> Iterator[None]:
    """Call `tell` with each notice, on its thread; with `under_way` also those about long operations."""
    teller = _Teller(tell, logging.INFO if under_way else logging.WARNING)
    _LOG.addHandler(teller)
    try:
        yield
    finally:
        _LOG.removeHandler(teller)
