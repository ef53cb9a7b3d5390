"""Rows of parameters that can be automated: a menu, a badge, and the value that the automation gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QPoint, QSize, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QLabel, QLineEdit, QMenu, QWidget

from desktop.base.fields import Number
from desktop.pipeline.automation.source import automation_sources
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.filters.params.point import PointParam
from desktop.ui.features.automation.automations import KEY_FRAMES, Automations, Key
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, Themed
from desktop.ui.workspace.workspace import Workspace

_CUSTOM: Final = Qt.ContextMenuPolicy.CustomContextMenu


class AutomationRows(QObject):
    """Adds automation to rows of a stage's numbers, wherever they are shown.

    What handles the editors' `edited` first passes the value to `Automations.take_value`.
    """

    def __init__(self, workspace: Workspace, themed: Themed, stage_id: int, parent: QObject) -> None:
        """Make it for the rows of a widget, which is the `parent`."""
        super().__init__(parent)
        self._workspace, self._themed, self._stage_id = workspace, themed, stage_id
        self._automations = workspace.get(Automations)
        self._rows: list[_Row] = []
        # After the card, which shows the numbers' own values.
        workspace.edits.setup_changed.connect(self.show_all)
        self._automations.recording_changed.connect(self.show_all)
        self._automations.values_changed.connect(self._show_values)

    def attach_all(self, rows: Iterable[tuple[QLabel, FieldEditor]], prefix: str = "") -> None:
        """Attach rows by the names of their fields, which follow `prefix` in the names of targets."""
        for label, editor in rows:
            self.attach(prefix + editor.field.name, label, editor)

    def attach(self, name: str, label: QLabel, editor: FieldEditor) -> None:
        """Attach the row of a number, or of a point, by the name of its target; others are left alone."""
        is_point = isinstance(editor.field, PointParam)
        if isinstance(editor.field, Number) or is_point:
            names = (f"{name}.x", f"{name}.y") if is_point else (name,)
            keys = tuple((self._stage_id, each) for each in names)
            row = _Row(self._automations, self._themed, keys, label, editor, self)
            self._rows.append(row)
            row.show_state()

    def show_all(self) -> None:
        """Show which numbers are automated, and their values."""
        if self._automations.stage(self._stage_id) is not None:
            for row in self._rows:
                row.show_state()

    def _show_values(self) -> None:
        for row in self._rows:
            if row.is_automated and row.editor.isVisible():
                row.show_value()


class _Row(QObject):
    """The row of a number, or of a point with two."""

    def __init__(
        self,
        automations: Automations,
        themed: Themed,
        keys: tuple[Key, ...],
        label: QLabel,
        editor: FieldEditor,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.editor = editor
        self._automations, self._themed, self._keys = automations, themed, keys
        self._badges: dict[Key, IconButton] = {}
        self._is_editable = True
        # The line of a number entry leaves its menu to the entry.
        inner = (each for each in editor.findChildren(QWidget) if not isinstance(each, QLineEdit))
        for widget in (label, editor, *inner):
            widget.setContextMenuPolicy(_CUSTOM)
            widget.customContextMenuRequested.connect(partial(self._show_menu, widget))

    # -- state -----------------------------------------------------------------------------------------------

    @property
    def is_automated(self) -> bool:
        """True if there is a badge."""
        return bool(self._badges)

    def show_state(self) -> None:
        """Show a badge for each automation, and the value."""
        for key in self._keys:
            automation, badge = self._automations.get(key), self._badges.get(key)
            if automation is not None:
                if badge is None:
                    badge = self._badges[key] = self._make_badge(key)
                self._dress(badge, key, automation)
            elif badge is not None:
                del self._badges[key]
                badge.hide()
                badge.deleteLater()
        self.show_value()

    def show_value(self) -> None:
        """Show the value that the automation gives, which only key frames let the user change."""
        given = [self._automations.running(key) for key in self._keys]
        sources = [automation.source for key in self._keys if (automation := self._automations.get(key))]
        editable = all(value is None for value in given) or KEY_FRAMES in sources
        if editable != self._is_editable:
            self._is_editable = editable
            self.editor.set_editable(editable)
        stage = self._automations.stage(self._keys[0][0])
        if len(given) == 1 and given[0] is not None:
            self.editor.set_value(given[0])
        elif len(given) > 1 and any(value is not None for value in given) and stage is not None:
            own = self._automations.own_values(self._keys)
            self.editor.set_value(tuple(o if g is None else g for g, o in zip(given, own, strict=True)))

    def _make_badge(self, key: Key) -> IconButton:
        badge = IconButton(self._themed, "automation", "", checkable=True)
        badge.setIconSize(QSize(14, 14))
        badge.setFixedSize(20, 20)
        badge.clicked.connect(lambda: self._press(key))
        badge.setContextMenuPolicy(_CUSTOM)
        badge.customContextMenuRequested.connect(partial(self._show_menu, badge))
        self.editor.add_badge(badge)
        badge.show()
        return badge

    def _dress(self, badge: IconButton, key: Key, automation: Automation) -> None:
        source = automation_sources().get(automation.source)
        title = translated(source.title) if source is not None else automation.source
        name = self.tr("Automated by: {0}").format(title)
        if len(self._keys) > 1:
            name = f"{self._automations.label(key)}. {name}"
        is_recorded = self._automations.recording == key
        badge.set_icon("record" if is_recorded else "automation")
        badge.setChecked(automation.enabled)
        badge.set_label(self.tr("Stop recording") if is_recorded else name)
        if not is_recorded:
            what = self.tr("Click to switch it off.") if automation.enabled else self.tr("It is off.")
            badge.setToolTip(f"{name}\n{what}")

    def _press(self, key: Key) -> None:
        if self._automations.recording == key:
            self._automations.stop_recording()
        else:
            self._automations.toggle(key)

    # -- the menu --------------------------------------------------------------------------------------------

    def _show_menu(self, widget: QWidget, at: QPoint) -> None:
        menu = self.make_menu(widget)
        if menu.isEmpty():
            menu.deleteLater()
            return
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(widget.mapToGlobal(at))

    def make_menu(self, widget: QWidget) -> QMenu:
        """Return the menu of a widget of the row; a number entry's begins with the entries of its line."""
        line = widget.findChild(QLineEdit) if isinstance(widget, QAbstractSpinBox) else None
        menu = (
            line.createStandardContextMenu() if line is not None and line.isEnabled() else QMenu(self.editor)
        )
        if not menu.isEmpty():
            menu.addSeparator()
        targets = self._automations.targets(self._keys[0][0])
        for key in self._keys:
            if key[1] in targets:  # not every number of a network can be, nor of a mask without parts
                self._add_entries(menu, key)
        return menu

    def _add_entries(self, menu: QMenu, key: Key) -> None:
        automations, automation = self._automations, self._automations.get(key)
        entries: list[tuple[str, Callable[[], object]]]
        if automation is None:
            entries = [(self.tr("Automate..."), lambda: self._begin(key))]
        else:
            on = self.tr("Switch the automation off"), self.tr("Switch the automation on")
            entries = [
                (self.tr("Edit the automation..."), lambda: self.open(key)),
                (on[0] if automation.enabled else on[1], lambda: automations.toggle(key)),
                (self.tr("Remove the automation"), lambda: automations.remove(key)),
            ]
            if automations.recording == key:
                entries.insert(1, (self.tr("Stop recording"), automations.stop_recording))
            elif automation.source == KEY_FRAMES:
                entries.insert(1, (self.tr("Record key frames"), lambda: automations.record(key)))
        target = menu
        if len(self._keys) > 1:
            target = menu.addMenu(automations.label(key))
        for text, act in entries:
            target.addAction(text).triggered.connect(lambda _=False, act=act: act())

    def _begin(self, key: Key) -> None:
        self._automations.begin(key)
        if self._automations.get(key) is not None:
            self.open(key)

    def open(self, key: Key) -> None:
        """Open the pop-up that edits an automation."""
        # Imported here: most cards are never automated.
        from desktop.ui.features.automation.automation_popup import AutomationPopup

        AutomationPopup(self._automations, self._themed, key, self.editor).open_below()
