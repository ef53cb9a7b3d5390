"""Panel of zones: their counts, their settings, and the actions of their events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QAction, QIcon, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.overlay.painting import class_color
from desktop.pipeline.setup.class_names import unknown_classes
from desktop.ui.features.networks.networks import Networks, has_located_results
from desktop.ui.features.zones.event_card import EventCard
from desktop.ui.features.zones.zones import Kind, Zones
from desktop.ui.forms.editors.number import NumberBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import (
    ChoiceTree,
    IconButton,
    Themed,
    WheelGuard,
    column,
    format_time,
    muted,
    scrolled,
)
from desktop.ui.workspace.action import with_key
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.tasks.shapes import Position
from desktop.vision.tracking.counts import Counts, LineCounts, ZoneCounts
from desktop.vision.tracking.zones import AnyZone, LineSpec

_NAME: Final = Qt.ItemDataRole.UserRole
_DOT: Final = 12
# From this width the form of the selected zone is beside the list.
_BESIDE_FROM: Final = 520


class ZonesPanel(QWidget):
    """Lists zones and lines with their counts; the selected one is edited beside or below."""

    def __init__(self, workspace: Workspace, themed: Themed, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._zones, self._themed = workspace, workspace.get(Zones), themed
        self._guard = WheelGuard(self)
        listed = QWidget()
        layout = column(listed, 0, 4)
        layout.addLayout(self._make_buttons(actions))
        self.hint = muted()
        self.hint.setContentsMargins(10, 0, 8, 2)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.hint)
        self.tree = ChoiceTree()
        self.tree.setColumnCount(2)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(6)
        self.tree.setAccessibleName(self.tr("Zones"))
        self.tree.currentItemChanged.connect(self._choose)
        layout.addWidget(self.tree, 1)
        self.details = _Details(workspace, themed, self._guard)
        # Fills the space below a short list, to keep the hint at the top.
        layout.addStretch(0)
        self._area = scrolled(self.details)
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(listed, 1)
        self._row.addWidget(self._area, 3)
        # Receives the focus when the panel is shown by its action.
        self.search = self.details.name
        self._zones.changed.connect(self.refresh)
        workspace.edits.setup_changed.connect(self.refresh)
        workspace.get(Networks).changed.connect(self.refresh)
        themed.follow(self.refresh)
        self.setMinimumWidth(220)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the form beside the list where there is the width, below it else."""
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        is_wide = self.width() >= _BESIDE_FROM
        self._row.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)

    def _make_buttons(self, actions: Mapping[str, QAction]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(8, 2, 8, 0)
        row.setSpacing(2)
        for icon, name in (("polygon", "draw_zone"), ("line", "draw_line")):
            button = IconButton(self._themed, icon, with_key(actions[name]), checkable=True)
            _follow_action(button, actions[name])
            row.addWidget(button)
        add = QToolButton()
        add.setText(self.tr("Add"))
        add.setToolTip(self.tr("Add one in the middle of the frame, to be moved by keys"))
        add.setAccessibleName(add.toolTip())
        add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(add)
        kinds: tuple[tuple[str, Kind], ...] = ((self.tr("A zone"), "polygon"), (self.tr("A line"), "line"))
        for text, kind in kinds:
            menu.addAction(text, partial(self._zones.add_usual, kind))
        add.setMenu(menu)
        row.addWidget(add)
        row.addStretch(1)
        for icon, name, checkable in (("heat", "heat_map", True), ("reset", "reset_counts", False)):
            button = IconButton(self._themed, icon, with_key(actions[name]), checkable=checkable)
            _follow_action(button, actions[name])
            row.addWidget(button)
        return row

    # -- showing ---------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the zones that there are now."""
        zones = self._zones
        blocker = QSignalBlocker(self.tree)
        wanted = [zone.name for zone in zones.scene.zones]
        if [self._item(row).data(0, _NAME) for row in range(self.tree.topLevelItemCount())] != wanted:
            self.tree.clear()
            for name in wanted:
                item = QTreeWidgetItem([name, ""])
                item.setData(0, _NAME, name)
                item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.tree.addTopLevelItem(item)
        for row, zone in enumerate(zones.scene.zones):
            item = self._item(row)
            item.setIcon(0, _dot(zone.color))
            if zone.name == zones.selected and self.tree.currentItem() is not item:
                self.tree.setCurrentItem(item)
        if not zones.selected:
            self.tree.setCurrentIndex(QModelIndex())
        del blocker
        self._fit_list(len(wanted))
        self.tree.setVisible(bool(wanted))
        self._area.setVisible(bool(zones.selected))
        self.details.show_zone(zones.find(zones.selected))
        self.hint.setText(self._hint())
        self.hint.setVisible(bool(self.hint.text()))
        self.update_figures()

    def _fit_list(self, rows: int) -> None:
        # No higher than its rows: the form needs the room.
        frame = 2 * self.tree.frameWidth() + 2
        self.tree.setMaximumHeight(rows * max(1, self.tree.sizeHintForRow(0)) + frame)

    def _item(self, row: int) -> QTreeWidgetItem:
        item = self.tree.topLevelItem(row)
        assert item is not None
        return item

    def _hint(self) -> str:
        draft = self._zones.draft
        if draft is not None and draft.kind == "line":
            return self.tr("Click where the line begins and where it ends; Esc draws nothing.")
        if draft is not None:
            return self.tr(
                "Click the corners; a double click or Enter closes the zone, Backspace takes one back, Esc "
                "draws nothing."
            )
        if not self._zones.scene.zones:
            return self.tr(
                "Draw a zone or a line on the video: it counts the objects that a network detects."
            )
        features = self._workspace.engine.current.network_status.features
        if self._workspace.edits.setup.analysis is None or (
            features is not None and not has_located_results(features)
        ):
            return self.tr("Nothing is counted: there is no network that detects objects.")
        unknown = unknown_classes(
            self._workspace.edits.setup, features.labels if features is not None else ()
        )
        return next((translated(each.text) for each in unknown if each.kind in ("zones", "events")), "")

    def update_figures(self) -> None:
        """Show the counts."""
        counts = {each.name: each for each in self._zones.counts}
        for row in range(self.tree.topLevelItemCount()):
            item = self._item(row)
            each = counts.get(item.data(0, _NAME))
            text = self._counts_text(each)
            if item.text(1) != text:
                item.setText(1, text)
                item.setToolTip(1, text)
        self._fit_columns()
        self.details.show_counts(counts.get(self._zones.selected))

    def _fit_columns(self) -> None:
        # In a narrow panel the counts end in an ellipsis, with a tool tip, and the name keeps its place.
        width = self.tree.viewport().width()
        self.tree.resizeColumnToContents(1)
        name = max(min(self.tree.sizeHintForColumn(0), width // 2), width - self.tree.columnWidth(1))
        self.tree.setColumnWidth(0, name)
        self.tree.setColumnWidth(1, width - name)

    def _counts_text(self, counts: Counts | None) -> str:
        if isinstance(counts, LineCounts):
            return self.tr("{forward} forward, {backward} backward").format(
                forward=counts.forward, backward=counts.backward
            )
        if isinstance(counts, ZoneCounts):
            return self.tr("{inside} inside, {entered} entered, {left} left").format(
                inside=counts.inside, entered=counts.entered, left=counts.left
            )
        return ""

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        self._zones.select("" if item is None else str(item.data(0, _NAME)))


class _Details(QWidget):
    """The form of one zone."""

    def __init__(self, workspace: Workspace, themed: Themed, guard: WheelGuard) -> None:
        super().__init__()
        self._workspace, self._zones, self._themed, self._guard = (
            workspace,
            workspace.get(Zones),
            themed,
            guard,
        )
        self._zone: AnyZone | None = None
        self._cards: dict[str, EventCard] = {}
        layout = column(self, 8, 6)
        head = QHBoxLayout()
        head.setSpacing(4)
        self.name = QLineEdit()
        self.name.setMaxLength(80)
        self.name.setMinimumWidth(40)
        self.name.setAccessibleName(self.tr("Name of the zone"))
        self.name.editingFinished.connect(self._rename)
        self.flip = IconButton(themed, "flip", self.tr("Turn its direction around"))
        self.flip.clicked.connect(lambda: self._zones.flip(self._zones.selected))
        remove = IconButton(themed, "trash", self.tr("Remove the zone"))
        remove.clicked.connect(lambda: self._zones.remove(self._zones.selected))
        for widget in (self.name, self.flip, remove):
            head.addWidget(widget)
        layout.addLayout(head)
        self.figures = muted()
        layout.addWidget(self.figures)
        layout.addLayout(self._make_form())
        self._events = QVBoxLayout()
        self._events.setSpacing(6)
        layout.addLayout(self._events)
        self.add_event = QToolButton()
        self.add_event.setText(self.tr("Add an event"))
        self.add_event.clicked.connect(lambda: self._zones.add_event(self._zones.selected))
        layout.addWidget(self.add_event, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)

    def _make_form(self) -> QFormLayout:
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(5)
        self.anchor = QComboBox()
        self.anchor.addItem(self.tr("lower edge"), "bottom")
        self.anchor.addItem(self.tr("center"), "center")
        self.anchor.setAccessibleName(self.tr("Counts by"))
        self.anchor.setToolTip(
            self.tr(
                "Point of an object that counts: the middle of the lower edge of its box, where feet are, "
                "or the center"
            )
        )
        self.anchor.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._guard.watch(self.anchor)
        self.anchor.activated.connect(lambda _: self._change(anchor=self.anchor.currentData()))
        form.addRow(self.tr("Counts by"), self.anchor)
        self.classes = QLineEdit()
        self.classes.setMinimumWidth(40)
        self.classes.setPlaceholderText(self.tr("all"))
        self.classes.setToolTip(self.tr("Names of classes with commas between them; empty for all"))
        self.classes.setAccessibleName(self.tr("Classes that count"))
        self.classes.editingFinished.connect(self._change_classes)
        form.addRow(self.tr("Classes"), self.classes)
        self.corner = _number(self.tr("Number of the corner"), 1, 1, self._guard)
        self.corner.valueChanged.connect(lambda n: self._zones.select(self._zones.selected, int(n) - 1))
        form.addRow(self.tr("Corner"), self.corner)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.across = _number(self.tr("Corner from the left"), 0, 100, self._guard, decimals=1, suffix=" %")
        self.down = _number(self.tr("Corner from the top"), 0, 100, self._guard, decimals=1, suffix=" %")
        for axis, box in enumerate((self.across, self.down)):
            box.valueChanged.connect(lambda percent, axis=axis: self._move_corner(axis, percent / 100))
            box.editingFinished.connect(self._zones.seal)
            row.addWidget(box)
        form.addRow(self.tr("lies at"), row)
        return form

    # -- showing ---------------------------------------------------------------------------------------------

    def show_zone(self, zone: AnyZone | None) -> None:
        """Show a zone."""
        self._zone = zone
        if zone is None:
            return
        widgets = (self.name, self.anchor, self.classes, self.corner, self.across, self.down)
        blockers = [QSignalBlocker(widget) for widget in widgets]
        if not self.name.hasFocus() or not self.name.isModified():
            self.name.setText(zone.name)
        self.flip.setVisible(isinstance(zone, LineSpec))
        self.anchor.setCurrentIndex(self.anchor.findData(zone.anchor))
        if not self.classes.hasFocus() or not self.classes.isModified():
            self.classes.setText(", ".join(zone.classes))
        number = min(self._zones.corner or 0, len(zone.points) - 1)
        self.corner.setRange(1, len(zone.points))
        self.corner.setValue(number + 1)
        self.across.setValue(zone.points[number][0] * 100)
        self.down.setValue(zone.points[number][1] * 100)
        del blockers
        self._show_events()

    def _show_events(self) -> None:
        events = {event.name: event for event in self._zones.events_of(self._zones.selected)}
        if list(events) != list(self._cards):
            for card in self._cards.values():
                self._events.removeWidget(card)
                card.hide()
                card.deleteLater()
            self._cards = {name: EventCard(self._zones, self._themed, self._guard) for name in events}
            for card in self._cards.values():
                self._events.addWidget(card)
        for name, card in self._cards.items():
            card.show_event(events[name], of_line=isinstance(self._zone, LineSpec))

    def show_counts(self, counts: Counts | None) -> None:
        """Show the zone's counts by class."""
        text = "" if counts is None else "\n".join(self._lines(counts))
        if text != self.figures.text():
            self.figures.setText(text)
        self.figures.setVisible(bool(text))

    def _lines(self, counts: Counts) -> list[str]:
        if isinstance(counts, LineCounts):
            return [
                self.tr("{name}: {forward} forward, {backward} backward").format(
                    name=each.label, forward=each.forward, backward=each.backward
                )
                for each in counts.classes
            ]
        lines = [
            self.tr("{name}: {inside} inside, {entered} entered, {left} left, {mean} each").format(
                name=each.label,
                inside=each.inside,
                entered=each.entered,
                left=each.left,
                mean=format_time(each.seconds / max(1, each.entered)),
            )
            for each in counts.classes
        ]
        if counts.entered:
            lines.append(
                self.tr("Time spent: {mean} on average, {longest} by who is longest inside").format(
                    mean=format_time(counts.mean_stay), longest=format_time(counts.longest)
                )
            )
        return lines

    # -- changing --------------------------------------------------------------------------------------------

    def _change(self, *, anchor: Literal["bottom", "center"]) -> None:
        if self._zone is not None and anchor != self._zone.anchor:
            zone = replace(self._zone, anchor=anchor)
            self._zones.change(zone.name, zone, self.tr("Change {0}").format(zone.name))

    def _change_classes(self) -> None:
        self.classes.setModified(False)
        if self._zone is None or self.classes.text() == ", ".join(self._zone.classes):
            return  # a name that has a comma itself would be divided
        classes = tuple(name for part in self.classes.text().split(",") if (name := part.strip()))
        if classes != self._zone.classes:
            zone = replace(self._zone, classes=classes)
            self._zones.change(zone.name, zone, self.tr("Change {0}").format(zone.name))

    def _rename(self) -> None:
        self.name.setModified(False)
        name = "".join(c for c in self.name.text().strip() if c.isprintable())
        if self._zone is not None and name and name != self._zone.name:
            label = self.tr("Rename {0}").format(self._zone.name)
            self._zones.change(self._zone.name, replace(self._zone, name=name), label)
        elif self._zone is not None:
            self.name.setText(self._zone.name)

    def _move_corner(self, axis: int, share: float) -> None:
        """Move the corner along one axis; on the other it keeps a position finer than the panel shows."""
        if self._zone is not None:
            number = int(self.corner.value()) - 1
            x, y = self._zone.points[number]
            to: Position = (share, y) if axis == 0 else (x, share)
            self._zones.move_corner(self._zone.name, number, to)


def _follow_action(button: IconButton, action: QAction) -> None:
    """Make a button trigger an action and follow its state."""

    def follow() -> None:
        button.setEnabled(action.isEnabled())
        if button.isCheckable():
            button.setChecked(action.isChecked())

    button.clicked.connect(action.trigger)
    button.clicked.connect(follow)
    action.changed.connect(follow)
    follow()


def _dot(color: int) -> QIcon:
    pixmap = QPixmap(_DOT, _DOT)
    pixmap.fill(class_color(color))
    return QIcon(pixmap)


def _number(
    name: str, low: float, high: float, guard: WheelGuard, *, decimals: int = 0, suffix: str = ""
) -> NumberBox:
    box = NumberBox()
    box.setDecimals(decimals)
    box.setRange(low, high)
    box.setSuffix(suffix)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.setAccessibleName(name)
    box.setMinimumWidth(40)
    box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    guard.watch(box)
    return box
