"""Editors of fields, one file each: a file here that defines EDITOR is discovered automatically."""

from __future__ import annotations

from typing import Final

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
