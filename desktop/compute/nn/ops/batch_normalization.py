"""BatchNormalization at inference: (x - mean) / sqrt(var + epsilon) * scale + B; a pass folds it into the Conv before it.

https://onnx.ai/onnx/operators/onnx__BatchNormalization.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.operator import Constants, Operator, constant_input, refuse_unless, require


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Like the input; training mode is refused."""
    refuse_unless(not node.attributes.get("training_mode", 0), node, "training mode")
    return [Value(node.outputs[0], inputs[0].shape, inputs[0].dtype)]


def scale_and_shift(node: Node, constants: Constants, channels: int) -> tuple[np.ndarray, np.ndarray]:
    """The node as x * scale + shift a channel, computed in float64."""
    arrays = [constant_input(node, index, constants) for index in range(1, 5)]
    require(
        all(a is not None and a.shape == (channels,) for a in arrays),
        node,
        "parameters that do not fit its channels",
    )
    scale, bias, mean, variance = (np.asarray(a, np.float64) for a in arrays)
    factor = scale / np.sqrt(variance + float(node.attributes.get("epsilon", 1e-5)))
    return factor, bias - mean * factor


OPERATOR = Operator("BatchNormalization", infer)
