"""Networks whose outputs cover the picture, small enough to compute by hand, written by the tests that need them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SWAP = np.eye(3, dtype=np.float32)[::-1].reshape(3, 3, 1, 1)
"""Weights of a 1 x 1 convolution that swaps red and blue."""


def convolution(
    path: Path,
    weight: np.ndarray,
    bias: Sequence[float] | None = None,
    *,
    size: tuple[int, int] | None = None,
    after: Sequence[onnx.NodeProto] = (),
    constants: Sequence[onnx.TensorProto] = (),
    half: bool = False,
    channels_last: bool = False,
    output: str = "y",
) -> Path:
    """Write a network of one convolution (zeros around the picture) and `after`, which reads 'c' and writes 'y'.

    `size` is (width, height), free where it is None; `channels_last` takes and gives [1, H, W, C].
    """
    kind = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    dtype = np.float16 if half else np.float32
    outputs, inputs = weight.shape[:2]
    pad = weight.shape[2] // 2
    tensors = [numpy_helper.from_array(weight.astype(dtype), "w")]
    if bias is not None:
        tensors.append(numpy_helper.from_array(np.asarray(bias, dtype), "b"))
    names = [tensor.name for tensor in tensors]
    inner = "c" if after or channels_last else output
    nodes = [helper.make_node("Conv", ["t" if channels_last else "x", *names], [inner], pads=[pad] * 4)]
    if channels_last:
        nodes.insert(0, helper.make_node("Transpose", ["x"], ["t"], perm=[0, 3, 1, 2]))
        nodes.append(helper.make_node("Transpose", ["c"], [output], perm=[0, 2, 3, 1]))
    sides: list[object] = list(size[::-1]) if size else ["height", "width"]
    shape = [1, *sides, inputs] if channels_last else [1, inputs, *sides]
    result = [1, *sides, outputs] if channels_last else [1, outputs, *sides]
    graph = helper.make_graph(
        [*nodes, *after],
        "convolution",
        [helper.make_tensor_value_info("x", kind, shape)],
        [helper.make_tensor_value_info(output, kind, result)],
        [*tensors, *constants],
    )
    opset = [helper.make_opsetid("", 13)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), str(path))
    return path


def swap_model(path: Path, **kwargs: object) -> Path:
    """Red and blue change places; any size."""
    return convolution(path, SWAP, **kwargs)  # type: ignore[arg-type]


def channel_model(path: Path, channel: int = 0, **kwargs: object) -> Path:
    """One channel of the picture, in 0..1: a mask that is known."""
    weight = np.zeros((1, 3, 1, 1), np.float32)
    weight[0, channel] = 1.0
    bounds = [numpy_helper.from_array(np.array(v, np.float32), n) for n, v in (("low", 0.0), ("high", 1.0))]
    clip = helper.make_node("Clip", ["c", "low", "high"], [str(kwargs.get("output", "y"))])
    return convolution(path, weight, after=[clip], constants=bounds, **kwargs)  # type: ignore[arg-type]


def depth_model(path: Path, **kwargs: object) -> Path:
    """A map of any range: 40 times green, less 7."""
    weight = np.zeros((1, 3, 1, 1), np.float32)
    weight[0, 1] = 40.0
    return convolution(path, weight, [-7.0], output="depth", **kwargs)  # type: ignore[arg-type]
