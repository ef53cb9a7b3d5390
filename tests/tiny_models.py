"""Networks small enough to know by heart, written by the tests that need them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def red_or_blue_model(path: Path) -> Path:
    """A classifier of three classes by the mean of red, green, blue: logits are 8 times the channel means of a 32 x 32 picture."""
    weight = numpy_helper.from_array((np.eye(3, dtype=np.float32) * 8).reshape(3, 3, 1, 1), "w")
    shape = numpy_helper.from_array(np.array([1, 3], np.int64), "s")
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("GlobalAveragePool", ["c"], ["g"]),
        helper.make_node("Reshape", ["g", "s"], ["r"]),
        helper.make_node("Softmax", ["r"], ["y"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "colour",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])],
        [weight, shape],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    path.with_suffix(".txt").write_text("red\ngreen\nblue\n")
    return path
