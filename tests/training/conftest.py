"""What several trainings are tested with: a network of features and a pack of pictures, both tiny."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper


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
