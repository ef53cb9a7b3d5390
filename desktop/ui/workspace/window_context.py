"""Protocols of the window for its actions and panels, which therefore do not import it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, TypeVar

from PySide6.QtWidgets import QDockWidget, QWidget

from desktop.ui.workspace.viewport import Viewport
from desktop.ui.workspace.workspace import Workspace

Place = Literal["left", "right", "bottom"]
Kind = TypeVar("Kind", bound=QWidget)


class Docks(Protocol):
    """The docked panels around the frame; see `DockArea`."""

    locked: bool

    @property
    def docks(self) -> Mapping[str, QDockWidget]:
        """The docks by the ids of their panels."""

    def panel(self, panel_id: str, kind: type[Kind]) -> Kind:
        """Return a panel's widget."""

    def show(self, panel_id: str, *, grow: bool = False) -> None:
        """Show a panel and raise it above those that share its place."""

    def search(self, panel_id: str) -> None:
        """Show a panel with the focus in its search field."""

    def is_shown(self, panel_id: str) -> bool:
        """True unless the panel is hidden."""

    def toggle(self, panel_id: str, *, grow: bool = False) -> None:
        """Show a panel or hide it."""

    def shows_any(self, place: Place) -> bool:
        """True if a panel of a place is shown."""

    def toggle_place(self, place: Place) -> None:
        """Show all panels of a place, or hide them all."""

    def lock(self, locked: bool) -> None:
        """Lock or unlock the panels' places."""

    def reset(self) -> None:
        """Restore the default layout of the panels."""


class WindowContext(Protocol):
    """The window."""

    workspace: Workspace
    viewport: Viewport

    @property
    def dock_area(self) -> Docks:
        """The area of docked panels."""

    def show_message(self, text: str) -> None:
        """Show a short message on the frame for a moment."""

    def leave_control(self) -> None:
        """Move the focus from a control to the viewport, whose keys then work."""

    def isFullScreen(self) -> bool:
        """See QWidget."""

    def close(self) -> bool:
        """See QWidget."""
