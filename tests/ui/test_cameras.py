"""Cameras in the window, through a stand-in at the lowest level: FFmpeg's own pictures, all above it is real."""

from __future__ import annotations

import time

import av
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_panels import sources_of

from desktop.media.sources._camera_backends import CameraInfo, CameraMode, Video4Linux
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.stabilization.stabilization import LiveStabilizations

FRONT = CameraInfo("usb:front", "Front Camera", "/dev/video0")
REAR = CameraInfo("usb:rear", "Rear Camera", "/dev/video2")
MODES = [CameraMode(160, 120, 30.0, "yuv420p"), CameraMode(320, 240, 15.0, "yuv420p")]


class StandIn(Video4Linux):
    """A machine with the cameras that are plugged in."""

    def __init__(self) -> None:
        super().__init__()
        self.plugged: list[CameraInfo] = []
        self.needs_permission = False

    def cameras(self):
        return list(self.plugged)

    def modes(self, camera):
        return MODES

    def open(self, camera, mode):
        size = f"{mode.width}x{mode.height}" if mode else "160x120"
        return av.open(f"testsrc2=size={size}:rate=30,realtime", format="lavfi")


@pytest.fixture
def machine(ui, use_cameras):
    """The stand-in, in use until the test ends."""
    backend = StandIn()
    use_cameras(backend)
    yield backend
    ui.workspace.playback.stop()
    sources_of(ui.window).shutdown()
    sources_of(ui.window).refresh()


def names(ui) -> list[str]:
    tree = sources_of(ui.window).tree
    return [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]


def test_cameras_are_listed_as_they_come_and_go(ui, machine):
    sources = sources_of(ui.window)
    sources.watch_cameras()
    ui.wait(lambda: "No camera is connected." in names(ui))
    machine.plugged = [FRONT, REAR]
    ui.wait(lambda: names(ui)[1:3] == ["Front Camera", "Rear Camera"])
    machine.plugged = [REAR]
    ui.wait(lambda: "Front Camera" not in names(ui))
    assert names(ui)[1] == "Rear Camera"


def test_a_listed_camera_plays_and_offers_its_formats(ui, machine):
    machine.plugged = [FRONT, REAR]
    sources_of(ui.window).watch_cameras()
    ui.wait(lambda: "Rear Camera" in names(ui))
    tree = sources_of(ui.window).tree
    tree.setCurrentItem(tree.topLevelItem(names(ui).index("Rear Camera")))
    QTest.keyClick(tree, Qt.Key.Key_Return)
    frames = ui.frames
    ui.wait(lambda: ui.workspace.playback.source and ui.workspace.playback.source.state == "live")
    ui.wait(
        lambda: ui.frames > frames and ui.workspace.engine.pipeline.picture_size in {(160, 120), (320, 240)}
    )
    assert ui.workspace.playback.info.title == "Rear Camera"
    assert not ui.window.actions_by_name["play"].isEnabled()
    menu = ui.window.transport.format.menu()
    ui.wait(lambda: ui.window.transport.format.isVisible() and len(menu.actions()) == len(MODES))
    other = next(a for a in menu.actions() if a.text().startswith("320"))
    other.trigger()
    ui.wait(lambda: ui.workspace.engine.pipeline.picture_size == (320, 240))
    assert ui.workspace.playback.source.state == "live" and not ui.notices


def test_a_camera_that_is_not_there_leaves_the_start_page(ui, machine):
    ui.workspace.get(Opening).open("camera:usb:front")
    ui.wait(lambda: ui.notices)
    assert ui.window.pages.currentWidget() is ui.window.empty
    machine.plugged = [FRONT]
    ui.wait(lambda: ui.window.pages.currentWidget() is ui.window.viewport)


def test_no_camera_is_one_sentence(ui, machine):
    ui.window.actions_by_name["open_camera"].trigger()
    ui.wait(lambda: ui.notices)
    assert len(ui.notices) == 1 and "camera" in ui.notices[0].lower()


def test_without_a_camera_nothing_is_drawn_and_it_is_said_once(ui, machine, qtbot):
    drawn: list[int] = []
    count = lambda: drawn.append(1)  # noqa: E731
    ui.workspace.edits.add_filter("invert")
    ui.workspace.get(Opening).open("camera")
    ui.wait(lambda: ui.notices)
    ui.window.viewport.drawing.connect(count)
    pages = set()
    ui.window.notices.clear()
    # Two of the attempts that are made each second.
    for _ in range(25):
        qtbot.wait(100)
        pages.add(ui.window.pages.currentWidget())
    ui.window.viewport.drawing.disconnect(count)
    assert pages == {ui.window.empty}
    assert ui.window.empty.isVisible() and not ui.window.viewport.isVisible()
    assert not drawn and not ui.notices
    said = sources_of(ui.window).state.toolTip() + sources_of(ui.window).detail.text() + " ".join(names(ui))
    assert said.count("No camera is connected") == 1


def test_a_source_that_is_lost_while_the_canvas_appears_leaves_one_page(ui, monkeypatch):
    """The canvas asks for a picture as soon as it is shown, and the answer may be that there is none."""
    pages, viewport = ui.window.pages, ui.window.viewport
    monkeypatch.setattr(viewport, "_take", lambda: pages.setCurrentWidget(ui.window.empty))
    pages.setCurrentWidget(viewport)
    ui.wait(lambda: pages.currentWidget() is ui.window.empty)
    assert not viewport.isVisible() and ui.window.empty.isVisible()


def test_a_camera_is_stabilized_where_that_is_chosen(ui, machine):
    machine.plugged = [FRONT]
    action, settings = ui.window.actions_by_name["stabilize_live"], ui.workspace.settings
    assert not action.isEnabled() and not action.isChecked()
    ui.play("camera:usb:front")
    stabilization = ui.workspace.get(LiveStabilizations)
    action.trigger()
    assert settings.stabilizes_live and action.isChecked()
    ui.wait(lambda: stabilization.delay > 0.2)
    ui.wait(lambda: ui.workspace.engine.current.frame.warp is not None)
    # The latency that is shown has the delay too.
    frame = ui.workspace.engine.current.frame
    assert time.perf_counter() - frame.captured_at > stabilization.delay * 0.8
    action.trigger()
    assert not settings.stabilizes_live
    ui.wait(lambda: ui.workspace.engine.current.frame.warp is None)
    assert stabilization.delay == 0.0
