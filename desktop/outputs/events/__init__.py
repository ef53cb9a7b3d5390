"""Actions of events: each module that defines ACTION is discovered under its name; delivery.py runs them."""

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
