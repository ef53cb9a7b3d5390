"""The card of one stage: name, switch, GPU time, state, and its parameters when it is expanded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from desktop.ui.forms.card import NO_KEY, FoldingCard, Keys
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.param_rows import ParamRows
from desktop.ui.kit.information import Information, field_rows
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import (
    Themed,
    WheelGuard,
    WrappedLabel,
    column,
    format_ms,
    muted,
)
from desktop.vision.models.builtin import builtin_models, title_of

if TYPE_CHECKING:
    from desktop.pipeline.chain.filter_inputs import InputStatus
    from desktop.pipeline.chain.mixing import MaskStatus
    from desktop.pipeline.chain.network_feed import FeedReport

_DRAG_DISTANCE: Final = 6
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


class StageSection(QWidget):
    """A part of a stage's card below the parameters."""

    def show_stage(self, spec: StageSpec) -> None:
        """Show a state of the stage; each section defines it. Qt's widgets cannot have abstract methods."""
        raise NotImplementedError


class StageCard(FoldingCard):
    """The card of a stage.

    Signals:
        edited: a parameter's name and new value.
        command: also 'duplicate', 'reset', 'copy', 'paste', 'up', 'down', 'edit_shader', 'open_file'.
        dragging, dropped: the pointer's global position during a drag, and at its end.
        opened: the parameters' editors were made.

    Attributes:
        edits_copy: the shader that is edited is a copy, not the filter's own file.
    """

    keys = FoldingCard.keys | _STAGE_KEYS
    edited = Signal(str, object)
    released = Signal()
    dragging = Signal(QPoint)
    dropped = Signal(QPoint)
    opened = Signal()

    def __init__(
        self,
        spec: StageSpec,
        item: Filter | None,
        themed: Themed,
        guard: WheelGuard,
        section: Callable[[], StageSection] | None = None,
    ) -> None:
        """Make the card of a stage; `section` makes what is shown below its parameters."""
        super().__init__(themed, self.tr("Show parameters (Shift: keep others open)"), "handle")
        self.icon.setCursor(Qt.CursorShape.OpenHandCursor)
        self.icon.setToolTip(self.tr("Drag to reorder (Alt+Up, Alt+Down)"))
        self.stage_id = spec.id
        self.edits_copy = True
        self.spec = spec
        self.item = item
        self._themed, self._guard = themed, guard
        self._moving = False
        self.body: QWidget | None = None
        self.rows: ParamRows | None = None
        self.section: StageSection | None = None
        self._make_section = section
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
        self.mask_state = QLabel()
        self.mask_state.setWordWrap(True)
        self.mask_state.hide()
        self.column.addWidget(self.mask_state)
        self.input_state = muted()
        self.input_state.hide()
        self.column.addWidget(self.input_state)
        for label in (self.message, self.origin, self.network, self.mask_state, self.input_state):
            label.setContentsMargins(4, 0, 2, 0)  # in line with the parameters' names
        self.network.hide()
        self.column.addWidget(self.network)
        self.network_details = QLabel()
        self.network_details.setObjectName("muted")
        self.network_details.setWordWrap(True)
        self.network_details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.update_spec(spec)

    def _title(self) -> str:
        """Return the filter's title, or that of the chosen network if it makes the image ("Great wave")."""
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
        if self.rows is not None:
            self.rows.show_values(spec.values)
        if self.section is not None:
            self.section.show_stage(spec)

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
        self._show_mask(status.mask if status.state != "off" else None)
        inputs = self._input_text(status.inputs) if status.inputs is not None else ""
        self.input_state.setVisible(bool(inputs))
        if inputs != self.input_state.text():
            self.input_state.setText(inputs)

    def _input_text(self, inputs: InputStatus) -> str:
        lines = []
        if "audio" in inputs.lacks:
            lines.append(self.tr("Without audio, the effect reads silence"))
        if "tracks" in inputs.lacks:
            lines.append(self.tr("No network detects objects, so the effect reads none"))
        elif lag := round(inputs.lag_ms):
            lines.append(self.tr("The objects are {0} ms late").format(lag))
        return "\n".join(lines)

    def _show_mask(self, mask: MaskStatus | None) -> None:
        text = self._mask_text(mask) if mask is not None else ""
        self.mask_state.setVisible(bool(text))
        name = "errorText" if mask is not None and mask.state == "failed" else "muted"
        if name != self.mask_state.objectName():
            self.mask_state.setObjectName(name)
            self.style().polish(self.mask_state)
        if text != self.mask_state.text():
            self.mask_state.setText(text)

    def _mask_text(self, mask: MaskStatus) -> str:
        match mask.state:
            case "failed":
                return self.fitted(translated(mask.message))
            case "loading":
                return self.tr("The mask is loading")
            case "missing":
                return self.tr("There is no mask for this frame")
        lag = round(mask.lag_ms)
        return self.tr("The mask is {0} ms late").format(lag) if lag else ""

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
            self.opened.emit()
        elif on and self.rows is not None:
            self.rows.check_again()
        if self.body is not None:
            self.body.setVisible(on)
        self.expander.set_icon("chevron_down" if on else "chevron_right")

    @property
    def editors(self) -> Mapping[str, FieldEditor]:
        """The parameters' editors by name, once the card was opened."""
        return self.rows.editors if self.rows is not None else {}

    def row(self, name: str) -> tuple[WrappedLabel, FieldEditor]:
        """Return a parameter's label and editor, once the card was opened."""
        assert self.rows is not None
        return self.rows.row(name)

    @property
    def fold(self) -> QToolButton:
        """The button of the rare parameters, once the card was opened."""
        assert self.rows is not None
        return self.rows.fold

    @property
    def network_fold(self) -> QToolButton:
        """The button of the network's settings, once the card was opened."""
        assert self.rows is not None
        return self.rows.network_fold

    def _make_body(self) -> QWidget:
        body = QWidget()
        rows = column(body, 0, 0)
        if self.item is None:
            rows.addWidget(muted(self.tr("This effect has no parameters.")))
        else:
            self.rows = ParamRows(
                self.item, self.spec.values, self._themed, self._guard, details=self.network_details
            )
            self.rows.edited.connect(self.edited)
            self.rows.released.connect(self.released)
            rows.addWidget(self.rows)
        if self._make_section is not None:
            self.section = self._make_section()
            self.section.show_stage(self.spec)
            rows.addWidget(self.section)
        return body

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
            (
                self.tr("Edit a copy of the shader") if self.edits_copy else self.tr("Edit the shader"),
                "edit_shader",
            ),
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
