"""The card of what is hidden in the frame: a switch, what is hidden, and how."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLabel, QLineEdit

from desktop.base.wording import sentence
from desktop.pipeline.filters.param import Param
from desktop.pipeline.filters.params.bool import BoolParam
from desktop.pipeline.filters.params.choice import ChoiceParam
from desktop.pipeline.filters.params.float import FloatParam
from desktop.pipeline.filters.params.int import IntParam
from desktop.ui.forms.spec_card import SpecCard
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.tracking.anonymize import (
    ANONYMIZE_LIMITS,
    AnonymizeSpec,
    usual_for,
    with_anonymize_value,
)
from desktop.vision.tracking.hidden_area import FULL_FRAME, HiddenArea

_USUAL: Final = AnonymizeSpec()


def _number(name: str, step: float, unit: str, label: str, help_text: str) -> Param:
    low, high = ANONYMIZE_LIMITS[name]
    kind = IntParam if isinstance(low, int) else FloatParam
    return kind(name, getattr(_USUAL, name), low, high, step, unit, label=label, help=help_text)


_ROWS: Final[tuple[Param, ...]] = (
    ChoiceParam(
        "kind",
        _USUAL.kind,
        choices=(sentence("pixelate"), sentence("blur"), sentence("fill")),
        label=sentence("How"),
        help=sentence("Blocks of their mean color, the same smoothed, or one gray."),
    ),
    _number(
        "blocks",
        1,
        "",
        sentence("Blocks"),
        sentence("How many blocks the longer side of a place has; fewer hide more. A blur is as strong."),
    ),
    _number(
        "margin",
        0.05,
        "",
        sentence("Margin"),
        sentence("By how much of its size a place is enlarged on each side."),
    ),
    ChoiceParam(
        "outline",
        _USUAL.outline,
        choices=(sentence("fitting"), sentence("box")),
        label=sentence("Outline"),
        help=sentence(
            "Fitting: a mask where the network gives one, an ellipse around a face; else the whole box."
        ),
    ),
    _number(
        "hold",
        0.25,
        "s",
        sentence("Hold"),
        sentence(
            "How long the region of an object that is no longer detected stays hidden, following its motion."
        ),
    ),
    BoolParam(
        "unseen",
        _USUAL.unseen,
        label=sentence("Hide unseen"),
        help=sentence(
            "Hide the whole frame while there is no result for it: before the first inference, and where "
            "results are late."
        ),
    ),
)


class AnonymizeCard(SpecCard):
    """Shows and edits an `AnonymizeSpec`."""

    def __init__(self, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(
            themed,
            guard,
            self.tr("Anonymize"),
            self.tr("Hide what the network detects, on the screen and in everything that is saved"),
            self.tr("Show what is hidden, and how"),
            _USUAL,
            with_anonymize_value,
        )
        self._labels: tuple[str, ...] = ()
        self.classes = QLineEdit()
        self.classes.setMinimumWidth(40)
        self.classes.setPlaceholderText(self.tr("all"))
        self.classes.setToolTip(self.tr("Names of classes with commas between them; empty for all"))
        self.classes.setAccessibleName(self.tr("Classes that are hidden"))
        self.classes.editingFinished.connect(self._change_classes)
        self.form.addRow(self.tr("Classes"), self.classes)
        self.add_rows(_ROWS)
        self.note = QLabel()
        self.note.setObjectName("warningText")
        self.note.setWordWrap(True)
        self.note.hide()
        self.column.insertWidget(1, self.note)

    def _change_classes(self) -> None:
        names = [name for part in self.classes.text().split(",") if (name := part.strip())]
        self.classes.setModified(False)
        if tuple(names) != self._last_spec.classes:
            self.change("classes", names)
            self.released.emit()

    def update_spec(self, spec: Any) -> None:
        super().update_spec(spec)
        if not self.classes.hasFocus() or not self.classes.isModified():
            with QSignalBlocker(self.classes):
                self.classes.setText(", ".join(self._last_spec.classes))
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
