"""Products of two computed matrices: a depth that workgroups share, epilogues, and transposed factors."""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import needs_halves, reference, relative_error, save, session_for
from onnx import helper

from desktop.compute.nn.compile.driver import build_graph
from desktop.compute.nn.compile.flops import node_costs
from desktop.compute.nn.kernels.tiles import share_square
from desktop.compute.nn.lowering.target import Target

TOLERANCE = {"fp32": 2e-5, "fp16": 4e-3}
LARGE = Target("float32", False, 132, 1 << 31, 65535, 16)


def _random(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _run(gpu, path, shapes, precision="fp32", workgroups=132):
    """The kernels of the plan for a GPU of so many workgroups, whose results are onnxruntime's."""
    feeds = {name: _random(seed, *shape) for seed, (name, shape) in enumerate(shapes.items())}
    session = session_for(gpu, path, precision=precision, workgroups=workgroups, has_matrices=False)
    found, kernels = session.run(feeds)["y"], [each.kernel for each in session.plan.dispatches]
    session.close()
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE[precision]
    return kernels


SCORES = {
    "heads": ((1, 8, 48, 784), (1, 8, 784, 48)),
    "odd": ((2, 3, 37, 403), (2, 3, 403, 51)),
    "stretched": ((2, 1, 32, 500), (3, 500, 20)),
    "matrices": ((40, 901), (901, 36)),
    "odd matrices": ((33, 850), (850, 35)),
}


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("name", SCORES)
def test_few_results_of_a_great_depth_share_it(gpu, tmp_path, name, precision):
    """What adds the shares has the whole epilogue: a number a head, a number a column, all others, a clip."""
    needs_halves(gpu, precision)
    a, b = SCORES[name]
    shape = (*np.broadcast_shapes(a[:-2], b[:-2]), a[-2], b[-1])
    steps = [
        helper.make_node("MatMul", ["x", "z"], ["p"]),
        helper.make_node("Mul", ["p", "temperature"], ["t"]),
        helper.make_node("Add", ["t", "columns"], ["c"]),
        helper.make_node("Add", ["c", "r"], ["s"]),
        helper.make_node("Relu", ["s"], ["y"]),
    ]
    heads = (shape[-3], 1, 1) if len(shape) > 2 else (1, 1)
    constants = {"temperature": 1 + _random(7, *heads) / 8, "columns": _random(8, shape[-1])}
    shapes = {"x": a, "z": b, "r": shape}
    path = save(tmp_path / "m.onnx", steps, shapes, "y", constants)
    kernels = _run(gpu, path, shapes, precision)
    assert kernels.count("matmul") == kernels.count("sum_shares") == 1
    assert len(kernels) <= 3


def test_rows_with_a_number_a_column_are_added_as_vectors(gpu, tmp_path):
    nodes = [helper.make_node("MatMul", ["x", "z"], ["p"]), helper.make_node("Add", ["p", "b"], ["y"])]
    shapes = {"x": (3, 48, 640), "z": (3, 640, 56)}
    path = save(tmp_path / "m.onnx", nodes, shapes, "y", {"b": _random(5, 56)})
    assert _run(gpu, path, shapes) == ["matmul", "sum_shares"]


def test_a_depth_is_shared_where_few_tiles_would_fill_a_gpu():
    assert 8 <= share_square(4, 8, 48, 48, 784, LARGE) <= 16
    assert share_square(4, 8, 48, 784, 48, LARGE) == 1  # short
    assert share_square(4, 12, 577, 577, 64, LARGE) == 1  # many tiles
    assert share_square(0, 8, 8, 8, 784, LARGE) == 1  # no tiles
    assert share_square(4, 60_000, 16, 16, 784, LARGE) == 1
    software = Target("float32", False, 1, 1 << 31, 65535, 16)
    assert share_square(4, 8, 48, 48, 784, software) == 1


ORDERS = {
    "right": ((2, 3, 20, 70), (2, 3, 30, 70), None, [0, 1, 3, 2]),
    "left": ((2, 70, 20), (2, 70, 30), [0, 2, 1], None),
    "both": ((3, 2, 70, 21), (2, 30, 3, 70), [1, 0, 3, 2], [0, 2, 3, 1]),
    "batches": ((3, 2, 21, 70), (2, 3, 70, 30), [1, 0, 2, 3], None),
    "matrices": ((70, 17), (19, 70), [1, 0], [1, 0]),
    "a vector": ((70,), (2, 30, 70), None, [0, 2, 1]),
}


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("workgroups", [None, 132])
@pytest.mark.parametrize("name", ORDERS)
def test_transposed_factors_are_read_as_they_lie(gpu, tmp_path, name, workgroups, precision):
    """No dispatch but those that make the factors, the product, and a conversion of a matrix's result."""
    needs_halves(gpu, precision)
    a, b, left, right = ORDERS[name]
    nodes = [helper.make_node("Abs", ["x"], ["a"]), helper.make_node("Abs", ["z"], ["b"])]
    names = ["a", "b"]
    for at, order in enumerate((left, right)):
        if order is not None:
            nodes.append(helper.make_node("Transpose", [names[at]], [f"t{at}"], perm=order))
            names[at] = f"t{at}"
    nodes.append(helper.make_node("MatMul", names, ["y"]))
    shapes = {"x": a, "z": b}
    path = save(tmp_path / "m.onnx", nodes, shapes, "y")
    kernels = _run(gpu, path, shapes, precision, workgroups)
    assert "strided" not in kernels and kernels.count("matmul") == 1
    (cost,) = node_costs(build_graph(path))
    assert cost.flops == 2 * 70 * np.prod(
        reference(path, {k: _random(0, *s) for k, s in shapes.items()})["y"].shape
    )


def test_factors_that_convolutions_made(gpu, tmp_path):
    """Channels last: the product reads them so; other readers of the Transpose get it."""
    weights = {"v": _random(1, 40, 24, 1, 1) / 5, "w": _random(2, 36, 24, 1, 1) / 5}
    shape = np.array([2, -1, 90])
    nodes = [
        helper.make_node("Conv", ["x", "v"], ["c"]),
        helper.make_node("Conv", ["x", "w"], ["d"]),
        helper.make_node("Reshape", ["c", "shape"], ["q"]),
        helper.make_node("Reshape", ["d", "shape"], ["k"]),
        helper.make_node("Transpose", ["k"], ["t"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["q", "t"], ["s"]),
        helper.make_node("Tanh", ["s"], ["p"]),
        helper.make_node("Transpose", ["p"], ["p_t"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["t", "p_t"], ["o"]),
        helper.make_node("Add", ["o", "one"], ["y"]),
    ]
    path = save(
        tmp_path / "m.onnx",
        nodes,
        {"x": (2, 24, 9, 10)},
        "y",
        {**weights, "shape": shape, "one": np.float32([1])},
    )
    for workgroups in (None, 132):
        kernels = _run(gpu, path, {"x": (2, 24, 9, 10)}, workgroups=workgroups)
        assert kernels.count("matmul") == 2 and "strided" not in kernels


def _cross_covariance(folder, tokens, width, heads):
    """XCiT: each head's channels attend to each other, with a temperature a head."""
    d = width // heads
    cut = {f"i{n}": np.array(n) for n in range(3)}
    constants = {
        "w": _random(0, width, 3 * width) / np.float32(np.sqrt(width)),
        "heads": np.array([1, tokens, 3, heads, d]),
        "temperature": 1 + _random(1, heads, 1, 1) / 8,
        "flat": np.array([1, tokens, width]),
        "epsilon": np.float32(1e-12),
        "all": np.array([1, heads, d, tokens]),
        **cut,
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"]),
        helper.make_node("Reshape", ["m", "heads"], ["h"]),
        helper.make_node("Transpose", ["h"], ["t"], perm=[2, 0, 3, 4, 1]),
        *(helper.make_node("Gather", ["t", f"i{n}"], ["qkv"[n]], axis=0) for n in range(3)),
    ]
    for name in "qk":
        nodes += [
            helper.make_node("ReduceL2", [name], [f"{name}l"], axes=[-1], keepdims=1),
            helper.make_node("Clip", [f"{name}l", "epsilon"], [f"{name}c"]),
            helper.make_node("Expand", [f"{name}c", "all"], [f"{name}e"]),
            helper.make_node("Div", [name, f"{name}e"], [f"{name}n"]),
        ]
    nodes += [
        helper.make_node("Transpose", ["kn"], ["kt"], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["qn", "kt"], ["s"]),
        helper.make_node("Mul", ["s", "temperature"], ["st"]),
        helper.make_node("Softmax", ["st"], ["p"], axis=-1),
        helper.make_node("MatMul", ["p", "v"], ["o"]),
        helper.make_node("Transpose", ["o"], ["ot"], perm=[0, 3, 1, 2]),
        helper.make_node("Reshape", ["ot", "flat"], ["y"]),
    ]
    return save(folder / "xca.onnx", nodes, {"x": (1, tokens, width)}, "y", constants, opset=17)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize(("tokens", "width", "heads"), [(784, 192, 4), (197, 104, 2)])
def test_cross_covariance_attention(gpu, tmp_path, tokens, width, heads, precision):
    needs_halves(gpu, precision)
    path = _cross_covariance(tmp_path, tokens, width, heads)
    kernels = _run(gpu, path, {"x": (1, tokens, width)}, precision)
    # Rows of whole vec4s are held in registers.
    assert (
        kernels.count("normalize_rows" if tokens % 4 == 0 else "normalize") == 2 and "reduce" not in kernels
    )
    at = kernels.index("matmul")
    assert kernels[at : at + 4] == ["matmul", "sum_shares", "softmax", "matmul"]
    assert len(kernels[at:]) <= 6  # then the heads are put side by side, and that in the output
