"""Untrusted names of files, zones and classes are shown as text; nothing in them is drawn, opened or run."""

from __future__ import annotations

import json
from dataclasses import replace

from event_rig import happen
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip

from desktop.outputs.events import event_actions
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.bundle import save_bundle
from desktop.pipeline.setup.preset import save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.zones.zones import Zones
from desktop.vision.tracking.events import ActionSpec, EventSpec, Occurrence
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.zones import ZoneSpec

TAGGED = "<img src='/dev/zero'><h1>In</h1>"


def labels(name: str) -> list[QLabel]:
    """All labels of the program that have a text."""
    return [each for each in QApplication.allWidgets() if isinstance(each, QLabel) and name in each.text()]


def test_no_text_is_taken_for_html(ui):
    ui.workspace.messages.post("warning", f"p.toml: {TAGGED}")
    box = QMessageBox(ui.window)
    box.setText(TAGGED)
    box.show()
    QToolTip.showText(QPoint(10, 10), TAGGED, ui.window)
    ui.wait(lambda: len(labels(TAGGED)) >= 3)
    assert all(each.textFormat() == Qt.TextFormat.PlainText for each in labels(TAGGED))
    QToolTip.hideText()
    box.close()


def strangers_setup(target) -> Setup:
    """A preset that would write, call and publish as soon as anything is in the picture."""
    actions = (
        ActionSpec("csv", event_actions()["csv"].checked({"path": str(target / "a.csv")})),
        ActionSpec("jsonl", event_actions()["jsonl"].checked({"path": str(target / "a.jsonl")})),
        ActionSpec("snapshot", event_actions()["snapshot"].checked({"folder": str(target / "shots")})),
    )
    zone = ZoneSpec(TAGGED, ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
    return Setup(scene=SceneSpec(zones=(zone,), events=(EventSpec("In", TAGGED, "enters", actions=actions),)))


def test_a_strangers_events_do_nothing_until_they_are_switched_on(ui, tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    setup, library = strangers_setup(target), FilterLibrary(None)
    save_preset(setup, library, tmp_path / "p.toml")
    save_bundle(setup, library, tmp_path / "b.lightloom")
    zones = ui.workspace.get(Zones)
    occurrence = Occurrence("In", TAGGED, "enters", 0.0, "person", 1, (0.5, 0.5))
    for open_it in (
        lambda: ui.workspace.get(Opening).load_preset(tmp_path / "p.toml"),
        lambda: ui.workspace.get(Opening).drop([str(tmp_path / "p.toml")]),
        lambda: ui.workspace.get(Opening).load_preset(tmp_path / "b.lightloom"),
        lambda: ui.workspace.get(Opening).drop([str(tmp_path / "b.lightloom")]),
    ):
        ui.workspace.edits.edit(Setup(), "nothing")
        open_it()
        ui.wait(lambda: bool(ui.workspace.edits.setup.scene.events))
        (event,) = ui.workspace.edits.setup.scene.events
        assert event.actions and not event.enabled
        happen(ui.workspace.engine, occurrence)
        ui.wait(zones.deliveries.is_idle)
    assert list(target.iterdir()) == []
    zones.change_event("In", replace(event, state="on"))
    happen(ui.workspace.engine, occurrence)
    ui.wait(zones.deliveries.is_idle)
    assert json.loads((target / "a.jsonl").read_text())["event"] == "In"
    # Undone and done again it is as the user left it; opened again it is off.
    ui.workspace.get(Opening).load_preset(tmp_path / "p.toml")
    ui.wait(lambda: not ui.workspace.edits.setup.scene.events[0].enabled)
