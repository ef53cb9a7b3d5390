"""Collect the operators between a graph's last convolutions or matrix products and an output.

They show whether boxes are decoded, and their factors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from desktop.compute.nn.frontends.weights import Weights

_LAYERS: Final = frozenset({"Conv", "ConvTranspose", "Gemm", "MatMul", "QLinearConv", "ConvInteger", "LSTM"})
_MOST_NODES: Final = 4096
_MOST_OUTPUTS: Final = 16
_MOST_FACTORS: Final = 64
_LARGEST: Final = 1 << 17
_MOST_ELEMENTS: Final = 1 << 22
# The convolution that takes a distribution's mean (DFL, arXiv:2006.04388) has one output and no bias.
_DFL_INPUTS: Final = 34
# Scales of quantized constants, and conversions: their results represent the same numbers.
_SAME: Final = frozenset(
    {"Identity", "Cast", "DequantizeLinear", "Reshape", "Unsqueeze", "Squeeze", "Expand"}
)
# Their results depend on a tensor's shape alone, so that the nodes before them do not matter.
_SIZES: Final = frozenset({"Shape", "Size"})
_ARITHMETIC: Final = frozenset({"Add", "Sub", "Mul", "Div", "Exp", "Pow"})


@dataclass(frozen=True)
class Tail:
    """The operators after the last convolutions of a graph; `is_complete` if the walk was completed.

    `factors` are the magnitudes of constants in multiplications; a divisor counts as its inverse.
    """

    operators: frozenset[str] = frozenset()
    channels: frozenset[int] = frozenset()
    factors: frozenset[float] = frozenset()
    is_complete: bool = True

    @property
    def is_known(self) -> bool:
        """True if every path ended at convolutions: operators not in `operators` are not used."""
        return self.is_complete and bool(self.channels)

    @property
    def computes(self) -> bool:
        """True if there is arithmetic besides activations: coordinates are decoded."""
        return not self.operators.isdisjoint(_ARITHMETIC)


def tails_of(model: Any, values: Weights) -> dict[str, Tail]:
    """Return the tail of each output of an `onnx.ModelProto`, of the first 16."""
    walk = _Walk(model.graph, values)
    return {value.name: walk.tail(value.name) for value in model.graph.output[:_MOST_OUTPUTS]}


class _Walk:
    def __init__(self, graph: Any, values: Weights) -> None:
        self._values = values
        self._weights = {tensor.name: tensor for tensor in graph.initializer}
        self._makers = {name: node for node in graph.node for name in node.output}
        self._left = _MOST_ELEMENTS  # elements of constants to examine: a malicious graph has many large ones
        self._operators: set[str] = set()
        self._channels: set[int] = set()
        self._factors: set[float] = set()
        self._is_complete = True

    def tail(self, output: str) -> Tail:
        self._operators, self._channels, self._factors = set(), set(), set()
        self._is_complete = True
        seen, waiting = {output}, [output]
        while waiting:
            if len(seen) >= _MOST_NODES:
                self._is_complete = False
                break
            node = self._makers.get(waiting.pop())
            if node is None or node.op_type == "Constant" or node.op_type in _SIZES:
                continue
            for name in self._sources(node):
                if name not in seen:
                    seen.add(name)
                    waiting.append(name)
        return Tail(
            frozenset(self._operators),
            frozenset(self._channels),
            frozenset(self._factors),
            is_complete=self._is_complete,
        )

    def _sources(self, node: Any) -> list[str]:
        """Record a node, and return the values with which the walk continues."""
        if node.op_type in _LAYERS:
            weights = self._shape(node)
            if len(node.input) > 2 or not _is_mean(weights):
                self._channels.update(weights[:1])
                return []
        self._operators.add(str(node.op_type))
        self._factors.update(self._factors_of(node))
        return list(node.input)[:1] if node.op_type in _LAYERS else list(node.input)

    def _shape(self, node: Any) -> tuple[int, ...]:
        at = 3 if node.op_type == "QLinearConv" else 1
        name = node.input[at] if len(node.input) > at else ""
        for _ in range(4):
            if name in self._weights:
                return tuple(self._weights[name].dims)
            maker = self._makers.get(name)
            if maker is None or maker.op_type not in _SAME or not maker.input:
                break
            name = maker.input[0]
        return ()

    def _factors_of(self, node: Any) -> Iterator[float]:
        if node.op_type not in ("Mul", "Div") or len(self._factors) >= _MOST_FACTORS:
            return
        for place, name in enumerate(node.input):
            values = np.abs(np.unique(self._constant(name)))
            values = values[np.isfinite(values) & (values > 0)][:_MOST_FACTORS]
            if node.op_type == "Mul":
                yield from map(float, values)
            elif place == 1:
                yield from map(float, 1.0 / values)

    def _constant(self, name: str) -> np.ndarray:
        from onnx import numpy_helper

        for _ in range(4):
            tensor = self._weights.get(name)
            maker = self._makers.get(name)
            if tensor is None and maker is not None and maker.op_type == "Constant":
                tensor = next((a.t for a in maker.attribute if a.name == "value"), None)
            if tensor is not None:
                break
            if maker is None or maker.op_type not in _SAME or not maker.input:
                return np.empty(0)
            name = maker.input[0]
        size = np.prod(tensor.dims, dtype=float) if tensor is not None else 0.0
        if tensor is None or not 0 <= size <= _LARGEST:
            return np.empty(0)
        if size > self._left:
            self._is_complete = False
            return np.empty(0)
        self._left -= int(size)
        tensor = self._values.with_values(tensor)
        if tensor is None:
            return np.empty(0)
        try:
            return np.asarray(numpy_helper.to_array(tensor), np.float64).ravel()
        except (TypeError, ValueError, KeyError):  # damaged or unusual: no evidence
            return np.empty(0)


def _is_mean(weights: tuple[int, ...]) -> bool:
    return len(weights) > 1 and weights[0] == 1 and 1 < weights[1] <= _DFL_INPUTS and set(weights[2:]) <= {1}
