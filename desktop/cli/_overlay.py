"""Overlay of commands: results and subtitles, painted into the frames that they write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop.base.errors import ExportError
from desktop.base.version import extra_command
from desktop.media.subtitles.cues import Cue
from desktop.media.subtitles.reader import SubtitleReader
from desktop.pipeline.engine import Engine
from desktop.pipeline.layers.texts import PaintedText
from desktop.pipeline.picture.present import LaidOver
from desktop.vision.models.builtin import title_of
from desktop.vision.tracking.scene import TrackedResult

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication


def load_qt() -> QCoreApplication:
    """Load Qt without a display; return what must be kept for fonts. Raise ExportError if a library is missing."""
    try:
        from PySide6.QtGui import QGuiApplication
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "PySide6":
            raise
        raise ExportError(
            f"Nothing can be drawn into the frames without Qt: {extra_command('app')} adds it; "
            "or leave --overlay, --subtitles and layers with text out."
        ) from error
    except ImportError as error:
        raise ExportError(
            f"Nothing can be drawn into the frames, because Qt cannot be loaded ({error}); install "
            "what is missing, or leave --overlay, --subtitles and layers with text out."
        ) from error
    return QGuiApplication.instance() or QGuiApplication(["lightloom", "-platform", "offscreen"])


class TextPainter:
    """Paints texts of layers; loads Qt with the first one."""

    def __init__(self) -> None:
        self._application: QCoreApplication | None = None

    def __call__(self, wanted: PaintedText) -> np.ndarray:
        """See `PaintText`; raise ExportError if a library is missing."""
        if self._application is None:
            self._application = load_qt()
        from desktop.overlay.texts import paint_text

        return paint_text(wanted)


class CommandOverlay:
    """Paints an engine's newest results with Qt's fonts, which need no display; imports Qt on demand."""

    def __init__(self, engine: Engine, *, sees: bool = True, subtitles: SubtitleReader | None = None) -> None:
        """Load Qt; `sees` draws the network's results. Raises ExportError if a library is missing."""
        self._application = load_qt()
        from desktop.overlay.result_overlay import paint_results

        self._engine, self._sees, self._subtitles = engine, sees, subtitles
        self._paint: Callable[[TrackedResult | None, str, tuple[int, int], tuple[Cue, ...]], LaidOver] = (
            paint_results
        )
        self._painted: tuple[TrackedResult | None, str, tuple[int, int], tuple[Cue, ...]] | None = None
        self._over = LaidOver()

    def over(self) -> LaidOver | None:
        """Return the overlay of the frame rendered last; None if it is empty."""
        network = self._engine.current.setup.network
        tracked_result = self._engine.current.tracked_result if self._sees and network is not None else None
        cues = self._subtitles.at(self._engine.current.shown_pts) if self._subtitles is not None else ()
        if tracked_result is None and not cues:
            return None
        title = title_of(Path(network.model)) if network is not None else ""
        wanted = (tracked_result, title, self._engine.current.picture_size, cues)
        if self._painted is None or self._painted[0] is not tracked_result or self._painted[1:] != wanted[1:]:
            self._painted, self._over = wanted, self._paint(*wanted)
        return self._over
