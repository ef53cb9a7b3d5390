"""Draw zones on the frame and move their corners, by pointer and keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainterPath, QPainterPathStroker, QPolygonF

from desktop.ui.features.zones.zones import Zones
from desktop.ui.workspace.handles import (
    ARROWS,
    PAGES,
    handle_at,
    has_other_modifiers,
    next_handle,
    stepped,
)
from desktop.ui.workspace.viewport import Viewport
from desktop.vision.tracking.zones import AnyZone, ZoneSpec

# How near a zone's outline a click chooses the zone.
_NEAR: Final = 6.0
# From this distance on a press and a release are the two ends of a line, not a click.
_DRAG: Final = 10
_DRAWING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Backspace)
_CHANGING: Final = (*ARROWS, *PAGES, Qt.Key.Key_Escape, Qt.Key.Key_Delete)


class ZoneTool(QObject):
    """Handles pointer events while a zone is drawn or selected; see `PointerTool`."""

    def __init__(self, zones: Zones, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._zones, self._viewport = zones, viewport
        self._held: int | None = None
        self._drawn_from: QPointF | None = None
        viewport.tools.append(self)
        zones.changed.connect(self._dress)

    def _dress(self) -> None:
        if self._zones.draft is not None:
            self._viewport.setCursor(Qt.CursorShape.CrossCursor)
            self._viewport.setFocus()
        else:
            self._viewport.unsetCursor()

    def _corner_at(self, at: QPointF) -> int | None:
        zone = self._zones.find(self._zones.selected)
        return None if zone is None else handle_at(self._viewport, zone.points, at)

    def _zone_at(self, at: QPointF) -> str:
        """Return the zone whose outline is under the pointer, or ''. A drag inside moves the frame."""
        stroker = QPainterPathStroker()
        stroker.setWidth(2 * _NEAR)
        # The last one is drawn on top.
        for zone in reversed(self._zones.scene.zones):
            if stroker.createStroke(self._outline(zone)).contains(at):
                return zone.name
        return ""

    def _outline(self, zone: AnyZone) -> QPainterPath:
        path = QPainterPath()
        path.addPolygon(QPolygonF([self._viewport.point_of(point) for point in zone.points]))
        if isinstance(zone, ZoneSpec):
            path.closeSubpath()
        return path

    def mouse_press(self, event: QMouseEvent) -> bool:
        """Set a corner, select a zone by its outline, or grab a corner."""
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        if self._zones.draft is not None:
            at = self._viewport.share_at(event.position())
            if at is not None:
                self._drawn_from = event.position()
                self._zones.add_point(at)
            return True
        if self._corner_at(event.position()) is None and (name := self._zone_at(event.position())):
            self._zones.select(name)
        self._held = self._corner_at(event.position())
        if self._held is not None:
            self._zones.select(self._zones.selected, self._held)
        return self._held is not None

    def mouse_move(self, event: QMouseEvent) -> bool:
        """Preview the next corner, or move the grabbed one."""
        at = self._viewport.share_at(event.position())
        if self._zones.draft is not None:
            if at is not None:
                self._zones.aim(at)
            return True
        if self._held is not None:
            if at is not None:
                self._zones.move_corner(self._zones.selected, self._held, at)
            return True
        if event.buttons() == Qt.MouseButton.NoButton and self._corner_at(event.position()) is not None:
            self._viewport.setCursor(Qt.CursorShape.SizeAllCursor)
            return True
        if event.buttons() == Qt.MouseButton.NoButton and self._zone_at(event.position()):
            self._viewport.setCursor(Qt.CursorShape.PointingHandCursor)
            return True
        return False

    def mouse_release(self, event: QMouseEvent) -> bool:
        """Release a corner, or end a line that was drawn by a drag."""
        begun, self._drawn_from = self._drawn_from, None
        draft, at = self._zones.draft, self._viewport.share_at(event.position())
        if draft is not None and begun is not None and at is not None and draft.kind == "line":
            if (event.position() - begun).manhattanLength() >= _DRAG:
                self._zones.add_point(at)
            return True
        if self._held is not None:
            self._held = None
            self._zones.seal()
            return True
        return self._zones.draft is not None

    def mouse_double_click(self, event: QMouseEvent) -> bool:
        """End the zone that is drawn; its last corner was set by the first click."""
        if self._zones.draft is None:
            return self._corner_at(event.position()) is not None
        self._zones.finish()
        return True

    def wants_menu(self) -> bool:
        """The right button is the window's."""
        return False

    def wants_key(self, event: QKeyEvent) -> bool:
        """Return whether the tool uses a key now, overriding the window's shortcuts."""
        if has_other_modifiers(event):
            return False
        if self._zones.draft is not None:
            return event.key() in _DRAWING
        # Arrows go on seeking in the video until a corner is chosen.
        is_ours = event.key() not in ARROWS or self._zones.corner is not None
        return bool(self._zones.selected) and event.key() in _CHANGING and is_ours

    def key_press(self, event: QKeyEvent) -> bool:
        """Handle a key of the tool; return False for any other."""
        if not self.wants_key(event):
            return False
        key, zones = Qt.Key(event.key()), self._zones
        if zones.draft is not None:
            {Qt.Key.Key_Escape: zones.cancel, Qt.Key.Key_Backspace: zones.take_back}.get(key, zones.finish)()
        elif key == Qt.Key.Key_Escape:
            zones.select("")
        elif key == Qt.Key.Key_Delete:
            zones.remove(zones.selected)
        elif key in PAGES:
            self._choose(event)
        else:
            self._move(event)
        return True

    def _choose(self, event: QKeyEvent) -> None:
        zone = self._zones.find(self._zones.selected)
        if zone is not None:
            self._zones.select(zone.name, next_handle(self._zones.corner, len(zone.points), event))

    def _move(self, event: QKeyEvent) -> None:
        zone, number = self._zones.find(self._zones.selected), self._zones.corner or 0
        if zone is None or number >= len(zone.points):
            return
        self._zones.select(zone.name, number)
        to = stepped(self._viewport, event, zone.points[number])
        self._zones.move_corner(zone.name, number, to)
