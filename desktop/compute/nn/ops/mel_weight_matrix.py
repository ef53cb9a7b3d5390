"""MelWeightMatrix: triangular filters from the bins of a spectrum to bins of the mel scale, made when the session is built.

https://onnx.ai/onnx/operators/onnx__MelWeightMatrix.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import onnx

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.operator import Constants, Operator, constant_input, require


def _dtype(node: Node) -> np.dtype:
    return np.dtype(onnx.helper.tensor_dtype_to_np_dtype(int(node.attributes.get("output_datatype", 1))))


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(dft_length // 2 + 1, num_mel_bins)."""
    numbers = []
    for index in range(5):
        array = constant_input(node, index, constants)
        require(array is not None and array.size == 1, node, f"input {index} is not one number")
        assert array is not None
        numbers.append(array.reshape(()).item())
    bins, length, rate, lower, upper = numbers
    require(
        bins > 0 and length > 0 and rate > 0 and 0 <= lower <= upper and upper * 2 <= rate,
        node,
        "bins, lengths or frequencies out of range",
    )
    return [Value(node.outputs[0], (int(length) // 2 + 1, int(bins)), _dtype(node).name)]


def _mel(hertz: float) -> float:
    return 2595 * math.log10(1 + hertz / 700)


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Each column rises from the bin of one edge to its middle, and falls to the next edge. As in ONNX's reference the edges are
    `num_mel_bins + 2` parts of the range, not the `num_mel_bins + 1` that the same number of edges makes."""
    bins, length, rate = (int(array.reshape(())) for array in inputs[:3])
    low, high = (_mel(float(array.reshape(()))) for array in inputs[3:5])
    mels = low + np.arange(bins + 2) * ((high - low) / (bins + 2))
    edges = ((length + 1) * (700 * (10 ** (mels / 2595) - 1)) // rate).astype(np.int64)
    at = np.arange(length // 2 + 1)[:, None]
    left, middle, right = edges[:-2], edges[1:-1], edges[2:]
    rising = np.where((at >= left) & (at <= middle), (at - left) / np.maximum(middle - left, 1), 0.0)
    rising = np.where((left == middle) & (at == middle), 1.0, rising)
    falling = (right - at) / np.maximum(right - middle, 1)
    return [np.where((at >= middle) & (at < right), falling, rising).astype(_dtype(node))]


OPERATOR = Operator("MelWeightMatrix", infer, fold=fold, host=(0, 1, 2, 3, 4))
