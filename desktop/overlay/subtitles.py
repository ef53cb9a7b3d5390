"""Lay out and paint subtitles on the frame, in a size relative to it.

Qt lays out the text: it breaks lines at words (or, in Chinese, Japanese and Thai, between characters), joins
letters, and handles right-to-left text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption

from desktop.media.subtitles.cues import Bitmap, Cue, Run
from desktop.overlay.utf16 import utf16_length
from desktop.pipeline.picture.present import Placement

# Line height, in heights of the frame; for an upright frame, in heights of a 4:3 frame of its width.
_SIZE: Final = 0.052
_SMALLEST: Final = 8.0
_WIDEST: Final = 0.9
# Bottom margin, in heights of the frame.
_BELOW: Final = 0.045
_OUTLINE: Final = 0.14


@dataclass(frozen=True)
class DrawnSubtitles:
    """The cues, and the frame's (left, top, width, height) in device pixels of the canvas."""

    cues: tuple[Cue, ...]
    picture: tuple[float, float, float, float]


@dataclass(frozen=True)
class Caption:
    """A text whose lines are centered in a box."""

    rect: QRectF
    layout: QTextLayout
    outline: float


@dataclass(frozen=True)
class CaptionImage:
    """A subtitle that is an image."""

    bitmap: Bitmap
    rect: QRectF


def standing(cues: tuple[Cue, ...], at: Placement, picture: tuple[int, int]) -> DrawnSubtitles | None:
    """Return a frame's subtitles, placed `at` its position on a canvas; None if there is nothing to show.
    `picture` is its (width, height) in pixels.
    """
    if not cues or not picture[0]:
        return None
    return DrawnSubtitles(cues, (at.x, at.y, at.zoom * picture[0], at.zoom * picture[1]))


def place_subtitles(
    drawn: DrawnSubtitles,
    canvas: QRectF,
    scale: float,
    font: QFont,
    risen: Callable[[QRectF], QRectF | None],
) -> list[Caption | CaptionImage]:
    """Place subtitles at the bottom of the visible part of the frame, the earliest one lowest.

    Args:
        canvas: its area, in logical pixels, of which each is `scale` device pixels.
        font: in any size.
        risen: moves a box up until it overlaps nothing; None if it does not fit.
    """
    left, top, width, height = (value / scale for value in drawn.picture)
    picture = QRectF(left, top, width, height)
    seen = picture.intersected(canvas)
    marks: list[Caption | CaptionImage] = []
    if seen.width() < 40 or seen.height() < 20:
        return marks
    for bitmap in (bitmap for cue in drawn.cues for bitmap in cue.bitmaps):
        x, y, wide, high = bitmap.rect
        rect = QRectF(left + x * width, top + y * height, wide * width, high * height)
        marks.append(CaptionImage(bitmap, rect))
    sized = QFont(font)
    pixels = max(_SMALLEST, _SIZE * min(height, 0.75 * width))
    sized.setPixelSize(max(1, round(pixels)))
    low, high_up = seen.bottom() - _BELOW * height, seen.top() + _BELOW * height
    for cue in drawn.cues:
        if not cue.runs:
            continue
        layout, tall = _laid_out(cue.runs, sized, _WIDEST * seen.width())
        if cue.on_top:
            rect = QRectF(seen.left(), high_up, seen.width(), tall)
            high_up = rect.bottom()
        else:
            wanted = QRectF(seen.left(), low - tall, seen.width(), tall)
            # Without room, subtitles overlap other marks: they matter more.
            rect = _moved(wanted, layout, risen)
            low = rect.top()
        if rect.top() >= seen.top() - 1 and rect.bottom() <= seen.bottom() + 1:
            marks.append(Caption(rect, layout, _OUTLINE * pixels))
    return marks


def _moved(wanted: QRectF, layout: QTextLayout, risen: Callable[[QRectF], QRectF | None]) -> QRectF:
    """Return a box as wide as the frame, moved up until its text overlaps nothing."""
    words = layout.boundingRect()
    inner = QRectF(0, 0, words.width(), wanted.height())
    inner.moveCenter(wanted.center())
    found = risen(inner)
    return wanted if found is None else wanted.translated(0, found.top() - inner.top())


def _laid_out(runs: Iterable[Run], font: QFont, width: float) -> tuple[QTextLayout, float]:
    """Return a text broken into lines of a width, and its height."""
    formats, text = [], ""
    for run in runs:
        # QTextLayout has its own line separator.
        words = run.text.replace("\n", "\u2028")
        if run.bold or run.italic:
            each = QTextLayout.FormatRange()
            each.start, each.length = utf16_length(text), utf16_length(words)
            style = QTextCharFormat()
            style.setFontItalic(run.italic)
            style.setFontWeight(QFont.Weight.Black if run.bold else QFont.Weight.Medium)
            each.format = style
            formats.append(each)
        text += words
    font.setWeight(QFont.Weight.Medium)
    layout = QTextLayout(text, font)
    option = QTextOption(Qt.AlignmentFlag.AlignHCenter)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats(formats)
    layout.beginLayout()
    height = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0.0, height))
        height += line.height()
    layout.endLayout()
    return layout, height


def paint_caption(painter: QPainter, caption: Caption) -> None:
    """Paint a text: white, with a dark outline, because the frame may have any color."""
    layout = caption.layout
    width = max((layout.lineAt(n).width() for n in range(layout.lineCount())), default=0.0)
    place = QPointF(caption.rect.center().x() - width / 2, caption.rect.top())
    around = QTextLayout.FormatRange()
    around.start, around.length = 0, utf16_length(layout.text())
    dark = QTextCharFormat()
    pen = QPen(QColor(0, 0, 0, 230), caption.outline)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    dark.setTextOutline(pen)
    around.format = dark
    painter.setPen(QColor("#000000"))
    layout.draw(painter, place, [around])
    painter.setPen(QColor("#ffffff"))
    layout.draw(painter, place)


def paint_image(painter: QPainter, mark: CaptionImage) -> None:
    """Paint an image subtitle, scaled with the video."""
    indices, palette = mark.bitmap.indices, mark.bitmap.palette
    height, width = indices.shape
    image = QImage(indices.tobytes(), width, height, width, QImage.Format.Format_Indexed8)
    image.setColorTable([QColor(*map(int, color)).rgba() for color in palette])
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    # Premultiplied, so that transparent pixels do not bleed their color.
    painter.drawImage(mark.rect, image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied))
