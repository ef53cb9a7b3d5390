"""Element-wise operators as steps of an epilogue."""

from __future__ import annotations

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Steps, refuse_unless


def operand_step(kind: str, name: str, graph: Graph) -> EpilogueStep:
    """Return a step with `name` as its second operand; a finite one-element constant becomes a literal."""
    array = graph.constants.get(name)
    if array is not None and array.size == 1 and np.isfinite(array).all():
        return EpilogueStep(kind, (float(array.reshape(())),))
    return EpilogueStep(kind, operand=name)


def unary_steps(kind: str, numbers: tuple[float, ...] = (), **attributes: float) -> Steps:
    """Return one step on input 0; its numbers are `numbers`, then `attributes`, given with defaults."""

    def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
        given = (float(node.attributes.get(name, default)) for name, default in attributes.items())
        return node.inputs[0], (EpilogueStep(kind, (*numbers, *given)),)

    return steps


def binary_steps(kind: str, mirrored: str) -> Steps:
    """Return the step of `base_step`: `kind` for `base op other`, `mirrored` for `other op base`."""
    return lambda node, graph: base_step(node, graph, kind, mirrored)


def base_step(node: Node, graph: Graph, kind: str, mirrored: str) -> tuple[str, tuple[EpilogueStep, ...]]:
    """Return the base input, which has the output's shape, and the step on it (`mirrored` if it is second).

    The later of two computed inputs is the base: the step can then join its kernel, when the other exists.

    Raises:
        ModelUnsupportedError: both inputs have to be stretched, or integers.
    """
    refuse_unless(len(node.inputs) == 2, node, "other than two inputs")
    shape = graph.shape(node.outputs[0])
    refuse_unless(
        graph.values[node.outputs[0]].dtype.startswith("float"), node, "integer arithmetic on the GPU"
    )
    first, second = node.inputs
    bases = [name for name in (first, second) if graph.shape(name) == shape and name not in graph.constants]
    refuse_unless(bool(bases), node, "both of its inputs are stretched")
    base = max(bases, key=lambda name: graph.places.get(name, -1))
    if base == first:
        return base, (operand_step(kind, second, graph),)
    return base, (operand_step(mirrored, first, graph),)
