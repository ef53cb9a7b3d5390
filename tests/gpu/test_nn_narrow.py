"""Numbers of few bits: conversions beside ml_dtypes and ONNX Runtime, weights of 2, 4 and 8 bits beside ONNX
Runtime's own kernels.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
import onnx
import pytest
from nn_cases import reference, session_for
from onnx import TensorProto, helper, numpy_helper
from onnx.reference.ops.op_cast import cast_to

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.ir.narrow_floats import NARROW_FLOATS

FLOATS = {name: helper.np_dtype_to_tensor_dtype(np.dtype(getattr(ml_dtypes, name))) for name in NARROW_FLOATS}
INTEGERS = {
    name: helper.np_dtype_to_tensor_dtype(np.dtype(getattr(ml_dtypes, name)))
    for name in ("int2", "uint2", "int4", "uint4")
}


def write(path, nodes, inputs, outputs, constants=(), domains=(("", 25),)):
    """A model; inputs and outputs are (name, type, shape)."""
    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info(*each) for each in inputs],
        [helper.make_tensor_value_info(*each) for each in outputs],
        [numpy_helper.from_array(array, name) for name, array in dict(constants).items()],
    )
    opsets = [helper.make_opsetid(*each) for each in domains]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=11), path)
    return path


def ran(gpu, path, feeds):
    session = session_for(gpu, path)
    try:
        return next(iter(session.run(feeds).values()))
    finally:
        session.close()


def numbers_of(name):
    """Every number of a format, those half way between two, their neighbors, and random bits."""
    width = {"bfloat16": 16, "float4_e2m1fn": 4}.get(name, 8)
    codes = np.arange(2**width, dtype=np.uint16 if width == 16 else np.uint8)
    own = codes.view(getattr(ml_dtypes, name)).astype(np.float32)
    finite = np.unique(own[np.isfinite(own)])
    middles = (finite[:-1] / 2 + finite[1:] / 2).astype(np.float32)
    around = [np.nextafter(middles, np.float32(end)) for end in (-np.inf, np.inf)]
    random = np.random.default_rng(7).integers(0, 2**32, 5000, dtype=np.uint32).view(np.float32)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 3e38, -3e38], np.float32)
    found = np.concatenate([own, middles, *around, random, special])
    # GPUs may take float32's own subnormals for zero.
    return np.where(np.abs(found) < np.finfo(np.float32).tiny, np.float32(0), found)


@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("name", [name for name in FLOATS if name != "float4_e2m1fn"])
def test_every_number_is_rounded_as_onnx_rounds_it(gpu, tmp_path, name, saturate):
    values = numbers_of(name)
    values = np.abs(values) if name == "float8_e8m0fnu" else values
    node = helper.make_node("Cast", ["x"], ["y"], to=FLOATS[name], saturate=saturate)
    path = write(
        tmp_path / "m.onnx", [node], [("x", TensorProto.FLOAT, values.shape)], [("y", FLOATS[name], None)]
    )
    actual = ran(gpu, path, {"x": values})
    expected = cast_to(values, FLOATS[name], bool(saturate))
    assert actual.dtype == expected.dtype
    same = (actual.astype(np.float32) == expected.astype(np.float32)) | (
        np.isnan(actual.astype(np.float32)) & np.isnan(expected.astype(np.float32))
    )
    assert not values[~same].size, (values[~same][:5], actual[~same][:5], expected[~same][:5])


def test_four_bits_have_six_for_what_is_no_number(gpu, tmp_path):
    values = numbers_of("float4_e2m1fn")
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT4E2M1)
    path = write(
        tmp_path / "m.onnx",
        [node],
        [("x", TensorProto.FLOAT, values.shape)],
        [("y", TensorProto.FLOAT4E2M1, None)],
    )
    actual = ran(gpu, path, {"x": values}).astype(np.float32)
    # The table of https://onnx.ai/onnx/technical/float4.html
    table = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
    known = ~np.isnan(values)
    size = np.minimum(np.abs(values[known]).astype(np.float64), 6)
    distance = np.abs(size[:, None] - table)
    # Of two that are as near, the one whose last bit is 0.
    nearest = np.lexsort((np.broadcast_to(np.arange(8) % 2, distance.shape), distance), axis=1)[:, 0]
    assert np.array_equal(np.abs(actual[known]), table[nearest])
    assert np.array_equal(np.signbit(actual[known]), np.signbit(values[known]))
    assert np.all(actual[~known] == 6)


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_of_few_bits_go_in_and_out(gpu, tmp_path, name):
    kind = np.dtype(getattr(ml_dtypes, name))
    limits = ml_dtypes.iinfo(kind)
    values = np.arange(limits.min, limits.max + 1)
    nodes = [
        helper.make_node("Cast", ["x"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0]),
        helper.make_node("Cast", ["t"], ["back"], to=INTEGERS[name]),
    ]
    x = values.reshape(2, -1).astype(kind)
    path = write(
        tmp_path / "m.onnx",
        nodes,
        [("x", INTEGERS[name], x.shape)],
        [("back", INTEGERS[name], None), ("f", TensorProto.FLOAT, None)],
    )
    session = session_for(gpu, path)
    found = session.run({"x": x})
    session.close()
    assert found["back"].dtype == kind
    assert np.array_equal(found["back"].astype(int), x.T.astype(int))
    assert np.array_equal(found["f"], x.astype(np.float32))


@pytest.mark.parametrize(
    ("kind", "block"), [("int4", 0), ("uint4", 16), ("float8_e4m3fn", 0), ("float8_e5m2", 16)]
)
def test_weights_of_few_bits_are_dequantized_as_onnxruntime_does(gpu, tmp_path, kind, block):
    random = np.random.default_rng(3)
    dtype = np.dtype(getattr(ml_dtypes, kind))
    raw = random.integers(-8, 8, (32, 24)) if kind == "int4" else random.integers(0, 16, (32, 24))
    weights = raw.astype(np.float32).astype(dtype)
    scale = random.uniform(0.01, 0.1, (2, 24) if block else (24,)).astype(np.float32)
    attributes = {"axis": 0, "block_size": block} if block else {"axis": 1}
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["f"], **attributes),
        helper.make_node("MatMul", ["x", "f"], ["y"]),
    ]
    path = write(
        tmp_path / "m.onnx",
        nodes,
        [("x", TensorProto.FLOAT, (5, 32))],
        [("y", TensorProto.FLOAT, None)],
        {"w": weights, "s": scale},
        [("", 21)],
    )
    x = random.standard_normal((5, 32)).astype(np.float32)
    np.testing.assert_allclose(ran(gpu, path, {"x": x}), reference(path, {"x": x})["y"], rtol=2e-5, atol=2e-5)


def packed(numbers, bits):
    """(..., n) numbers as bytes, lowest bits first."""
    grouped = numbers.reshape(*numbers.shape[:-1], -1, 8 // bits).astype(np.uint8)
    return np.bitwise_or.reduce(grouped << (np.arange(8 // bits, dtype=np.uint8) * bits), axis=-1)


@pytest.mark.parametrize(
    ("bits", "depth", "block", "zero"),
    [
        *[
            (4, depth, block, zero)
            for depth, block in ((64, 32), (72, 16))
            for zero in ("none", "packed", "float")
        ],
        *[(8, 48, 32, zero) for zero in ("none", "packed")],  # ONNX Runtime has no float zero points there
    ],
)
def test_products_with_weights_in_blocks(gpu, tmp_path, bits, depth, block, zero):
    random, columns = np.random.default_rng(bits * depth), 20
    blocks = -(-depth // block)
    numbers = random.integers(0, 2**bits, (columns, blocks, block))
    constants = {
        "b": packed(numbers, bits),
        "s": random.uniform(0.005, 0.02, (columns * blocks,)).astype(np.float32),
    }
    if zero == "packed":
        zeros = np.zeros((columns, -(-blocks * bits // 8) * 8 // bits), np.int64)
        zeros[:, :blocks] = random.integers(0, 2**bits, (columns, blocks))
        constants["z"] = packed(zeros, bits).reshape(-1)
    elif zero == "float":
        constants["z"] = random.uniform(0, 2**bits, columns * blocks).astype(np.float32)
    inputs = ["x", "b", "s"] + (["z"] if zero != "none" else [])
    node = helper.make_node(
        "MatMulNBits", inputs, ["y"], domain="com.microsoft", K=depth, N=columns, bits=bits, block_size=block
    )
    path = write(
        tmp_path / "m.onnx",
        [node],
        [("x", TensorProto.FLOAT, (3, 7, depth))],
        [("y", TensorProto.FLOAT, None)],
        constants,
        [("", 21), ("com.microsoft", 1)],
    )
    x = random.standard_normal((3, 7, depth)).astype(np.float32)
    np.testing.assert_allclose(ran(gpu, path, {"x": x}), reference(path, {"x": x})["y"], rtol=1e-4, atol=1e-4)


def test_weights_that_do_not_fit_are_said(gpu, tmp_path):
    node = helper.make_node(
        "MatMulNBits", ["x", "b", "s"], ["y"], domain="com.microsoft", K=2**40, N=2**20, bits=4, block_size=32
    )
    constants = {"b": np.zeros((4, 1, 16), np.uint8), "s": np.ones(4, np.float32)}
    path = write(
        tmp_path / "m.onnx",
        [node],
        [("x", TensorProto.FLOAT, (1, 32))],
        [("y", TensorProto.FLOAT, None)],
        constants,
        [("", 21), ("com.microsoft", 1)],
    )
    with pytest.raises(ModelUnsupportedError, match="weights that do not fit"):
        session_for(gpu, path)


def test_what_stands_behind_a_classifier(gpu, tmp_path):
    nodes = [
        helper.make_node("ArrayFeatureExtractor", ["x", "at"], ["y"], domain="ai.onnx.ml"),
        helper.make_node("Binarizer", ["y"], ["z"], domain="ai.onnx.ml", threshold=0.25),
    ]
    path = write(
        tmp_path / "m.onnx",
        nodes,
        [("x", TensorProto.FLOAT, (3, 4, 6))],
        [("z", TensorProto.FLOAT, None), ("y", TensorProto.FLOAT, None)],
        {"at": np.array([4, 1], np.int64)},
        [("", 21), ("ai.onnx.ml", 1)],
    )
    x = np.random.default_rng(1).standard_normal((3, 4, 6)).astype(np.float32)
    session = session_for(gpu, path)
    found, expected = session.run({"x": x}), reference(path, {"x": x})
    session.close()
    assert np.array_equal(found["y"], expected["y"].reshape(found["y"].shape))
    assert np.array_equal(found["z"], expected["z"].reshape(found["z"].shape))


def test_doubles_are_converted_where_that_is_exact(gpu, tmp_path):
    nodes = [
        helper.make_node("Cast", ["x"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["f", "f"], ["s"]),
        helper.make_node("Cast", ["s"], ["y"], to=TensorProto.DOUBLE),
    ]
    doubles = [("x", TensorProto.DOUBLE, (1000,))], [("y", TensorProto.DOUBLE, None)]
    path = write(tmp_path / "m.onnx", nodes, *doubles)
    x = np.random.default_rng(1).standard_normal(1000) * 1e5
    found = ran(gpu, path, {"x": x})
    assert found.dtype == np.float64
    assert np.array_equal(found, (x.astype(np.float32) ** 2).astype(np.float64))


@pytest.mark.parametrize(
    "nodes",
    [
        [helper.make_node("Identity", ["x"], ["y"])],
        [helper.make_node("CumSum", ["x", "axis"], ["y"])],
        [
            helper.make_node("Cast", ["x"], ["h"], to=TensorProto.FLOAT16),
            helper.make_node("Cast", ["h"], ["y"], to=TensorProto.DOUBLE),
        ],
        [
            helper.make_node("Cast", ["x"], ["i"], to=TensorProto.INT32),
            helper.make_node("Cast", ["i"], ["y"], to=TensorProto.DOUBLE),
        ],
    ],
    ids=["kept", "computed with", "rounded twice", "integers"],
)
def test_doubles_whose_digits_are_looked_at_are_refused(gpu, tmp_path, nodes):
    path = write(
        tmp_path / "m.onnx",
        nodes,
        [("x", TensorProto.DOUBLE, (8,))],
        [("y", TensorProto.DOUBLE, None)],
        {"axis": np.array(0, np.int64)},
    )
    with pytest.raises(ModelUnsupportedError, match="float64"):
        session_for(gpu, path)


def test_a_batch_is_normalized_by_its_own_mean_in_training_mode(gpu, tmp_path):
    random = np.random.default_rng(5)
    x = random.standard_normal((4, 3, 6, 5)).astype(np.float32) * 3 + 1
    scale, bias, mean, variance = (random.uniform(0.5, 2, 3).astype(np.float32) for _ in range(4))
    node = helper.make_node(
        "BatchNormalization", ["x", "s", "b", "m", "v"], ["y", "mo", "vo"], training_mode=1, momentum=0.8
    )
    path = write(
        tmp_path / "m.onnx",
        [node],
        [("x", TensorProto.FLOAT, x.shape)],
        [(name, TensorProto.FLOAT, None) for name in ("y", "mo", "vo")],
        {"s": scale, "b": bias, "m": mean, "v": variance},
        [("", 15)],
    )
    session = session_for(gpu, path)
    found = session.run({"x": x})
    session.close()
    exact = x.astype(np.float64)
    own_mean, own_variance = exact.mean((0, 2, 3)), exact.var((0, 2, 3))
    wide = (None, slice(None), None, None)
    expected = (exact - own_mean[wide]) / np.sqrt(own_variance[wide] + 1e-5) * scale[wide] + bias[wide]
    np.testing.assert_allclose(found["y"], expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found["mo"], mean * 0.8 + own_mean * 0.2, rtol=1e-5)
    np.testing.assert_allclose(found["vo"], variance * 0.8 + own_variance * 0.2, rtol=1e-5)


@pytest.mark.parametrize(
    ("opset", "op", "taken"), [(1, "Not", True), (6, "Relu", True), (1, "Relu", False), (6, "Add", False)]
)
def test_an_older_opset_is_taken_where_its_operators_mean_the_same(gpu, tmp_path, opset, op, taken):
    kind = TensorProto.BOOL if op == "Not" else TensorProto.FLOAT
    node = helper.make_node(op, ["x", "x"] if op == "Add" else ["x"], ["y"])
    path = write(tmp_path / "m.onnx", [node], [("x", kind, (4,))], [("y", kind, None)], (), [("", opset)])
    x = np.array([-1.0, 0.0, 2.0, 3.0], np.float32)
    if not taken:
        with pytest.raises(ModelUnsupportedError, match=f"opset {opset}"):
            session_for(gpu, path)
        return
    feed = x > 0 if op == "Not" else x
    expected = ~feed if op == "Not" else np.maximum(feed, 0)
    assert np.array_equal(ran(gpu, path, {"x": feed}), expected)
