"""One editor for each type of setting that a task declares, made from the declaration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit

from desktop.pipeline.filters.params.float import FloatParam
from desktop.ui.forms.files_editor import FilesEditor
from desktop.ui.forms.param_editors.number import NumberBox, NumberEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tasks import result_tasks
from desktop.vision.tasks.task import Features, Files, Integer, Names, Setting, Share, Word


class ShareEditor(NumberEditor):
    """A slider and a number from 0.01 to 1.

    Signals:
        chosen: the user chose another value.
        released: a drag has ended; what follows is a separate edit.
    """

    chosen = Signal(object)

    def __init__(self, setting: Share, guard: WheelGuard) -> None:
        param = FloatParam(setting.name, 0.5, 0.01, 1.0, 0.01, label=setting.label, help=setting.help)
        super().__init__(param, guard)
        self.setting: Setting = setting
        self.edited.connect(lambda value: self.chosen.emit(round(value, 2)))

    def use(self, setting: Setting, features: Features) -> None:
        """Be for a loaded network's setting: what is usual for it stands where nothing is set."""
        self.setting = setting
        self.param = replace(self.param, default=features.usual.get(setting.name, setting.default))

    def show_value(self, value: Any) -> None:
        """Show a value, None for the usual one."""
        self.set_value(self.param.default if value is None else value)


class IntegerEditor(NumberBox):
    """A number. Signals as `ShareEditor`."""

    chosen = Signal(object)
    released = Signal()

    def __init__(self, setting: Integer, guard: WheelGuard) -> None:
        super().__init__()
        self.setting: Setting = setting
        self.setDecimals(0)
        self.setRange(setting.low, setting.high)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName(translated(setting.label))
        guard.watch(self)
        self.show_value(None)
        self.valueChanged.connect(lambda value: self.chosen.emit(int(value)))

    def use(self, setting: Setting, features: Features) -> None:
        """See `ShareEditor`."""
        self.setting = setting

    def show_value(self, value: Any) -> None:
        """See `ShareEditor`."""
        blocked = self.blockSignals(True)
        self.setValue(self.setting.default if value is None else value)
        self.blockSignals(blocked)


class WordEditor(QLineEdit):
    """A name. Signals as `ShareEditor`."""

    chosen = Signal(object)
    released = Signal()

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        self.setAccessibleName(translated(setting.label))
        self.editingFinished.connect(lambda: self.chosen.emit(self.setting.parse(self.text())))

    def use(self, setting: Setting, features: Features) -> None:
        """See `ShareEditor`."""
        self.setting = setting

    def show_value(self, value: Any) -> None:
        """See `ShareEditor`."""
        if not self.hasFocus():
            self.setText(self.setting.default if value is None else value)


class WordChoiceEditor(QComboBox):
    """A name of those that there are, 'auto' for the network's own. Signals as `ShareEditor`."""

    chosen = Signal(object)
    released = Signal()

    def __init__(self, setting: Word, guard: WheelGuard) -> None:
        super().__init__()
        self.setting: Setting = setting
        self.setAccessibleName(translated(setting.label))
        guard.watch(self)
        self._fill([], "")
        self.activated.connect(lambda _: self.chosen.emit(self.currentData()))

    def use(self, setting: Setting, features: Features) -> None:
        """See `ShareEditor`; offers the names that the setting has, and says what 'auto' is."""
        self.setting = setting
        choices = setting.choices() if isinstance(setting, Word) and setting.choices is not None else ()
        self._fill(choices, str(features.usual.get(setting.name, "")))

    def _fill(self, choices: Sequence[tuple[str, str]], usual: str) -> None:
        kept = self.currentData() or ""
        title = dict(choices).get(usual, "")
        auto = self.tr("auto")
        self.clear()
        self.addItem(f"{auto} ({translated(title)})" if title else auto, "")
        for name, title in choices:
            self.addItem(translated(title), name)
        self.show_value(kept)

    def show_value(self, value: Any) -> None:
        """See `ShareEditor`; a name that there is not is shown all the same."""
        name = str(value or "")
        if self.findData(name) < 0:
            self.addItem(name, name)
        self.setCurrentIndex(self.findData(name))


class NamesEditor(WordEditor):
    """Names with commas between them; completes the last one from those that there are."""

    def __init__(self, setting: Names) -> None:
        super().__init__(setting)
        self.setPlaceholderText(self.tr("all"))

    def use(self, setting: Setting, features: Features) -> None:
        """See `ShareEditor`; names are completed from the network's classes."""
        super().use(setting, features)
        completer = _LastNameCompleter(list(features.labels), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCompleter(completer)

    def show_value(self, value: Any) -> None:
        """See `ShareEditor`."""
        super().show_value(", ".join(value or ()))


SettingEditor = ShareEditor | IntegerEditor | WordEditor | WordChoiceEditor | FilesEditor


def editor_for(setting: Setting, guard: WheelGuard, themed: Themed) -> SettingEditor:
    """Make the editor of a setting."""
    match setting:
        case Share():
            return ShareEditor(setting, guard)
        case Integer():
            return IntegerEditor(setting, guard)
        case Names():
            return NamesEditor(setting)
        case Word():
            return WordEditor(setting) if setting.choices is None else WordChoiceEditor(setting, guard)
        case Files():
            return FilesEditor(setting, themed)
    raise TypeError(f"no editor for {type(setting).__name__}")


def editors_of_tasks(
    guard: WheelGuard, themed: Themed, chosen: Callable[[str, Any], None], released: SignalInstance
) -> dict[str, SettingEditor]:
    """Build an editor for each task setting with a row, by name; tasks share settings of the same name.

    Args:
        chosen: called with the name and the chosen value.
        released: emitted when a drag has ended.
    """
    found: dict[str, Setting] = {}
    for task in result_tasks():
        for setting in task.settings:
            if setting.has_row:
                found.setdefault(setting.name, setting)
    editors = {name: editor_for(setting, guard, themed) for name, setting in found.items()}
    for name, editor in editors.items():
        editor.chosen.connect(lambda value, name=name: chosen(name, value))
        editor.released.connect(released)
    return editors


class _LastNameCompleter(QCompleter):
    """Completes what stands behind the last comma."""

    def splitPath(self, path: str) -> list[str]:
        """What to look for in the list."""
        return [path.rpartition(",")[2].strip()]

    def pathFromIndex(self, index: Any) -> str:
        """The whole text with the last name completed."""
        edit = self.widget()
        assert isinstance(edit, QLineEdit)
        before = edit.text().rpartition(",")[0]
        return f"{before}, {index.data()}" if before else str(index.data())
