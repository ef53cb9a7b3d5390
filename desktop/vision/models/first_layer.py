"""Infer free sizes from the weights: channels and side of the image input, and channels of the output.

Needed for exporters that leave sizes free (transformers, Optimum). The graph is walked from the input to the
first layer with weights, whose values are not read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

Shape = tuple[int, ...]

_SAME_AXES: Final = frozenset((
    "Abs", "Add", "Cast", "Clip", "Constant", "DequantizeLinear", "Div", "Dropout", "Exp", "Floor", "Identity", "ImageScaler",
    "InstanceNormalization", "LRN", "Max", "Min", "Mul", "Neg", "Pad", "Pow", "QuantizeLinear", "Relu", "Resize", "Round", "Slice",
    "Sqrt", "Sub", "Upsample",
))  # fmt: skip
"""Operators whose results have their input's axes; of several inputs, the first from the image."""
_WEIGHT_INPUT: Final = {"Conv": 1, "ConvInteger": 1, "FusedConv": 1, "QLinearConv": 3}
"""Index of a convolution's weights [outputs, channels / groups, height, width] among its inputs."""
_BOUNDING: Final = frozenset({"Sigmoid", "Tanh", "HardSigmoid"})
_LONGEST_WAY: Final = 32
_COPIES: Final = frozenset({"Identity", "Cast", "DequantizeLinear"})
_SPECIAL_TOKENS: Final = range(6)
"""Numbers of positions that are not patches: none, a class token, or that and DINOv2's four registers."""


@dataclass(frozen=True)
class FirstLayer:
    """Input of the first layer with weights; `side` in pixels of a position table's image, or 0."""

    axis: int
    channels: int
    side: int = 0


@dataclass(frozen=True)
class _InputView:
    """A value computed from the image: the input axis of each axis, and channels per input channel."""

    axes: tuple[int, ...] = (0, 1, 2, 3)
    times: int = 1


def first_layer(model: Any, picture: str) -> FirstLayer | None:
    """Return the first layer that reads the input `picture` of an `onnx.ModelProto`; None if undetermined.

    TensorFlow Lite: activations [batch, height, width, channels], weights [outputs, height, width, channels].
    """
    graph = model.graph
    is_tflite = any(opset.domain == "tflite" for opset in model.opset_import)
    walk = _Walk(graph, is_tflite=is_tflite)
    seen: dict[str, _InputView] = {picture: _InputView()}
    for node in graph.node:
        source = next((seen[name] for name in node.input if name in seen), None)
        if source is None:
            continue
        found = walk.layer(node, source, seen)
        if found is not None:
            return replace(found, side=walk.side(node))
        made = walk.onward(node, source, seen)
        if made is not None:
            seen.update(dict.fromkeys(filter(None, node.output), made))
    return None


def last_channels(graph: Any, output: str) -> int:
    """Return the channels of the last convolution before `output`, which is NCHW; 0 if unknown."""
    walk = _Walk(graph)
    makers = {name: node for node in graph.node for name in node.output}
    share = 1  # of the convolution's channels that are moved to pixels
    for _ in range(_LONGEST_WAY):
        node = makers.get(output)
        if node is None or not node.input:
            return 0
        if node.op_type == "Conv":
            weight = walk.shape(node.input[1]) if len(node.input) > 1 else ()
            return weight[0] // share if len(weight) == 4 and weight[0] % share == 0 else 0
        if node.op_type == "DepthToSpace":
            share *= max(_integer_attribute(node, "blocksize", 1), 1) ** 2
        elif node.op_type not in _SAME_AXES | _BOUNDING:
            return 0
        output = next((name for name in node.input if name in makers and not walk.shape(name)), "")
    return 0


class _Walk:
    """Walk of a graph's first nodes: the shapes of its constants, and the movement of the image's axes."""

    def __init__(self, graph: Any, *, is_tflite: bool = False) -> None:
        self._graph = graph
        self._is_tflite = is_tflite
        self._shapes: dict[str, Shape] = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                value = next((a.t for a in node.attribute if a.name == "value"), None)
                self._shapes[node.output[0]] = () if value is None else tuple(value.dims)
            elif node.input and node.input[0] in self._shapes:
                self._derive(node, self._shapes[node.input[0]])

    def shape(self, name: str) -> Shape:
        """Return a constant's shape, () for other values."""
        return self._shapes.get(name, ())

    def _derive(self, node: Any, shape: Shape) -> None:
        """Record the shape of a node's result from a constant, if it is simple to infer."""
        if node.op_type in _COPIES:
            self._shapes[node.output[0]] = shape
        elif node.op_type == "Gather" and len(node.input) > 1 and not _integer_attribute(node, "axis", 0):
            indices = self._shapes.get(node.input[1])  # a table of positions, indexed by number
            if indices is not None:
                self._shapes[node.output[0]] = (*indices, *shape[1:])

    def layer(self, node: Any, source: _InputView, seen: Mapping[str, _InputView]) -> FirstLayer | None:
        """Return the layer of a node with weights for each channel; None for any other node."""
        if len(source.axes) != 4:
            return None
        at = _WEIGHT_INPUT.get(node.op_type)
        if at is not None and len(node.input) > at and node.input[0] in seen:
            weight = self._shapes.get(node.input[at], ())
            count = self._taken(node, weight) if len(weight) == 4 else 0
        elif node.op_type == "BatchNormalization" and len(node.input) > 1:
            count = math.prod(self._shapes.get(node.input[1], (0,)))
        else:
            return None
        whole = count > 0 and count % source.times == 0
        return FirstLayer(source.axes[3 if self._is_tflite else 1], count // source.times) if whole else None

    def _taken(self, node: Any, weight: Shape) -> int:
        """Return the channels that a convolution with these weights takes."""
        if self._is_tflite:  # a depthwise one has a group for each, and weights [1, height, width, outputs]
            return _integer_attribute(node, "group", 0) or weight[3]
        return weight[1] * _integer_attribute(node, "group", 1)

    def onward(self, node: Any, source: _InputView, seen: Mapping[str, _InputView]) -> _InputView | None:
        """Return the axes of a node's result relative to the input; None if unknown."""
        if node.op_type in _SAME_AXES:
            return source
        if node.op_type == "Transpose":
            order = _integers_attribute(node, "perm")
            if not order and not self._is_tflite:  # an outline leaves the order out
                order = tuple(reversed(range(len(source.axes))))
            valid = sorted(order) == list(range(len(source.axes)))
            return replace(source, axes=tuple(source.axes[axis] for axis in order)) if valid else None
        if node.op_type == "SpaceToDepth":
            return replace(source, times=source.times * _integer_attribute(node, "blocksize", 1) ** 2)
        if node.op_type == "Concat":  # of slices of the image, as in the first layer of YOLOv5 and YOLOX
            parts = [seen.get(name) for name in node.input]
            known = [part for part in parts if part is not None]
            alike = len(known) == len(parts) and {part.axes for part in known} == {source.axes}
            across = _integer_attribute(node, "axis", 0) % len(source.axes) == 1
            return replace(source, times=sum(part.times for part in known)) if alike and across else None
        return None

    def side(self, layer: Any) -> int:
        """Return `FirstLayer.side` of a patch embedding, from the position table that is added to it."""
        weight = self._shapes.get(layer.input[_WEIGHT_INPUT.get(layer.op_type, 0)], ())
        if len(weight) != 4 or weight[2] != weight[3] or _integers_attribute(layer, "strides") != weight[2:]:
            return 0
        patch, width = weight[2], weight[0]
        counts = (math.prod(shape[:-1]) for shape in self._added() if shape[-1:] == (width,))
        grids = (math.isqrt(n - extra) for n in counts for extra in _SPECIAL_TOKENS if _is_square(n - extra))
        return next((grid * patch for grid in grids if grid > 1), 0)

    def _added(self) -> Iterator[Shape]:
        names = (name for node in self._graph.node if node.op_type == "Add" for name in node.input)
        return (self._shapes[name] for name in names if len(self._shapes.get(name, ())) >= 2)


def _is_square(count: int) -> bool:
    return count > 0 and math.isqrt(count) ** 2 == count


def _integer_attribute(node: Any, name: str, default: int) -> int:
    return next((int(a.i) for a in node.attribute if a.name == name), default)


def _integers_attribute(node: Any, name: str) -> Shape:
    return tuple(next((list(a.ints) for a in node.attribute if a.name == name), ()))


def settled(shape: Sequence[int], layer: FirstLayer | None) -> Shape:
    """Return an input's shape with sizes filled in from the first layer; 0 for sizes that remain free."""
    sizes = list(shape)
    if layer is None or len(sizes) != 4 or layer.axis not in (1, 3):
        return tuple(sizes)
    sizes[layer.axis] = sizes[layer.axis] or layer.channels
    sides = (2, 3) if layer.axis == 1 else (1, 2)
    if layer.side and not any(sizes[axis] for axis in sides):
        sizes[sides[0]] = sizes[sides[1]] = layer.side
    return tuple(sizes)
