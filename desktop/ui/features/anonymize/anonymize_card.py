"""Card of redaction: a switch, what is redacted, and how."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel

from desktop.ui.forms.spec_card import SpecCard
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tracking.anonymize import (
    ANONYMIZE_FIELDS,
    AnonymizeSpec,
    usual_for,
    with_anonymize_value,
)
from desktop.vision.tracking.hidden_area import FULL_FRAME, HiddenArea


class AnonymizeCard(SpecCard):
    """Shows and edits an `AnonymizeSpec`."""

    def __init__(self, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(
            themed,
            guard,
            self.tr("Anonymize"),
            self.tr("Hide what the network detects, on the screen and in everything that is saved"),
            self.tr("Show what is hidden, and how"),
            "anonymize.md",
            AnonymizeSpec(),
            with_anonymize_value,
        )
        self._labels: tuple[str, ...] = ()
        self.add_rows(ANONYMIZE_FIELDS.values())
        self.note = QLabel()
        self.note.setObjectName("warningText")
        self.note.setWordWrap(True)
        self.note.hide()
        self.column.insertWidget(1, self.note)

    def update_spec(self, spec: Any) -> None:
        super().update_spec(spec)
        self._show_note()

    def use_labels(self, labels: tuple[str, ...]) -> None:
        """Set the names of the network's classes; they decide the spec that the switch turns on first."""
        if labels == self._labels:
            return
        self._labels = labels
        if self.spec is None and labels:
            self._last_spec = usual_for(labels)
        self.update_spec(self.spec)

    def _show_note(self) -> None:
        missing = () if self.spec is None else self.spec.missing(self._labels)
        text = ""
        if missing:
            text = self.tr("The network knows no class of this name, which is not hidden: {0}").format(
                ", ".join(missing)
            )
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def show_places(self, areas: tuple[HiddenArea, ...] | None) -> None:
        """Show the number of redacted areas; None for no text."""
        if areas is None:
            self.show_count("")
        elif FULL_FRAME in areas:
            self.show_count(self.tr("all of it"))
        else:
            self.show_count(self.tr("%n hidden", "", len(areas)))
