"""Networks in two parts: what hangs on computed values lies behind the cut, and little is read back."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from nn_cases import reference, save
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelError, ModelUnsupportedError
from desktop.compute.nn.compile.dividing import divide
from desktop.compute.nn.frontends.network_file import NetworkFile
from desktop.vision.backends.loader import load_session


def rand(shape):
    return np.random.default_rng(3).standard_normal(shape).astype(np.float32)


def ints(*numbers):
    return np.array(numbers, np.int64)


def parts(path):
    division = divide(NetworkFile.open(path))
    assert division is not None
    return division, [each.op_type for each in division.head.bare.graph.node]


def run(gpu, path, feeds):
    loaded = load_session(path, gpu=gpu, backend="wgpu")
    try:
        capabilities = loaded.session.capabilities
        assert capabilities.division and capabilities.division in loaded.reason
        assert capabilities.recorder is None
        return loaded.session.run(feeds)
    finally:
        loaded.session.close()


def check(gpu, path, feeds, tolerance=1e-5):
    actual, expected = run(gpu, path, feeds), reference(path, feeds)
    assert list(actual) == list(expected)
    for name, array in expected.items():
        assert actual[name].shape == array.shape and actual[name].dtype == array.dtype
        np.testing.assert_allclose(actual[name], array, rtol=tolerance, atol=tolerance)


def conv(x="x", y="c"):
    return helper.make_node("Conv", [x, "w"], [y], name=f"conv_{y}")


W = {"w": rand((4, 3, 1, 1))}
SHAPES = {"x": (1, 3, 6, 6)}


def test_an_expand_goes_behind_the_cut(gpu, tmp_path):
    nodes = [
        conv(),
        helper.make_node("GlobalAveragePool", ["c"], ["mean"]),
        helper.make_node("Expand", ["mean", "size"], ["wide"]),
        helper.make_node("Transpose", ["wide"], ["turned"], perm=[0, 2, 3, 1]),
        helper.make_node("Greater", ["turned", "zero"], ["above"]),
        helper.make_node("NonZero", ["above"], ["y"]),
    ]
    constants = {**W, "size": ints(1, 4, 20, 20), "zero": np.float32(0)}
    path = save(tmp_path / "m.onnx", nodes, SHAPES, "y", constants, dtype=TensorProto.FLOAT)
    model = onnx.load(path)
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.INT64
    onnx.save(model, path)
    division, head = parts(path)
    assert head == ["Conv", "GlobalAveragePool"] and division.cut == ("mean",) and division.behind == 4
    check(gpu, path, {"x": rand((1, 3, 6, 6))})


def test_what_moves_no_fewer_bytes_stays(tmp_path):
    nodes = [
        conv(),
        helper.make_node("Sigmoid", ["c"], ["s"]),
        helper.make_node("Reshape", ["s", "flat"], ["r"]),
        helper.make_node("NonZero", ["r"], ["places"]),
        helper.make_node("Gather", ["r", "places"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, SHAPES, "y", {**W, "flat": ints(-1)})
    division, head = parts(path)
    assert head == ["Conv", "Sigmoid", "Reshape"] and division.cut == ("r",)


def test_branches_that_hang_on_nothing_computed_stay_on_the_gpu(gpu, tmp_path):
    nodes = [
        conv(),
        helper.make_node("NonZero", ["c"], ["places"]),
        helper.make_node("Transpose", ["places"], ["turned"]),
        helper.make_node("GatherND", ["c", "turned"], ["some"]),
        helper.make_node("ReduceSum", ["some"], ["sum"], keepdims=0),
        helper.make_node("Conv", ["c", "v"], ["other"]),
        helper.make_node("Mul", ["other", "sum"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, SHAPES, "y", {**W, "v": rand((2, 4, 3, 3))})
    division, head = parts(path)
    assert head == ["Conv", "Conv"] and division.cut == ("c", "other")
    check(gpu, path, {"x": rand((1, 3, 6, 6))})


def test_outputs_of_both_parts_and_inputs_of_the_second(gpu, tmp_path):
    nodes = [
        conv(),
        helper.make_node("Relu", ["c"], ["first"]),
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("NonZero", ["first"], ["places"]),
        helper.make_node("Cast", ["places"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["shape"], ["sizes"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["numbers", "factor"], ["scaled"]),
        helper.make_node("Unsqueeze", ["sizes", "axis"], ["column"]),
        helper.make_node("Add", ["scaled", "column"], ["second"]),
    ]
    graph = helper.make_graph(
        nodes,
        "two",
        [
            helper.make_tensor_value_info("factor", TensorProto.FLOAT, [1]),
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 6, 6]),
        ],
        [
            helper.make_tensor_value_info("second", TensorProto.FLOAT, [4, "n"]),
            helper.make_tensor_value_info("first", TensorProto.FLOAT, [1, 4, 6, 6]),
        ],
        [numpy_helper.from_array(array, name) for name, array in {**W, "axis": ints(1)}.items()],
    )
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    check(gpu, path, {"x": rand((1, 3, 6, 6)), "factor": np.float32([2.5])})


def test_a_tensor_without_elements_does_not_cross(gpu, tmp_path):
    """Ultralytics' detectors without masks or points carry such a one behind the suppression."""
    nodes = [
        conv(),
        helper.make_node("Slice", ["c", "four", "four", "axis"], ["none"]),
        helper.make_node("Sigmoid", ["none"], ["nothing"]),
        helper.make_node("NonZero", ["c"], ["places"]),
        helper.make_node("Transpose", ["places"], ["turned"], perm=[1, 0]),
        helper.make_node("GatherND", ["c", "turned"], ["some"]),
        helper.make_node("Reshape", ["nothing", "flat"], ["rest"]),
        helper.make_node("Concat", ["some", "rest"], ["y"], axis=0),
    ]
    constants = {**W, "four": ints(4), "axis": ints(1), "flat": ints(-1)}
    path = save(tmp_path / "m.onnx", nodes, SHAPES, "y", constants)
    division, _ = parts(path)
    assert division.cut == ("c",)
    check(gpu, path, {"x": rand((1, 3, 6, 6))})


def test_what_is_computed_in_float64_goes_behind_the_cut(gpu, tmp_path):
    nodes = [
        conv(),
        helper.make_node("Cast", ["c"], ["wide"], to=TensorProto.DOUBLE),
        helper.make_node("Mul", ["wide", "third"], ["part"]),
        helper.make_node("Greater", ["part", "zero"], ["above"]),
        helper.make_node("NonZero", ["above"], ["places"]),
        helper.make_node("Transpose", ["places"], ["turned"]),
        helper.make_node("GatherND", ["part", "turned"], ["some"]),
        helper.make_node("Cast", ["some"], ["y"], to=TensorProto.FLOAT),
    ]
    constants = {**W, "third": np.float64(1 / 3), "zero": np.float64(0)}
    path = save(tmp_path / "m.onnx", nodes, SHAPES, "y", constants)
    division, head = parts(path)
    assert head == ["Conv"] and division.cut == ("c",)
    check(gpu, path, {"x": rand((1, 3, 6, 6))})


def test_a_sequence_does_not_cross(gpu, tmp_path):
    nodes = [
        conv(),
        helper.make_node("SplitToSequence", ["c"], ["rows"], axis=2),
        helper.make_node("Greater", ["c", "zero"], ["above"]),
        helper.make_node("Cast", ["above"], ["ones"], to=TensorProto.INT64),
        helper.make_node("ReduceMax", ["ones"], ["at"], keepdims=0),
        helper.make_node("SequenceAt", ["rows", "at"], ["row"]),
        helper.make_node("Identity", ["row"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, SHAPES, "y", {**W, "zero": np.float32(0)})
    check(gpu, path, {"x": rand((1, 3, 6, 6))})


def test_a_free_size_is_chosen_for_both_parts(gpu, tmp_path):
    nodes = [conv(), helper.make_node("NonZero", ["c"], ["n"]), helper.make_node("Cast", ["n"], ["y"], to=1)]
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 3, "h", "w")}, "y", W)
    session = load_session(path, gpu=gpu, backend="wgpu", input_shapes={"x": (1, 3, 5, 7)}).session
    x = rand((1, 3, 5, 7))
    np.testing.assert_array_equal(session.run({"x": x})["y"], reference(path, {"x": x})["y"])
    assert session.inputs[0].shape == (1, 3, 5, 7)
    with pytest.raises(ModelError):
        session.run({"x": rand((1, 3, 5, 6))})
    session.close()
    with pytest.raises(ModelError, match="closed"):
        session.run({"x": x})


@pytest.mark.parametrize("before", [True, False])
def test_a_network_that_begins_with_it_goes_to_onnxruntime(gpu, tmp_path, before):
    """The reason names the node and how much lies behind it, instead of asking for a value of the picture."""
    first = [helper.make_node("NonZero", ["x"], ["n"], name="early"), helper.make_node("Shape", ["n"], ["s"])]
    count = [
        helper.make_node("Gather", ["s", "one"], ["k"]),
        helper.make_node("Cast", ["k"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["x", "f"], ["m"]),
    ]
    last = [conv("m", "y")] if before else [helper.make_node("Relu", ["m"], ["y"])]
    path = save(tmp_path / "m.onnx", first + count + last, SHAPES, "y", {**W, "one": ints(1)})
    said = "1 of 1 convolution or product lie" if before else "no convolution or product before it"
    with pytest.raises(ModelUnsupportedError, match="NonZero 'early'") as error:
        load_session(path, gpu=gpu, backend="wgpu")
    assert "decides" not in str(error.value) and "value" not in str(error.value)
    assert ("behind" in str(error.value)) == before or said in str(error.value)


def test_a_factor_that_decides_shapes_is_asked_for(gpu, tmp_path):
    """An input of one number is no picture: what it needs is a value, whatever follows it."""
    nodes = [
        helper.make_node("Concat", ["ones", "ratio", "ratio"], ["scales"], axis=0),
        helper.make_node("Resize", ["x", "", "scales"], ["small"]),
        conv("small", "y"),
    ]
    constants = {**W, "ones": np.float32([1, 1])}
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 3, 6, 6), "ratio": (1,)}, "y", constants)
    with pytest.raises(ModelUnsupportedError, match=r"its inputs \['ratio'\] decide shapes"):
        load_session(path, gpu=gpu, backend="wgpu")
    value = np.float32([0.5])
    loaded = load_session(path, gpu=gpu, backend="wgpu", input_values={"ratio": value})
    x = rand((1, 3, 6, 6))
    expected = reference(path, {"x": x, "ratio": value})["y"]
    np.testing.assert_allclose(loaded.session.run({"x": x})["y"], expected, atol=1e-5)
    loaded.session.close()


def test_an_unknown_operator_before_it_is_still_named(gpu, tmp_path):
    nodes = [
        conv(),
        helper.make_node("Strange", ["c"], ["t"], domain="somebody"),
        helper.make_node("NonZero", ["t"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, SHAPES, "y", W)
    with pytest.raises(ModelUnsupportedError, match=r"somebody\.Strange"):
        load_session(path, gpu=gpu, backend="wgpu")
