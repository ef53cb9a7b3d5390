"""Base of sessions that wrap another one and take over its backend, device, precision and server."""

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
        """See `Session`: the inner session's server and division; subclasses add more."""
        inner = self._session.capabilities
        return SessionCapabilities(remote=inner.remote, division=inner.division)

    def close(self) -> None:
        """See `Session`."""
        self._session.close()
