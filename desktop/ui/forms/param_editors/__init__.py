"""Parameter editors, one file each: a file here that defines EDITOR is discovered automatically."""

from __future__ import annotations

from typing import Final

from desktop.base.discovery import registered
from desktop.pipeline.filters.param import Param
from desktop.ui.forms.param_editors.editor import ParamEditor
from desktop.ui.kit.widgets import Themed, WheelGuard

EDITORS: Final[dict[str, type[ParamEditor]]] = {
    editor.name: editor for editor in registered(__name__, "EDITOR")
}
"""Editors by the name that a parameter type gives (`Param.editor`)."""


def make_editor(param: Param, themed: Themed, guard: WheelGuard) -> ParamEditor:
    """Return the editor for a parameter."""
    return EDITORS[param.editor].make(param, themed, guard)
