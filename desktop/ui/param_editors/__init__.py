"""Parameter editors, one file each: a file here that defines EDITOR is discovered automatically."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Final

from desktop.pipeline.filters.param import Param
from desktop.ui.param_editors.editor import ParamEditor
from desktop.ui.widgets import Themed, WheelGuard


def _editors() -> Iterator[type[ParamEditor]]:
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        editor = getattr(importlib.import_module(module.name), "EDITOR", None)
        if editor is not None:
            yield editor


EDITORS: Final[dict[str, type[ParamEditor]]] = {editor.name: editor for editor in _editors()}
"""Editors by the name that a parameter type gives (`Param.editor`)."""


def make_editor(param: Param, themed: Themed, guard: WheelGuard) -> ParamEditor:
    """Return the editor for a parameter."""
    return EDITORS[param.editor].make(param, themed, guard)
