"""The network of a source of `watch`, loaded later if its server is unreachable at the start."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Final

from desktop.base import console
from desktop.base.errors import LightloomError, ModelAwayError
from desktop.cli._report import NetworkNotes
from desktop.cli._zones import report_unknown_classes
from desktop.net.inference.address import is_remote, parse_address
from desktop.pipeline.engine import Engine
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.remote import query_network

_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 60.0
_NOTES_S: Final = 1.0


class AwaitedNetwork:
    """Applies a setup to an engine that continues without servers. For the rendering thread only."""

    def __init__(
        self, engine: Engine, setup: Setup, waits: tuple[float, float] = (_FIRST_WAIT_S, _LONGEST_WAIT_S)
    ) -> None:
        """Apply the setup. If the network's server does not respond, all but the network is applied, until a later
        `step`; any other fault raises LightloomError. `waits` are the shortest and the longest time in seconds
        until the next attempt.
        """
        self._engine, self._setup = engine, setup
        self._wait, self._longest = waits
        self._due = self._notes_due = 0.0
        self._query: _Query | None = None
        self._notes = NetworkNotes()
        self._is_missing = False
        self._load()

    @property
    def fault(self) -> str:
        """Reason why there are no results now, in a sentence; '' otherwise."""
        status = self._engine.current.network_status
        return status.text if status.state in ("away", "failed") else ""

    def step(self) -> None:
        """Report changes of the network's state, and load it once its server responds; never wait for the server.

        Raise LightloomError if that network cannot be used.
        """
        now = time.monotonic()
        if now >= self._notes_due:
            self._notes_due = now + _NOTES_S
            self._notes.report_statuses(self._engine)
        if not self._is_missing:
            return
        if self._query is None and now >= self._due:
            self._query = _Query(_addresses(self._setup))
        elif self._query is not None and self._query.is_done:
            query, self._query = self._query, None
            if query.responds:
                self._load()
            else:
                self._postpone()

    def _load(self) -> None:
        current = self._engine.current
        try:
            # An engine loads only a network that differs from the one before.
            current.set_setup(replace(self._setup, network=None))
            current.set_setup(self._setup)
        except ModelAwayError:
            if not self._is_missing:
                self._notes.report_statuses(self._engine)
                console.err(
                    "The source goes on without results; its network is loaded once the server responds."
                )
            self._is_missing = True
            self._postpone()
            return
        self._is_missing = False
        self._notes.report_statuses(self._engine)
        report_unknown_classes(self._engine)

    def _postpone(self) -> None:
        self._due = time.monotonic() + self._wait
        self._wait = min(self._wait * 2, self._longest)


class _Query:
    """Queries servers for networks on a thread, as a server that is away may keep a call waiting for seconds."""

    def __init__(self, addresses: tuple[str, ...]) -> None:
        self._addresses = addresses
        self.is_done = False
        self.responds = False
        threading.Thread(target=self._run, name="query network", daemon=True).start()

    def _run(self) -> None:
        try:
            for address in self._addresses:
                query_network(parse_address(address))
            self.responds = True
        except ModelAwayError:
            pass
        except LightloomError:
            self.responds = True  # loading fails for the same reason, and reports it
        finally:
            self.is_done = True


def _addresses(setup: Setup) -> tuple[str, ...]:
    """Return the addresses among the networks that analyze."""
    spec = setup.network
    models = () if spec is None else (spec.model, *(() if spec.second is None else (spec.second.model,)))
    return tuple(model for model in models if is_remote(model))
