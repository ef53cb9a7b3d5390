"""A sum of convolutions of one tensor becomes one convolution.

    Conv3x3(x) + Conv1x1(x) + BatchNormalization(x) + x  is  Conv3x3'(x)

Networks are trained with such branches, and often exported before their author merges them (RepVGG, Ding et
al., CVPR 2021; MobileOne and FastViT, Vasu et al., CVPR and ICCV 2023). Scales a channel, as layer scales and
normalizations with known statistics are, may lie anywhere between. Nothing is merged whose weights would have
more taps than those of the largest convolution, nor what something else reads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ops.normalization import has_known_parameters, scale_and_shift


@dataclass(frozen=True)
class _Taps:
    """Which inputs a convolution's weights are for: all its attributes but their number of channels.

    Attributes:
        conv: the node.
        kernel, before, strides: by spatial axis; `before`: pixels of padding in front.
    """

    conv: Node
    groups: int
    kernel: tuple[int, ...]
    before: tuple[int, ...]
    strides: tuple[int, ...]

    def place_of(self, other: _Taps) -> tuple[int, ...] | None:
        """Return where the other's kernel lies in this one's; None if it does not, or moves otherwise."""
        place = tuple(mine - its for mine, its in zip(self.before, other.before, strict=True))
        inside = all(
            0 <= at <= mine - its for at, mine, its in zip(place, self.kernel, other.kernel, strict=True)
        )
        return place if inside and self.strides == other.strides and self.groups == other.groups else None

    def middle(self) -> tuple[int, ...] | None:
        """Return the tap of an output pixel's own input pixel; None if there is none."""
        inside = all(0 <= at < size for at, size in zip(self.before, self.kernel, strict=True))
        return self.before if inside and set(self.strides) <= {1} else None


@dataclass(frozen=True)
class _Linear:
    """A tensor as a linear function of another: `weights` by `taps`, plus a bias a channel.

    Attributes:
        source: the other tensor.
        weights: (output channels, channels of a group, *kernel); without `taps` a factor a channel, (channels,).
        nodes: the nodes that compute it.
        branches: convolutions and normalizations of `source` among them.
    """

    source: str
    weights: np.ndarray
    bias: np.ndarray
    taps: _Taps | None
    nodes: tuple[Node, ...]
    branches: int

    def scaled(self, factor: np.ndarray, shift: np.ndarray | float, node: Node) -> _Linear:
        """Return `node`'s result: this one times a factor, plus a shift, a channel each."""
        weights = self.weights * factor.reshape(-1, *[1] * (self.weights.ndim - 1))
        return replace(self, weights=weights, bias=self.bias * factor + shift, nodes=(*self.nodes, node))

    def plus(self, other: _Linear, node: Node) -> _Linear | None:
        """Return `node`'s result, the sum of both; None if neither's taps are among the other's."""
        if self.source != other.source:
            return None
        for one, another in ((self, other), (other, self)):
            weights = one._weights_with(another)
            if weights is not None:
                nodes, branches = (*self.nodes, *other.nodes, node), self.branches + other.branches
                return _Linear(self.source, weights, self.bias + other.bias, one.taps, nodes, branches)
        return None

    def _weights_with(self, other: _Linear) -> np.ndarray | None:
        """Return the weights with the other's added; None if the other's taps are not among these."""
        if self.taps is None:
            return self.weights + other.weights if other.taps is None else None
        place = self.taps.middle() if other.taps is None else self.taps.place_of(other.taps)
        if place is None or len(self.weights) != len(other.weights):
            return None
        weights = self.weights.copy()
        if other.taps is None:
            channels = np.arange(len(weights))
            weights[(channels, channels % weights.shape[1], *place)] += other.weights
        else:
            sizes = other.weights.shape[2:]
            within: Any = (..., *(slice(at, at + size) for at, size in zip(place, sizes, strict=True)))
            weights[within] += other.weights
        return weights


def merge_convolutions(graph: Graph) -> Graph:
    """Each sum takes the place of its last node; its convolutions go."""
    found = _Finder(graph).sums()
    if not found:
        return graph
    gone = {id(node) for sum_ in found.values() for node in sum_.nodes}
    nodes, constants = list[Node](), dict[str, np.ndarray]()
    for node in graph.nodes:
        sum_ = found.get(node.outputs[0]) if node.outputs else None
        if sum_ is not None:
            nodes.append(_convolution(graph, sum_, node, constants))
        elif id(node) not in gone:
            nodes.append(node)
    return graph.with_nodes(nodes, constants)


def _convolution(graph: Graph, sum_: _Linear, node: Node, constants: dict[str, np.ndarray]) -> Node:
    assert sum_.taps is not None
    conv, output = sum_.taps.conv, node.outputs[0]
    names = (f"{output}:weights", f"{output}:bias")
    constants[names[0]] = sum_.weights.astype(graph.values[conv.inputs[1]].dtype)
    constants[names[1]] = sum_.bias.astype(np.float32)  # kernels add it in float32
    return replace(conv, inputs=(sum_.source, *names), outputs=(output,))


class _Finder:
    """Finds the sums of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._readers = graph.consumers()
        self._found: dict[str, _Linear] = {}
        self._parts: set[str] = set()  # of which another one is made

    def sums(self) -> Mapping[str, _Linear]:
        """Return the largest sums of several branches by their results."""
        for node in self._graph.nodes:
            made = self._of(node) if node.is_plain and len(node.outputs) == 1 else None
            if made is not None:
                self._found[node.outputs[0]] = made
                self._parts.update(name for name in node.inputs if self._alone(name) is not None)
        return {
            name: each
            for name, each in self._found.items()
            if each.branches > 1 and each.taps is not None and name not in self._parts
        }

    def _alone(self, name: str) -> _Linear | None:
        """Return a tensor as a function of another if only one node reads it."""
        if len(self._readers.get(name, ())) != 1 or name in self._graph.pinned:
            return None
        return self._found.get(name)

    def _of(self, node: Node) -> _Linear | None:
        if node.op == "Conv":
            return self._of_convolution(node)
        if node.op == "BatchNormalization":
            return self._of_normalization(node)
        if node.op == "Mul":
            return self._of_product(node)
        return self._of_sum(node) if node.op in ("Add", "Sub") else None

    def _of_convolution(self, node: Node) -> _Linear | None:
        constants = self._graph.constants
        weights, bias = constants.get(node.inputs[1]), constants.get(node.input(2))
        if weights is None or (node.input(2) and bias is None) or weights.ndim < 3:
            return None
        rank, attributes = weights.ndim - 2, node.attributes
        dilations = tuple(attributes.get("dilations", [1] * rank))
        dilated = any(d > 1 and size > 1 for d, size in zip(dilations, weights.shape[2:], strict=True))
        if dilated or attributes.get("auto_pad", "NOTSET") not in ("NOTSET", b"NOTSET"):
            return None
        taps = _Taps(
            node,
            int(attributes.get("group", 1)),
            weights.shape[2:],
            tuple(attributes.get("pads", [0] * 2 * rank))[:rank],
            tuple(attributes.get("strides", [1] * rank)),
        )
        own = np.zeros(len(weights)) if bias is None else bias.astype(np.float64)
        return _Linear(node.inputs[0], weights.astype(np.float64), own, taps, (node,), 1)

    def _of_normalization(self, node: Node) -> _Linear | None:
        source, shape = node.inputs[0], self._graph.shape(node.inputs[0])
        if not has_known_parameters(node, self._graph.constants) or len(shape) < 3:
            return None
        factor, shift = scale_and_shift(node, self._graph.constants, shape[1])
        before = self._alone(source)
        if before is not None:
            return before.scaled(factor, shift, node)
        return replace(self._itself(source).scaled(factor, shift, node), branches=1)

    def _of_product(self, node: Node) -> _Linear | None:
        for name, other in (node.inputs, node.inputs[::-1]):
            before, factor = self._alone(name), self._a_channel(other, node)
            if before is not None and factor is not None:
                return before.scaled(factor, 0.0, node)
        return None

    def _of_sum(self, node: Node) -> _Linear | None:
        left, right = node.inputs
        shift = self._a_channel(right, node)
        if shift is None and node.op == "Add":
            left, right = right, left
            shift = self._a_channel(right, node)
        sign = 1.0 if node.op == "Add" else -1.0
        a, b = self._alone(left), self._alone(right)
        if shift is not None:
            return None if a is None else a.scaled(np.ones(len(shift)), shift * sign, node)
        shapes = {self._graph.shape(name) for name in (left, right, node.outputs[0])}
        if (a is None and b is None) or len(shapes) != 1 or left == right:
            return None
        a = a or (self._itself(left) if b is not None and b.source == left else None)
        b = b or (self._itself(right) if a is not None and a.source == right else None)
        if a is None or b is None:
            return None
        return a.plus(replace(b, weights=b.weights * sign, bias=b.bias * sign), node)

    def _itself(self, name: str) -> _Linear:
        channels = self._graph.shape(name)[1]
        return _Linear(name, np.ones(channels), np.zeros(channels), None, (), 0)

    def _a_channel(self, name: str, node: Node) -> np.ndarray | None:
        """Return a constant as a factor for each channel of a node's result; None if it is none."""
        array, shape = self._graph.constants.get(name), self._graph.shape(node.outputs[0])
        if array is None or len(shape) < 3 or array.ndim > len(shape):
            return None
        wide = (*[1] * (len(shape) - array.ndim), *array.shape)
        if array.size not in (1, shape[1]) or math.prod(wide) != wide[1]:
            return None
        return np.broadcast_to(array.astype(np.float64).reshape(-1), shape[1])
