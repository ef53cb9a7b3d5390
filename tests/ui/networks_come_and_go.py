"""Resident memory of a window in which networks are loaded and removed. test_memory_of_networks.py runs this
file in a new process.
"""

from __future__ import annotations

import numpy as np
import onnx
import psutil
import pytest
from onnx import helper, numpy_helper
from tiny_models import square_detector

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.features.networks.networks import Networks

MOST_MB = 10
WARM, ROUNDS = 5, 20


def heavy(path, number, *, is_refused):
    """The detector of squares with megabytes of weights that change nothing; no backend on a GPU takes the
    other one.
    """
    model = onnx.load(square_detector(path))
    graph = model.graph
    weights = np.zeros((1, 1_000_000 + 100_000 * number), np.float32)
    graph.initializer.append(numpy_helper.from_array(weights, "weights"))
    graph.initializer.append(numpy_helper.from_array(np.array([1], np.int64), "axis"))
    graph.node.append(helper.make_node("ReduceSum", ["weights", "axis"], ["nothing"], keepdims=1))
    graph.output[0].name = "z"
    last = "y"
    if is_refused:
        graph.node.append(helper.make_node("RandomNormalLike", ["y"], ["noise"]))
        graph.node.append(helper.make_node("ReduceMax", ["noise"], ["most"], keepdims=1))
        graph.node.append(helper.make_node("Mul", ["most", "nothing"], ["zero"]))
        graph.node.append(helper.make_node("Add", ["y", "zero"], ["with_zero"]))
        last = "with_zero"
    graph.node.append(helper.make_node("Add", [last, "nothing"], ["z"]))
    onnx.save(model, str(path))
    return path


def resident_mb():
    return psutil.Process().memory_info().rss / 1e6


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_memory_stays(ui, tmp_path, backend):
    ui.play()
    engine, networks = ui.workspace.engine, ui.workspace.get(Networks)

    def use(number):
        is_refused = number % 2 == 1 and backend == "wgpu"
        path = heavy(tmp_path / f"heavy{number}.onnx", number, is_refused=is_refused)
        networks.choose(NetworkSpec(str(path), backend))
        ui.wait(lambda: engine.current.network_status.state in ("running", "failed"))
        assert (engine.current.network_status.state == "failed") == is_refused, (
            engine.current.network_status.text
        )
        ui.wait(lambda: is_refused or engine.current.result is not None)
        networks.choose(None)
        ui.wait(lambda: engine.current.network_status.state == "none")
        path.unlink()

    for number in range(WARM):
        use(number)
    before = ui.still(lambda: round(resident_mb()))
    for number in range(WARM, WARM + ROUNDS):
        use(number)
    ui.wait(lambda: resident_mb() < before + MOST_MB)
