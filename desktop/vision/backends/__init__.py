"""Backends, which compute networks, one file each: a file here that defines BACKEND is discovered automatically.

Importing a backend does not import its engine; its `load` does.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from desktop.base.plugins import provided
from desktop.vision.backends.backend import Backend

AUTO = "auto"
"""Name of a backend or device that leaves the choice to `load_session`."""


@functools.cache
def backends() -> tuple[Backend, ...]:
    """Return every backend, plug-ins included, highest priority first."""
    # Modules with an underscore are parts of a backend, which its `load` imports.
    names = (m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    found = [module.BACKEND for module in modules if hasattr(module, "BACKEND")]
    found += provided("backends")
    return tuple(sorted(found, key=lambda backend: (-backend.priority, backend.name)))


def find_backend(name: str) -> Backend | None:
    """Return the backend of a name; None if there is none."""
    return next((backend for backend in backends() if backend.name == name), None)


def backend_choices() -> tuple[str, ...]:
    """Return the choices of a user: 'auto' and the backends' names."""
    return (AUTO, *(backend.name for backend in backends() if backend.capabilities.offered))
