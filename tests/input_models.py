"""Networks as exporters write them, whose inputs leave more open than their weights do; written by the tests
that need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FREE = ("batch_size", "num_channels", "height", "width")
"""The axes that transformers and Optimum leave free."""


class Graph:
    """Nodes and weights of a network that is being put together; `x` is the picture."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def constant(self, values: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, op: str, *inputs: str, to: str = "", **attributes: object) -> str:
        name = to or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], **attributes))
        return name

    def conv(self, x: str, given: int, made: int, side: int = 3, **attributes: object) -> str:
        weight = self.random.normal(0, (given * side * side) ** -0.5, (made, given, side, side))
        return self.node("Conv", x, self.constant(weight.astype(np.float32)), **attributes)

    def save(
        self,
        path: Path,
        shape: Sequence[int | str],
        outputs: Sequence[tuple[str, Sequence[int | str]]],
        *,
        name: str = "x",
        kind: int = TensorProto.FLOAT,
        metadata: dict[str, str] | None = None,
        producer: str = "pytorch",
    ) -> Path:
        made = helper.make_graph(
            self.nodes,
            "main_graph",
            [helper.make_tensor_value_info(name, kind, list(shape))],
            [helper.make_tensor_value_info(o, TensorProto.FLOAT, list(size)) for o, size in outputs],
            self.weights,
        )
        opsets = [helper.make_opsetid("", 17)]
        model = helper.make_model(made, opset_imports=opsets, ir_version=8, producer_name=producer)
        helper.set_model_props(model, metadata or {})
        onnx.save(model, path)
        return path


def classifier(
    path: Path,
    shape: Sequence[int | str] = (1, 3, 32, 32),
    *,
    first: Sequence[str] = (),
    channels_last: bool = False,
    classes: int = 20,
    metadata: dict[str, str] | None = None,
) -> Path:
    """Write a classifier of one convolution whose scores differ between places and colors of the picture.

    Args:
        path: of the file.
        shape: of the input.
        first: operators between the input and the convolution: 'Cast', 'Sub', 'Pad', or 'Concat' of every
            second row and column, as in YOLOv5's first layer.
        channels_last: the input is [batch, height, width, channels].
        classes: how many scores.
        metadata: of the file.
    """
    graph = Graph(3)
    value, given = "x", 3
    if channels_last:
        value = graph.node("Transpose", value, perm=[0, 3, 1, 2])
    for op in first:
        if op == "Cast":
            value = graph.node("Cast", value, to="cast")
            graph.nodes[-1].attribute.append(helper.make_attribute("to", TensorProto.FLOAT))
        elif op == "Sub":
            value = graph.node("Sub", value, graph.constant(np.float32([0.1, 0.2, 0.3]).reshape(1, 3, 1, 1)))
        elif op == "Pad":
            value = graph.node("Pad", value, graph.constant(np.int64([0, 0, 1, 1, 0, 0, 1, 1])))
        elif op == "Concat":
            ends, step = graph.constant(np.int64([1 << 30] * 2)), graph.constant(np.int64([2, 2]))
            axes = graph.constant(np.int64([2, 3]))
            parts = [
                graph.node("Slice", value, graph.constant(np.int64([y, x])), ends, axes, step)
                for y in (0, 1)
                for x in (0, 1)
            ]
            value, given = graph.node("Concat", *parts, axis=1), 12
    conv = graph.conv(value, given, 16, 3, strides=[2, 2], pads=[1, 1, 1, 1])
    pooled = graph.node("GlobalAveragePool", graph.node("Relu", conv))
    flat = graph.node("Flatten", pooled)
    head = graph.random.normal(0, 8.0, (16, classes)).astype(np.float32)
    graph.node("MatMul", flat, graph.constant(head), to="logits")
    return graph.save(path, shape, [("logits", (shape[0], classes))], metadata=metadata)


def patches(path: Path, shape: Sequence[int | str] = FREE, *, side: int = 48, patch: int = 8) -> Path:
    """Write a classifier that cuts a picture of `side` pixels into patches and adds a table of positions to
    them, as ViT does.
    """
    graph, width = Graph(4), 16
    count = (side // patch) ** 2
    cut = graph.conv("x", 3, width, patch, strides=[patch, patch])
    rows = graph.node("Reshape", cut, graph.constant(np.int64([0, width, -1])))
    tokens = graph.node("Transpose", rows, perm=[0, 2, 1])
    special = graph.constant(np.zeros((1, 1, width), np.float32))
    whole = graph.node("Concat", special, tokens, axis=1)
    table = graph.random.normal(0, 1.0, (1, count + 1, width)).astype(np.float32)
    placed = graph.node("Relu", graph.node("Add", whole, graph.constant(table)))
    pooled = graph.node("ReduceMean", placed, axes=[1], keepdims=0)
    head = graph.random.normal(0, 4.0, (width, 20)).astype(np.float32)
    graph.node("MatMul", pooled, graph.constant(head), to="logits")
    return graph.save(path, shape, [("logits", (shape[0], 20))])


def cutter(
    path: Path,
    weight: Sequence[float],
    bias: float = 0.0,
    *,
    size: tuple[int, int] = (64, 64),
    last: str = "Sigmoid",
    masks: int = 1,
    names: tuple[str, str] = ("input", "output"),
    modules: Sequence[str] = (),
    extra: str = "",
) -> Path:
    """Write a network whose mask is `last` of one weighted sum of the channels of a pixel.

    Args:
        path: of the file.
        weight, bias: of the sum.
        size: width and height of the input.
        last: 'Sigmoid', or '' for the sum itself.
        masks: how many outputs; those behind the first are of -1 times the sum.
        names: of the input and the first output.
        modules: names of modules that nodes are called after.
        extra: an operator that stands in the graph and changes nothing.
    """
    graph = Graph()
    value = names[0]
    for module in modules:
        value = graph.node("Identity", value)
        graph.nodes[-1].name = f"/{module}/conv/Identity"
    kernel = np.float32(weight).reshape(1, 3, 1, 1)
    made = []
    for number in range(masks):
        sign = 1.0 if number == 0 else -1.0
        output = names[1] if number == 0 else f"side{number}"
        inner = f"sum{number}" if last or extra else output
        graph.node(
            "Conv", value, graph.constant(sign * kernel), graph.constant(np.float32([sign * bias])), to=inner
        )
        if extra and number == 0:
            ones, zeros = graph.constant(np.float32([1.0])), graph.constant(np.float32([0.0]))
            graph.node(extra, inner, ones, zeros, to="extra")
            graph.node("Mul", "extra", zeros, to="nothing")
            inner = graph.node("Add", inner, "nothing", to="" if last else output)
        if last:
            graph.node(last, inner, to=output)
        made.append((output, (1, 1, *size[::-1])))
    return graph.save(path, (1, 3, *size[::-1]), made, name=names[0])
