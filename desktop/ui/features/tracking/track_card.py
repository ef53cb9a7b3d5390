"""Card of tracking: a switch, and its settings."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.pipeline.filters.param import Param
from desktop.pipeline.filters.params.bool import BoolParam
from desktop.pipeline.filters.params.float import FloatParam
from desktop.pipeline.filters.params.int import IntParam
from desktop.ui.forms.spec_card import SpecCard
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tracking.track import TRACK_LIMITS, TrackSpec, with_track_value

_USUAL: Final = TrackSpec()


def _number(name: str, step: float, unit: str, label: str, help_text: str) -> Param:
    low, high = TRACK_LIMITS[name]
    kind = IntParam if isinstance(low, int) else FloatParam
    return kind(name, getattr(_USUAL, name), low, high, step, unit, label=label, help=help_text)


_ROWS: Final[tuple[Param, ...]] = (
    _number(
        "remember",
        0.5,
        "s",
        sentence("Remember"),
        sentence("How long an object that is hidden or gone is still expected to return as the same one."),
    ),
    _number(
        "trail", 0.5, "s", sentence("Trail"), sentence("Of how many seconds the way is drawn; 0 draws none.")
    ),
    _number(
        "score",
        0.01,
        "",
        sentence("Begin from score"),
        sentence("Minimum score for an object to get a number; one that has it may have a lower score."),
    ),
    _number(
        "hits",
        1,
        "",
        sentence("Results in a row"),
        sentence("In how many consecutive results an object must be detected to get a number."),
    ),
    _number(
        "overlap",
        0.05,
        "",
        sentence("Least overlap"),
        sentence(
            "How much a box must overlap the expected position of its object; lower for objects that move fast."
        ),
    ),
    BoolParam(
        "by_class",
        _USUAL.by_class,
        label=sentence("Only within a class"),
        help=sentence(
            "An object keeps its class: a car is never taken for the truck that it was called before."
        ),
    ),
)


class TrackCard(SpecCard):
    """Shows and edits a `TrackSpec`."""

    def __init__(self, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(
            themed,
            guard,
            self.tr("Track objects"),
            self.tr("Give each object a number that it keeps from frame to frame, and draw its trail"),
            self.tr("Show tracking settings"),
            _USUAL,
            with_track_value,
        )
        self.add_rows(_ROWS)

    def show_number(self, count: int | None) -> None:
        """Show the number of tracked objects; None for no text."""
        self.show_count("" if count is None else self.tr("%n followed", "", count))
