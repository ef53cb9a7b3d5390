"""Undo, and the clipboard."""

from __future__ import annotations

from functools import partial
from typing import Final

from desktop.base.wording import sentence
from desktop.overlay.result_overlay import masks_of
from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.results.results_export import ResultsExport
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.window_context import WindowContext

MENUS: Final = (Menu("edit", sentence("&Edit"), order=1, groups=("history", "picture", "chain", "program")),)

_history = partial(Action, menu="edit", group="history")
_chain = partial(Action, menu="edit", group="chain")


def _has_masks(context: WindowContext) -> bool:
    tracked_result = context.workspace.engine.current.tracked_result
    return tracked_result is not None and bool(masks_of(tracked_result))


ACTIONS: Final = (
    _history(
        "undo",
        sentence("&Undo"),
        lambda w: w.workspace.edits.undo(),
        keys=("Ctrl+Z",),
        enabled=lambda w: bool(w.workspace.edits.undo_label),
        detail=lambda w: w.workspace.edits.undo_label,
    ),
    _history(
        "redo",
        sentence("&Redo"),
        lambda w: w.workspace.edits.redo(),
        keys=("Ctrl+Shift+Z", "Ctrl+Y"),
        enabled=lambda w: bool(w.workspace.edits.redo_label),
        detail=lambda w: w.workspace.edits.redo_label,
    ),
    Action(
        "copy_picture",
        sentence("Copy the &image"),
        lambda w: w.workspace.get(Pictures).copy_picture(),
        menu="edit",
        group="picture",
        keys=("Ctrl+Shift+C",),
    ),
    Action(
        "copy_cut_out",
        sentence("Copy the cut-&out"),
        lambda w: w.workspace.get(Pictures).cut_out(),
        menu="edit",
        group="picture",
        keys=("Ctrl+Alt+C",),
        enabled=_has_masks,
    ),
    Action(
        "save_cut_out",
        sentence("Save the cu&t-out"),
        lambda w: w.workspace.get(Pictures).cut_out(save=True),
        menu="edit",
        group="picture",
        enabled=_has_masks,
    ),
    Action(
        "save_shown",
        sentence("Save what is marked as C&OCO"),
        lambda w: w.workspace.get(ResultsExport).save_shown(),
        menu="edit",
        group="picture",
        enabled=_has_masks,
    ),
    Action(
        "mark_middle",
        sentence("Mark what is in the &middle"),
        lambda w: w.workspace.get(Clicks).add_point((0.5, 0.5)),
        menu="edit",
        group="picture",
        enabled=lambda w: w.workspace.get(Clicks).is_active,
    ),
    _chain(
        "copy_chain",
        sentence("&Copy all effects"),
        lambda w: w.workspace.edits.copy_stages(()),
        enabled=lambda w: bool(w.workspace.edits.chain.stages),
    ),
    _chain(
        "paste",
        sentence("&Paste effects"),
        lambda w: w.workspace.edits.paste_stages(),
        keys=("Ctrl+V",),
        enabled=lambda w: bool(w.workspace.edits.clipboard),
    ),
    _chain(
        "clear_chain",
        sentence("C&lear the effects"),
        lambda w: w.workspace.edits.clear_chain(),
        enabled=lambda w: bool(w.workspace.edits.chain.stages),
    ),
)
