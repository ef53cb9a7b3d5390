"""The card of what follows things from picture to picture: a switch, and how it is done."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.compute.filters.param import Param
from desktop.compute.filters.params.bool import BoolParam
from desktop.compute.filters.params.float import FloatParam
from desktop.compute.filters.params.int import IntParam
from desktop.compute.tracking.track import TRACK_LIMITS, TrackSpec, with_track_value
from desktop.ui.language import translated
from desktop.ui.param_editors import make_editor
from desktop.ui.param_editors.editor import ParamEditor
from desktop.ui.stage_card import FoldingCard
from desktop.ui.widgets import IconLabel, Themed, WheelGuard
from desktop.wording import sentence

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
        sentence("How long a thing that is hidden or gone is still expected to return as the same one."),
    ),
    _number(
        "trail", 0.5, "s", sentence("Trail"), sentence("Of how many seconds the way is drawn; 0 draws none.")
    ),
    _number(
        "score",
        0.01,
        "",
        sentence("Begin from score"),
        sentence(
            "How sure the network must be for a thing to get a number; one that has it may be less sure."
        ),
    ),
    _number(
        "hits",
        1,
        "",
        sentence("Results in a row"),
        sentence("In how many results, one after the other, a thing must be found to get a number."),
    ),
    _number(
        "overlap",
        0.05,
        "",
        sentence("Least overlap"),
        sentence("How much a box must lie where its thing is expected; less for things that move fast."),
    ),
    BoolParam(
        "by_class",
        _USUAL.by_class,
        label=sentence("Only within a class"),
        help=sentence(
            "A thing keeps its class: a car is never taken for the truck that it was called before."
        ),
    ),
)


class TrackCard(FoldingCard):
    """Shows and edits a `TrackSpec`.

    Signals:
        edited: another one, or None for none, and the name of what was changed.
        released: a drag has ended; what comes next is another edit.
    """

    edited = Signal(object, str)
    released = Signal()

    def __init__(self, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(themed, self.tr("Show how things are followed"))
        self.spec: TrackSpec | None = None
        self._kept = TrackSpec()
        self.setAccessibleName(self.tr("Follow things"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 6, 6)
        layout.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(6)
        self.switch = QCheckBox(self.tr("Follow things"))
        self.switch.setToolTip(
            self.tr("Give each thing a number that it keeps from picture to picture, and draw its way")
        )
        self.switch.toggled.connect(lambda on: self.edited.emit(self._kept if on else None, "on"))
        self.count = QLabel()
        self.count.setObjectName("muted")
        for widget in (self.expander, IconLabel(themed, "network"), self.switch, self.count):
            head.addWidget(widget)
        head.setStretch(2, 1)
        layout.addLayout(head)
        self.expand_asked.connect(lambda _: self.set_expanded(not self.expanded))
        self.body = QWidget()
        form = QFormLayout(self.body)
        form.setContentsMargins(2, 4, 2, 2)
        form.setSpacing(5)
        self.editors: dict[str, ParamEditor] = {}
        for param in _ROWS:
            editor = make_editor(param, themed, guard)
            editor.edited.connect(lambda value, name=param.name: self._change(name, value))
            editor.released.connect(self.released)
            self.editors[param.name] = editor
            form.addRow(translated(param.label), editor)
        self.body.hide()
        layout.addWidget(self.body)

    @property
    def expanded(self) -> bool:
        """True while the settings are shown."""
        return self.body.isVisibleTo(self)

    def set_expanded(self, on: bool) -> None:
        """Show or hide the settings."""
        self.body.setVisible(on)
        self.expander.set_icon("chevron_down" if on else "chevron_right")

    def _change(self, name: str, value: Any) -> None:
        spec = with_track_value(self._kept, name, value)
        if self.spec is None:
            self._kept = spec  # for when it is switched on
        elif spec != self.spec:
            self.edited.emit(spec, name)

    def update_spec(self, spec: TrackSpec | None) -> None:
        """Show another spec, None where nothing is followed; the values are kept to be switched on again."""
        self.spec = spec
        self._kept = spec or self._kept
        with QSignalBlocker(self.switch):
            self.switch.setChecked(spec is not None)
        for field in fields(TrackSpec):
            self.editors[field.name].set_value(getattr(self._kept, field.name))

    def show_count(self, count: int | None) -> None:
        """Show how many things have a number now; None for nothing to tell."""
        text = "" if count is None else self.tr("%n followed", "", count)
        if text != self.count.text():
            self.count.setText(text)
