"""The places of the panels as version 0.1 kept them; tests/version_0_1/README.md says what else is kept of
it.
"""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

KEPT = Path(__file__).resolve().parent.parent / "version_0_1" / "settings" / "docks.json"


def places(window: QMainWindow) -> dict[str, dict[str, object]]:
    """Return where each panel is, and whether it is hidden."""
    return {
        name: {"area": window.dockWidgetArea(dock).name, "hidden": dock.isHidden()}
        for name, dock in window.docks.items()
    }


def test_panels_come_back_to_their_places(ui):
    kept, window = json.loads(KEPT.read_text("utf-8")), ui.window
    before, usual = window.saveState(), places(window)
    try:
        assert window.restoreState(QByteArray.fromHex(kept["state"].encode()))
        found = places(window)
        assert found != usual
        assert {name: found[name] for name in kept["places"]} == kept["places"]
    finally:
        window.restoreState(before)
