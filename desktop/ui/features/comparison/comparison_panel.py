"""Panel that compares results, differences and times of two backends or precisions while visible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.base.printable import printable
from desktop.base.significance import Difference
from desktop.pipeline.running.compare.comparison import ComparisonTotals, Ran, Way
from desktop.pipeline.running.compare.live_comparison import ComparisonState, LiveComparison
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import muted, scrolled
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.backends import backend_choices, backends
from desktop.vision.tasks.shapes import Label, Shape, caption

_PRECISIONS: Final = ("auto", "fp32", "fp16")
_USUAL: Final = (Way("onnxruntime", "auto"), Way("wgpu", "auto"))
_MOST_LINES: Final = 6
_SHUTDOWN_S: Final = 10.0


class WayBox(QWidget):
    """Selector of a backend and a precision."""

    def __init__(self, name: str, way: Way) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.backend, self.precision = QComboBox(), QComboBox()
        titles = {"auto": self.tr("auto"), **{backend.name: backend.title for backend in backends()}}
        for box, values, what in (
            (self.backend, backend_choices(), self.tr("{0}: backend")),
            (self.precision, _PRECISIONS, self.tr("{0}: precision")),
        ):
            for value in values:
                box.addItem(titles.get(value, value), value)
            box.setAccessibleName(what.format(name))
            row.addWidget(box)
        self.backend.setCurrentIndex(max(0, self.backend.findData(way.backend)))
        self.precision.setCurrentIndex(max(0, self.precision.findData(way.precision)))
        row.addStretch(1)

    @property
    def way(self) -> Way:
        """The selected backend and precision."""
        return Way(self.backend.currentData(), self.precision.currentData())


class ComparisonPanel(QWidget):
    """See above."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.running: LiveComparison | None = None
        self._ending: list[LiveComparison] = []
        names = (self.tr("First"), self.tr("Second"))
        self.choices = tuple(WayBox(name, way) for name, way in zip(names, _USUAL, strict=True))
        self.begin = QPushButton(self.tr("Compare"))
        self.begin.setCheckable(True)
        self.begin.setToolTip(self.tr("Run both during playback, twice a second at most"))
        self.begin.toggled.connect(self._toggle)
        self.note = muted()
        self.note.setWordWrap(True)
        self.texts = tuple(_text() for _ in range(3))
        self.said = self.texts[:2]
        self.figures = self.texts[2]
        self._lay_out()
        workspace.engine_rebuilt.connect(self._leave_device)
        self.update_figures()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        for column, widget in enumerate((*self.choices, self.begin)):
            align = Qt.AlignmentFlag.AlignLeft if widget is self.begin else Qt.AlignmentFlag(0)
            grid.addWidget(widget, 0, column, align)
        for column, text in enumerate(self.texts):
            grid.addWidget(text, 1, column)
            grid.setColumnStretch(column, 1)
        grid.setRowStretch(1, 1)
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(10, 6, 10, 8)
        layout.addLayout(grid, 1)
        layout.addWidget(self.note)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        area = scrolled(inner)
        # Beside another panel there is room for the selection only; the texts below wrap.
        bar = area.verticalScrollBar().sizeHint().width()
        area.setMinimumWidth(inner.minimumSizeHint().width() + bar)
        outer.addWidget(area)

    # -- execution -------------------------------------------------------------------------------------------

    def _toggle(self, on: bool) -> None:
        self._end()
        if on:
            self._begin()
        self.update_figures()

    def _begin(self) -> None:
        engine, network = self._workspace.engine, self._workspace.edits.setup.network
        if network is None:
            self.begin.setChecked(False)
            return
        ways = (self.choices[0].way, self.choices[1].way)
        self.running = LiveComparison(engine.gpu, network, ways, lambda: engine.current.frame)

    def _end(self) -> None:
        if self.running is not None:
            self.running.stop()
            self._ending.append(self.running)
            self.running = None
        self._ending = [each for each in self._ending if not each.stop()]

    def _is_outdated(self, running: LiveComparison) -> bool:
        ways = (self.choices[0].way, self.choices[1].way)
        setup, engine = self._workspace.edits.setup, self._workspace.engine
        return (running.gpu, running.spec, running.ways) != (engine.gpu, setup.network, ways)

    def showEvent(self, event: QShowEvent) -> None:
        """Update the figures."""
        super().showEvent(event)
        self.update_figures()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop while the panel is hidden."""
        super().hideEvent(event)
        self.begin.setChecked(False)

    def _leave_device(self) -> None:
        """Stop using the old device before it is released; `update_figures` restarts on the new one."""
        for each in (self.running, *self._ending):
            if each is not None:
                each.stop(_SHUTDOWN_S)

    def shutdown(self) -> None:
        """See `HasWork`: the device must not go while a network runs on it."""
        self._end()
        self._leave_device()

    # -- display ---------------------------------------------------------------------------------------------

    def update_figures(self) -> None:
        """Update the figures; called several times a second while visible."""
        network = self._workspace.edits.setup.network
        self.begin.setEnabled(network is not None or self.running is not None)
        self.begin.setText(self.tr("Compare") if self.running is None else self.tr("Stop"))
        if self.running is not None and self._is_outdated(self.running):
            self._end()
            self._begin()
        state = self.running.state if self.running is not None else None
        if state is None:
            said = self.tr("Choose two ways to compute the network, and compare them on what plays.")
            self._show_note(self.tr("No network is running.") if network is None else said)
        elif state.state == "failed":
            self._show_note(translated(state.text))
        elif state.newest is None:
            self._show_note(self._awaited(state))
        else:
            self.note.setText(self.tr("Both get the same input; the times are from array to array."))
            for label, ran in zip(self.said, (state.newest.first, state.newest.second), strict=True):
                _show(label, "\n".join(self._lines(ran)))
            if state.totals is not None:
                _show(self.figures, "\n".join(self._figures(state.totals)))

    def _awaited(self, state: ComparisonState) -> str:
        """Return what the first comparison is waiting for."""
        if state.state == "loading":
            return self.tr("Loading both...")
        if state.computes:
            return self.tr("Both compute their first image...")
        return self.tr("Waiting for an image...")

    def _show_note(self, text: str) -> None:
        self.note.setText(text)
        for label in self.texts:
            _show(label, "")

    def _lines(self, ran: Ran) -> list[str]:
        lines = [translated(ran.where), *(_word(shape) for shape in ran.result.shapes()[:_MOST_LINES])]
        return lines if len(lines) > 1 else [*lines, self.tr("Nothing is detected in this image.")]

    def _figures(self, totals: ComparisonTotals) -> list[str]:
        number: Callable[[float], str] = "{:.3g}".format
        lines = [
            self.tr("%n images", "", totals.pictures),
            self.tr("Greatest difference: {0}").format(number(totals.spread.maximum)),
            self.tr("Relative error: {0}").format(number(totals.spread.relative)),
            self.tr("Least cosine: {0}").format(decimal(totals.spread.cosine, 6)),
        ]
        if totals.named:
            lines.append(self.tr("Same first name: {0} of {1}").format(totals.same_first, totals.named))
        if totals.iou is not None or totals.unmatched:
            iou = decimal(totals.iou, 3) if totals.iou is not None else "-"
            text = self.tr("In both: {0}, IoU {1}; in one alone: {2}")
            lines.append(text.format(totals.matched, iou, totals.unmatched))
        if totals.pictures > 1:
            for name, each in zip((self.tr("First"), self.tr("Second")), totals.times, strict=True):
                figures = (decimal(value or 0.0, 1) for value in (each.p50, each.p95, each.p99))
                lines.append(self.tr("{0}: p50 {1}, p95 {2}, p99 {3} ms").format(name, *figures))
            lines.append(self._difference_text(totals.difference))
        return lines

    def _difference_text(self, difference: Difference) -> str:
        """Return whether the second is slower, by the confidence interval of the medians' difference."""
        low, high = (decimal(each * 100, 1) for each in difference.shares)
        return {
            "unknown": self.tr("Too few images to compare the times."),
            "same": self.tr("No difference in time: {0} to {1} %."),
            "slower": self.tr("The second is slower: {0} to {1} %."),
            "faster": self.tr("The second is faster: {0} to {1} %."),
        }[difference.verdict].format(low, high)


def _word(shape: Shape) -> str:
    text = f"{shape.label} {shape.value * 100:.1f} %" if isinstance(shape, Label) else caption(shape)
    return printable(text)


def _text() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _show(label: QLabel, text: str) -> None:
    if text != label.text():
        label.setText(text)
