"""Interface of inputs that receive values from controllers, such as MIDI devices, for automations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from desktop.base.discovery import registered
from desktop.base.wording import Text
from desktop.pipeline.automation.controls import ControlValues


class OpenInput(Protocol):
    """An input that receives."""

    def close(self) -> None:
        """Stop receiving. Twice is allowed."""


@dataclass(frozen=True)
class ControllerInput:
    """An input: one file in automation/inputs, which defines it as INPUT.

    Attributes:
        id: name of its file.
        title: for messages.
        open: (what is to be received from, values, notify) -> the open input; raises ControllerError. `notify` is
            called on the input's thread with what the user should know.
    """

    id: str
    title: Text
    open: Callable[[str, ControlValues, Callable[[str], None]], OpenInput]


@cache
def controller_inputs() -> Mapping[str, ControllerInput]:
    """Return all inputs by name."""
    return {each.id: each for each in registered("desktop.pipeline.automation.inputs", "INPUT")}
