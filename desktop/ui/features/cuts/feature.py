"""Scene cuts: found on request, marks on the time line, and keys that jump from cut to cut."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.base.wording import sentence
from desktop.ui.features.cuts.cuts import Cuts
from desktop.ui.kit.widgets import format_time
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Cuts:
    return Cuts(w.jobs, w.messages, w.playback, w)


def _toggle(context: WindowContext) -> None:
    cuts = context.workspace.get(Cuts)
    if cuts.is_finding:
        cuts.stop()
        return
    cuts.find()
    translate = QCoreApplication.translate
    text = translate("Cuts", "Finding the scene cuts...") if cuts.is_finding else _count_text(cuts)
    context.show_message(text)


def _count_text(cuts: Cuts) -> str:
    return QCoreApplication.translate("Cuts", "Scene cuts found: {0}").format(len(cuts.times))


def _jump(context: WindowContext, direction: int) -> None:
    """Seek to the next (1) or previous (-1) cut; the first call finds them."""
    workspace, translate = context.workspace, QCoreApplication.translate
    cuts = workspace.get(Cuts)
    cuts.find()
    at = cuts.next(direction)
    if at is not None:
        workspace.playback.seek(at)
        context.show_message(translate("Cuts", "Cut at {0}").format(format_time(at, millis=True)))
    elif cuts.is_finding:
        context.show_message(translate("Cuts", "Finding the scene cuts..."))
    else:
        context.show_message(
            translate("Cuts", "No later cut") if direction > 0 else translate("Cuts", "No earlier cut")
        )


_cut = partial(Action, menu="playback/cuts", enabled=lambda w: w.workspace.get(Cuts).is_offered)

FEATURE: Final = Feature(
    parts=(Part(Cuts, _make),),
    menus=(Menu("playback/cuts", sentence("Scene &cuts"), group="seek", order=1),),
    actions=(
        _cut(
            "find_cuts",
            sentence("&Find scene cuts"),
            _toggle,
            checked=lambda w: w.workspace.get(Cuts).is_finding,
        ),
        _cut("previous_cut", sentence("&Previous cut"), lambda w: _jump(w, -1), keys=("Ctrl+Left",)),
        _cut("next_cut", sentence("&Next cut"), lambda w: _jump(w, 1), keys=("Ctrl+Right",)),
    ),
)
