"""Which tasks there are, by name alone: the files of `tasks/`. A leaf, read before any task is imported.

Tables of networks in the box and headers of filters name tasks, and the window reads both at its start; what a task does is imported with
its first network.
"""

from __future__ import annotations

import pkgutil
from pathlib import Path
from typing import Final

# What tasks are made of: the protocol, the shapes of results, and what several tasks share.
_PARTS: Final = ("task", "shapes", "common")

TASK_IDS: Final = tuple(
    sorted(
        m.name for m in pkgutil.iter_modules([str(Path(__file__).parent / "tasks")]) if m.name not in _PARTS
    )
)
"""Names of all tasks, as presets, sidecars, tables and headers write them."""
