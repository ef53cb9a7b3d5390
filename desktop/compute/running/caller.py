"""How a network's session is reached where it computes elsewhere; of one that computes here there is nothing to tell."""

from __future__ import annotations

from typing import Final

from desktop.compute.nn.session import Calls, Elsewhere, Session

_PATIENCE_S: Final = 60.0
"""A server that was restarted has loaded its networks by then."""


class Caller:
    """What is asked of a session beside its results. On any thread."""

    def __init__(self, session: Session) -> None:
        # Once: with Python 3.11 to ask a protocol takes 0.04 ms, and frames ask often.
        self._session = session if isinstance(session, Elsewhere) else None

    @property
    def is_elsewhere(self) -> bool:
        """True where what computes is not this program."""
        return self._session is not None

    @property
    def calls(self) -> Calls | None:
        """How calls go; None where there are none."""
        return self._session.calls if self._session is not None else None

    @property
    def away(self) -> str:
        """Why there is no result for now, in a sentence; '' while there are results."""
        return self._session.calls.away if self._session is not None else ""

    @property
    def is_paused(self) -> bool:
        """True while it is not worth asking."""
        return self._session is not None and self._session.pause_s > 0

    def be_patient(self) -> None:
        """Wait for a server that is away: batch work leaves no picture out."""
        if self._session is not None:
            self._session.patience_s = _PATIENCE_S

    def abort(self) -> None:
        """End a call that is under way: whoever closes the network must not wait for a server."""
        if self._session is not None:
            self._session.abort()
