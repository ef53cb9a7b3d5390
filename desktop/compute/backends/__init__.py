"""What computes a network, one file each: a file here that defines BACKEND is found by itself.

Only what is asked of a network's backend is imported: `load` of each brings its engine.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from desktop.compute.backends.backend import Backend
from desktop.plugins import provided

AUTO = "auto"
"""What a user says who leaves the choice to `load_session`."""


@functools.cache
def backends() -> tuple[Backend, ...]:
    """Return every backend, of plug-ins too, those that are asked first at first."""
    # What begins with an underscore is a backend's part, which its `load` brings.
    names = (m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    found = [module.BACKEND for module in modules if hasattr(module, "BACKEND")]
    found += provided("backends")
    return tuple(sorted(found, key=lambda backend: (-backend.priority, backend.name)))


def find_backend(name: str) -> Backend | None:
    """Return the backend of a name; None where there is none."""
    return next((backend for backend in backends() if backend.name == name), None)


def backend_choices() -> tuple[str, ...]:
    """Return what a user may say: 'auto' and the backends' names."""
    return (AUTO, *(backend.name for backend in backends() if backend.capabilities.offered))
