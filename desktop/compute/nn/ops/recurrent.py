"""RNN, GRU and LSTM, unrolled: one product for all inputs, then a few small nodes a step.

https://onnx.ai/onnx/operators/onnx__LSTM.html, https://onnx.ai/onnx/operators/onnx__GRU.html,
https://onnx.ai/onnx/operators/onnx__RNN.html
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import LONGEST, Builder, expands
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expand,
    Expansion,
    Operator,
    Shapes,
    refuse_unless,
    require,
)

_SLOPES: Final = {
    "LeakyRelu": (0.01, None),
    "ThresholdedRelu": (1.0, None),
    "Elu": (1.0, None),
    "HardSigmoid": (0.2, 0.5),
}
_PLAIN: Final = frozenset({"Relu", "Tanh", "Sigmoid", "Softsign", "Softplus"})
_CANONICAL: Final = {name.lower(): name for name in (*_SLOPES, *_PLAIN)}

Activation = Callable[[str], str]


@dataclass(frozen=True)
class Cell:
    """Operands of a step of one direction; every value is (batch, hidden) or a gate's (1, hidden).

    Attributes:
        recurrent: `H R^T` of a state for a gate.
        bias, peephole: a gate's recurrent bias and peephole weights; '' without them.
    """

    build: Builder
    activations: Sequence[Activation]
    recurrent: Callable[[str, int], str]
    bias: Callable[[int], str]
    peephole: Callable[[int], str]
    clipped: Activation

    def sum(self, *names: str) -> str:
        """The sum of those that are there."""
        there = [name for name in names if name]
        total = there[0]
        for name in there[1:]:
            total = self.build.add("Add", total, name)
        return total


Step = Callable[[Cell, Node, Sequence[str], str, str], tuple[str, str]]
"""(cell, node, the inputs' share of each gate, hidden state, cell state) -> the states after it."""


def multiply_adds(node: Node, shape: Shapes) -> int:
    """Both matrices, at each step."""
    sequence, batch = shape(node.inputs[0])[:2]
    return sequence * batch * (math.prod(shape(node.inputs[1])) + math.prod(shape(node.inputs[2])))


def recurrent(gates: int, defaults: Sequence[str], step: Step, *, has_cell: bool = False) -> Expand:
    """Return the `expand` of a recurrent operator; `has_cell`: with a cell state and peepholes (LSTM)."""

    def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
        return _Layout(node, values, gates, defaults, step, has_cell).expand()

    return expand


class _Layout:
    """Takes the operands of a node apart and puts its results together."""

    def __init__(
        self,
        node: Node,
        values: Mapping[str, Value],
        gates: int,
        defaults: Sequence[str],
        step: Step,
        has_cell: bool,
    ) -> None:
        self.node, self.gates, self.step, self.has_cell = node, gates, step, has_cell
        self.defaults = defaults
        self.build = Builder(node)
        self.directions = {"forward": 1, "reverse": 1, "bidirectional": 2}.get(self.direction, 0)
        require(self.directions > 0, node, f"the direction '{self.direction}'")
        x, w, r = (values[node.inputs[i]] for i in range(3))
        self.dtype, self.batch_first = x.dtype, bool(node.attributes.get("layout", 0))
        require(
            len(x.shape) == len(w.shape) == len(r.shape) == 3, node, "operands that have not 3 dimensions"
        )
        self.length, self.batch = (x.shape[1], x.shape[0]) if self.batch_first else x.shape[:2]
        self.hidden = r.shape[2]
        wanted = (self.directions, gates * self.hidden)
        require(w.shape == (*wanted, x.shape[2]) and r.shape[:2] == wanted, node, "weights that do not fit")
        refuse_unless(
            0 < self.length <= LONGEST, node, f"{self.length} steps, and 1 to {LONGEST} are supported"
        )

    @property
    def direction(self) -> str:
        return str(self.node.attributes.get("direction", "forward"))

    def expand(self) -> Expansion:
        build, node = self.build, self.node
        x = build.add("Transpose", node.inputs[0], perm=[1, 0, 2]) if self.batch_first else node.inputs[0]
        sequences, hiddens, cells = [], [], []
        for direction in range(self.directions):
            sequence, hidden, cell = self._run(x, direction)
            sequences.append(sequence)
            hiddens.append(hidden)
            cells.append(cell)
        if self._output(0):
            # (steps, directions, batch, hidden), or (batch, steps, directions, hidden)
            axis = 2 if self.batch_first else 1
            steps = [[self._unsqueezed(name, 0) for name in sequence] for sequence in sequences]
            joined = [build.add("Concat", *each, axis=0) for each in steps]
            if self.batch_first:
                joined = [build.add("Transpose", name, perm=[1, 0, 2]) for name in joined]
            build.stack(joined, axis, self._output(0))
        for index, states in ((1, hiddens), (2, cells)):
            if self._output(index):
                build.stack(states, 1 if self.batch_first else 0, self._output(index))
        return build.done()

    def _output(self, index: int) -> str:
        return self.node.outputs[index] if index < len(self.node.outputs) else ""

    def _unsqueezed(self, name: str, axis: int) -> str:
        return self.build.add("Unsqueeze", name, self.build.constant([axis]))

    def _direction(self, index: int, direction: int, axis: int = 0) -> str:
        """One direction's part of input `index`; '' where the input is left out."""
        name = self.node.input(index)
        return self.build.add("Gather", name, self.build.constant(direction), axis=axis) if name else ""

    def _part(self, name: str, part: int, axis: int = 0) -> str:
        """Gate `part` of a tensor whose `axis` is all gates."""
        if not name:
            return ""
        bounds = [self.build.constant([n]) for n in (part * self.hidden, (part + 1) * self.hidden, axis)]
        return self.build.add("Slice", name, *bounds)

    def _state(self, index: int, direction: int) -> str:
        """The initial state, (batch, hidden)."""
        found = self._direction(index, direction, 1 if self.batch_first else 0)
        return found or self.build.constant([[0.0] * self.hidden] * self.batch, self.dtype)

    def _run(self, x: str, direction: int) -> tuple[list[str], str, str]:
        build, gates = self.build, self.gates
        w = build.add("Transpose", self._direction(1, direction), perm=[1, 0])
        r = build.add("Transpose", self._direction(2, direction), perm=[1, 0])
        biases = self._direction(3, direction)
        peepholes = self._direction(7, direction) if self.has_cell else ""
        share = build.add("MatMul", x, w)
        if biases:
            input_biases = build.add(
                "Slice", biases, *(build.constant([n]) for n in (0, gates * self.hidden, 0))
            )
            share = build.add("Add", share, input_biases)
        whole: dict[tuple[str, int], str] = {}

        def times(state: str, gate: int) -> str:
            key = (state, gate)
            if key not in whole:
                whole[key] = build.add("MatMul", state, parts[gate])
            return whole[key]

        parts = [self._part(r, gate, 1) for gate in range(gates)]
        recurrent_biases = [self._part(biases, gates + gate) for gate in range(gates)]
        peephole_parts = [self._part(peepholes, gate) for gate in range(3)] if peepholes else ["", "", ""]
        shares = [self._part(share, gate, 2) for gate in range(gates)]
        cell = Cell(
            build, self._activations(direction), times, recurrent_biases.__getitem__, peephole_parts.__getitem__, self._clipped
        )  # fmt: skip
        h = self._state(5, direction)
        c = self._state(6, direction) if self.has_cell else ""
        outputs = [""] * self.length
        backward = self.direction == "reverse" or direction == 1
        for at in reversed(range(self.length)) if backward else range(self.length):
            now = [build.add("Gather", name, build.constant(at), axis=0) for name in shares]
            new_h, new_c = self.step(cell, self.node, now, h, c)
            outputs[at] = new_h
            if self.node.input(4):
                # Past a sequence's end states stay and results are zero; so backward passes begin at the end.
                lives = build.add("Less", build.constant(at, "int32"), self.node.inputs[4])
                lives = self._unsqueezed(lives, 1)
                outputs[at] = build.add("Where", lives, new_h, build.constant(0.0, self.dtype))
                new_h = build.add("Where", lives, new_h, h)
                new_c = build.add("Where", lives, new_c, c) if c else ""
            h, c = new_h, new_c
        return outputs, h, c

    def _clipped(self, name: str) -> str:
        limit = self.node.attributes.get("clip")
        if limit is None:
            return name
        bounds = [self.build.constant(value, self.dtype) for value in (-float(limit), float(limit))]
        return self.build.add("Clip", name, *bounds)

    def _activations(self, direction: int) -> list[Activation]:
        count = len(self.defaults)
        names = list(self.node.attributes.get("activations") or [*self.defaults] * self.directions)
        names = [n.decode() if isinstance(n, bytes) else str(n) for n in names]
        require(len(names) == count * self.directions, self.node, "another number of activations")
        unknown = [name for name in names if name.lower() not in _CANONICAL]
        refuse_unless(not unknown, self.node, f"the activations {unknown}")
        lists = {key: list(self.node.attributes.get(f"activation_{key}") or []) for key in ("alpha", "beta")}
        made = []
        for name in (_CANONICAL[name.lower()] for name in names):
            attributes: dict[str, Any] = {}
            for key, default in zip(("alpha", "beta"), _SLOPES.get(name, (None, None)), strict=True):
                if default is not None:
                    # The lists hold numbers only for the activations that take them, in their order.
                    attributes[key] = float(lists[key].pop(0)) if lists[key] else default
            made.append(self._activation(name, attributes))
        return made[direction * count : (direction + 1) * count]

    def _activation(self, name: str, attributes: Mapping[str, Any]) -> Activation:
        return lambda value: self.build.add(name, self._clipped(value), **attributes)


def _rnn_step(cell: Cell, node: Node, shares: Sequence[str], h: str, c: str) -> tuple[str, str]:
    """H = f(X W^T + H R^T + biases)."""
    return cell.activations[0](cell.sum(shares[0], cell.recurrent(h, 0), cell.bias(0))), ""


def _gru_step(cell: Cell, node: Node, shares: Sequence[str], h: str, c: str) -> tuple[str, str]:
    """Gates z (update), r (reset) and h (new), in this order; H = (1 - z) new + z H, as new + z (H - new)."""
    add, (f, g) = cell.build.add, cell.activations
    z, r = (f(cell.sum(shares[gate], cell.recurrent(h, gate), cell.bias(gate))) for gate in (0, 1))
    if node.attributes.get("linear_before_reset", 0):
        new = g(cell.sum(shares[2], add("Mul", r, cell.sum(cell.recurrent(h, 2), cell.bias(2)))))
    else:
        new = g(cell.sum(shares[2], cell.recurrent(add("Mul", r, h), 2), cell.bias(2)))
    return add("Add", new, add("Mul", z, add("Sub", h, new))), ""


def _lstm_step(cell: Cell, node: Node, shares: Sequence[str], h: str, c: str) -> tuple[str, str]:
    """Gates i (input), o (output), f (forget), c (cell); peepholes i, o, f. C = f C + i new; H = o h(C)."""
    refuse_unless(not node.attributes.get("input_forget", 0), node, "coupled gates (input_forget)")
    add, (f, g, last) = cell.build.add, cell.activations

    def gate(index: int, state: str, peephole: int) -> str:
        weights = cell.peephole(peephole) if peephole >= 0 else ""
        seen = add("Mul", weights, state) if weights else ""
        return cell.sum(shares[index], cell.recurrent(h, index), cell.bias(index), seen)

    into, forget, new = f(gate(0, c, 0)), f(gate(2, c, 2)), g(gate(3, c, -1))
    after = add("Add", add("Mul", forget, c), add("Mul", into, new))
    return add("Mul", f(gate(1, after, 1)), last(after)), after


def _operator(
    name: str, gates: int, activations: Sequence[str], step: Step, *, has_cell: bool = False
) -> Operator:
    expand = recurrent(gates, activations, step, has_cell=has_cell)
    return Operator(name, expands, expand=expand, multiply_adds=multiply_adds)


OPERATORS: Final = (
    _operator("GRU", 3, ("Sigmoid", "Tanh"), _gru_step),
    _operator("LSTM", 4, ("Sigmoid", "Tanh", "Tanh"), _lstm_step, has_cell=True),
    _operator("RNN", 1, ("Tanh",), _rnn_step),
)
