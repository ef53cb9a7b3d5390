"""Render the overlay at the frame's full resolution for snapshots and recordings."""

from __future__ import annotations

from pathlib import Path

from desktop.media.subtitles.cues import Cue
from desktop.overlay.result_overlay import paint_results
from desktop.pipeline.engine import Engine
from desktop.pipeline.picture.present import LaidOver
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.language import translated
from desktop.ui.workspace.edits import Edits
from desktop.vision.models.builtin import title_of
from desktop.vision.tracking.scene import TrackedResult


class SavedOverlay:
    """Paints the results for the frame to be saved; repaints only on a change."""

    def __init__(self, engine: Engine, edits: Edits, settings: Settings, subtitles: Subtitles) -> None:
        self._engine, self._edits, self._settings = engine, edits, settings
        self._subtitles = subtitles
        self._painted: tuple[TrackedResult | None, str, tuple[int, int], tuple[Cue, ...]] | None = None
        self._over = LaidOver()

    def over(self) -> LaidOver | None:
        """Return the frame's overlay at the size saved; None if empty or disabled by the user."""
        return self.current_overlay() if self._settings.saves_overlay else None

    def current_overlay(self) -> LaidOver | None:
        """Return the overlay whether or not it is saved; None if it is empty."""
        tracked_result, network = self._engine.current.tracked_result, self._edits.setup.network
        cues = self._subtitles.at(self._engine.current.shown_pts)
        if network is None:
            tracked_result = None
        if tracked_result is None and not cues:
            return None
        title = translated(title_of(Path(network.model))) if network is not None else ""
        size, painted = self._engine.current.picture_size, self._painted
        if painted is None or painted[0] is not tracked_result or painted[1:] != (title, size, cues):
            self._painted = (tracked_result, title, size, cues)
            self._over = paint_results(tracked_result, title, size, cues)
        return self._over
