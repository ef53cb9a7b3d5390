"""Both front ends, from the first address to the last answer."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, Protocol

from desktop.base.errors import UsageError
from desktop.serving.access import Access, Certificate
from desktop.serving.faults import log_client_fault
from desktop.serving.service import Service

_ARRIVED_S: Final = 0.1


class FrontEnd(Protocol):
    """One protocol on one address."""

    async def start(self, host: str, port: int, certificate: Certificate | None) -> int: ...

    async def drain(self, seconds: float) -> bool:
        """Reject new requests and finish begun ones; return False if some were aborted after `seconds`."""

    async def close(self) -> None: ...


MakeFrontEnd = Callable[[Service, Access], FrontEnd]


@dataclass(frozen=True)
class Place:
    """Address of a front end: its `title` in messages, its constructor, and a port (0: a free one)."""

    title: str
    make: MakeFrontEnd
    port: int


@dataclass(frozen=True)
class Address:
    """The address on which a front end listens."""

    title: str
    host: str
    port: int


@dataclass(frozen=True)
class Serving:
    """Attributes: places: the front ends. certificate: of both of them; None for no TLS."""

    host: str
    places: tuple[Place, ...]
    access: Access
    certificate: Certificate | None = None

    async def run(
        self, service: Service, stop: asyncio.Event, report: Callable[[tuple[Address, ...]], None]
    ) -> bool:
        """Serve until `stop` is set, then drain; `report` is called once all addresses listen.

        Return False if slow requests were aborted. Raises UsageError if an address is in use or not local.
        """
        asyncio.get_running_loop().set_exception_handler(log_client_fault)
        ends: list[FrontEnd] = []
        try:
            addresses = []
            for place in self.places:
                end = place.make(service, self.access)
                ends.append(end)
                addresses.append(await self._started(end, place))
            report(tuple(addresses))
            await stop.wait()
            # Data that arrived before the shutdown is read first: it does not count as a new request.
            await asyncio.sleep(_ARRIVED_S)
            service.is_draining = True
            return all(await asyncio.gather(*(end.drain(service.limits.drain_s) for end in ends)))
        finally:
            await asyncio.gather(*(end.close() for end in ends))

    def check_addresses(self) -> None:
        """Raise UsageError if an address is in use or not local: to be known before models are loaded."""
        with ExitStack() as bound:
            for place in self.places:
                try:
                    _bind(self.host, place.port, bound)
                except OSError as error:
                    raise self._not_listening(place, error) from error

    async def _started(self, end: FrontEnd, place: Place) -> Address:
        try:
            port = await end.start(self.host, place.port, self.certificate)
        except OSError as error:
            raise self._not_listening(place, error) from error
        return Address(place.title, self.host, port)

    def _not_listening(self, place: Place, error: OSError) -> UsageError:
        option = f"--{place.title.lower()}"
        return UsageError(
            f"{place.title} cannot listen on {self.host} port {place.port} ({error}); choose another by {option} "
            "or --host."
        )


def _bind(host: str, port: int, bound: ExitStack) -> None:
    """Bind a host's addresses until `bound` ends; raise OSError if one is in use, or if there is none."""
    failed: OSError | None = None
    has_one = False
    for family, kind, protocol, _, address in socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    ):
        try:
            found = bound.enter_context(socket.socket(family, kind, protocol))
            if sys.platform != "win32":  # there it would take an address that is in use
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            found.bind(address)
            has_one = True
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                raise
            failed = error  # such as of an IPv6 address without IPv6
    if not has_one and failed is not None:
        raise failed
