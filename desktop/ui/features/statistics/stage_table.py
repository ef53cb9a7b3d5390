"""Table of the stages' times: last value, percentiles and share of the frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from desktop.compute.gpu.timing import Percentiles
from desktop.outputs.csv_text import as_text, csv_line
from desktop.pipeline.statistics import PipelineStats
from desktop.ui.kit.language import decimal

TOTAL: Final = "total"
"""Key of the row of whole frames."""
LATENCY: Final = "latency"
"""Key of the row of the time from capture to the end of the last pass."""
_SUMS: Final = (TOTAL, LATENCY)
_KEY: Final = Qt.ItemDataRole.UserRole
_HEADER: Final = ("stage", "last_ms", "p50_ms", "p95_ms", "p99_ms", "share_percent")
# Columns that a narrow table omits, in this order.
_OMITTED: Final = (3, 1, 5)
_LEAST_TITLE: Final = 90


@dataclass(frozen=True)
class StageRow:
    """A row of the table.

    Attributes:
        key: span name; titles may repeat.
        samples: milliseconds of the last frames, oldest first.
        share: share of the frame's time, from 0 to 1; None if it was measured by another clock.
    """

    key: str
    title: str
    samples: tuple[float, ...]
    share: float | None = None

    @property
    def last(self) -> float | None:
        """The newest sample; None before the first."""
        return self.samples[-1] if self.samples else None

    @cached_property
    def percentiles(self) -> Percentiles:
        """The percentiles of the samples."""
        return Percentiles.of(self.samples)

    @property
    def values(self) -> tuple[float | None, ...]:
        """The numbers of the row: last value and percentiles in milliseconds, share in percent."""
        p = self.percentiles
        return (self.last, p.p50, p.p95, p.p99, None if self.share is None else 100 * self.share)


def stage_rows(
    stats: PipelineStats,
    titles: Mapping[str, str],
    inferences: Mapping[str, Sequence[float]],
    latency: Sequence[float],
) -> tuple[StageRow, ...]:
    """Return the rows of all stages, of the whole frame and of the latency.

    Args:
        titles: titles by span name, with `TOTAL` and `LATENCY`.
        inferences: times of complete inferences by span name, instead of the span's own times: a frame may
            run only a part of an inference, or its preprocessing.
        latency: milliseconds of the last frames, oldest first.
    """
    on_gpu = stats.gpu_ms is not None
    means = {s.name: s.gpu_ms if on_gpu else s.cpu_ms for s in stats.stages}
    whole = sum(mean for mean in means.values() if mean is not None)
    rows = []
    for s in stats.stages:
        mean = means[s.name]
        share = mean / whole if mean is not None and whole > 0 else None
        samples = tuple(inferences.get(s.name, ())) or s.samples
        rows.append(StageRow(s.name, titles.get(s.name, s.name), samples, share))
    total = StageRow(TOTAL, titles.get(TOTAL, TOTAL), stats.frame_ms, 1.0 if whole > 0 else None)
    return (*rows, total, StageRow(LATENCY, titles.get(LATENCY, LATENCY), tuple(latency)))


def as_csv(rows: Sequence[StageRow]) -> str:
    """Return the rows as CSV with a header: numbers with a point, titles guarded against formulas."""
    return "".join(csv_line(cells) for cells in _lines(rows))


def as_tab_separated(rows: Sequence[StageRow]) -> str:
    """Return the rows as tab-separated text with a header, for spreadsheets."""
    return "".join("\t".join(cells) + "\n" for cells in _lines(rows))


def _lines(rows: Sequence[StageRow]) -> list[tuple[str, ...]]:
    # Titles of user filters may contain tabs and line breaks.
    lines = [
        (as_text(" ".join(row.title.split())), *("" if v is None else f"{v:.3f}" for v in row.values))
        for row in rows
    ]
    return [_HEADER, *lines]


class StageTable(QTreeWidget):
    """The rows as a table; a narrow one omits columns."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("figures")
        self._rows: tuple[StageRow, ...] = ()
        self._is_muted = False
        titles = (self.tr("Stage"), self.tr("last"), "p50", "p95", "p99", self.tr("share"))
        self.setHeaderLabels(list(titles))
        tips = (
            "",
            self.tr("Milliseconds of the last frame"),
            self.tr("Milliseconds that half of the last frames stay below"),
            self.tr("Milliseconds that 95 % of the last frames stay below"),
            self.tr("Milliseconds that 99 % of the last frames stay below"),
            self.tr("Percent of the sum of all stages' mean times"),
        )
        for place, tip in enumerate(tips):
            self.headerItem().setToolTip(place, tip)
            side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
            self.headerItem().setTextAlignment(place, side | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(self.tr("Time of each stage"))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(28)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place in range(1, len(titles)):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Fixed)
        # The style sheet's height of a row is known only then, and the first filling fixes the height.
        self.ensurePolished()
        self._digits = QFont(self.font())
        self._digits.setFeature(QFont.Tag("tnum"), 1)
        self._bold = QFont(self._digits)
        self._bold.setBold(True)
        self._fit_columns()

    @property
    def rows(self) -> tuple[StageRow, ...]:
        """The rows shown."""
        return self._rows

    def show_rows(self, rows: Sequence[StageRow], *, are_rough: bool) -> None:
        """Show rows; `are_rough`: the stages' times are unreliable and muted."""
        if [row.key for row in rows] != [row.key for row in self._rows] or are_rough != self._is_muted:
            self._is_muted = are_rough
            self._fill(rows)
        self._rows = tuple(rows)
        for place, row in enumerate(rows):
            item = self.topLevelItem(place)
            if item is not None:
                self._show(item, row)
        self._fit_columns()

    def _fill(self, rows: Sequence[StageRow]) -> None:
        self.clear()
        muted = self.palette().placeholderText()
        for row in rows:
            item = QTreeWidgetItem()
            item.setData(0, _KEY, row.key)
            for place in range(self.columnCount()):
                item.setFont(place, self._bold if row.key in _SUMS else self._digits)
                if place:
                    item.setTextAlignment(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                    if self._is_muted and row.key not in _SUMS:
                        item.setForeground(place, muted)
            self.addTopLevelItem(item)

    def _show(self, item: QTreeWidgetItem, row: StageRow) -> None:
        *times, share = row.values
        texts = [
            row.title,
            *(_number(ms) for ms in times),
            "–" if share is None else f"{decimal(share, 0)} %",
        ]
        for place, text in enumerate(texts):
            if item.text(place) != text:
                item.setText(place, text)
        item.setToolTip(0, row.title)

    def _fit_columns(self) -> None:
        """Set the columns' widths, and hide some where the titles would have no space."""
        metrics = QFontMetrics(self._bold)  # of the sums, the widest
        margin = 16  # with less, the widest text ends in an ellipsis
        # Wide enough for a slow stage from the start: growing by a digit would move the others.
        reserved = max(metrics.horizontalAdvance(text) for text in (decimal(100, 1), "100 %"))
        widths = {}
        for place in range(1, self.columnCount()):
            texts = [self.headerItem().text(place)]
            texts += [
                item.text(place) for n in range(self.topLevelItemCount()) if (item := self.topLevelItem(n))
            ]
            widths[place] = max(reserved, *(metrics.horizontalAdvance(text) for text in texts)) + margin
        left = self.viewport().width() - sum(widths.values())
        hidden = set()
        for place in _OMITTED:
            if left < _LEAST_TITLE:
                hidden.add(place)
                left += widths[place]
        for place, width in widths.items():
            if self.isColumnHidden(place) != (place in hidden):
                self.setColumnHidden(place, place in hidden)
            if place not in hidden and self.columnWidth(place) != width:
                self.setColumnWidth(place, width)

    def minimumSizeHint(self) -> QSize:
        return QSize(190, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(430, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()


def _number(ms: float | None) -> str:
    if ms is None:
        return "–"
    return decimal(ms, 2 if ms < 100 else 1 if ms < 1000 else 0)
