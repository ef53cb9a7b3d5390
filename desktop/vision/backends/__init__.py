"""Backends, which compute networks: each file with BACKEND is one. Its `load` imports the engine."""

from __future__ import annotations

import functools

from desktop.base.discovery import registered
from desktop.base.plugins import provided
from desktop.vision.backends.backend import Backend

AUTO = "auto"
"""Name of a backend or device that leaves the choice to `load_session`."""


@functools.cache
def backends() -> tuple[Backend, ...]:
    """Return every backend, plug-ins included, highest priority first."""
    # Modules with an underscore are parts of a backend, which its `load` imports.
    found: list[Backend] = [*registered(__name__, "BACKEND"), *provided("backends")]
    return tuple(sorted(found, key=lambda backend: (-backend.priority, backend.name)))


def find_backend(name: str) -> Backend | None:
    """Return the backend of a name; None if there is none."""
    return next((backend for backend in backends() if backend.name == name), None)


def backend_choices() -> tuple[str, ...]:
    """Return the choices of a user: 'auto' and the backends' names."""
    return (AUTO, *(backend.name for backend in backends() if backend.capabilities.offered))
