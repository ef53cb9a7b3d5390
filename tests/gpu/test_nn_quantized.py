"""Quantized networks: the same integers as onnxruntime's integer kernels, in single and in half precision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from nn_cases import check_node, integer_reference, save, session_for
from onnx import helper

from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.target import target_of

node = helper.make_node
TYPES = {"int8": np.int8, "uint8": np.uint8}


class Builder:
    """A model with quantized tensors: every `quantize` adds QuantizeLinear and DequantizeLinear."""

    def __init__(self, kind, seed=1):
        self.kind = TYPES[kind]
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants = [], {}

    def add(self, op, inputs, output, **attributes):
        self.nodes.append(node(op, inputs, [output], **attributes))
        return output

    def parameters(self, name, scale, zero):
        self.constants[f"{name}_s"] = np.float32(scale).reshape(())
        self.constants[f"{name}_z"] = self.kind(zero + np.iinfo(self.kind).min).reshape(())
        return [f"{name}_s", f"{name}_z"]

    def quantize(self, value, scale, zero, name=None):
        """`zero` counts from the smallest number of the type."""
        name = name or f"{value}_q"
        parameters = self.parameters(name, scale, zero)
        self.add("QuantizeLinear", [value, *parameters], f"{name}8")
        return self.add("DequantizeLinear", [f"{name}8", *parameters], name)

    def weights(self, name, shape, scale_of_x, per_channel=True, axis=0):
        """Dequantized int8 weights and an int32 bias."""
        count = shape[axis]
        scales = self.random.uniform(0.002, 0.02, count if per_channel else 1).astype(np.float32)
        if not per_channel:
            scales = scales.reshape(())
        self.constants |= {
            f"{name}_w": self.random.integers(-127, 128, shape).astype(np.int8),
            f"{name}_ws": scales,
            f"{name}_wz": np.zeros(scales.shape, np.int8),
            f"{name}_b": self.random.integers(-3000, 3000, count).astype(np.int32),
            f"{name}_bs": np.float32(scale_of_x) * scales,
            f"{name}_bz": np.zeros(scales.shape, np.int32),
        }
        along = {"axis": axis} if per_channel else {}
        w = self.add("DequantizeLinear", [f"{name}_{k}" for k in ("w", "ws", "wz")], f"{name}_wf", **along)
        along = {"axis": 0} if per_channel else {}
        b = self.add("DequantizeLinear", [f"{name}_{k}" for k in ("b", "bs", "bz")], f"{name}_bf", **along)
        return [w, b]

    def save(self, tmp_path, shape, output):
        return save(tmp_path / "m.onnx", self.nodes, {"x": shape}, output, self.constants)


def check_equal(gpu, path, shape, *, workgroups=None, dispatches=None, scale=1.0):
    """Every number is on the reference's step of the grid. The last multiplication, integer by scale, may
    round differently (an NVIDIA H100 is off by one bit there), so a hundredth of the smallest step is
    allowed; a wrong integer is off by a whole one.
    """
    feeds = {"x": (np.random.default_rng(7).standard_normal(shape) * scale).astype(np.float32)}
    (expected,) = integer_reference(path, feeds).values()
    step = np.diff(np.unique(expected)).min()
    assert np.unique(expected).size > min(16, expected.size // 2)
    for precision in ("fp32", "fp16") if gpu.has("shader-f16") else ("fp32",):
        session = session_for(gpu, path, workgroups=workgroups, precision=precision)
        (actual,) = session.run(feeds).values()
        count = session.dispatch_count
        session.close()
        np.testing.assert_allclose(actual, expected, rtol=0, atol=step / 100, err_msg=precision)
        assert dispatches is None or count <= dispatches


CONVOLUTIONS = [
    # x, w, attributes
    ((1, 3, 12, 13), (8, 3, 3, 3), {"pads": [1, 1, 1, 1], "strides": [2, 2]}),
    ((2, 20, 7, 6), (18, 20, 1, 1), {}),
    ((1, 16, 9, 9), (16, 1, 3, 3), {"group": 16, "pads": [1, 1, 1, 1]}),
    ((1, 7, 9, 8), (7, 1, 3, 3), {"group": 7, "pads": [0, 0, 1, 1], "strides": [2, 2]}),
    ((1, 6, 9, 9), (5, 6, 3, 2), {"pads": [2, 1, 2, 1], "dilations": [2, 1]}),
    ((1, 8, 6, 6), (6, 4, 3, 3), {"group": 2}),
]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("workgroups", [1, 128])
@pytest.mark.parametrize(("x", "w", "attributes"), CONVOLUTIONS)
def test_conv(gpu, tmp_path, x, w, attributes, workgroups, kind):
    build = Builder(kind)
    q = build.quantize("x", 0.02, 121)
    build.add("Conv", [q, *build.weights("c", w, 0.02)], "c", **attributes)
    path = build.save(tmp_path, x, build.quantize("c", 0.06, 130))
    check_equal(gpu, path, x, workgroups=workgroups, dispatches=2)


@pytest.mark.parametrize("kind", TYPES)
def test_conv_with_one_scale(gpu, tmp_path, kind):
    build = Builder(kind)
    q = build.quantize("x", 0.02, 100)
    build.add("Conv", [q, *build.weights("c", (9, 10, 3, 3), 0.02, per_channel=False)], "c")
    check_equal(gpu, build.save(tmp_path, (1, 10, 6, 6), build.quantize("c", 0.1, 120)), (1, 10, 6, 6))


@pytest.mark.parametrize("channels", [40, 600])
def test_staged_conv_and_sums_beyond_24_bits(gpu, tmp_path, channels):
    """600 x 127 x 255 exceeds 2^24, so that the sums are i32; `workgroups=2` gives the kernel with workgroup
    memory.
    """
    shape = (1, channels, 16, 16)
    build = Builder("uint8")
    q = build.quantize("x", 0.01, 3)
    names = build.weights("c", (36, channels, 1, 1), 0.01)
    build.constants["c_w"] = np.where(build.constants["c_w"] < 0, -127, 127).astype(np.int8)
    build.constants["c_w"][::2] = np.abs(build.constants["c_w"][::2])  # sums that are as large as they can be
    build.add("Conv", [q, *names], "c")
    path = build.save(tmp_path, shape, build.quantize("c", 0.4 if channels == 40 else 6.0, 10))
    for workgroups in (1, 2, 128):
        check_equal(gpu, path, shape, workgroups=workgroups, scale=3.0)
        target = replace(target_of(gpu, "fp32"), workgroups=workgroups, byte_matrices=False)
        plan = make_plan(build_graph(path), target)
        assert ("alias Sum = vec4<i32>" in plan.dispatches[-1].code) == (channels == 600)


@pytest.mark.parametrize("columns", [8, 6])
@pytest.mark.parametrize("scales", [1, 8])
@pytest.mark.parametrize("shape", [(5, 8), (2, 5, 8), (1, 2, 3, 8)])
def test_product_of_tokens(gpu, tmp_path, columns, scales, shape):
    """One scale, or one a column, which is the last dimension however many there are."""
    rng, node, count = np.random.default_rng(0), helper.make_node, min(scales, columns)
    constants = {
        "s": np.float32(0.05),
        "z": np.uint8(128),
        "w": rng.integers(-127, 128, (8, columns)).astype(np.int8),
        "ws": rng.uniform(0.002, 0.01, count).astype(np.float32) if scales > 1 else np.float32(0.005),
        "wz": np.zeros(count if scales > 1 else (), np.int8),
    }
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["a"]),
        node("DequantizeLinear", ["a", "s", "z"], ["b"]),
        node("DequantizeLinear", ["w", "ws", "wz"], ["c"], **({"axis": 1} if scales > 1 else {})),
        node("MatMul", ["b", "c"], ["d"]),
        node("QuantizeLinear", ["d", "s", "z"], ["e"]),
        node("DequantizeLinear", ["e", "s", "z"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants, opset=18)
    x = rng.standard_normal(shape).astype(np.float32)
    session = session_for(gpu, path)
    found = session.run({"x": x})["y"]
    session.close()
    whole = np.clip(np.rint(x / constants["s"]), -128, 127) @ constants["w"].astype(np.float64)
    expected = np.clip(np.rint(whole * constants["ws"]), -128, 127) * constants["s"]
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("clip", ["Clip", "Relu"])
def test_activation_before_rounding(gpu, tmp_path, kind, clip):
    build = Builder(kind)
    q = build.quantize("x", 0.02, 121)
    build.add("Conv", [q, *build.weights("c", (8, 8, 1, 1), 0.02)], "c")
    build.constants |= {"low": np.float32(0).reshape(()), "high": np.float32(6).reshape(())}
    build.add(clip, ["c", "low", "high"] if clip == "Clip" else ["c"], "a")
    path = build.save(tmp_path, (1, 8, 9, 9), build.quantize("a", 6 / 255, 0))
    check_equal(gpu, path, (1, 8, 9, 9), dispatches=2)


@pytest.mark.parametrize("kind", TYPES)
def test_residual(gpu, tmp_path, kind):
    """A value with two readers, added to what is computed from it; the sum joins the second convolution's
    dispatch.
    """
    build = Builder(kind)
    q = build.quantize("x", 0.03, 128)
    build.add("Conv", [q, *build.weights("c", (12, 12, 1, 1), 0.03)], "c")
    a = build.quantize("c", 0.051, 125)
    build.add("Conv", [a, *build.weights("d", (12, 1, 3, 3), 0.051)], "d", pads=[1, 1, 1, 1], group=12)
    d = build.quantize("d", 0.062, 140)
    build.add("Add", [a, d], "s")
    path = build.save(tmp_path, (1, 12, 20, 20), build.quantize("s", 0.073, 120))
    check_equal(gpu, path, (1, 12, 20, 20), dispatches=3)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("shape", [(1, 20, 7, 7), (2, 6, 9, 5)])
def test_global_mean(gpu, tmp_path, kind, shape):
    build = Builder(kind)
    q = build.quantize("x", 0.02, 100)
    build.add("GlobalAveragePool", [q], "m")
    check_equal(gpu, build.save(tmp_path, shape, build.quantize("m", 0.005, 110)), shape, dispatches=2)


def test_what_only_moves(gpu, tmp_path):
    """MaxPool, Concat of two scales, Reshape and Transpose between two roundings; Softmax of dequantized
    numbers last.
    """
    build = Builder("uint8")
    q = build.quantize("x", 0.02, 121)
    build.add("MaxPool", [q], "p", kernel_shape=[2, 2], strides=[2, 2])
    p = build.quantize("p", 0.02, 121)
    build.add("Conv", [p, *build.weights("c", (8, 8, 1, 1), 0.02)], "c")
    c = build.quantize("c", 0.05, 120)
    build.add("Concat", [p, c], "j", axis=1)
    build.constants |= {"s": np.array([1, 2, 8, 16]), "t": np.array([1, 16, 16])}
    build.add("Reshape", ["j", "s"], "r")
    build.add("Transpose", ["r"], "u", perm=[0, 2, 1, 3])
    build.add("Reshape", ["u", "t"], "v")
    path = build.save(tmp_path, (1, 8, 8, 8), build.quantize("v", 0.05, 120))
    check_equal(gpu, path, (1, 8, 8, 8))


def test_float_operators_between_roundings(gpu, tmp_path):
    """A Sigmoid has no integer form here: it is computed in floating point, and may round to a neighbor."""
    build = Builder("uint8")
    q = build.quantize("x", 0.02, 121)
    build.add("Sigmoid", [q], "g")
    path = build.save(tmp_path, (1, 8, 8, 8), build.quantize("g", 1 / 255, 0))
    feeds = {"x": np.random.default_rng(7).standard_normal((1, 8, 8, 8)).astype(np.float32)}
    session = session_for(gpu, path)
    (actual,), (expected,) = session.run(feeds).values(), integer_reference(path, feeds).values()
    session.close()
    assert np.abs(actual - expected).max() <= 1.01 / 255


def test_rounding_at_ties(gpu, tmp_path):
    """A picture scaled to -1..1 lies on ties of the grid 1/127.5 around 127: each depends on the exact
    quotient.
    """
    build = Builder("uint8")
    path = build.save(tmp_path, (1, 1, 16, 16), build.quantize("x", 0.007843138, 127))
    picture = np.arange(256).reshape(1, 1, 16, 16)
    for feeds in ({"x": picture / 127.5 - 1}, {"x": (picture - 127.5) * 0.007843138}):
        feeds = {name: array.astype(np.float32) for name, array in feeds.items()}
        session = session_for(gpu, path)
        (actual,), (expected,) = session.run(feeds).values(), integer_reference(path, feeds).values()
        session.close()
        np.testing.assert_array_equal(actual, expected)


def photographs(folder, count):
    """Center squares as (1, 3, 224, 224), -1..1."""
    from PIL import Image

    files = sorted(folder.glob("*.jpg"))
    for path in files[:: len(files) // count][:count]:
        with Image.open(path) as image:
            side = min(image.size)
            left, top = (image.width - side) // 2, (image.height - side) // 2
            square = image.convert("RGB").crop((left, top, left + side, top + side)).resize((224, 224))
            yield (np.asarray(square, np.float32) / 127.5 - 1).transpose(2, 0, 1)[None]


@pytest.mark.parametrize(("kind", "zero"), [(np.uint8, 107), (np.int8, -5), (np.uint8, 255)])
@pytest.mark.parametrize("known", ["nothing", "scale", "everything"])
def test_what_is_not_finite_saturates(gpu, tmp_path, kind, zero, known):
    """Infinities at the ends of the range, NaN at the lower one, as in onnxruntime: with a computed scale,
    folded into one step, and of constants.
    """
    x = np.array([np.nan, -np.nan, np.inf, -np.inf, 3e38, -3e38, 0.0, 1.0], np.float32)
    scale = np.float32(0.05181623)
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "zero"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "s", "zero"], ["y"]),
    ]
    constants = {"zero": np.array(zero, kind)}
    if known == "nothing":
        nodes.insert(0, helper.make_node("ReduceMax", ["t"], ["s"], keepdims=0))
    else:
        constants["s"] = np.array(scale)
    feeds = {} if known == "everything" else {"x": x}
    feeds |= {"t": np.array([scale])} if known == "nothing" else {}
    constants |= {"x": x} if known == "everything" else {}
    shapes = {name: array.shape for name, array in feeds.items()}
    path = save(tmp_path / "m.onnx", nodes, shapes, "y", constants)
    session = session_for(gpu, path)
    found = session.run(feeds)["y"]
    session.close()
    limits = np.iinfo(kind)
    whole = np.array([limits.min, limits.min, limits.max, limits.min, limits.max, limits.min, zero])
    np.testing.assert_allclose(found[:7], (whole - zero) * scale, rtol=1e-6)


@pytest.mark.parametrize(
    "x", [[0.0] * 5, [0.5, -2.0, 7.0], [1.0, 2.0, 3.0], [-3.0, -0.25, -1.0], [1e-3, 0, 0]]
)
def test_dynamic_quantization(gpu, tmp_path, x):
    """Of zeros the scale is 1, as in onnxruntime, and not 0."""
    outputs = ("y", "scale", "zero")
    check_node(
        gpu, tmp_path, "DynamicQuantizeLinear", {"x": np.array(x, np.float32)}, outputs=outputs, opset=11
    )


@pytest.mark.shared
def test_network(gpu, shared):
    """All outputs to within a rounding of Softmax: with equal integers before it, far less than one quantum
    of the logits (6 %).
    """
    path = shared / "models" / "classify" / "mobilenet_v2_1.0_224_qdq.onnx"
    session = session_for(gpu, path)
    assert session.dispatch_count <= 58
    for picture in photographs(shared / "images" / "eval", 3):
        (actual,) = session.run({"input": picture}).values()
        (expected,) = integer_reference(path, {"input": picture}).values()
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-7)
        np.testing.assert_array_equal(
            np.argsort(-actual[0], kind="stable")[:5], np.argsort(-expected[0], kind="stable")[:5]
        )
    session.close()


def test_qlinear_operators(gpu, tmp_path):
    """QLinearConv with a bias, then QLinearMatMul, in onnxruntime's own integer kernels."""
    random = np.random.default_rng(5)
    constants = {
        "s": np.float32(0.02).reshape(()), "z": np.uint8(121).reshape(()),
        "w": random.integers(0, 256, (6, 5, 3, 3)).astype(np.uint8), "ws": np.float32(0.01).reshape(()),
        "wz": np.uint8(130).reshape(()), "b": random.integers(-2000, 2000, 6).astype(np.int32),
        "cs": np.float32(0.09).reshape(()), "cz": np.uint8(118).reshape(()),
        "m": random.integers(0, 256, (24, 7)).astype(np.uint8), "ms": np.float32(0.013).reshape(()),
        "mz": np.uint8(125).reshape(()), "ys": np.float32(0.3).reshape(()), "yz": np.uint8(120).reshape(()),
        "to": np.array([1, -1]),
    }  # fmt: skip
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        node("QLinearConv", ["q", "s", "z", "w", "ws", "wz", "cs", "cz", "b"], ["c"]),
        node("Reshape", ["c", "to"], ["r"]),
        node("QLinearMatMul", ["r", "cs", "cz", "m", "ms", "mz", "ys", "yz"], ["y8"]),
        node("DequantizeLinear", ["y8", "ys", "yz"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 5, 4, 4)}, "y", constants)
    feeds = {"x": random.standard_normal((1, 5, 4, 4)).astype(np.float32)}
    session = session_for(gpu, path)
    (actual,), (expected,) = session.run(feeds).values(), integer_reference(path, feeds).values()
    session.close()
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.shared
def test_network_of_qlinear_operators(gpu, shared):
    """Dequantized logits, each number equal."""
    path = shared / "models" / "classify" / "shufflenet-v2-12-int8.onnx"
    session = session_for(gpu, path)
    for picture in photographs(shared / "images" / "eval", 2):
        (actual,), (expected,) = (
            session.run({"input": picture * 2}).values(),
            integer_reference(path, {"input": picture * 2}).values(),
        )
        np.testing.assert_array_equal(actual, expected)
    session.close()
