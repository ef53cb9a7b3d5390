"""Performance panel: graphs of the frame time and of each stage, and counters."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QSizePolicy, QWidget

from desktop.base.wording import sentence
from desktop.pipeline.snapshot import FrameSnapshot
from desktop.ui.features.interpolation.interpolation import Interpolation
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import Themed, column, format_percentiles, heading, muted, rough_times, scrolled
from desktop.ui.workspace.panel import PanelSpec, panel_toggle
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.builtin import title_of

_HISTORY: Final = 160
_ROW: Final = 22
# Below this width the frame graph is omitted, to leave the frame its space.
_GRAPH_FROM: Final = 640
_LEAST_CURVE: Final = 40
_LONGEST_NAME: Final = 200


def nice_ceiling(value: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, ... (and 0.1, 0.2, ...) that is not below `value`."""
    step = 0.1
    while True:
        for factor in (1, 2, 5):
            if value <= step * factor:
                return step * factor
        step *= 10


def _value(ms: float) -> str:
    return f"{decimal(ms, 2)} ms"


def _curve(values: Sequence[float], rect: QRectF, top: float, length: int) -> QPolygonF:
    step = rect.width() / max(1, length - 1)
    begin = rect.right() - step * (len(values) - 1)
    return QPolygonF(
        [
            QPointF(begin + i * step, rect.bottom() - rect.height() * min(1.0, value / top))
            for i, value in enumerate(values)
        ]
    )


class FrameGraph(QWidget):
    """Graph of frame time and latency of the last frames."""

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
        both = (*self._frames, *self._latency)
        top = nice_ceiling(max(both, default=10.0) * 1.05)
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
            painter.drawPolyline(_curve(values, rect, top, 240))
        x = rect.left()
        for text, color in ((self.tr("frame time"), theme.accent), (self.tr("latency"), theme.warning)):
            painter.setPen(QPen(QColor(color), 2))
            painter.drawLine(QPointF(x, 9), QPointF(x + 12, 9))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QPointF(x + 17, 13), text)
            x += 30 + metrics.horizontalAdvance(text)
        painter.drawText(QPointF(rect.left() - 6 - metrics.horizontalAdvance("ms"), 13), "ms")


class StageGraphs(QWidget):
    """A row per stage: name, graph of the last half minute, milliseconds."""

    accessible_role = QAccessible.Role.Chart

    def __init__(self, themed: Themed) -> None:
        super().__init__()
        self._themed = themed
        self._rows: list[tuple[str, str, float]] = []
        self._history: dict[str, deque[float]] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Time of each stage"))

    def sizeHint(self) -> QSize:
        return QSize(260, max(1, len(self._rows)) * _ROW + 4)

    def minimumSizeHint(self) -> QSize:
        """Return space for names (of user filters up to a maximum) and times, which would be elided."""
        names, values = self._columns()
        return QSize(math.ceil(min(names, _LONGEST_NAME) + values), self.sizeHint().height())

    def _columns(self) -> tuple[float, float]:
        """Return the widths of the name and time columns, with their margins."""
        metrics = QFontMetricsF(self.font())
        names = max((metrics.horizontalAdvance(title) for _, title, _ in self._rows), default=0.0)
        # Wide enough for a slow filter from the start, since growing by a digit would move others.
        values = (*(_value(ms) for _, _, ms in self._rows), _value(100))
        return names + 18, max(map(metrics.horizontalAdvance, values)) + 16

    def add(self, rows: list[tuple[str, str, float]]) -> None:
        """Append the stages' current times in order: key (titles may repeat), title, milliseconds."""
        before = self.minimumSizeHint()
        self._rows = rows
        if self.minimumSizeHint() != before:
            self.updateGeometry()
        self._history = {key: self._history.get(key, deque(maxlen=_HISTORY)) for key, _, _ in rows}
        for key, _, value in rows:
            self._history[key].append(value)
        self.setAccessibleDescription(", ".join(f"{title} {_value(value)}" for _, title, value in rows))
        self.update()

    @property
    def curves(self) -> Mapping[str, Sequence[float]]:
        """The history of each stage, by key."""
        return self._history

    def clear(self) -> None:
        """Clear the history."""
        self._history.clear()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._themed.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetricsF(painter.font())
        widest, values = self._columns()
        names = min(widest, self.width() * 0.5)
        if self.width() - names - values < _LEAST_CURVE:
            names = self.width() - values  # a name says more than a curve as wide as that
        for index, (key, title, value) in enumerate(self._rows):
            y = 2.0 + index * _ROW
            baseline = y + (_ROW + metrics.ascent() - metrics.descent()) / 2
            painter.setPen(QColor(theme.text))
            painter.drawText(
                QPointF(6, baseline), metrics.elidedText(title, Qt.TextElideMode.ElideRight, names - 12)
            )
            text = _value(value)
            painter.setPen(QColor(theme.muted))
            painter.drawText(QPointF(self.width() - 8 - metrics.horizontalAdvance(text), baseline), text)
            rect = QRectF(names, y + 4, self.width() - names - values, _ROW - 8)
            history = self._history.get(key)
            if history is None or rect.width() < _LEAST_CURVE:
                continue
            painter.setPen(QPen(QColor(theme.accent), 1.3))
            painter.drawPolyline(_curve(list(history), rect, max(*history, 1e-3) * 1.1, _HISTORY))


class StatsPanel(QWidget):
    """Content of the performance dock."""

    def __init__(self, workspace: Workspace, themed: Themed) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace = workspace
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 6, 6)
        row.setSpacing(12)
        self.frames = FrameGraph(themed)
        self.stages = StageGraphs(themed)
        self.area: QScrollArea = scrolled(self.stages)
        row.addWidget(self.frames, 3)
        row.addWidget(self.area, 3)
        side = QWidget()
        side.setMinimumWidth(130)
        side.setMaximumWidth(260)
        layout = column(side, 0, 3)
        layout.addWidget(heading(self.tr("Counters")))
        self.numbers = muted()
        self.numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.numbers.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addWidget(scrolled(self.numbers), 1)
        reset = QPushButton(self.tr("Reset"))
        reset.setToolTip(self.tr("Begin all counters and graphs anew"))
        reset.clicked.connect(self.reset)
        layout.addWidget(reset)
        row.addWidget(side, 2)
        self.setMinimumHeight(186)
        self._base = (0, 0, 0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.frames.setVisible(self.width() >= _GRAPH_FROM)

    def reset(self) -> None:
        """Restart the measurements."""
        self._workspace.engine.current.reset_stats()
        self.stages.clear()
        self._base = self._source_counts()
        self.update_figures()

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
        titles = {
            f"filter:{s.id}": self._workspace.edits.title_of(s.filter)
            for s in self._workspace.edits.chain.stages
        }
        titles |= {
            f"network:{s.id}": self.tr("Network of {0}").format(self._workspace.edits.title_of(s.filter))
            for s in self._workspace.edits.chain.stages
        }
        # The whole inference's time if known: a frame may run only a slice of it, or its preprocessing.
        whole = {"network": stats.network_ms}
        whole |= {
            f"network:{status.id}": report.inference_ms
            for status in now.stages
            if (report := status.network) is not None
        }
        rows = []
        for s in stats.stages:
            ms = whole.get(s.name)
            if ms is None:
                ms = s.gpu_ms if s.gpu_ms is not None else s.cpu_ms
            rows.append((s.name, titles.get(s.name, self._title(s.name)), ms))
        self.stages.add(rows)
        counts = self._source_counts()
        if any(count < then for count, then in zip(counts, self._base, strict=True)):
            self._base = (0, 0, 0, 0)
        decoded, _, dropped, damaged = (count - then for count, then in zip(counts, self._base, strict=True))
        lines = (
            self.tr("{0} FPS, %n frames", "", stats.frames).format(decimal(stats.fps, 1)),
            self.tr("latency {0}").format(format_percentiles(stats.latency_ms)),
            self.tr("decoded {0}, dropped {1}, damaged {2}").format(decoded, dropped, damaged),
            self.tr("skipped because the GPU was busy: {0}").format(stats.skipped),
            self.tr("CPU {0} ms a frame").format(decimal(stats.cpu_ms, 2)),
            self.tr("upload {0}, read back {1}").format(
                _bytes(stats.upload_bytes), _bytes(stats.readback_bytes)
            ),
            self._timing(stats.timing_source),
            *self._interpolated(),
            *self._networks(now),
        )
        text = "\n".join(lines)
        if text != self.numbers.text():
            self.numbers.setText(text)

    def _interpolated(self) -> list[str]:
        status = self._workspace.get(Interpolation).status
        if status is None:
            return []
        return [self.tr("frame interpolation: {0}").format(translated(status.text))]

    def _timing(self, source: str) -> str:
        rough = self._workspace.adapter.is_software
        self.numbers.setToolTip(rough_times() if rough else "")
        text = self.tr("times: {0}, unreliable on a software adapter") if rough else self.tr("times: {0}")
        return text.format(translated(source))

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

    def _title(self, name: str) -> str:
        titles = {
            "upload": self.tr("Upload"),
            "color": self.tr("Color"),
            "network": self.tr("Network"),
            "present": self.tr("Present"),
        }
        return titles.get(name, name)


def _bytes(count: int) -> str:
    if count < 10_000:
        return f"{count} B"
    return f"{count / 1e3:.0f} kB" if count < 1_000_000 else f"{decimal(count / 1e6, 1)} MB"


PANEL: Final = PanelSpec(
    "stats",
    sentence("Statistics"),
    place="bottom",
    order=0,
    shown=False,
    closed_by=sentence("Hide the statistics"),
    make=lambda context: StatsPanel(context.workspace, context.themed),
    actions=(panel_toggle("stats", sentence("&Statistics"), group="figures", order=1, key="Ctrl+I"),),
)
