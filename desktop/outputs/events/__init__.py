"""Actions of events, one file each: a file here that defines ACTION is discovered automatically, under its name.

`action.py` defines an action, `delivery.py` runs each on a thread of its own, so that no picture waits for a disk or an address.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from desktop.outputs.events.action import EventAction


@functools.cache
def event_actions() -> dict[str, EventAction]:
    """Return every action by its id, in the order in which they are offered."""
    modules = (importlib.import_module(m.name) for m in pkgutil.iter_modules(__path__, f"{__name__}."))
    found: list[EventAction] = [module.ACTION for module in modules if hasattr(module, "ACTION")]
    return {action.id: action for action in sorted(found, key=lambda action: (action.order, action.id))}
