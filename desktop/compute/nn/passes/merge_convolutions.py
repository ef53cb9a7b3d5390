"""A sum of convolutions of one tensor becomes one convolution.

    Conv3x3(x) + Conv1x1(x) + BatchNormalization(x) + x  is  Conv3x3'(x)

Networks are trained with such branches, and often exported before their author merges them (RepVGG, Ding et
al., CVPR 2021; MobileOne and FastViT, Vasu et al., CVPR and ICCV 2023). Factors per channel, as layer scales
and normalizations with known statistics are, may lie anywhere between. Nothing is merged whose weights would
have more taps than those of the largest convolution or not fit float16, nor what something else reads.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ops.normalization import has_known_parameters, scale_and_shift
from desktop.compute.nn.passes.merged_weights import stored_weights


@dataclass(frozen=True)
class _Taps:
    """The geometry of a convolution; `kernel`, `pads_begin` and `strides` by spatial axis."""

    conv: Node
    groups: int
    kernel: tuple[int, ...]
    pads_begin: tuple[int, ...]
    strides: tuple[int, ...]

    def place_of(self, other: _Taps) -> tuple[int, ...] | None:
        """Return where the other's kernel lies in this one's; None if it does not fit, or strides or groups differ."""
        place = tuple(mine - its for mine, its in zip(self.pads_begin, other.pads_begin, strict=True))
        fits = all(
            0 <= at <= mine - its for at, mine, its in zip(place, self.kernel, other.kernel, strict=True)
        )
        return place if fits and self.strides == other.strides and self.groups == other.groups else None

    def center(self) -> tuple[int, ...] | None:
        """Return the tap that reads an output pixel's own input pixel; None if there is none."""
        inside = all(0 <= at < size for at, size in zip(self.pads_begin, self.kernel, strict=True))
        return self.pads_begin if inside and set(self.strides) <= {1} else None

    def contains(self, other: _Taps | None) -> bool:
        """Return True if these weights can hold the other's; without taps a factor per channel."""
        return (self.center() if other is None else self.place_of(other)) is not None


@dataclass(frozen=True)
class _Linear:
    """A tensor that depends linearly on `source`: the sum of its `parts` times their factors, plus `shift`.

    Attributes:
        channels: of the tensor.
        node: the node that computes it; None for the source itself.
        taps: those that contain all others; None if it is only a factor per channel.
        branches: convolutions and normalizations of `source` in it.
        parts: tensors of the same source, each with a factor, a number or (channels,). A convolution has none.
        shift: a number or (channels,).
    """

    source: str
    channels: int
    node: Node | None = None
    taps: _Taps | None = None
    branches: int = 0
    parts: tuple[tuple[_Linear, np.ndarray | float], ...] = ()
    shift: np.ndarray | float = 0.0

    def scaled(self, factor: np.ndarray | float, shift: np.ndarray | float, node: Node) -> _Linear:
        """Return `node`'s result: this one times a factor, plus a shift."""
        return replace(self, node=node, parts=((self, factor),), shift=shift)

    def plus(self, other: _Linear, sign: float, node: Node) -> _Linear | None:
        """Return `node`'s result, the sum of both; None if neither's weights can hold the other's."""
        if self.source != other.source or self.channels != other.channels:
            return None
        taps = self.taps
        if other.taps is not None and (taps is None or not taps.contains(other.taps)):
            taps = other.taps
        if taps is not None and not all(taps.contains(each.taps) for each in (self, other)):
            return None
        parts = ((self, 1.0), (other, sign))
        return _Linear(self.source, self.channels, node, taps, self.branches + other.branches, parts)

    def everything(self) -> Iterator[tuple[_Linear, np.ndarray | float]]:
        """Yield this one and all that it is made of, each with its factor."""
        left: list[tuple[_Linear, np.ndarray | float]] = [(self, 1.0)]
        while left:
            each, factor = left.pop()
            yield each, factor
            left += [(part, factor * its) for part, its in each.parts]


def merge_convolutions(graph: Graph) -> Graph:
    """Each sum takes the place of its last node; its convolutions go."""
    made, constants, gone = dict[str, Node](), dict[str, np.ndarray](), set[int]()
    for name, each in _Finder(graph).sums():
        found = _convolution(graph, each, name)
        if found is not None:
            made[name], arrays = found
            constants |= arrays
            gone |= {id(part.node) for part, _ in each.everything()}
    if not made:
        return graph
    nodes = list[Node]()
    for node in graph.nodes:
        merged = made.get(node.outputs[0]) if node.outputs else None
        if merged is not None:
            nodes.append(merged)
        elif id(node) not in gone:
            nodes.append(node)
    return graph.with_nodes(nodes, constants)


def _convolution(graph: Graph, sum_: _Linear, output: str) -> tuple[Node, dict[str, np.ndarray]] | None:
    """Return the convolution that a sum is, with its constants; None if float16 would not hold its weights."""
    taps = sum_.taps
    assert taps is not None
    largest = graph.constants[taps.conv.inputs[1]]
    weights, bias = np.zeros(largest.shape), np.zeros(sum_.channels)
    channels = np.arange(sum_.channels)
    for each, factor in sum_.everything():
        bias += factor * each.shift
        if each.node is None:
            weights[(channels, channels % largest.shape[1], *(taps.center() or ()))] += factor
        elif each.taps is not None and not each.parts:
            own = graph.constants[each.taps.conv.inputs[1]]
            place = taps.place_of(each.taps) or ()
            within: Any = (
                ...,
                *(slice(at, at + size) for at, size in zip(place, own.shape[2:], strict=True)),
            )
            weights[within] += own * np.reshape(factor, (-1, *[1] * (own.ndim - 1)))
    stored = stored_weights(weights, largest.dtype)
    if stored is None:
        return None
    names = (f"{output}:weights", f"{output}:bias")
    node = replace(taps.conv, inputs=(sum_.source, *names), outputs=(output,))
    return node, {names[0]: stored, names[1]: bias.astype(np.float32)}  # kernels add biases in float32


class _Finder:
    """Finds the sums of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._readers = graph.consumers()
        self._found: dict[str, _Linear] = {}

    def sums(self) -> Iterator[tuple[str, _Linear]]:
        """Yield the largest sums of several branches, with the names of their results."""
        absorbed = set[str]()
        for node in self._graph.nodes:
            made = self._of(node) if node.is_plain and len(node.outputs) == 1 else None
            if made is not None:
                self._found[node.outputs[0]] = made
                absorbed.update(part.node.outputs[0] for part, _ in made.parts if part.node is not None)
        for name, each in self._found.items():
            if each.branches > 1 and each.taps is not None and name not in absorbed:
                yield name, each

    def _private(self, name: str) -> _Linear | None:
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
        is_dilated = any(d > 1 and size > 1 for d, size in zip(dilations, weights.shape[2:], strict=True))
        if is_dilated or attributes.get("auto_pad", "NOTSET") not in ("NOTSET", b"NOTSET"):
            return None
        taps = _Taps(
            node,
            int(attributes.get("group", 1)),
            weights.shape[2:],
            tuple(attributes.get("pads", [0] * 2 * rank))[:rank],
            tuple(attributes.get("strides", [1] * rank)),
        )
        shift = 0.0 if bias is None else bias.astype(np.float64)
        return _Linear(node.inputs[0], len(weights), node, taps, 1, shift=shift)

    def _of_normalization(self, node: Node) -> _Linear | None:
        source, shape = node.inputs[0], self._graph.shape(node.inputs[0])
        if not has_known_parameters(node, self._graph.constants) or len(shape) < 3:
            return None
        factor, shift = scale_and_shift(node, self._graph.constants, shape[1])
        inner = self._private(source)
        if inner is not None:
            return inner.scaled(factor, shift, node)
        return replace(self._itself(source).scaled(factor, shift, node), branches=1)

    def _of_product(self, node: Node) -> _Linear | None:
        for name, other in (node.inputs, node.inputs[::-1]):
            inner, factor = self._private(name), self._per_channel(other, name, node)
            if inner is not None and factor is not None:
                return inner.scaled(factor, 0.0, node)
        return None

    def _of_sum(self, node: Node) -> _Linear | None:
        left, right = node.inputs
        shift = self._per_channel(right, left, node)
        if shift is None and node.op == "Add":
            left, right = right, left
            shift = self._per_channel(right, left, node)
        sign = 1.0 if node.op == "Add" else -1.0
        a, b = self._private(left), self._private(right)
        if shift is not None:
            return None if a is None else a.scaled(1.0, shift * sign, node)
        shapes = {self._graph.shape(name) for name in (left, right, node.outputs[0])}
        if (a is None and b is None) or len(shapes) != 1 or left == right:
            return None
        a = a or (self._itself(left) if b is not None and b.source == left else None)
        b = b or (self._itself(right) if a is not None and a.source == right else None)
        return a.plus(b, sign, node) if a is not None and b is not None else None

    def _itself(self, name: str) -> _Linear:
        return _Linear(name, self._graph.shape(name)[1])

    def _per_channel(self, name: str, other: str, node: Node) -> np.ndarray | None:
        """Return a constant as a number for each channel of a node's other input; None if it is none, or if the
        result has another shape than that input.
        """
        array, shape = self._graph.constants.get(name), self._graph.shape(other)
        if array is None or len(shape) < 3 or shape != self._graph.shape(node.outputs[0]):
            return None
        wide = (*[1] * (len(shape) - array.ndim), *array.shape)
        if array.size not in (1, shape[1]) or math.prod(wide) != wide[1]:
            return None
        return np.broadcast_to(array.astype(np.float64).reshape(-1), shape[1])
