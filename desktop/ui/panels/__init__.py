"""The panels, one file each: a file or package here that defines PANEL is found by itself."""

from __future__ import annotations

import importlib
import pkgutil

from desktop.base.plugins import provided
from desktop.ui.panel import PanelSpec


def panel_specs() -> tuple[PanelSpec, ...]:
    """Return all panels, those of plug-ins too, by place and order."""
    names = [module.name for module in pkgutil.iter_modules(__path__, f"{__name__}.")]
    found = [*(importlib.import_module(name).PANEL for name in names), *provided("panels")]
    return tuple(sorted(found, key=lambda spec: (("left", "right", "bottom").index(spec.place), spec.order)))
