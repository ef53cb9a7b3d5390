"""The thread of the window never waits for the GPU: networks are loaded, compared and removed on a software
adapter.

Waits are told from what other processes do to the machine (gui_calls.py), but not from the interpreter's
lock, which a thread holds that is not given a core. So a single call may be late; before, a call waited as
long as the network computed.
"""

from __future__ import annotations

import importlib
from collections import defaultdict

import pytest
from gui_calls import LOOP, recorded

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.comparison.comparison_panel import ComparisonPanel
from desktop.ui.features.networks.networks import Networks

MOST_MS = 4.0
LATE_SHARE = 0.05
LONGEST_MS = 250.0


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


def check(calls):
    """Fail if calls of the library wait for the GPU."""
    by_name = defaultdict(list)
    for call in calls:
        if call.name != LOOP:
            by_name[call.name].append(call)
    assert len(by_name["wgpuQueueSubmit"]) > 10
    for name, some in by_name.items():
        longest = max(some, key=lambda call: call.spent.waited)
        assert longest.spent.waited < LONGEST_MS, f"{name}: {longest.spent} in\n{longest.callers}"
        late = sum(call.spent.waited > MOST_MS for call in some)
        assert late <= max(2.0, LATE_SHARE * len(some)), f"{name}: {late} of {len(some)} waited"


def test_networks_come_and_go_without_a_wait_for_the_gpu(ui, slow_network):
    if not ui.workspace.engine.gpu.adapter.is_software:
        pytest.skip("on a GPU nothing takes that long")
    ui.play()
    with recorded(ui.window) as calls:
        networks_come_and_go(ui, slow_network)
    check(calls.take())


def test_the_event_loop_is_not_held_up_for_long(ui, slow_network):
    # The first time imports and makes what the second has: the card, the panel.
    ui.play()
    networks_come_and_go(ui, slow_network)
    with recorded(ui.window) as calls:
        networks_come_and_go(ui, slow_network)
    gaps = [call.spent for call in calls.take() if call.name == LOOP]
    longest = max(gaps, key=lambda spent: spent.own)
    assert longest.own < LONGEST_MS, longest
