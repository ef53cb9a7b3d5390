"""Packages that find their modules in one more folder, as a plug-in's author would extend them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType


@contextmanager
def extended(package: ModuleType, folder: Path) -> Iterator[None]:
    """Let a package have the modules of a folder too."""
    package.__path__.append(str(folder))
    try:
        yield
    finally:
        package.__path__.remove(str(folder))
