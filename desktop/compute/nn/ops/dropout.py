"""Dropout: the identity at inference; a pass removes it.

https://onnx.ai/onnx/operators/onnx__Dropout.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.elementwise import map_elements
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, constant_input, refuse_unless
from desktop.compute.nn.ops.identity import lower as copy


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The mask, if requested, is all true; before opset 12 all zeros, as in ONNX Runtime, before opset 10 of the input's type."""
    training, ratio = constant_input(node, 2, constants), constant_input(node, 1, constants)
    keeps_all = training is None or not training.any() or (ratio is not None and not ratio.any())
    refuse_unless(keeps_all, node, "training mode")
    mask = [Value(name, inputs[0].shape, _mask_type(node, inputs[0].dtype)) for name in node.outputs[1:]]
    return [Value(node.outputs[0], inputs[0].shape, inputs[0].dtype), *mask]


def _mask_type(node: Node, dtype: str) -> str:
    return "bool" if node.version >= 10 else dtype


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The constant, and its mask: the reference's is true in every opset."""
    x = inputs[0]
    mask = np.full(x.shape, node.version >= 12, _mask_type(node, x.dtype.name))
    return [x, mask][: len(node.outputs)]


def lower(lowering: Lowering, node: Node) -> None:
    """A copy, and the mask."""
    copy(lowering, node)
    if node.outputs[1:] and node.outputs[1]:
        older = "0.0" if node.version < 10 else "false"
        map_elements(lowering, node, "true" if node.version >= 12 else older, [], node.outputs[1])


OPERATOR = Operator("Dropout", infer, lower, fold=fold, host=(1, 2), identity=True)
