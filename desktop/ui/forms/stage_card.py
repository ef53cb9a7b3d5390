"""The card of one stage: name, switch, GPU time, state, and its parameters when it is expanded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QLabel,
    QToolButton,
    QWidget,
)

from desktop.pipeline.chain.runner import StageStatus
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.param import Param, ParamValue
from desktop.ui.forms.card import NO_KEY, FoldingCard, Keys
from desktop.ui.forms.card_form import CardForm
from desktop.ui.forms.editors import make_editor
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.editors.number import align_numbers
from desktop.ui.kit.information import Information, field_rows
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import (
    Themed,
    WheelGuard,
    WrappedLabel,
    format_ms,
    muted,
)
from desktop.vision.models.builtin import builtin_models, title_of

if TYPE_CHECKING:
    from desktop.pipeline.chain.network_feed import FeedReport

_DRAG_DISTANCE: Final = 6
_FIRST_ROWS: Final = 3
_ALT, _CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
_STAGE_KEYS: Final[Keys] = {
    (Qt.Key.Key_Up, _ALT): "up",
    (Qt.Key.Key_Down, _ALT): "down",
    (Qt.Key.Key_Delete, NO_KEY): "remove",
    (Qt.Key.Key_Backspace, NO_KEY): "remove",
    (Qt.Key.Key_D, _CTRL): "duplicate",
    (Qt.Key.Key_C, _CTRL): "copy",
    (Qt.Key.Key_V, _CTRL): "paste",
}


class StageCard(FoldingCard):
    """The card of a stage.

    Signals:
        edited: a parameter's name and new value.
        command: also 'duplicate', 'reset', 'copy', 'paste', 'up', 'down', 'open_file'.
        dragging, dropped: the pointer's global position during a drag, and at its end.
    """

    keys = FoldingCard.keys | _STAGE_KEYS
    edited = Signal(str, object)
    released = Signal()
    dragging = Signal(QPoint)
    dropped = Signal(QPoint)

    def __init__(self, spec: StageSpec, item: Filter | None, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(themed, self.tr("Show parameters (Shift: keep others open)"), "handle")
        self.icon.setCursor(Qt.CursorShape.OpenHandCursor)
        self.icon.setToolTip(self.tr("Drag to reorder (Alt+Up, Alt+Down)"))
        self.stage_id = spec.id
        self.spec = spec
        self.item = item
        self._themed, self._guard = themed, guard
        self._moving = False
        self.editors: dict[str, FieldEditor] = {}
        self._rows: dict[str, tuple[WrappedLabel, FieldEditor]] = {}
        # Values that determined which parameters have an effect, and those parameters.
        self._checked_values: dict[str, ParamValue] | None = None
        self._acting: frozenset[str] = frozenset()
        self._initial = (item.defaults if item is not None else {}) | dict(spec.values)
        self._changed: set[str] = set()
        self.body: QWidget | None = None
        self.message = QLabel()
        self.message.setObjectName("errorText")
        self.message.setWordWrap(True)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.message.hide()
        self.column.addWidget(self.message)
        self.origin = muted()
        self.origin.setWordWrap(True)
        self.origin.hide()
        self.column.addWidget(self.origin)
        self.network = muted()
        for label in (self.message, self.origin, self.network):
            label.setContentsMargins(4, 0, 2, 0)  # in line with the parameters' names
        self.network.hide()
        self.column.addWidget(self.network)
        self.network_details = QLabel()
        self.network_details.setObjectName("muted")
        self.network_details.setWordWrap(True)
        self.network_details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.update_spec(spec)

    def _title(self) -> str:
        """Return the filter's title, or that of the chosen network if it makes the image ("Stained glass")."""
        if self.item is None:
            return self.spec.filter
        use = self.item.network
        takes = next((p.tasks for p in self.item.params if use is not None and p.name == use.model), ())
        model = str(self.spec.values.get(use.model, "")) if use is not None and "image" in takes else ""
        if not model:
            return translated(self.item.title)
        bundled = builtin_models().get(model)
        return translated(bundled.title if bundled is not None else title_of(Path(model)))

    # -- what it shows ---------------------------------------------------------------------------------------

    def update_spec(self, spec: StageSpec) -> None:
        """Show another state of the stage."""
        self.spec = spec
        self.show_head(self._title(), is_on=spec.enabled)
        for name, editor in self.editors.items():
            if name in spec.values:
                editor.set_value(spec.values[name])
        self._show_rows()

    def show_origin(self, gone: Path | None) -> None:
        """Say that a copy is used because the user's own file is gone; None: it is there."""
        self.origin.setVisible(gone is not None)
        if gone is not None:
            self.origin.setText(
                self.tr("A copy is used: {0} is not there, or is older.").format(self.fitted(str(gone)))
            )
            self.origin.setToolTip(str(gone))

    def show_status(
        self,
        status: StageStatus | None,
        time_ms: float | None,
        *,
        still: bool = False,
        rough: bool = False,
        playing: bool = True,
    ) -> None:
        """Show the stage's state and GPU time: 'compiling' only while `playing`, no time if it is `rough`."""
        if status is None:
            return
        compiling = self.tr("compiling...") if playing else ""
        texts = {"off": self.tr("off"), "compiling": compiling, "failed": self.tr("failed")}
        running = format_ms(time_ms) if time_ms is not None and not rough else ""
        text = texts.get(status.state, running)
        self.show_time(text)
        said = translated(status.message)
        message = self.fitted(said)
        if message != self.message.text():
            self.message.setText(message)
            self.message.setToolTip(said if message != said else "")
        self.message.setVisible(bool(status.message))
        self.mark("failed", status.state == "failed")
        self._show_network(status.network if status.state != "failed" else None, still=still)

    def _show_network(self, report: FeedReport | None, *, still: bool) -> None:
        self.network.setVisible(report is not None)
        if report is None:
            return
        where, details = translated(report.description.where), translated(report.description.rest)
        pace = "" if still and report.latency_ms is not None else self._pace(report)
        # A line each: in one they would not fit, and the text would jump with its figures.
        calls = translated(report.calls.detail) if report.calls is not None else ""
        lines = "\n".join(part for part in (where, pace, calls) if part)
        if lines != self.network.text():
            self.network.setText(lines)
            self.network.setToolTip(translated(report.text))
        if details != self.network_details.text():
            self.network_details.setText(details)

    def _pace(self, report: FeedReport) -> str:
        if not report.is_asynchronous:
            return ""
        has_result = report.latency_ms is not None
        if report.fps == 0:
            # Never empty once there was a rate, or the rows below would move under the pointer.
            return self.tr("no new results") if has_result else self.tr("waiting for its first result")
        if not has_result:
            return self.tr("{0} results a second").format(decimal(report.fps, 1))
        in_step = self.tr("in step: {0} frames per second, {1} ms behind")
        newest = self.tr("{0} results a second, {1} ms behind")
        return (in_step if report.in_step else newest).format(
            decimal(report.fps, 1), f"{report.latency_ms:.0f}"
        )

    @property
    def expanded(self) -> bool:
        """True while the parameters are shown."""
        return self.body is not None and self.body.isVisibleTo(self)

    def set_expanded(self, on: bool) -> None:
        """Show or hide the parameters; their editors are made the first time."""
        if on and self.body is None:
            self.body = self._make_body()
            self.column.addWidget(self.body)
        elif on:
            self._checked_values = None  # a folder may be there by now
            self._show_rows()
        if self.body is not None:
            self.body.setVisible(on)
        self.expander.set_icon("chevron_down" if on else "chevron_right")

    def _make_body(self) -> QWidget:
        body = QWidget()
        form = CardForm(body)
        params = self.item.params if self.item else ()
        for param in params:
            if param.name not in self._network_settings:
                self._add_row(form, param)
        if not params:
            form.add_wide(muted(self.tr("This effect has no parameters.")))
        self._add_more(form)
        if self.item is not None and self.item.network is not None:
            self._add_network(form)
        align_numbers(self.editors.values())
        self._show_rows()
        return body

    def _add_more(self, form: CardForm) -> None:
        """Add the button for the parameters that are folded away."""
        self.fold = QToolButton()
        self.fold.setObjectName("fold")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._show_rows)
        form.add_fold(self.fold)

    def _rare(self, values: Mapping[str, ParamValue]) -> frozenset[str]:
        """Return the parameters to fold away: all but the first, and those changed since the card was made."""
        assert self.item is not None
        self._changed |= {name for name, value in values.items() if value != self._initial.get(name)}
        acting = [name for name in self._rows if name in self._acting]
        rare = [name for name in acting[_FIRST_ROWS:] if name not in self._changed]
        return frozenset(rare) if len(rare) > 1 and self.item.network is None else frozenset()

    @property
    def _network_settings(self) -> frozenset[str]:
        # Inferred facts of a network are rarely edited and would hide the filter's parameters.
        use = self.item.network if self.item is not None else None
        return use.params - {use.model, use.size, use.steps, *use.live} if use is not None else frozenset()

    def _add_row(self, form: CardForm, param: Param) -> None:
        editor = make_editor(param, self._themed, self._guard)
        label = form.add_row(translated(param.label), editor, translated(param.help))
        label.setBuddy(editor.main)  # names a list of choices, which calls itself by the chosen one
        label.double_clicked.connect(editor.reset)
        editor.edited.connect(lambda value, name=param.name: self.edited.emit(name, value))
        editor.released.connect(self.released)
        if param.name in self.spec.values:
            editor.set_value(self.spec.values[param.name])
        self.editors[param.name] = editor
        self._rows[param.name] = (label, editor)

    def row(self, name: str) -> tuple[WrappedLabel, FieldEditor]:
        """Return a parameter's label and editor, once the card was opened."""
        return self._rows[name]

    def _add_network(self, form: CardForm) -> None:
        self.network_fold = QToolButton()
        self.network_fold.setObjectName("fold")
        self.network_fold.setCheckable(True)
        self.network_fold.setToolTip(
            self.tr("Where the network runs, what was inferred from its file, and settings")
        )
        form.add_fold(self.network_fold)
        assert self.item is not None
        for param in self.item.params:
            if param.name in self._network_settings:
                self._add_row(form, param)
        form.add_wide(self.network_details)

        def show(on: bool) -> None:
            # An arrow in the text: the style sheet leaves flat buttons no space for an icon.
            self.network_fold.setText(f"{'▾' if on else '▸'} {self.tr('Network settings')}")
            self.network_details.setVisible(on)
            self._show_rows()

        self.network_fold.toggled.connect(show)
        show(False)

    def _show_rows(self) -> None:
        """Show the parameters that have an effect, less those that are folded away."""
        if self.item is None or not self._rows:
            return
        values = self.item.defaults | dict(self.spec.values)
        asked = {name: values[name] for name in self.item.controlling_params}
        # Not with every step of a slider: finding a network's kind may read from the disk.
        if asked != self._checked_values:
            self._checked_values, self._acting = asked, self.item.acting(values)
        rare = self._rare(values)
        self.fold.setVisible(bool(rare))
        count = (
            self.tr("Fewer parameters") if self.fold.isChecked() else self.tr("{0} more").format(len(rare))
        )
        # An arrow in the text: the style sheet leaves flat buttons no space for an icon.
        self.fold.setText(f"{'▾' if self.fold.isChecked() else '▸'} {count}")
        for name, row in self._rows.items():
            folded = name in self._network_settings and not self.network_fold.isChecked()
            folded |= name in rare and not self.fold.isChecked()
            for widget in row:
                widget.setVisible(name in self._acting and not folded)

    # -- commands --------------------------------------------------------------------------------------------

    def menu_entries(self) -> Sequence[tuple[str, str]]:
        """See `FoldingCard`."""
        separator = ("", "")
        return (
            (self.tr("Reset"), "reset"),
            (self.tr("Duplicate"), "duplicate"),
            (self.tr("Copy"), "copy"),
            (self.tr("Paste after this"), "paste"),
            separator,
            (self.tr("Move up"), "up"),
            (self.tr("Move down"), "down"),
            separator,
            (self.tr("Open the shader file"), "open_file"),
            *super().menu_entries(),
        )

    def information(self) -> Information:
        """See `FoldingCard`: what the filter does, where its network runs, and what its parameters do."""
        if self.item is None:
            return Information(self.title.plain, page="filters.md")
        network = tuple(filter(None, (self.network.text(), self.network_details.text())))
        runs = ((self.tr("Network"), "\n".join(network)),) if network else ()
        return Information(
            self.title.plain,
            translated(self.item.help),
            (*runs, *field_rows(self.item.params)),
            "filters.md" if self.item.network is None else "network-stages.md",
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the card."""
        if self._press is None:
            return
        if not self._moving:
            self._moving = (event.position().toPoint() - self._press).manhattanLength() >= _DRAG_DISTANCE
        if self._moving:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.dragging.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag; without one it is a click."""
        self.unsetCursor()
        if self._moving:
            self._moving, self._press = False, None
            self.dropped.emit(event.globalPosition().toPoint())
        else:
            super().mouseReleaseEvent(event)
