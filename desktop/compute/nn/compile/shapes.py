"""Shape inference and constant folding in one walk: shapes often depend on folded constants and the reverse."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import onnx

from desktop.compute.nn.compile.flops import multiply_adds
from desktop.compute.nn.frontends.onnx import LARGEST_TENSOR
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.lowering.operator import Expansion, Operator, refuse_unless, require
from desktop.errors import LightloomError, ModelInvalidError
from desktop.wording import sentence

_LONGEST_FOLD: Final = 1 << 33  # multiply-adds: a tenth of a second in NumPy on two cores
_MOST_NODES: Final = 20_000  # of control flow and recurrent networks, spelt out
DAMAGE: Final = (
    IndexError,
    ValueError,
    TypeError,
    KeyError,
    OverflowError,
    AttributeError,
    ZeroDivisionError,
)
"""What our own code raises on a node with too few inputs or attributes of another type: the file is at fault."""


def infer_shapes(graph: Graph, operators: Mapping[str, Operator]) -> Graph:
    """Give every value its shape and type, and fold nodes whose inputs are all constants.

    Raises:
        ModelInvalidError: shapes that contradict each other or are absurd.
        ModelUnsupportedError: see the operators.
    """
    values, constants = dict(graph.values), dict(graph.constants)
    folded: dict[str, Node] = {}
    nodes: list[Node] = []
    folded_bytes = expanded = 0
    waiting = deque(graph.nodes)
    while waiting:
        node = waiting.popleft()
        refuse_unless(node.op in operators, node, "inside a subgraph")
        operator = operators[node.op]
        if operator.expand is not None:
            expansion = _expand(node, operator, values, constants)
            constants.update(expansion.constants)
            values.update(
                (name, Value(name, a.shape, a.dtype.name)) for name, a in expansion.constants.items()
            )
            expanded += len(expansion.nodes)
            refuse_unless(
                expanded <= _MOST_NODES, node, f"more than {_MOST_NODES} nodes when it is spelt out"
            )
            waiting.extendleft(reversed(expansion.nodes))
            continue
        inputs = [values[name] if name else Value("", (), "") for name in node.inputs]
        outputs = _infer(node, operator, inputs, constants)
        for value in outputs:
            require(all(n >= 0 for n in value.shape), node, f"a result of shape {value.shape}")
            require(math.prod(value.shape) * 4 <= LARGEST_TENSOR, node, f"a result of shape {value.shape}")
        arrays = None
        if _all_constant(node, constants) and not _is_long(node, values, outputs):
            folded_bytes += sum(value.size * np.dtype(value.dtype).itemsize for value in outputs)
            require(folded_bytes <= LARGEST_TENSOR, node, "constants that grow beyond 1 GiB")
            given = [constants[name] if name else np.zeros(0) for name in node.inputs]
            arrays = _fold(node, operator, given, outputs)
        if arrays is not None:
            for name, array in zip(node.outputs, arrays, strict=False):
                constants[name], folded[name] = array, node
                values[name] = Value(name, array.shape, array.dtype.name)
        elif operator.known is not None:
            for name, array in zip(node.outputs, operator.known(node, inputs), strict=False):
                constants[name], values[name] = array, Value(name, array.shape, array.dtype.name)
        else:
            nodes.append(node)
            values.update((value.name, value) for value in outputs if value.name)
    return replace(graph, nodes=tuple(nodes), values=values, constants=constants, folded=folded)


def _all_constant(node: Node, constants: Mapping[str, np.ndarray]) -> bool:
    return all(name in constants for name in node.inputs if name)


def _is_long(node: Node, values: Mapping[str, Value], outputs: Sequence[Value]) -> bool:
    """True for a product that would take the CPU seconds; it stays in the graph, where the GPU computes it."""
    shapes = {value.name: value.shape for value in outputs}
    try:
        count = multiply_adds(node, lambda name: shapes[name] if name in shapes else values[name].shape)
    except DAMAGE as error:
        raise ModelInvalidError(
            sentence("{node} is not valid ({error}); export the model again.", node=node, error=error)
        ) from error
    return count > _LONGEST_FOLD


def _expand(
    node: Node, operator: Operator, values: Mapping[str, Value], constants: Mapping[str, np.ndarray]
) -> Expansion:
    assert operator.expand is not None
    try:
        return operator.expand(node, values, constants)
    except DAMAGE as error:
        raise ModelInvalidError(
            sentence("{node} is not valid ({error}); export the model again.", node=node, error=error)
        ) from error


def _infer(
    node: Node, operator: Operator, inputs: Sequence[Value], constants: Mapping[str, np.ndarray]
) -> Sequence[Value]:
    try:
        return operator.infer(node, inputs, constants)
    except LightloomError:
        raise
    except DAMAGE as error:
        raise ModelInvalidError(
            sentence("{node} is not valid ({error}); export the model again.", node=node, error=error)
        ) from error


def _fold(
    node: Node, operator: Operator, inputs: Sequence[np.ndarray], outputs: Sequence[Value]
) -> Sequence[np.ndarray] | None:
    """The results of a node with constant inputs; None where they are left to be computed with the network."""
    if operator.fold is not None:
        try:
            return operator.fold(node, inputs)
        except DAMAGE as error:
            raise ModelInvalidError(
                sentence("{node} is not valid ({error}); export the model again.", node=node, error=error)
            ) from error
    computable = operator.lower is not None or operator.steps is not None
    try:
        arrays = _fold_by_reference(node, inputs)
    except ModelInvalidError:
        if computable:
            return None
        raise
    fits = all(
        a.shape == value.shape and a.dtype.name == value.dtype
        for a, value in zip(arrays, outputs, strict=False)
        if value.name
    )
    return arrays if fits or not computable else None


def _fold_by_reference(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    from onnx.reference import ReferenceEvaluator  # only few models need it

    proto = onnx.helper.make_node(
        node.op, list(node.inputs), list(node.outputs), domain=node.domain,
        **{k: onnx.numpy_helper.from_array(v) if isinstance(v, np.ndarray) else v for k, v in node.attributes.items()},
    )  # fmt: skip
    opset = onnx.helper.make_opsetid(node.domain, node.version)
    feeds = {name: array for name, array in zip(node.inputs, inputs, strict=True) if name}
    try:
        infos = [onnx.helper.make_tensor_value_info(name, 0, None) for name in feeds]
        results = [onnx.helper.make_tensor_value_info(name, 0, None) for name in node.outputs if name]
        graph = onnx.helper.make_graph([proto], "constant", infos, results)
        evaluator = ReferenceEvaluator(onnx.helper.make_model(graph, opset_imports=[opset]))
        return [np.asarray(array) for array in evaluator.run(None, feeds)]
    except Exception as error:  # the reference raises whatever its NumPy code meets
        raise ModelInvalidError(
            sentence("The constant that {node} makes cannot be computed ({error}).", node=node, error=error)
        ) from error
