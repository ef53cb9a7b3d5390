"""If, Loop, Scan and model functions, spelt out when a session is built, against onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from nn_cases import check, session_for
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelError, ModelUnsupportedError

FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64


def _info(name, kind=FLOAT, shape=None):
    return helper.make_tensor_value_info(name, kind, shape)


def _save(folder, nodes, inputs, outputs, constants=None, functions=()):
    arrays = [numpy_helper.from_array(np.asarray(array), name) for name, array in (constants or {}).items()]
    graph = helper.make_graph(nodes, "test", inputs, outputs, arrays)
    opsets = [helper.make_opsetid("", 18), *([helper.make_opsetid("own", 1)] if functions else [])]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9, functions=functions)
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def _x(*shape):
    return np.random.default_rng(3).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("chosen", [True, False])
def test_if_takes_values_from_outside(gpu, tmp_path, chosen):
    inner = helper.make_graph(
        [helper.make_node("Mul", ["t", "x"], ["u"])], "deep", [], [_info("u", shape=[2, 3])]
    )
    nested = helper.make_node("If", ["flag"], ["r"], then_branch=inner, else_branch=inner)
    then = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["t"]), nested], "then", [], [_info("r", shape=[2, 3])]
    )
    other = helper.make_graph([helper.make_node("Neg", ["x"], ["e"])], "else", [], [_info("e", shape=[2, 3])])
    node = helper.make_node("If", ["flag"], ["y"], then_branch=then, else_branch=other)
    path = _save(tmp_path, [node], [_info("x", shape=[2, 3])], [_info("y")], {"flag": chosen})
    check(gpu, path, {"x": _x(2, 3)})


def test_a_condition_of_the_moment_is_refused(gpu, tmp_path):
    branch = helper.make_graph([helper.make_node("Neg", ["x"], ["e"])], "b", [], [_info("e")])
    nodes = [
        helper.make_node("ReduceSum", ["x"], ["s"], keepdims=0),
        helper.make_node("Greater", ["s", "zero"], ["flag"]),
        helper.make_node("If", ["flag"], ["y"], then_branch=branch, else_branch=branch),
    ]
    path = _save(tmp_path, nodes, [_info("x", shape=[4])], [_info("y")], {"zero": np.float32(0)})
    with pytest.raises(ModelUnsupportedError):
        session_for(gpu, path)


def _loop(folder, trips, *, stop=99):
    body = helper.make_graph(
        [
            helper.make_node("Mul", ["v", "x"], ["next"]),
            helper.make_node("Identity", ["next"], ["seen"]),
            helper.make_node("Less", ["i", "stop"], ["again"]),
        ],
        "body",
        [_info("i", INT64, []), _info("cond", BOOL, []), _info("v", shape=[3])],
        [_info("again", BOOL, []), _info("next", shape=[3]), _info("seen", shape=[3])],
    )
    node = helper.make_node("Loop", ["trips", "", "x"], ["y", "all"], body=body)
    constants = {"trips": np.int64(trips), "stop": np.int64(stop)}
    return _save(folder, [node], [_info("x", shape=[3])], [_info("y"), _info("all")], constants)


@pytest.mark.parametrize("stop", [99, 2])
def test_loop(gpu, tmp_path, stop):
    check(gpu, _loop(tmp_path, 5, stop=stop), {"x": _x(3)})


def test_a_loop_without_measure_is_refused(gpu, tmp_path):
    with pytest.raises(ModelUnsupportedError, match="1000 iterations"):
        session_for(gpu, _loop(tmp_path, 2**62, stop=2**62))


@pytest.mark.parametrize("back", [0, 1])
def test_scan(gpu, tmp_path, back):
    body = helper.make_graph(
        [helper.make_node("Add", ["s", "row"], ["t"]), helper.make_node("Mul", ["t", "row"], ["o"])],
        "body",
        [_info("s", shape=[2]), _info("row", shape=[2])],
        [_info("t", shape=[2]), _info("o", shape=[2])],
    )
    node = helper.make_node(
        "Scan", ["s0", "x"], ["last", "y"], body=body, num_scan_inputs=1, scan_input_axes=[1],
        scan_output_axes=[1], scan_input_directions=[back], scan_output_directions=[back],
    )  # fmt: skip
    inputs = [_info("s0", shape=[2]), _info("x", shape=[2, 4])]
    path = _save(tmp_path, [node], inputs, [_info("last"), _info("y")])
    check(gpu, path, {"s0": _x(2), "x": _x(2, 4)})


def _function(name, *nodes):
    return helper.make_function(
        "own", name, ["a"], ["b"], list(nodes), [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
    )


def test_a_models_own_function(gpu, tmp_path):
    inner = _function("Inner", helper.make_node("Relu", ["a"], ["b"]))
    outer = _function(
        "Outer",
        helper.make_node("Inner", ["a"], ["h"], domain="own"),
        helper.make_node("Add", ["h", "a"], ["b"]),
    )
    node = helper.make_node("Outer", ["x"], ["y"], domain="own")
    path = _save(tmp_path, [node], [_info("x", shape=[5])], [_info("y", shape=[5])], functions=[inner, outer])
    check(gpu, path, {"x": _x(5)})


def test_functions_in_a_circle_or_without_measure_are_refused(gpu, tmp_path):
    node = helper.make_node("F0", ["x"], ["y"], domain="own")
    circle = [_function(f"F{i}", helper.make_node(f"F{1 - i}", ["a"], ["b"], domain="own")) for i in (0, 1)]
    twice = [
        _function(
            f"F{i}",
            helper.make_node(f"F{i + 1}", ["a"], ["h"], domain="own"),
            helper.make_node(f"F{i + 1}", ["h"], ["b"], domain="own"),
        )
        for i in range(40)
    ]
    growth = [*twice, _function("F40", helper.make_node("Relu", ["a"], ["b"]))]
    for functions in (circle, growth):
        path = _save(tmp_path, [node], [_info("x", shape=[5])], [_info("y")], functions=functions)
        with pytest.raises(ModelError):
            session_for(gpu, path)


def test_a_subgraph_that_reads_what_nothing_computes_is_refused(gpu, tmp_path):
    branch = helper.make_graph([helper.make_node("Neg", ["nowhere"], ["e"])], "b", [], [_info("e")])
    node = helper.make_node("If", ["flag"], ["y"], then_branch=branch, else_branch=branch)
    path = _save(tmp_path, [node], [_info("x", shape=[4])], [_info("y")], {"flag": True})
    assert onnx.load(path).graph.node[0].op_type == "If"
    with pytest.raises(ModelError, match="nowhere"):
        session_for(gpu, path)
