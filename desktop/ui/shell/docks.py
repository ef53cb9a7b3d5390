"""The docked panels around the frame: built from their specs, folded in a narrow window, locked and reset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLineEdit, QMainWindow, QStyle, QTabBar, QWidget

from desktop.ui.kit.language import translated
from desktop.ui.kit.late_part import LatePart
from desktop.ui.kit.widgets import IconButton, heading
from desktop.ui.workspace.panel import HasWork, PanelContext, PanelSpec, ShowsFigures
from desktop.ui.workspace.window_context import Kind, Place

# Narrower than this the left panels fold away: with them the frame would have a third of the width.
_COMPACT_BELOW: Final = 1080
_AREAS: Final[dict[Place, Qt.DockWidgetArea]] = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}


class _NoDoubleClick(QObject):
    """Blocks double clicks on a panel's head, which would float the dock without a frame."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.MouseButtonDblClick


class DockArea:
    """The window's docks, by their panels' ids.

    The bottom panels are tabs of one area. Those that the user has put beside each other share the width, and
    are tabs while the window is too narrow for them.
    """

    def __init__(self, window: QMainWindow, specs: Sequence[PanelSpec], context: PanelContext) -> None:
        self._window, self._context = window, context
        self._still = _NoDoubleClick(window)
        self._specs = tuple(specs)
        self._panels = {spec.id: self._make(spec) for spec in specs}
        self._late = [spec for spec in specs if spec.late and not spec.heavy]
        self.docks = {spec.id: self._dock(spec) for spec in specs}
        self.locked = False
        self._compact = False
        self._stacked = False
        self._beside = 1  # groups of tabs at the bottom when they were laid out last
        self._requested_dock: QDockWidget | None = None
        self._folded: tuple[str, ...] = ()
        self._hidden: dict[Place, tuple[QDockWidget, ...]] = {}
        # Widths of the side panels: undisturbed, and as reduced by bottom panels.
        self._wide: dict[str, int] = {}
        self._left: dict[str, int] = {}
        self._settling = False
        self._join(self.of("bottom"))
        for spec in self._specs:
            if not spec.shown:
                self.docks[spec.id].hide()
        # Qt makes the bar of their tabs with the next layout.
        QTimer.singleShot(0, window, self._call)
        self._resize()
        window.setCorner(Qt.Corner.BottomLeftCorner, _AREAS["left"])
        window.setCorner(Qt.Corner.BottomRightCorner, _AREAS["right"])

    # -- making them -----------------------------------------------------------------------------------------

    def _make(self, spec: PanelSpec) -> QWidget:
        def make() -> QWidget:
            panel = spec.make(self._context)
            panel.setAccessibleName(translated(spec.title))
            return panel

        return LatePart(make) if spec.late else make()

    def _dock(self, spec: PanelSpec) -> QDockWidget:
        title = translated(spec.title)
        dock = QDockWidget(title, self._window)
        dock.setObjectName(spec.id)
        content = self._panels[spec.id]
        dock.setWidget(content)
        header = getattr(content, "header", None)
        bar = header if header is not None else self._header(spec, dock)
        bar.installEventFilter(self._still)
        dock.setTitleBarWidget(bar)
        self._window.addDockWidget(_AREAS[spec.place], dock)
        # Qt's own entry in the menu, which has shown or hidden it by then.
        dock.toggleViewAction().triggered.connect(lambda shown: self._toggled(dock, shown))
        return dock

    def _header(self, spec: PanelSpec, dock: QDockWidget) -> QWidget:
        header = QWidget()
        header.setObjectName("panel")
        header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(header)
        row.setContentsMargins(12, 6, 8, 4)
        row.addWidget(heading(translated(spec.title)))
        row.addStretch(1)
        if spec.closed_by:
            close = IconButton(self._context.themed, "close", translated(spec.closed_by))
            close.clicked.connect(lambda: self._hide(dock))
            row.addWidget(close)
        return header

    def _resize(self) -> None:
        for side, direction in ((1, Qt.Orientation.Vertical), (0, Qt.Orientation.Horizontal)):
            sized = [spec for spec in self._specs if spec.size[side]]
            docks, sizes = [self.docks[spec.id] for spec in sized], [spec.size[side] for spec in sized]
            self._window.resizeDocks(docks, sizes, direction)

    # -- what is in them -------------------------------------------------------------------------------------

    def panel(self, panel_id: str, kind: type[Kind]) -> Kind:
        """Return a panel's widget; a late one is made."""
        found = self._panels[panel_id]
        made = found.part() if isinstance(found, LatePart) else found
        assert isinstance(made, kind)
        return made

    def is_made(self, panel_id: str) -> bool:
        """False for a late panel that was not opened yet."""
        found = self._panels[panel_id]
        return not isinstance(found, LatePart) or found.is_made

    def next_late(self) -> PanelSpec | None:
        """Return a late panel that is not built yet and not heavy, or None."""
        return next((spec for spec in self._late if not self.is_made(spec.id)), None)

    def make_late(self) -> None:
        """Build all parts not built yet."""
        for panel in self._panels.values():
            if isinstance(panel, LatePart):
                panel.part()

    def _made(self) -> Iterator[QWidget]:
        for panel in self._panels.values():
            if not isinstance(panel, LatePart):
                yield panel
            elif panel.is_made:
                yield panel.part()

    def update_figures(self) -> None:
        """Update the figures of visible panels."""
        for panel in self._made():
            if isinstance(panel, ShowsFigures) and panel.isVisible():
                panel.update_figures()

    def shutdown(self) -> None:
        """End the panels' own work."""
        for panel in self._made():
            if isinstance(panel, HasWork):
                panel.shutdown()

    def show(self, panel_id: str, *, grow: bool = False) -> None:
        """Show a panel in front of its tabs; `grow`: as for `toggle`."""
        self._note_sides()
        self._bring(self.docks[panel_id])
        self._settle(grow=grow)

    def search(self, panel_id: str) -> None:
        """Show a panel, with the cursor in its search."""
        self.show(panel_id)
        found = self._panels[panel_id]
        search = getattr(found.part() if isinstance(found, LatePart) else found, "search", None)
        assert isinstance(search, QLineEdit)
        search.setFocus()
        search.selectAll()

    def of(self, place: Place) -> list[QDockWidget]:
        """Return the docks of a place, in their order."""
        return [self.docks[spec.id] for spec in self._specs if spec.place == place]

    # -- showing and hiding ----------------------------------------------------------------------------------

    def is_shown(self, panel_id: str) -> bool:
        """True unless the user or a narrow window has hidden a panel."""
        return not self.docks[panel_id].isHidden()

    def toggle(self, panel_id: str, *, grow: bool = False) -> None:
        """Show or hide a panel; `grow` enlarges a window too small for its panels, which would overlap."""
        dock = self.docks[panel_id]
        if self.is_shown(panel_id) and not self._is_behind(dock):
            self._hide(dock)
        else:
            self._note_sides()
            self._bring(dock)
            self._settle(grow=grow)

    def _toggled(self, dock: QDockWidget, shown: bool) -> None:
        # `arrange` has noted the width of the sides: they are already laid out again.
        if shown:
            self._bring(dock)
        self._settle(grow=False)

    def _hide(self, dock: QDockWidget) -> None:
        self._note_sides()
        dock.hide()
        self._settle(grow=False)

    def _settle(self, *, grow: bool) -> None:
        """Lay out a shown or hidden panel once Qt has updated the docks."""

        self._settling = True

        def settle() -> None:
            self.fit()
            if grow:
                self._grow_to_fit()
            QTimer.singleShot(0, self._window, self._widen_sides)

        QTimer.singleShot(0, self._window, settle)

    def _sides(self) -> dict[str, QDockWidget]:
        docks = (*self._placed("left"), *self._placed("right"))
        return {dock.objectName(): dock for dock in docks if not dock.isHidden()}

    def _note_sides(self) -> None:
        now = {name: dock.width() for name, dock in self._sides().items()}
        if now != self._left and not self._settling:
            self._wide = now

    def _widen_sides(self) -> None:
        """Restore the width that bottom panels took from the sides; Qt keeps them narrow."""
        sides = self._sides()
        taken = {name: width for name, width in self._wide.items() if name in sides}
        if any(sides[name].width() != width for name, width in taken.items()):
            docks = [sides[name] for name in taken]
            self._window.resizeDocks(docks, list(taken.values()), Qt.Orientation.Horizontal)
        self._left = {name: dock.width() for name, dock in sides.items()}
        self._settling = False

    def _bring(self, dock: QDockWidget) -> None:
        """Show a dock in front of its tabs."""
        dock.show()
        dock.raise_()
        self._requested_dock = dock

    def _is_behind(self, dock: QDockWidget) -> bool:
        # Qt considers it visible, but places it off screen.
        return bool(self._window.tabifiedDockWidgets(dock)) and dock.visibleRegion().isEmpty()

    def _grow_to_fit(self) -> None:
        layout = self._window.layout()
        if layout is not None:
            self._window.resize(self._window.size().expandedTo(layout.minimumSize()))

    def shows_any(self, place: Place) -> bool:
        """True if a panel of a place is shown."""
        return any(not dock.isHidden() for dock in self.of(place))

    def toggle_place(self, place: Place) -> None:
        """Hide all panels of a place, or show those that were hidden together or are shown by default."""
        shown = tuple(dock for dock in self.of(place) if not dock.isHidden())
        self._folded = ()
        self._note_sides()
        usual = tuple(self.docks[spec.id] for spec in self._specs if spec.place == place and spec.shown)
        for dock in shown or self._hidden.get(place) or usual:
            dock.setVisible(not shown)
        self._hidden[place] = shown
        self._settle(grow=False)

    def fit(self) -> None:
        """Fold the left panels in a narrow window, and restore them in one that is wide enough for all."""
        if self._window.isFullScreen():
            return
        compact = self._window.width() < _COMPACT_BELOW or (self._compact and not self._fits_unfolded())
        if compact != self._compact:
            self._compact = compact
            if compact:
                self._folded = tuple(dock.objectName() for dock in self.of("left") if not dock.isHidden())
                for name in self._folded:
                    self.docks[name].hide()
            else:
                self.unfold()
        self.arrange()

    def arrange(self) -> None:
        """Stack split bottom panels as tabs while they do not fit side by side; cheap if nothing changes."""
        if self._window.isFullScreen():
            return
        self._note_sides()
        groups = self._groups()
        if not self._stacked:
            stack = len(groups) > 1 and (self._compact or not self._fits())
        else:
            stack = self._compact or not self._fits_side_by_side()
        if stack != self._stacked:
            self._stack(stack)
            groups = self._groups()
        if len(groups) > self._beside:
            self._window.resizeDocks(groups, [self._window.width()] * len(groups), Qt.Orientation.Horizontal)
        self._beside = len(groups)
        self._call()

    def restore(self, state: QByteArray) -> None:
        """Restore a saved layout; bottom panels that were hidden in it are tabs, as in a new one."""
        self._window.restoreState(state)
        self._join([dock for dock in self._placed("bottom") if dock.isHidden()])
        self._beside = len(self._groups())
        QTimer.singleShot(0, self._window, self._call)

    def _join(self, docks: Sequence[QDockWidget]) -> None:
        """Make docks tabs of the area at the bottom; those that are hidden stay so."""
        others = [dock for dock in self._placed("bottom") if dock not in docks]
        area = next((dock for dock in others if not dock.isHidden()), next(iter((*others, *docks)), None))
        for dock in docks:
            hidden = dock.isHidden()
            if area is not None and dock is not area:
                self._window.tabifyDockWidget(area, dock)
            dock.setHidden(hidden)

    def _groups(self) -> list[QDockWidget]:
        """Return a dock of each group of tabs that stand beside each other at the bottom."""
        found: list[QDockWidget] = []
        for dock in self._at_the_bottom():
            if not any(other in self._window.tabifiedDockWidgets(dock) for other in found):
                found.append(dock)
        return found

    def _call(self) -> None:
        """Give docks at the bottom the titles of their tabs, which may be shorter; menus have the whole one."""
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus if bar.count() > 1 else Qt.FocusPolicy.NoFocus)
        at_the_bottom = self._placed("bottom")
        for spec in self._specs:
            dock, title = self.docks[spec.id], translated(spec.title)
            tab = translated(spec.tab) if spec.tab and dock in at_the_bottom else title
            if dock.windowTitle() != tab or dock.toggleViewAction().text() != title:
                dock.setWindowTitle(tab)
                dock.toggleViewAction().setText(title)

    def _placed(self, place: Place) -> list[QDockWidget]:
        """Return the docks currently in a place, whether the program or the user put them there."""
        return [
            dock
            for dock in self.docks.values()
            if self._window.dockWidgetArea(dock) == _AREAS[place] and not dock.isFloating()
        ]

    def _at_the_bottom(self) -> list[QDockWidget]:
        return [dock for dock in self._placed("bottom") if not dock.isHidden()]

    def _fits(self) -> bool:
        """Whether all panels fit; in a narrower window they would overlap."""
        layout = self._window.layout()
        return layout is None or layout.minimumSize().width() <= self._window.width()

    def _gap(self) -> int:
        extent = QStyle.PixelMetric.PM_DockWidgetSeparatorExtent
        return self._window.style().pixelMetric(extent, None, self._window)

    def _fits_unfolded(self) -> bool:
        """Whether all panels would fit with the folded ones; a panel may have made the window this wide."""
        layout = self._window.layout()
        folded = [self.docks[name].minimumSizeHint().width() for name in self._folded]
        if layout is None or not folded:
            return True
        return layout.minimumSize().width() + max(folded) + self._gap() <= self._window.width()

    def _fits_side_by_side(self) -> bool:
        gap = self._gap()
        docks = self._at_the_bottom()
        below = sum(dock.minimumSizeHint().width() + gap for dock in docks) - gap
        beside = 0
        for place in ("left", "right"):
            widths = [dock.width() for dock in self._placed(place) if not dock.isHidden()]
            beside += max(widths) + gap if widths else 0
        picture = self._window.centralWidget()
        least = 0 if picture is None else picture.minimumSizeHint().width()
        return beside + max(below, least) <= self._window.width()

    def _stack(self, stacked: bool) -> None:
        self._stacked = stacked
        docks = self._placed("bottom")
        shown = [dock for dock in docks if not dock.isHidden()]
        if stacked:
            self._join(docks)
        else:
            for dock in shown:
                self._window.addDockWidget(_AREAS["bottom"], dock, Qt.Orientation.Horizontal)
            self._join([dock for dock in docks if dock not in shown])
        if stacked and self._requested_dock in shown:
            self._requested_dock.raise_()

    def unfold(self, *, unstack: bool = False) -> None:
        """Restore panels folded in a narrow window and, with `unstack`, those stacked as tabs."""
        if unstack and self._stacked:
            self._stack(False)
        for name in self._folded:
            self.docks[name].show()
        self._folded = ()

    def reset(self) -> None:
        """Restore the default layout."""
        self._stacked, self._beside = False, 1
        for spec in self._specs:
            dock = self.docks[spec.id]
            dock.setFloating(False)
            self._window.addDockWidget(_AREAS[spec.place], dock)
            dock.setVisible(spec.shown)
        self._join(self.of("bottom"))
        QTimer.singleShot(0, self._window, self._call)
        self._resize()
        # The user's widths of the sides are not restored.
        self._wide = {
            spec.id: spec.size[0] for spec in self._specs if spec.place != "bottom" and spec.size[0]
        }
        self._settle(grow=False)

    def lock(self, locked: bool) -> None:
        """Lock or unlock the panels' places."""
        self.locked = locked
        feature = QDockWidget.DockWidgetFeature
        free = feature.DockWidgetClosable | feature.DockWidgetMovable | feature.DockWidgetFloatable
        for dock in self.docks.values():
            dock.setFeatures(feature.DockWidgetClosable if locked else free)
