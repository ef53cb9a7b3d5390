"""The action that switches redaction."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.ui.workspace.action import Action

ACTIONS: Final = (
    Action(
        "anonymize",
        sentence("&Anonymize"),
        lambda w: w.workspace.edits.toggle_anonymize(),
        menu="filters",
        group="networks",
        order=3,
        checked=lambda w: w.workspace.edits.setup.anonymize is not None,
        enabled=lambda w: (
            w.workspace.edits.setup.network is not None or w.workspace.edits.setup.anonymize is not None
        ),
    ),
)
