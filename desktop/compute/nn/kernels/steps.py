"""Element-wise operators as steps of an epilogue."""

from __future__ import annotations

import numpy as np

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.lowering.operator import Steps, refuse_unless


def operand_step(kind: str, name: str, graph: Graph) -> EpilogueStep:
    """A step with `name` as its second operand; a constant with one finite element becomes a number in the
    shader.
    """
    array = graph.constants.get(name)
    if array is not None and array.size == 1 and np.isfinite(array).all():
        return EpilogueStep(kind, (float(array.reshape(())),))
    return EpilogueStep(kind, operand=name)


def unary_steps(kind: str, numbers: tuple[float, ...] = (), **attributes: float) -> Steps:
    """One step on input 0; its numbers are `numbers` and the node's `attributes`, given here with their
    defaults.
    """

    def steps(node: Node, graph: Graph) -> tuple[str, tuple[EpilogueStep, ...]]:
        given = (float(node.attributes.get(name, default)) for name, default in attributes.items())
        return node.inputs[0], (EpilogueStep(kind, (*numbers, *given)),)

    return steps


def binary_steps(kind: str, mirrored: str) -> Steps:
    """One step on the input that has the output's shape (see `base_step`): `kind` for `base op other`,
    `mirrored` for `other op base`.
    """
    return lambda node, graph: base_step(node, graph, kind, mirrored)


def base_step(node: Node, graph: Graph, kind: str, mirrored: str) -> tuple[str, tuple[EpilogueStep, ...]]:
    """The base input (the last computed one that has the output's shape) and the step on it.

    The later of two inputs is the better base: the step can then join the kernel that computes it, when the
    other is there.

    Args:
        kind: the step for `base op other`.
        mirrored: the step for `other op base`.

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
