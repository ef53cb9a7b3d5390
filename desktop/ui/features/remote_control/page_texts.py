"""Texts of the page for browsers (assets/remote_control/page.html), in the window's language."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.ui.kit.language import translated

_TEXTS: Final = (
    sentence("Code"),
    sentence(
        "The code is in the window of Lightloom: Edit, Remote control. It is kept until this tab is closed."
    ),
    sentence("Connect"),
    sentence("Connecting..."),
    sentence("Connected"),
    sentence("No connection; trying again"),
    sentence("This code is not right; type the one in the window."),
    sentence("The response is unreadable; reload the page."),
    sentence("Playback"),
    sentence("Position"),
    sentence("Play"),
    sentence("Pause"),
    sentence("Record"),
    sentence("Stop recording"),
    sentence("Snapshot"),
    sentence("Undo"),
    sentence("Redo"),
    sentence("Set list"),
    sentence("Previous"),
    sentence("Next"),
    sentence("Effects"),
    sentence("The chain has no effects; choose a look below."),
    sentence("Looks"),
)


def page_texts() -> dict[str, str]:
    """Return the translated texts by their English."""
    return {str(text): translated(text) for text in _TEXTS}
