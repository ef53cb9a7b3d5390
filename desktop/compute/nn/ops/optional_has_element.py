"""OptionalHasElement: whether there is an input; known when the session is built, because only plain tensors are taken.

https://onnx.ai/onnx/operators/onnx__OptionalHasElement.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A scalar bool."""
    return [Value(node.outputs[0], (), "bool")]


def known(node: Node, inputs: Sequence[Value]) -> Sequence[np.ndarray]:
    """True for a tensor."""
    return [np.array(bool(node.input(0)))]


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """The same for a constant or no input at all."""
    return [np.array(bool(node.input(0)))]


OPERATOR = Operator("OptionalHasElement", infer, fold=fold, known=known)
