"""A connection that is given up at its request's deadline or abort, even during the name look-up.

Names are resolved on a thread that may be left behind, as no timeout limits a look-up.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from desktop.net.deadline import Deadline

Address = tuple[str, int]
_Found = list[tuple[Any, ...]]
LookUp = Callable[..., _Found]


def connect(
    address: Address, timeout_s: float, deadline: Deadline, look_up: LookUp | None = None
) -> socket.socket:
    """Connect to the first of a host's addresses that accepts, in the system's order, watched by `deadline`.

    `timeout_s` is for each address; `look_up` finds them, by default the system. Raise OSError: no such name
    (gaierror), no connection (of the last address), not in time, or aborted.
    """
    failure = OSError("the name has no address")
    for family, kind, protocol, _, place in _addresses(address, deadline, look_up or socket.getaddrinfo):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(timeout_s)
            deadline.watch(sock)
            sock.connect(place)
            return sock
        except OSError as error:
            sock.close()
            failure = error
    raise failure


def _addresses(address: Address, deadline: Deadline, look_up: LookUp) -> _Found:
    promise: Future[_Found] = Future()

    def resolve() -> None:
        try:
            found = look_up(*address, type=socket.SOCK_STREAM)
        except Exception as error:
            deadline.deliver(promise, None, error)
        else:
            deadline.deliver(promise, found)

    deadline.expect(promise)
    threading.Thread(target=resolve, name="look up a name", daemon=True).start()
    return promise.result()
