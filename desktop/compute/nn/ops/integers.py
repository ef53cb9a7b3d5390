"""Exact element-wise operators on integers (q - zero point), for TensorFlow Lite's quantized ones.

Arithmetic: ir/fixed_point.py. A function of one or two 8-bit numbers is a table of all its results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.kernels.steps import operand_step
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    broadcast,
    left_to_the_gpu,
    refuse_unless,
    same_as_first,
)

_Steps = tuple[str, tuple[EpilogueStep, ...]]


def _numbers(node: Node, *names: str) -> tuple[float, ...]:
    return tuple(float(node.attributes[name]) for name in names)


def _bounded(kind: str, *names: str) -> Operator:
    """One of a tensor, with numbers for attributes, the last two the bounds of its results."""

    def steps(node: Node, graph: Graph) -> _Steps:
        return node.inputs[0], (EpilogueStep(kind, _numbers(node, *names, "lowest", "highest")),)

    name = {"round_away": "RoundAway", "requantize": "Requantize", "requantize_once": "RequantizeOnce"}[kind]
    return Operator(name, same_as_first, None, steps, fold=left_to_the_gpu, internal=True)


def _by_channel(name: str, kind: str) -> Operator:
    """Inputs: the tensor, the number of each channel, and multiplier and shift of each."""

    def steps(node: Node, graph: Graph) -> _Steps:
        numbers = _numbers(node, "lowest", "highest")
        return node.inputs[0], (EpilogueStep(kind, numbers, operand=node.inputs[1], table=node.inputs[2]),)

    return Operator(name, same_as_first, None, steps, fold=left_to_the_gpu, internal=True, tables=(2,))


def _mapped(node: Node, graph: Graph) -> _Steps:
    numbers = _numbers(node, "first", "count", "lowest")
    return node.inputs[0], (EpilogueStep("map", numbers, table=node.inputs[1]),)


def _pair(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    return broadcast(node, inputs[:2], constants)


def _mapped_pair(node: Node, graph: Graph) -> _Steps:
    """The step goes to the later operand that has the result's shape, whose kernel can then take it."""
    shape = graph.shape(node.outputs[0])
    bases = [
        at
        for at in (0, 1)
        if graph.shape(node.inputs[at]) == shape and node.inputs[at] not in graph.constants
    ]
    refuse_unless(bool(bases), node, "both of its inputs are stretched")
    base = max(bases, key=lambda at: graph.places.get(node.inputs[at], -1))
    other = 1 - base
    firsts = _numbers(node, "first_a", "first_b")
    strides = (float(node.attributes["count_b"]), 1.0)
    numbers = (firsts[base], firsts[other], strides[base], strides[other], *_numbers(node, "lowest"))
    step = EpilogueStep("map_pair", numbers, operand=node.inputs[other], table=node.inputs[2])
    return node.inputs[base], (step,)


def _mean(node: Node, graph: Graph) -> _Steps:
    step = operand_step("whole_mean", node.inputs[1], graph)
    count = step.numbers or (0.0,)
    numbers = (*count, *_numbers(node, "zero", "lowest", "highest"))
    return node.inputs[0], (EpilogueStep("whole_mean", numbers, operand=step.operand),)


def _rounded(node: Node, graph: Graph) -> _Steps:
    numbers = _numbers(node, "factor", "lowest", "highest")
    return node.inputs[0], (EpilogueStep("quantize", numbers, table=node.inputs[1]),)


OPERATORS: Final = (
    _bounded("round_away", "zero"),
    _bounded("requantize", "upper", "lower", "shift"),
    _bounded("requantize_once", "upper", "lower", "shift"),
    _by_channel("RequantizeChannels", "requantize_channels"),
    _by_channel("RequantizeChannelsOnce", "requantize_channels_once"),
    Operator("Map", same_as_first, None, _mapped, fold=left_to_the_gpu, internal=True, tables=(1,)),
    Operator("MapPair", _pair, None, _mapped_pair, fold=left_to_the_gpu, internal=True, tables=(2,)),
    Operator("WholeMean", same_as_first, None, _mean, fold=left_to_the_gpu, internal=True),
    Operator("RoundToGrid", same_as_first, None, _rounded, fold=left_to_the_gpu, internal=True, tables=(1,)),
)
