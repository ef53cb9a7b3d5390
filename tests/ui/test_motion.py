"""Reduced motion, by preference or as the system asks: nothing moves by itself but the video."""

from __future__ import annotations

import ctypes
import sys

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyle
from window_panels import library_of

from desktop.ui.features.library.live_previews import LivePreviews
from desktop.ui.kit.motion import BusyBar, Motion, system_reduces_motion, windows_reduces_motion

DURATION = QStyle.StyleHint.SH_Widget_Animation_Duration
PORTAL = """
   array [
      dict entry(
         string "{space}"
         array [
            dict entry(
               string "{key}"
               variant                   {value}
            )
         ]
      )
   ]
"""


@pytest.fixture
def portal(tmp_path, monkeypatch):
    """Let dbus-send print what the desktop's portal replies, on a bus that is nowhere."""

    def reply(text, status=0):
        program = tmp_path / "dbus-send"
        (tmp_path / "reply").write_text(text)
        program.write_text(
            f"#!/bin/sh\necho \"$@\" > '{tmp_path}/asked'\ncat '{tmp_path}/reply'\nexit {status}\n"
        )
        program.chmod(0o755)

    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    return reply


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="portals are on Linux")
@pytest.mark.parametrize(
    ("space", "key", "value", "reduces"),
    [
        ("org.gnome.desktop.interface", "enable-animations", "boolean false", True),
        ("org.gnome.desktop.interface", "enable-animations", "boolean true", False),
        ("org.freedesktop.appearance", "reduced-motion", "uint32 1", True),
        ("org.freedesktop.appearance", "reduced-motion", "uint32 0", False),
        ("org.kde.kdeglobals.KDE", "AnimationDurationFactor", 'string "0"', True),
        ("org.kde.kdeglobals.KDE", "AnimationDurationFactor", 'string "0.5"', False),
        ("org.gnome.desktop.interface", "text-scaling-factor", "double 0", False),
    ],
)
def test_the_desktops_portal_is_asked(portal, tmp_path, space, key, value, reduces):
    portal(PORTAL.format(space=space, key=key, value=value))
    assert system_reduces_motion() is reduces
    asked = (tmp_path / "asked").read_text()
    assert "org.freedesktop.portal.Settings.ReadAll" in asked and space in asked


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="portals are on Linux")
def test_without_a_portal_nothing_is_reduced(portal, monkeypatch, tmp_path):
    portal(PORTAL.format(space="x", key="enable-animations", value="boolean false"), status=1)
    assert not system_reduces_motion()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert not system_reduces_motion()
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert not system_reduces_motion()


@pytest.mark.parametrize(("animates", "succeeds", "reduces"), [(1, 1, False), (0, 1, True), (0, 0, False)])
def test_windows_is_asked(animates, succeeds, reduces):
    class User32:
        def SystemParametersInfoW(self, action, size, place, update):
            assert (action, size, update) == (
                0x1042,
                0,
                0,
            )  # SPI_GETCLIENTAREAANIMATION, which changes nothing
            ctypes.cast(place, ctypes.POINTER(ctypes.c_int))[0] = animates
            return succeeds

    assert windows_reduces_motion(User32()) is reduces


def test_the_preference_is_above_the_system(qapp):
    motion, changes = Motion(), []
    motion.changed.connect(lambda: changes.append(motion.is_reduced))
    assert not motion.is_reduced
    motion.set_system(True)
    motion.set_preference("off")
    motion.set_preference("on")
    motion.set_system(False)
    motion.set_preference("system")
    assert changes == [True, False, True, False]


def test_a_busy_bar_stands_still(qapp, qtbot):
    motion = Motion("on")
    bar = BusyBar(motion)
    qtbot.addWidget(bar)
    bar.resize(80, 8)
    bar.show()
    qtbot.waitExposed(bar)
    assert (bar.minimum(), bar.maximum()) != (0, 0)
    before = bar.grab().toImage()
    QTest.qWait(300)
    assert bar.grab().toImage() == before
    motion.set_preference("off")
    assert (bar.minimum(), bar.maximum()) == (0, 0), "Qt moves it"


def test_qts_own_animations_follow_the_preference(ui):
    def duration():
        return ui.window.style().styleHint(DURATION, None, ui.window)

    assert duration() > 0
    ui.workspace.settings.motion = "on"
    assert duration() == 0
    ui.workspace.settings.motion = "system"
    ui.workspace.get(Motion).set_system(True)
    assert duration() == 0
    ui.workspace.get(Motion).set_system(False)
    assert duration() > 0


def test_the_librarys_images_are_made_once(ui):
    library_of(ui.window).search.clear()
    ui.window.dock_area.show("library")
    previews, made = ui.workspace.get(LivePreviews), []
    previews.made.connect(made.append)
    try:
        ui.play()
        ui.wait(lambda: len(made) > len(set(made)) > 1)  # some of them again, with another frame
        ui.workspace.settings.motion = "on"
        ui.still(lambda: len(made))
        images = {key: previews.image(key) for key in set(made)}
        frames = ui.frames
        ui.wait(lambda: ui.frames > frames + 30)
        assert {key: previews.image(key) for key in images} == images
        made.clear()
        ui.play("sample:64x64@30")
        ui.wait(lambda: made)
        ui.still(lambda: len(made))
        assert len(made) == len(set(made)), "another source: each is made anew, once"
        made.clear()
        ui.workspace.settings.motion = "off"
        ui.wait(lambda: len(made) > len(set(made)))
    finally:
        previews.made.disconnect(made.append)
