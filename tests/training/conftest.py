"""Shared material for tests of trainings: a network of features, a classifier's teacher and packs of images,
all tiny.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Compute on one thread: steps this small are slower on several, and far slower where another program wants the cores."""
    import torch  # without it the tests are skipped

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def features(tmp_path: Path) -> Path:
    """Two convolutions with fixed random weights in the place of SqueezeNet."""
    rng = np.random.default_rng(0)
    weights = [rng.normal(0, 0.1, shape).astype(np.float32) for shape in ((8, 3, 3, 3), (12, 8, 3, 3))]
    nodes = [
        helper.make_node("Conv", ["data", "w0"], ["conv0"], strides=[2, 2]),
        helper.make_node("Relu", ["conv0"], ["first"]),
        helper.make_node("Conv", ["first", "w1"], ["conv1"], strides=[2, 2]),
        helper.make_node("Relu", ["conv1"], ["second"]),
    ]
    ends = [
        helper.make_tensor_value_info("data", TensorProto.FLOAT, [1, 3, 64, 64]),
        helper.make_tensor_value_info("second", TensorProto.FLOAT, [1, 12, 15, 15]),
    ]
    constants = [numpy_helper.from_array(w, f"w{i}") for i, w in enumerate(weights)]
    model = helper.make_model(
        helper.make_graph(nodes, "features", ends[:1], ends[1:], constants),
        opset_imports=[helper.make_opsetid("", 13)],
        ir_version=8,
    )
    path = tmp_path / "features.onnx"
    onnx.save(model, path)
    return path


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    """A pack of four photographs to train on and two held back."""
    from training.common import data  # imports PyTorch, without which the tests are skipped

    rng = np.random.default_rng(1)
    path = tmp_path / "pack.npz"
    made = [cv2.resize(rng.integers(0, 256, (9, 12, 3), np.uint8), (128, 96)) for _ in range(6)]
    data.write_pack(
        path, (data.Picture(f"p{i}", p, data.TRAIN if i < 4 else data.HELD) for i, p in enumerate(made)), 90
    )
    return path


def scene(seed: int, height: int, width: int) -> np.ndarray:
    """A smooth colored picture, (height, width, 3) uint8."""
    small = np.random.default_rng(seed).integers(0, 255, (5, 6, 3), np.uint8)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A pack of 8 training and 4 held-back pictures."""
    from training.common import data  # imports PyTorch, without which the tests are skipped

    pictures = [
        data.Picture(
            f"imagenet_{n:04d}_n0144076{n % 10}_x",
            scene(n, 70 + n, 90),
            data.HELD if n % 3 == 2 else data.TRAIN,
        )
        for n in range(12)
    ]
    data.write_pack(tmp_path / "pack.npz", iter(pictures), 90)
    return tmp_path / "pack.npz"


@pytest.fixture
def small_teacher(tmp_path: Path) -> Path:
    """A network with the names and strides of the classifier's teacher's values, of four convolutions with
    random weights.
    """
    from training.classifier import teacher

    rng = np.random.default_rng(1)
    constants, nodes = [], []

    def conv(x: str, y: str, inputs: int, outputs: int, stride: int) -> None:
        weight = rng.normal(size=(outputs, inputs, stride, stride)).astype(np.float32) / math.sqrt(
            inputs * stride**2
        )
        constants.append(numpy_helper.from_array(weight, f"w_{y}"))
        nodes.append(helper.make_node("Conv", [x, f"w_{y}"], [y], strides=[stride, stride]))

    channels = list(teacher.MAPS.items())
    conv("input", channels[0][0], 3, channels[0][1], 8)
    conv(channels[0][0], channels[1][0], channels[0][1], channels[1][1], 2)
    conv(channels[1][0], channels[2][0], channels[1][1], channels[2][1], 2)
    nodes.append(helper.make_node("GlobalAveragePool", [channels[2][0]], ["mean"]))
    conv("mean", "conv", channels[2][1], 1001, 1)
    constants[-1] = numpy_helper.from_array(
        8 * numpy_helper.to_array(constants[-1]), "w_conv"
    )  # predictions that differ
    constants.append(numpy_helper.from_array(np.array([1, 1001], np.int64), "shape"))
    nodes.append(helper.make_node("Reshape", ["conv", "shape"], [teacher.LOGITS]))
    graph = helper.make_graph(
        nodes,
        "teacher",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, 224, 224])],
        [helper.make_tensor_value_info(teacher.LOGITS, TensorProto.FLOAT, [1, 1001])],
        constants,
    )
    path = tmp_path / "teacher.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path
