"""Every operator of TensorFlow Lite that the engine takes, beside LiteRT's reference kernels, on tiny files
made here.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tflite_models import Network, interpreter, reference

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.cache import SessionCache
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.vision.backends.loader import load_session

RANDOM = np.random.default_rng(15)
NONE, RELU, RELU_N1, RELU6 = range(4)
SAME, VALID = 0, 1


def computed(gpu: Gpu, folder: Path, data: bytes, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    path = folder / "network.tflite"
    path.write_bytes(data)
    session = WgpuSession.load(gpu, path, input_shapes={name: array.shape for name, array in feeds.items()})
    try:
        return session.run(feeds)
    finally:
        session.close()


def check(
    gpu: Gpu,
    folder: Path,
    data: bytes,
    feeds: dict[str, np.ndarray],
    *,
    steps: int = 0,
    tolerance: float = 2e-6,
) -> None:
    """Floats within `tolerance` of the largest, whole numbers within `steps`."""
    wanted, found = reference(data, feeds), computed(gpu, folder, data, feeds)
    assert set(found) == set(wanted)
    for name, array in wanted.items():
        assert found[name].shape == array.shape, name
        assert found[name].dtype == array.dtype, name
        difference = np.abs(found[name].astype(np.float64) - array.astype(np.float64))
        if array.dtype.kind == "f":
            bound = tolerance * max(1.0, float(np.abs(array[np.isfinite(array)]).max(initial=0)))
            assert np.nan_to_num(difference).max(initial=0) <= bound, (name, difference.max())
        else:
            assert difference.max(initial=0) <= steps, (
                name,
                difference.max(),
                int((difference > steps).sum()),
            )


def floats(*shape: int) -> np.ndarray:
    return RANDOM.normal(0, 1, shape).astype(np.float32)


def bytes_of(dtype: str, *shape: int) -> np.ndarray:
    bounds = np.iinfo(dtype)
    return RANDOM.integers(bounds.min, bounds.max + 1, shape).astype(dtype)


# -- floats --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("padding", "stride", "dilation"), [(SAME, 2, 1), (VALID, 1, 2), (SAME, 1, 3)])
def test_convolutions(gpu: Gpu, tmp_path: Path, padding: int, stride: int, dilation: int) -> None:
    n = Network()
    n.tensor("x", (1, 11, 9, 4))
    window = {
        "padding": padding, "strideH": stride, "strideW": stride,
        "dilationHFactor": dilation, "dilationWFactor": dilation,
    }  # fmt: skip
    n.tensor("dense", data=floats(6, 3, 3, 4))
    n.tensor("bias", data=floats(6))
    n.tensor("groups", data=floats(6, 3, 3, 2).astype(np.float16))
    n.tensor("deep", data=floats(1, 3, 3, 8))
    n.tensor("deep bias", data=floats(8))
    n.tensor("groups real", (6, 3, 3, 2))
    rows = -(-11 // stride) if padding == SAME else (11 - 2 * dilation - 1) // stride + 1
    columns = -(-9 // stride) if padding == SAME else (9 - 2 * dilation - 1) // stride + 1
    for name, channels in (("a", 6), ("b", 6), ("c", 8)):
        n.tensor(name, (1, rows, columns, channels))
    n.operator("DEQUANTIZE", ["groups"], ["groups real"])
    n.operator("CONV_2D", ["x", "dense", "bias"], ["a"], "Conv2D", fusedActivationFunction=RELU6, **window)
    n.operator(
        "CONV_2D", ["x", "groups real", "bias"], ["b"], "Conv2D", fusedActivationFunction=RELU_N1, **window
    )
    n.operator(
        "DEPTHWISE_CONV_2D", ["x", "deep", "deep bias"], ["c"], "DepthwiseConv2D", depthMultiplier=2,
        fusedActivationFunction=RELU, **window,
    )  # fmt: skip
    check(gpu, tmp_path, n.packed(["x"], ["a", "b", "c"]), {"x": floats(1, 11, 9, 4)})


@pytest.mark.parametrize(("padding", "size"), [(SAME, (9, 12)), (VALID, (11, 13))])
def test_transposed_convolution(gpu: Gpu, tmp_path: Path, padding: int, size: tuple[int, int]) -> None:
    n = Network()
    n.tensor("x", (1, 5, 6, 3))
    n.constant("size", [1, *size, 4])
    n.tensor("w", data=floats(4, 3, 3, 3))
    n.tensor("b", data=floats(4))
    n.tensor("y", (1, *size, 4))
    n.operator(
        "TRANSPOSE_CONV",
        ["size", "w", "x", "b"],
        ["y"],
        "TransposeConv",
        padding=padding,
        strideH=2,
        strideW=2,
    )
    check(gpu, tmp_path, n.packed(["x"], ["y"]), {"x": floats(1, 5, 6, 3)})


def test_pools(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (1, 7, 9, 5))
    window = {"padding": SAME, "strideH": 2, "strideW": 2, "filterHeight": 3, "filterWidth": 2}
    outputs = []
    for name in ("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"):
        outputs.append(n.tensor(name, (1, 4, 5, 5)))
        n.operator(name, ["x"], [name], "Pool2D", fusedActivationFunction=RELU, **window)
    check(gpu, tmp_path, n.packed(["x"], outputs), {"x": floats(1, 7, 9, 5)})


UNARY = (
    *(
        "ABS",
        "CEIL",
        "COS",
        "ELU",
        "EXP",
        "FLOOR",
        "LOGISTIC",
        "NEG",
        "ROUND",
        "SIGN",
        "SIN",
        "SQUARE",
        "TANH",
    ),
    *("RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1", "HARD_SWISH"),
)


def test_functions_of_floats(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (2, 3, 4, 5))
    n.tensor("positive", (2, 3, 4, 5))
    for name in UNARY:
        n.operator(name, ["x"], [n.tensor(name, (2, 3, 4, 5))])
    for name in ("LOG", "SQRT", "RSQRT"):
        n.operator(name, ["positive"], [n.tensor(name, (2, 3, 4, 5))])
    n.operator("LEAKY_RELU", ["x"], [n.tensor("leaky", (2, 3, 4, 5))], "LeakyRelu", alpha=0.2)
    n.operator("GELU", ["x"], [n.tensor("gelu", (2, 3, 4, 5))], "Gelu", approximate=False)
    n.operator("GELU", ["x"], [n.tensor("gelu tanh", (2, 3, 4, 5))], "Gelu", approximate=True)
    n.tensor("slopes", data=floats(1, 1, 5))
    n.operator("PRELU", ["x", "slopes"], [n.tensor("prelu", (2, 3, 4, 5))])
    outputs = [*UNARY, "LOG", "SQRT", "RSQRT", "leaky", "gelu", "gelu tanh", "prelu"]
    feeds = {"x": floats(2, 3, 4, 5) * 3, "positive": np.abs(floats(2, 3, 4, 5)) + 0.1}
    check(gpu, tmp_path, n.packed(["x", "positive"], outputs), feeds)


@pytest.mark.parametrize(("a", "b"), [((2, 3, 4, 5), (1, 1, 1, 5)), ((1, 3, 1, 5), (2, 1, 4, 1))])
def test_two_floats(gpu: Gpu, tmp_path: Path, a: tuple[int, ...], b: tuple[int, ...]) -> None:
    n = Network()
    n.tensor("a", a)
    n.tensor("b", b)
    shape = np.broadcast_shapes(a, b)
    plain = {"ADD": "Add", "SUB": "Sub", "MUL": "Mul", "DIV": "Div"}
    for name in ("MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE", "FLOOR_MOD", "FLOOR_DIV"):
        n.operator(name, ["a", "b"], [n.tensor(name, shape)])
    for name, options in plain.items():
        n.operator(name, ["a", "b"], [n.tensor(name, shape)], options, fusedActivationFunction=RELU)
    compared = ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")
    for name in compared:
        n.operator(name, ["a", "b"], [n.tensor(name, shape, "bool")])
    n.operator("SELECT_V2", ["LESS", "a", "b"], [n.tensor("select", shape)])
    n.operator("LOGICAL_AND", ["LESS", "GREATER"], [n.tensor("and", shape, "bool")])
    n.operator("LOGICAL_NOT", ["LESS"], [n.tensor("not", shape, "bool")])
    outputs = ["MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE", "FLOOR_MOD", "FLOOR_DIV", *plain, *compared]
    feeds = {"a": np.round(floats(*a) * 4) / 2 + 0.25, "b": np.round(floats(*b) * 2) + 0.25}
    check(gpu, tmp_path, n.packed(["a", "b"], [*outputs, "select", "and", "not"]), feeds)


def moves(n: Network, x: str, dtype: str, **quantized: Any) -> list[str]:
    """Everything that moves numbers of `x`, (1, 6, 4, 8)."""
    outputs: list[str] = []

    def made(name: str, *shape: int) -> list[str]:
        outputs.append(n.tensor(name, shape, dtype, **quantized))
        return [name]

    n.operator("RESHAPE", [x, n.constant("new", [2, 3, -1])], made("reshape", 2, 3, 32), "Reshape")
    n.operator("TRANSPOSE", [x, n.constant("perm", [0, 2, 3, 1])], made("transpose", 1, 4, 8, 6))
    n.operator("SQUEEZE", [x], made("squeeze", 6, 4, 8), "Squeeze", squeezeDims=[0])
    n.operator("EXPAND_DIMS", [x, n.constant("at", [2])], made("expand", 1, 6, 1, 4, 8))
    n.operator(
        "SLICE",
        [x, n.constant("from", [0, 1, 0, 2]), n.constant("size", [1, 3, -1, 5])],
        made("slice", 1, 3, 4, 5),
    )
    ends = [n.constant("b", [0, -2, 1, 0]), n.constant("e", [1, 0, 3, 0]), n.constant("s", [1, -2, 1, 2])]
    n.operator(
        "STRIDED_SLICE", [x, *ends], made("strided", 1, 2, 4), "StridedSlice", endMask=8, shrinkAxisMask=4
    )  # fmt: skip
    n.operator("PAD", [x, n.constant("pads", [[0, 0], [1, 2], [0, 1], [2, 0]])], made("pad", 1, 9, 5, 10))
    n.operator(
        "MIRROR_PAD",
        [x, n.constant("m", [[0, 0], [2, 1], [1, 1], [0, 0]])],
        made("mirror", 1, 9, 6, 8),
        "MirrorPad",
        mode=0,
    )
    n.operator(
        "MIRROR_PAD",
        [x, n.constant("m2", [[0, 0], [2, 1], [1, 1], [0, 3]])],
        made("symmetric", 1, 9, 6, 11),
        "MirrorPad",
        mode=1,
    )
    n.operator(
        "SPLIT",
        [n.constant("axis", 3), x],
        [*made("p", 1, 6, 4, 4), *made("q", 1, 6, 4, 4)],
        "Split",
        numSplits=2,
    )
    n.operator("CONCATENATION", ["p", x, "q"], made("concat", 1, 6, 4, 16), "Concatenation", axis=-1)
    n.operator(
        "UNPACK", [x], [name for i in range(4) for name in made(f"u{i}", 1, 6, 8)], "Unpack", num=4, axis=2
    )
    n.operator("PACK", ["u3", "u1"], made("pack", 1, 2, 6, 8), "Pack", valuesCount=2, axis=1)
    n.operator("DEPTH_TO_SPACE", [x], made("deep", 1, 12, 8, 2), "DepthToSpace", blockSize=2)
    n.operator("SPACE_TO_DEPTH", [x], made("shallow", 1, 3, 2, 32), "SpaceToDepth", blockSize=2)
    blocks = [n.constant("block", [3, 2]), n.constant("crops", [[1, 2], [0, 0]])]
    n.operator("SPACE_TO_BATCH_ND", [x, *blocks], made("batches", 6, 3, 2, 8))
    n.operator("BATCH_TO_SPACE_ND", ["batches", *blocks], made("unbatched", 1, 6, 4, 8))
    n.operator("GATHER", [x, n.constant("which", [3, 0, 3])], made("gather", 1, 6, 3, 8), "Gather", axis=2)
    n.operator("TILE", [x, n.constant("times", [1, 2, 1, 1])], made("tile", 1, 12, 4, 8))
    n.operator("REVERSE_V2", [x, n.constant("back", [1])], made("reverse", 1, 6, 4, 8))
    n.operator(
        "RESIZE_NEAREST_NEIGHBOR",
        [x, n.constant("grown", [9, 10])],
        made("nearest", 1, 9, 10, 8),
        "ResizeNearestNeighbor",
    )
    n.operator(
        "RESIZE_NEAREST_NEIGHBOR",
        [x, "grown"],
        made("centers", 1, 9, 10, 8),
        "ResizeNearestNeighbor",
        halfPixelCenters=True,
    )
    window = {"padding": VALID, "strideH": 2, "strideW": 1, "filterHeight": 2, "filterWidth": 3}
    n.operator("MAX_POOL_2D", [x], made("max", 1, 3, 2, 8), "Pool2D", **window)
    return outputs


def test_moves_of_floats(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (1, 6, 4, 8))
    outputs = moves(n, "x", "float32")
    n.tensor("five", data=np.float32(5.5))
    n.tensor("padded", (1, 9, 5, 10))
    n.operator("PADV2", ["x", "pads", "five"], ["padded"])
    check(gpu, tmp_path, n.packed(["x"], [*outputs, "padded"]), {"x": floats(1, 6, 4, 8)})


def test_moves_of_bytes(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (1, 6, 4, 8), "int8", scale=0.1, zero=-7)
    outputs = moves(n, "x", "int8", scale=0.1, zero=-7)
    check(gpu, tmp_path, n.packed(["x"], outputs), {"x": bytes_of("int8", 1, 6, 4, 8)})


@pytest.mark.parametrize(("corners", "centers"), [(False, False), (True, False), (False, True)])
def test_bilinear_resizing(gpu: Gpu, tmp_path: Path, corners: bool, centers: bool) -> None:
    n = Network()
    feeds = {}
    for dtype in ("float32", "int8", "uint8"):
        quantized = {} if dtype == "float32" else {"scale": 0.1, "zero": 3}
        feeds[f"x {dtype}"] = floats(1, 5, 6, 3) if dtype == "float32" else bytes_of(dtype, 1, 5, 6, 3)
        n.tensor(f"x {dtype}", (1, 5, 6, 3), dtype, **quantized)
        for name, size in (("up", (10, 12)), ("odd", (7, 4))):
            n.constant(f"{name} {dtype} size", size)
            n.tensor(f"{name} {dtype}", (1, *size, 3), dtype, **quantized)
            n.operator(
                "RESIZE_BILINEAR", [f"x {dtype}", f"{name} {dtype} size"], [f"{name} {dtype}"], "ResizeBilinear",
                alignCorners=corners, halfPixelCenters=centers,
            )  # fmt: skip
    outputs = [f"{name} {dtype}" for dtype in ("float32", "int8", "uint8") for name in ("up", "odd")]
    # The reference kernel for uint8 mixes floats; that for int8 whole numbers.
    check(gpu, tmp_path, n.packed(list(feeds), outputs), feeds, steps=1)
    exact = [name for name in outputs if "uint8" not in name]
    check(gpu, tmp_path, n.packed(list(feeds), exact), feeds)


def test_reductions_and_products_of_floats(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (2, 4, 6, 5))
    outputs = []
    for name in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD"):
        for keeps in (False, True):
            outputs.append(n.tensor(f"{name} {keeps}", (2, 1, 1, 5) if keeps else (2, 5)))
            n.operator(
                name,
                ["x", n.constant(f"axes {name} {keeps}", [1, 2])],
                outputs[-1:],
                "Reducer",
                keepDims=keeps,
            )
    outputs.append(n.tensor("mean of channels", (2, 4, 6)))
    n.operator("MEAN", ["x", n.constant("channels", [-1])], outputs[-1:], "Reducer")
    n.operator(
        "ARG_MAX",
        ["x", n.constant("last", [3])],
        [n.tensor("best", (2, 4, 6), "int64")],
        "ArgMax",
        outputType=4,
    )
    n.operator("ARG_MIN", ["x", "last"], [n.tensor("worst", (2, 4, 6), "int32")], "ArgMin", outputType=2)
    n.operator(
        "TOPK_V2",
        ["x", n.constant("k", 3)],
        [n.tensor("top", (2, 4, 6, 3)), n.tensor("places", (2, 4, 6, 3), "int32")],
        "TopKV2",
    )
    n.operator(
        "CUMSUM", ["x", n.constant("along", 2)], [n.tensor("sums", (2, 4, 6, 5))], "Cumsum", exclusive=True
    )
    n.operator("SOFTMAX", ["x"], [n.tensor("softmax", (2, 4, 6, 5))], "Softmax", beta=0.7)
    n.operator("LOG_SOFTMAX", ["x"], [n.tensor("log softmax", (2, 4, 6, 5))], "LogSoftmax")
    n.operator("L2_NORMALIZATION", ["x"], [n.tensor("l2", (2, 4, 6, 5))], "L2Norm")
    n.tensor("w", data=floats(7, 5))
    n.tensor("b", data=floats(7))
    n.operator(
        "FULLY_CONNECTED", ["x", "w", "b"], [n.tensor("full", (2, 4, 6, 7))], "FullyConnected",
        keepNumDims=True, fusedActivationFunction=RELU,
    )  # fmt: skip
    n.operator("FULLY_CONNECTED", ["x", "w", ""], [n.tensor("flat", (48, 7))], "FullyConnected")
    n.operator("BATCH_MATMUL", ["x", "x"], [n.tensor("product", (2, 4, 6, 6))], "BatchMatMul", adjY=True)
    outputs += [
        "best",
        "worst",
        "top",
        "places",
        "sums",
        "softmax",
        "log softmax",
        "l2",
        "full",
        "flat",
        "product",
    ]
    check(gpu, tmp_path, n.packed(["x"], outputs), {"x": floats(2, 4, 6, 5)}, tolerance=4e-6)


def test_local_response_normalization(gpu: Gpu, tmp_path: Path) -> None:
    """By the formula: the reference kernel leaves the last of the neighbors out, LiteRT's other kernels
    don't.
    """
    n = Network()
    n.tensor("x", (1, 3, 4, 7))
    n.operator(
        "LOCAL_RESPONSE_NORMALIZATION", ["x"], [n.tensor("y", (1, 3, 4, 7))], "LocalResponseNormalization",
        radius=2, bias=1.0, alpha=0.3, beta=0.5,
    )  # fmt: skip
    x = floats(1, 3, 4, 7)
    near = np.abs(np.subtract.outer(np.arange(7), np.arange(7))) <= 2
    wanted = x / np.sqrt(1 + 0.3 * (x**2 @ near.astype(np.float32)))
    found = computed(gpu, tmp_path, n.packed(["x"], ["y"]), {"x": x})
    np.testing.assert_allclose(found["y"], wanted, rtol=1e-5)


# -- 8 bits --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("padding", [SAME, VALID])
def test_quantized_convolutions_are_exact(gpu: Gpu, tmp_path: Path, dtype: str, padding: int) -> None:
    n = Network()
    zero = 3 if dtype == "int8" else 120
    n.tensor("x", (1, 9, 9, 4), dtype, scale=0.047, zero=zero)
    window = {"padding": padding, "strideH": 2, "strideW": 2, "fusedActivationFunction": RELU6}
    per_channel = dtype == "int8"

    def filters(name: str, shape: tuple[int, ...], axis: int) -> float | list[float]:
        scales = [0.01 + 0.003 * i for i in range(shape[axis])] if per_channel else 0.017
        data = RANDOM.integers(-127, 128, shape).astype("int8") if per_channel else bytes_of(dtype, *shape)
        n.tensor(name, data=data, scale=scales, zero=0 if per_channel else 130, axis=axis)
        n.tensor(
            f"{name} bias", data=RANDOM.integers(-3000, 3000, shape[axis]).astype(np.int32),
            scale=[np.float32(0.047) * np.float32(s) for s in np.atleast_1d(scales)], axis=0,
        )  # fmt: skip
        return scales

    filters("w", (6, 3, 3, 4), 0)
    filters("d", (1, 3, 3, 4), 3)
    size = 5 if padding == SAME else 4
    for name, channels in (("a", 6), ("b", 4)):
        n.tensor(name, (1, size, size, channels), dtype, scale=0.031, zero=zero - 100)
    n.operator(
        "CONV_2D", ["x", "w", "w bias"], ["a"], "Conv2D", dilationHFactor=1, dilationWFactor=1, **window
    )
    n.operator(
        "DEPTHWISE_CONV_2D",
        ["x", "d", "d bias"],
        ["b"],
        "DepthwiseConv2D",
        depthMultiplier=1,
        dilationHFactor=1,
        dilationWFactor=1,
        **window,
    )
    filters("f", (8, 324), 0) if not per_channel else n.tensor(
        "f", data=bytes_of("int8", 8, 324), scale=0.004
    )
    if per_channel:
        n.tensor("f bias", data=RANDOM.integers(-3000, 3000, 8).astype(np.int32), scale=0.047 * 0.004)
    n.tensor("c", (1, 8), dtype, scale=0.4, zero=zero - 5)
    n.operator("FULLY_CONNECTED", ["x", "f", "f bias"], ["c"], "FullyConnected", fusedActivationFunction=NONE)
    check(gpu, tmp_path, n.packed(["x"], ["a", "b", "c"]), {"x": bytes_of(dtype, 1, 9, 9, 4)})


@pytest.mark.parametrize("scales", [0.0123, "channels"])
def test_many_sums_of_a_fully_connected_layer_are_exact(gpu: Gpu, tmp_path: Path, scales: Any) -> None:
    """Enough of them to tell one rounding from two."""
    n = Network()
    n.tensor("x", (1, 40), "int8", scale=0.05, zero=3)
    given = [0.01 + 0.00001 * i for i in range(1000)] if scales == "channels" else scales
    n.tensor("w", data=RANDOM.integers(-127, 128, (1000, 40)).astype("int8"), scale=given, zero=0)
    n.tensor("y", (1, 1000), "int8", scale=0.31, zero=3)
    n.operator("FULLY_CONNECTED", ["x", "w", ""], ["y"], "FullyConnected")
    check(gpu, tmp_path, n.packed(["x"], ["y"]), {"x": bytes_of("int8", 1, 40)})


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_quantized_functions_are_exact(gpu: Gpu, tmp_path: Path, dtype: str) -> None:
    """Of all 256 numbers."""
    shift = 0 if dtype == "int8" else 128
    n = Network()
    n.tensor("x", (1, 16, 16, 1), dtype, scale=0.05, zero=3 + shift)
    outputs = []

    def made(name: str, scale: float, zero: int) -> list[str]:
        outputs.append(n.tensor(name, (1, 16, 16, 1), dtype, scale=scale, zero=zero + shift))
        return [name]

    n.operator("LOGISTIC", ["x"], made("logistic", 1 / 256, -128))
    n.operator("TANH", ["x"], made("tanh", 1 / 128, 0))
    n.operator("HARD_SWISH", ["x"], made("hard swish", 0.03, -110))
    n.operator("LEAKY_RELU", ["x"], made("leaky", 0.04, 0), "LeakyRelu", alpha=0.3)
    n.operator("RELU", ["x"], made("relu", 0.04, -128))
    n.operator("RELU6", ["x"], made("relu6", 0.0235, -128))
    n.operator("QUANTIZE", ["x"], made("again", 0.083, 11), "Quantize")
    outputs.append(n.tensor("real", (1, 16, 16, 1)))
    n.operator("DEQUANTIZE", ["x"], ["real"])
    if dtype == "int8":
        n.operator("ELU", ["x"], made("elu", 0.04, -80))
        n.operator("ABS", ["x"], made("abs", 0.05, 3))
        n.tensor("slopes", data=np.int8([[[-90]]]), scale=0.01, zero=4)
        n.operator("PRELU", ["x", "slopes"], made("prelu", 0.04, -7))
    x = np.arange(256, dtype=np.uint8).reshape(1, 16, 16, 1).view(dtype)
    check(gpu, tmp_path, n.packed(["x"], outputs), {"x": x})


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_quantized_pairs_are_exact(gpu: Gpu, tmp_path: Path, dtype: str) -> None:
    """Of all 65,536 pairs, and of numbers and a constant."""
    shift = 0 if dtype == "int8" else 128
    n = Network()
    n.tensor("a", (1, 256, 256, 1), dtype, scale=0.05, zero=3 + shift)
    n.tensor("b", (1, 1, 256, 1), dtype, scale=0.021, zero=-40 + shift)
    n.tensor("c", data=np.array([77], dtype), scale=0.01, zero=5 + shift)
    outputs = []

    def made(name: str, scale: float, zero: int) -> list[str]:
        outputs.append(n.tensor(name, (1, 256, 256, 1), dtype, scale=scale, zero=zero + shift))
        return [name]

    n.operator("ADD", ["a", "b"], made("add", 0.07, 5), "Add", fusedActivationFunction=RELU)
    n.operator("SUB", ["a", "b"], made("sub", 0.06, 5), "Sub")
    n.operator("MUL", ["a", "b"], made("mul", 0.11, -5), "Mul")
    n.operator("ADD", ["a", "c"], made("add one", 0.05, 5), "Add")
    n.operator("MUL", ["a", "c"], made("mul one", 0.04, 5), "Mul")
    if dtype == "int8":
        n.operator("SQUARED_DIFFERENCE", ["a", "b"], made("squared", 0.4, -100))
    rows, columns = np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8), indexing="ij")
    feeds = {
        "a": rows.reshape(1, 256, 256, 1).view(dtype),
        "b": columns[:1].reshape(1, 1, 256, 1).view(dtype),
    }
    check(gpu, tmp_path, n.packed(["a", "b"], outputs), feeds)


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_quantized_pools_and_means(gpu: Gpu, tmp_path: Path, dtype: str) -> None:
    zero = 3 if dtype == "int8" else 120
    like = {"scale": 0.05, "zero": zero}
    n = Network()
    n.tensor("x", (1, 9, 10, 6), dtype, **like)
    outputs = []
    for name, size, padding, kernel in (
        ("small", (5, 5), SAME, 3),
        ("large", (1, 2), VALID, 9),
        ("all", (1, 1), VALID, 0),
    ):
        outputs.append(n.tensor(name, (1, *size, 6), dtype, **like))
        filters = {"filterHeight": kernel or 9, "filterWidth": kernel or 10}
        stride = 2 if name == "small" else 1
        n.operator(
            "AVERAGE_POOL_2D",
            ["x"],
            [name],
            "Pool2D",
            padding=padding,
            strideH=stride,
            strideW=stride,
            fusedActivationFunction=RELU,
            **filters,
        )
    outputs.append(n.tensor("mean", (1, 6), dtype, scale=0.043, zero=zero + 4))
    n.operator("MEAN", ["x", n.constant("axes", [1, 2])], ["mean"], "Reducer", keepDims=False)
    outputs.append(n.tensor("kept", (1, 1, 1, 6), dtype, scale=0.043, zero=zero + 4))
    n.operator("MEAN", ["x", n.constant("axes2", [1, 2])], ["kept"], "Reducer", keepDims=True)
    outputs.append(n.tensor("same", (1, 1, 1, 6), dtype, **like))
    n.operator("MEAN", ["x", n.constant("axes3", [1, 2])], ["same"], "Reducer", keepDims=True)
    check(gpu, tmp_path, n.packed(["x"], outputs), {"x": bytes_of(dtype, 1, 9, 10, 6)})


def test_a_quantized_sum(gpu: Gpu, tmp_path: Path) -> None:
    """By the formula: the reference kernel overflows below zero, LiteRT's other kernels don't."""
    n = Network()
    n.tensor("x", (1, 9, 10, 6), "int8", scale=0.05, zero=3)
    n.tensor("y", (1, 6), "int8", scale=6.3, zero=7)
    n.operator("SUM", ["x", n.constant("axes", [1, 2])], ["y"], "Reducer", keepDims=False)
    x = bytes_of("int8", 1, 9, 10, 6)
    found = computed(gpu, tmp_path, n.packed(["x"], ["y"]), {"x": x})["y"]
    np.testing.assert_array_equal(found, np.rint((x.astype(int) - 3).sum((1, 2)) * 0.05 / 6.3 + 7))


def test_what_reference_kernels_do_not_define_is_one_step_off_at_most(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("real", (1, 4, 4, 8))
    n.tensor("x", (1, 4, 4, 8), "int8", scale=0.05, zero=3)
    n.operator("QUANTIZE", ["real"], ["x"], "Quantize")
    n.operator(
        "SOFTMAX",
        ["x"],
        [n.tensor("softmax", (1, 4, 4, 8), "int8", scale=1 / 256, zero=-128)],
        "Softmax",
        beta=1.0,
    )
    n.operator(
        "L2_NORMALIZATION", ["x"], [n.tensor("l2", (1, 4, 4, 8), "int8", scale=1 / 128, zero=0)], "L2Norm"
    )
    n.operator("MINIMUM", ["x", "x"], [n.tensor("least", (1, 4, 4, 8), "int8", scale=0.05, zero=3)])
    n.operator(
        "ARG_MAX",
        ["x", n.constant("axis", [3])],
        [n.tensor("best", (1, 4, 4), "int32")],
        "ArgMax",
        outputType=2,
    )
    n.tensor(
        "w",
        data=RANDOM.integers(-127, 128, (4, 2, 2, 8)).astype("int8"),
        scale=[0.01, 0.02, 0.03, 0.04],
        zero=[0] * 4,
    )
    n.tensor("y", (1, 8, 8, 4), "int8", scale=0.2, zero=-3)
    n.operator(
        "TRANSPOSE_CONV",
        [n.constant("size", [1, 8, 8, 4]), "w", "x"],
        ["y"],
        "TransposeConv",
        padding=SAME,
        strideH=2,
        strideW=2,
    )
    outputs = ["softmax", "l2", "least", "best", "y"]
    check(gpu, tmp_path, n.packed(["real"], outputs), {"real": floats(1, 4, 4, 8) * 3}, steps=1)


def test_the_rest_of_the_moves_and_functions(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (2, 3, 4))
    n.tensor("i", (2, 3, 4), "int32")
    outputs: list[str] = []

    def made(name: str, *shape: int, dtype: str = "float32") -> list[str]:
        outputs.append(n.tensor(name, shape, dtype))
        return [name]

    n.operator(
        "SPLIT_V",
        ["x", n.constant("parts", [1, -1]), n.constant("one", 1)],
        [*made("p", 2, 1, 4), *made("q", 2, 2, 4)],
        "SplitV",
        numSplits=2,
    )
    n.operator("BROADCAST_TO", ["x", n.constant("wide", [3, 2, 3, 4])], made("broadcast", 3, 2, 3, 4))
    n.operator("FILL", [n.constant("dims", [2, 2]), n.constant("seven", 7.0, "float32")], made("fill", 2, 2))
    n.operator("ADD", ["fill", "seven"], made("filled", 2, 2), "Add")
    n.operator("GATHER_ND", ["x", n.constant("where", [[0, 2], [1, 1]])], made("gathered", 2, 4))
    n.operator(
        "REVERSE_SEQUENCE",
        ["x", n.constant("lengths", [2, 3])],
        made("reversed", 2, 3, 4),
        "ReverseSequence",
        seqDim=1,
        batchDim=0,
    )
    n.tensor("rows", (3, 4))
    n.operator(
        "SCATTER_ND",
        [n.constant("to", [[1], [3], [1]]), "rows", n.constant("size", [5, 4])],
        made("scattered", 5, 4),
    )
    n.tensor("hot at", (2,), "int32")
    hot = [n.constant("depth", 5), n.constant("on", 2.5, "float32"), n.constant("off", -1.0, "float32")]
    n.operator("ONE_HOT", ["hot at", *hot], made("hot", 2, 5), "OneHot", axis=-1)
    n.operator("ADD_N", ["x", "x", "x"], made("three", 2, 3, 4), "AddN")
    n.operator("CAST", ["x"], made("whole", 2, 3, 4, dtype="int32"), "Cast", inDataType=0, outDataType=2)
    n.operator("CAST", ["i"], made("float", 2, 3, 4), "Cast", inDataType=2, outDataType=0)
    n.operator("ABS", ["x"], made("positive", 2, 3, 4))
    n.operator("POW", ["positive", "x"], made("power", 2, 3, 4))
    n.operator("ADD", ["i", "i"], made("sum", 2, 3, 4, dtype="int32"), "Add")
    n.operator("SUB", ["i", n.constant("two", 2)], made("less", 2, 3, 4, dtype="int32"), "Sub")
    n.operator("MUL", ["i", "less"], made("times", 2, 3, 4, dtype="int32"), "Mul")
    n.operator("FLOOR_DIV", ["i", n.constant("three d", 3)], made("divided", 2, 3, 4, dtype="int32"))
    n.operator("FLOOR_MOD", ["i", "three d"], made("rest", 2, 3, 4, dtype="int32"))
    n.operator("MAXIMUM", ["i", "two"], made("most", 2, 3, 4, dtype="int32"))
    n.operator("GREATER", ["i", "two"], made("larger", 2, 3, 4, dtype="bool"))
    n.operator("REDUCE_ANY", ["larger", n.constant("last", [2])], made("any", 2, 3, dtype="bool"), "Reducer")
    n.operator("LOGICAL_OR", ["larger", "larger"], made("or", 2, 3, 4, dtype="bool"))
    n.operator("ZEROS_LIKE", ["x"], made("zeros", 2, 3, 4))
    n.operator("SELECT", ["larger", "x", "zeros"], made("selected", 2, 3, 4))
    n.tensor("film", (1, 4, 5, 6, 2))
    n.tensor("cube", data=floats(2, 3, 3, 2, 3))
    n.operator(
        "CONV_3D", ["film", "cube"], made("filmed", 1, 2, 3, 3, 3), "Conv3D", padding=SAME, strideD=2, strideH=2, strideW=2,
        dilationDFactor=1, dilationHFactor=1, dilationWFactor=1,
    )  # fmt: skip
    feeds = {"rows": floats(3, 4), "hot at": np.int32([4, 0]), "film": floats(1, 4, 5, 6, 2)}
    feeds |= {"x": floats(2, 3, 4), "i": RANDOM.integers(-20, 20, (2, 3, 4)).astype(np.int32)}
    check(gpu, tmp_path, n.packed(list(feeds), outputs), feeds)


def test_sixteen_bits_and_what_has_no_kernel_of_whole_numbers(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (1, 5, 6, 8), "int16", scale=0.001, zero=0)
    n.tensor(
        "w",
        data=RANDOM.integers(-127, 128, (4, 3, 3, 8)).astype("int8"),
        scale=[0.01, 0.02, 0.03, 0.04],
        zero=[0] * 4,
    )
    n.tensor("bias", data=np.int64([1000, -2000, 0, 70000]), scale=[1e-5, 2e-5, 3e-5, 4e-5], zero=[0] * 4)
    n.tensor("y", (1, 5, 6, 4), "int16", scale=0.01, zero=0)
    n.operator(
        "CONV_2D",
        ["x", "w", "bias"],
        ["y"],
        "Conv2D",
        padding=SAME,
        strideH=1,
        strideW=1,
        dilationHFactor=1,
        dilationWFactor=1,
    )
    n.tensor("a", (2, 3, 4), "int8", scale=0.02, zero=3)
    n.tensor("b", (2, 5, 4), "int8", scale=0.03, zero=-9)
    n.tensor("c", (2, 3, 5), "int8", scale=0.04, zero=5)
    n.operator("BATCH_MATMUL", ["a", "b"], ["c"], "BatchMatMul", adjY=True)
    n.tensor("e", (2, 3, 4), "int8", scale=0.05, zero=-100)
    n.operator("EXP", ["a"], ["e"])
    n.tensor("r", (2, 3, 4), "int8", scale=0.02, zero=-128)
    n.operator("MAXIMUM", ["a", "a"], [n.tensor("largest", (2, 3, 4), "int8", scale=0.02, zero=3)])
    n.operator(
        "LESS",
        ["a", n.tensor("limit", data=np.int8([20]), scale=0.02, zero=3)],
        [n.tensor("small", (2, 3, 4), "bool")],
    )
    feeds = {
        "x": bytes_of("int16", 1, 5, 6, 8),
        "a": bytes_of("int8", 2, 3, 4),
        "b": bytes_of("int8", 2, 5, 4),
    }
    check(gpu, tmp_path, n.packed(list(feeds), ["y", "c", "e", "largest", "small"]), feeds, steps=1)


# -- boxes, operators of MediaPipe's, what is in a file beside the network -----------------------------------


def boxes_and_scores(count: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    corners = RANDOM.uniform(0, 0.7, (count, 2)).astype(np.float32)
    boxes = np.concatenate(
        [corners, corners + RANDOM.uniform(0.1, 0.3, (count, 2)).astype(np.float32)], axis=1
    )
    return boxes, RANDOM.permutation(count * classes).reshape(count, classes).astype(np.float32) / (
        count * classes
    )


def test_suppression_of_boxes(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("boxes", (300, 4))
    n.tensor("scores", (300,))
    numbers = [
        n.constant("most", 20),
        n.constant("overlap", 0.3, "float32"),
        n.constant("least", 0.2, "float32"),
    ]
    n.operator(
        "NON_MAX_SUPPRESSION_V4",
        ["boxes", "scores", *numbers],
        [n.tensor("found", (20,), "int32"), n.tensor("count", (), "int32")],
    )
    soft = n.constant("soft", 0.0, "float32")
    outputs = [
        n.tensor("found 5", (20,), "int32"),
        n.tensor("scores 5", (20,)),
        n.tensor("count 5", (), "int32"),
    ]
    n.operator("NON_MAX_SUPPRESSION_V5", ["boxes", "scores", *numbers, soft], outputs)
    boxes, scores = boxes_and_scores(300, 1)
    boxes[::2] = boxes[::2, [2, 3, 0, 1]]  # corners of falling coordinates are a box, too
    feeds = {"boxes": boxes, "scores": scores[:, 0]}
    check(gpu, tmp_path, n.packed(["boxes", "scores"], ["found", "count", *outputs]), feeds)


@pytest.mark.parametrize("regular", [False, True])
@pytest.mark.parametrize("threshold", [0.2, 0.98])
def test_detection_post_process(gpu: Gpu, tmp_path: Path, regular: bool, threshold: float) -> None:
    flexbuffers = pytest.importorskip("flatbuffers.flexbuffers")
    n = Network()
    n.tensor("boxes", (1, 60, 4))
    n.tensor("scores", (1, 60, 5))
    anchors = np.concatenate([RANDOM.uniform(0.2, 0.8, (60, 2)), RANDOM.uniform(0.1, 0.4, (60, 2))], axis=1)
    n.tensor("anchors", data=anchors.astype(np.float32))
    outputs = [n.tensor(f"r{i}", ()) for i in range(4)]
    options = {
        "max_detections": 10, "max_classes_per_detection": 1, "detections_per_class": 8, "num_classes": 4,
        "use_regular_nms": regular, "nms_score_threshold": threshold, "nms_iou_threshold": 0.4,
        "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0,
    }  # fmt: skip
    custom = bytes(flexbuffers.Dumps(options))
    n.operator("TFLite_Detection_PostProcess", ["boxes", "scores", "anchors"], outputs, custom=custom)
    feeds = {"boxes": floats(1, 60, 4), "scores": boxes_and_scores(60, 5)[1][None]}
    data = n.packed(["boxes", "scores"], outputs)
    wanted, found = reference(data, feeds), computed(gpu, tmp_path, data, feeds)
    count = int(wanted["r3"][0])
    assert int(found["r3"][0]) == count
    assert count == 10 if threshold < 0.5 else 0 < count < 10
    for name in ("r0", "r1", "r2"):  # LiteRT leaves what lies behind the last as it was
        np.testing.assert_allclose(found[name][:, :count], wanted[name][:, :count], atol=2e-6)
        assert not found[name][:, count:].any()


def test_operators_of_mediapipe(gpu: Gpu, tmp_path: Path) -> None:
    """By their definitions: LiteRT has none of them but through XNNPACK."""
    n = Network()
    n.tensor("x", (1, 4, 6, 3))
    pool = struct.pack("<6i", 1, 2, 2, 2, 2, 0)
    n.operator(
        "MaxPoolingWithArgmax2D",
        ["x"],
        [n.tensor("largest", (1, 2, 3, 3)), n.tensor("places", (1, 2, 3, 3))],
        custom=pool,
    )
    n.operator("MaxUnpooling2D", ["largest", "places"], [n.tensor("back", (1, 4, 6, 3))], custom=pool)
    n.tensor("w", data=floats(5, 2, 2, 3))
    n.tensor("b", data=floats(5))
    n.operator(
        "Convolution2DTransposeBias",
        ["x", "w", "b"],
        [n.tensor("grown", (1, 8, 12, 5))],
        custom=struct.pack("<3i", 1, 2, 2),
    )
    n.tensor("points", (1, 7, 3))
    n.tensor("matrix", (1, 4, 4))
    n.operator("TransformLandmarks", ["points", "matrix"], [n.tensor("moved", (1, 7, 3))])
    feeds = {"x": floats(1, 4, 6, 3), "points": floats(1, 7, 3), "matrix": floats(1, 4, 4)}
    found = computed(
        gpu, tmp_path, n.packed(list(feeds), ["largest", "places", "back", "grown", "moved"]), feeds
    )
    windows = feeds["x"].reshape(1, 2, 2, 3, 2, 3).transpose(0, 1, 3, 5, 2, 4).reshape(1, 2, 3, 3, 4)
    np.testing.assert_array_equal(found["largest"], windows.max(4))
    np.testing.assert_array_equal(np.floor(found["places"]), windows.argmax(4))
    largest = np.repeat(np.repeat(windows.max(4), 2, 1), 2, 2)
    np.testing.assert_array_equal(found["back"], np.where(feeds["x"] == largest, feeds["x"], 0))
    weights, bias = (
        n.model.buffers[n.graph.tensors[n.numbers[each]].buffer].data.view(np.float32) for each in "wb"
    )
    grown = (
        np.einsum("nhwc,oyxc->nhywxo", feeds["x"], weights.reshape(5, 2, 2, 3)).reshape(1, 8, 12, 5) + bias
    )
    np.testing.assert_allclose(found["grown"], grown, atol=1e-5)
    plane = (
        feeds["points"][..., :2] @ feeds["matrix"][:, :2, :2].transpose(0, 2, 1)
        + feeds["matrix"][:, None, :2, 3]
    )
    np.testing.assert_allclose(
        found["moved"], np.concatenate([plane, feeds["points"][..., 2:]], 2), atol=1e-6
    )


def test_free_sizes_and_shapes_that_hang_on_them(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (1, 4, 6, 3), signature=(-1, -1, -1, 3))
    n.tensor("shape", (4,), "int32")
    n.operator("SHAPE", ["x"], ["shape"], "Shape", outType=2)
    n.tensor("batch", (), "int32")
    ends = [n.constant(name, [value]) for name, value in (("from", 0), ("to", 1), ("by", 1))]
    n.operator("STRIDED_SLICE", ["shape", *ends], ["batch"], "StridedSlice", shrinkAxisMask=1)
    n.constant("rest", -1)
    n.tensor("new", (2,), "int32")
    n.operator("PACK", ["batch", "rest"], ["new"], "Pack", valuesCount=2, axis=0)
    n.tensor("y", (1, 72), signature=(-1, -1))
    n.operator("RESHAPE", ["x", "new"], ["y"])
    check(gpu, tmp_path, n.packed(["x"], ["y"]), {"x": floats(2, 5, 7, 3)})


def test_the_cache_keeps_a_network_and_tells_its_outputs_apart(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (1, 8), "int8", scale=0.1, zero=2)
    n.tensor("y", (1, 8), "int8", scale=0.05, zero=-3)
    n.operator("LOGISTIC", ["x"], ["y"])
    path = tmp_path / "n.tflite"
    path.write_bytes(n.packed(["x"], ["y"]))
    cache, x = SessionCache(tmp_path / "cache"), bytes_of("int8", 1, 8)
    runs = []
    for real in (False, True, False, True):
        session = WgpuSession.load(gpu, path, cache=cache, real_outputs=real)
        runs.append(session.run({"x": x})["y"])
        session.close()
        cache.wait()
    assert len(list((tmp_path / "cache").glob("*.plan"))) == 2
    np.testing.assert_array_equal(runs[0], runs[2])
    np.testing.assert_array_equal(runs[1], runs[3])
    np.testing.assert_array_equal(runs[1], np.float32(0.05) * (runs[0].astype(np.float32) + 3))


def test_auto_takes_the_engine_and_says_why(gpu: Gpu, tmp_path: Path) -> None:
    n = Network()
    n.tensor("x", (1, 8))
    n.operator("TANH", ["x"], [n.tensor("y", (1, 8))])
    path = tmp_path / "n.tflite"
    path.write_bytes(n.packed(["x"], ["y"]))
    loaded = load_session(path, gpu=gpu, cache=None)
    assert loaded.session.backend == "wgpu"
    if gpu.adapter.is_software:
        assert "which onnxruntime does not read" in loaded.reason
    loaded.session.close()
    with pytest.raises(ModelUnsupportedError, match=r"onnxruntime does not read \.tflite files; choose wgpu"):
        load_session(path, gpu=gpu, backend="onnxruntime")
    with pytest.raises(ModelUnsupportedError, match=r"onnxruntime does not read \.tflite files"):
        load_session(path, gpu=None)


QUICK = ("mlc_vww_96_float", "mlc_resnet_large_float")


@pytest.mark.parametrize("name", QUICK)
def test_networks_of_others(gpu: Gpu, tmp_path: Path, shared: Path, name: str) -> None:
    """Those that compile quickly; docs/network-engine.md has the table of all 28."""
    path = shared / "models" / "tflite" / f"{name}.tflite"
    if not path.is_file():
        pytest.skip(f"{path.name} is not there")
    data = path.read_bytes()
    feeds = {
        info["name"]: RANDOM.random(info["shape"], np.float32)
        for info in interpreter(data).get_input_details()
    }
    check(gpu, tmp_path, data, feeds, tolerance=5e-6)
