"""Zones over the frame that say what a drop of the hovering files will do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop.base.wording import sentence
from desktop.media.sources.file_kinds import kind_by_suffix
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.references import Reference
from desktop.ui.kit import icons
from desktop.ui.kit.language import translated
from desktop.ui.kit.theme import large_font
from desktop.ui.kit.widgets import Themed

_EDGE: Final = 28
_GAP: Final = 14
_ICON: Final = 32


@dataclass(frozen=True)
class Zone:
    """Effect of a drop: an icon, a short sentence, and the action, which takes the dropped paths."""

    icon: str
    text: str
    run: Callable[[Sequence[str]], None]


def zones_for(
    specs: Sequence[str], opening: Opening, references: Sequence[Reference] = (), *, is_playing: bool
) -> tuple[Zone, ...]:
    """Return what can be done with dropped files, judged by their names alone; `references` come last."""
    uses = (Zone("image", each.text, partial(_use, each)) for each in references)
    return (*_openings(specs, opening, is_playing=is_playing), *uses)


def _use(reference: Reference, _: Sequence[str]) -> None:
    reference.use()


def _openings(specs: Sequence[str], opening: Opening, *, is_playing: bool) -> tuple[Zone, ...]:
    kinds = {kind_by_suffix(Path(spec)) for spec in specs}
    if kinds <= {"filter", "lut"}:
        return (Zone("plus", sentence("Add to the chain"), opening.drop),)
    if kinds == {"model"}:
        return (Zone("network", sentence("Use this network"), opening.drop),)
    if kinds == {"preset"}:
        return (Zone("image", sentence("Apply this look"), opening.drop),)
    if kinds == {"subtitles"}:
        return (Zone("video", sentence("Show as subtitles"), opening.drop),)
    if kinds <= {"unknown", "playlist"} and is_playing:
        added = Zone("playlist", sentence("Add to the playlist"), opening.add)
        return (Zone("play", sentence("Open"), opening.drop), added)
    return (Zone("folder", sentence("Open"), opening.drop),)


class DropZones(QWidget):
    """Draws the zones, side by side, while files hover over `around`; it takes no events itself."""

    def __init__(self, themed: Themed, around: QWidget, *, native: bool) -> None:
        """Make it, hidden; `native`: the frame can only be covered by another native window."""
        super().__init__(around)
        self._themed, self._around = themed, around
        self.zones: tuple[Zone, ...] = ()
        self._chosen: int | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NativeWindow, native)
        self.hide()

    def begin(self, zones: tuple[Zone, ...]) -> None:
        """Show the zones."""
        self.zones, self._chosen = zones, None
        self.setGeometry(self._around.rect())
        self.show()
        self.raise_()
        self.update()

    def end(self) -> None:
        """Hide them."""
        self.hide()

    def at(self, point: QPoint) -> Zone | None:
        """Return the zone for a point of the parent: the one in its column; None without zones."""
        if not self.zones:
            return None
        share = point.x() / max(1, self.width())
        return self.zones[max(0, min(len(self.zones) - 1, int(share * len(self.zones))))]

    def hover(self, point: QPoint) -> None:
        """Highlight the zone under a point of the parent."""
        zone = self.at(point)
        chosen = self.zones.index(zone) if zone is not None else None
        if chosen != self._chosen:
            self._chosen = chosen
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(self._themed.theme.ground)
        if not self.testAttribute(Qt.WidgetAttribute.WA_NativeWindow):
            ground.setAlphaF(0.72)
        painter.fillRect(self.rect(), ground)
        width = (self.width() - 2 * _EDGE - _GAP * (len(self.zones) - 1)) / max(1, len(self.zones))
        for index, zone in enumerate(self.zones):
            box = QRectF(_EDGE + index * (width + _GAP), _EDGE, width, self.height() - 2 * _EDGE)
            self._paint_zone(painter, box, zone, is_chosen=index == self._chosen)

    def _paint_zone(self, painter: QPainter, box: QRectF, zone: Zone, *, is_chosen: bool) -> None:
        theme = self._themed.theme
        color = QColor(theme.accent if is_chosen else theme.text)
        fill = QColor(theme.raised)
        fill.setAlphaF(0.85 if is_chosen else 0.55)
        painter.setBrush(fill)
        painter.setPen(QPen(color, 2, Qt.PenStyle.SolidLine if is_chosen else Qt.PenStyle.DashLine))
        painter.drawRoundedRect(box, 10, 10)
        middle = box.center()
        image = icons.pixmap(zone.icon, color.name(), _ICON, self.devicePixelRatioF())
        painter.drawPixmap(QPoint(round(middle.x()) - _ICON // 2, round(middle.y()) - _ICON), image)
        painter.setFont(large_font(self.font()))
        below = QRectF(box.left() + 8, middle.y() + 8, box.width() - 16, box.height() / 2 - 16)
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(below, int(flags), translated(zone.text))
