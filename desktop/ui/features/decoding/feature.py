"""The choice of the video decoder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from desktop.base.wording import sentence
from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.workspace.action import Menu
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part


def _fill(context: WindowContext, menu: QMenu, actions: Sequence[QAction]) -> None:
    # Imported when the menu opens: FFmpeg is not loaded before the first frame.
    from desktop.media.sources._decoding import AUTO, SOFTWARE, kinds, title_of

    translate, decoding = QCoreApplication.translate, context.workspace.get(Decoding)
    choices = [(AUTO, translate("Decoding", "Automatic: what is faster here"))]
    choices += [(SOFTWARE, translate("Decoding", "Software"))]
    choices += [(kind, title_of(kind)) for kind in kinds()]
    group = QActionGroup(menu)
    for choice, name in choices:
        action = menu.addAction(name)
        action.setCheckable(True)
        action.setChecked(decoding.choice == choice)
        action.triggered.connect(partial(_choose, context, choice))
        group.addAction(action)


def _choose(context: WindowContext, choice: str, _: bool = False) -> None:
    context.workspace.get(Decoding).choose(choice)
    context.show_message(QCoreApplication.translate("Decoding", "From the next video on"))


MENUS: Final = (
    Menu("playback/decoding", sentence("D&ecoding of videos"), group="picture", order=3, fill=_fill),
)
ACTIONS: Final = ()


FEATURE: Final = Feature(
    parts=(Part(Decoding, lambda w: Decoding(w.settings, w.messages, w.playback, w)),),
    menus=MENUS,
    actions=ACTIONS,
)
