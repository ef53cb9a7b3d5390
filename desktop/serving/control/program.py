"""The program that is controlled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from desktop.serving.control.documents import Looks, Parameters, State


class Program(Protocol):
    """Carries out requests; all methods are called on its own thread and return at once.

    They raise ServingError or another LightloomError if a request cannot be carried out.
    """

    def state(self) -> State:
        """Return what is shown and done now."""

    def parameters(self) -> Parameters:
        """Return the chain's parameters."""

    def looks(self) -> Looks:
        """Return the looks that can be applied."""

    def set_values(self, stage: int, values: Mapping[str, Any]) -> None:
        """Set parameters of a stage, all of them or none."""

    def apply_look(self, name: str, fade_s: float | None) -> None:
        """Begin to apply a look, which is read first, with a cross-fade; None for the usual one."""

    def step_set_list(self, by: int) -> None:
        """Go to the next look of the set list (1) or the previous one (-1)."""

    def play(self, playing: bool) -> None:
        """Play or pause."""

    def seek(self, position: float) -> None:
        """Go to a time in seconds."""

    def record(self, on: bool) -> None:
        """Start or end a recording."""

    def snapshot(self) -> None:
        """Save the frame that is shown."""

    def undo(self) -> None:
        """Undo the last step."""

    def redo(self) -> None:
        """Repeat the step that was undone last."""
