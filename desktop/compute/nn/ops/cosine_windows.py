"""Windows that are sums of cosines, computed when the session is built. Harris, "On the use of windows for harmonic analysis", 1978.

https://onnx.ai/onnx/operators/onnx__HannWindow.html, onnx__HammingWindow.html, onnx__BlackmanWindow.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.onnx_types import dtype_name
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.lowering.operator import Constants, Operator, constant_input, refuse_unless, require


def _infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """As many numbers as the input says."""
    size = constant_input(node, 0, constants)
    require(size is not None and size.size == 1, node, "a size that is not one number")
    assert size is not None
    dtype = dtype_name(int(node.attributes.get("output_datatype", 1)))
    refuse_unless(dtype in HELD, node, f"{dtype or 'unknown'} tensors")
    return [Value(node.outputs[0], (int(size.reshape(())),), dtype)]


def _window(name: str, first: float, second: float, third: float) -> Operator:
    """The operator whose element n is first - second cos(2 pi n / N) + third cos(4 pi n / N).

    N is the size, or one less where the window is not periodic.
    """

    def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        (value,) = _infer(node, [], {node.inputs[0]: inputs[0]})
        (size,) = value.shape
        period = size if node.attributes.get("periodic", 1) else size - 1
        refuse_unless(period > 0 or size == 0, node, "a symmetric window of one element")
        phase = 2 * np.pi * np.arange(size) / max(period, 1)
        window = first - second * np.cos(phase) + third * np.cos(2 * phase)
        return [window.astype(value.dtype)]

    return Operator(name, _infer, fold=fold, host=(0,))


OPERATORS: Final = (
    _window("BlackmanWindow", 0.42, 0.5, 0.08),
    _window("HammingWindow", 25 / 46, 21 / 46, 0.0),
    _window("HannWindow", 0.5, 0.5, 0.0),
)
