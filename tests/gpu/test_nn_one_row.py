"""Products of one row: the last layers of classifiers."""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import needs_halves, reference, relative_error, save, session_for
from onnx import helper

TOLERANCE = {"fp32": 1e-5, "fp16": 2e-3}


def rand(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize(
    ("depth", "columns"), [(2048, 1000), (1281, 1001), (20, 9000), (3600, 37), (96, 2050)]
)
@pytest.mark.parametrize("form", ["Gemm", "MatMul", "Conv"])
def test_one_row_by_many_weights(gpu, tmp_path, precision, depth, columns, form):
    """Depths that fill the threads and that do not, columns that are no whole vec4s; with an activation
    behind it.
    """
    needs_halves(gpu, precision)
    weights, bias = rand(1, columns, depth) / np.float32(np.sqrt(depth)), rand(2, columns)
    shape = (1, depth, 1, 1) if form == "Conv" else (1, depth)
    if form == "Conv":
        node = helper.make_node("Conv", ["r", "w", "b"], ["c"])
        weights = weights[:, :, None, None]
    elif form == "Gemm":
        node = helper.make_node("Gemm", ["r", "w", "b"], ["c"], transB=1)
    else:
        node, weights = helper.make_node("MatMul", ["r", "w"], ["c"]), weights.T.copy()
    nodes = [helper.make_node("Neg", ["x"], ["r"]), node, helper.make_node("Tanh", ["c"], ["y"])]
    constants = {"w": weights} | ({} if form == "MatMul" else {"b": bias})
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants)
    feeds = {"x": rand(3, *shape)}
    session = session_for(gpu, path, workgroups=128, precision=precision)
    found, kernels = session.run(feeds)["y"], [each.kernel for each in session.plan.dispatches]
    session.close()
    assert kernels.count("one_row") == 1
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE[precision]


@pytest.mark.parametrize(("rows", "depth", "columns"), [(2, 2048, 1000), (1, 64, 64)])
def test_others_are_not(gpu, tmp_path, rows, depth, columns):
    """Two rows, or few weights."""
    nodes = [helper.make_node("Neg", ["x"], ["r"]), helper.make_node("MatMul", ["r", "w"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"x": (rows, depth)}, "y", {"w": rand(1, depth, columns)})
    session = session_for(gpu, path, workgroups=128)
    kernels = [each.kernel for each in session.plan.dispatches]
    session.close()
    assert "one_row" not in kernels
