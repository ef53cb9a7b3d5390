"""Features of the window: each package whose module `feature` defines FEATURE is discovered."""

from __future__ import annotations

import importlib

from desktop.base.discovery import module_names
from desktop.ui.workspace.feature import Feature


def find_features() -> tuple[Feature, ...]:
    """Return all features, by the names of their packages."""
    names = module_names(__name__)
    return tuple(importlib.import_module(f"{__name__}.{name}.feature").FEATURE for name in names)
