"""Versions of wgpudawn and Dawn in use, and the version supported (pinned by pyproject.toml)."""

from __future__ import annotations

import functools
import importlib
from typing import Final

from desktop.compute.gpu.versions import Versions

KNOWN: Final = "0.32.0.4"


@functools.cache
def versions_in_use() -> Versions:
    """Return the versions in use; cached."""
    library = importlib.import_module("wgpudawn._lib").dawn_version
    return Versions(importlib.import_module("wgpudawn").__version__, str(library), "wgpudawn", "Dawn")


def is_known() -> bool:
    """Return True if this package knows the internals of the installed wgpudawn."""
    return versions_in_use().binding == KNOWN
