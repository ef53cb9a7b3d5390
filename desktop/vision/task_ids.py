"""Names of all tasks, the modules of `tasks/`, which are imported only with their first network."""

from __future__ import annotations

import pkgutil
from pathlib import Path
from typing import Final

# Modules that are not tasks: the protocol, the shapes of results, and helpers shared by tasks.
_PARTS: Final = ("task", "shapes", "common")

TASK_IDS: Final = tuple(
    sorted(
        m.name for m in pkgutil.iter_modules([str(Path(__file__).parent / "tasks")]) if m.name not in _PARTS
    )
)
"""Names of all tasks, as presets, sidecar files, tables and headers contain them."""
