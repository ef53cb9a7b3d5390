"""Labeling of images by hand, as a plug-in: `data` has the labels and their files, `window` shows them."""

from __future__ import annotations

from typing import Final

from desktop.base.plugins import Plugin

PLUGIN: Final = Plugin(title="Labeling", features=("desktop.plugins.labeling.window.feature:FEATURE",))
