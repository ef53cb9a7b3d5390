"""Identify the engine version in cache files: files of one version must not be used by another."""

from __future__ import annotations

import hashlib
from pathlib import Path

from desktop.base.resources import resource
from desktop.base.version import version


def engine_version() -> str:
    """Return the package's version, and the sizes and times of the engine's files if it runs from source."""
    sources = sorted(Path(__file__).parent.rglob("*.py")) + sorted(resource("shaders", "nn").rglob("*.wgsl"))
    stamps = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in sources]
    return f"{version()} {hashlib.sha256(repr(stamps).encode()).hexdigest()}"
