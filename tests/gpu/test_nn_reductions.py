"""Reductions, running totals, losses and Fourier transforms against NumPy, onnxruntime and onnx's reference
evaluator.
"""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nn_cases import check, save, session_for
from onnx import helper
from onnx.reference import ReferenceEvaluator

from desktop.base.errors import ModelUnsupportedError

node = helper.make_node
FEW = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
REDUCTIONS = {
    "ReduceSum": np.sum,
    "ReduceMean": np.mean,
    "ReduceMax": np.max,
    "ReduceMin": np.min,
    "ReduceProd": np.prod,
    "ReduceSumSquare": lambda x, **how: np.sum(x * x, **how),
    "ReduceL1": lambda x, **how: np.sum(np.abs(x), **how),
    "ReduceL2": lambda x, **how: np.sqrt(np.sum(x * x, **how)),
    "ReduceLogSum": lambda x, **how: np.log(np.sum(x, **how)),
    "ReduceLogSumExp": lambda x, **how: np.log(np.sum(np.exp(x), **how)),
}


def run(gpu, tmp_path, nodes, feeds, output="float32", opset=20, constants=None, workgroups=None):
    """(result of wgpu, model) of a graph with the one output y."""

    def code(dtype):
        return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))

    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info(k, code(v.dtype), v.shape) for k, v in feeds.items()],
        [helper.make_tensor_value_info("y", code(output), None)],
        [onnx.numpy_helper.from_array(v, k) for k, v in (constants or {}).items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    onnx.save(model, tmp_path / "m.onnx")
    shapes = {name: array.shape for name, array in feeds.items()}
    session = session_for(gpu, tmp_path / "m.onnx", workgroups=workgroups, input_shapes=shapes)
    actual = session.run(feeds)["y"]
    session.close()
    assert actual.dtype == np.dtype(output)
    return actual, model


@FEW
@given(
    op=st.sampled_from(sorted(REDUCTIONS)),
    shape=st.sampled_from([(7,), (2, 5), (2, 3, 4), (2, 6, 3, 5), (3, 1, 2, 2, 2), (2, 70, 2)]),
    axes=st.sets(st.integers(0, 4)),
    keepdims=st.integers(0, 1),
    attribute=st.booleans(),
    workgroups=st.sampled_from([1, 128]),
)
def test_any_axes(gpu, tmp_path, op, shape, axes, keepdims, attribute, workgroups):
    """Axes as an input and, before opset 13 or 18, as an attribute; none means all."""
    chosen = sorted(axis - len(shape) * (axis % 2) for axis in axes if axis < len(shape))
    x = np.random.default_rng(1).uniform(0.2, 1.8, shape).astype(np.float32)
    if attribute:
        made = node(op, ["x"], ["y"], keepdims=keepdims, **({"axes": chosen} if chosen else {}))
        actual, _ = run(gpu, tmp_path, [made], {"x": x}, opset=11, workgroups=workgroups)
    else:
        made = node(op, ["x", "axes"], ["y"], keepdims=keepdims)
        constants = {"axes": np.array(chosen, np.int64)}
        actual, _ = run(gpu, tmp_path, [made], {"x": x}, constants=constants, workgroups=workgroups)
    expected = REDUCTIONS[op](x.astype(np.float64), axis=tuple(chosen) or None, keepdims=bool(keepdims))
    assert actual.shape == np.shape(expected)
    np.testing.assert_allclose(actual, expected, rtol=2e-5)


@pytest.mark.parametrize(
    "op", ["ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceMean", "ReduceSumSquare"]
)
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32"])
def test_integers(gpu, tmp_path, op, dtype):
    """Exact, beyond the digits of a float too; a mean is cut off towards zero."""
    x = np.random.default_rng(2).integers(0 if dtype == "uint32" else -9, 10, (3, 5, 4)).astype(dtype)
    x[0, 0, 0] += 2**14 + 1 if op == "ReduceSumSquare" else (2**25 + 1 if op != "ReduceProd" else 0)
    made = node(op, ["x", "axes"], ["y"], keepdims=0)
    actual, _ = run(gpu, tmp_path, [made], {"x": x}, dtype, constants={"axes": np.array([1])})
    wide = x.astype(np.int64)
    if op == "ReduceMean":
        expected = np.trunc(wide.sum(axis=1) / 5)
    else:
        expected = REDUCTIONS[op](wide, axis=1)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("op", ["ReduceL2", "ReduceLogSum"])
def test_roots_and_logarithms_of_integers_are_refused(gpu, tmp_path, op):
    with pytest.raises(ModelUnsupportedError, match="int32 tensors"):
        run(gpu, tmp_path, [node(op, ["x"], ["y"])], {"x": np.ones((2, 3), np.int32)}, "int32", 13)


@pytest.mark.parametrize("op", ["ReduceMax", "ReduceMin"])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool", "float32"])
def test_extremes_of_narrow_types(gpu, tmp_path, op, dtype):
    x = np.random.default_rng(3).integers(0, 2 if dtype == "bool" else 100, (4, 6)).astype(dtype)
    actual, _ = run(gpu, tmp_path, [node(op, ["x", "a"], ["y"])], {"x": x}, dtype, 20, {"a": np.array([1])})
    np.testing.assert_array_equal(actual, REDUCTIONS[op](x, axis=1, keepdims=True))


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("ReduceSum", 0),
        ("ReduceProd", 1),
        ("ReduceMax", -np.inf),
        ("ReduceMin", np.inf),
        ("ReduceLogSumExp", -np.inf),
    ],
)
def test_reductions_of_nothing(gpu, tmp_path, op, expected):
    made = node(op, ["x", "a"], ["y"])
    actual, _ = run(
        gpu, tmp_path, [made], {"x": np.zeros((2, 0, 3), np.float32)}, constants={"a": np.array([1])}
    )
    np.testing.assert_array_equal(actual, np.full((2, 1, 3), expected, np.float32))


def test_no_axes_may_mean_none(gpu, tmp_path):
    """The elements are still squared."""
    x = np.random.default_rng(4).standard_normal((2, 3)).astype(np.float32)
    made = node("ReduceSumSquare", ["x", "a"], ["y"], noop_with_empty_axes=1)
    actual, _ = run(gpu, tmp_path, [made], {"x": x}, constants={"a": np.zeros(0, np.int64)})
    np.testing.assert_allclose(actual, x * x, rtol=1e-6)


def test_log_sum_exp_of_large_numbers(gpu, tmp_path):
    x = np.array([[1000, 999, -1000], [-1000, -1001, -np.inf]], np.float32)
    actual, _ = run(
        gpu, tmp_path, [node("ReduceLogSumExp", ["x", "a"], ["y"])], {"x": x}, constants={"a": np.array([1])}
    )
    np.testing.assert_allclose(actual[:, 0], np.array([1000, -1000]) + np.log1p(np.exp(-1)), rtol=1e-6)


def test_a_mean_over_pixels_stays_one_dispatch_of_the_pool(gpu, tmp_path):
    nodes = [node("ReduceMean", ["x", "a"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 6, 4, 5)}, "y", {"a": np.array([2, 3])}, 18)
    session = session_for(gpu, path)
    assert {dispatch.kernel for dispatch in session.plan.dispatches} <= {"global_pool", "elementwise"}
    session.close()


@FEW
@given(
    op=st.sampled_from(["ArgMax", "ArgMin"]),
    dtype=st.sampled_from(["float32", "int32", "uint8"]),
    axis=st.integers(-3, 2),
    last=st.integers(0, 1),
    keepdims=st.integers(0, 1),
    shape=st.sampled_from([(2, 3, 5), (1, 70, 2)]),
    workgroups=st.sampled_from([1, 128]),
)
def test_places_of_extremes(gpu, tmp_path, op, dtype, axis, last, keepdims, shape, workgroups):
    """With many ties, of which the first or the last counts."""
    x = np.random.default_rng(axis + 9).integers(0, 4, shape).astype(dtype)
    made = node(op, ["x"], ["y"], axis=axis, select_last_index=last, keepdims=keepdims)
    actual, model = run(gpu, tmp_path, [made], {"x": x}, "int64", 13, workgroups=workgroups)
    np.testing.assert_array_equal(actual, ReferenceEvaluator(model).run(None, {"x": x})[0])


@FEW
@given(
    op=st.sampled_from(["CumSum", "CumProd"]),
    dtype=st.sampled_from(["float32", "int32", "uint32"]),
    axis=st.integers(-3, 2),
    exclusive=st.integers(0, 1),
    reverse=st.integers(0, 1),
)
def test_running_totals(gpu, tmp_path, op, dtype, axis, exclusive, reverse):
    x = np.random.default_rng(axis + 9).integers(1, 5, (2, 6, 3)).astype(dtype)
    made = node(op, ["x", "axis"], ["y"], exclusive=exclusive, reverse=reverse)
    actual, _ = run(gpu, tmp_path, [made], {"x": x}, dtype, 26, {"axis": np.array(axis)})
    total, start = (np.cumsum, 0) if op == "CumSum" else (np.cumprod, 1)
    way = np.flip(x, axis) if reverse else x
    expected = total(way, axis=axis)
    if exclusive:
        first = np.full_like(np.take(expected, [0], axis), start)
        expected = np.concatenate([first, np.take(expected, range(x.shape[axis] - 1), axis)], axis)
    np.testing.assert_allclose(actual, np.flip(expected, axis) if reverse else expected, rtol=1e-6)


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("op", ["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"])
@pytest.mark.parametrize("workgroups", [1, 128])
def test_losses(gpu, tmp_path, op, weighted, reduction, workgroups):
    """Against onnxruntime, with a label that is ignored and more labels than a workgroup has threads."""
    rng = np.random.default_rng(5)
    constants = {"labels": rng.integers(0, 5, (3, 6, 5))}
    if weighted:
        constants["weights"] = rng.uniform(0.5, 2, 5).astype(np.float32)
    made = node(op, ["x", *constants], ["y"], reduction=reduction, ignore_index=2)
    path = save(tmp_path / "m.onnx", [made], {"x": (3, 5, 6, 5)}, "y", constants)
    check(gpu, path, {"x": rng.standard_normal((3, 5, 6, 5)).astype(np.float32)}, workgroups=workgroups)


@pytest.mark.parametrize("onesided", [0, 1])
@pytest.mark.parametrize("inverse", [0, 1])
@pytest.mark.parametrize("length", [None, 6, 11])
def test_fourier_transform(gpu, tmp_path, onesided, inverse, length):
    """Along an inner axis, cut off or padded with zeros."""
    rng = np.random.default_rng(6)
    parts = 2 if inverse else 1
    x = rng.standard_normal((2, 9, 3, parts)).astype(np.float32)
    constants = {"axis": np.array(1)}
    if length:
        constants["n"] = np.array(length)
    made = node("DFT", ["x", "n" if length else "", "axis"], ["y"], onesided=onesided, inverse=inverse)
    actual, _ = run(gpu, tmp_path, [made], {"x": x}, constants=constants)
    numbers = x[..., 0] + (1j * x[..., 1] if inverse else 0)
    if inverse and onesided:
        expected = np.fft.irfft(numbers, length, axis=1)[..., np.newaxis]
    else:
        way = np.fft.ifft if inverse else (np.fft.rfft if onesided else np.fft.fft)
        expected = way(numbers, length, axis=1)
        expected = np.stack([expected.real, expected.imag], axis=-1)
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, atol=1e-5)


@pytest.mark.parametrize("onesided", [0, 1])
def test_short_time_fourier_transform(gpu, tmp_path, onesided):
    rng = np.random.default_rng(7)
    x, window = rng.standard_normal((2, 40, 1)).astype(np.float32), rng.uniform(0, 1, 16).astype(np.float32)
    made = node("STFT", ["x", "step", "window", ""], ["y"], onesided=onesided)
    actual, _ = run(gpu, tmp_path, [made], {"x": x, "window": window}, constants={"step": np.array(5)})
    frames = np.stack([x[:, at : at + 16, 0] * window for at in range(0, 25, 5)], axis=1)
    expected = np.fft.rfft(frames) if onesided else np.fft.fft(frames)
    np.testing.assert_allclose(actual, np.stack([expected.real, expected.imag], axis=-1), atol=1e-5)


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_determinants(gpu, tmp_path, size):
    """Also of a matrix whose first pivot is zero."""
    x = np.random.default_rng(8).standard_normal((2, 3, size, size)).astype(np.float32)
    x[0, 0, 0, 0] = 0
    actual, _ = run(gpu, tmp_path, [node("Det", ["x"], ["y"])], {"x": x})
    np.testing.assert_allclose(actual, np.linalg.det(x.astype(np.float64)), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("op", ["HannWindow", "HammingWindow", "BlackmanWindow"])
@pytest.mark.parametrize("periodic", [0, 1])
def test_windows(gpu, tmp_path, op, periodic):
    nodes = [node(op, ["n"], ["w"], periodic=periodic), node("Mul", ["x", "w"], ["y"])]
    x = np.ones((2, 9), np.float32)
    actual, model = run(gpu, tmp_path, nodes, {"x": x}, constants={"n": np.array(9)})
    np.testing.assert_allclose(actual, ReferenceEvaluator(model).run(None, {"x": x})[0], atol=1e-6)


@pytest.mark.parametrize("k", [-2, 0, 1])
def test_eye_like(gpu, tmp_path, k):
    nodes = [node("EyeLike", ["x"], ["e"], k=k, dtype=1), node("Add", ["x", "e"], ["y"])]
    x = np.random.default_rng(9).standard_normal((4, 5)).astype(np.float32)
    actual, _ = run(gpu, tmp_path, nodes, {"x": x})
    np.testing.assert_allclose(actual, x + np.eye(4, 5, k), rtol=1e-6)


# -- longer than a thread's loops may be on an old software adapter ------------------------------------------

_LONG = 70_001
_OF_LONG = {
    **{
        f"Reduce{kind}": ([], {"axes": [0, 1]})
        for kind in ("Sum", "Mean", "Max", "Min", "L1", "L2", "SumSquare", "LogSumExp")
    },
    "ArgMax": ([], {"axis": 1}),
    "CumSum": ([np.array(1)], {}),
    "LayerNormalization": ([np.linspace(1, 2, _LONG, dtype=np.float32)], {"axis": 1}),
    "LpNormalization": ([], {"axis": 1}),
    "Softmax": ([], {"axis": 1}),
    "Hardmax": ([], {"axis": 1}),
    "MatMul": ([np.linspace(-1, 1, _LONG, dtype=np.float32)[:, None]], {}),
}


@pytest.mark.parametrize("op", list(_OF_LONG))
def test_more_than_65535_elements(gpu, tmp_path, op):
    """Mesa 22.3 ends the loops of a thread after 65,535 rounds, of all of them together."""
    others, attributes = _OF_LONG[op]
    x = np.random.default_rng(7).standard_normal((2, _LONG)).astype(np.float32)
    constants = {f"c{i}": array for i, array in enumerate(others)}
    opset = 17 if op in ("LayerNormalization",) else 13
    if op == "ReduceSum":
        constants, attributes = {"c0": np.array([0, 1])}, {}
    kind = onnx.TensorProto.INT64 if op == "ArgMax" else onnx.TensorProto.FLOAT
    path = save(
        tmp_path / "m.onnx",
        [helper.make_node(op, ["x", *constants], ["y"], **attributes)],
        {"x": x.shape},
        "y",
        constants,
        opset,
    )
    model = onnx.load(path)
    model.graph.output[0].type.tensor_type.elem_type = kind
    onnx.save(model, path)
    check(gpu, path, {"x": x}, tolerance=1e-4 if op in ("CumSum", "ReduceSum", "ReduceMean") else 1e-5)


def test_extremes_with_nan(gpu, tmp_path):
    """As NumPy has them, wherever the NaN lies: onnxruntime's answer hangs on its place."""
    x = np.array([[1, np.nan, 3], [np.nan, 1, 2], [1, 2, np.nan], [-np.inf, 1, np.inf]], np.float32)
    for op, want in (
        ("ReduceMax", x.max(1)),
        ("ReduceMin", x.min(1)),
        ("ArgMax", x.argmax(1)),
        ("ArgMin", x.argmin(1)),
    ):
        attributes = {"axis": 1} if op.startswith("Arg") else {"axes": [1]}
        path = save(
            tmp_path / "m.onnx",
            [helper.make_node(op, ["x"], ["y"], keepdims=0, **attributes)],
            {"x": x.shape},
            "y",
        )
        model = onnx.load(path)
        model.graph.output[0].ClearField("type")
        onnx.save(model, path)
        session = session_for(gpu, path)
        np.testing.assert_array_equal(session.run({"x": x})["y"], want)
        session.close()


def test_a_sum_that_stretches_a_normalization_is_no_bias_of_it(gpu, tmp_path):
    """An axis of one times or plus a row is the row's length; a layer normalization keeps its input's shape."""
    nodes = [
        helper.make_node("LayerNormalization", ["x", "s"], ["n"], axis=-1),
        helper.make_node("Add", ["n", "row"], ["y"]),
    ]
    row = np.linspace(-1, 1, 8, dtype=np.float32)
    x = np.random.default_rng(8).standard_normal((2, 3, 1)).astype(np.float32)
    path = save(
        tmp_path / "m.onnx", nodes, {"x": x.shape}, "y", {"s": np.full(1, 1.5, np.float32), "row": row}
    )
    check(gpu, path, {"x": x}, tolerance=1e-6)
