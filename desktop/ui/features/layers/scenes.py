"""Scenes: the user's own looks, with their layers and networks, by the keys Alt+1 to Alt+9."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.base.wording import sentence
from desktop.ui.features.opening.opening import Opening
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.window_context import WindowContext

_MOST: Final = 9


def _use(number: int, window: WindowContext) -> None:
    # Reads files, which the first frame does not wait for.
    from desktop.pipeline.setup.known import looks

    own = [look for look in looks() if not look.is_bundled]
    if number <= len(own):
        window.workspace.get(Opening).load_preset(own[number - 1].path)
    else:
        said = QCoreApplication.translate("Scenes", "There is no scene {0}: save a look first")
        window.show_message(said.format(number))


MENUS: Final = (Menu("filters/scenes", sentence("Sc&enes"), group="library"),)
ACTIONS: Final = tuple(
    Action(
        f"scene_{number}",
        sentence("Scene &{number}", number=number),
        partial(_use, number),
        menu="filters/scenes",
        keys=(f"Alt+{number}",),
    )
    for number in range(1, _MOST + 1)
)
