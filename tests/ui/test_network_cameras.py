"""Network cameras in the panel of sources: found ones are listed, and opened with user and password in one step."""

from __future__ import annotations

import pytest
from onvif_rig import PASSWORD, USER, StandInCamera
from PySide6.QtWidgets import QDialogButtonBox

from desktop.net.onvif.discovery import NetworkCamera
from desktop.ui.features.sources.camera_login import CameraLogin
from desktop.ui.features.sources.panel import SourcesPanel


@pytest.fixture
def camera():
    made = StandInCamera()
    yield made
    made.close()


@pytest.fixture
def panel(ui):
    ui.window.dock_area.show("sources")
    yield ui.window.dock_area.panel("sources", SourcesPanel)
    ui.window.dock_area.toggle("sources")


def titles(panel: SourcesPanel) -> list[str]:
    tree = panel.tree
    return [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]


def test_a_camera_is_opened_with_user_and_password_in_one_step(ui, panel, camera):
    panel.show_network_cameras((NetworkCamera("Front door", "127.0.0.1", camera.address),))
    assert titles(panel)[1:3] == ["Network cameras", "Front door"]
    panel.tree.chosen.emit(panel.tree.topLevelItem(2))
    ui.wait(lambda: bool(panel.findChildren(CameraLogin)))
    (dialog,) = panel.findChildren(CameraLogin)
    found: list[str] = []
    dialog.address_found.disconnect()  # nothing streams there
    dialog.address_found.connect(found.append)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Open)
    dialog.user.setText(USER)
    dialog.password.setText("wrong")
    ok.click()
    ui.wait(lambda: dialog.error.isVisible())
    assert "check user and password" in dialog.error.text() and ok.isEnabled()
    dialog.password.setText(PASSWORD)
    ok.click()
    ui.wait(lambda: bool(found))
    # Canceled while the camera is asked, it does nothing more.
    panel.tree.chosen.emit(panel.tree.topLevelItem(2))
    ui.wait(lambda: any(each.isVisible() for each in panel.findChildren(CameraLogin)))
    second = next(each for each in panel.findChildren(CameraLogin) if each.isVisible())
    second.buttons.button(QDialogButtonBox.StandardButton.Open).click()
    second.reject()
    ui.wait(lambda: not panel.findChildren(CameraLogin))
    assert found == ["rtsp://viewer:pass%26word@127.0.0.1:554/main?unicast=true"]


def test_no_camera_says_what_to_check(ui, panel):
    panel.show_network_cameras(())
    assert "No network camera answers." in titles(panel)
    ui.wait(lambda: any("Check that ONVIF and discovery are on" in text for text in ui.notices))
