"""MatMul, Einsum, integer products and quantization with operands computed at run time, against onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nn_cases import check_node

SMALL = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)


def _x(*shape, seed=5):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _bytes(dtype, *shape, seed=5):
    limits = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(limits.min, limits.max, shape, dtype, endpoint=True)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((3,), (3,)),
        ((3,), (3, 5)),
        ((2, 3), (3,)),
        ((2, 1, 7, 5), (3, 5, 6)),
        ((2, 3, 4, 4), (4,)),
        ((65, 30), (30, 70)),
    ],
)
def test_matmul(gpu, tmp_path, a, b):
    check_node(gpu, tmp_path, "MatMul", {"a": _x(*a), "b": _x(*b, seed=6)}, tolerance=1e-5)


@SMALL
@given(
    m=st.integers(1, 9),
    k=st.integers(1, 9),
    n=st.integers(1, 9),
    batch=st.sampled_from([(), (2,), (3, 1), (2, 3)]),
)
def test_matmul_of_any_shape(gpu, tmp_path, m, k, n, batch):
    feeds = {"a": _x(*batch, m, k), "b": _x(*batch[-1:], k, n, seed=6)}
    check_node(gpu, tmp_path, "MatMul", feeds, tolerance=1e-5)


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk->ik", [(3, 4), (4, 5)]),
        ("bhqd,bhkd->bhqk", [(2, 3, 4, 5), (2, 3, 6, 5)]),
        ("ij,jk", [(3, 4), (4, 5)]),
        ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 5)]),
        ("...ii->...i", [(2, 3, 3)]),
        ("ba", [(3, 4)]),
        ("ij->", [(3, 4)]),
        ("i,j,k->ijk", [(2,), (3,), (4,)]),
    ],
)
def test_einsum(gpu, tmp_path, equation, shapes):
    feeds = {f"x{i}": _x(*shape, seed=i) for i, shape in enumerate(shapes)}
    check_node(gpu, tmp_path, "Einsum", feeds, tolerance=1e-5, equation=equation)


@pytest.mark.parametrize("dtypes", [("uint8", "uint8"), ("uint8", "int8")])
def test_matmul_integer(gpu, tmp_path, dtypes):
    a, b = (np.dtype(name) for name in dtypes)
    # Small enough that onnxruntime's kernel for uint8 by int8 does not saturate, as it does on CPUs without
    # VNNI.
    feeds = {"a": _bytes(a, 2, 5, 7) % 64, "b": _bytes(b, 7, 6), "za": np.array(3, a), "zb": _bytes(b, 6)}
    check_node(gpu, tmp_path, "MatMulInteger", feeds)


@pytest.mark.parametrize("attributes", [{}, {"pads": [1, 2, 0, 1], "strides": [2, 1], "dilations": [1, 2]}])
@pytest.mark.parametrize("group", [1, 3])
def test_conv_integer(gpu, tmp_path, attributes, group):
    feeds = {
        "x": _bytes(np.uint8, 2, 6, 8, 9),
        "w": _bytes(np.uint8, 9, 6 // group, 3, 3),
        "zx": np.array(7, np.uint8),
        "zw": np.array(130, np.uint8),
    }
    check_node(gpu, tmp_path, "ConvInteger", feeds, group=group, **attributes)


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("axis", [None, 1])
def test_quantize_and_dequantize(gpu, tmp_path, dtype, axis):
    size = () if axis is None else (5,)
    scale = np.full(size, 0.125, np.float32) if axis is None else 2.0 ** -np.arange(5, dtype=np.float32)
    zero = np.asarray(_bytes(np.dtype(dtype), *size))
    attributes = {} if axis is None else {"axis": axis}
    x = {"x": _x(2, 5, 3) * 20, "scale": scale, "zero": zero}
    check_node(gpu, tmp_path, "QuantizeLinear", x, **attributes)
    whole = {**x, "x": _bytes(np.dtype(dtype), 2, 5, 3)}
    check_node(gpu, tmp_path, "DequantizeLinear", whole, **attributes)


def test_quantized_constants_keep_their_type_in_the_result(gpu, tmp_path):
    feeds, constants = {"x": _x(2, 6) * 9}, {"scale": np.float32(0.25), "zero": np.uint8(100)}
    check_node(gpu, tmp_path, "QuantizeLinear", feeds, constants)
