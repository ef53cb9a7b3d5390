"""Clean output: the second window has the picture that is shown, pixel for pixel, and nothing else, whatever
the main window does.
"""

from __future__ import annotations

from functools import partial

import material
import numpy as np
import pytest
import wgpu
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest

from desktop.pipeline.picture.present import LaidOver, View
from desktop.ui.features.clean_output.clean_output import TITLE, target_screen
from desktop.ui.forms.settings import Settings
from desktop.vision.tracking.anonymize import AnonymizeSpec

CLIP_SIZE = (128, 72)


@pytest.fixture
def output(ui):
    """The clean output, opened as a window."""
    ui.workspace.settings.output_screen = "window"
    ui.play()
    ui.window.actions_by_name["clean_output"].trigger()
    clean = ui.window.clean_output
    ui.wait(lambda: clean.is_open and clean.window.isVisible())
    yield clean
    if clean.is_open:
        clean.window.close()
    for setting in Settings.all():
        if setting.name.startswith("output_"):
            setting.put_back(ui.workspace.settings)


def drawn(ui, size: tuple[int, int] = CLIP_SIZE) -> np.ndarray:
    """What the second window's canvas draws into a texture of a size: uint8 [height, width, 4], R'G'B'A."""
    gpu = ui.workspace.engine.gpu
    usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
    target = gpu.device.create_texture(size=(*size, 1), format="rgba8unorm", usage=usage)
    ui.window.clean_output.window.canvas.draw_into(target)
    return read(gpu, target)


def read(gpu, texture) -> np.ndarray:
    width, height = texture.width, texture.height
    stride = -(-width * 4 // 256) * 256
    data = gpu.queue.read_texture(
        {"texture": texture}, {"bytes_per_row": stride, "rows_per_image": height}, (width, height, 1)
    )
    return np.frombuffer(data, np.uint8).reshape(height, stride)[:, : width * 4].reshape(height, width, 4)


def differ(first: np.ndarray, second: np.ndarray) -> int:
    """The greatest difference. An export is dithered, by less than one level, and so may round to the next."""
    return int(np.abs(first[..., :3].astype(int) - second[..., :3].astype(int)).max())


def test_it_draws_the_exported_picture_at_one_to_one(ui, output):
    ui.workspace.edits.add_filter("vignette")
    ui.window.viewport.set_split(0.5)
    ui.window.viewport.set_mirrored(True)
    ui.window.viewport.zoom_to(3.0)
    ui.pause()
    picture = ui.picture()
    assert np.ptp(picture[..., :3]) > 50
    assert differ(drawn(ui), picture) <= 1, "no split, no mirror, no zoom of the main window"


def test_it_fits_the_picture_on_black(ui, output):
    ui.pause()
    seen = drawn(ui, (128, 172))
    assert differ(seen[50:122], ui.picture()) <= 1
    assert not seen[:50, :, :3].any() and not seen[122:, :, :3].any()


def test_it_is_mirrored_where_that_is_chosen(ui, output):
    ui.pause()
    ui.window.actions_by_name["output_mirrored"].trigger()
    assert differ(drawn(ui), ui.picture()[:, ::-1]) <= 1
    assert not ui.window.viewport.view.mirrored


def test_it_has_what_the_network_sees_only_where_that_is_chosen(ui, output, monkeypatch):
    ui.pause()
    box = np.zeros((72, 128, 4), np.uint8)
    box[10:20, 30:40] = (255, 0, 0, 255)
    canvas = output.window.canvas
    assert canvas._over(View(), CLIP_SIZE) == LaidOver(), "without a network there is nothing"
    monkeypatch.setattr(canvas, "_over", lambda view, size: LaidOver(box))
    seen = drawn(ui)
    assert (seen[10:20, 30:40, :3] == (255, 0, 0)).all()
    assert differ(seen[:10], ui.picture()[:10]) <= 1


def test_a_result_is_drawn_over_it_as_into_a_file(ui, output, tmp_path):
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.tracked_result is not None)
    ui.pause()
    size = (640, 360)
    without = drawn(ui, size)
    ui.window.actions_by_name["output_seen"].trigger()
    seen = drawn(ui, size)
    over = output.window.canvas._over(View(background=(0.0, 0.0, 0.0)), size).image
    lies = over[..., 3] > 0
    assert lies.any() and differ(seen[~lies], without[~lies]) == 0
    blended = over[..., :3] + without[..., :3] * (1 - over[..., 3:] / 255)
    assert np.abs(seen[..., :3] - blended).max() <= 2


def test_it_is_drawn_with_each_picture_and_after_an_edit_of_a_paused_one(ui, output, monkeypatch):
    calls = []
    engine, draw = ui.workspace.engine, ui.workspace.engine.draw_shown
    monkeypatch.setattr(
        engine, "draw_shown", lambda *given, **more: (calls.append(given), draw(*given, **more))
    )
    ui.wait(lambda: len(calls) > 3)
    ui.pause()
    ui.still(lambda: len(calls))
    calls.clear()
    ui.workspace.edits.add_filter("vignette")
    ui.settle()
    ui.wait(lambda: calls)
    assert differ(drawn(ui), ui.picture()) <= 1


def test_it_is_on_the_screen(ui, output):
    if QGuiApplication.platformName() != "xcb":
        pytest.skip("only a screen can be looked at")
    ui.pause()
    window = output.window
    window.resize(256, 144)
    window.raise_()
    ratio = window.devicePixelRatioF()

    def seen():
        image = window.screen().grabWindow(window.winId()).toImage()
        image = image.convertToFormat(QImage.Format.Format_RGBA8888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
        return rows[:, : image.width() * 4].reshape(image.height(), image.width(), 4).copy()

    def is_there():
        size = (round(window.width() * ratio), round(window.height() * ratio))
        picture = seen()
        return picture.shape[:2] == size[::-1] and differ(picture, drawn(ui, size)) <= 1

    ui.wait(is_there)


# -- whatever the main window does ---------------------------------------------------------------------------


def test_the_picture_goes_on_while_the_main_window_is_minimized(ui, output):
    ui.window.showMinimized()
    ui.wait(ui.window.isMinimized)
    QTest.qWait(100)
    frames, picture = ui.frames, ui.picture()
    ui.wait(lambda: ui.frames > frames + 3)
    assert not np.array_equal(ui.picture(), picture)
    output.window.close()
    frames = ui.still(lambda: ui.frames)  # nobody needs it any more
    ui.window.showNormal()
    ui.wait(lambda: ui.frames > frames + 3)


def test_it_goes_on_after_a_device_loss(ui, output):
    ui.pause()
    ui.workspace.engine.rebuild()
    ui.settle()
    assert output.is_open
    output.window.canvas.redraw()
    assert differ(drawn(ui), ui.picture()) <= 1


def test_a_picture_from_before_things_were_to_be_hidden_leaves_no_more(ui, output):
    ui.pause()
    pipeline = ui.workspace.engine.pipeline
    assert drawn(ui)[..., :3].any()
    # As set, and before the next picture was rendered.
    ui.workspace.edits.set_anonymize(AnonymizeSpec())
    assert pipeline.export() is None
    assert not drawn(ui)[..., :3].any()
    ui.workspace.edits.set_anonymize(None)


# -- the window ----------------------------------------------------------------------------------------------


def test_it_has_a_title_to_be_captured_by_and_escape_closes_it(ui, output):
    assert output.window.windowTitle() == TITLE == "Lightloom output"
    assert ui.window.actions_by_name["clean_output"].isChecked()
    QTest.keyClick(output.window, Qt.Key.Key_Escape)
    assert not output.is_open and not ui.window.actions_by_name["clean_output"].isChecked()


def test_the_key_opens_it_where_it_was(ui, output):
    output.window.resize(400, 300)
    ui.wait(lambda: output.window.width() == 400)
    output.window.close()
    assert not ui.workspace.settings.output_geometry.isEmpty()
    ui.press(Qt.Key.Key_F9)
    ui.wait(lambda: output.is_open and output.window.width() == 400 and output.window.height() == 300)


def test_a_double_click_takes_the_whole_screen_and_gives_it_back(ui, output):
    QTest.mouseDClick(output.window.canvas, Qt.MouseButton.LeftButton)
    ui.wait(lambda: output.window.isFullScreen())
    assert ui.workspace.settings.output_screen == output.window.screen().name()
    QTest.mouseDClick(output.window.canvas, Qt.MouseButton.LeftButton)
    ui.wait(lambda: not output.window.isFullScreen())
    assert ui.workspace.settings.output_screen == "window"


def test_it_keeps_its_place_when_a_screen_goes_and_after_the_whole_screen(ui, output):
    window = output.window
    window.resize(320, 200)
    ui.wait(lambda: window.width() == 320)
    QGuiApplication.instance().screenRemoved.emit(window.screen())
    QTest.qWait(50)
    assert (window.width(), window.height()) == (320, 200)
    ui.workspace.settings.output_screen = window.screen().name()
    ui.wait(window.isFullScreen)
    ui.workspace.settings.output_screen = "window"
    ui.wait(lambda: not window.isFullScreen() and window.width() == 320 and window.height() == 200)


def test_where_nothing_is_open_it_is_black(ui, output, tmp_path):
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.wait(lambda: ui.workspace.engine.current.tracked_result is not None)
    ui.workspace.settings.output_seen = True
    ui.workspace.playback.stop()
    ui.wait(lambda: not ui.workspace.playback.has_picture)
    assert not drawn(ui)[..., :3].any()


def test_which_screen_it_takes():
    class Screen:
        def __init__(self, name):
            self._name = name

        def name(self):
            return self._name

    here, there, third = Screen("here"), Screen("there"), Screen("third")
    wanted = partial(target_screen, screens=[here, there, third])
    assert wanted("", here) is there and wanted("", there) is here
    assert wanted("third", here) is third and wanted("here", here) is here
    assert wanted("gone", here) is there and wanted("window", here) is None
    assert target_screen("", here, [here]) is None


def test_where_it_is_stands_in_its_menu(ui):
    menus = [a.menu() for a in ui.window.menuBar().actions()]
    [view] = [m for m in menus if m is not None and m.title() == "&View"]
    [menu] = [a.menu() for a in view.actions() if a.menu() is not None and "lean output" in a.text()]
    menu.aboutToShow.emit()
    names = [screen.name() for screen in QGuiApplication.screens()]
    texts = [a.text() for a in menu.actions()]
    assert all(any(name in text for text in texts) for name in names)
    [window] = [a for a in menu.actions() if a.text() == "A window"]
    window.trigger()
    assert ui.workspace.settings.output_screen == "window"
    Settings.output_screen.put_back(ui.workspace.settings)
