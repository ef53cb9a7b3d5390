"""Padding and enlargement folded into convolutions, and the kernels for many pixels, against onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
from nn_cases import needs_halves, session_for
from onnx import TensorProto, helper, numpy_helper


def _network(tmp_path, shape, channels, kernel, *, mode="reflect", pads=(1, 1, 1, 1), scale=1, stride=1):
    """Relu, nearest enlargement, Pad, Conv, Relu: the first makes the input a channels-last tensor."""
    generator = np.random.default_rng(0)
    weights = generator.standard_normal((channels, shape[1], kernel, kernel)) / kernel / np.sqrt(shape[1])
    constants = {
        "weights": weights.astype(np.float32),
        "bias": generator.standard_normal(channels).astype(np.float32),
        "pads": np.array([0, 0, *pads[:2], 0, 0, *pads[2:]], np.int64),
        "scales": np.array([1, 1, scale, scale], np.float32),
    }
    nodes = [helper.make_node("Relu", ["x"], ["a"])]
    if scale > 1:
        nodes.append(
            helper.make_node(
                "Resize", ["a", "", "scales"], ["b"], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"
            )
        )  # fmt: skip
    nodes += [
        helper.make_node("Pad", ["b" if scale > 1 else "a", "pads"], ["c"], mode=mode),
        helper.make_node("Conv", ["c", "weights", "bias"], ["d"], strides=[stride, stride]),
        helper.make_node("Relu", ["d"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def _check(gpu, path, shape, kernel, workgroups, precision="fp32", tolerance=1e-5):
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    expected = onnxruntime.InferenceSession(str(path)).run(None, {"x": x})[0]
    session = session_for(gpu, path, workgroups=workgroups, precision=precision)
    assert kernel in [dispatch.kernel for dispatch in session.plan.dispatches]
    assert "pad" not in [dispatch.kernel for dispatch in session.plan.dispatches]
    actual = session.run({"x": x})["y"]
    session.close()
    assert np.linalg.norm(actual - expected) <= tolerance * np.linalg.norm(expected)


@pytest.mark.parametrize("mode", ["reflect", "edge", "constant"])
@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize(("kernel", "workgroups"), [("conv_sliced", 128), ("conv_tiled", 2)])
def test_convolutions_read_through_padding_and_enlargement(gpu, tmp_path, mode, scale, kernel, workgroups):
    shape = (2, 20, 16, 17) if kernel == "conv_tiled" else (2, 20, 9, 11)
    path = _network(tmp_path, shape, 32, 3, mode=mode, pads=(1, 2, 2, 1), scale=scale)
    _check(gpu, path, shape, kernel, workgroups)


@pytest.mark.parametrize("mode", ["reflect", "constant"])
@pytest.mark.parametrize("scale", [1, 2])
def test_few_output_channels(gpu, tmp_path, mode, scale):
    shape = (2, 6, 24, 29)
    path = _network(tmp_path, shape, 3, 5, mode=mode, pads=(2, 2, 2, 2), scale=scale)
    _check(gpu, path, shape, "conv_narrow", 2)


@pytest.mark.parametrize("stride", [1, 2])
def test_a_picture_of_three_planes(gpu, tmp_path, stride):
    shape = (1, 3, 40, 44)
    path = _network(tmp_path, shape, 32, 9, pads=(4, 4, 4, 4), stride=stride)
    _check(gpu, path, shape, "conv_tiled", 2)


@pytest.mark.parametrize(("channels", "kernel"), [(32, "conv_tiled"), (3, "conv_narrow")])
def test_products_in_16_bits(gpu, tmp_path, channels, kernel):
    needs_halves(gpu)
    shape = (1, 36, 34, 36)
    path = _network(tmp_path, shape, channels, 3)
    _check(gpu, path, shape, kernel, 2, "fp16", 2e-3)


def test_a_pad_that_is_read_twice_stays(gpu, tmp_path):
    shape = (1, 8, 6, 6)
    path = _network(tmp_path, shape, 8, 3)
    model = onnx.load(path)
    model.graph.node.append(helper.make_node("Relu", ["c"], ["z"]))
    model.graph.output.append(helper.make_tensor_value_info("z", TensorProto.FLOAT, None))
    onnx.save(model, path)
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    expected = onnxruntime.InferenceSession(str(path)).run(None, {"x": x})
    session = session_for(gpu, path, workgroups=1)
    actual = session.run({"x": x})
    session.close()
    for name, reference in zip(("y", "z"), expected, strict=True):
        np.testing.assert_allclose(actual[name], reference, rtol=1e-4, atol=1e-5)
