"""Undo, and the clipboard."""

from __future__ import annotations

from functools import partial
from typing import Final

from desktop.ui.action import Action, Menu
from desktop.wording import sentence

MENUS: Final = (Menu("edit", sentence("&Edit"), order=1, groups=("history", "picture", "chain")),)

_history = partial(Action, menu="edit", group="history")
_chain = partial(Action, menu="edit", group="chain")

ACTIONS: Final = (
    _history(
        "undo",
        sentence("&Undo"),
        lambda w: w.controller.edits.undo(),
        keys=("Ctrl+Z",),
        enabled=lambda w: bool(w.controller.edits.history.undo_label),
        detail=lambda w: w.controller.edits.history.undo_label,
    ),
    _history(
        "redo",
        sentence("&Redo"),
        lambda w: w.controller.edits.redo(),
        keys=("Ctrl+Shift+Z", "Ctrl+Y"),
        enabled=lambda w: bool(w.controller.edits.history.redo_label),
        detail=lambda w: w.controller.edits.history.redo_label,
    ),
    Action(
        "copy_picture",
        sentence("Copy the &picture"),
        lambda w: w.controller.pictures.copy_picture(),
        menu="edit",
        group="picture",
        keys=("Ctrl+Shift+C",),
    ),
    _chain(
        "copy_chain",
        sentence("&Copy all filters"),
        lambda w: w.controller.edits.copy_stages(()),
        enabled=lambda w: bool(w.controller.edits.chain.stages),
    ),
    _chain(
        "paste",
        sentence("&Paste filters"),
        lambda w: w.controller.edits.paste_stages(),
        keys=("Ctrl+V",),
        enabled=lambda w: bool(w.controller.edits.clipboard),
    ),
    _chain(
        "clear_chain",
        sentence("C&lear the chain"),
        lambda w: w.controller.edits.clear_chain(),
        enabled=lambda w: bool(w.controller.edits.chain.stages),
    ),
)
