"""What is on the picture is in what is saved: the overlay at the picture's full resolution, for snapshots and recordings."""

from __future__ import annotations

from pathlib import Path

from desktop.compute.engine import Engine
from desktop.compute.models.builtin import title_of
from desktop.compute.present import LaidOver
from desktop.compute.tracking.scene import Sighting
from desktop.overlay.seen import paint_seen
from desktop.ui.edits import Edits
from desktop.ui.language import translated
from desktop.ui.settings import Settings


class SavedOverlay:
    """Paints what was seen for what is about to be saved; anew only where that is another than before."""

    def __init__(self, engine: Engine, edits: Edits, settings: Settings) -> None:
        self._engine, self._edits, self._settings = engine, edits, settings
        self._painted: tuple[Sighting, str, tuple[int, int]] | None = None
        self._over = LaidOver()

    def over(self) -> LaidOver | None:
        """Return what lies over the picture that is shown, in the size that is saved.

        None where there is nothing to be seen, or the user wants the picture alone.
        """
        sighting, network = self._engine.sighting, self._edits.setup.network
        if sighting is None or network is None or not self._settings.saves_overlay:
            return None
        title, size = translated(title_of(Path(network.model))), self._engine.shown_size
        painted = self._painted
        if painted is None or painted[0] is not sighting or painted[1:] != (title, size):
            self._painted = (sighting, title, size)
            self._over = paint_seen(sighting, title, size)
        return self._over
