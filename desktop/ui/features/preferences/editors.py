"""One editor for each kind of setting."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from desktop.base.files import reason
from desktop.base.wording import sentence
from desktop.ui.forms.editors.number import NumberBox
from desktop.ui.forms.setting import (
    AnySetting,
    Choice,
    Consent,
    DynamicChoice,
    Flag,
    Folder,
    Line,
    Moment,
    Names,
    Number,
    Offer,
    State,
    Tables,
)
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import WheelGuard, muted

_WIDE = 250


class Editor(QWidget):
    """Editor of a setting; the signal `faulty` has the reason of an invalid entry, '' for a valid one."""

    chosen = Signal(object)
    faulty = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(6)

    def show_value(self, value: Any) -> None:
        """Show a value."""
        raise NotImplementedError

    def _put(self, widget: QWidget, setting: AnySetting) -> None:
        widget.setAccessibleName(translated(setting.title))
        self.row.addWidget(widget)
        self.setFocusProxy(widget)


class FlagEditor(Editor):
    """A box to tick."""

    def __init__(self, setting: AnySetting) -> None:
        super().__init__()
        self.box = QCheckBox()
        self._put(self.box, setting)
        self.row.addStretch(1)
        self.box.clicked.connect(lambda checked: self.chosen.emit(checked))

    def show_value(self, value: bool) -> None:
        self.box.setChecked(value)


class PreferenceChoice(Editor):
    """A list to choose from."""

    def __init__(self, setting: AnySetting, offered: Sequence[tuple[Any, str]], guard: WheelGuard) -> None:
        super().__init__()
        self.box = QComboBox()
        self.box.setMinimumWidth(_WIDE)
        # A long name of a device must not push the page wider than the window.
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(16)
        guard.watch(self.box)
        self._put(self.box, setting)
        self._value: Any = None
        self.offer(offered)
        self.box.activated.connect(lambda _: self.chosen.emit(self.box.currentData()))

    def offer(self, offered: Sequence[tuple[Any, str]]) -> None:
        """Offer other values; the one that is shown stays, whether it is among them or not."""
        self.box.clear()
        for value, title in offered:
            self.box.addItem(translated(title), value)
        self.show_value(self._value)

    def show_value(self, value: Any) -> None:
        self._value = value
        index = next((n for n in range(self.box.count()) if self.box.itemData(n) == value), -1)
        if index < 0 and isinstance(value, str):
            text = QCoreApplication.translate("Preferences", "{0} (not found)").format(Path(value).name)
            self.box.addItem(text, value)
            index = self.box.count() - 1
        self.box.setCurrentIndex(index)


class DynamicChoiceEditor(PreferenceChoice):
    """List of values available on this machine, queried on a thread if slow."""

    def __init__(
        self, setting: AnySetting, kind: DynamicChoice, settings: Settings, jobs: Jobs, guard: WheelGuard
    ) -> None:
        self._first: tuple[Offer, ...] = (("", kind.empty),)
        super().__init__(setting, self._first, guard)
        if not kind.slow:
            self.offer((*self._first, *kind.offers(settings)))
            return
        jobs.run(lambda: kind.offers(settings), self._show_offers, lambda _: None)

    def _show_offers(self, offered: Sequence[Offer]) -> None:
        with contextlib.suppress(RuntimeError):  # the page was closed meanwhile
            self.offer((*self._first, *offered))


class PreferenceNumber(Editor):
    """A number to type."""

    def __init__(self, setting: AnySetting, kind: Number, guard: WheelGuard) -> None:
        super().__init__()
        self._scale = kind.scale
        self.box = NumberBox()
        self.box.setDecimals(kind.decimals)
        self.box.setRange(kind.low * kind.scale, kind.high * kind.scale)
        self.box.setSingleStep(kind.step * kind.scale)
        self.box.setSuffix(kind.unit)
        self.box.setKeyboardTracking(False)
        self.box.setMinimumWidth(90)
        guard.watch(self.box)
        self._put(self.box, setting)
        self.row.addStretch(1)
        self.box.valueChanged.connect(lambda value: self.chosen.emit(value / self._scale))

    def show_value(self, value: float) -> None:
        blocked = self.box.blockSignals(True)
        self.box.setValue(value * self._scale)
        self.box.blockSignals(blocked)


class LineEditor(Editor):
    """A line edit; an invalid entry is not saved, and reported."""

    def __init__(self, setting: AnySetting, kind: Line) -> None:
        super().__init__()
        self._kind = kind
        self.line = QLineEdit()
        self.line.setMinimumWidth(_WIDE)
        self.line.setPlaceholderText(translated(kind.empty))
        self._put(self.line, setting)
        self.line.textEdited.connect(self._edited)

    def _edited(self, text: str) -> None:
        fault = self._kind.fault(text.strip())
        self.faulty.emit(fault)
        if not fault:
            self.chosen.emit(text.strip())

    def show_value(self, value: str) -> None:
        if self.line.text().strip() != value:
            self.line.setText(value)
            self.faulty.emit("")


class FolderEditor(Editor):
    """A folder, typed or browsed; a missing one, or one that cannot be written, is reported at once."""

    def __init__(self, setting: AnySetting, kind: Folder, jobs: Jobs) -> None:
        super().__init__()
        self._kind, self._jobs, self._title = kind, jobs, setting.title
        self._query_number = 0
        self.line = QLineEdit()
        self.line.setMinimumWidth(170)
        self.line.setPlaceholderText(str(kind.usual()))
        self._put(self.line, setting)
        self.browse_button = QPushButton(self.tr("Change..."))
        self.browse_button.setAutoDefault(False)
        self.browse_button.setAccessibleName(
            self.tr("{0}: look for a folder").format(translated(setting.title))
        )
        self.row.addWidget(self.browse_button)
        self.browse_button.clicked.connect(self._choose_folder)
        self.line.editingFinished.connect(lambda: self._take(self.line.text().strip()))

    def _take(self, text: str) -> None:
        # The usual one is that whatever it is called some day.
        self.chosen.emit("" if text and Path(text) == self._kind.usual() else text)

    def _choose_folder(self) -> None:
        start = self.line.text() or str(self._kind.usual())
        path = QFileDialog.getExistingDirectory(self, translated(self._title), start)
        if path:
            self._take(path)

    def show_value(self, value: str) -> None:
        if self.line.text() != value:
            self.line.setText(value)
        self.line.setToolTip(str(self._kind.path(value)))
        self._query_number += 1
        asked, path, written = self._query_number, self._kind.path(value), self._kind.written

        def report_fault(fault: str) -> None:
            with contextlib.suppress(RuntimeError):  # the page was closed meanwhile
                if asked == self._query_number:
                    self.faulty.emit(fault)

        # On a thread: a share of a network that is away answers after half a minute.
        usual = not value
        self._jobs.run(lambda: folder_fault(path, written=written, usual=usual), report_fault, lambda _: None)


def folder_fault(path: Path, *, written: bool, usual: bool = False) -> str:
    """Return why a folder cannot be used; '' if it can. The absence of the `usual` folder is no fault.

    If `written`, it or its nearest existing parent is tested by writing, since permissions are unreliable on
    Windows, for root, and on read-only media.
    """
    if not path.is_absolute():
        return sentence("{folder} is no whole path; begin with the root.", folder=path)
    there = path
    try:
        while not there.exists() and there != there.parent:
            there = there.parent
        if not there.is_dir():
            return sentence("{folder} is not a folder; choose another one.", folder=there)
        if not written:
            return "" if there == path or usual else sentence("{folder} is not there any more.", folder=path)
        with tempfile.TemporaryFile(dir=there):
            pass
    except (OSError, ValueError) as error:
        return sentence(
            "{folder} cannot be written: {reason}; choose another one.", folder=there, reason=reason(error)
        )
    if there == path or usual:
        return ""
    return sentence("{folder} is not there; it is made when it is needed.", folder=path)


class RememberedEditor(Editor):
    """A value that can only be cleared, with a description of it."""

    def __init__(self, setting: AnySetting) -> None:
        super().__init__()
        self.said = muted(wrap=False)
        self._put(self.said, setting)
        self.row.addStretch(1)

    def show_value(self, value: Any) -> None:
        match value:
            case list():
                text = self.tr("%n entries", "", len(value))
                self.said.setToolTip("\n".join(value))
            case float():
                when = QDateTime.fromSecsSinceEpoch(int(value))
                text = QLocale().toString(when, QLocale.FormatType.ShortFormat) if value else self.tr("Never")
            case dict():
                text = self.tr("%n entries", "", len(value))
                self.said.setToolTip("\n".join(value))
            case _:
                text = self.tr("As it comes") if value.isEmpty() else self.tr("Kept")
        self.said.setText(text)


def editor_for(setting: AnySetting, settings: Settings, jobs: Jobs, guard: WheelGuard) -> Editor:
    """Build the editor of a setting. Raises TypeError if its kind has no editor."""
    match setting.kind:
        case Flag():
            return FlagEditor(setting)
        case Consent():
            ask = sentence("Ask me")
            return PreferenceChoice(
                setting, ((None, ask), (True, sentence("Yes")), (False, sentence("No"))), guard
            )
        case Choice() as kind:
            return PreferenceChoice(setting, kind.all, guard)
        case DynamicChoice() as kind:
            return DynamicChoiceEditor(setting, kind, settings, jobs, guard)
        case Number() as kind:
            return PreferenceNumber(setting, kind, guard)
        case Line() as kind:
            return LineEditor(setting, kind)
        case Folder() as kind:
            return FolderEditor(setting, kind, jobs)
        case Names() | State() | Tables() | Moment():
            return RememberedEditor(setting)
    raise TypeError(f"no editor for {type(setting.kind).__name__}")
