"""The window's metrics: served where the setting says, at once; a failure is one sentence."""

from __future__ import annotations

import re
import socket

import pytest
from event_rig import free_port
from metrics_rig import promtool, scrape

from desktop.ui.features.metrics.metrics import Metrics
from desktop.ui.kit.messages import Notice


def test_the_setting_serves_moves_and_ends(ui):
    metrics, settings = ui.workspace.get(Metrics), ui.workspace.settings
    assert metrics.address == ""
    ui.play()
    first, second = free_port(), free_port()
    settings.metrics_address = f"127.0.0.1:{first}"
    ui.wait(lambda: metrics.address == f"127.0.0.1:{first}")
    ui.wait(lambda: ui.workspace.engine.current.totals.frames > 5)
    text = scrape(first)[1]
    assert promtool("check", "metrics", text=text) == ""
    assert float(re.search(r'^lightloom_frames_total{lane="0"} (\S+)', text, re.MULTILINE)[1]) > 5
    assert 'lightloom_source_frames_decoded_total{lane="0"}' in text
    settings.metrics_address = str(second)
    ui.wait(lambda: metrics.address == f"127.0.0.1:{second}")
    assert scrape(second)[0] == 200
    socket.create_server(("127.0.0.1", first)).close()  # the first port is free
    settings.metrics_address = ""
    ui.wait(lambda: metrics.address == "")
    socket.create_server(("127.0.0.1", second)).close()


def test_a_port_that_is_taken_is_told_and_settled(ui):
    notices: list[Notice] = []
    settled: list[str] = []
    ui.workspace.messages.notice.connect(notices.append)
    ui.workspace.messages.settled.connect(settled.append)
    with socket.create_server(("127.0.0.1", 0)) as other:
        ui.workspace.settings.metrics_address = f"127.0.0.1:{other.getsockname()[1]}"
        ui.wait(lambda: notices)
    assert notices[0].level == "error" and "another program has that port" in notices[0].text
    assert ui.workspace.get(Metrics).address == ""
    ui.workspace.settings.metrics_address = "0"
    assert "metrics" in settled
    ui.wait(lambda: ui.workspace.get(Metrics).address)
    ui.workspace.settings.metrics_address = ""
    ui.wait(lambda: not ui.workspace.get(Metrics).address)


def test_the_option_goes_before_the_setting(ui):
    metrics = ui.workspace.get(Metrics)
    metrics.begin(None)
    assert metrics.address == ""
    metrics.begin("0")
    ui.wait(lambda: metrics.address)
    port = int(metrics.address.rpartition(":")[2])

    def failures() -> float:
        return float(
            re.search(r'^lightloom_errors_total{kind="source"} (\S+)', scrape(port)[1], re.MULTILINE)[1]
        )

    before = failures()
    ui.workspace.playback.open("nowhere.mp4")
    ui.wait(lambda: ui.notices)
    ui.workspace.messages.post("error", "something else")
    assert failures() == before + 1
    metrics.begin("")
    ui.wait(lambda: not metrics.address)


@pytest.mark.parametrize("beside", [False, True])
def test_each_break_of_a_live_source_counts_once(ui, grid, monkeypatch, beside):
    """Of the tile in use and of those beside it, until the source is back: also where it is looked for again
    and given up meanwhile.
    """
    counted = []
    ui.workspace.playback.broke.connect(lambda: counted.append(1))
    ui.play()
    grid.begin()
    if beside:
        grid.use(1)
    playback = grid.tiles[0].playback
    source, state = playback.source, ["live"]
    monkeypatch.setattr(type(source), "state", property(lambda self: state[0]))
    counts = []
    for state[0] in ("live", "reconnecting", "lost", "reconnecting", "live", "reconnecting", "live"):
        source.on_change()
        ui.wait(lambda: playback._last_state == state[0])
        counts.append(len(counted))
    assert counts == [0, 1, 1, 1, 1, 2, 2]


def test_a_grid_s_tiles_are_lanes(ui, grid):
    metrics = ui.workspace.get(Metrics)
    ui.play()
    metrics.begin("0")
    ui.wait(lambda: metrics.address)
    port = int(metrics.address.rpartition(":")[2])
    grid.begin()
    source_pipelines = len(ui.workspace.engine.source_pipelines)
    assert source_pipelines > 1
    found = set(re.findall(r'lightloom_frames_total{lane="(\d)"}', scrape(port)[1]))
    assert found == {str(number) for number in range(source_pipelines)}
    metrics.begin("")
    ui.wait(lambda: not metrics.address)
