"""Transposes that a channels-last framework leaves around its operators vanish, and the results stay."""

from __future__ import annotations

import numpy as np
from nn_cases import check, save, session_for
from onnx import helper

TO_LAST, TO_FIRST = [0, 2, 3, 1], [0, 3, 1, 2]


def _transpose(source, target, perm):
    return helper.make_node("Transpose", [source], [target], perm=perm)


def _arrays():
    generator = np.random.default_rng(0)
    return {
        "w": generator.standard_normal((8, 8, 1, 1)).astype(np.float32),
        "by_channel": generator.standard_normal(8).astype(np.float32),
        "two": np.array(2.0, np.float32),
    }


def _run(gpu, tmp_path, nodes, constants, shape=(2, 8, 5, 6)):
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", {k: _arrays()[k] for k in constants})
    feeds = {"x": np.random.default_rng(1).standard_normal(shape).astype(np.float32)}
    check(gpu, path, feeds)
    session = session_for(gpu, path)
    kernels = [dispatch.kernel for dispatch in session.plan.dispatches]
    session.close()
    return kernels


def test_a_chain_of_element_wise_nodes_between_two(gpu, tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        _transpose("a", "b", TO_LAST),
        helper.make_node("Mul", ["b", "by_channel"], ["c"]),
        helper.make_node("Add", ["c", "two"], ["d"]),
        helper.make_node("Relu", ["d"], ["e"]),
        _transpose("e", "f", TO_FIRST),
        helper.make_node("Conv", ["f", "w"], ["y"]),
    ]
    assert "strided" not in _run(gpu, tmp_path, nodes, ("w", "by_channel", "two"))


def test_parts_of_a_split_and_a_residual(gpu, tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        _transpose("a", "b", TO_LAST),
        helper.make_node("Split", ["b"], ["p", "q"], axis=3),
        _transpose("p", "p1", TO_FIRST),
        _transpose("q", "q1", TO_FIRST),
        helper.make_node("Relu", ["p1"], ["p2"]),
        _transpose("p2", "p3", TO_LAST),
        helper.make_node("Mul", ["q", "p3"], ["m"]),
        _transpose("m", "m1", TO_FIRST),
        helper.make_node("Add", ["m1", "q1"], ["y"]),
    ]
    kernels = _run(gpu, tmp_path, nodes, ("w",))
    assert kernels.count("strided") <= 4


def test_concatenation_of_transposed_tensors(gpu, tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        helper.make_node("Sigmoid", ["a"], ["s"]),
        _transpose("a", "b", TO_LAST),
        _transpose("s", "t", TO_LAST),
        helper.make_node("Concat", ["b", "t"], ["c"], axis=-1),
        _transpose("c", "y", TO_FIRST),
    ]
    # One copy of both parts of the concatenation.
    assert _run(gpu, tmp_path, nodes, ("w",))[-2:] == ["conv_sliced", "moved"]


def test_one_that_is_also_an_output_stays(gpu, tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        _transpose("a", "b", TO_LAST),
        helper.make_node("Relu", ["b"], ["y"]),
    ]
    assert _run(gpu, tmp_path, nodes, ("w",)).count("strided") == 1


def test_shapes_that_stretch_stay_right(gpu, tmp_path):
    nodes = [
        _transpose("x", "b", [0, 2, 3, 1]),
        helper.make_node("ReduceMean", ["b"], ["m"], axes=[1, 2], keepdims=1),
        helper.make_node("Sub", ["b", "m"], ["d"]),
        _transpose("d", "y", TO_FIRST),
    ]
    _run(gpu, tmp_path, nodes, ())
