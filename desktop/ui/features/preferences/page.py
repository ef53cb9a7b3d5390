"""The page: sections at the left, a search above, a row for each setting. It knows no setting by its name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import UsageError
from desktop.base.fields import Available, Folder, Option
from desktop.ui.features.preferences.folders import folder_fault
from desktop.ui.forms.editors import make_editor
from desktop.ui.forms.editors.choice import ChoiceEditor
from desktop.ui.forms.setting import SECTIONS, AnySetting, Section
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, SearchEdit, Themed, WheelGuard, heading, muted, scrolled

_SIZE: Final = (800, 560)
_TITLE: Final = 190


class SettingRow(QWidget):
    """A setting: its title, its editor, and the reset button."""

    def __init__(
        self, setting: AnySetting, settings: Settings, jobs: Jobs, themed: Themed, guard: WheelGuard
    ) -> None:
        super().__init__()
        self.setting, self._settings, self._jobs = setting, settings, jobs
        self._checked = 0
        field = setting.field
        title, help_text = translated(field.label), translated(field.help)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 2)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(1)
        label = QLabel(title)
        label.setWordWrap(True)
        label.setFixedWidth(_TITLE)
        self.editor = make_editor(field, themed, guard)
        label.setBuddy(self.editor.main)
        self.back = IconButton(themed, "reset", self.tr("Reset: {0}").format(title))
        self.back.clicked.connect(lambda: setting.put_back(settings))
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(policy)
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.editor, 0, 1)
        grid.addWidget(self.back, 0, 2)
        grid.setColumnStretch(1, 1)
        said = [] if setting.at_once else [self.tr("Counts at the next start.")]
        said = [help_text, *said] if help_text else said
        if said:
            grid.addWidget(muted(" ".join(said)), 1, 1, 1, 2)
        self.note = QLabel()
        self.note.setObjectName("errorText")
        self.note.setWordWrap(True)
        self.note.hide()
        grid.addWidget(self.note, 2, 1, 1, 2)
        self.words = f"{title} {help_text} {translated(setting.section.title)}".casefold()
        self.editor.edited.connect(self._take)
        if not isinstance(field, Folder):
            self.editor.typed.connect(self._take)
        if isinstance(field, Available):
            find = partial(field.available, settings)
            if field.slow:
                jobs.run(find, self._offer, lambda _: None)
            else:
                self._offer(find())
        self.refresh()

    def _offer(self, found: Sequence[Option]) -> None:
        with contextlib.suppress(RuntimeError):  # the page was closed meanwhile
            assert isinstance(self.editor, ChoiceEditor)
            self.editor.offer((*self.setting.field.options, *found))

    def _take(self, value: Any) -> None:
        try:
            checked = self.setting.field.check(value.strip() if isinstance(value, str) else value)
        except UsageError as error:
            self._show_fault(str(error))
        else:
            self.setting.__set__(self._settings, checked)
            self.refresh()

    def refresh(self) -> None:
        """Show the stored values."""
        value, field = self.setting.__get__(self._settings, type(self._settings)), self.setting.field
        self.editor.set_value(value)
        if isinstance(field, Folder):
            self._check_folder(field, value)
        else:
            self._show_fault("")
        differs = not self.setting.is_default(self._settings)
        self.back.setEnabled(differs)
        self.back.setVisible(differs)

    def _check_folder(self, field: Folder, value: str) -> None:
        self._checked += 1
        number, path = self._checked, Path(value or field.usual() or "")

        def report(fault: str) -> None:
            with contextlib.suppress(RuntimeError):  # the page was closed meanwhile
                if number == self._checked:
                    self._show_fault(fault)

        # On a thread: a share of a network that is away answers after half a minute.
        check = partial(folder_fault, path, written=field.written, usual=not value)
        self._jobs.run(check, report, lambda _: None)

    def _show_fault(self, fault: str) -> None:
        self.note.setText(translated(fault))
        self.note.setVisible(bool(fault))


class PreferencesDialog(QDialog):
    """All settings. Changes apply immediately, except where the row notes the next start."""

    def __init__(
        self,
        settings: Settings,
        jobs: Jobs,
        themed: Themed,
        parent: QWidget,
        *,
        feature_settings: Sequence[AnySetting] = (),
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Preferences"))
        self._settings = settings
        guard = WheelGuard(self)
        self.search = SearchEdit()
        self.search.setPlaceholderText(self.tr("Search the preferences"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.sections = QListWidget()
        self.sections.setAccessibleName(self.tr("Sections"))
        shown = (*settings.all(), *feature_settings)
        self.rows = {setting.name: SettingRow(setting, settings, jobs, themed, guard) for setting in shown}
        self._known = _sections(shown)
        self._headings = [heading(translated(section.title)) for section in self._known]
        for section in self._known:
            self.sections.addItem(translated(section.title))
        self._nothing = muted()
        self._lay_out(parent)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._enter)
        self.sections.currentRowChanged.connect(self._choose)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._find)
        settings.follow(self.refresh)
        self.sections.setCurrentRow(0)
        self.search.setFocus()

    def _lay_out(self, parent: QWidget) -> None:
        content = QWidget()
        content.setObjectName("panel")
        page = QVBoxLayout(content)
        page.setContentsMargins(14, 8, 10, 10)
        for section, title in zip(self._known, self._headings, strict=True):
            page.addWidget(title)
            for row in self.rows.values():
                if row.setting.section == section:
                    page.addWidget(row)
        page.addWidget(self._nothing)
        page.addStretch(1)
        self.area = scrolled(content)
        middle = QHBoxLayout()
        width = max(self.sections.sizeHintForColumn(0) + 24, 140)
        self.sections.setFixedWidth(min(width, 210))
        middle.addWidget(self.sections)
        middle.addWidget(self.area, 1)
        layout = QVBoxLayout(self)
        layout.addWidget(self.search)
        layout.addLayout(middle, 1)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.all_back = QPushButton(self.tr("Reset all..."))
        self.all_back.clicked.connect(self._confirm_reset)
        box.addButton(self.all_back, QDialogButtonBox.ButtonRole.ResetRole)
        box.rejected.connect(self.reject)
        for button in box.buttons():
            # Enter in a field accepts its text; it must not close the page or trigger the reset button.
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)
        layout.addWidget(box)
        room = parent.size()
        self.resize(min(_SIZE[0], room.width() - 40), min(_SIZE[1], room.height() - 40))

    # -- what is shown ---------------------------------------------------------------------------------------

    def show_section(self, section: Section) -> None:
        """Show one section."""
        self.search.clear()
        self.sections.setCurrentRow(self._known.index(section))

    def show_setting(self, setting: AnySetting) -> None:
        """Show one setting."""
        self.search.setText(translated(setting.field.label))

    def _choose(self, index: int) -> None:
        if index >= 0:
            self.search.clear()
            self._show({row.setting.name for row in self._of(index)}, {index})

    def _of(self, index: int) -> list[SettingRow]:
        return [row for row in self.rows.values() if row.setting.section == self._known[index]]

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        if not words:
            if self.sections.currentRow() < 0:
                self.sections.setCurrentRow(0)
            return
        blocked = self.sections.blockSignals(True)
        self.sections.setCurrentRow(-1)
        self.sections.blockSignals(blocked)
        found = {name for name, row in self.rows.items() if all(word in row.words for word in words)}
        hit = {n for n in range(len(self._known)) if any(row.setting.name in found for row in self._of(n))}
        self._show(found, hit)
        self._nothing.setText(self.tr("No setting is called “{0}”. Try another word.").format(text.strip()))
        self._nothing.setVisible(not found)

    def _show(self, names: set[str], sections: set[int]) -> None:
        self._nothing.hide()
        for name, row in self.rows.items():
            row.setVisible(name in names)
        for index, title in enumerate(self._headings):
            title.setVisible(index in sections)
        self.area.verticalScrollBar().setValue(0)

    def _find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _enter(self) -> None:
        """Go to the first setting that was found."""
        for index in range(len(self._known)):
            for row in self._of(index):
                if not row.isHidden():
                    row.editor.main.setFocus(Qt.FocusReason.TabFocusReason)
                    return

    def refresh(self) -> None:
        """Show the stored values."""
        for row in self.rows.values():
            row.refresh()

    # -- resetting -------------------------------------------------------------------------------------------

    def _confirm_reset(self) -> None:
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Reset all"))
        box.setText(self.tr("Reset all settings to their defaults?"))
        box.setInformativeText(
            self.tr("Favorites and the lists of what was used lately are emptied. Files stay where they are.")
        )
        box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
        box.setDefaultButton(QMessageBox.StandardButton.No)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        yes = QMessageBox.StandardButton.Yes.value
        box.finished.connect(lambda button: self.reset_all() if button == yes else None)
        box.open()

    def reset_all(self) -> None:
        """Reset all settings."""
        for row in self.rows.values():
            row.setting.put_back(self._settings)


def _sections(settings: Iterable[AnySetting]) -> list[Section]:
    """The sections in their order, those that are not among `SECTIONS` last."""
    return list(dict.fromkeys((*SECTIONS, *(setting.section for setting in settings))))
