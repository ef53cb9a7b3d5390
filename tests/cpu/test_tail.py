"""The nodes behind a graph's last convolutions, and walks that end at their limit, of which nothing is known."""

from __future__ import annotations

import itertools

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.vision.models.model_file import ModelFile


def tail_of(path, nodes, constants):
    weights = {"w": np.ones((4, 3, 1, 1), np.float32), **constants}
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["x", "w"], ["first"]),
            helper.make_node("Conv", ["x", "w"], ["second"]),
            *nodes,
            helper.make_node("Concat", ["end", "first"], ["y"], axis=1),
        ],
        "test",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 6, 6))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return ModelFile.find(str(path)).facts.tails["y"]


@pytest.mark.parametrize(("length", "is_known"), [(100, True), (5000, False)])
def test_a_walk_that_was_cut_off_knows_nothing(tmp_path, length, is_known):
    """One path reaches its convolution at once; the other has an exponential behind more nodes than the walk
    visits.
    """
    names = ["second", "exp", *(f"r{number}" for number in range(length - 1)), "end"]
    nodes = [helper.make_node("Exp", names[:1], names[1:2])]
    nodes += [helper.make_node("Relu", [a], [b]) for a, b in itertools.pairwise(names[1:])]
    found = tail_of(tmp_path / "net.onnx", nodes, {})
    assert found.channels == {4} and found.is_known == is_known
    assert ("Exp" in found.operators) == is_known


@pytest.mark.parametrize(("others", "is_known"), [(1, True), (33, False)])
def test_constants_that_were_not_looked_at_are_not_known(tmp_path, others, is_known):
    """Four million elements are looked at; the stride is behind as many of other constants."""
    names = ["first of many", *(f"m{number}" for number in range(others - 1)), "end"]
    nodes = [helper.make_node("Mul", ["second", "stride"], names[:1])]
    nodes += [helper.make_node("Mul", [a, f"by {b}"], [b]) for a, b in itertools.pairwise(names)]
    constants = {f"by {name}": np.full((1, 4, 181, 181), 3, np.float32) for name in names[1:]}
    constants["stride"] = np.full((1, 4, 181, 181), 32, np.float32)
    found = tail_of(tmp_path / "net.onnx", nodes, constants)
    assert found.is_known == is_known and (32.0 in found.factors) == is_known
