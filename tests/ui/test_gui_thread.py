"""The thread of the window never waits for the GPU, and its event loop is never held up for long: networks are
loaded, compared and removed on a software adapter.

A call's and a gap's time is told from what other processes and threads do (gui_calls.py). What is imported
and built once is part of it: the nightly runs have windows of their own.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections import defaultdict

import pytest
from gui_calls import LOOP, recorded

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.comparison.comparison_panel import ComparisonPanel
from desktop.ui.features.networks.networks import Networks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="times are those of Linux's scheduler")

MOST_MS = 4.0
LONGEST_MS = 100.0


@pytest.fixture(scope="module")
def slow_network(tmp_path_factory):
    """A classifier whose single dispatches take a software adapter a tenth of a second and more."""
    path = tmp_path_factory.mktemp("slow") / "slow.onnx"
    importlib.import_module("benchmarks.live").write_slow_network(path, layers=3, side=160)
    return path


def networks_come_and_go(ui, model):
    """Load a network with the wgpu backend, compare it with another backend, and remove it."""
    engine, networks = ui.workspace.engine, ui.workspace.get(Networks)
    networks.choose(NetworkSpec(str(model), "wgpu"))
    ui.wait(lambda: engine.current.network_status.state == "running")
    ui.wait(lambda: engine.current.result is not None)
    panel = ui.window.dock_area.panel("comparison", ComparisonPanel)
    ui.window.docks["comparison"].show()
    panel.begin.click()
    ui.wait(lambda: panel.running is not None and panel.running.state.totals is not None)
    ui.window.docks["comparison"].hide()
    networks.choose(None)
    ui.wait(lambda: engine.current.network_status.state == "none")
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 10)


def check_calls(calls):
    """Fail if a call waits for the GPU."""
    by_name = defaultdict(list)
    for call in calls:
        if call.name != LOOP:
            by_name[call.name].append(call)
    assert len(by_name["wgpuQueueSubmit"]) > 10
    for name, some in by_name.items():
        longest = max(some, key=lambda call: call.spent.waited)
        assert longest.spent.waited <= MOST_MS, f"{name}: {longest.spent} in\n{longest.callers}"


def skip_on_a_gpu(ui):
    if not ui.workspace.engine.gpu.adapter.is_software:
        pytest.skip("on a GPU nothing takes that long")


def test_networks_come_and_go_without_a_wait_for_the_gpu(ui, slow_network):
    skip_on_a_gpu(ui)
    ui.play()
    with recorded(ui.window) as calls:
        networks_come_and_go(ui, slow_network)
    check_calls(calls.take())


@pytest.fixture
def frozen():
    """Leave what there is to no collection of cycles, as the program does once its window is shown."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("run", [1, 2, 3])
def test_the_event_loop_is_not_held_up_for_long(own_ui, frozen, slow_network, run):
    skip_on_a_gpu(own_ui)
    # Showing a window for the first time lays everything out at once.
    own_ui.play()
    with recorded(own_ui.window) as calls:
        networks_come_and_go(own_ui, slow_network)
    found = calls.take()
    check_calls(found)
    longest = max((call.spent for call in found if call.name == LOOP), key=lambda spent: spent.own)
    assert longest.own <= LONGEST_MS, longest
