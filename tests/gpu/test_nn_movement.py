"""Operators that move numbers, against onnxruntime: every result must be exactly the same."""

from __future__ import annotations

import tempfile

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from nn_cases import check, check_node, save, session_for
from onnx import helper

from desktop.base.errors import ModelUnsupportedError

TYPES = ["float32", "int32", "int64", "uint8", "bool"]
SEARCH = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def values(shape, dtype="float32", seed=1):
    """Numbers that every type holds."""
    return np.random.default_rng(seed).integers(0, 100, shape).astype(dtype)


def ints(*numbers):
    return np.array(numbers, np.int64)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    ("shape", "order"), [((2, 3, 4, 5, 2), (4, 1, 0, 3, 2)), ((5, 7), (1, 0)), ((2, 8, 3, 5), (0, 2, 3, 1))]
)
def test_transpose(gpu, tmp_path, dtype, shape, order):
    check_node(gpu, tmp_path, "Transpose", {"x": values(shape, dtype)}, perm=order)


@pytest.mark.parametrize("dtype", TYPES)
def test_concat_of_a_constant_and_a_computed_tensor(gpu, tmp_path, dtype):
    x, constants = {"x": values((3, 2), dtype)}, {"c": values((3, 5), dtype, 2), "e": values((3, 0), dtype)}
    check_node(gpu, tmp_path, "Concat", x, constants, axis=-1)


def test_concat_of_vectors(gpu, tmp_path):
    check_node(gpu, tmp_path, "Concat", {"x": values((3,))}, {"c": values((5,), seed=2)}, axis=0)


@pytest.mark.parametrize("opset", [13, 18])
@pytest.mark.parametrize("dtype", TYPES)
def test_split(gpu, tmp_path, opset, dtype):
    x = {"x": values((2, 9, 3), dtype)}
    check_node(gpu, tmp_path, "Split", x, {"s": ints(4, 0, 5)}, outputs=("a", "b", "c"), opset=opset, axis=1)


def test_split_into_unequal_parts_by_their_number(gpu, tmp_path):
    x = {"x": values((3, 7))}
    check_node(gpu, tmp_path, "Split", x, outputs=("a", "b", "c", "d"), axis=1, num_outputs=4)


def test_split_with_an_output_that_nobody_wants(gpu, tmp_path):
    """Against NumPy: onnxruntime crashes."""
    made = helper.make_node("Split", ["x", "s"], ["", "y"], axis=1)
    path = save(tmp_path / "m.onnx", [made], {"x": (2, 9)}, "y", {"s": ints(4, 5)})
    session, x = session_for(gpu, path), values((2, 9))
    np.testing.assert_array_equal(session.run({"x": x})["y"], x[:, 4:])
    session.close()


@pytest.mark.parametrize("sizes", [(8, 4), (4, 4, 2), (3, 7)])
@pytest.mark.parametrize("op", ["Split", "Slice"])
def test_parts_of_channels_stay_where_they_lie(gpu, tmp_path, sizes, op):
    """A part of whole vec4s costs no dispatch; one that does not line up is copied."""
    names = [f"p{i}" for i in range(len(sizes))]
    edges = [0, *np.cumsum(sizes)]
    if op == "Split":
        made, constants = [helper.make_node("Split", ["a", "s"], names, axis=1)], {"s": ints(*sizes)}
    else:
        made = [
            helper.make_node("Slice", ["a", f"e{i}", f"e{i + 1}", "axes"], [name])
            for i, name in enumerate(names)
        ]
        constants = {f"e{i}": ints(edge) for i, edge in enumerate(edges)} | {"axes": ints(1)}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        *made,
        *(helper.make_node("Conv", [name, f"w{i}"], [f"r{i}"]) for i, name in enumerate(names)),
        helper.make_node("Concat", [*(f"r{i}" for i in range(len(names))), *names], ["c"], axis=1),
        helper.make_node("Neg", ["c"], ["y"]),
    ]
    rng = np.random.default_rng(3)
    constants["w"] = rng.standard_normal((sum(sizes), 5, 1, 1)).astype(np.float32)
    for i, size in enumerate(sizes):
        constants[f"w{i}"] = rng.standard_normal((4, size, 1, 1)).astype(np.float32)
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 5, 3, 4)}, "y", constants)
    x = rng.standard_normal((2, 5, 3, 4)).astype(np.float32)
    count = check(gpu, path, {"x": x})
    copies = sum(
        edge % 4 != 0 or (size % 4 != 0 and edge + size != edges[-1])
        for edge, size in zip(edges, sizes, strict=False)
    )
    # the input's conversion, the convolutions, Neg, the parts into the Concat; what is copied is converted
    # too
    assert count <= 3 + 2 * len(sizes) + 2 * copies


def test_a_part_of_a_concatenation_is_not_read_while_it_is_written(gpu, tmp_path):
    """A convolution of a part of a tensor that lies in the Concat that the convolution writes to."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        helper.make_node("Split", ["a"], ["p", "q"], axis=1),
        helper.make_node("Conv", ["q", "v"], ["r"]),
        helper.make_node("Concat", ["a", "r"], ["c"], axis=1),
        helper.make_node("Neg", ["c"], ["y"]),
    ]
    constants = {"w": values((8, 3, 1, 1)) / np.float32(64), "v": values((4, 4, 1, 1)) / np.float32(64)}
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 3, 4, 4)}, "y", constants)
    check(gpu, path, {"x": values((1, 3, 4, 4)) / np.float32(64)})


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
def test_a_concatenation_of_a_tensor_and_what_is_made_of_it(gpu, tmp_path, order):
    """Only one of them may be computed in the Concat's memory."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"]),
        helper.make_node("Conv", ["a", "v"], ["b"]),
        helper.make_node("Concat", order, ["c"], axis=1),
        helper.make_node("Neg", ["c"], ["y"]),
    ]
    constants = {"w": values((8, 3, 1, 1)) / np.float32(64), "v": values((4, 8, 1, 1)) / np.float32(64)}
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 3, 4, 4)}, "y", constants)
    check(gpu, path, {"x": values((1, 3, 4, 4)) / np.float32(64)})


@SEARCH
@given(st.data())
def test_slice(gpu, data):
    shape = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    axes = data.draw(
        st.lists(st.integers(-len(shape), len(shape) - 1), unique_by=lambda a: a % len(shape), min_size=1)
    )
    places = st.integers(-9, 9) | st.sampled_from([2**31 - 1, -(2**31), 2**63 - 1, -(2**63)])
    lists = [data.draw(st.lists(places, min_size=len(axes), max_size=len(axes))) for _ in range(2)]
    steps = data.draw(
        st.lists(st.sampled_from([-3, -2, -1, 1, 2, 5]), min_size=len(axes), max_size=len(axes))
    )
    # onnxruntime reads these as "to the end" backwards too; the specification says that they are clamped.
    assume(
        not any(step < 0 and end in (2**31 - 1, 2**63 - 1) for step, end in zip(steps, lists[1], strict=True))
    )
    constants = {
        "starts": ints(*lists[0]),
        "ends": ints(*lists[1]),
        "axes": ints(*axes),
        "steps": ints(*steps),
    }
    with tempfile.TemporaryDirectory() as folder:
        check_node(gpu, folder, "Slice", {"x": values(shape)}, constants)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    ("shape", "wanted"), [((3, 1), (2, 1, 6)), ((2, 8, 1, 1), (2, 8, 3, 2)), ((), (2, 3)), ((4,), (1,))]
)
def test_expand(gpu, tmp_path, dtype, shape, wanted):
    check_node(gpu, tmp_path, "Expand", {"x": values(shape, dtype)}, {"s": ints(*wanted)})


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
@pytest.mark.parametrize(
    ("shape", "repeats"),
    [((2, 3), (2, 3)), ((2, 4, 3, 2), (1, 2, 1, 3)), ((5,), (0,)), ((2, 1, 3), (3, 2, 1))],
)
def test_tile(gpu, tmp_path, dtype, shape, repeats):
    check_node(gpu, tmp_path, "Tile", {"x": values(shape, dtype)}, {"r": ints(*repeats)})


@pytest.mark.parametrize("op", ["Transpose", "Tile", "Slice", "Concat"])
def test_movement_between_inner_tensors(gpu, tmp_path, op):
    """Channels-last tensors in and out, in both precisions."""
    inputs = {"Transpose": ["a"], "Tile": ["a", "r"], "Slice": ["a", "s", "e"], "Concat": ["a", "c"]}[op]
    attributes = {"Transpose": {"perm": (0, 3, 1, 2)}, "Concat": {"axis": 2}}.get(op, {})
    constants = {
        "r": ints(1, 2, 3, 1),
        "s": ints(0, 4, 1),
        "e": ints(2, 8, 9),
        "c": values((2, 8, 3, 8)) / np.float32(64),
    }
    nodes = [
        helper.make_node("Neg", ["x"], ["a"]),
        helper.make_node(op, inputs, ["b"], **attributes),
        helper.make_node("Neg", ["b"], ["y"]),
    ]
    used = {name: constants[name] for name in inputs[1:]}
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 8, 5, 8)}, "y", used)
    feeds = {"x": values((2, 8, 5, 8)) / np.float32(64)}  # exact in 16 bits too
    check(gpu, path, feeds, tolerance=0.0)
    if gpu.has("shader-f16"):
        check(gpu, path, feeds, tolerance=0.0, precision="fp16")


@pytest.mark.parametrize("op", ["Transpose", "Slice", "Concat"])
def test_lanes_past_the_last_channel_are_zeroed(gpu, tmp_path, op):
    """A convolution reads them: what lay in that memory before, here infinities, must be gone."""
    moved = {
        "Transpose": helper.make_node("Transpose", ["n"], ["m"], perm=(0, 1, 3, 2)),
        "Slice": helper.make_node("Slice", ["n", "s", "e", "axes"], ["m"]),
        "Concat": helper.make_node("Concat", ["n", "n"], ["m"], axis=2),
    }[op]
    nodes = [
        helper.make_node("Mul", ["other", "large"], ["a"]),
        helper.make_node("Mul", ["a", "large"], ["infinite"]),
        helper.make_node("Neg", ["x"], ["n"]),
        helper.make_node("MaxPool", ["infinite"], ["p"], kernel_shape=[8, 16]),
        moved,
        helper.make_node("Conv", ["m", "w"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["q"]),
        helper.make_node("Concat", ["p", "q"], ["z"], axis=1),
    ]
    constants = {"large": np.array(3e38, np.float32), "w": np.ones((4, 5, 1, 1), np.float32)}
    if op == "Slice":
        constants |= {"s": ints(1), "e": ints(8), "axes": ints(2)}
    shapes = {"x": (1, 5, 8, 8), "other": (1, 8, 8, 16)}
    path = save(tmp_path / "m.onnx", nodes, shapes, "z", constants)
    session, x = session_for(gpu, path), values(shapes["x"]) + 1
    actual = session.run({"x": x, "other": values(shapes["other"]) + 1})["z"][0, 8:, 0, 0]
    session.close()
    kept = x[:, :, 1:] if op == "Slice" else x
    np.testing.assert_allclose(actual, -kept.mean((2, 3)).sum(), rtol=1e-5)


@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("Crop", {"border": [1, 2, 3, 0]}),
        ("Crop", {"border": [1, 2, 0, 0], "scale": [3, 4]}),
        ("Affine", {"alpha": 0.5, "beta": 2.0}),
        ("ImageScaler", {"bias": [-1.0, 2.0, 5.0], "scale": 0.5}),
    ],
)
def test_operators_of_the_first_releases(gpu, tmp_path, op, attributes):
    path = save(
        tmp_path / "m.onnx",
        [helper.make_node(op, ["x"], ["y"], **attributes)],
        {"x": (2, 3, 7, 8)},
        "y",
        opset=7,
    )
    check(gpu, path, {"x": values((2, 3, 7, 8))})


MODES = ["constant", "edge", "reflect", "wrap"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["float32", "int32", "int64"])
@pytest.mark.parametrize(
    ("shape", "pads"),
    [((5,), (2, 1)), ((2, 3, 4), (1, 0, 2, 0, 2, 3)), ((2, 4, 3, 3), (1, 2, 0, 1, 0, 1, 2, 2))],
)
def test_pad(gpu, tmp_path, mode, dtype, shape, pads):
    check_node(gpu, tmp_path, "Pad", {"x": values(shape, dtype)}, {"p": ints(*pads)}, opset=19, mode=mode)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_pad_with_a_value_that_is_computed(gpu, tmp_path, dtype):
    feeds = {"x": values((2, 3, 4), dtype), "v": values((), dtype, 7)}
    made = helper.make_node("Pad", ["x", "pads", "v"], ["y"])
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    shapes = {name: array.shape for name, array in feeds.items()}
    path = save(tmp_path / "m.onnx", [made], shapes, "y", {"pads": ints(0, 1, 1, 0, 0, 2)}, dtype=kind)
    check(gpu, path, feeds, tolerance=0.0)


@pytest.mark.parametrize("value", [-np.inf, 3.5])
def test_pad_along_named_axes(gpu, tmp_path, value):
    constants = {"p": ints(1, 2, 0, 1), "v": np.array(value, np.float32), "axes": ints(-1, 1)}
    check_node(gpu, tmp_path, "Pad", {"x": values((2, 3, 4, 5))}, constants)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
@pytest.mark.parametrize("pads", [(-1, 2, 1, -2), (0, -3, 2, 1), (-2, -1, -1, 0)])
def test_pad_that_crops(gpu, tmp_path, mode, pads):
    check_node(gpu, tmp_path, "Pad", {"x": values((6, 7))}, {"p": ints(*pads)}, mode=mode)
    whole = (0, 0, *pads[:2], 0, 0, *pads[2:])
    check_node(gpu, tmp_path, "Pad", {"x": values((1, 3, 6, 7))}, {"p": ints(*whole)}, mode=mode)


def test_pad_off_the_picture_keeps_the_activation(gpu, tmp_path):
    """A fused activation follows the general way too."""
    nodes = [
        helper.make_node("Neg", ["x"], ["a"]),
        helper.make_node("Pad", ["a", "p"], ["b"], mode="edge"),
        helper.make_node("Relu", ["b"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 4, 3, 3)}, "y", {"p": ints(0, 1, 0, 0, 0, 2, 1, 0)})
    check(gpu, path, {"x": values((2, 4, 3, 3)) - 50}, tolerance=0.0)


def test_pad_refuses_what_it_cannot_pad(gpu, tmp_path):
    with pytest.raises(ModelUnsupportedError, match="padding larger"):
        check_node(gpu, tmp_path, "Pad", {"x": values((2, 3))}, {"p": ints(0, 3, 0, 0)}, mode="reflect")


@pytest.mark.parametrize(
    ("shape", "wanted", "allowzero"),
    [
        ((2, 3, 4), (4, -1), 0),
        ((2, 3, 4), (0, 0, 2, -1), 0),
        ((0, 3, 4), (3, 4, 0), 1),
        ((2, 0, 4), (0, -1), 0),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_reshape(gpu, tmp_path, shape, wanted, allowzero, dtype):
    check_node(
        gpu, tmp_path, "Reshape", {"x": values(shape, dtype)}, {"s": ints(*wanted)}, allowzero=allowzero
    )


def test_numbers_made_when_the_session_is_built(gpu, tmp_path):
    """Range, ConstantOfShape, Size and Shape leave an addition and a reshape."""
    nodes = [
        helper.make_node("Range", ["start", "limit", "delta"], ["r"]),
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Reshape", ["r", "s"], ["places"]),
        helper.make_node("Size", ["x"], ["n"]),
        helper.make_node("Unsqueeze", ["n", "axis"], ["n1"]),
        helper.make_node("ConstantOfShape", ["n1"], ["zeros"]),
        helper.make_node("Reshape", ["zeros", "s"], ["z"]),
        helper.make_node("Sum", ["x", "places", "z"], ["y"]),
    ]
    numbers = {"start": 0.5, "limit": 24.25, "delta": 1.0}
    constants = {name: np.array(number, np.float32) for name, number in numbers.items()} | {"axis": ints(0)}
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 3, 4)}, "y", constants)
    assert check(gpu, path, {"x": values((2, 3, 4))}, tolerance=0.0) <= 2


FOLDED = [
    ("Reshape", {"s": ints(4, -1)}, {}),
    ("Flatten", {}, {"axis": 2}),
    ("Squeeze", {"a": ints(1)}, {}),
    ("Unsqueeze", {"a": ints(0, -1)}, {}),
    ("Transpose", {}, {}),
    ("Transpose", {}, {"perm": (1, 3, 0, 2)}),
    ("Concat", {"c": values((2, 2, 3, 4), seed=2)}, {"axis": 1}),
    ("Gather", {"i": ints(-1, 0)}, {"axis": 3}),
    ("Gather", {"i": np.array(1)}, {"axis": -2}),
    ("Slice", {"s": ints(-1, 0), "e": ints(-(2**31), 3), "a": ints(2, 3), "t": ints(-2, 2)}, {}),
    ("Expand", {"s": ints(5, 1, 1)}, {}),
    ("Tile", {"r": ints(1, 2, 2, 1)}, {}),
]


@pytest.mark.parametrize(("op", "constants", "attributes"), FOLDED)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_movement_of_constants(gpu, tmp_path, op, constants, attributes, dtype):
    """All inputs known: computed when the session is built."""
    shape = (2, 5, 3, 4) if op == "Concat" else (2, 1, 3, 4)
    given = {name: a.astype(dtype) if op == "Concat" else a for name, a in constants.items()}
    check_node(gpu, tmp_path, op, {}, {"x": values(shape, dtype), **given}, **attributes)


def test_split_of_a_constant(gpu, tmp_path):
    constants = {"x": values((2, 9)), "s": ints(4, 0, 5)}
    check_node(gpu, tmp_path, "Split", {}, constants, outputs=("a", "b", "c"), axis=1)


@pytest.mark.parametrize("x", [np.float32([[1, 0], [0, 3]]), np.bool_([True, False, True])])
def test_non_zero_of_a_constant(gpu, tmp_path, x):
    nodes = [helper.make_node("NonZero", ["c"], ["i"]), helper.make_node("Add", ["i", "x"], ["y"])]
    path = save(
        tmp_path / "m.onnx",
        nodes,
        {"x": (1,)},
        "y",
        {"c": x},
        dtype=helper.np_dtype_to_tensor_dtype(np.dtype("int64")),
    )
    check(gpu, path, {"x": ints(5)}, tolerance=0.0)


@pytest.mark.parametrize("op", ["NonZero", "Unique"])
def test_shapes_that_hang_on_data_are_refused(gpu, tmp_path, op):
    path = save(tmp_path / "m.onnx", [helper.make_node(op, ["x"], ["y"])], {"x": (40,)}, "y")
    with pytest.raises(ModelUnsupportedError, match="follows from what the network computes"):
        session_for(gpu, path)


@pytest.mark.parametrize("attributes", [{}, {"sorted": 0}, {"axis": 0}, {"axis": 1, "sorted": 0}])
def test_unique_of_a_constant(gpu, tmp_path, attributes):
    x = np.float32([[2, 1, 1], [3, 0, 0], [2, 1, 1]])
    outputs = ("y", "first", "inverse", "counts")
    check_node(gpu, tmp_path, "Unique", {}, {"x": x}, outputs=outputs, **attributes)


@pytest.mark.parametrize("shape", [(1, 20, 4), (2, 3, 20, 4)])
@pytest.mark.parametrize("order", [["a", "q"], ["q", "a"]])
def test_rows_of_a_product_joined_to_others_and_read_again(gpu, tmp_path, shape, order):
    """As a transformer joins its class token and adds positions: the fast product stores rows, not the
    Concat's vec4s of channels.
    """
    rng = np.random.default_rng(9)
    rest = rng.standard_normal((shape[0], 4, *shape[2:-1], 8)).astype(np.float32)
    constants = {
        "w": rng.standard_normal((4, 8)).astype(np.float32),
        "q": rest,
        "p": rng.standard_normal((shape[0], shape[1] + 4, *shape[2:-1], 8)).astype(np.float32),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"]),
        helper.make_node("Concat", order, ["b"], axis=1),
        helper.make_node("Add", ["b", "p"], ["y"]),
    ]
    x = rng.standard_normal(shape).astype(np.float32)
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants)
    check(gpu, path, {"x": x}, tolerance=1e-5)


@pytest.mark.parametrize("opset", [7, 9, 10, 11, 12, 13])
def test_the_mask_of_a_dropout_that_drops_nothing(gpu, tmp_path, opset):
    """Of the input's type before opset 10, and all true from opset 12 on, as in ONNX Runtime; of a constant,
    too.
    """
    check_node(gpu, tmp_path, "Dropout", {"x": values((2, 5))}, outputs=("y", "m"), opset=opset)
    check_node(gpu, tmp_path, "Dropout", {}, {"x": values((2, 5))}, outputs=("y", "m"), opset=opset)
