"""Card of an event: its condition and its actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.fields import Value
from desktop.outputs.events import event_actions
from desktop.outputs.events.action import EventAction
from desktop.ui.features.zones.zones import Zones
from desktop.ui.forms.card import FoldingCard
from desktop.ui.forms.editors.number import NumberBox
from desktop.ui.forms.field_form import FieldForm
from desktop.ui.kit.information import Information, field_rows
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, Themed, WheelGuard, WrappedLabel, column, muted
from desktop.vision.tracking.events import MOST_ACTIONS, ActionSpec, EventSpec

_LONGEST_S: Final = 86_400
_MOST: Final = 10_000


class EventCard(FoldingCard):
    """Shows and changes one event; its power button says whether the actions are carried out."""

    def __init__(self, zones: Zones, themed: Themed, guard: WheelGuard) -> None:
        self.name = QLineEdit()
        super().__init__(themed, self.tr("Show when it happens and what is done"), "line", self.name)
        self._zones, self._themed, self._guard = zones, themed, guard
        self._event = EventSpec("", "")
        self._of_line: bool | None = None
        self._shown: tuple[ActionSpec, ...] | None = None
        self._forms: list[_ActionForm] = []
        self.body = QWidget()
        layout = column(self.body, 0, 4)
        layout.setContentsMargins(4, 2, 2, 2)
        self.column.addWidget(self.body)
        self.set_expanded(True)
        self.name.setMaxLength(80)
        self.name.setMinimumWidth(40)
        self.name.setAccessibleName(self.tr("Name of the event"))
        self.name.editingFinished.connect(self._rename)
        self.power.setToolTip(self.tr("A look that was opened does nothing before this is switched on."))
        self.toggled.connect(lambda on: self._change(state="on" if on else "off"))
        self.expansion_requested.connect(lambda _: self.set_expanded(not self.expanded))
        self.command.connect(self._run_command)
        row = QHBoxLayout()
        row.setSpacing(4)
        self.when = self._combo(self.tr("When"))
        self.when.activated.connect(lambda _: self._change(when=self.when.currentData()))
        self.direction = self._combo(self.tr("Direction"))
        words = {"both": self.tr("both ways"), "forward": self.tr("forward"), "backward": self.tr("backward")}
        for value, text in words.items():
            self.direction.addItem(text, value)
        self.direction.activated.connect(lambda _: self._change(direction=self.direction.currentData()))
        self.seconds = self._box(self.tr("For how long"), 0, _LONGEST_S, " s")
        self.seconds.valueChanged.connect(lambda value: self._change(seconds=float(value)))
        self.above = self._box(self.tr("How many"), 0, _MOST, "")
        self.above.valueChanged.connect(lambda value: self._change(above=int(value)))
        # In a row of its own: beside a number its text would not fit into a narrow panel.
        layout.addWidget(self.when)
        for widget in (self.direction, self.seconds, self.above):
            row.addWidget(widget)
        layout.addLayout(row)
        self._actions = QVBoxLayout()
        self._actions.setSpacing(4)
        layout.addLayout(self._actions)
        self.add = QToolButton()
        self.add.setText(self.tr("Do something"))
        self.add.setToolTip(self.tr("Add what is done when it happens"))
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.add)
        for action in event_actions().values():
            menu.addAction(translated(action.title), partial(self._add_action, action.id))
        self.add.setMenu(menu)
        layout.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def expanded(self) -> bool:
        """True while the condition and the actions are shown."""
        return self.body.isVisibleTo(self)

    def set_expanded(self, on: bool) -> None:
        """Show or hide the condition and the actions."""
        self.body.setVisible(on)
        self.expander.set_icon("chevron_down" if on else "chevron_right")

    def menu_entries(self) -> Sequence[tuple[str, str]]:
        """See `FoldingCard`: there are no figures of an event."""
        return tuple(entry for entry in super().menu_entries() if entry[1] != "statistics")

    def information(self) -> Information:
        """See `FoldingCard`: what events are, and the values of the actions."""
        text = self.tr("An event happens when an object enters, leaves, stays in or crosses what was drawn.")
        actions = (event_actions().get(spec.kind) for spec in self._event.actions)
        rows = (row for action in actions if action is not None for row in field_rows(action.fields))
        return Information(self._event.name, text, tuple(rows), "zones.md")

    def _run_command(self, name: str) -> None:
        if name == "remove":
            self._zones.remove_event(self._event.name)
        elif name == "information":
            from desktop.ui.workspace.information_popup import InformationPopup

            InformationPopup(self.information(), self.more).open_below()

    def _combo(self, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._guard.watch(box)
        return box

    def _box(self, name: str, low: int, high: int, suffix: str) -> NumberBox:
        box = NumberBox()
        box.setDecimals(0)
        box.setRange(low, high)
        box.setSuffix(suffix)
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        box.setAccessibleName(name)
        box.setMinimumWidth(40)
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._guard.watch(box)
        return box

    # -- showing ---------------------------------------------------------------------------------------------

    def show_event(self, event: EventSpec, *, of_line: bool) -> None:
        """Show an event of a zone, or of a line."""
        self._event = event
        # Without an action there is nothing to switch off.
        self.power.setEnabled(bool(event.actions))
        self.show_head(event.name, is_on=event.enabled or not event.actions)
        widgets = (self.name, self.when, self.direction, self.seconds, self.above)
        blockers = [QSignalBlocker(widget) for widget in widgets]
        if of_line != self._of_line:
            self._of_line = of_line
            self.when.clear()
            for value, text in self._whens(of_line):
                self.when.addItem(text, value)
        if not self.name.hasFocus() or not self.name.isModified():
            self.name.setText(event.name)
        self.when.setCurrentIndex(max(0, self.when.findData(event.when)))
        self.direction.setCurrentIndex(self.direction.findData(event.direction))
        self.seconds.setValue(event.seconds)
        self.above.setValue(event.above)
        del blockers
        self.direction.setVisible(event.when == "crosses")
        self.seconds.setVisible(event.when == "stays")
        self.above.setVisible(event.when == "above")
        self.add.setEnabled(len(event.actions) < MOST_ACTIONS)
        self._show_actions(event.actions)

    def _whens(self, of_line: bool) -> tuple[tuple[str, str], ...]:
        if of_line:
            return (("crosses", self.tr("crosses")),)
        return (
            ("enters", self.tr("enters")),
            ("leaves", self.tr("leaves")),
            ("stays", self.tr("stays longer than")),
            ("above", self.tr("more inside than")),
        )

    def _show_actions(self, actions: tuple[ActionSpec, ...]) -> None:
        if actions == self._shown:
            return
        kinds = None if self._shown is None else [spec.kind for spec in self._shown]
        self._shown = actions
        if kinds == [spec.kind for spec in actions]:
            for form, spec in zip(self._forms, actions, strict=True):
                form.show_values(spec)
            return
        for form in self._forms:
            self._actions.removeWidget(form)
            form.hide()
            form.deleteLater()
        self._forms = [
            _ActionForm(self, index, spec, self._themed, self._guard) for index, spec in enumerate(actions)
        ]
        for form in self._forms:
            self._actions.addWidget(form)

    # -- changing --------------------------------------------------------------------------------------------

    def _change(self, **fields: Any) -> None:
        event = replace(self._event, **fields)
        if event != self._event:
            self._zones.change_event(self._event.name, event, ("event", self._event.name, *fields))

    def _set_actions(self, actions: tuple[ActionSpec, ...], key: object = None) -> None:
        self._zones.change_event(self._event.name, replace(self._event, actions=actions), key)

    def _rename(self) -> None:
        self.name.setModified(False)
        name = "".join(c for c in self.name.text().strip() if c.isprintable())
        if name and name != self._event.name:
            self._zones.change_event(self._event.name, replace(self._event, name=name))
        # Also where the name is taken, so that it is not shown as if it were this one's.
        self.name.setText(self._event.name)

    def _add_action(self, kind: str) -> None:
        spec = ActionSpec(kind, event_actions()[kind].checked({}))
        self._set_actions((*self._event.actions, spec))

    def remove_action(self, index: int) -> None:
        """Remove one of its actions."""
        actions = self._event.actions
        self._set_actions((*actions[:index], *actions[index + 1 :]))

    def change_action(self, index: int, spec: ActionSpec) -> None:
        """Replace an action."""
        actions = self._event.actions
        key = ("event", self._event.name, "action", index)
        self._set_actions((*actions[:index], spec, *actions[index + 1 :]), key)


class _ActionForm(QWidget):
    """One action: its title, and a row for each of its fields."""

    def __init__(
        self, card: EventCard, index: int, spec: ActionSpec, themed: Themed, guard: WheelGuard
    ) -> None:
        super().__init__()
        self._card, self._index, self._spec = card, index, spec
        self._action: EventAction | None = event_actions().get(spec.kind)
        layout = column(self, 0, 2)
        head = QHBoxLayout()
        title = translated(self._action.title) if self._action is not None else spec.kind
        head.addWidget(WrappedLabel(title), 1)
        remove = IconButton(themed, "close", self.tr("Remove: {0}").format(title))
        remove.clicked.connect(lambda: card.remove_action(index))
        head.addWidget(remove)
        layout.addLayout(head)
        self.form = FieldForm(self._action.fields if self._action is not None else (), themed, guard)
        self.form.edited.connect(self._set)
        self.form.refused.connect(self._refuse)
        layout.addWidget(self.form)
        self.missing = muted()
        layout.addWidget(self.missing)
        self.show_values(spec)

    def _refuse(self, text: str) -> None:
        self.missing.setText(translated(text))
        self.missing.show()

    def _set(self, name: str, value: Value) -> None:
        values = {**self._spec.values, name: value}
        self._card.change_action(self._index, ActionSpec(self._spec.kind, values))

    def show_values(self, spec: ActionSpec) -> None:
        """Show other values of the same action."""
        self._spec = spec
        self.form.show_values(spec.values)
        lacks = self._action.missing(spec.values) if self._action is not None else ""
        text = self.tr("Nothing is done before this is filled in: {0}").format(translated(lacks))
        self.missing.setText(text if lacks else "")
        self.missing.setVisible(bool(lacks))
