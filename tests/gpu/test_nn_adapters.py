"""The engine on a device with no feature and WebGPU's default limits: no 16-bit floats, no subgroups, no
timestamps.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import onnx_suite
import pytest
from nn_cases import check, reference, relative_error, save
from onnx import helper

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.runtime.session import WgpuSession


@pytest.fixture(scope="module")
def plain(gpu):
    """A second device on the same adapter."""
    device = Gpu.open(gpu.adapter.name, features=())
    yield device
    device.close()


def _random(seed, *shape, scale=0.3):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def _residual():
    constants = {"w": _random(0, 16, 16, 3, 3, scale=0.1), "b": _random(1, 16), "p": _random(2, 32, 16, 1, 1)}
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["a"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["r"]),
        helper.make_node("Add", ["r", "x"], ["s"]),
        helper.make_node("Conv", ["s", "p"], ["y"], strides=[2, 2]),
    ]
    return nodes, constants, (1, 16, 18, 20)


def _depthwise_with_squeeze():
    constants = {
        "d": _random(0, 24, 1, 5, 5),
        "s": _random(1, 6, 24, 1, 1),
        "e": _random(2, 24, 6, 1, 1),
    }
    nodes = [
        helper.make_node("Conv", ["x", "d"], ["a"], group=24, pads=[2, 2, 2, 2]),
        helper.make_node("HardSwish", ["a"], ["h"]),
        helper.make_node("GlobalAveragePool", ["h"], ["g"]),
        helper.make_node("Conv", ["g", "s"], ["q"]),
        helper.make_node("Relu", ["q"], ["r"]),
        helper.make_node("Conv", ["r", "e"], ["t"]),
        helper.make_node("HardSigmoid", ["t"], ["u"], alpha=1 / 6, beta=0.5),
        helper.make_node("Mul", ["h", "u"], ["y"]),
    ]
    return nodes, constants, (1, 24, 15, 17)


def _style():
    constants = {
        "w": _random(0, 8, 8, 3, 3),
        "scale": _random(1, 8),
        "bias": _random(2, 8),
        "pads": np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64),
        "scales": np.array([1, 1, 2, 2], np.float32),
        "z": _random(3, 3, 8, 3, 3),
    }
    nodes = [
        helper.make_node("Pad", ["x", "pads"], ["p"], mode="reflect"),
        helper.make_node("Conv", ["p", "w"], ["a"]),
        helper.make_node("InstanceNormalization", ["a", "scale", "bias"], ["n"]),
        helper.make_node("Relu", ["n"], ["r"]),
        helper.make_node("Resize", ["r", "", "scales"], ["u"], mode="nearest"),
        helper.make_node("Pad", ["u", "pads"], ["v"], mode="reflect"),
        helper.make_node("Conv", ["v", "z"], ["y"]),
    ]
    return nodes, constants, (1, 8, 12, 14)


def _attention():
    constants = {
        "q": _random(0, 32, 32),
        "k": _random(1, 32, 32),
        "v": _random(2, 32, 32),
        "root": np.array(32**-0.5, np.float32),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "q"], ["a"]),
        helper.make_node("MatMul", ["x", "k"], ["b"]),
        helper.make_node("MatMul", ["x", "v"], ["c"]),
        helper.make_node("Transpose", ["b"], ["t"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["a", "t"], ["s"]),
        helper.make_node("Mul", ["s", "root"], ["m"]),
        helper.make_node("Softmax", ["m"], ["p"], axis=-1),
        helper.make_node("MatMul", ["p", "c"], ["o"]),
        helper.make_node("Add", ["o", "x"], ["y"]),
    ]
    return nodes, constants, (2, 17, 32)


@pytest.mark.parametrize("network", [_residual, _depthwise_with_squeeze, _style, _attention])
@pytest.mark.parametrize("workgroups", [1, 2, 128])
def test_small_networks(plain, tmp_path, network, workgroups):
    nodes, constants, shape = network()
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants, opset=14)
    check(plain, path, {"x": _random(9, *shape, scale=1.0)}, tolerance=2e-5, workgroups=workgroups)


def test_the_node_suite(plain, gpu):
    """Types that need 16-bit floats are held in 32 bits: no case is lost and none is wrong."""
    ops = ("Conv", "MatMul", "Softmax", "Resize", "ReduceSum", "Cast", "Gather", "LayerNormalization", "TopK")
    cases = onnx_suite.select(ops, [])
    with_features = Counter(each.status for each in onnx_suite.run_cases(gpu, cases))
    without = onnx_suite.run_cases(plain, cases)
    assert [each for each in without if each.status == "wrong"] == []
    assert Counter(each.status for each in without) == with_features


def test_fp16_is_refused_in_one_sentence(plain, tmp_path):
    nodes, constants, shape = _residual()
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants)
    with pytest.raises(ModelUnsupportedError, match="no 16-bit floats in shaders; choose fp32 or auto"):
        WgpuSession.load(plain, path, precision="fp16")


def test_a_tensor_beyond_the_default_binding_is_refused(plain, tmp_path):
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 40, 1024, 1024)}, "y")
    with pytest.raises(ModelUnsupportedError, match=r"160 MiB.*binds at most 128 MiB"):
        WgpuSession.load(plain, path)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "shapes"),
    [
        ("classify/mnist-ort.onnx", None),
        ("classify/cifar10_winml_tutorial.onnx", None),
        ("classify/mobilenet_v1_0.25_224_f32.onnx", None),
        ("face/ultraface_version-RFB-320.onnx", None),
        ("style/ml5_style_wave.onnx", {"image": (1, 3, 48, 64)}),
    ],
)
def test_networks(plain, shared, file, shapes):
    path = shared / "models" / file
    session = WgpuSession.load(plain, path, input_shapes=shapes)
    feeds = {info.name: np.abs(_random(0, *info.shape)).astype(info.dtype) for info in session.inputs}
    actual = session.run(feeds)
    session.close()
    for name, expected in reference(path, feeds).items():
        assert relative_error(actual[name], expected) <= 1e-3
