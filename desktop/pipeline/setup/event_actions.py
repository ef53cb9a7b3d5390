"""Event actions as presets store them; `outputs/events/`, a higher layer, executes them by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, Protocol

from desktop.base.fields import Field, Value

_PACKAGE: Final = "desktop.outputs.events"


class EventActionKind(Protocol):
    """Kind of action: its preset fields and consent text; see `outputs.events.action.EventAction`."""

    @property
    def id(self) -> str:
        """Name in presets."""

    @property
    def title(self) -> str:
        """Name in the window."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """Fields of the action."""

    @property
    def target(self) -> Callable[[Mapping[str, Value]], str]:
        """Function that names the file or host that an action with these values writes to."""

    def checked(self, values: Mapping[str, Any]) -> dict[str, Value]:
        """Return a value for each field. Raises UsageError for a value that its field does not take."""


def event_actions() -> Mapping[str, EventActionKind]:
    """Return every kind of action by its id."""
    found: Mapping[str, EventActionKind] = import_module(_PACKAGE).event_actions()
    return found
