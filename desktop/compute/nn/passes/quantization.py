"""Between QuantizeLinear and DequantizeLinear a network computes with integers: the pass makes that exact.

Quantized tensors, weights and biases stay integers (q - zero point), and float operators between become sums
of products times one factor, rounded: ONNX's QLinearConv. Float arithmetic on dequantized numbers differs
between GPUs: after fifty layers in a tenth of the top fives. Unknown operators stay in floating point.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import INTERNAL, Graph, Node, Value
from desktop.compute.nn.ir.grid import (
    Grid,
    around,
    pack_bytes,
    rounding,
    table_of_sum,
    thresholds_of_floats,
    thresholds_of_grid,
)
from desktop.compute.nn.kernels.matrix import IntegerDetail
from desktop.compute.nn.kernels.reduction import reduced_axes
from desktop.compute.nn.kernels.steps import operand_step
from desktop.compute.nn.lowering.operator import Quantized, constant_input, refuse_unless
from desktop.compute.nn.ops import OPERATORS
from desktop.compute.nn.ops.pooling import Summed
from desktop.compute.nn.ops.softmax import Scaled
from desktop.compute.nn.ops.unary import clip_bounds

_EXACT: Final = 1 << 24
"""Integers up to here are exact in float32."""


def rewrite_as_integers(graph: Graph) -> Graph:
    """Rewrite every QuantizeLinear and DequantizeLinear."""
    return _IntegerGraph(graph).rewrite()


class _IntegerGraph:
    """Adds integer nodes beside the float ones, which are removed once they have no readers."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.producers = graph.producers()
        self.nodes: list[Node] = []
        self.values = dict(graph.values)
        self.constants = dict(graph.constants)
        # Both map a value of the model to its tensor of integers: as stored, and after DequantizeLinear.
        self.stored: dict[str, tuple[str, Grid]] = {}
        self.scaled: dict[str, tuple[str, Grid]] = {}
        self.whole = _integer_values(graph)

    def rewrite(self) -> Graph:
        for node in self.graph.nodes:
            if node.op == "QuantizeLinear" and node.outputs[0] in self.whole:
                self._quantize(node)
            elif node.op == "DequantizeLinear" and node.inputs[0] in self.stored:
                self._dequantize(node)
            elif _moved(node) and node.inputs[0] in self.stored:
                self._move_stored(node)
            else:
                self._add_integer_version(node)
        made = {name: array for name, array in self.constants.items() if name not in self.graph.constants}
        return replace(self.graph, values=self.values).with_nodes(self.nodes, made)

    # -- nodes of the model ----------------------------------------------------------------------------------

    def _quantize(self, node: Node) -> None:
        output = node.outputs[0]
        grid = self._grid(node, self.values[output].dtype)
        tensor = self._quantized(node.inputs[0], grid, output)
        self.stored[output] = (tensor, grid)

    def _dequantize(self, node: Node) -> None:
        tensor, source = self.stored[node.inputs[0]]
        grid = self._grid(node, "")
        refuse_unless(grid.zero == source.zero, node, "another zero point than the QuantizeLinear before it")
        self.scaled[node.outputs[0]] = (tensor, replace(source, scale=grid.scale))
        step = EpilogueStep("mul", (float(grid.scale),))
        self.nodes.append(_elementwise(node.name, tensor, node.outputs[0], step))

    def _grid(self, node: Node, dtype: str) -> Grid:
        """The grid of a QuantizeLinear or DequantizeLinear; without a type its bounds are unknown (zero)."""
        scale, zero = (constant_input(node, i, self.graph.constants) for i in (1, 2))
        assert scale is not None
        refuse_unless(scale.size == 1, node, "a scale for each channel of activations")
        refuse_unless(dtype in ("int8", "uint8", ""), node, "a type other than int8 and uint8")
        refuse_unless(float(scale.reshape(())) > 0, node, "a scale that is not positive")
        at = 0 if zero is None else int(zero.reshape(()))
        bounds = np.iinfo(dtype) if dtype else None
        low, high = (bounds.min - at, bounds.max - at) if bounds else (0, 0)
        return Grid(np.float32(scale.reshape(())), at, int(low), int(high))

    def _move_stored(self, node: Node) -> None:
        """An operator on stored numbers: what it moves are integers all the same."""
        count = _moved(node)
        tensors = [self.stored[name] for name in node.inputs[:count]]
        grid = around([grid for _, grid in tensors])
        refuse_unless(all(g.zero == grid.zero for _, g in tensors), node, "inputs with different zero points")
        inputs = (*(name for name, _ in tensors), *node.inputs[count:])
        self.nodes.append(replace(node, inputs=inputs))
        for name in filter(None, node.outputs):
            self.values[name] = replace(self.values[name], dtype="float32")
            self.stored[name] = (name, grid)

    def _add_integer_version(self, node: Node) -> None:
        """A float operator, and beside it what it makes of integers, for those that read them."""
        if OPERATORS[node.op].quantized is Quantized.SCALED and node.inputs[0] in self.scaled:
            tensor, grid = self.scaled[node.inputs[0]]
            node = replace(node, inputs=(tensor,)).with_detail(Scaled(float(grid.scale)))
        self.nodes.append(node)
        count = _moved(node)
        sources = [self.scaled[name] for name in node.inputs[:count] if name in self.scaled]
        if count == 0 or len(sources) < count:
            return
        grid = sources[0][1]
        if all(other.is_like(grid) for _, other in sources):
            grid = around([each for _, each in sources])
            outputs = tuple(name and f"{name}:whole" for name in node.outputs)
            self.nodes.append(
                replace(node, inputs=(*(name for name, _ in sources), *node.inputs[count:]), outputs=outputs)
            )
            for name, whole in zip(node.outputs, outputs, strict=True):
                if name:
                    self.values[whole] = Value(whole, self.values[name].shape, "float32")
                    self.scaled[name] = (whole, grid)

    # -- integers --------------------------------------------------------------------------------------------

    def _add(self, node: Node, like: str) -> str:
        """Append a node whose result has the shape of `like`; returns the result's name."""
        name = node.outputs[0]
        self.values[name] = Value(name, self.values[like].shape, "float32")
        self.nodes.append(node)
        return name

    def _quantized(self, value: str, grid: Grid, name: str) -> str:
        """A tensor with `value` quantized to `grid`: one that exists, or a new one called `name`."""
        if value in self.scaled:
            tensor, source = self.scaled[value]
            if source.is_like(grid) and grid.lowest <= source.lowest and source.highest <= grid.highest:
                return tensor
            factor = np.float64(source.scale) / np.float64(grid.scale)
            step = self._quantizing(grid, factor, thresholds_of_grid(source, grid), name)
            return self._add(_elementwise(name, tensor, name, step), value)
        node = self.producers.get(value)
        made = None if node is None else self._computed(node, value, grid, name)
        if made is not None:
            return made
        step = self._quantizing(grid, 1 / np.float64(grid.scale), thresholds_of_floats(grid), name)
        return self._add(_elementwise(name, value, name, step), value)

    def _quantizing(self, grid: Grid, factor: float, thresholds: np.ndarray, name: str) -> EpilogueStep:
        table = f"{name}:thresholds"
        self.constants[table] = thresholds
        return EpilogueStep("quantize", (float(factor), float(grid.lowest), float(grid.highest)), table=table)

    def _computed(self, node: Node, value: str, grid: Grid, name: str) -> str | None:
        """`value`, the result of `node`, in integers; None where that is not known."""
        how = OPERATORS[node.op].quantized
        if how is Quantized.CLIPS:
            low, high = clip_bounds(node, self.graph) if node.op == "Clip" else (0.0, np.inf)
            return self._quantized(node.inputs[0], grid.clipped(low, high), name)
        if how is Quantized.PRODUCT:
            return self._product(node, grid, name)
        if how is Quantized.SUM:
            return self._sum(node, grid, name)
        if how is Quantized.MEAN:
            return self._mean(node, grid, name)
        if how is Quantized.JOINS or (how is Quantized.MOVES and len(node.outputs) == 1):
            count = _moved(node)
            inputs = [
                self._quantized(source, grid, f"{name}:{i}") for i, source in enumerate(node.inputs[:count])
            ]
            return self._add(replace(node, inputs=(*inputs, *node.inputs[count:]), outputs=(name,)), value)
        return None

    def _product(self, node: Node, grid: Grid, name: str) -> str | None:
        """Conv, Gemm and MatMul: as QLinearConv and QLinearMatMul, with their float32 order on the scales."""
        dequantize = self.graph.folded.get(node.inputs[1])
        if node.inputs[0] not in self.scaled or dequantize is None or dequantize.op != "DequantizeLinear":
            return None
        attributes = node.attributes
        if any(
            attributes.get(key, value) != value
            for key, value in (("alpha", 1.0), ("beta", 1.0), ("transA", 0))
        ):
            return None
        tensor, source = self.scaled[node.inputs[0]]
        axis = 0 if node.op == "Conv" or attributes.get("transB", 0) else 1
        found = self._weights(dequantize, axis)
        if found is None:
            return None
        weights, scales = found
        products = source.scale * scales
        inputs = [tensor, f"{name}:weights"]
        self.constants[inputs[1]] = weights.astype(np.float32)  # as the kernel of any matrices reads them
        if node.input(2):
            if node.input(2) not in self.graph.constants:
                return None
            bias = self.graph.constants[node.input(2)].astype(np.float64) / products.astype(np.float64)
            if bias.ndim > 1 or np.abs(bias).max() >= 1 << 31:
                return None
            inputs.append(f"{name}:bias")
            # Dequantized biases become the original integers; others are rounded, as in ONNX Runtime.
            self.constants[inputs[2]] = np.rint(bias)
        factors = products / grid.scale
        rank = len(self.values[node.outputs[0]].shape)
        along = (
            (-1,) if node.op == "MatMul" else (1, -1, *[1] * (rank - 2))
        )  # its columns are the last dimension
        self.constants[f"{name}:factors"] = factors.reshape(along).astype(np.float32)
        made = Node(
            node.op, node.name, tuple(inputs), (name,), attributes, node.domain, node.version,
            (self._multiplied(f"{name}:factors"), rounding(grid)), (IntegerDetail(source.lowest, source.highest),),
            str(node),
        )  # fmt: skip
        return self._add(made, node.outputs[0])

    def _multiplied(self, factors: str) -> EpilogueStep:
        return operand_step("mul", factors, self.graph.with_nodes((), {factors: self.constants[factors]}))

    def _weights(self, dequantize: Node, axis: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Whole weights, less their zero points, and their scales: one, or one for each output channel."""
        constants = self.graph.constants
        stored, scales = constants[dequantize.inputs[0]], constants[dequantize.inputs[1]]
        zeros = constants[dequantize.input(2)] if dequantize.input(2) else np.zeros((), np.int32)
        along = int(dequantize.attributes.get("axis", 1)) % max(stored.ndim, 1)
        if stored.dtype not in (np.int8, np.uint8) or scales.dtype != np.float32:
            return None
        if scales.size > 1 and (along != axis or scales.size != stored.shape[axis]):
            return None
        shape = [1] * stored.ndim
        if zeros.size > 1:
            shape[along] = zeros.size
        return stored.astype(np.int32) - zeros.astype(np.int32).reshape(shape), scales.reshape(-1)

    def _sum(self, node: Node, grid: Grid, name: str) -> str | None:
        """Add of two tensors, or of a tensor and a constant, as a table of all pairs."""
        shape = self.values[node.outputs[0]].shape
        operands = [self._operand(source, f"{name}:{i}") for i, source in enumerate(node.inputs)]
        if None in operands:
            return None
        (first, first_grid), (second, second_grid) = (o for o in operands if o is not None)
        table = table_of_sum(first_grid, second_grid, grid)
        order = {output: at for at, made in enumerate(self.nodes) for output in made.outputs}
        # The step goes to the later operand, whose kernel can then take it.
        base, other, base_grid, other_grid = first, second, first_grid, second_grid
        if order.get(second, -1) > order.get(first, -1):
            base, other, base_grid, other_grid, table = second, first, second_grid, first_grid, table.T
        if base in self.constants or self.values[base].shape != shape:
            return None
        self.constants[f"{name}:sums"] = pack_bytes(table, grid.lowest)
        numbers = (base_grid.lowest, other_grid.lowest, other_grid.numbers.size, grid.lowest)
        step = EpilogueStep("lookup", tuple(float(n) for n in numbers), other, f"{name}:sums")
        return self._add(_elementwise(node.name, base, name, step), node.outputs[0])

    def _operand(self, value: str, name: str) -> tuple[str, Grid] | None:
        """An operand of a sum: integers that are computed, or that a constant was made of."""
        if value in self.scaled:
            return self.scaled[value]
        dequantize = self.graph.folded.get(value)
        if dequantize is None or dequantize.op != "DequantizeLinear":
            return None
        stored = self.graph.constants[dequantize.inputs[0]]
        if stored.dtype not in (np.int8, np.uint8) or self.graph.constants[dequantize.inputs[1]].size != 1:
            return None
        grid = self._grid(dequantize, stored.dtype.name)
        self.constants[name] = stored.astype(np.float32) - np.float32(grid.zero)
        self.values[name] = Value(name, stored.shape, "float32")
        return name, grid

    def _mean(self, node: Node, grid: Grid, name: str) -> str | None:
        """Mean over all pixels as in ONNX Runtime's QLinearGlobalAveragePool: exact sum, times one factor."""
        if node.inputs[0] not in self.scaled:
            return None
        tensor, source = self.scaled[node.inputs[0]]
        shape = self.values[node.inputs[0]].shape
        pixels = int(np.prod(shape[2:], dtype=np.int64))
        if node.op == "ReduceMean":
            axes = reduced_axes(node, len(shape), self.graph.constants)
            if axes != set(range(2, len(shape))):
                return None
        if len(shape) < 3 or pixels * source.largest >= _EXACT:
            return None
        factor = source.scale / (grid.scale * np.float32(pixels))
        steps = (EpilogueStep("mul", (float(factor),)), rounding(grid))
        pooled = (*shape[:2], *(1 for _ in shape[2:]))
        kept = self.values[node.outputs[0]].shape == pooled
        whole = name if kept else f"{name}:pooled"
        self.values[whole] = Value(whole, pooled, "float32")
        self.nodes.append(
            Node(
                "GlobalAveragePool",
                node.name,
                (tensor,),
                (whole,),
                {},
                "",
                node.version,
                steps,
                (Summed(),),
                str(node),
            )
        )
        return whole if kept else self._add(Node("Reshape", node.name, (whole,), (name,)), node.outputs[0])


def _moved(node: Node) -> int:
    """Of how many inputs, the first ones, `node` only moves the numbers."""
    how = OPERATORS[node.op].quantized
    return len(node.inputs) if how is Quantized.JOINS else int(how is Quantized.MOVES)


def _integer_values(graph: Graph) -> frozenset[str]:
    """Quantized values read only by DequantizeLinear, also through moves, with grids known at build time.

    The others stay integers of their own type, with the operators that read them.
    """
    consumers, producers = graph.consumers(), graph.producers()
    whole = {
        name
        for node in graph.nodes
        for name in node.outputs
        if name and (_has_grid(node, graph) if node.op == "QuantizeLinear" else _moved(node))
    }
    waiting = [node.outputs[0] for node in graph.nodes if node.outputs[0] in whole]
    while waiting:
        name = waiting.pop()
        if name not in whole:
            continue
        node = producers[name]
        sources = node.inputs[: max(_moved(node), 1)]
        is_made = node.op == "QuantizeLinear" or all(source in whole for source in sources)
        readers = consumers.get(name, [])
        is_read = all(
            _has_grid(reader, graph) and reader.inputs[0] == name
            if reader.op == "DequantizeLinear"
            else all(output in whole for output in reader.outputs if output)
            for reader in readers
        )
        if not is_made or not is_read or name in graph.pinned:
            whole.discard(name)
            waiting += [*sources, *(output for reader in readers for output in reader.outputs)]
    return frozenset(whole)


def _has_grid(node: Node, graph: Graph) -> bool:
    """True for one constant scale and zero point of 8-bit numbers."""
    quantized = node.outputs[0] if node.op == "QuantizeLinear" else node.inputs[0]
    constants = graph.constants
    scale = constants.get(node.input(1))
    known = scale is not None and scale.size == 1 and float(scale.reshape(())) > 0
    zero_known = not node.input(2) or (node.input(2) in constants and constants[node.input(2)].size == 1)
    return known and zero_known and graph.values[quantized].dtype in ("int8", "uint8")


def _elementwise(name: str, source: str, output: str, step: EpilogueStep) -> Node:
    return Node("Elementwise", name, (source,), (output,), domain=INTERNAL, epilogue=(step,))
