"""Editors of fields, one file each: a file here that defines EDITOR is discovered automatically."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from PySide6.QtCore import SignalInstance

from desktop.base.discovery import registered
from desktop.base.fields import Field
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.kit.widgets import Themed, WheelGuard

EDITORS: Final[dict[str, type[FieldEditor]]] = {
    editor.name: editor for editor in registered(__name__, "EDITOR")
}
"""Editors by the name that a type of field gives (`Field.editor`)."""


def make_editor(field: Field, themed: Themed, guard: WheelGuard) -> FieldEditor:
    """Return the editor for a field."""
    return EDITORS[field.editor](field, themed, guard)


def make_editors(
    fields: Iterable[Field],
    themed: Themed,
    guard: WheelGuard,
    edited: Callable[[str, Any], object],
    released: SignalInstance | Callable[[], object] | None = None,
) -> dict[str, FieldEditor]:
    """Return the editors for fields by name; `edited` is called with a name and the chosen value."""
    editors = {field.name: make_editor(field, themed, guard) for field in fields}
    for name, editor in editors.items():
        editor.edited.connect(partial(edited, name))
        if released is not None:
            editor.released.connect(released)
    return editors
