"""Card of frame interpolation: a switch, the network, the number of frames, and the state."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QLabel

from desktop.base.fields import Field, Selection
from desktop.base.wording import sentence
from desktop.pipeline.running.interpolation.spec import RATES, InterpolationSpec, with_interpolation_value
from desktop.ui.forms.spec_card import SpecCard
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.backends import backend_choices
from desktop.vision.models.builtin import title_of

if TYPE_CHECKING:
    from desktop.pipeline.running.interpolation.live import InterpolationStatus

_ROWS: Final[tuple[Field, ...]] = (
    Selection(
        "rate",
        RATES[0],
        choices=(*RATES[:-1], sentence("screen")),
        label=sentence("Frames"),
        help=sentence("How many for each of the source's; screen: as many as the screen shows."),
    ),
    Selection(
        "backend",
        "auto",
        choices=backend_choices(),
        label=sentence("Backend"),
        help=sentence("What computes the network."),
    ),
)


class InterpolationCard(SpecCard):
    """Shows and edits an `InterpolationSpec`."""

    def __init__(self, themed: Themed, guard: WheelGuard, spec: InterpolationSpec) -> None:
        super().__init__(
            themed,
            guard,
            self.tr("Interpolate frames"),
            self.tr("Have a network make frames between those of the source, for smoother motion"),
            self.tr("Show how frames are interpolated"),
            "network-stages.md#frame-interpolation",
            spec,
            with_interpolation_value,
        )
        self.model = QLabel()
        self.form.add_row(self.tr("Network"), self.model)
        self.add_rows(_ROWS)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.hide()
        self.column.insertWidget(1, self.note)

    def update_spec(self, spec: Any) -> None:
        super().update_spec(spec)
        self.model.setText(translated(title_of(Path(self._last_spec.model))))
        self.model.setToolTip(self._last_spec.model)

    def show_status(self, status: InterpolationStatus | None, notes: tuple[str, ...]) -> None:
        """Show the status, None for none, and the assumptions about the network."""
        self.note.setToolTip("\n".join(map(translated, notes)))
        text = translated(status.text) if status is not None else ""
        name = "warningText" if status is not None and status.state in ("slow", "failed") else "muted"
        if name != self.note.objectName():
            self.note.setObjectName(name)
            self.note.style().unpolish(self.note)
            self.note.style().polish(self.note)
        if text != self.note.text():
            self.note.setText(text)
        self.note.setVisible(bool(text))
