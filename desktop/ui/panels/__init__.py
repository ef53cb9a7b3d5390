"""The panels, one file each: a file or package here that defines PANEL is found by itself."""

from __future__ import annotations

from desktop.base.discovery import modules_of
from desktop.base.plugins import provided
from desktop.ui.panel import PanelSpec


def panel_specs() -> tuple[PanelSpec, ...]:
    """Return all panels, those of plug-ins too, by place and order."""
    found = [*(module.PANEL for module in modules_of(__name__)), *provided("panels")]
    return tuple(sorted(found, key=lambda spec: (("left", "right", "bottom").index(spec.place), spec.order)))
