"""The table of the stages' times: its numbers, its narrow form, copying and saving."""

from __future__ import annotations

import csv

import pytest
from dialog_rig import chosen_paths
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from window_panels import stats_of

from desktop.compute.gpu.timing import StageTime
from desktop.pipeline.statistics import PipelineStats
from desktop.ui.features.statistics.panel import StatsPanel
from desktop.ui.features.statistics.stage_table import (
    LATENCY,
    TOTAL,
    StageRow,
    StageTable,
    as_csv,
    as_tab_separated,
    stage_rows,
)
from desktop.ui.kit import theme

TITLES = {"upload": "Upload", "color": "Color", "filter:1": "Blur", TOTAL: "Total", LATENCY: "Latency"}


def _stats(*, on_gpu):
    gpu = (1.0, 3.0) if on_gpu else (None, None)
    stages = (
        StageTime("upload", None, 2.0, (2.0, 2.0)),
        StageTime("color", gpu[0], 0.5, (1.0, 1.0)),
        StageTime("filter:1", gpu[1], 1.5, (2.0, 4.0)),
    )
    return PipelineStats(gpu_ms=4.0 if on_gpu else None, stages=stages, frame_ms=(3.0, 5.0))


def test_shares_are_of_one_clock():
    rows = stage_rows(_stats(on_gpu=True), TITLES, {}, (40.0,))
    assert [row.title for row in rows] == ["Upload", "Color", "Blur", "Total", "Latency"]
    assert [row.share for row in rows] == [None, 0.25, 0.75, 1.0, None]
    rows = stage_rows(_stats(on_gpu=False), TITLES, {}, ())
    assert [row.share for row in rows] == [0.5, 0.125, 0.375, 1.0, None]
    assert rows[3].samples == (3.0, 5.0) and rows[3].last == 5.0 and rows[4].last is None


def test_a_network_is_shown_with_whole_inferences():
    stats = PipelineStats(gpu_ms=1.0, stages=(StageTime("network", 1.0, 0.1, (1.0, 1.0)),))
    [network, _, _] = stage_rows(stats, {}, {"network": (30.0, 50.0)}, ())
    assert network.samples == (30.0, 50.0) and network.percentiles.p50 == 40.0
    [network, _, _] = stage_rows(stats, {}, {"network": ()}, ())
    assert network.samples == (1.0, 1.0), "none is known yet"


def test_cells_are_numbers_and_never_formulas():
    rows = (StageRow("filter:1", "=A1,\t2\n", (1.0, 2.0), 0.5), StageRow(TOTAL, "Total", ()))
    table = list(csv.reader(as_csv(rows).splitlines()))
    assert table[0] == ["stage", "last_ms", "p50_ms", "p95_ms", "p99_ms", "share_percent"]
    assert table[1] == ["'=A1, 2", "2.000", "1.500", "1.950", "1.990", "50.000"]
    assert table[2] == ["Total", "", "", "", "", ""]
    assert [line.split("\t") for line in as_tab_separated(rows).splitlines()] == table


@pytest.fixture
def table(qapp, qtbot):
    table = StageTable()
    qtbot.addWidget(table)
    table.show_rows(stage_rows(_stats(on_gpu=True), TITLES, {}, (40.0,)), are_rough=False)
    table.show()
    return table


def test_numbers_are_right_aligned_and_a_narrow_table_omits_some(table, qtbot):
    table.resize(700, 200)
    qtbot.waitUntil(lambda: not any(table.isColumnHidden(n) for n in range(6)))
    item = table.topLevelItem(2)
    assert [item.text(n) for n in range(6)] == ["Blur", "4.00", "3.00", "3.90", "3.98", "75 %"]
    assert all(item.textAlignment(n) & Qt.AlignmentFlag.AlignRight for n in range(1, 6))
    assert table.topLevelItem(0).text(5) == "–"
    table.resize(table.minimumSizeHint().width(), 200)
    qtbot.waitUntil(lambda: table.isColumnHidden(3))
    assert not table.isColumnHidden(2) and not table.isColumnHidden(4), "the median and the worst stay"
    assert table.columnWidth(0) >= 60


def test_unreliable_times_are_muted(table):
    def color(row):
        return table.topLevelItem(row).foreground(1).color()

    plain = color(1)
    table.show_rows(table.rows, are_rough=True)
    assert color(1) == table.palette().placeholderText().color() != plain
    assert color(3) == plain, "the whole frame's time is reliable"


def test_the_table_is_copied_and_saved(ui, tmp_path):
    ui.play()
    ui.workspace.edits.add_filter("invert")
    ui.settle()
    ui.window.actions_by_name["stats"].trigger()
    panel = stats_of(ui.window)
    ui.wait(lambda: {"Invert", "Total", "Latency"} <= {row.title for row in panel.stages.rows})
    panel.copy.click()
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0].startswith("stage\tlast_ms\t") and any(line.startswith("Invert\t") for line in copied)
    with chosen_paths(tmp_path / "times"):
        panel.save.click()
    target = tmp_path / "times.csv"
    ui.wait(lambda: any(str(target) in text for text in ui.notices))
    with target.open(encoding="utf-8", newline="") as stream:
        saved = list(csv.DictReader(stream))
    assert float(next(row for row in saved if row["stage"] == "Total")["p50_ms"]) > 0
    with chosen_paths(tmp_path / "none" / "times.csv"):
        panel.save.click()
    ui.wait(lambda: any("cannot be written" in text for text in ui.notices))
    ui.window.actions_by_name["stats"].trigger()


def test_no_figure_of_the_table_is_cut_off(qapp, qtbot):
    table = StageTable()
    qtbot.addWidget(table)
    table.resize(560, 200)
    table.show()
    rows = (StageRow("upload", "Upload", (8.0,), 1.0), StageRow(TOTAL, "Total", (100.0, 188.88), 1.0))
    table.show_rows(rows, are_rough=False)
    for column in range(1, table.columnCount()):
        assert table.columnWidth(column) >= table.sizeHintForColumn(column), table.headerItem().text(column)


@pytest.mark.parametrize("code", ["en", "de"])
def test_counters_are_whole_in_a_small_window_with_large_text(ui, qapp, speak, code):
    usual = qapp.font()
    larger = QFont(usual)
    larger.setPointSizeF(usual.pointSizeF() * 1.5)
    speak(code)
    qapp.setFont(larger)
    theme.apply(qapp, ui.window.themed.theme)
    panel = StatsPanel(ui.workspace, ui.window.themed)
    try:
        panel.show()
        panel.update_figures()
        QTest.qWait(50)
        panel.resize(560, 210)
        QTest.qWait(50)
        assert panel.width() <= 600
        assert panel.numbers.width() <= panel.area.viewport().width()
        for label in panel.numbers.findChildren(QLabel):
            room = panel.numbers.rect()
            assert room.contains(label.geometry()), label.text()
            assert label.minimumSizeHint().width() <= label.width(), label.text()
    finally:
        panel.deleteLater()
        qapp.setFont(usual)
        theme.apply(qapp, ui.window.themed.theme)
