"""Names with '&', which in menus and on buttons would be the mark of a key."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QToolButton
from window_panels import chain_of

from desktop.ui.features.zones.zones import Zones
from desktop.ui.workspace.action import plain_text


def test_a_name_in_a_menu_or_on_a_button_keeps_its_ampersand(ui, pictures, tmp_path):
    ui.play(str(pictures["red"]))
    zones = ui.workspace.get(Zones)
    zones.add_usual("polygon")
    zones.change(zones.selected, replace(zones.find(zones.selected), name="In & out"), "Rename In & out")
    undo = ui.window.actions_by_name["undo"].text()
    assert undo.endswith("Rename In && out") and plain_text(undo) == "Undo Rename In & out"
    table = tmp_path / "day & night.cube"
    table.write_text("LUT_3D_SIZE 2\n" + "".join(f"{n & 1} {n >> 1 & 1} {n >> 2}\n" for n in range(8)))
    stage = ui.workspace.edits.add_filter("lut", {"table": str(table)})
    panel = chain_of(ui.window)
    panel.expand(stage, only_open=True)
    texts = [button.text() for button in panel.cards[stage].findChildren(QToolButton)]
    assert "day && night.cube" in texts
