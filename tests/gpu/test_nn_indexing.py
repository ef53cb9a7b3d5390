"""Operators that find numbers by index or by place: Gather, Scatter, TopK, OneHot, Resize, GridSample,
against onnxruntime and NumPy.
"""

from __future__ import annotations

import tempfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nn_cases import check, check_node, needs_halves, save, session_for
from onnx import helper

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ops import sorting
from desktop.compute.nn.ops.boxes import fold_non_max_suppression
from desktop.compute.nn.ops.signal import mel_weight_matrix

SEARCH = settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def rand(shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def values(shape, dtype="float32", seed=1):
    return np.random.default_rng(seed).integers(0, 100, shape).astype(dtype)


def indices(size, shape, seed=3):
    """int64 indices into an axis of `size`, from either end."""
    return np.random.default_rng(seed).integers(-size, size, shape)


def ints(*numbers):
    return np.array(numbers, np.int64)


# -- Gather --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 3)])
@pytest.mark.parametrize("known", [True, False])
def test_gather(gpu, tmp_path, dtype, axis, shape, known):
    x = {"x": values((3, 5, 4), dtype)}
    i = {"i": np.asarray(indices((3, 5, 4)[axis], shape))}
    check_node(gpu, tmp_path, "Gather", x if known else x | i, i if known else {}, axis=axis)


def test_gather_from_a_table_by_computed_words(gpu, tmp_path):
    check_node(gpu, tmp_path, "Gather", {"x": rand((50, 8)), "i": indices(50, (2, 7)).astype(np.int32)})


@pytest.mark.parametrize("axis", [1, 2])
def test_gather_of_inner_channels_last_tensors(gpu, tmp_path, axis):
    nodes = [
        helper.make_node("Neg", ["x"], ["a"]),
        helper.make_node("Gather", ["a", "i"], ["b"], axis=axis),
        helper.make_node("Neg", ["b"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 7, 5, 3)}, "y", {"i": ints(4, 0, -1, 2, 2)})
    check(gpu, path, {"x": rand((2, 7, 5, 3))}, tolerance=0.0)


def test_gather_refuses_an_index_outside(gpu, tmp_path):
    with pytest.raises(ModelUnsupportedError, match="outside"):
        check_node(gpu, tmp_path, "Gather", {"x": rand((3, 2))}, {"i": ints(3)})


@SEARCH
@given(st.data())
def test_gather_elements(gpu, data):
    shape = data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    wanted = [data.draw(st.integers(1, n)) for n in shape]
    wanted[axis] = data.draw(st.integers(0, 7))
    feeds = {"x": rand(shape), "i": indices(shape[axis], wanted)}
    with tempfile.TemporaryDirectory() as folder:
        check_node(gpu, folder, "GatherElements", feeds, axis=axis)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize(
    ("batch", "shape"), [(0, (4, 2)), (0, (3, 2, 3)), (1, (3, 1)), (1, (3, 5, 2)), (2, (3, 4, 1))]
)
def test_gather_nd(gpu, tmp_path, dtype, batch, shape):
    feeds = {"x": values((3, 4, 5), dtype), "i": indices(3, shape)}
    check_node(gpu, tmp_path, "GatherND", feeds, batch_dims=batch)


# -- Scatter -------------------------------------------------------------------------------------------------

REDUCTIONS = ["add", "mul", "max", "min"]


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_scatter_elements(gpu, tmp_path, dtype, axis):
    shape = (3, 4, 5)
    each = np.argsort(rand((2, 3, 4), 5), axis=axis) - 2  # distinct along the axis, some from the end
    feeds = {"x": values(shape, dtype), "i": each, "u": values((2, 3, 4), dtype, 7)}
    check_node(gpu, tmp_path, "ScatterElements", feeds, axis=axis)
    check_node(gpu, tmp_path, "Scatter", feeds, axis=axis, opset=10)


@pytest.mark.parametrize("dtype", ["float32", "int64"])
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("axis", [0, 1])
def test_scatter_elements_that_meet(gpu, tmp_path, dtype, reduction, axis):
    x, u = values((3, 6), dtype) % 5, values((3, 4), dtype, 7) % 5
    feeds = {"x": x.astype(dtype), "i": indices(3, (3, 4)), "u": u.astype(dtype)}
    check_node(gpu, tmp_path, "ScatterElements", feeds, axis=axis, reduction=reduction)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("known", [False, True])
def test_scatter_elements_that_meet_nan(gpu, tmp_path, reduction, known):
    """It stays, whether the number or the update is it, and whether the network or its compiler computes it."""
    x, u = np.float32([1, np.nan, 3, 4]), np.float32([np.nan, 5, 2, 6])
    feeds, node = {"x": x, "u": u}, helper.make_node
    nodes = [
        node("ScatterElements", ["x", "i", "u"], ["c"], reduction=reduction),
        node("Add", ["c", "z"], ["y"]),
    ]
    zero = {"z": np.zeros(4, np.float32)}
    constants = {"i": ints(0, 1, 2, -2), **(feeds if known else zero)}
    feeds = zero if known else feeds
    path = save(tmp_path / "m.onnx", nodes, dict.fromkeys(feeds, (4,)), "y", constants, opset=18)
    session = session_for(gpu, path)
    found = session.run(feeds)["y"]
    session.close()
    third = {"add": 11.0, "mul": 36.0, "max": 6.0, "min": 2.0}[reduction]
    np.testing.assert_array_equal(found, np.float32([np.nan, np.nan, third, 4]))


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_scatter_nd(gpu, tmp_path, depth, dtype):
    shape = (4, 3, 5)
    places = (
        np.stack(np.unravel_index([1, 3, 0], shape[:depth]), axis=1)
        - ints(*shape[:depth]) * ints(0, 1, 0)[:depth]
    )
    feeds = {"x": values(shape, dtype), "i": places, "u": values((3, *shape[depth:]), dtype, 7)}
    check_node(gpu, tmp_path, "ScatterND", feeds)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_scatter_nd_that_meets(gpu, tmp_path, reduction, dtype):
    feeds = {"x": values((4, 3), dtype) % 7, "i": indices(3, (2, 5, 1)), "u": values((2, 5, 3), dtype, 7) % 3}
    feeds = {name: array if name == "i" else array.astype(dtype) for name, array in feeds.items()}
    check_node(gpu, tmp_path, "ScatterND", feeds, reduction=reduction)


def test_scatter_of_inner_channels_last_tensors(gpu, tmp_path):
    nodes = [
        helper.make_node("Neg", ["x"], ["a"]),
        helper.make_node("ScatterElements", ["a", "i", "u"], ["b"], axis=1),
        helper.make_node("Relu", ["b"], ["y"]),
    ]
    constants = {"i": np.full((2, 1, 3, 3), 5), "u": rand((2, 1, 3, 3), 4)}
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 8, 3, 3)}, "y", constants)
    check(gpu, path, {"x": rand((2, 8, 3, 3))}, tolerance=0.0)


@pytest.mark.parametrize("mode", ["linear", "circular"])
def test_tensor_scatter(gpu, tmp_path, mode):
    """Against NumPy."""
    past, update, at = rand((2, 3, 6, 4)), rand((2, 3, 2, 4), 2), ints(1, 5 if mode == "circular" else 4)
    made = helper.make_node("TensorScatter", ["past", "update", "at"], ["y"], mode=mode)
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [made],
        "test",
        [info("past", 1, past.shape), info("update", 1, update.shape), info("at", 7, at.shape)],
        [info("y", 1, past.shape)],
    )
    path = tmp_path / "m.onnx"
    path.write_bytes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)]).SerializeToString()
    )
    session = session_for(gpu, path)
    actual = session.run({"past": past, "update": update, "at": at})["y"]
    session.close()
    expected = past.copy()
    for batch in range(2):
        for k in range(2):
            expected[batch, :, (at[batch] + k) % 6] = update[batch, :, k]
    np.testing.assert_array_equal(actual, expected)


# -- TopK, OneHot and what is known at build -----------------------------------------------------------------


@SEARCH
@given(st.data())
def test_top_k(gpu, data):
    shape = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    k = data.draw(st.integers(1, shape[axis]))
    dtype = data.draw(st.sampled_from(["float32", "int32", "int64"]))
    largest = data.draw(st.integers(0, 1))
    x = (values(shape, dtype) % 7 - 3).astype(dtype)  # many ties: the smaller index goes first
    with tempfile.TemporaryDirectory() as folder:
        check_node(
            gpu, folder, "TopK", {"x": x}, {"k": ints(k)}, outputs=("v", "i"), axis=axis, largest=largest
        )


@pytest.mark.parametrize("k", [0, 1, 5, 70])
def test_top_k_of_a_long_axis(gpu, tmp_path, monkeypatch, k):
    """In two and three stages."""
    monkeypatch.setattr(sorting, "_TILE", 64)
    x = np.round(rand((2, 700)) * 50)
    check_node(gpu, tmp_path, "TopK", {"x": x}, {"k": ints(k)}, outputs=("v", "i"))


@pytest.mark.parametrize("outputs", [("v",), ("v", ""), ("", "i")])
def test_top_k_with_one_output(gpu, tmp_path, outputs):
    """Against NumPy: onnxruntime asks for both."""
    x = rand((3, 8))
    made = helper.make_node("TopK", ["x", "k"], outputs)
    name = next(filter(None, outputs))
    path = save(tmp_path / "m.onnx", [made], {"x": x.shape}, name, {"k": ints(3)})
    session = session_for(gpu, path)
    actual = session.run({"x": x})[name]
    session.close()
    order = np.argsort(-x, axis=1)[:, :3]
    np.testing.assert_array_equal(actual, order if name == "i" else np.take_along_axis(x, order, 1))


def test_top_k_of_extreme_numbers(gpu, tmp_path):
    """Both zeros are equal, infinities in their places."""
    x = np.array([0.0, -0.0, np.inf, -np.inf, 1e-30, -1e-30, 3e38], np.float32)
    check_node(gpu, tmp_path, "TopK", {"x": x}, {"k": ints(7)}, outputs=("v", "i"))


def test_top_k_until_opset_9(gpu, tmp_path):
    check_node(gpu, tmp_path, "TopK", {"x": rand((2, 5, 3))}, outputs=("v", "i"), opset=9, k=2, axis=1)


@pytest.mark.parametrize("axis", [-1, 0, 1])
@pytest.mark.parametrize("kind", ["int64", "int32", "float32"])
def test_one_hot(gpu, tmp_path, axis, kind):
    feeds = {"x": ints(0, -1, 3, 7, -5, 2).reshape(2, 3).astype(kind), "v": np.float32([0.5, 2])}
    made = {"x": feeds["x"], "d": np.array(4, kind), "v": feeds["v"]}
    info = helper.make_tensor_value_info
    kinds = {name: helper.np_dtype_to_tensor_dtype(array.dtype) for name, array in made.items()}
    graph = helper.make_graph(
        [helper.make_node("OneHot", ["x", "d", "v"], ["y"], axis=axis)],
        "test",
        [info(name, kinds[name], made[name].shape) for name in feeds],
        [info("y", 1, None)],
        [helper.make_tensor("d", kinds["d"], (), [4])],
    )
    path = tmp_path / "m.onnx"
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    check(gpu, path, feeds, tolerance=0.0)


@pytest.mark.parametrize(
    ("condition", "attributes"),
    [([0, 1, 1], {"axis": 1}), ([1, 0], {"axis": -1}), ([0, 0, 1, 0, 0, 1, 1], {}), ([0, 0], {"axis": 0})],
)
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_compress(gpu, tmp_path, condition, attributes, dtype):
    constants = {"c": np.array(condition, bool)}
    check_node(gpu, tmp_path, "Compress", {"x": values((2, 4, 3), dtype)}, constants, **attributes)


@SEARCH
@given(st.integers(0, 2**16), st.integers(0, 1), st.sampled_from([0.1, 0.5, 0.9]), st.booleans())
def test_non_max_suppression_of_known_boxes(seed, center, iou, thresholded):
    """Against onnxruntime, on corners and on centers."""
    import onnxruntime

    rng = np.random.default_rng(seed)
    boxes = rng.uniform(0, 1, (2, 12, 4)).astype(np.float32)
    scores = rng.integers(0, 9, (2, 3, 12)).astype(np.float32) / 8
    inputs = {"b": boxes, "s": scores, "m": ints(5), "i": np.float32([iou])}
    if thresholded:
        inputs["t"] = np.float32([0.25])
    made = helper.make_node("NonMaxSuppression", list(inputs), ["y"], center_point_box=center)
    info = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for n, a in inputs.items()
    ]
    graph = helper.make_graph([made], "test", info, [helper.make_tensor_value_info("y", 7, [None, 3])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, inputs)[0]
    node = Node("NonMaxSuppression", "n", tuple(inputs), ("y",), {"center_point_box": center}, "", 11)
    np.testing.assert_array_equal(fold_non_max_suppression(node, list(inputs.values()))[0], expected)


def test_non_max_suppression_of_computed_boxes_is_refused(gpu, tmp_path):
    made = helper.make_node("NonMaxSuppression", ["b", "s", "m"], ["y"])
    constants = {"s": rand((1, 1, 6)), "m": ints(2)}
    path = save(tmp_path / "m.onnx", [made], {"b": (1, 6, 4)}, "y", constants)
    with pytest.raises(ModelUnsupportedError, match="follows from what the network computes"):
        session_for(gpu, path)


def test_mel_weight_matrix():
    import onnxruntime

    inputs = {
        "bins": np.array(8, np.int64),
        "length": np.array(64, np.int64),
        "rate": np.array(8192, np.int64),
        "low": np.array(100, np.float32),
        "high": np.array(4000, np.float32),
    }
    made = helper.make_node("MelWeightMatrix", list(inputs), ["y"])
    info = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), ())
        for n, a in inputs.items()
    ]
    graph = helper.make_graph([made], "test", info, [helper.make_tensor_value_info("y", 1, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, inputs)[0]
    node = Node("MelWeightMatrix", "n", tuple(inputs), ("y",), {}, "", 17)
    np.testing.assert_allclose(mel_weight_matrix(node, list(inputs.values()))[0], expected, atol=1e-6)


def not_numbers(shape, seed=5):
    """Floats, a third of which are no numbers: quiet ones of either sign (x86 makes those with it set) and
    signalling ones.
    """
    rng = np.random.default_rng(seed)
    kinds = np.array([0x7FC00000, 0xFFC00000, 0xFF800001, 0x7F800001], np.uint32).view(np.float32)
    x = rand(shape, seed)
    flat = x.reshape(-1)
    flat[rng.choice(flat.size, 3, replace=False)] = np.float32([np.inf, -np.inf, -0.0])
    places = rng.choice(flat.size, flat.size // 3, replace=False)
    flat[places] = kinds[rng.integers(0, 4, places.size)]
    return x


@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("shape", [(3, 12), (2, 700)])
def test_top_k_has_what_is_no_number_beyond_infinity(gpu, tmp_path, largest, shape):
    """Of either sign, the first of them first, as in ONNX Runtime; along an axis that is thinned out tile by
    tile, too.
    """
    x = {"x": not_numbers(shape)}
    for k in (1, 5, shape[1] // 2 + 3):
        check_node(gpu, tmp_path, "TopK", x, {"k": ints(k)}, outputs=("v", "i"), largest=largest)


@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("ArgMax", {"axis": 1}),
        ("ArgMin", {"axis": 1}),
        ("ArgMax", {"axis": 1, "select_last_index": 1}),
        ("ReduceMax", {}),
        ("ReduceMin", {}),
        ("Max", {}),
        ("Min", {}),
        ("Hardmax", {"axis": 1}),
        ("MaxPool", {"kernel_shape": [2]}),
        ("GlobalMaxPool", {}),
        ("Relu", {}),
        ("Clip", {}),
        ("Sign", {}),
        ("Softmax", {"axis": 1}),
    ],
)
def test_the_sign_of_what_is_no_number_decides_nothing(gpu, tmp_path, op, attributes):
    """Results are those of NaNs without it, which other tests compare with NumPy's."""
    x = not_numbers((2, 9, 7))
    plain = np.where(np.isnan(x), np.float32(np.nan), x)
    others = {"Max": ["o"], "Min": ["o"], "Clip": ["low", "high"]}.get(op, [])
    constants = {"o": rand((7,)), "low": np.float32(-0.5), "high": np.float32(0.5)}
    made = helper.make_node(op, ["x", *others], ["y"], **attributes)
    path = save(tmp_path / "m.onnx", [made], {"x": x.shape}, "y", {name: constants[name] for name in others})
    session = session_for(gpu, path)
    found, expected = (session.run({"x": each})["y"] for each in (x, plain))
    session.close()
    np.testing.assert_array_equal(found, expected)
    assert op.startswith("Arg") or op in ("Hardmax", "ReduceMax", "ReduceMin") or np.isnan(found).any()


# -- Resize --------------------------------------------------------------------------------------------------

NOTHING = np.zeros(0, np.float32)


def resize(gpu, folder, x, *, sizes=None, scales=None, roi=None, tolerance=2e-5, opset=19, **attributes):
    """The inputs that are left out are empty, as exporters write them."""
    constants = {
        "roi": NOTHING if roi is None else np.float32(roi),
        "scales": NOTHING if scales is None else np.float32(scales),
        "sizes": None if sizes is None else ints(*sizes),
    }
    if sizes is None:
        del constants["sizes"]
    check_node(gpu, folder, "Resize", {"x": x}, constants, tolerance=tolerance, opset=opset, **attributes)


@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])
@pytest.mark.parametrize("sizes", [(2, 3, 12, 14), (2, 3, 4, 9)])
@pytest.mark.parametrize("exclude", [0, 1])
def test_resize_cubic(gpu, tmp_path, coordinates, sizes, exclude):
    attributes = {"mode": "cubic", "coordinate_transformation_mode": coordinates, "exclude_outside": exclude}
    resize(gpu, tmp_path, rand((2, 3, 6, 7)), sizes=sizes, **attributes)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize(
    ("shape", "sizes"),
    [((2, 3, 5), (2, 3, 11)), ((1, 2, 3, 4, 5), (1, 2, 5, 3, 8)), ((2, 5, 6, 7), (2, 5, 3, 10))],
)
def test_resize_of_any_rank(gpu, tmp_path, mode, shape, sizes):
    resize(gpu, tmp_path, rand(shape), sizes=sizes, mode=mode)


@pytest.mark.parametrize("dtype", ["int32", "uint8", "int8"])
def test_resize_of_integers(gpu, tmp_path, dtype):
    resize(gpu, tmp_path, values((1, 2, 3, 4), dtype), sizes=(1, 2, 7, 5), mode="nearest", tolerance=0.0)


def test_resize_refuses_mixed_integers(gpu, tmp_path):
    with pytest.raises(ModelUnsupportedError, match="mode linear of integers"):
        resize(gpu, tmp_path, values((1, 2, 3, 4), "uint8"), sizes=(1, 2, 7, 5), mode="linear")


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("coordinates", ["half_pixel_symmetric", "half_pixel"])
def test_resize_by_a_scale_that_does_not_fit(gpu, tmp_path, mode, coordinates):
    attributes = {"mode": mode, "coordinate_transformation_mode": coordinates}
    resize(gpu, tmp_path, rand((1, 4, 5, 7)), scales=(1, 1, 1.7, 0.65), **attributes)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("axes", [[2, 3], [3, 2], [-1, -2]])
def test_resize_cropped(gpu, tmp_path, mode, axes):
    roi = [0.13, -0.21, 0.87, 1.12]
    attributes = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": -7.5}
    resize(gpu, tmp_path, rand((1, 4, 6, 7)), sizes=(5, 9), roi=roi, axes=axes, mode=mode, **attributes)


def test_resize_cropped_to_one_pixel(gpu, tmp_path):
    attributes = {"coordinate_transformation_mode": "tf_crop_and_resize", "mode": "linear"}
    resize(
        gpu,
        tmp_path,
        rand((1, 4, 6, 7)),
        sizes=(1, 4, 1, 3),
        roi=[0, 0, 0.13, 0.2, 1, 1, 0.71, 0.9],
        **attributes,
    )


@pytest.mark.parametrize("policy", ["not_larger", "not_smaller"])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_resize_that_keeps_the_aspect_ratio(gpu, tmp_path, policy, mode):
    attributes = {"axes": [2, 3], "keep_aspect_ratio_policy": policy, "mode": mode}
    resize(gpu, tmp_path, rand((1, 4, 6, 8)), sizes=(9, 10), **attributes)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize("sizes", [(1, 3, 4, 5), (1, 3, 20, 6)])
def test_resize_antialiased(gpu, tmp_path, mode, sizes):
    """With `exclude_outside`, which onnxruntime takes for granted here."""
    attributes = {"mode": mode, "antialias": 1, "exclude_outside": 1}
    resize(gpu, tmp_path, rand((1, 3, 13, 16)), sizes=sizes, **attributes)


@pytest.mark.parametrize(
    ("mode", "shape"), [("nearest", (2, 4, 3, 3)), ("nearest", (4, 4, 3, 3)), ("cubic", (4, 4, 3, 3))]
)
def test_resize_keeps_the_activation(gpu, tmp_path, mode, shape):
    """A fused activation follows the general ways too, to a channels-last tensor that a Concat joins."""
    nodes = [
        helper.make_node("Neg", ["x"], ["a"]),
        helper.make_node("Resize", ["a", "", "", "s"], ["b"], mode=mode),
        helper.make_node("Relu", ["b"], ["r"]),
        helper.make_node("Neg", ["z"], ["a2"]),
        helper.make_node("Concat", ["r", "a2"], ["c"], axis=1),
        helper.make_node("Neg", ["c"], ["y"]),
    ]
    shapes = {"x": shape, "z": (4, 4, 5, 6)}
    path = save(tmp_path / "m.onnx", nodes, shapes, "y", {"s": ints(4, 4, 5, 6)})
    check(gpu, path, {name: rand(shape) for name, shape in shapes.items()})


def test_resize_in_16_bits(gpu, tmp_path):
    needs_halves(gpu)
    attributes = {"mode": "cubic", "precision": "fp16"}
    resize(gpu, tmp_path, rand((1, 4, 6, 8)), sizes=(1, 4, 9, 11), tolerance=2e-3, **attributes)


@pytest.mark.parametrize("scale", [(2, 1.5), (0.6, 0.6), (0.5, 0.75), (0.3, 2.5), (1.3, 0.45)])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_resize_opset_10(gpu, tmp_path, mode, scale):
    """The nearest pixel is the next one where an axis shrinks, the one before where it grows."""
    constants = {"s": np.float32([1, 1, *scale])}
    x = rand((1, 4, 7, 9))
    check_node(gpu, tmp_path, "Resize", {"x": x}, constants, opset=10, tolerance=1e-6, mode=mode)


# -- GridSample ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("align", [0, 1])
def test_grid_sample(gpu, tmp_path, mode, padding, align):
    feeds = {"x": rand((2, 5, 6, 7)), "g": (rand((2, 4, 3, 2), 2) * 1.3).astype(np.float32)}
    attributes = {"mode": mode, "padding_mode": padding, "align_corners": align}
    check_node(gpu, tmp_path, "GridSample", feeds, opset=20, tolerance=1e-5, **attributes)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("align", [0, 1])
def test_grid_sample_of_volumes(gpu, tmp_path, mode, padding, align):
    feeds = {"x": rand((2, 4, 3, 5, 4)), "g": rand((2, 2, 3, 2, 3), 2)}
    attributes = {"mode": mode, "padding_mode": padding, "align_corners": align}
    check_node(gpu, tmp_path, "GridSample", feeds, opset=20, tolerance=1e-5, **attributes)


def test_grid_sample_by_its_older_names(gpu, tmp_path):
    feeds = {"x": rand((1, 8, 6, 7)), "g": rand((1, 4, 3, 2), 2)}
    check_node(gpu, tmp_path, "GridSample", feeds, opset=16, tolerance=1e-5, mode="bicubic")


@pytest.mark.parametrize("size", [(2, 3, 4, 5), (2, 1, 3, 4, 2)])
@pytest.mark.parametrize("align", [0, 1])
def test_affine_grid(gpu, tmp_path, size, align):
    dims = len(size) - 2
    constants = {"s": ints(*size)}
    feeds = {"t": rand((2, dims, dims + 1))}
    check_node(gpu, tmp_path, "AffineGrid", feeds, constants, opset=20, tolerance=1e-6, align_corners=align)


@SEARCH
@given(st.data())
def test_any_resize_by_sizes(gpu, data):
    shape = (1, data.draw(st.integers(1, 5)), *(data.draw(st.integers(1, 9)) for _ in range(2)))
    sizes = (*shape[:2], *(data.draw(st.integers(1, 12)) for _ in range(2)))
    mode = data.draw(st.sampled_from(["nearest", "linear", "cubic"]))
    coordinates = data.draw(st.sampled_from(["half_pixel", "asymmetric", "align_corners"]))
    rounding = data.draw(st.sampled_from(["floor", "ceil"]))
    attributes = {"mode": mode, "coordinate_transformation_mode": coordinates, "nearest_mode": rounding}
    with tempfile.TemporaryDirectory() as folder:
        resize(gpu, folder, rand(shape), sizes=sizes, **attributes)


@pytest.mark.parametrize(
    ("op", "feeds", "constants", "attributes"),
    [
        ("Gather", {"i": indices(4, (2, 3))}, {}, {"axis": 1}),
        ("GatherElements", {"i": indices(4, (3, 2, 5))}, {}, {"axis": 1}),
        ("ScatterND", {"i": indices(3, (4, 1)), "u": values((4, 4, 5), seed=2)}, {}, {"reduction": "max"}),
        ("TopK", {}, {"k": ints(3)}, {"axis": 1}),
        ("Compress", {}, {"c": np.array([1, 0, 1], bool)}, {"axis": 0}),
    ],
)
def test_indexing_in_16_bits(gpu, tmp_path, op, feeds, constants, attributes):
    """Numbers that 16 bits hold exactly."""
    needs_halves(gpu)
    outputs = ("v", "p") if op == "TopK" else ("y",)
    feeds = {"x": values((3, 4, 5)), **feeds}
    check_node(gpu, tmp_path, op, feeds, constants, outputs=outputs, precision="fp16", **attributes)


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_upsample_until_opset_8(gpu, tmp_path, mode):
    check_node(
        gpu,
        tmp_path,
        "Upsample",
        {"x": rand((1, 4, 5, 6))},
        opset=8,
        tolerance=1e-6,
        mode=mode,
        scales=[1.0, 1.0, 2.0, 3.0],
    )


@pytest.mark.parametrize(
    ("op", "constants", "attributes"),
    [
        ("Gather", {"i": np.float32([0, 1])}, {}),
        ("GatherElements", {"i": np.zeros((1, 2), np.float32)}, {}),
        ("GatherND", {"i": np.zeros((1, 1), np.uint8)}, {}),
        ("ScatterND", {"i": ints(0).reshape(1, 1), "u": np.zeros((1, 3), np.int32)}, {"reduction": "add"}),
        ("ScatterElements", {"i": ints(0).reshape(1, 1), "u": np.zeros((1, 1), np.int32)}, {}),
        ("TensorScatter", {"u": np.zeros((2, 4), np.float32)}, {}),
        ("TopK", {"k": ints(9)}, {}),
        ("OneHot", {"d": ints(2, 3), "v": np.float32([0, 1])}, {}),
        ("GridSample", {"g": np.zeros((2, 1, 1, 2), np.float32)}, {}),
    ],
)
def test_nodes_that_contradict_themselves_are_refused(gpu, tmp_path, op, constants, attributes):
    made = helper.make_node(op, ["x", *constants], ["y"], **attributes)
    path = save(tmp_path / "m.onnx", [made], {"x": (2, 3)}, "y", constants, opset=24)
    with pytest.raises(ModelUnsupportedError):
        session_for(gpu, path)


def test_tables_have_a_bound(gpu, tmp_path):
    """Sizes that are cheap to declare must not cost the memory of a table."""
    made = helper.make_node("Pad", ["x", "p"], ["y"], mode="edge")
    path = save(tmp_path / "m.onnx", [made], {"x": (2**24,)}, "y", {"p": ints(1, 1)})
    with pytest.raises(ModelUnsupportedError, match="padding an axis"):
        session_for(gpu, path)


def test_constant_gather_elements_with_fewer_indices(gpu, tmp_path):
    """onnx's reference does not fold it; it is then computed with the network."""
    constants = {"c": np.arange(20, dtype=np.float32).reshape(4, 5), "i": np.array([[3, -1, 0]])}
    nodes = [
        helper.make_node("GatherElements", ["c", "i"], ["v"], axis=0),
        helper.make_node("Softsign", ["s"], ["half"]),
        helper.make_node("Mul", ["v", "half"], ["scaled"]),
        helper.make_node("Add", ["x", "scaled"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 3]}, "y", {**constants, "s": np.float32(1.5)})
    check(gpu, path, {"x": np.ones((1, 3), np.float32)})
