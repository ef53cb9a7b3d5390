"""Each operator against onnxruntime on small random tensors, with the kernels of a small and of a large GPU."""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import check, save, session_for
from onnx import helper

from desktop.base.errors import ModelUnsupportedError

node = helper.make_node


def rand(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def run_one(
    gpu, tmp_path, op, shapes, constants=None, opset=13, workgroups=None, tolerance=1e-5, **attributes
):
    """A model of one node whose inputs are `shapes` then `constants`."""
    names = [f"x{i}" for i in range(len(shapes))]
    constants = constants or {}
    made = node(op, [*names, *constants], ["y"], **attributes)
    path = save(tmp_path / "m.onnx", [made], dict(zip(names, shapes, strict=True)), "y", constants, opset)
    feeds = {name: rand(i + 1, *shape) for i, (name, shape) in enumerate(zip(names, shapes, strict=True))}
    return check(gpu, path, feeds, workgroups=workgroups, tolerance=tolerance)


CONVOLUTIONS = [
    # x, w, attributes
    ((1, 3, 9, 11), (8, 3, 3, 3), {"pads": [1, 1, 1, 1]}),
    ((1, 3, 9, 11), (5, 3, 3, 3), {"pads": [0, 0, 1, 1], "strides": [2, 2]}),
    ((2, 7, 6, 5), (6, 7, 1, 1), {}),
    ((1, 6, 8, 8), (9, 6, 3, 2), {"dilations": [2, 1], "pads": [2, 0, 1, 1]}),
    ((1, 64, 4, 4), (12, 64, 1, 1), {}),
    ((1, 5, 7, 7), (5, 1, 3, 3), {"group": 5, "pads": [1, 1, 1, 1]}),
    ((2, 8, 7, 9), (8, 1, 5, 3), {"group": 8, "pads": [2, 0, 2, 1], "strides": [2, 1]}),
    ((1, 6, 9, 9), (6, 1, 3, 3), {"group": 6, "pads": [2, 2, 2, 2], "dilations": [2, 2]}),
    ((1, 5, 7, 7), (10, 1, 3, 3), {"group": 5, "pads": [1, 1, 1, 1]}),  # several results of a channel
    ((2, 6, 9, 8), (18, 1, 2, 3), {"group": 6, "strides": [2, 1], "pads": [1, 1, 0, 1]}),
    ((1, 4, 6, 7), (16, 1, 3, 5), {"group": 4, "dilations": [1, 2], "pads": [1, 2, 1, 2]}),
    ((1, 3, 6, 6), (21, 1, 7, 7), {"group": 3, "pads": [3, 3, 3, 3]}),
    ((1, 16, 5, 5), (32, 1, 3, 3), {"group": 16}),
    ((1, 4, 10), (8, 1, 3), {"group": 4, "pads": [1, 1]}),
    ((1, 4, 4, 6, 5), (12, 1, 3, 3, 3), {"group": 4, "pads": [1] * 6}),
    ((1, 6, 5, 5), (4, 3, 3, 3), {"group": 2}),
    ((1, 4, 6, 6), (8, 4, 3, 3), {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
    ((1, 4, 10), (6, 4, 3), {"pads": [1, 1]}),
]


@pytest.mark.parametrize("workgroups", [1, 4, 128])
@pytest.mark.parametrize(("x", "w", "attributes"), CONVOLUTIONS)
def test_conv(gpu, tmp_path, x, w, attributes, workgroups):
    constants = {"w": rand(8, *w), "b": rand(9, w[0])}
    assert run_one(gpu, tmp_path, "Conv", [x], constants, workgroups=workgroups, **attributes) <= 2


@pytest.mark.parametrize("shape", [(1, 16, 24, 24), (2, 20, 17, 19)])
@pytest.mark.parametrize("kernel", [1, 3])
@pytest.mark.parametrize("channels", [31, 70])
def test_staged_conv(gpu, tmp_path, shape, kernel, channels):
    """`workgroups=2` makes the product large enough for the kernel with workgroup memory."""
    constants = {"w": rand(8, channels, shape[1], kernel, kernel), "b": rand(9, channels)}
    run_one(gpu, tmp_path, "Conv", [shape], constants, workgroups=2, pads=[kernel // 2] * 4)


@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("Relu", {}),
        ("Sigmoid", {}),
        ("Tanh", {}),
        ("Elu", {"alpha": 0.7}),
        ("LeakyRelu", {}),
        ("HardSigmoid", {}),
    ],
)
def test_activation(gpu, tmp_path, op, attributes):
    assert run_one(gpu, tmp_path, op, [(2, 5, 3, 4)], **attributes) == 1


def test_hard_swish(gpu, tmp_path):
    assert run_one(gpu, tmp_path, "HardSwish", [(1, 6, 3, 4)], opset=14) == 1


@pytest.mark.parametrize("bounds", [(-0.5, 0.25), (0.0, np.inf)])
def test_clip(gpu, tmp_path, bounds):
    constants = {"low": np.float32(bounds[0]), "high": np.float32(bounds[1])}
    run_one(gpu, tmp_path, "Clip", [(1, 3, 4, 4)], {k: np.asarray(v) for k, v in constants.items()})


def test_clip_with_attributes(gpu, tmp_path):
    run_one(gpu, tmp_path, "Clip", [(1, 3, 4, 4)], opset=10, min=-0.5, max=0.5)


@pytest.mark.parametrize("op", ["Add", "Sub", "Mul", "Div"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((2, 5, 3, 4), (2, 5, 3, 4)),
        ((2, 5, 3, 4), (5, 1, 1)),
        ((1, 5, 1, 1), (1, 5, 3, 4)),
        ((2, 5, 3, 4), (2, 1, 3, 4)),
        ((2, 5, 3, 4), (1, 1, 3, 1)),
        ((2, 5, 3, 4), (4,)),
        ((3, 7), (7,)),
    ],
)
def test_binary(gpu, tmp_path, op, a, b):
    run_one(gpu, tmp_path, op, [a, b], tolerance=1e-5)


def test_sum(gpu, tmp_path):
    assert run_one(gpu, tmp_path, "Sum", [(1, 6, 3, 4), (1, 6, 3, 4), (1, 6, 1, 1)]) == 1


def test_prelu(gpu, tmp_path):
    run_one(gpu, tmp_path, "PRelu", [(1, 6, 3, 4)], {"slope": rand(4, 6, 1, 1)})


POOLS = [
    ((1, 5, 9, 9), {"kernel_shape": [3, 3], "strides": [2, 2]}),
    ((2, 8, 8, 7), {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]}),
    ((1, 4, 9, 10), {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}),
    ((1, 4, 12), {"kernel_shape": [4], "strides": [4]}),
]


@pytest.mark.parametrize(("shape", "attributes"), POOLS)
@pytest.mark.parametrize("op", ["MaxPool", "AveragePool"])
def test_pool(gpu, tmp_path, op, shape, attributes):
    run_one(gpu, tmp_path, op, [shape], **attributes)


def test_average_pool_counts_padding(gpu, tmp_path):
    attributes = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1], "count_include_pad": 1}
    run_one(gpu, tmp_path, "AveragePool", [(1, 4, 9, 9)], **attributes)


@pytest.mark.parametrize("shape", [(1, 5, 3, 3), (2, 40, 9, 8), (1, 8, 50)])
def test_global_average_pool(gpu, tmp_path, shape):
    run_one(gpu, tmp_path, "GlobalAveragePool", [shape])


@pytest.mark.parametrize("keepdims", [0, 1])
def test_reduce_mean_over_pixels(gpu, tmp_path, keepdims):
    run_one(gpu, tmp_path, "ReduceMean", [(2, 10, 7, 7)], axes=[2, 3], keepdims=keepdims)


@pytest.mark.parametrize(
    ("shape", "opset", "attributes"),
    [
        ((1, 1001), 13, {"axis": -1}),
        ((2, 5, 3, 4), 13, {"axis": 1}),
        ((2, 5, 3, 4), 11, {}),
        ((1, 1000, 1, 1), 7, {}),
        ((3, 10), 13, {}),
    ],
)
def test_softmax(gpu, tmp_path, shape, opset, attributes):
    run_one(gpu, tmp_path, "Softmax", [shape], opset=opset, **attributes)


@pytest.mark.parametrize(("transposed", "batch"), [(0, 1), (1, 3)])
def test_gemm(gpu, tmp_path, transposed, batch):
    b = rand(5, 10, 19) if transposed else rand(5, 19, 10)
    run_one(
        gpu,
        tmp_path,
        "Gemm",
        [(batch, 19)],
        {"b": b, "c": rand(6, 10)},
        transB=transposed,
        alpha=0.5,
        beta=2.0,
    )


def test_mat_mul(gpu, tmp_path):
    run_one(gpu, tmp_path, "MatMul", [(3, 19)], {"b": rand(5, 19, 10)})


def test_batch_normalization(gpu, tmp_path):
    constants = {"scale": rand(1, 5), "bias": rand(2, 5), "mean": rand(3, 5), "var": np.abs(rand(4, 5)) + 0.1}
    run_one(gpu, tmp_path, "BatchNormalization", [(2, 5, 3, 4)], constants)


@pytest.mark.parametrize("channels", [(8, 4), (5, 3), (8, 3)])
@pytest.mark.parametrize("last", [False, True])
def test_concat(gpu, tmp_path, channels, last):
    """As the network's output, and between element-wise nodes."""
    names = ["x0", "x1"]
    nodes = [node("Concat", names, ["c"], axis=1), node("Relu", ["c"], ["r"]), node("Sub", ["c", "r"], ["y"])]
    if last:
        nodes = [node("Concat", names, ["y"], axis=1)]
    shapes = {name: (1, c, 3, 4) for name, c in zip(names, channels, strict=True)}
    path = save(tmp_path / "m.onnx", nodes, shapes, "y")
    check(gpu, path, {name: rand(i, *shape) for i, (name, shape) in enumerate(shapes.items())})


@pytest.mark.parametrize("axis", [0, 2, -1])
def test_concat_along_other_axes(gpu, tmp_path, axis):
    run_one(gpu, tmp_path, "Concat", [(2, 8, 3, 4), (2, 8, 3, 4)], axis=axis)


@pytest.mark.parametrize("order", [(0, 2, 3, 1), (0, 3, 1, 2), (3, 2, 1, 0)])
def test_transpose(gpu, tmp_path, order):
    run_one(gpu, tmp_path, "Transpose", [(2, 8, 3, 4)], perm=order)


def between(gpu, tmp_path, made, constants=None, shape=(2, 8, 6, 5), opset=13):
    """A node between two element-wise ones, so that it reads and writes inner tensors."""
    nodes = [node("Sigmoid", ["x"], ["a"]), made, node("Relu", ["b"], ["r"]), node("Sub", ["b", "r"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants, opset)
    check(gpu, path, {"x": rand(1, *shape)})


def test_transpose_of_inner_tensors(gpu, tmp_path):
    between(gpu, tmp_path, node("Transpose", ["a"], ["b"], perm=(0, 2, 3, 1)))


@pytest.mark.parametrize(
    ("starts", "ends", "axes", "steps"),
    [
        ([1, 2], [7, 100], [1, 2], [1, 1]),
        ([0, 1], [8, -1], [1, 3], [2, 2]),
        ([-1, 4], [-(2**31), 0], [1, 2], [-1, -2]),
    ],
)
def test_slice(gpu, tmp_path, starts, ends, axes, steps):
    constants = {k: np.array(v) for k, v in {"s": starts, "e": ends, "axes": axes, "steps": steps}.items()}
    between(gpu, tmp_path, node("Slice", ["a", *constants], ["b"]), constants)


def test_slice_with_attributes(gpu, tmp_path):
    between(gpu, tmp_path, node("Slice", ["a"], ["b"], starts=[1], ends=[3], axes=[2]), opset=9)


def test_split(gpu, tmp_path):
    nodes = [
        node("Sigmoid", ["x"], ["a"]),
        node("Split", ["a", "sizes"], ["p", "q", "r"], axis=1),
        node("Concat", ["r", "p", "q"], ["y"], axis=1),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 12, 3, 4)}, "y", {"sizes": np.array([4, 3, 5])})
    check(gpu, path, {"x": rand(1, 2, 12, 3, 4)})


@pytest.mark.parametrize(
    ("op", "constants", "attributes"),
    [
        ("Reshape", {"s": np.array([0, -1])}, {}),
        ("Flatten", {}, {"axis": 1}),
        ("Unsqueeze", {"a": np.array([0])}, {}),
    ],
)
def test_views(gpu, tmp_path, op, constants, attributes):
    run_one(gpu, tmp_path, op, [(2, 5, 3, 4)], constants, **attributes)


def test_squeeze_after_pooling(gpu, tmp_path):
    nodes = [node("GlobalAveragePool", ["x"], ["p"]), node("Squeeze", ["p", "axes"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 5, 3, 4)}, "y", {"axes": np.array([2, 3])})
    check(gpu, path, {"x": rand(1, 2, 5, 3, 4)})


@pytest.mark.parametrize("shape", [(1, 6, 5, 7), (2, 12, 40, 33)])
def test_instance_normalization(gpu, tmp_path, shape):
    constants = {"scale": rand(4, shape[1]), "bias": rand(5, shape[1])}
    run_one(gpu, tmp_path, "InstanceNormalization", [shape], constants)


def test_instance_normalization_of_what_is_not_finite(gpu, tmp_path):
    """A plane with an infinity or a NaN has no mean; a scale that is infinite makes infinities of the others."""
    x, scale = rand(1, 1, 5, 6, 7), np.array([1.0, 1.0, 1.0, np.inf, -np.inf], np.float32)
    x[0, 0, 2, 3], x[0, 1, 0, 0], x[0, 2, 5, 6] = np.inf, np.nan, -np.inf
    nodes = [node("InstanceNormalization", ["x", "scale", "bias"], ["y"])]
    constants = {"scale": scale, "bias": rand(5, 5)}
    session = session_for(gpu, save(tmp_path / "m.onnx", nodes, {"x": x.shape}, "y", constants))
    found = session.run({"x": x})["y"]
    session.close()
    assert np.isnan(found[0, :3]).all()
    off = x[0, 3:] - x[0, 3:].mean(axis=(1, 2), keepdims=True)
    np.testing.assert_array_equal(found[0, 3:], np.copysign(np.inf, off * np.sign(scale[3:, None, None])))


def test_instance_normalization_of_one_pixel_is_its_bias(gpu, tmp_path):
    """To the last digit, far from zero, too: onnxruntime's x * scale + shift is not."""
    constants = {"scale": 30 * rand(4, 6), "bias": rand(5, 6)}
    nodes = [node("InstanceNormalization", ["x", "scale", "bias"], ["y"])]
    session = session_for(gpu, save(tmp_path / "m.onnx", nodes, {"x": (2, 6, 1, 1)}, "y", constants))
    found = session.run({"x": 1000 * rand(1, 2, 6, 1, 1)})["y"]
    session.close()
    np.testing.assert_array_equal(found, np.broadcast_to(constants["bias"][None, :, None, None], found.shape))


def test_instance_normalization_of_an_even_bright_picture(gpu, tmp_path):
    """The variance must not cancel where the mean is far larger than the deviation."""
    path = save(
        tmp_path / "m.onnx",
        [node("InstanceNormalization", ["x", "scale", "bias"], ["y"])],
        {"x": (1, 4, 20, 30)},
        "y",
        {"scale": rand(4, 4), "bias": rand(5, 4)},
    )
    check(gpu, path, {"x": 1000 + rand(1, 1, 4, 20, 30)}, tolerance=2e-3)


@pytest.mark.parametrize(
    "attributes",
    [
        {"strides": [2, 2]},
        {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]},
        {"strides": [3, 2], "pads": [0, 1, 2, 0], "dilations": [1, 2]},
        {"strides": [1, 1], "pads": [2, 2, 2, 2]},
        {"strides": [2, 2], "output_shape": [11, 13]},
        {"strides": [2, 2], "auto_pad": "SAME_UPPER"},
        {"strides": [2, 2], "auto_pad": "SAME_LOWER"},
    ],
)
def test_conv_transpose(gpu, tmp_path, attributes):
    constants = {"w": rand(8, 6, 5, 3, 3), "b": rand(9, 5)}
    run_one(gpu, tmp_path, "ConvTranspose", [(2, 6, 6, 7)], constants, **attributes)


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge", "wrap"])
@pytest.mark.parametrize("pads", [[0, 0, 2, 1, 0, 0, 3, 2], [0, 0, -1, 2, 0, 0, 1, -2]])
def test_pad(gpu, tmp_path, mode, pads):
    if mode == "wrap" and min(pads) < 0:
        with pytest.raises(ModelUnsupportedError, match="wrapping and cropping"):
            run_one(gpu, tmp_path, "Pad", [(2, 5, 6, 7)], {"pads": np.array(pads)}, opset=19, mode=mode)
        return
    run_one(gpu, tmp_path, "Pad", [(2, 5, 6, 7)], {"pads": np.array(pads)}, opset=19, mode=mode)


def test_pad_with_a_value(gpu, tmp_path):
    constants = {"pads": np.array([0, 0, 2, 1, 0, 0, 3, 2]), "value": np.array(1.5, np.float32)}
    run_one(gpu, tmp_path, "Pad", [(2, 5, 6, 7)], constants)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])
@pytest.mark.parametrize("sizes", [(2, 5, 12, 14), (2, 5, 9, 4), (2, 5, 1, 10)])
def test_resize(gpu, tmp_path, mode, coordinates, sizes):
    constants = {"roi": np.zeros(0, np.float32), "scales": np.zeros(0, np.float32), "sizes": np.array(sizes)}
    attributes = {"mode": mode, "coordinate_transformation_mode": coordinates}
    run_one(gpu, tmp_path, "Resize", [(2, 5, 6, 7)], constants, **attributes)


@pytest.mark.parametrize("rounding", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
def test_resize_rounding(gpu, tmp_path, rounding):
    constants = {"roi": np.zeros(0, np.float32), "scales": np.array([1, 1, 1.5, 0.75], np.float32)}
    run_one(gpu, tmp_path, "Resize", [(1, 4, 8, 8)], constants, mode="nearest", nearest_mode=rounding)


@pytest.mark.parametrize("rounding", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
@pytest.mark.parametrize("place", ["half_pixel", "asymmetric", "pytorch_half_pixel"])
@pytest.mark.parametrize("factor", [0.7, 0.3, 1.2, 1.3, 2.6])
def test_nearest_pixels_at_a_tie(gpu, tmp_path, rounding, place, factor):
    """Decided in float32, as in onnxruntime: 7 / 0.7 is 10, and not 10.0000002, whose ceiling is 11."""
    constants = {"roi": np.zeros(0, np.float32), "scales": np.array([1, 1, 1, factor], np.float32)}
    given = {"coordinate_transformation_mode": place, "nearest_mode": rounding}
    run_one(gpu, tmp_path, "Resize", [(1, 4, 2, 41)], constants, mode="nearest", tolerance=0.0, **given)


def test_upsample(gpu, tmp_path):
    constants = {"scales": np.array([1, 1, 2, 3], np.float32)}
    run_one(gpu, tmp_path, "Upsample", [(1, 4, 5, 6)], constants, opset=9, mode="linear")


@pytest.mark.parametrize("op", ["Exp", "Abs", "Neg", "Floor", "Ceil", "Reciprocal"])
def test_unary(gpu, tmp_path, op):
    run_one(gpu, tmp_path, op, [(2, 5, 3, 4)])


@pytest.mark.parametrize("op", ["Sqrt", "Log"])
def test_unary_of_positive_numbers(gpu, tmp_path, op):
    path = save(tmp_path / "m.onnx", [node(op, ["x"], ["y"])], {"x": (2, 5, 3, 4)}, "y")
    check(gpu, path, {"x": np.abs(rand(1, 2, 5, 3, 4)) + 0.1})


@pytest.mark.parametrize("size", [1, 5, 9])
def test_lrn(gpu, tmp_path, size):
    run_one(gpu, tmp_path, "LRN", [(2, 7, 3, 4)], size=size, alpha=0.5, beta=0.7, bias=1.5)


def test_local_response_of_what_is_not_finite(gpu, tmp_path):
    """By the formula, in float64: onnxruntime slides the sum of squares, so that an infinity spreads over all
    later channels.
    """
    x = rand(1, 1, 9, 2, 3)
    x[0, 3, 0, 0], x[0, 3, 1, 1], x[0, 7, 1, 2], x[0, 2, 0, 2] = np.nan, np.inf, -np.inf, 1e12
    nodes = [node("LRN", ["x"], ["y"], size=3, alpha=0.1)]
    session = session_for(gpu, save(tmp_path / "m.onnx", nodes, {"x": x.shape}, "y"))
    found = session.run({"x": x})["y"]
    session.close()
    squares = np.pad(x.astype(np.float64) ** 2, [(0, 0), (1, 1), (0, 0), (0, 0)])
    with np.errstate(invalid="ignore"):
        want = x * (1 + 0.1 / 3 * (squares[:, :-2] + squares[:, 1:-1] + squares[:, 2:])) ** -0.75
    np.testing.assert_array_equal(np.isnan(found), np.isnan(want))
    np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize("op", ["Min", "Max"])
def test_min_and_max(gpu, tmp_path, op):
    run_one(gpu, tmp_path, op, [(2, 5, 3, 4), (5, 1, 1)])


@pytest.mark.parametrize("axis", [1, 2])
def test_gather_of_one_index(gpu, tmp_path, axis):
    between(gpu, tmp_path, node("Gather", ["a", "i"], ["b"], axis=axis), {"i": np.array(-2)})


def test_shapes_are_known_when_built(gpu, tmp_path):
    """Shape, Gather, Unsqueeze and Concat on constants leave one Reshape."""
    nodes = [
        node("Relu", ["x"], ["a"]),
        node("Shape", ["a"], ["s"]),
        node("Gather", ["s", "zero"], ["n"], axis=0),
        node("Unsqueeze", ["n", "first"], ["n1"]),
        node("Concat", ["n1", "rest"], ["to"], axis=0),
        node("Reshape", ["a", "to"], ["y"]),
    ]
    constants = {"zero": np.array(0), "first": np.array([0]), "rest": np.array([-1])}
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 8, 3, 4)}, "y", constants)
    assert check(gpu, path, {"x": rand(1, 2, 8, 3, 4)}) <= 3
