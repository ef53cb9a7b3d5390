"""Both front ends, from the first address to the last answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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

    async def _started(self, end: FrontEnd, place: Place) -> Address:
        try:
            port = await end.start(self.host, place.port, self.certificate)
        except OSError as error:
            option = f"--{place.title.lower()}"
            raise UsageError(
                f"{place.title} cannot listen on {self.host} port {place.port} ({error}); choose another "
                f"by {option} or --host."
            ) from error
        return Address(place.title, self.host, port)
