"""Base of sessions that wrap another session: backend, device, precision and server are those of the inner one."""

from __future__ import annotations

from desktop.compute.nn.session import Session, SessionCapabilities


class SessionAround:
    """The parts of `Session` that are those of the inner session, which is closed with it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def backend(self) -> str:
        """See `Session`."""
        return self._session.backend

    @property
    def device(self) -> str:
        """See `Session`."""
        return self._session.device

    @property
    def precision(self) -> str:
        """See `Session`."""
        return self._session.precision

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`: the inner session's server and division. A subclass adds its own, and what else it passes on."""
        inner = self._session.capabilities
        return SessionCapabilities(remote=inner.remote, division=inner.division)

    def close(self) -> None:
        """See `Session`."""
        self._session.close()
