"""Actions of events, one file each: a file here that defines ACTION is discovered automatically, under its name.

`action.py` defines an action, `delivery.py` runs each on a thread of its own, so that no frame waits for a disk or an address.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from desktop.base.discovery import registered
from desktop.outputs.events.action import EventAction


@functools.cache
def event_actions() -> dict[str, EventAction]:
    """Return every action by its id, in the order in which they are offered."""
    found: Iterator[EventAction] = registered(__name__, "ACTION")
    return {action.id: action for action in sorted(found, key=lambda action: (action.order, action.id))}
