"""A part of a mask in the card of its stage: its head, and what it is set to when it is expanded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QWidget

from desktop.base.fields import Flag
from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.param import Param
from desktop.pipeline.masks.spec import JOINS, Join, MaskPart
from desktop.ui.features.automation.automations import Automations
from desktop.ui.features.automation.rows import AutomationRows
from desktop.ui.features.masks.masks import Masks, PartPlace, Purpose
from desktop.ui.features.masks.part_editors import offer_to, part_editor
from desktop.ui.features.networks.networks import Networks
from desktop.ui.forms.card import NO_KEY, Keys
from desktop.ui.forms.card_form import CardForm
from desktop.ui.forms.editors import make_editor
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.param_rows import ParamRows
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, SideOrBelow, Themed, WheelGuard, WrappedLabel, column, muted
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.tracking.track import TrackSpec

_ALT: Final = Qt.KeyboardModifier.AltModifier
_KEYS: Final[Keys] = {
    (Qt.Key.Key_Up, _ALT): "up",
    (Qt.Key.Key_Down, _ALT): "down",
    (Qt.Key.Key_Delete, NO_KEY): "remove",
}
_LIST_PADDING: Final = 38  # of the style sheet, and the arrow
_JOIN_TITLES: Final[dict[Join, Text]] = {
    "add": sentence("Add"),
    "subtract": sentence("Subtract"),
    "intersect": sentence("Intersect"),
}
_INVERT: Final = Flag(
    "inverted",
    False,
    label=sentence("Invert part"),
    help=sentence("Take what is outside of this part."),
)


class _RowButton(IconButton):
    """A button that leaves Alt+Up and Alt+Down to its row; Qt's own take them as plain arrows."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press, unless the row is moved."""
        if _command_of(event):
            event.ignore()
        else:
            super().keyPressEvent(event)


def _command_of(event: QKeyEvent) -> str:
    return _KEYS.get((event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier), "")


class PartRow(QFrame):
    """Edits a part of a mask.

    Signals:
        expanded_changed: whether it was expanded or collapsed by the user.
        removed: the user has removed it.
        moved: the user has moved it to an index.
    """

    accessible_role = QAccessible.Role.Grouping
    expanded_changed = Signal(bool)
    removed = Signal()
    moved = Signal(int)

    def __init__(self, workspace: Workspace, themed: Themed, guard: WheelGuard, place: PartPlace) -> None:
        super().__init__()
        self.setObjectName("maskPart")
        self._workspace, self._themed, self._guard = workspace, themed, guard
        self._masks = workspace.get(Masks)
        self._automations = workspace.get(Automations)
        self._automated = AutomationRows(workspace, themed, place.stage, self)
        self.place = place
        part = self._masks.part(place)
        assert part is not None
        self.part: MaskPart = part
        self.kind: Filter | None = self._masks.kind(part)
        self.rows: ParamRows | None = None
        self.objects: ObjectRow | None = None
        self.body: QWidget | None = None
        self._column = column(self, 0, 2)
        self._column.setContentsMargins(0, 3, 0, 3)
        self.expander = _RowButton(themed, "chevron_right", "")
        self.expander.clicked.connect(lambda: self._toggle())
        self.title = WrappedLabel()
        self.join = ElidedComboBox()
        guard.watch(self.join)
        self.join.activated.connect(self._join)
        self.more = _RowButton(themed, "more", "")
        self.more.clicked.connect(
            lambda: self._show_menu(self.more.mapToGlobal(QPoint(0, self.more.height())))
        )
        head = QHBoxLayout()
        head.setSpacing(3)
        head.addWidget(self.expander, 0, Qt.AlignmentFlag.AlignTop)
        named = SideOrBelow(self.title, self.join, align=Qt.AlignmentFlag.AlignLeft)
        head.addWidget(named, 1)
        head.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        self._column.addLayout(head)
        self.show_part(part)

    def show_part(self, part: MaskPart) -> None:
        """Show another state of the part."""
        self.part = part
        title = self._masks.title(part)
        self.title.setText(self.tr("{0}, inverted").format(title) if part.inverted else title)
        self.setAccessibleName(self.title.plain)
        self.expander.set_label(self.tr("{0}: settings").format(title))
        self.more.set_label(self.tr("{0}: more").format(title))
        self.join.setAccessibleName(self.tr("{0}: joined by").format(title))
        self._show_join()
        if self.rows is not None:
            self.rows.show_values(part.values)
        if self.body is not None:
            self.invert.set_value(part.inverted)
        self._automated.show_all()
        self.refresh()

    def _show_join(self) -> None:
        # The first part is joined with nothing, but it may be taken from the whole frame.
        is_first = self.place.index == 0
        self.join.setVisible(not is_first or self.part.join != "add")
        offered: Sequence[Join] = JOINS[:2] if is_first and self.part.join != "intersect" else JOINS
        with QSignalBlocker(self.join):
            self.join.clear()
            for join in offered:
                self.join.addItem(translated(_JOIN_TITLES[join]), join)
            self.join.setCurrentIndex(self.join.findData(self.part.join))
        titles = map(translated, _JOIN_TITLES.values())
        longest = max(map(self.join.fontMetrics().horizontalAdvance, titles))
        self.join.setFixedWidth(longest + _LIST_PADDING)

    @property
    def is_expanded(self) -> bool:
        """True while its settings are shown."""
        return self.body is not None and self.body.isVisibleTo(self)

    def set_expanded(self, on: bool) -> None:
        """Show or hide the settings; they are made the first time."""
        if on and self.body is None:
            self.body = self._make_body()
            self._column.addWidget(self.body)
            self.show_part(self.part)
        if self.body is not None:
            self.body.setVisible(on)
        self.expander.set_icon("chevron_down" if on else "chevron_right")

    def _toggle(self) -> None:
        self.expanded_changed.emit(not self.is_expanded)

    # -- the body --------------------------------------------------------------------------------------------

    def _make_body(self) -> QWidget:
        body = QWidget()
        rows = column(body, 0, 4)
        rows.setContentsMargins(6, 0, 0, 4)
        self.draw = QPushButton(self.tr("Draw in the video"))
        self.draw.setObjectName("rowButton")
        self.draw.setCheckable(True)
        self.draw.clicked.connect(self._draw)
        self.draw.setVisible(self._is_drawn)
        rows.addWidget(self.draw, 0, Qt.AlignmentFlag.AlignLeft)
        if self._source == "track":
            self.objects = ObjectRow(self._workspace, self, "follow")
            rows.addWidget(self.objects)
        if self.kind is not None and self.kind.params:
            self.rows = ParamRows(
                self.kind,
                self.part.values,
                self._themed,
                self._guard,
                make=self._make_editor,
                details=QLabel() if self.kind.network is not None else None,
                nested=True,
            )
            self.rows.edited.connect(self._edit)
            self.rows.released.connect(self._masks.seal)
            self.rows.released.connect(self._automations.seal)
            self._automated.attach_all(map(self.rows.row, self.rows.editors), f"{self._target}.")
            rows.addWidget(self.rows)
        form_of = QWidget()
        form = CardForm(form_of, nested=True)
        self.invert = make_editor(_INVERT, self._themed, self._guard)
        label = form.add_row(translated(_INVERT.label), self.invert, translated(_INVERT.help))
        label.setBuddy(self.invert.main)
        self.invert.edited.connect(self._invert)
        rows.addWidget(form_of)
        if self._is_drawn:
            self.objects = ObjectRow(self._workspace, self, "attach")
            rows.addWidget(self.objects)
        return body

    @property
    def _source(self) -> str:
        return self.kind.given.source if self.kind is not None and self.kind.given is not None else ""

    @property
    def _is_drawn(self) -> bool:
        return self._masks.editing(self.part) is not None

    def begin(self) -> None:
        """Let the user choose the object of a part that was just added."""
        if self._source == "track" and self.objects is not None and self.objects.choose.isEnabled():
            self._masks.begin(self.place, "follow")

    def _make_editor(self, param: Param, themed: Themed, guard: WheelGuard) -> FieldEditor:
        return part_editor(self._source, param, themed, guard)

    def refresh(self) -> None:
        """Show what has changed around the part: zones, effects, classes, tracking, what is drawn."""
        if self.body is None:
            return
        for editor in self.rows.editors.values() if self.rows is not None else ():
            offer_to(editor, self._workspace, self.place.stage)
        self.draw.setChecked(self._masks.is_selected(self.place, "draw"))
        if self.objects is not None:
            self.objects.refresh()

    # -- edits -----------------------------------------------------------------------------------------------

    def _draw(self, on: bool) -> None:
        if on:
            self._masks.begin(self.place)
        else:
            self._masks.select(None)

    @property
    def _target(self) -> str:
        """Name of the part in those of numbers that can be automated."""
        return f"mask.{self.place.index + 1}"

    def _edit(self, name: str, value: object) -> None:
        value = self._automations.take_value(self.place.stage, f"{self._target}.{name}", value)
        if value is None:
            return
        use = self.kind.network if self.kind is not None else None
        if use is not None and name == use.model:
            self._workspace.get(Networks).use_checked(
                str(value), lambda: self._masks.set_values(self.place, {name: value})
            )
        else:
            self._masks.set_values(self.place, {name: value}, name)

    def _join(self, index: int) -> None:
        self._masks.change(self.place, replace(self.part, join=self.join.itemData(index)))

    def _invert(self, on: bool) -> None:
        self._masks.change(self.place, replace(self.part, inverted=on))

    def make_menu(self) -> QMenu:
        """Return the menu of the part."""
        menu = QMenu(self)
        invert = menu.addAction(self.tr("Invert part"))
        invert.setCheckable(True)
        invert.setChecked(self.part.inverted)
        invert.triggered.connect(self._invert)
        menu.addSeparator()
        last = len(self._masks.mask(self.place.stage).parts) - 1
        for text, command, enabled in (
            (self.tr("Move up"), "up", self.place.index > 0),
            (self.tr("Move down"), "down", self.place.index < last),
            (self.tr("Remove"), "remove", True),
        ):
            action = menu.addAction(text)
            action.setEnabled(enabled)
            action.triggered.connect(lambda _=False, command=command: self._command(command))
        return menu

    def _show_menu(self, at: QPoint) -> None:
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def _command(self, command: str) -> None:
        match command:
            case "remove":
                self.removed.emit()
            case "up":
                self.moved.emit(self.place.index - 1)
            case "down":
                self.moved.emit(self.place.index + 1)

    def event(self, event: QEvent) -> bool:
        """Keep its own keys from the card and the window's actions."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _command_of(event)
        ):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move or remove the part; the card would move or remove the effect."""
        command = _command_of(event)
        if command:
            self._command(command)
        else:
            super().keyPressEvent(event)


class ObjectRow(QWidget):
    """Chooses the tracked object that a part is or moves with, and offers tracking if it is off."""

    def __init__(self, workspace: Workspace, row: PartRow, purpose: Purpose) -> None:
        super().__init__()
        self._workspace, self._row, self._purpose = workspace, row, purpose
        self._masks = workspace.get(Masks)
        rows = column(self, 0, 4)
        self.text = muted()
        self.choose = QPushButton()
        self.choose.setObjectName("rowButton")
        self.choose.setCheckable(True)
        self.choose.clicked.connect(self._choose)
        self.detach = QPushButton(self.tr("Detach"))
        self.detach.setObjectName("rowButton")
        self.detach.clicked.connect(lambda: self._masks.detach(row.place))
        self.track = QPushButton(self.tr("Track objects"))
        self.track.setObjectName("rowButton")
        self.track.clicked.connect(lambda: workspace.edits.set_track(TrackSpec()))
        for button in (self.choose, self.detach):
            rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        rows.addWidget(self.text)
        rows.addWidget(self.track, 0, Qt.AlignmentFlag.AlignLeft)

    def _choose(self, on: bool) -> None:
        if on:
            self._masks.begin(self._row.place, self._purpose)
        else:
            self._masks.select(self._row.place)

    def refresh(self) -> None:
        """Show the state of the part, of the choice, and of tracking."""
        attachment = self._row.part.attachment
        setup = self._workspace.edits.setup
        chooses = self._masks.is_selected(self._row.place, self._purpose)
        needs = self._purpose == "follow" or attachment is not None or chooses
        untracked = needs and setup.scene.track is None
        self.choose.setText(
            self.tr("Choose in the video") if self._purpose == "follow" else self.tr("Attach to an object")
        )
        self.choose.setChecked(chooses)
        self.choose.setEnabled(setup.network is not None and not untracked)
        self.choose.setVisible(attachment is None or chooses)
        self.detach.setVisible(attachment is not None and not chooses)
        self.track.setVisible(untracked and setup.network is not None)
        text, network = "", self.tr("A network that finds objects is needed")
        self.choose.setToolTip(network if setup.network is None else "")
        if needs and setup.network is None:
            text = network
        elif untracked:
            text = self.tr("Objects are not tracked")
        elif chooses:
            text = self.tr("Click an object in the video")
        elif attachment is not None:
            text = self.tr("Moves with object {0}").format(attachment.identity)
        self.text.setText(text)
        self.text.setVisible(bool(text))
