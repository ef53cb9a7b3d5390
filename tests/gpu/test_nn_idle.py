"""Nodes that move numbers but leave each where it is take no dispatch."""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import check, save
from onnx import helper


def ints(*numbers):
    return np.array(numbers, np.int64)


IDLE = {
    "Slice": (ints(0, 0), ints(2**40, 7), ints(1, 2)),
    "Pad": (ints(*[0] * 6),),
    "Expand": (ints(1, 5, 1),),
    "Tile": (ints(1, 1, 1),),
    "Reshape": (ints(2, -1, 0),),
    "Transpose": (),
    "Concat": (),
    "Split": (),
}
ATTRIBUTES = {"Transpose": {"perm": [0, 1, 2]}, "Concat": {"axis": 2}, "Split": {"axis": 1}}


@pytest.mark.parametrize("op", IDLE)
def test_a_node_that_moves_nothing(gpu, tmp_path, op):
    constants = {f"c{i}": array for i, array in enumerate(IDLE[op])}
    idle = helper.make_node(op, ["a", *constants], ["b"], **ATTRIBUTES.get(op, {}))
    x = np.random.default_rng(0).standard_normal((2, 5, 7)).astype(np.float32)

    def count(middle, name):
        first, last = helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Softmax", [name], ["y"])
        path = save(tmp_path / "m.onnx", [first, *middle, last], {"x": x.shape}, "y", constants)
        return check(gpu, path, {"x": x})

    assert count([idle], "b") == count([], "a")


def test_a_reversed_axis_is_no_idle_move(gpu, tmp_path):
    constants = {"start": ints(-1), "end": ints(-(2**40)), "axis": ints(1), "step": ints(-1)}
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("Slice", ["a", *constants], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 5, 7)}, "y", constants)
    check(gpu, path, {"x": np.random.default_rng(0).standard_normal((2, 5, 7)).astype(np.float32)})
