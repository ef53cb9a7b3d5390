"""An action as a stranger would add it, in a menu of its own within another."""

from __future__ import annotations

from desktop.ui.action import Action, Menu

MENUS = (Menu("help/sample", "&Sample", group="guide", titled=lambda text: f"Sample: {text}"),)
ACTIONS = (
    Action(
        "greet",
        "&Greet",
        lambda w: w.say("Hello"),
        menu="help/sample",
        keys=("Ctrl+Alt+G",),
        enabled=lambda w: bool(w.controller.edits.chain.stages),
    ),
)
