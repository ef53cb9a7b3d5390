"""The overlay of commands: what the network sees, painted into the pictures that they write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from desktop.compute.engine import Engine
from desktop.compute.models.builtin import title_of
from desktop.compute.present import LaidOver
from desktop.compute.tracking.scene import Sighting
from desktop.errors import ExportError


class CommandOverlay:
    """Paints an engine's newest sighting with Qt's fonts, which need an application and no display.

    Qt is imported here, when an overlay is asked for, and not by the command's file: the command line is quick without it.
    """

    def __init__(self, engine: Engine) -> None:
        """Load Qt.

        Raises:
            ExportError: a library that it needs is missing.
        """
        try:
            from PySide6.QtGui import QGuiApplication

            from desktop.overlay.seen import paint_seen
        except ImportError as error:
            raise ExportError(
                f"Names and boxes cannot be drawn, because Qt cannot be loaded ({error}); install what is missing, "
                "or leave --overlay out."
            ) from error
        # Kept: fonts live as long as it.
        self._application = QGuiApplication.instance() or QGuiApplication(
            ["lightloom", "-platform", "offscreen"]
        )
        self._engine = engine
        self._paint: Callable[[Sighting, str, tuple[int, int]], LaidOver] = paint_seen

    def over(self) -> LaidOver | None:
        """Return what lies over the picture rendered last; None where nothing was seen in it."""
        sighting, network = self._engine.sighting, self._engine.setup.network
        if sighting is None or network is None:
            return None
        return self._paint(sighting, title_of(Path(network.model)), self._engine.shown_size)
