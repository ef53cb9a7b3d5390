"""An action of the sample feature, in a menu of its own within another."""

from __future__ import annotations

from desktop.ui.workspace.action import Action, Menu

MENUS = (Menu("help/sample", "&Sample", group="guide", titled=lambda text: f"Sample: {text}"),)
ACTIONS = (
    Action(
        "greet",
        "&Greet",
        lambda w: w.show_message("Hello"),
        menu="help/sample",
        keys=("Ctrl+Alt+G",),
        enabled=lambda w: bool(w.workspace.edits.chain.stages),
    ),
)
