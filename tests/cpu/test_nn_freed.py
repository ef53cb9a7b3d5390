"""Graphs, which hold all weights of a network, have no reference cycles: they are freed without the garbage collector."""

from __future__ import annotations

import gc

import numpy as np
from nn_cases import save
from onnx import helper

from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.lowering.target import Target

node = helper.make_node


def _moves(folder):
    """A picture rolled and cut into windows, as a Swin transformer does, in front of a product."""
    ranges = {"first": [0], "second": [2], "last": [99], "rows": [1]}
    constants = {name: np.int64(value) for name, value in ranges.items()}
    constants |= {
        "shape": np.int64([1, 4, 2, 4, 2, 8]),
        "flat": np.int64([16, 4, 8]),
        "w": np.ones((8, 8), np.float32),
    }
    nodes = [
        node("Relu", ["x"], ["r"]),
        node("Slice", ["r", "second", "last", "rows"], ["a"]),
        node("Slice", ["r", "first", "second", "rows"], ["b"]),
        node("Concat", ["a", "b"], ["c"], axis=1),
        node("Reshape", ["c", "shape"], ["d"]),
        node("Transpose", ["d"], ["e"], perm=[0, 1, 3, 2, 4, 5]),
        node("Reshape", ["e", "flat"], ["f"]),
        node("MatMul", ["f", "w"], ["g"]),
        node("Softmax", ["g"], ["y"], axis=-1),
    ]
    return save(folder / "m.onnx", nodes, {"x": (1, 8, 8, 8)}, "y", constants, opset=17)


TARGET = Target("float32", f16=False, workgroups=128, max_binding=1 << 27, max_groups=65535, max_storages=8)


def _graphs():
    return sum(isinstance(each, Graph) for each in gc.get_objects())


def test_a_graph_is_freed_without_the_collector(tmp_path):
    path = _moves(tmp_path)
    make_plan(build_graph(path), TARGET)
    gc.collect()
    gc.disable()
    try:
        before = _graphs()
        kernels = [each.kernel for each in make_plan(build_graph(path), TARGET).dispatches]
        assert "moved" in kernels and _graphs() == before
    finally:
        gc.enable()
