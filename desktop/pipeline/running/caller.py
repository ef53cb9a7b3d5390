"""Access to a session that computes on a server; neutral answers for local sessions."""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.session import Calls, Elsewhere, Session

_PATIENCE_S: Final = 60.0
"""Seconds within which a restarted server has loaded its networks."""


class Caller:
    """Queries to a session beside its results. On any thread."""

    def __init__(self, session: Session) -> None:
        # Once: with Python 3.11 an isinstance check of a protocol takes 0.04 ms, and frames make it often.
        self._session = session if isinstance(session, Elsewhere) else None

    @property
    def is_elsewhere(self) -> bool:
        """True if another process or machine computes."""
        return self._session is not None

    @property
    def calls(self) -> Calls | None:
        """Statistics of the calls; None if there are none."""
        return self._session.calls if self._session is not None else None

    @property
    def away(self) -> str:
        """Reason why there are no results now, in a sentence; '' otherwise."""
        return self._session.calls.away if self._session is not None else ""

    @property
    def is_paused(self) -> bool:
        """True while calls are pointless."""
        return self._session is not None and self._session.pause_s > 0

    def be_patient(self) -> None:
        """Wait for a server that is away: batch work skips no picture."""
        if self._session is not None:
            self._session.patience_s = _PATIENCE_S

    def abort(self) -> None:
        """Abort a running call: closing the network must not wait for a server."""
        if self._session is not None:
            self._session.abort()
