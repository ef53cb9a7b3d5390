"""Access to a session that computes on a server; neutral answers for local sessions."""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.session import Calls, Session

_PATIENCE_S: Final = 60.0
"""Seconds within which a restarted server has loaded its networks."""


class Caller:
    """Queries to a session beside its results. On any thread."""

    def __init__(self, session: Session) -> None:
        self._remote = session.capabilities.remote

    @property
    def is_elsewhere(self) -> bool:
        """True if another process or machine computes."""
        return self._remote is not None

    @property
    def calls(self) -> Calls | None:
        """Statistics of the calls; None if there are none."""
        return self._remote.calls if self._remote is not None else None

    @property
    def away(self) -> str:
        """Reason why there are no results now, in a sentence; '' otherwise."""
        return self._remote.calls.away if self._remote is not None else ""

    @property
    def is_paused(self) -> bool:
        """True while calls are pointless."""
        return self._remote is not None and self._remote.pause_s > 0

    def be_patient(self) -> None:
        """Wait for a server that is away: batch work skips no frame."""
        if self._remote is not None:
            self._remote.patience_s = _PATIENCE_S

    def abort(self) -> None:
        """Abort a running call: closing the network must not wait for a server."""
        if self._remote is not None:
            self._remote.abort()
