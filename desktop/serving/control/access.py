"""Access control of remote control: tokens, host names, origins, and rate limits of each peer."""

from __future__ import annotations

import ipaddress
import math
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from desktop.base.errors import ServingError
from desktop.net.loopback import is_loopback, without_port

# Without digits and letters that look alike.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 4

_RATE: Final = 40.0
_BURST: Final = 120.0
_FAILURES: Final = 5
_FAILURES_S: Final = 60.0
_MOST_PEERS: Final = 256


def new_token() -> str:
    """Return a token that can be typed on a phone: 16 letters and digits in groups, of 79 bits."""
    groups = ["".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS)]
    return "-".join(groups)


def check_origin(origin: str | None, host: str, *, local: bool) -> None:
    """Raise ServingError for requests of other pages than the server's, and for foreign host names.

    With `local` only names of loopback are its own, else also addresses and the machine's name: a page can have
    its own name resolve to this machine, but none of those.
    """
    name = without_port(host)
    if not is_loopback(name) and (local or not _is_of_machine(name)):
        raise ServingError("forbidden", "The host name is not one of this machine; use its address.")
    if origin is not None and origin != f"http://{host}":
        raise ServingError("forbidden", "Other pages in browsers may not control this program; open its own.")


def _is_of_machine(name: str) -> bool:
    own = socket.gethostname().lower()
    if name.lower() in (own, f"{own}.local"):
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


@dataclass
class _Peer:
    """Attributes: left: requests that it may make at once, as of `at`. failures: times of wrong tokens."""

    left: float
    at: float
    failures: list[float] = field(default_factory=list)


class Peers:
    """Limits of each peer, by its address: 40 requests a second after 120 at once, five wrong tokens a minute.

    For the server's thread. The peers that came least lately are dropped above 256.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        rate: float = _RATE,
        burst: float = _BURST,
        failures: int = _FAILURES,
    ) -> None:
        self._clock, self._rate, self._burst, self._most_failures = clock, rate, burst, failures
        self._peers: OrderedDict[str, _Peer] = OrderedDict()

    def admit(self, address: str) -> None:
        """Count a request; raise ServingError for one too many."""
        now, peer = self._clock(), self._find(address)
        peer.left = min(self._burst, peer.left + self._rate * (now - peer.at))
        peer.at = now
        if peer.left < 1.0:
            raise ServingError("full", "Too many requests; send fewer in a second.")
        peer.left -= 1.0

    def check_failures(self, address: str) -> None:
        """Raise ServingError while too many wrong tokens came from an address."""
        now, peer = self._clock(), self._find(address)
        peer.failures = [at for at in peer.failures if now - at < _FAILURES_S]
        if len(peer.failures) >= self._most_failures:
            wait = math.ceil(peer.failures[0] + _FAILURES_S - now)
            raise ServingError(
                "full",
                f"Too many wrong tokens; wait {wait} seconds, then send the right one.",
                retry_s=wait,
            )

    def count_failure(self, address: str) -> None:
        """Count a wrong token."""
        self._find(address).failures.append(self._clock())

    def _find(self, address: str) -> _Peer:
        peer = self._peers.get(address)
        if peer is None:
            peer = self._peers[address] = _Peer(self._burst, self._clock())
        self._peers.move_to_end(address)
        while len(self._peers) > _MOST_PEERS:
            self._peers.popitem(last=False)
        return peer
