"""Card of tracking: a switch, and its settings."""

from __future__ import annotations

from desktop.ui.forms.spec_card import SpecCard
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tracking.track import TRACK_FIELDS, TrackSpec, with_track_value


class TrackCard(SpecCard):
    """Shows and edits a `TrackSpec`."""

    def __init__(self, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(
            themed,
            guard,
            self.tr("Track objects"),
            self.tr("Give each object a number that it keeps from frame to frame, and draw its trail"),
            self.tr("Show tracking settings"),
            "tracking.md",
            TrackSpec(),
            with_track_value,
        )
        self.add_rows(TRACK_FIELDS.values())

    def show_number(self, count: int | None) -> None:
        """Show the number of tracked objects; None for no text."""
        self.show_count("" if count is None else self.tr("%n followed", "", count))
