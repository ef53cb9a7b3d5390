"""Translate an operator of TensorFlow Lite to ONNX nodes: access to inputs and options, and node builders.

A computed quantized tensor (8 or 16 bits, one scale) is in the graph as float32 integers q - zero point; a
constant as the file has it. `real` and `whole` convert either to the form that an operator needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from desktop.compute.nn.ir.fixed_point import (
    Factor,
    clipped,
    multiplied,
    table_of_floats,
    thresholds_away,
)
from desktop.compute.nn.ir.graph import INTERNAL, Detail, Node, Value
from desktop.compute.nn.ir.grid import Grid, pack_bytes
from desktop.compute.nn.lowering.operator import Constants, Expansion, refuse_unless, require

OPSET: Final = 18
"""Opset of the ONNX operators that are made here."""
NONE, RELU, RELU_N1_TO_1, RELU6, TANH, SIGN_BIT = range(6)
"""Fused activations."""
SUMS: Final = ("int32", "int64")
"""Types of biases, which are in units of a product of two scales."""


@dataclass(frozen=True)
class Scales:
    """Quantization of a tensor as in the file: one scale or one an entry of `axis`; `dtype` as stored."""

    scales: np.ndarray
    zeros: np.ndarray
    axis: int
    dtype: str

    @property
    def grid(self) -> Grid:
        """Return the grid of a tensor with one scale."""
        zero = int(self.zeros.reshape(-1)[0])
        bounds = np.iinfo(self.dtype)
        return Grid(
            np.float32(self.scales.reshape(-1)[0]), zero, int(bounds.min) - zero, int(bounds.max) - zero
        )

    def along(self, numbers: np.ndarray, rank: int) -> np.ndarray:
        """Return scales or zero points, shaped to broadcast over a tensor of `rank`."""
        if numbers.size == 1 or rank == 0:
            return numbers.reshape(())
        return numbers.reshape([-1 if at == self.axis else 1 for at in range(rank)])


@dataclass(frozen=True)
class Quantization(Detail):
    """Scales of each input and output of a node, None for those that are not quantized."""

    inputs: tuple[Scales | None, ...]
    outputs: tuple[Scales | None, ...]


class Spelling:
    """Translation of one node."""

    def __init__(self, node: Node, values: Mapping[str, Value], constants: Constants) -> None:
        self.node = node
        self._values = values
        self._constants = constants
        self._nodes: list[Node] = []
        self._made: dict[str, np.ndarray] = {}
        self._count = 0
        quantization = node.detail(Quantization)
        assert quantization is not None
        self._quantization = quantization

    def expansion(self) -> Expansion:
        """Return the nodes that replace the node."""
        return Expansion(tuple(self._nodes), self._made)

    # -- inputs and options ----------------------------------------------------------------------------------

    def option(self, name: str, default: Any = None) -> Any:
        """Return a field of its options."""
        return self.node.attributes.get(name, default)

    @property
    def count(self) -> int:
        """Return the number of inputs."""
        return len(self.node.inputs)

    @property
    def results(self) -> int:
        """Return the number of outputs."""
        return len(self.node.outputs)

    def has(self, index: int) -> bool:
        """Return True if input `index` is present."""
        return bool(self.node.input(index))

    def input(self, index: int) -> str:
        """Return the name of an input in the graph: integers, if it is quantized and computed."""
        require(self.has(index), self.node, f"it lacks its input {index}")
        return self.node.inputs[index]

    def shape(self, index: int) -> tuple[int, ...]:
        """Return the shape of an input."""
        return self._values[self.input(index)].shape

    def dtype(self, index: int) -> str:
        """Return the element type of an input in the graph."""
        return self._values[self.input(index)].dtype

    def known(self, index: int) -> np.ndarray | None:
        """Return the array of an input that is a constant, as stored; None for others."""
        return self._constants.get(self.node.input(index)) if self.has(index) else None

    def fixed(self, index: int) -> np.ndarray:
        """Return the array of an input that must be a constant."""
        array = self.known(index)
        refuse_unless(array is not None, self.node, f"its input {index} has to be a constant")
        assert array is not None
        return array

    def integers(self, index: int) -> list[int]:
        """Return the same as a list of integers."""
        return [int(n) for n in self.fixed(index).reshape(-1)]

    def scales(self, index: int) -> Scales | None:
        """Return the quantization of an input."""
        return self._quantization.inputs[index]

    def grid(self, index: int) -> Grid | None:
        """Return the grid of an input that holds integers, or of a constant of 8 or 16 bits with one scale."""
        scales = self.scales(index)
        return (
            scales.grid
            if scales is not None and scales.scales.size == 1 and scales.dtype not in SUMS
            else None
        )

    def out_grid(self, index: int = 0) -> Grid | None:
        """Return the grid of an output."""
        scales = self._quantization.outputs[index]
        return None if scales is None else scales.grid

    def is_small(self, grid: Grid | None) -> bool:
        """Return True for a grid of 8 bits: a table can hold all its numbers."""
        return grid is not None and grid.highest - grid.lowest < 256

    # -- nodes -----------------------------------------------------------------------------------------------

    def _name(self) -> str:
        self._count += 1
        return f"{self.node.name}#{self._count}"

    def constant(
        self, array: np.ndarray | np.generic | Sequence[int] | float, dtype: str | None = None
    ) -> str:
        """Add a constant; return its name."""
        name = self._name()
        self._made[name] = np.asarray(array, dtype)
        return name

    def int64(self, *numbers: int) -> str:
        """Add a list of integers, in the type of shapes and axes in ONNX; return its name."""
        return self.constant(np.array(numbers, np.int64))

    def add(
        self, op: str, /, *inputs: str, domain: str = "", details: tuple[Detail, ...] = (), **attributes: Any
    ) -> str:
        """Add a node with one output; return its name."""
        return self.add_many(op, 1, *inputs, domain=domain, details=details, **attributes)[0]

    def add_many(
        self,
        op: str,
        count: int,
        /,
        *inputs: str,
        domain: str = "",
        details: tuple[Detail, ...] = (),
        **attributes: Any,
    ) -> tuple[str, ...]:
        """Add a node with several outputs; return their names."""
        outputs = tuple(self._name() for _ in range(count))
        # Each name is unique: memory and costs are reported by it.
        name = self.node.name if not self._nodes else outputs[0]
        self._nodes.append(
            Node(op, name, inputs, outputs, attributes, domain, OPSET, details=details, origin=str(self.node))
        )
        return outputs

    def internal(self, op: str, /, *inputs: str, **attributes: Any) -> str:
        """Add a node of an operator that files may not contain; return its output's name."""
        return self.add(op, *inputs, domain=INTERNAL, **attributes)

    def give(self, name: str, index: int = 0) -> None:
        """Make `name` the node's output `index`."""
        output = self.node.outputs[index] if index < len(self.node.outputs) else ""
        if not output:
            return
        array = self._made.get(name, self._constants.get(name))
        if array is not None:
            self._made[output] = array
            return
        self._nodes.append(Node("Identity", output, (name,), (output,), {}, "", OPSET, origin=str(self.node)))

    # -- layouts ---------------------------------------------------------------------------------------------

    def first(self, name: str, rank: int = 4) -> str:
        """Move the channels to axis 1."""
        return self.add("Transpose", name, perm=[0, rank - 1, *range(1, rank - 1)])

    def last(self, name: str, rank: int = 4) -> str:
        """Move the channels to the last axis."""
        return self.add("Transpose", name, perm=[0, *range(2, rank), 1])

    # -- real numbers and integers ---------------------------------------------------------------------------

    def real(self, index: int) -> str:
        """Return an input as real numbers."""
        name, scales = self.input(index), self.scales(index)
        array = self.known(index)
        if array is not None:
            return self.constant(self.real_array(index)) if array.dtype.name != "float32" else name
        if scales is None or scales.dtype in SUMS:
            return name
        return self.add("Mul", name, self.constant(scales.grid.scale))

    def real_array(self, index: int) -> np.ndarray:
        """Return a constant input as float32."""
        array, scales = self.fixed(index), self.scales(index)
        if scales is None or array.dtype.kind == "f":
            return array.astype(np.float32) if array.dtype.kind == "f" else array
        zeros = scales.along(scales.zeros, array.ndim)
        return ((array.astype(np.int64) - zeros) * scales.along(scales.scales, array.ndim)).astype(np.float32)

    def integer_input(self, index: int) -> str:
        """Return a quantized input as integers."""
        array, grid = self.known(index), self.grid(index)
        assert grid is not None
        if array is None:
            return self.input(index)
        return self.constant(array.astype(np.float32) - np.float32(grid.zero))

    def give_real(self, name: str, index: int = 0, activation: int = NONE) -> None:
        """Make real numbers the output, quantized if the output is."""
        name = self.activated(name, activation)
        grid = self.out_grid(index)
        self.give(name if grid is None else self.quantized(name, grid), index)

    def activated(self, name: str, activation: int) -> str:
        """Apply a fused activation to real numbers."""
        if activation == RELU:
            return self.add("Relu", name)
        if activation in (RELU6, RELU_N1_TO_1):
            low, high = (0.0, 6.0) if activation == RELU6 else (-1.0, 1.0)
            return self.add("Clip", name, self.constant(low, "float32"), self.constant(high, "float32"))
        if activation == TANH:
            return self.add("Tanh", name)
        refuse_unless(activation == NONE, self.node, f"the fused activation {activation}")
        return name

    def bounded(self, grid: Grid, activation: int) -> Grid:
        """Clip a grid to the range of a fused activation (CalculateActivationRangeQuantized)."""
        lows = {RELU: 0.0, RELU6: 0.0, RELU_N1_TO_1: -1.0}
        highs = {RELU6: 6.0, RELU_N1_TO_1: 1.0}
        refuse_unless(activation in (NONE, *lows), self.node, f"the fused activation {activation}")

        def stored(real: float) -> int:
            return int(np.floor(np.abs(np.float32(real) / grid.scale) + np.float32(0.5)) * np.sign(real))

        low = max(grid.lowest, stored(lows[activation])) if activation in lows else grid.lowest
        high = min(grid.highest, stored(highs[activation])) if activation in highs else grid.highest
        return Grid(grid.scale, grid.zero, low, max(high, low))

    def quantized(self, name: str, grid: Grid) -> str:
        """Quantize real numbers, halves away from zero."""
        if not self.is_small(grid):
            scaled = self.add("Mul", name, self.constant(np.float32(1) / grid.scale))
            return self.rounded(scaled, grid, 0)
        thresholds = self.constant(thresholds_away(grid))
        factor = float(1 / np.float64(grid.scale))
        return self.internal(
            "RoundToGrid", name, thresholds, factor=factor, lowest=grid.lowest, highest=grid.highest
        )

    def rounded(self, name: str, grid: Grid, zero: int) -> str:
        """Round numbers in units of the scale after adding `zero`, halves away from zero."""
        return self.internal("RoundAway", name, zero=zero, lowest=grid.lowest, highest=grid.highest)

    def requantized(
        self, name: str, factors: np.ndarray, grid: Grid, rank: int = 4, *, once: bool = False
    ) -> str:
        """Multiply integer sums by factors (1 or one a channel, axis 1) and round twice, or `once`."""
        found = [Factor.of(float(factor)) for factor in factors]
        bounds = {"lowest": grid.lowest, "highest": grid.highest}
        if len(found) == 1:
            (factor,) = found
            upper, lower = factor.multiplier >> 16, factor.multiplier & 0xFFFF
            op = "RequantizeOnce" if once else "Requantize"
            return self.internal(op, name, upper=upper, lower=lower, shift=factor.shift, **bounds)
        table = np.array([(each.multiplier, each.shift % 2**32) for each in found], np.uint32).reshape(-1)
        channels = np.arange(len(found), dtype=np.float32).reshape(
            [-1 if at == 1 else 1 for at in range(rank)]
        )
        op = "RequantizeChannelsOnce" if once else "RequantizeChannels"
        return self.internal(op, name, self.constant(channels), self.constant(table), **bounds)

    def mapped(self, name: str, source: Grid, results: np.ndarray) -> str:
        """Apply a function to 8-bit integers; `results` are those of all `source.numbers`."""
        lowest = int(results.min())
        table = self.constant(pack_bytes(results, lowest))
        return self.internal(
            "Map", name, table, first=source.lowest, count=source.numbers.size, lowest=lowest
        )

    def mapped_pair(self, a: str, b: str, first: Grid, second: Grid, results: np.ndarray) -> str:
        """Apply a function to two 8-bit integers; `results` has a row for each number of the first."""
        lowest = int(results.min())
        table = self.constant(pack_bytes(results, lowest))
        numbers = {"first_a": first.lowest, "first_b": second.lowest, "count_b": second.numbers.size}
        return self.internal("MapPair", a, b, table, lowest=lowest, **numbers)

    def by_table(self, function: Any, index: int = 0) -> None:
        """Apply a float function to a quantized input, element by element."""
        source, grid = self.grid(index), self.out_grid()
        assert source is not None
        assert grid is not None
        self.give(self.mapped(self.integer_input(index), source, table_of_floats(function, source, grid)))

    def regridded(self, name: str, source: Grid, grid: Grid) -> str:
        """Convert integers from one grid to another (Requantize)."""
        if source.is_like(grid):
            return name
        factor = Factor.of(float(np.float64(source.scale) / np.float64(grid.scale)))
        if not self.is_small(source) or not self.is_small(grid):
            upper, lower = factor.multiplier >> 16, factor.multiplier & 0xFFFF
            bounds = {"lowest": grid.lowest, "highest": grid.highest}
            return self.internal("Requantize", name, upper=upper, lower=lower, shift=factor.shift, **bounds)
        results = clipped(multiplied(source.numbers, factor) + grid.zero, grid)
        return self.mapped(name, source, results)

    def moved(self, index: int) -> str:
        """Return an input that is only moved: integers on the output's grid, or unchanged."""
        source, grid = self.grid(index), self.out_grid()
        if source is None or grid is None:
            return self.input(index)
        return self.regridded(self.integer_input(index), source, grid)
