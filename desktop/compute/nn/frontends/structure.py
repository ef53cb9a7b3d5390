"""Refuse node attributes and constants that are always invalid before a backend reads the file.

Of 187 damaged nodes, onnxruntime 1.31 crashed (SIGFPE) on ConvTranspose with `group` 0, Attention with no
heads, and the smallest integer divided by -1. The lists have every attribute that counts windows, groups,
blocks or heads; errors that depend on shapes are left to the backends. Attributes of a wrong type are refused
too, as graph readers rely on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
import onnx
from onnx import numpy_helper

from desktop.base.errors import ModelInvalidError
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.inlining import check_growth
from desktop.compute.nn.frontends.weights import Weights

_COUNTS: Final = frozenset(
    {
        *("group", "offset_group", "num_groups", "blocksize", "hidden_size"),
        *("num_heads", "q_num_heads", "kv_num_heads", "output_height", "output_width"),
    }
)
"""Attributes that must be at least 1."""
_LISTS: Final = frozenset({"kernel_shape", "strides", "dilations"})
"""Attributes whose entries must be at least 1."""
_WINDOWED: Final = frozenset(
    {
        *("AveragePool", "Col2Im", "Conv", "ConvInteger", "ConvTranspose", "DeformConv", "LpPool", "MaxPool", "MaxUnpool"),
        *("QLinearConv", "QLinearAveragePool", "QLinearConvTranspose", "FusedConv", "NhwcConv", "NhwcMaxPool"),
    }
)  # fmt: skip
"""Operators whose pads must not be negative."""
_PADDINGS: Final = (b"", b"NOTSET", b"SAME_UPPER", b"SAME_LOWER", b"VALID")
_LARGEST: Final = 2**31 - 1
_MOST_NODES: Final = 1_000_000
"""Nodes that functions may come to: ONNX Runtime and the onnx package spell them all out."""
_TYPES: Final = onnx.AttributeProto
_TYPE_NAMES: Final[Mapping[int, str]] = {
    _TYPES.INT: "an integer",
    _TYPES.INTS: "a list of integers",
    _TYPES.FLOAT: "a number",
    _TYPES.FLOATS: "a list of numbers",
    _TYPES.STRING: "a string",
    _TYPES.STRINGS: "a list of strings",
    _TYPES.TENSOR: "a tensor",
    _TYPES.GRAPH: "a graph",
}
_DECLARED: Final[Mapping[str, int]] = {
    **dict.fromkeys(_COUNTS, _TYPES.INT),
    **dict.fromkeys((*_LISTS, "output_padding"), _TYPES.INTS),
}
"""Types of attributes of operators that no standard describes."""


def check_structure(model: Any, name: str, weights: Weights | None = None) -> None:
    """Refuse a network with an invalid attribute or constant divisor, or functions without end.

    Raises ModelInvalidError with the first such node. `weights`: see `NetworkFile.bare`.
    """
    try:
        check_growth(model, _MOST_NODES)
    except ValueError as error:
        raise ModelInvalidError(
            sentence("{name} is not a valid ONNX model: {what}; export it again.", name=name, what=error)
        ) from error
    weights = weights or Weights()
    _check_graph(model.graph, name, {}, weights, _opsets(model.opset_import))
    for function in model.functions:
        _check_nodes(function.node, name, {}, weights, _opsets(function.opset_import))


def _opsets(imports: Iterable[Any]) -> dict[str, int]:
    """The version of each domain; the standard one is ''."""
    return {"" if each.domain == "ai.onnx" else each.domain: each.version for each in imports}


def _check_graph(
    graph: Any, name: str, outer: Mapping[str, Any], weights: Weights, opsets: Mapping[str, int]
) -> None:
    constants = (
        {**outer, **{tensor.name: tensor for tensor in graph.initializer}} if graph.initializer else outer
    )
    _check_nodes(graph.node, name, constants, weights, opsets)


def _check_nodes(
    nodes: Iterable[Any],
    name: str,
    constants: Mapping[str, Any],
    weights: Weights,
    opsets: Mapping[str, int],
) -> None:
    made: dict[str, Any] = {}
    for node in nodes:
        domain = "" if node.domain == "ai.onnx" else node.domain
        types = _attribute_types(node.op_type, domain, opsets.get(domain, 0)) if node.attribute else {}
        for attribute in node.attribute:
            what = _mistyped(attribute, types) or _wrong(node.op_type, attribute)
            if what:
                _refuse(node, name, what)
            for graph in (*([attribute.g] if attribute.HasField("g") else ()), *attribute.graphs):
                _check_graph(graph, name, constants, weights, opsets)
            if node.op_type == "Constant" and attribute.HasField("t") and node.output:
                made[node.output[0]] = attribute.t
        if node.op_type in ("Div", "Mod") and len(node.input) == 2:
            dividend, divisor = (made.get(each, constants.get(each)) for each in node.input)
            if divisor is not None and _overflows(dividend, divisor, weights):
                _refuse(node, name, "a whole number is divided by zero, or the smallest one by -1")


def _refuse(node: Any, name: str, what: str) -> None:
    label = node.name or next(iter(node.output), "")
    raise ModelInvalidError(
        sentence(
            "{name} is not a valid ONNX model: {op_type} '{label}': {what}; export it again.",
            name=name,
            op_type=node.op_type,
            label=label,
            what=what,
        )
    )


@lru_cache(maxsize=1024)
def _attribute_types(op: str, domain: str, version: int) -> Mapping[str, int]:
    """The type of each attribute that an operator has in a version of its domain."""
    try:
        # Versions of a damaged file do not fit the C integer.
        schema = onnx.defs.get_schema(op, version, domain)
    except (onnx.defs.SchemaError, TypeError, ValueError, UnicodeError):
        return _DECLARED
    return {attribute: int(each.type.value) for attribute, each in schema.attributes.items()}


def _mistyped(attribute: Any, types: Mapping[str, int]) -> str:
    """Return the fault in an attribute's type, or ''. In functions it may refer to their attributes."""
    expected = types.get(attribute.name, attribute.type)
    if attribute.type == expected or attribute.ref_attr_name:
        return ""
    wanted = _TYPE_NAMES.get(expected, "of another type")
    if (given := _TYPE_NAMES.get(attribute.type)) is None:
        return f"'{attribute.name}' has no known type; it has to be {wanted}"
    return f"'{attribute.name}' is {given}; it has to be {wanted}"


def _wrong(op: str, attribute: Any) -> str:
    """Describe the error in an attribute's value; '' if there is none."""
    if attribute.name == "auto_pad" and attribute.s not in _PADDINGS:
        return f"'auto_pad' is '{attribute.s[:40].decode(errors='replace')}'"
    numbers = list(_numbers(attribute))
    least = None
    if attribute.name in _COUNTS or attribute.name in _LISTS or (op == "LRN" and attribute.name == "size"):
        least = 1
    elif attribute.name == "output_padding" or (attribute.name == "pads" and op in _WINDOWED):
        least = 0
    if least is None or all(least <= n <= _LARGEST for n in numbers):
        return ""
    shown = numbers[0] if attribute.type == onnx.AttributeProto.INT else numbers[:8]
    return f"'{attribute.name}' is {shown}"


def _numbers(attribute: Any) -> Iterator[int]:
    if attribute.type == onnx.AttributeProto.INT:
        yield attribute.i
    elif attribute.type == onnx.AttributeProto.INTS:
        yield from attribute.ints


def _overflows(dividend: Any, divisor: Any, weights: Weights) -> bool:
    """Return True if a constant division overflows; a computed dividend is assumed to be harmless."""
    b = _integer_constant(divisor, weights)
    if b is None:
        return False
    if (b == 0).any():
        return True
    a = None if dividend is None else _integer_constant(dividend, weights)
    smallest = np.iinfo(b.dtype).min
    return a is not None and smallest < 0 and bool((b == -1).any() and (a == smallest).any())


def _integer_constant(tensor: Any, weights: Weights) -> np.ndarray | None:
    """Return a constant's numbers if they are integers stored in the file; None otherwise."""
    kinds = {onnx.TensorProto.INT8, onnx.TensorProto.INT16, onnx.TensorProto.INT32, onnx.TensorProto.INT64}
    kinds |= {
        onnx.TensorProto.UINT8,
        onnx.TensorProto.UINT16,
        onnx.TensorProto.UINT32,
        onnx.TensorProto.UINT64,
    }
    whole = weights.with_values(tensor) if tensor.data_type in kinds else None
    if whole is None:
        return None
    try:
        return np.asarray(numpy_helper.to_array(whole))
    except (ValueError, TypeError, OverflowError, KeyError):
        return None  # a damaged constant: the backends report it
