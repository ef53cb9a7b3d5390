"""Performance panel: graph of the frame time, table of the stages' times, and counters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop.base.files import replace_file
from desktop.base.wording import sentence
from desktop.pipeline.snapshot import FrameSnapshot
from desktop.ui.features.interpolation.interpolation import Interpolation
from desktop.ui.features.statistics.stage_table import (
    LATENCY,
    TOTAL,
    StageTable,
    as_csv,
    as_tab_separated,
    stage_rows,
)
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import (
    Themed,
    WrappedLabel,
    column,
    format_bytes,
    format_ms,
    heading,
    rough_times,
    scrolled,
)
from desktop.ui.workspace.outputs import completed
from desktop.ui.workspace.panel import PanelSpec, panel_toggle
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.builtin import title_of

# Below this width the frame graph is omitted, to leave the frame its space.
_GRAPH_FROM: Final = 640
_SCALED_TO: Final = 0.95  # share of the values that are within the scale of the graph
_ABOVE: Final = 1.2
_LONGEST_VALUE: Final = "1234.5 kB"


def nice_ceiling(value: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, ... (and 0.1, 0.2, ...) that is not below `value`."""
    step = 0.1
    while True:
        for factor in (1, 2, 5):
            if value <= step * factor:
                return step * factor
        step *= 10


def graph_top(*series: Sequence[float]) -> float:
    """Return the top of a graph's scale: above 95 % of the values of each series, not above rare outliers."""
    ordered = [sorted(values) for values in series if values]
    high = max((values[int(_SCALED_TO * (len(values) - 1))] for values in ordered), default=8.0)
    return nice_ceiling(high * _ABOVE)


def _curve(values: Sequence[float], rect: QRectF, top: float, length: int) -> list[QPointF]:
    """Return the points of a curve; values above the top are on it."""
    step = rect.width() / max(1, length - 1)
    begin = rect.right() - step * (len(values) - 1)
    return [
        QPointF(begin + i * step, rect.bottom() - rect.height() * min(1.0, value / top))
        for i, value in enumerate(values)
    ]


def _arrowhead(tip: QPointF) -> QPolygonF:
    return QPolygonF([tip + QPointF(0, -5), tip + QPointF(4, 1), tip + QPointF(-4, 1)])


class FrameGraph(QWidget):
    """Graph of frame time and latency of the last frames; rare outliers are clipped, with an arrowhead."""

    accessible_role = QAccessible.Role.Chart

    def __init__(self, themed: Themed) -> None:
        super().__init__()
        self._themed = themed
        self._frames: Sequence[float] = ()
        self._latency: Sequence[float] = ()
        self.setMinimumHeight(90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Graph of frame time and latency"))

    def show_values(self, frames: Sequence[float], latency: Sequence[float]) -> None:
        """Set the values, in milliseconds, oldest first."""
        if frames != self._frames or latency != self._latency:
            self._frames, self._latency = frames, latency
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._themed.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = graph_top(self._frames, self._latency)
        metrics = QFontMetricsF(painter.font())
        # On a slow machine a figure has five digits.
        figures = max(metrics.horizontalAdvance(f"{top * share:g}") for share in (0.5, 1.0))
        rect = QRectF(self.rect()).adjusted(max(38.0, figures + 10), 22, -8, -6)
        for share in (0.0, 0.5, 1.0):
            y = rect.bottom() - rect.height() * share
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y))
            painter.setPen(QColor(theme.muted))
            text = f"{top * share:g}"
            painter.drawText(QPointF(rect.left() - 6 - metrics.horizontalAdvance(text), y + 4), text)
        for values, color in ((self._latency, theme.warning), (self._frames, theme.accent)):
            painter.setPen(QPen(QColor(color), 1.5))
            curve = _curve(values, rect, top, 240)
            painter.drawPolyline(QPolygonF(curve))
            # A value above the scale ends in an arrowhead at its top.
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(color))
            for point, value in zip(curve, values, strict=True):
                if value > top:
                    painter.drawPolygon(_arrowhead(point))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        self._paint_legend(painter, rect)

    def _paint_legend(self, painter: QPainter, rect: QRectF) -> None:
        theme, metrics = self._themed.theme, QFontMetricsF(painter.font())
        x, y = rect.left(), 13.0
        for text, color in ((self.tr("frame time"), theme.accent), (self.tr("latency"), theme.warning)):
            width = 17 + metrics.horizontalAdvance(text)
            if x > rect.left() and x + width > rect.right():
                # In a narrow graph on a second line: over the curves rather than cut off.
                x, y = rect.left(), y + metrics.height()
            painter.setPen(QPen(QColor(color), 2))
            painter.drawLine(QPointF(x, y - 4), QPointF(x + 12, y - 4))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QPointF(x + 17, y), text)
            x += width + 13
        painter.drawText(QPointF(rect.left() - 6 - metrics.horizontalAdvance("ms"), 13), "ms")


class CounterList(QWidget):
    """Names and values in two columns."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(0, 1)
        self._labels: list[tuple[WrappedLabel, QLabel]] = []
        self._shown: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The lines, as a screen reader reads them."""
        return "\n".join(": ".join(filter(None, line)) for line in self._shown)

    def show_lines(self, lines: Sequence[tuple[str, str]]) -> None:
        """Show names with values; a line without a value takes both columns."""
        if tuple(lines) == self._shown:
            return
        has_layout_changed = [bool(value) for _, value in lines] != [bool(value) for _, value in self._shown]
        self._shown = tuple(lines)
        if has_layout_changed:
            self._make_labels(lines)
        for (name, value), (first, second) in zip(lines, self._labels, strict=True):
            first.setText(name)
            second.setText(value)
        self.setAccessibleDescription(self.text)

    def _make_labels(self, lines: Sequence[tuple[str, str]]) -> None:
        for label in (label for pair in self._labels for label in pair):
            self._grid.removeWidget(label)
            label.hide()
            label.deleteLater()
        self._labels = []
        selectable = Qt.TextInteractionFlag.TextSelectableByMouse
        top = Qt.AlignmentFlag.AlignTop
        for row, (_, value) in enumerate(lines):
            first, second = WrappedLabel(), QLabel()
            first.setObjectName("muted")
            second.setTextInteractionFlags(selectable)
            # Reserved from the start: a value that grows by a digit would make the panel wider.
            second.setMinimumWidth(second.fontMetrics().horizontalAdvance(_LONGEST_VALUE))
            second.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(first, row, 0, 1, 1 if value else 2, top)
            if value:
                self._grid.addWidget(second, row, 1, top | Qt.AlignmentFlag.AlignRight)
            else:
                second.hide()
            self._labels.append((first, second))
        self._grid.setRowStretch(len(lines), 1)


class StatsPanel(QWidget):
    """Content of the performance dock: graph, table of the stages, counters."""

    def __init__(self, workspace: Workspace, themed: Themed) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace = workspace
        self.frames = FrameGraph(themed)
        self.stages = StageTable()
        self.numbers = CounterList()
        self.area = scrolled(self.numbers)
        side = QWidget()
        below = column(side, 0, 3)
        below.addWidget(heading(self.tr("Counters")))
        below.addWidget(self.area, 1)
        figures = QHBoxLayout()
        figures.setSpacing(12)
        figures.addWidget(self.frames, 2)
        figures.addWidget(self.stages, 5)
        figures.addWidget(side, 2)
        self.copy = self._button(
            self.tr("Copy"), self.tr("Copy the table as tab-separated text"), self.copy_table
        )
        self.save = self._button(self.tr("CSV..."), self.tr("Save the table as CSV"), self.save_table)
        self.again = self._button(self.tr("Reset"), self.tr("Begin all counters and graphs anew"), self.reset)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addStretch(1)
        for button in (self.copy, self.save, self.again):
            buttons.addWidget(button)
        layout = column(self, 6, 6)
        layout.addLayout(figures, 1)
        layout.addLayout(buttons)
        self.setMinimumHeight(186)
        self._base = (0, 0, 0, 0)

    @staticmethod
    def _button(text: str, tip: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.clicked.connect(act)
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.frames.setVisible(self.width() >= _GRAPH_FROM)

    def reset(self) -> None:
        """Restart the measurements."""
        self._workspace.engine.current.reset_stats()
        self._base = self._source_counts()
        self.update_figures()

    # -- copying and saving ----------------------------------------------------------------------------------

    def copy_table(self) -> None:
        """Copy the table to the clipboard."""
        QGuiApplication.clipboard().setText(as_tab_separated(self.stages.rows))
        self._workspace.messages.said.emit(self.tr("Table copied"))

    def save_table(self) -> None:
        """Let the user choose a file for the table, and write it as CSV."""
        folder = Path(self._workspace.settings.folder or Path.home())
        # As it was when the button was pressed.
        data = as_csv(self.stages.rows).encode()
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Save the table"), str(folder / "statistics.csv"), self.tr("Tables (*.csv)")
        )
        target = completed(path, (".csv", ".txt"), self.window())
        if target is None:
            return
        messages = self._workspace.messages

        def done(_: None) -> None:
            messages.post("info", self.tr("Table saved as {0}").format(target), str(target))

        self._workspace.jobs.run(
            lambda: _write(target, data),
            done,
            lambda error: messages.post("error", str(error)),
            saves=True,
        )

    # -- figures ---------------------------------------------------------------------------------------------

    def _source_counts(self) -> tuple[int, int, int, int]:
        source = self._workspace.playback.source
        if source is None:
            return (0, 0, 0, 0)
        stats = source.stats
        return (stats.decoded, stats.taken, stats.dropped, stats.damaged)

    def update_figures(self) -> None:
        """Update the figures; called several times a second while visible."""
        now = self._workspace.engine.current.snapshot()
        stats = now.stats
        self.frames.show_values(now.frame_time, now.latency)
        inferences: dict[str, Sequence[float]] = {"network": stats.inferences}
        for status in now.stages:
            if status.network is not None:
                inferences[f"network:{status.id}"] = status.network.inferences
        rough = self._workspace.adapter.is_software
        self.stages.show_rows(stage_rows(stats, self._titles(), inferences, now.latency), are_rough=rough)
        counts = self._source_counts()
        if any(count < then for count, then in zip(counts, self._base, strict=True)):
            self._base = (0, 0, 0, 0)
        decoded, _, dropped, damaged = (count - then for count, then in zip(counts, self._base, strict=True))
        lines = (
            (self.tr("Rate"), f"{decimal(stats.fps, 1)} FPS"),
            (self.tr("Frames"), str(stats.frames)),
            (self.tr("Decoded"), str(decoded)),
            (self.tr("Dropped"), str(dropped)),
            (self.tr("Damaged"), str(damaged)),
            (self.tr("Skipped, GPU busy"), str(stats.skipped)),
            (self.tr("CPU per frame"), format_ms(stats.cpu_ms)),
            (self.tr("Upload per frame"), format_bytes(stats.upload_bytes)),
            (self.tr("Readback per frame"), format_bytes(stats.readback_bytes)),
        )
        notes = (
            self.tr("times: {0}").format(translated(stats.timing_source)),
            *self._interpolated(),
            *self._networks(now),
            *([rough_times()] if rough else []),
        )
        self.numbers.show_lines((*lines, *((note, "") for note in notes)))

    def _titles(self) -> dict[str, str]:
        """Return the stages' titles by span name."""
        titles = {
            "upload": self.tr("Upload"),
            "color": self.tr("Color"),
            "network": self.tr("Network"),
            "present": self.tr("Present"),
            TOTAL: self.tr("Total"),
            LATENCY: self.tr("Latency"),
        }
        for stage in self._workspace.edits.chain.stages:
            title = self._workspace.edits.title_of(stage.filter)
            titles[f"filter:{stage.id}"] = title
            titles[f"network:{stage.id}"] = self.tr("Network of {0}").format(title)
        return titles

    def _interpolated(self) -> list[str]:
        status = self._workspace.get(Interpolation).status
        if status is None:
            return []
        return [self.tr("frame interpolation: {0}").format(translated(status.text))]

    def _networks(self, now: FrameSnapshot) -> list[str]:
        # The analysis network and networks on a worker thread have a rate of their own.
        spec, fps = self._workspace.edits.setup.network, now.stats.network_fps
        looking = (
            [f"{translated(title_of(Path(spec.model)))}: {decimal(fps, 1)} FPS"]
            if spec is not None and fps
            else []
        )
        return looking + [
            self.tr("{0}: {1} FPS, latency {2} ms").format(
                translated(status.name), decimal(report.fps, 1), f"{report.latency_ms:.0f}"
            )
            for status in now.stages
            if (report := status.network) is not None
            and report.is_asynchronous
            and report.latency_ms is not None
        ]


def _write(target: Path, data: bytes) -> None:
    from desktop.outputs.journal import cannot_write

    try:
        replace_file(target, [data])
    except OSError as error:
        raise cannot_write(target, error) from error


PANEL: Final = PanelSpec(
    "stats",
    sentence("Statistics"),
    tab=sentence("Stats"),
    place="bottom",
    order=0,
    shown=False,
    closed_by=sentence("Hide the statistics"),
    make=lambda context: StatsPanel(context.workspace, context.themed),
    actions=(panel_toggle("stats", sentence("&Statistics"), group="figures", order=1, key="Ctrl+I"),),
)
