"""Detectors whose last layers are as exporters write them, and whose boxes are known: the convolutions before
give zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Kind = Literal[
    "yolov8",
    "yolov8 shares",
    "yolov8 transposed",
    "yolov8 transposed shares",
    "yolov6",
    "yolox",
    "yolox decoded",
]
STRIDES: Final = (8, 16, 32)
# (class, score, left, top, right, bottom) in shares of the input; classes are taken modulo how many there
# are.
THINGS: Final = ((0, 0.9, 0.125, 0.25, 0.4375, 0.75), (16, 0.75, 0.5625, 0.375, 0.9375, 0.625))
_LEAST: Final = -12.0


@dataclass
class Graph:
    """A graph that is written node by node."""

    nodes: list[Any] = field(default_factory=list)
    weights: list[Any] = field(default_factory=list)

    def constant(self, values: Any, dtype: Any = np.float32) -> str:
        """Add a constant; return its name."""
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values, dtype), name))
        return name

    def node(self, kind: str, *inputs: str, count: int = 1, **attributes: Any) -> Any:
        """Add a node; return its output, or the list of its outputs."""
        outputs = [f"v{len(self.nodes)}_{number}" for number in range(count)]
        self.nodes.append(helper.make_node(kind, list(inputs), outputs, **attributes))
        return outputs[0] if count == 1 else outputs


def cells(size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the left upper corners (2, n) of all cells in cells, and the stride (n,) of each."""
    corners, strides = [], []
    for stride in STRIDES:
        across, down = size[0] // stride, size[1] // stride
        y, x = np.mgrid[:down, :across]
        corners.append(np.stack((x.ravel(), y.ravel())))
        strides.append(np.full(across * down, stride))
    return np.concatenate(corners, 1).astype(float), np.concatenate(strides).astype(float)


def raw_heads(graph: Graph, picture: str, channels: int, size: tuple[int, int], added: np.ndarray) -> str:
    """Convolutions of zeros on each stride, flattened to [1, channels, n], plus what is to come out."""
    parts = []
    for stride in STRIDES:
        weights = graph.constant(np.zeros((channels, 3, stride, stride)))
        bias = graph.constant(np.zeros(channels))
        found = graph.node(
            "Conv", picture, weights, bias, strides=[stride, stride], kernel_shape=[stride, stride]
        )
        parts.append(graph.node("Reshape", found, graph.constant([1, channels, -1], np.int64)))
    zeros = graph.node("Concat", *parts, axis=2)
    # A maximum is no arithmetic that decodes, as a sum would seem to be: where nothing is, the numbers are
    # those of the constant.
    return str(graph.node("Where", graph.constant(added > -1e9, bool), graph.constant(added), zeros))


def _logits(scores: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(scores) - np.log1p(-np.minimum(scores, 1 - 1e-6)), _LEAST)


def write_detector(
    path: Path,
    kind: Kind,
    size: tuple[int, int],
    classes: int,
    *,
    nhwc: bool = False,
    free: bool = False,
    names: Sequence[str] = (),
) -> Path:
    """Write a detector of a kind that finds `THINGS` in every picture of a size (width, height)."""
    graph = Graph()
    picture = graph.node("Transpose", "images", perm=[0, 3, 1, 2]) if nhwc else "images"
    corners, strides = cells(size)
    count = len(strides)
    scores = np.zeros((classes, count))
    pixels = np.zeros((4, count))  # middle and size
    pixels[:2], pixels[2:] = (corners + 0.5) * strides, strides
    for number, (index, score, *box) in enumerate(THINGS):
        left, top, right, bottom = np.array(box) * (*size, *size)
        middle = np.array([(left + right) / 2, (top + bottom) / 2])
        stride = STRIDES[number]
        at = int(
            np.flatnonzero((strides == stride) & (corners == np.floor(middle / stride)[:, None]).all(0))[0]
        )
        scores[index % classes, at] = score
        pixels[:, at] = *middle, right - left, bottom - top
    table = _TABLES[kind.split()[0]](graph, picture, kind, size, pixels, scores)
    if kind.split()[0] != "yolov8" or "transposed" in kind:
        table = graph.node("Transpose", table, perm=[0, 2, 1])
    graph.node("Identity", table)
    graph.nodes[-1].output[0] = "output0"
    width, height = size
    shape: list[Any] = [1, height, width, 3] if nhwc else [1, 3, height, width]
    if free:
        shape = [s if s in (1, 3) else f"d{at}" for at, s in enumerate(shape)]
    rows = [1, None, None] if free else [1, *_shape(kind, classes, count)]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "detector",
            [helper.make_tensor_value_info("images", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info("output0", TensorProto.FLOAT, rows)],
            graph.weights,
        ),
        opset_imports=[helper.make_opsetid("", 13)],
        ir_version=8,
    )
    if names:
        model.metadata_props.add(key="names", value=str(dict(enumerate(names))))
    onnx.save(model, path)
    return path


def _shape(kind: str, classes: int, count: int) -> tuple[int, int]:
    if kind.startswith("yolov8"):
        return (count, 4 + classes) if "transposed" in kind else (4 + classes, count)
    return count, 5 + classes


def _yolov8(
    graph: Graph, picture: str, kind: str, size: tuple[int, int], pixels: np.ndarray, scores: np.ndarray
) -> str:
    corners, strides = cells(size)
    anchors = corners + 0.5
    middle, half = pixels[:2] / strides, pixels[2:] / 2 / strides
    distances = np.concatenate((anchors - (middle - half), middle + half - anchors))
    box = raw_heads(graph, picture, 4, size, distances[None])
    logits = raw_heads(graph, picture, len(scores), size, _logits(scores)[None])
    # TensorFlow Lite's exports make shares before they decode.
    norm = strides / np.array(size)[:, None] if "shares" in kind else np.ones((2, 1))
    if "shares" in kind:
        box = graph.node("Mul", box, graph.constant(np.concatenate((norm, norm))[None]))
    near, far = graph.node("Split", box, graph.constant([2, 2], np.int64), count=2, axis=1)
    at = graph.constant((anchors * norm)[None])
    low, high = graph.node("Sub", at, near), graph.node("Add", at, far)
    middles = graph.node("Div", graph.node("Add", low, high), graph.constant(2.0))
    found = graph.node("Concat", middles, graph.node("Sub", high, low), axis=1)
    if "shares" not in kind:
        found = graph.node("Mul", found, graph.constant(strides[None, None]))
    parts = [found, graph.node("Sigmoid", logits)]
    if kind == "yolov6":
        parts.insert(1, graph.constant(np.ones((1, 1, len(strides)))))
    return str(graph.node("Concat", *parts, axis=1))


def _yolox(
    graph: Graph, picture: str, kind: str, size: tuple[int, int], pixels: np.ndarray, scores: np.ndarray
) -> str:
    corners, strides = cells(size)
    raw = np.concatenate((pixels[:2] / strides - corners, np.log(pixels[2:] / strides)))
    box = raw_heads(graph, picture, 4, size, raw[None])
    sure = (scores.max(0) > 0).astype(float)[None, None] * 0.999
    objectness = graph.node("Sigmoid", raw_heads(graph, picture, 1, size, _logits(sure)))
    found = graph.node("Sigmoid", raw_heads(graph, picture, len(scores), size, _logits(scores)[None]))
    if "decoded" in kind:
        middle, extent = graph.node("Split", box, graph.constant([2, 2], np.int64), count=2, axis=1)
        each = graph.constant(strides[None, None])
        middle = graph.node("Mul", graph.node("Add", middle, graph.constant(corners[None])), each)
        extent = graph.node("Mul", graph.node("Exp", extent), each)
        box = graph.node("Concat", middle, extent, axis=1)
    return str(graph.node("Concat", box, objectness, found, axis=1))


_TABLES: Final = {"yolov8": _yolov8, "yolov6": _yolov8, "yolox": _yolox}


def write_table(path: Path, table: np.ndarray, size: tuple[int, int], names: Sequence[str] = ()) -> Path:
    """Write a network that gives a table whatever it sees, in a way that tells nothing of what the numbers
    are.
    """
    nodes = [
        helper.make_node("ReduceMean", ["images"], ["mean"], keepdims=0),
        helper.make_node("Mul", ["mean", "zero"], ["nil"]),
        helper.make_node("Add", ["table", "nil"], ["output"]),
    ]
    weights = [
        numpy_helper.from_array(np.zeros((), np.float32), "zero"),
        numpy_helper.from_array(table.astype(np.float32), "table"),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "constant",
        [value("images", TensorProto.FLOAT, [1, 3, size[1], size[0]])],
        [value("output", TensorProto.FLOAT, list(table.shape))],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    if names:
        model.metadata_props.add(key="names", value=str(dict(enumerate(names))))
    onnx.save(model, path)
    return path
