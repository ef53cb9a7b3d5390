"""A client that says what it is told to an HTTP server, and listens."""

from __future__ import annotations

import contextlib
import re
import socket

from fuzz.harness import Finding

_WAIT_S = 10.0
_MOST = 1 << 22


def talk(address: tuple[str, int], parts: list[bytes], *, hangs_up: bool = False) -> bytes:
    """Send pieces on one connection and return what comes back, until an answer is whole or the server hangs
    up.

    Args:
        hangs_up: the client says by the end of what it sends that nothing more comes, so that no server waits
            for the rest.

    Raises:
        Finding: the server neither answers nor hangs up.
    """
    answer = b""
    with contextlib.suppress(ConnectionError), socket.create_connection(address, _WAIT_S) as client:
        for part in parts:
            client.sendall(part)
        if hangs_up:
            with contextlib.suppress(OSError):  # the server was first
                client.shutdown(socket.SHUT_WR)
        try:
            while not _is_whole(answer) and (more := client.recv(1 << 16)) and len(answer) < _MOST:
                answer += more
        except TimeoutError:
            raise Finding("a client waits for ever") from None
    return answer


def _is_whole(answer: bytes) -> bool:
    """Whether one answer is there; those to what was sent behind the first request are not waited for."""
    top, gap, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", top)
    return bool(gap) and length is not None and len(body) >= int(length[1])
