"""The time line shows the time under the pointer and the key frame there, made beside what plays."""

from __future__ import annotations

from fractions import Fraction

import av
import material
import numpy as np
import pytest
import windows_marks
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from desktop.ui.kit.widgets import format_time
from desktop.vision.tracking.anonymize import AnonymizeSpec


@pytest.fixture
def clip(tmp_path):
    """Two seconds: red, green, blue and white, each half a second with a key frame at its beginning."""
    path = tmp_path / "colors.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=20, options={"g": "10", "bf": "0", "sc_threshold": "0"})
        stream.width, stream.height, stream.pix_fmt = 96, 48, "yuv420p"
        for index in range(40):
            color = ((220, 0, 0), (0, 220, 0), (0, 0, 220), (220, 220, 220))[index // 10]
            frame = av.VideoFrame.from_ndarray(np.full((48, 96, 3), color, np.uint8), format="rgb24")
            frame.pts, frame.time_base = index, Fraction(1, 20)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def hover(line, seconds: float) -> None:
    """Move the pointer to a time."""
    at = QPointF(line._x(seconds), line.height() / 2)
    none = Qt.MouseButton.NoButton
    moved = QMouseEvent(
        QEvent.Type.MouseMove, at, line.mapToGlobal(at), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(line, moved)


def color(preview) -> tuple[int, ...]:
    pixmap = preview.picture.pixmap()
    if pixmap.isNull():
        return ()
    found = pixmap.toImage().pixelColor(pixmap.width() // 2, pixmap.height() // 2)
    return tuple(round(part / 110) for part in (found.red(), found.green(), found.blue()))


def test_each_place_shows_its_key_frame_and_its_time(ui, clip):
    ui.play(str(clip))
    ui.pause()
    line, before = ui.window.transport.line, ui.workspace.playback.seekable.position
    for seconds, expected in ((1.2, (0, 0, 2)), (0.2, (2, 0, 0)), (1.8, (2, 2, 2)), (0.9, (0, 2, 0))):
        hover(line, seconds)
        assert line.preview.isVisible()
        ui.wait(lambda wanted=expected: color(line.preview) == wanted)
        assert line.preview.time.text() == format_time(line._hover, millis=True)
    assert ui.workspace.playback.seekable.position == before, "what plays does not move"
    assert line.preview.picture.width() == 2 * line.preview.picture.height(), "its own shape"
    window = ui.window.geometry()
    hover(line, 2.0)
    assert line.preview.geometry().right() <= window.right() + 1
    assert line.preview.geometry().bottom() < line.mapToGlobal(line.rect().topLeft()).y()
    # A place between two that are known is shown at once.
    hover(line, 0.15)
    assert color(line.preview) == (2, 0, 0)
    QApplication.sendEvent(line, QEvent(QEvent.Type.Leave))
    assert not line.preview.isVisible()


def test_where_things_are_hidden_the_time_alone_is_shown(ui, clip):
    ui.play(str(clip))
    ui.pause()
    line = ui.window.transport.line
    hover(line, 1.2)
    ui.wait(lambda: color(line.preview) == (0, 0, 2))
    ui.workspace.edits.set_anonymize(AnonymizeSpec())
    hover(line, 1.3)
    assert line.preview.isVisible() and not line.preview.picture.isVisible()
    assert not line.preview.pictures.is_busy and line.preview.picture.pixmap().isNull()
    ui.workspace.edits.set_anonymize(None)
    hover(line, 1.2)
    ui.wait(lambda: color(line.preview) == (0, 0, 2))


def test_the_newest_place_alone_is_made(ui, clip):
    ui.play(str(clip))
    ui.pause()
    line = ui.window.transport.line
    pictures, made = line.preview.pictures, []
    pictures.made.connect(lambda: made.append(1))
    for step in range(200):
        hover(line, 1.99 * (step % 100) / 100)
    hover(line, 1.7)
    ui.wait(lambda: color(line.preview) == (2, 2, 2) and not pictures.is_busy)
    assert len(made) <= 4, "as many as there are key frames, of 201 places"


def test_a_source_without_key_frames_shows_the_time_alone(ui, tmp_path):
    ui.play("sample:128x72@30")
    line = ui.window.transport.line
    ui.wait(lambda: line.duration > 0)
    hover(line, 3.0)
    assert line.preview.isVisible() and not line.preview.picture.isVisible()
    assert line.preview.time.text().startswith("0:0")
    ui.play(str(material.image(tmp_path / "one.png")))
    ui.wait(lambda: not line.isVisible())
    assert not line.preview.isVisible(), "with the time line goes what stands above it"


@windows_marks.renaming_open_files
def test_a_file_that_is_gone_by_then_does_no_harm(ui, clip):
    ui.play(str(clip))
    ui.pause()
    clip.unlink()
    line = ui.window.transport.line
    hover(line, 1.0)
    ui.wait(lambda: not line.preview.pictures.is_busy)
    hover(line, 1.5)
    assert not line.preview.pictures.is_busy and line.preview.isVisible() and not ui.notices
