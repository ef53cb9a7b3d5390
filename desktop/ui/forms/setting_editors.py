"""Editors of the settings that the tasks declare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import SignalInstance

from desktop.ui.forms.editors import make_editors
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tasks import result_tasks
from desktop.vision.tasks.task import Setting


def editors_of_tasks(
    guard: WheelGuard, themed: Themed, chosen: Callable[[str, Any], None], released: SignalInstance
) -> dict[str, FieldEditor]:
    """Build an editor for each task setting with a row, by name; tasks share settings of the same name.

    `chosen` is called with the name and the chosen value; `released` is emitted when a drag has ended.
    """
    found: dict[str, Setting] = {}
    for task in result_tasks():
        for setting in task.settings:
            if setting.has_row:
                found.setdefault(setting.name, setting)
    return make_editors(found.values(), themed, guard, chosen, released)


def is_folded(editor: FieldEditor) -> bool:
    """Return whether an editor's setting is in the folded group of rarely used rows."""
    return isinstance(editor.field, Setting) and editor.field.folded
