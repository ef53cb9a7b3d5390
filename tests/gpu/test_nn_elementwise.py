"""Element-wise operators on every element type, against NumPy, onnxruntime and onnx's reference evaluator."""

from __future__ import annotations

import math

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nn_cases import check, check_node, needs_halves, reference, save, session_for
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from desktop.base.errors import ModelUnsupportedError

node = helper.make_node
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
FEW = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def code(dtype):
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def build(path, nodes, feeds, output, opset, constants=None):
    """A model whose inputs are shaped like `feeds` and whose one output is of the element type `output`."""
    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info(k, code(v.dtype), v.shape) for k, v in feeds.items()],
        [helper.make_tensor_value_info("y", code(output), None)],
        [onnx.numpy_helper.from_array(v, k) for k, v in (constants or {}).items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    onnx.save(model, path)
    return model


def compute(gpu, tmp_path, nodes, feeds, output, opset=24, constants=None, workgroups=None):
    """(what wgpu computes, what the reference evaluator does)."""
    model = build(tmp_path / "m.onnx", nodes, feeds, output, opset, constants)
    shapes = {name: array.shape for name, array in feeds.items()}
    session = session_for(gpu, tmp_path / "m.onnx", workgroups=workgroups, input_shapes=shapes)
    actual = session.run(feeds)["y"]
    session.close()
    with np.errstate(all="ignore"):
        expected = np.asarray(ReferenceEvaluator(model).run(None, feeds)[0])
    assert actual.dtype == expected.dtype == np.dtype(output)
    assert actual.shape == expected.shape
    return actual, expected


def numbers(dtype, shape, seed, low=-100, high=100):
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.startswith("float"):
        return rng.uniform(low, high, shape).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(max(low, limits.min), min(high, limits.max) + 1, shape).astype(dtype)


# -- floats --------------------------------------------------------------------------------------------------

ERF = np.vectorize(math.erf)
FUNCTIONS = {
    # operator: (function in float64, smallest and largest argument)
    "Sin": (np.sin, -60, 60),
    "Cos": (np.cos, -60, 60),
    "Tan": (np.tan, -1.5, 1.5),
    "Asin": (np.arcsin, -1, 1),
    "Acos": (np.arccos, -1, 0.999),
    "Atan": (np.arctan, -50, 50),
    "Sinh": (np.sinh, -88, 88),
    "Cosh": (np.cosh, -88, 88),
    "Tanh": (np.tanh, -30, 30),
    "Asinh": (np.arcsinh, -1e6, 1e6),
    "Acosh": (np.arccosh, 1.0001, 1e6),
    "Atanh": (np.arctanh, -0.999, 0.999),
    "Erf": (ERF, -6, 6),
    "Exp": (np.exp, -50, 50),
    "Log": (np.log, 1e-6, 1e6),
    "Sqrt": (np.sqrt, 0, 1e6),
    "Softplus": (lambda x: np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0), -60, 60),
    "Mish": (lambda x: x * np.tanh(np.log1p(np.exp(x))), -60, 60),
    "Gelu": (lambda x: x * 0.5 * np.vectorize(math.erfc)(-x / math.sqrt(2)), -6, 6),
    "Sigmoid": (lambda x: 1 / (1 + np.exp(-x)), -60, 60),
    "Softsign": (lambda x: x / (1 + np.abs(x)), -60, 60),
}


@pytest.mark.parametrize("op", FUNCTIONS)
def test_functions_keep_their_digits(gpu, tmp_path, op):
    """Also near zero, where the textbook forms cancel: at most 2e-5 of the value, or 2e-7 where a sine
    crosses zero far out.
    """
    function, low, high = FUNCTIONS[op]
    tiny = np.array([1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.5, 0.9], np.float32)
    x = np.concatenate([np.linspace(low, high, 301, dtype=np.float32), tiny, -tiny])
    x = np.unique(np.clip(x, np.float32(low), np.float32(high)))
    path = save(tmp_path / "m.onnx", [node(op, ["x"], ["y"])], {"x": x.shape}, "y", opset=22)
    session = session_for(gpu, path)
    actual = session.run({"x": x})["y"]
    session.close()
    np.testing.assert_allclose(
        actual, function(x.astype(np.float64)), rtol=2e-5, atol=2e-7 if low == -60 else 1e-30
    )


ACTIVATIONS = [
    ("Selu", {}, 22),
    ("Selu", {"alpha": 1.5, "gamma": 2.0}, 22),
    ("Celu", {"alpha": 0.7}, 12),
    ("ThresholdedRelu", {"alpha": 0.3}, 22),
    ("Shrink", {"bias": 0.25, "lambd": 0.5}, 9),
    ("Gelu", {"approximate": "tanh"}, 20),
    ("HardSigmoid", {"alpha": 0.3, "beta": 0.4}, 22),
    ("Round", {}, 22),
    ("Sign", {}, 13),
]


@pytest.mark.parametrize(("op", "attributes", "opset"), ACTIVATIONS)
def test_activations_join_the_kernel_before_them(gpu, tmp_path, op, attributes, opset):
    """One dispatch for Conv and the activation, on channels that do not fill vec4s, in a batch of two."""
    rng = np.random.default_rng(1)
    weights = rng.standard_normal((6, 5, 1, 1)).astype(np.float32)
    nodes = [node("Conv", ["x", "w"], ["a"]), node(op, ["a"], ["y"], **attributes)]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 5, 3, 4)}, "y", {"w": weights}, opset)
    plain = save(tmp_path / "c.onnx", nodes[:1], {"x": (2, 5, 3, 4)}, "a", {"w": weights}, opset)
    x = rng.standard_normal((2, 5, 3, 4)).astype(np.float32)
    assert check(gpu, path, {"x": x}) == check(gpu, plain, {"x": x})


@pytest.mark.parametrize("exponent", [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 2.7, -0.5])
def test_pow_with_a_constant_exponent(gpu, tmp_path, exponent):
    feeds = {"x": numbers("float32", (2, 5, 3), 1, 0.1, 4)}
    actual, expected = compute(
        gpu,
        tmp_path,
        [node("Pow", ["x", "e"], ["y"])],
        feeds,
        "float32",
        15,
        {"e": np.array(exponent, np.float32)},
    )
    np.testing.assert_allclose(actual, expected, rtol=1e-5)


def test_pow_of_negative_bases(gpu, tmp_path):
    """Whole exponents keep the sign that they should; the others have no real power."""
    feeds = {
        "a": np.array([-2, -2, -2, 2, 0, -3], np.float32),
        "b": np.array([3, 2, 0.5, -2, 0, -1], np.float32),
    }
    actual, expected = compute(gpu, tmp_path, [node("Pow", ["a", "b"], ["y"])], feeds, "float32", 15)
    np.testing.assert_allclose(actual, expected, rtol=1e-5)
    assert np.isnan(actual[2])


@pytest.mark.parametrize("op", ["Mean", "Sum", "Max", "Min"])
@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_any_number_of_inputs(gpu, tmp_path, op, count):
    shapes = [(2, 5, 3), (5, 1), (3,), (2, 1, 1), (1,), (2, 5, 3)][:count]
    feeds = {f"x{i}": numbers("float32", shape, i) for i, shape in enumerate(shapes)}
    actual, expected = compute(gpu, tmp_path, [node(op, [*feeds], ["y"])], feeds, "float32", 13)
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5)


def test_swiglu_is_one_dispatch(gpu, tmp_path):
    feeds = {"a": numbers("float32", (2, 5, 3), 1, -4, 4), "b": numbers("float32", (2, 5, 3), 2)}
    actual, expected = compute(
        gpu, tmp_path, [node("SwiGLU", ["a", "b"], ["y"], alpha=1.3)], feeds, "float32", 28
    )
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("bounds", [{}, {"min": -1.0}, {"max": 1.0}, {"min": -1.0, "max": 1.0}])
@pytest.mark.parametrize("opset", [6, 10])
def test_clip_with_attributes_holds_infinities(gpu, tmp_path, bounds, opset):
    """Before opset 11 ONNX has the largest finite number for a bound that is left out; as in ONNX Runtime."""
    x = np.array([-np.inf, -3e38, -2, 0.5, 3, 3e38, np.inf, np.nan], np.float32)
    check_node(gpu, tmp_path, "Clip", {"x": x}, opset=opset, **bounds)


@pytest.mark.parametrize("bounds", [("low", ""), ("", "high"), ("low", "high")])
def test_clip_leaves_infinities_without_a_bound(gpu, tmp_path, bounds):
    feeds = {"x": np.array([-np.inf, -2, 0.5, 3, np.inf], np.float32)}
    constants = {"low": np.array(-1, np.float32), "high": np.array(1, np.float32)}
    actual, expected = compute(
        gpu, tmp_path, [node("Clip", ["x", *bounds], ["y"])], feeds, "float32", 13, constants
    )
    np.testing.assert_array_equal(actual, expected)


def test_adding_minus_infinity(gpu, tmp_path):
    """A mask's constant is no literal of WGSL."""
    feeds = {"x": numbers("float32", (2, 3), 1)}
    constants = {"c": np.array(-np.inf, np.float32)}
    actual, _ = compute(gpu, tmp_path, [node("Add", ["x", "c"], ["y"])], feeds, "float32", 13, constants)
    assert np.isneginf(actual).all()


@pytest.mark.parametrize(
    ("op", "attributes"),
    [("IsNaN", {}), ("IsInf", {}), ("IsInf", {"detect_negative": 0}), ("IsInf", {"detect_positive": 0})],
)
def test_special_numbers_are_found(gpu, tmp_path, op, attributes):
    feeds = {"x": np.array([0, np.nan, -np.nan, np.inf, -np.inf, 1e38, -0.0], np.float32)}
    actual, expected = compute(gpu, tmp_path, [node(op, ["x"], ["y"], **attributes)], feeds, "bool", 20)
    np.testing.assert_array_equal(actual, expected)


# -- integers and truth values -------------------------------------------------------------------------------

BROADCASTS = [((2, 3, 4), (2, 3, 4)), ((2, 3, 4), (4,)), ((3, 1), (2, 1, 5)), ((), (3,)), ((0, 3), (1, 3))]


@FEW
@given(
    op=st.sampled_from(["Add", "Sub", "Mul", "Max", "Min", "Equal", "Less", "GreaterOrEqual"]),
    dtype=st.sampled_from([*INTEGERS, "float32"]),
    shapes=st.sampled_from(BROADCASTS),
    seed=st.integers(0, 99),
)
def test_arithmetic_of_every_type(gpu, tmp_path, op, dtype, shapes, seed):
    """Narrow integers wrap around."""
    feeds = {"a": numbers(dtype, shapes[0], seed), "b": numbers(dtype, shapes[1], seed + 1)}
    if dtype == "uint64":
        feeds["a"] = feeds["a"] + np.uint64(200)  # a difference below zero would need 64 bits
    output = "bool" if op in ("Equal", "Less", "GreaterOrEqual") else dtype
    actual, expected = compute(gpu, tmp_path, [node(op, ["a", "b"], ["y"])], feeds, output, 19)
    np.testing.assert_array_equal(actual, expected)


@FEW
@given(
    op=st.sampled_from(["Div", "Mod", "Mod fmod"]),
    dtype=st.sampled_from(INTEGERS),
    shapes=st.sampled_from(BROADCASTS),
    seed=st.integers(0, 99),
)
def test_division_of_integers(gpu, tmp_path, op, dtype, shapes, seed):
    """Quotients are cut off towards zero; remainders have the divisor's sign, or with fmod the dividend's."""
    feeds = {"a": numbers(dtype, shapes[0], seed), "b": numbers(dtype, shapes[1], seed + 1, 1, 7)}
    if dtype in SIGNED:
        feeds["b"] *= np.where(numbers("bool", shapes[1], seed), 1, -1).astype(dtype)
    made = node(op.split()[0], ["a", "b"], ["y"], **({"fmod": 1} if "fmod" in op else {}))
    actual, expected = compute(gpu, tmp_path, [made], feeds, dtype, 14 if op == "Div" else 13)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("fmod", [0, 1])
def test_remainders_of_floats_are_exact(gpu, tmp_path, fmod):
    """With quotients that have far more digits than a float."""
    rng = np.random.default_rng(5)
    sizes = np.exp2(rng.uniform(-120, 120, (2, 400))) * rng.choice([-1, 1], (2, 400))
    a, b = np.concatenate([sizes, rng.uniform(-50, 50, (2, 400))], axis=1).astype(np.float32)
    b[:3] = a[:3] / 4
    feeds = {"a": a, "b": b}
    actual, _ = compute(gpu, tmp_path, [node("Mod", ["a", "b"], ["y"], fmod=fmod)], feeds, "float32", 28)
    exact = np.fmod(a, b)
    if not fmod:
        exact = np.where((exact != 0) & ((exact < 0) != (b < 0)), exact + b, exact)
    np.testing.assert_array_equal(actual, exact)


@FEW
@given(
    op=st.sampled_from(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]),
    dtype=st.sampled_from(INTEGERS),
    seed=st.integers(0, 99),
)
def test_bitwise(gpu, tmp_path, op, dtype, seed):
    feeds = {"a": numbers(dtype, (3, 5), seed), "b": numbers(dtype, (5,), seed + 1)}
    actual, expected = compute(gpu, tmp_path, [node(op, ["a", "b"], ["y"])], feeds, dtype, 18)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("direction", ["LEFT", "RIGHT"])
def test_shifts(gpu, tmp_path, dtype, direction):
    """Beyond the width nothing is left but the sign."""
    bits = np.dtype(dtype).itemsize * 8
    feeds = {"a": numbers(dtype, (16,), 1), "b": (np.arange(16) * 5 % (bits + 4)).astype(dtype)}
    made = node("BitShift", ["a", "b"], ["y"], direction=direction)
    build(tmp_path / "m.onnx", [made], feeds, dtype, 28)
    if bits == 64 and direction == "LEFT":
        with pytest.raises(ModelUnsupportedError, match="to the left"):
            session_for(gpu, tmp_path / "m.onnx")
        return
    session = session_for(gpu, tmp_path / "m.onnx")
    actual = session.run(feeds)["y"]
    session.close()
    shifted = [
        int(a) << int(b) if direction == "LEFT" else int(a) >> int(b)
        for a, b in zip(*feeds.values(), strict=True)
    ]
    np.testing.assert_array_equal(actual, np.array([n % 2**bits for n in shifted], np.uint64).astype(dtype))


@pytest.mark.parametrize(
    "dtypes", [("int32", "int32"), ("int64", "int64"), ("float32", "int64"), ("int32", "float32")]
)
def test_pow_of_types(gpu, tmp_path, dtypes):
    feeds = {
        "a": np.array([2, -3, 5, 1, -1, 7], dtypes[0]),
        "b": np.array([10, 3, 0, 9, 7, 2], dtypes[1]),
    }
    actual, expected = compute(gpu, tmp_path, [node("Pow", ["a", "b"], ["y"])], feeds, dtypes[0], 15)
    np.testing.assert_allclose(actual, expected, rtol=0 if dtypes[0] != "float32" else 1e-5)


@pytest.mark.parametrize("op", ["And", "Or", "Xor"])
def test_logic(gpu, tmp_path, op):
    feeds = {"a": numbers("bool", (2, 3, 4), 1), "b": numbers("bool", (3, 1), 2)}
    actual, expected = compute(gpu, tmp_path, [node(op, ["a", "b"], ["y"])], feeds, "bool", 13)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("dtype", [*INTEGERS, "bool", "float32", "float16"])
@pytest.mark.parametrize("op", ["Where", "Identity"])
def test_choosing_and_copying_any_type(gpu, tmp_path, dtype, op):
    feeds = {"c": numbers("bool", (3, 1), 1), "a": numbers(dtype, (2, 3, 5), 2), "b": numbers(dtype, (5,), 3)}
    if op == "Identity":
        feeds = {"a": feeds["a"]}
    actual, expected = compute(gpu, tmp_path, [node(op, [*feeds], ["y"])], feeds, dtype, 16)
    np.testing.assert_array_equal(actual, expected)


def test_dropout_with_its_mask(gpu, tmp_path):
    feeds = {"x": numbers("float32", (2, 5), 1)}
    nodes = [node("Dropout", ["x"], ["d", "mask"]), node("Where", ["mask", "d", "zero"], ["y"])]
    actual, _ = compute(gpu, tmp_path, nodes, feeds, "float32", 13, {"zero": np.zeros(1, np.float32)})
    np.testing.assert_array_equal(actual, feeds["x"])


# -- conversions ---------------------------------------------------------------------------------------------

HELD = [*INTEGERS, "bool", "float32", "float16"]


@FEW
@given(before=st.sampled_from(HELD), after=st.sampled_from(HELD), seed=st.integers(0, 99))
def test_cast_between_all_types(gpu, tmp_path, before, after, seed):
    feeds = {"x": numbers(before, (3, 5), seed, 0 if after.startswith("u") else -100, 100)}
    made = node("Cast", ["x"], ["y"], to=code(after))
    actual, expected = compute(gpu, tmp_path, [made], feeds, after, 19)
    np.testing.assert_array_equal(actual, expected)


def test_cast_rounds_to_half_precision(gpu, tmp_path):
    """There and back: every kind of number comes out as NumPy rounds it, wherever 16-bit floats are held in
    32 bits.
    """
    rng = np.random.default_rng(3)
    spread = np.exp2(rng.uniform(-27, 17, 500)) * rng.choice([-1, 1], 500)
    ties = np.array(
        [1 + 2**-11, 1 + 3 * 2**-11, 2**-25, 3 * 2**-25, 65504, 65519.99, 65520, 1e6, 0, np.inf, -np.inf]
    )
    x = np.concatenate([spread, ties, -ties]).astype(np.float32)
    nodes = [node("Cast", ["x"], ["h"], to=code("float16")), node("Cast", ["h"], ["y"], to=code("float32"))]
    build(tmp_path / "m.onnx", nodes, {"x": x}, "float32", 19)
    session = session_for(gpu, tmp_path / "m.onnx")
    actual = session.run({"x": x})["y"]
    session.close()
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(actual, x.astype(np.float16).astype(np.float32))


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_a_cast_to_the_same_type_is_no_dispatch(gpu, tmp_path, dtype):
    nodes = [node("Cast", ["x"], ["c"], to=code(dtype)), node("Neg", ["c"], ["y"])]
    feeds = {"x": numbers(dtype, (2, 5), 1)}
    actual, expected = compute(gpu, tmp_path, nodes, feeds, dtype, 19)
    np.testing.assert_array_equal(actual, expected)
    session = session_for(gpu, tmp_path / "m.onnx")
    assert session.dispatch_count == 1
    session.close()


def test_a_float16_result_is_rounded_before_it_is_cast(gpu, tmp_path):
    feeds = {"x": np.array([1.001, 3.3, 0.1], np.float16)}
    nodes = [node("Mul", ["x", "x"], ["h"]), node("Cast", ["h"], ["y"], to=code("float32"))]
    actual, expected = compute(gpu, tmp_path, nodes, feeds, "float32", 19)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("float32", "int32"), ("float32", "uint32"), ("uint32", "float32"), ("int16", "uint16"), ("float16", "int16"),
        ("uint16", "float16"), ("uint8", "int8"), ("bool", "int8"), ("uint8", "bool"),
    ],
)  # fmt: skip
def test_bit_cast(gpu, tmp_path, before, after):
    x = np.array([0, 1, 1, 0], bool) if before == "bool" else numbers(before, (2, 6), 4)
    if after == "bool":
        x = x % 2
    build(tmp_path / "m.onnx", [node("BitCast", ["x"], ["y"], to=code(after))], {"x": x}, after, 26)
    session = session_for(gpu, tmp_path / "m.onnx")
    actual = session.run({"x": x})["y"]
    session.close()
    np.testing.assert_array_equal(
        actual.view(before if before != "bool" else "uint8"), x.view(before if before != "bool" else "uint8")
    )


@pytest.mark.parametrize("to", ["float64", "string"])
def test_types_that_are_not_held_are_refused(gpu, tmp_path, to):
    number = {"float64": 11, "string": 8}[to]
    nodes = [node("Cast", ["x"], ["h"], to=number), node("Cast", ["h"], ["y"], to=1)]
    build(tmp_path / "m.onnx", nodes, {"x": numbers("float32", (3,), 1)}, "float32", 19)
    with pytest.raises(ModelUnsupportedError, match="Cast"):
        session_for(gpu, tmp_path / "m.onnx")


# -- rows ----------------------------------------------------------------------------------------------------


@FEW
@given(
    op=st.sampled_from(["Softmax", "LogSoftmax", "Hardmax"]),
    shape=st.sampled_from([(3,), (2, 5), (2, 5, 3), (1, 7, 1, 4), (2, 100)]),
    axis=st.integers(-4, 3),
    opset=st.sampled_from([9, 11, 13]),
    workgroups=st.sampled_from([1, 128]),
)
def test_rows(gpu, tmp_path, op, shape, axis, opset, workgroups):
    axis = max(min(axis, len(shape) - 1), -len(shape) if opset > 9 else 0)
    path = save(tmp_path / "m.onnx", [node(op, ["x"], ["y"], axis=axis)], {"x": shape}, "y", opset=opset)
    check(gpu, path, {"x": numbers("float32", shape, 1, -9, 9)}, workgroups=workgroups)


def test_log_softmax_far_from_the_largest(gpu, tmp_path):
    """The logarithm of a probability that underflows."""
    path = save(tmp_path / "m.onnx", [node("LogSoftmax", ["x"], ["y"])], {"x": (1, 4)}, "y")
    check(gpu, path, {"x": np.array([[0, -200, 500, 499]], np.float32)})


@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax"])
def test_rows_with_what_is_not_finite(gpu, tmp_path, op):
    """As in onnxruntime: a row of minus infinity, with infinity, with NaN."""
    inf, nan = np.inf, np.nan
    x = np.array([[1, inf, 2], [1, nan, 2], [-inf, -inf, -inf], [1, -inf, 2], [inf, -inf, nan]], np.float32)
    got, want = run_node(gpu, tmp_path, op, {"x": x}, opset=20)
    _alike(got, want)


def test_log_softmax_of_what_is_almost_certain(gpu, tmp_path):
    """To an absolute 2^-23: the logarithm of a sum near 1 is not added to a large number first."""
    x = np.array([[20.0, 13.0, 12.5, 11.0], [1000.0, 993.0, 985.0, 990.0]], np.float32)
    wide = x.astype(np.float64)
    exact = (
        wide
        - wide.max(1, keepdims=True)
        - np.log(np.exp(wide - wide.max(1, keepdims=True)).sum(1, keepdims=True))
    )
    got, _ = run_node(gpu, tmp_path, "LogSoftmax", {"x": x}, opset=20)
    np.testing.assert_allclose(got, exact, rtol=2e-7, atol=2.0**-23)


# -- half precision ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "op", ["Gelu", "Mish", "Erf", "Softplus", "Sin", "Tanh", "Softmax", "LogSoftmax", "ReduceMean"]
)
def test_inner_tensors_in_16_bits(gpu, tmp_path, op):
    """Within half precision of the exact result, from one stored tensor to the next."""
    needs_halves(gpu)
    nodes = [node("Mul", ["x", "x"], ["a"]), node(op, ["a"], ["b"]), node("Neg", ["b"], ["y"])]
    path = save(
        tmp_path / "m.onnx", nodes, {"x": (2, 5, 3, 4)}, "y", opset={"Gelu": 20, "Mish": 18}.get(op, 17)
    )
    check(gpu, path, {"x": numbers("float32", (2, 5, 3, 4), 1, -2, 2)}, tolerance=2e-3, precision="fp16")


@pytest.mark.parametrize("shape", [(1, 4, 6, 1), (1, 3, 4, 2)])
def test_a_16_bit_store_keeps_nan_and_holds_the_rest(gpu, tmp_path, shape):
    """In channels of four and with lanes past the last one: NaN stays in its place, and what is too large
    becomes the largest number.
    """
    needs_halves(gpu)
    nodes = [node("Add", ["x", "x"], ["a"]), node("MaxPool", ["a"], ["y"], kernel_shape=[1, 1])]
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y")
    x = np.resize(np.float32([1, np.nan, 6e4, -6e4, np.inf, 2, -np.inf, np.inf]), shape)
    session = session_for(gpu, path, precision="fp16")
    actual = session.run({"x": x})["y"]
    session.close()
    np.testing.assert_array_equal(actual, np.clip(2 * x, -65504, 65504))


# -- what is no number ---------------------------------------------------------------------------------------

_SPECIAL = np.array(
    [
        np.nan,
        *np.array([0xFFC00000, 0x7FFFFFFF, 0x7FC01234], np.uint32).view(
            np.float32
        ),  # NaN with a sign, or other bits
        np.inf,
        -np.inf,
        0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        20.0,
        -20.0,
        88.5,
        -88.5,
        200.0,
        -200.0,
        1e30,
        -1e30,
    ],
    np.float32,
)
_OF_ONE = (
    *("Abs", "Neg", "Exp", "Log", "Sqrt", "Reciprocal", "Floor", "Ceil", "Round", "Sign", "Erf", "Sigmoid", "Tanh", "Relu", "Softplus"),
    *("Softsign", "Asin", "Acos", "Atan", "Asinh", "Acosh", "Atanh", "LeakyRelu", "Elu", "Selu", "Celu", "ThresholdedRelu"),
    *("HardSigmoid", "HardSwish", "Shrink", "Mish", "Gelu"),
)  # fmt: skip


def run_node(gpu, folder, op, feeds, *, opset, constants=None, names=None):
    """(the engine's, onnxruntime's) result of one node."""
    constants = constants or {}
    node = helper.make_node(op, names or list(feeds), ["out"])
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, a.shape) for n, a in feeds.items()]
    given = [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()]
    graph = helper.make_graph(
        [node], "g", inputs, [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)], given
    )
    path = folder / "node.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), path)
    session = session_for(gpu, path)
    actual = session.run(feeds)["out"]
    session.close()
    return actual, reference(path, feeds)["out"]


def _alike(actual, expected, relative=1e-5):
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    np.testing.assert_allclose(actual, expected, rtol=relative, atol=1e-7, equal_nan=True)


@pytest.mark.parametrize("op", _OF_ONE)
def test_nan_and_infinity_of_one_tensor(gpu, tmp_path, op):
    """As in onnxruntime, by itself and behind a convolution that takes the step."""
    got, want = run_node(gpu, tmp_path, op, {"x": _SPECIAL}, opset=20)
    _alike(got, want)


@pytest.mark.parametrize("op", ["Max", "Min"])
def test_nan_of_two_tensors(gpu, tmp_path, op):
    a, b = np.repeat(_SPECIAL, len(_SPECIAL)), np.tile(_SPECIAL, len(_SPECIAL))
    got, want = run_node(gpu, tmp_path, op, {"x": a, "y": b}, opset=20)
    _alike(got, want)


@pytest.mark.parametrize(("low", "high"), [(-1.0, 2.0), (0.0, None), (None, 6.0)])
def test_nan_of_clip(gpu, tmp_path, low, high):
    constants = {n: np.float32(v) for n, v in (("low", low), ("high", high)) if v is not None}
    names = ["x", "low" if low is not None else "", *(["high"] if high is not None else [])]
    finite = _SPECIAL[
        ~np.isinf(_SPECIAL)
    ]  # onnxruntime takes a bound that is left out for the largest finite number
    got, want = run_node(gpu, tmp_path, "Clip", {"x": finite}, opset=20, constants=constants, names=names)
    _alike(got, want)


@pytest.mark.parametrize("inner", ["Log", "Sqrt", "Reciprocal"])
@pytest.mark.parametrize("outer", ["Exp", "Selu", "Sigmoid", "Square", "Log"])
def test_a_function_and_its_inverse(gpu, tmp_path, inner, outer):
    """NaN of a negative number stays, though compilers make x of exp(log(x)): beside ONNX Runtime, node by
    node.
    """
    x = np.array([-np.inf, -200.0, -2.0, -0.5, 0.5, 2.0, 200.0, np.inf, np.nan], np.float32)
    last = node("Pow", ["t", "two"], ["y"]) if outer == "Square" else node(outer, ["t"], ["y"])
    nodes, constants = [node(inner, ["x"], ["t"]), last], {"two": np.float32(2)} if outer == "Square" else {}
    path = save(tmp_path / "m.onnx", nodes, {"x": x.shape}, "y", constants, opset=15)
    session = session_for(gpu, path)
    found, dispatches = session.run({"x": x})["y"], session.dispatch_count
    session.close()
    assert dispatches == 1
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    _alike(found, onnxruntime.InferenceSession(path, options).run(None, {"x": x})[0])


@pytest.mark.parametrize("op", ["Sin", "Cos", "Tan", "Sinh", "Cosh"])
def test_nan_and_infinity_of_angles(gpu, tmp_path, op):
    angles = _SPECIAL[~np.isfinite(_SPECIAL) | (np.abs(_SPECIAL) <= 20)]
    got, want = run_node(gpu, tmp_path, op, {"x": angles}, opset=20)
    _alike(got, want)


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zero_times_what_is_not_finite(gpu, tmp_path, zero):
    """Compilers take x * 0 for 0."""
    got, want = run_node(
        gpu, tmp_path, "Mul", {"x": _SPECIAL}, opset=20, constants={"z": np.float32(zero)}, names=["x", "z"]
    )
    _alike(got, want)


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zero_divided_by_everything(gpu, tmp_path, zero):
    """Compilers take 0 / x for 0: it is NaN for 0 and NaN, and a zero else."""
    constants = {"z": np.float32(zero)}
    got, want = run_node(
        gpu, tmp_path, "Div", {"x": _SPECIAL}, opset=20, constants=constants, names=["z", "x"]
    )
    _alike(got, want)
    assert np.isnan(got).sum() == (np.isnan(_SPECIAL) | (_SPECIAL == 0)).sum() > 1


@pytest.mark.parametrize("op", ["Sub", "Div"])
def test_of_a_tensor_and_itself(gpu, tmp_path, op):
    """x - x and x / x are NaN of what is not finite, whatever a compiler makes of them."""
    got, want = run_node(gpu, tmp_path, op, {"x": _SPECIAL}, opset=20, names=["x", "x"])
    _alike(got, want)


@pytest.mark.parametrize(
    ("op", "attributes", "formula"),
    [
        ("LeakyRelu", {"alpha": 0.0}, lambda x: np.where(x >= 0, x, 0 * x)),
        ("Elu", {"alpha": 0.0}, lambda x: np.where(x >= 0, x, 0 * np.expm1(x))),
        ("Selu", {"alpha": 0.0}, lambda x: np.where(x >= 0, x, 0 * np.expm1(x)) * 1.0507009),
        ("Selu", {"gamma": 0.0}, lambda x: np.where(x >= 0, x, 1.67326319 * np.expm1(x)) * 0),
        ("HardSigmoid", {"alpha": 0.0}, lambda x: np.clip(0 * x + 0.5, 0, 1)),
        ("Swish", {"alpha": 0.0}, lambda x: x / (1 + np.exp(-0 * x))),
        ("Affine", {"alpha": 0.0, "beta": 2.0}, lambda x: 0 * x + 2),
    ],
)
def test_a_number_of_zero(gpu, tmp_path, op, attributes, formula):
    """An attribute of zero makes NaN of NaN, and of infinity where it is multiplied."""
    opset = 24 if op == "Swish" else 20
    path = save(
        tmp_path / "m.onnx", [node(op, ["x"], ["y"], **attributes)], {"x": _SPECIAL.shape}, "y", opset=opset
    )
    session = session_for(gpu, path)
    got = session.run({"x": _SPECIAL})["y"]
    session.close()
    with np.errstate(all="ignore"):
        _alike(got, formula(_SPECIAL.astype(np.float64)).astype(np.float32))


@pytest.mark.parametrize("lane", range(4))
@pytest.mark.parametrize(
    ("op", "bounds"),
    [("Clip", {"low": 0.0, "high": 6.0}), ("Clip", {"low": -1.0}), ("HardSigmoid", {}), ("HardSwish", {})],
)
def test_one_nan_of_four(gpu, tmp_path, op, bounds, lane):
    """NaN stays in its lane, and infinities that cancel in a sum are held to the bounds."""
    x = np.array(
        [[3.0, -9.0, 9.0, 0.5], [np.inf, -np.inf, 1.0, -np.inf], [3e38, 3e38, -3e38, -3e38]], np.float32
    )
    x[0, lane] = np.nan
    constants = {n: np.float32(v) for n, v in bounds.items()}
    x = x.reshape(3, 4, 1, 1)
    if "high" not in bounds and op == "Clip":
        x = np.where(
            x == np.inf, np.float32(5.0), x
        )  # onnxruntime takes the largest finite number for a bound
    got, want = run_node(gpu, tmp_path, op, {"x": x}, opset=20, constants=constants, names=["x", *bounds])
    _alike(got, want)


@pytest.mark.parametrize("dtype", ["bool", "float32"])
def test_nan_as_a_truth_value(gpu, tmp_path, dtype):
    """NaN is true, as all is that is not zero; the smallest number, too."""
    x = np.append(_SPECIAL, np.float32(2e-38))
    nodes = [node("Cast", ["x"], ["t"], to=code("bool")), node("Cast", ["t"], ["y"], to=code(dtype))]
    actual, _ = compute(gpu, tmp_path, nodes, {"x": x}, dtype)
    np.testing.assert_array_equal(actual, (x != 0).astype(dtype))


def test_a_slope_of_zero(gpu, tmp_path):
    """PRelu of constants, which is folded: zero is not below zero, whatever the slope."""
    x, slope = np.array([[0.0, -0.0, 2.0, -2.0, np.inf]], np.float32), np.array([-np.inf], np.float32)
    nodes = [node("PRelu", ["c", "s"], ["p"]), node("Add", ["p", "x"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 5)}, "y", {"c": x, "s": slope})
    session = session_for(gpu, path)
    actual = session.run({"x": np.zeros((1, 5), np.float32)})["y"]
    session.close()
    np.testing.assert_array_equal(actual, np.array([[0.0, 0.0, 2.0, np.inf, np.inf]], np.float32))


def test_power_of_everything(gpu, tmp_path):
    """0, infinities, NaN and negative numbers to all powers, a computed exponent."""
    bases = np.array([0, 1, -1, 2, -2, 0.5, np.inf, -np.inf, np.nan, 3], np.float32)
    powers = np.array([0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 2.5, np.inf, -np.inf, np.nan], np.float32)
    a, b = np.repeat(bases, len(powers)), np.tile(powers, len(bases))
    plain = ~((a == -1) & np.isinf(b))  # 1 in C, NaN here: nobody's network has it
    got, want = run_node(gpu, tmp_path, "Pow", {"x": a[plain], "y": b[plain]}, opset=20)
    _alike(got, want)


@pytest.mark.parametrize("exponent", [0.0, -1.0, -2.0, -0.5, 0.5, 3.0, 2.5])
def test_power_by_a_constant(gpu, tmp_path, exponent):
    bases = np.array([0, 1, -1, 2, -2, 0.5, np.inf, -np.inf, np.nan, 3], np.float32)
    got, want = run_node(
        gpu, tmp_path, "Pow", {"x": bases}, opset=20, constants={"p": np.float32(exponent)}, names=["x", "p"]
    )
    _alike(got, want)


@pytest.mark.parametrize(
    ("shape", "slope"),
    [
        ((3, 4), (2, 3, 4)),
        ((3, 4), (1, 1, 4)),
        ((1, 2, 3, 4), (1, 1, 1, 3, 4)),
        ((1, 4), (3, 4)),
        ((4,), (3, 1)),
    ],
)
def test_a_slope_larger_than_its_input_stretches_it(gpu, tmp_path, shape, slope):
    """As ONNX Runtime has it; ONNX itself asks for slopes that broadcast to the input."""
    rng = np.random.default_rng(1)
    constants = {"s": rng.standard_normal(slope).astype(np.float32)}
    check_node(gpu, tmp_path, "PRelu", {"x": rng.standard_normal(shape).astype(np.float32)}, constants)
