"""Masks of stages, drawn in the video."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.masks.mask_tool import MaskTool
from desktop.ui.features.masks.masks import Masks
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Masks:
    made = Masks(w.engine, w.messages, w.edits, w)
    w.refreshing.connect(made.restore_coverage)
    return made


def _connect(window: WindowContext) -> None:
    MaskTool(window.workspace.get(Masks), window.viewport)


FEATURE: Final = Feature(parts=(Part(Masks, _make),), connect=_connect)
