"""Action that opens the page of preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.forms.setting import Section
from desktop.ui.kit.widgets import Themed
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.window_context import WindowContext

if TYPE_CHECKING:
    from desktop.ui.features.preferences.page import PreferencesDialog


def show_preferences(context: WindowContext, section: Section | None = None) -> PreferencesDialog:
    """Open or raise the preferences page, without blocking the window."""
    from desktop.ui.features.preferences.page import PreferencesDialog

    window, workspace = context.viewport.window(), context.workspace
    there = window.findChild(PreferencesDialog)
    page = there or PreferencesDialog(
        workspace.settings,
        workspace.jobs,
        workspace.get(Themed),
        window,
        feature_settings=workspace.feature_settings,
    )
    if section is not None:
        page.show_section(section)
    page.show()
    page.raise_()
    page.activateWindow()
    return page


ACTIONS: Final = (
    Action(
        "preferences",
        sentence("Prefere&nces..."),
        show_preferences,
        menu="edit",
        group="program",
        keys=("Ctrl+,",),
        role="preferences",
    ),
)
