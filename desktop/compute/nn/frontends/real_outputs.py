"""Give quantized outputs of ONNX networks as the real numbers that they stand for.

Converters for accelerators leave out the last DequantizeLinear, which onnxruntime's tools append: scores of 8 or
16 bits would be read as numbers up to 255 or 65,535.
"""

from __future__ import annotations

import math
from typing import Any, Final

import onnx

_INTEGERS: Final = frozenset(
    {onnx.TensorProto.UINT8, onnx.TensorProto.INT8, onnx.TensorProto.UINT16, onnx.TensorProto.INT16}
)
_MICROSOFT: Final = "com.microsoft"
_STANDARD: Final = ("", "ai.onnx")
_SCALES: Final = {
    **{"QuantizeLinear": (1, 2), "QLinearConv": (6, 7), "QLinearMatMul": (6, 7), "QLinearAdd": (6, 7)},
    **{"QLinearMul": (6, 7), "QGemm": (7, 8), "QLinearConcat": (0, 1), "QLinearSigmoid": (3, 4)},
    **{"QLinearLeakyRelu": (3, 4), "QLinearSoftmax": (3, 4), "QLinearAveragePool": (3, 4)},
    **{"QLinearGlobalAveragePool": (3, 4), "QLinearReduceMean": (3, 4), "QLinearWhere": (7, 8)},
}
"""Inputs of an operator that are its result's scale and zero point, of ONNX and of onnxruntime's own domain."""
_SAME: Final = frozenset(
    {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Gather", "Split"}
    | {"GatherElements", "GatherND", "Expand", "Tile", "DepthToSpace", "SpaceToDepth", "Pad"}
    | {"MaxPool", "ReduceMax", "ReduceMin", "Relu", "Clip", "Resize", "Upsample"}
)
"""Operators whose results have the scale and zero point of their first input: elements of it, their means with
weights of sum 1, and bounds or values beside them that are stored as quantized too.
"""
_MOST_STEPS: Final = 16


def dequantize_outputs(model: Any) -> bool:
    """Append DequantizeLinear to the quantized outputs of an `onnx.ModelProto`; return False if there are none.

    Outputs keep their names; integers that nothing quantizes, such as numbers of classes, stay as they are.
    """
    graph = model.graph
    quantizations = _Quantizations(graph)
    found = [
        (value, quantizations.of(value.name))
        for value in graph.output
        if value.type.tensor_type.elem_type in _INTEGERS
    ]
    quantized = [(value, scales) for value, scales in found if scales is not None]
    for value, scales in quantized:
        _append(graph, value, scales, quantizations.weights)
    return bool(quantized)


class _Quantizations:
    """Quantizations of a graph's values: the domain of the operator that made them and its [scale, zero point]."""

    def __init__(self, graph: Any) -> None:
        self.weights = {tensor.name: tensor for tensor in graph.initializer}
        self._makers = {name: node for node in graph.node for name in node.output}
        self._found: dict[tuple[str, int], tuple[str, list[str]] | None] = {}

    def of(self, name: str, steps: int = _MOST_STEPS) -> tuple[str, list[str]] | None:
        """Return the quantization of a value; None for any other value."""
        if (name, steps) not in self._found:
            self._found[name, steps] = self._of(self._makers.get(name), steps)
        return self._found[name, steps]

    def _of(self, node: Any, steps: int) -> tuple[str, list[str]] | None:
        if node is None:
            return None
        if node.domain in _STANDARD and node.op_type in (*_SAME, "Concat"):
            if not steps or not node.input:
                return None
            joined = node.input if node.op_type == "Concat" else node.input[:1]
            first, *others = [self.of(name, steps - 1) for name in joined]
            return first if all(self._is_same(first, other) for other in others) else None
        places = _SCALES.get(node.op_type)
        if places is None or node.domain not in (*_STANDARD, _MICROSOFT):
            return None
        names = [node.input[at] for at in places if at < len(node.input) and node.input[at]]
        # A scale for each channel would have to follow what was moved; outputs do not have them in practice.
        weights = self.weights
        if not names or any(math.prod(weights[name].dims) != 1 for name in names if name in weights):
            return None
        own = node.domain == _MICROSOFT and node.op_type == "QuantizeLinear"
        return (_MICROSOFT if own else ""), names

    def _is_same(self, one: tuple[str, list[str]] | None, other: tuple[str, list[str]] | None) -> bool:
        if one is None or other is None:
            return False
        pairs = zip(one[1], other[1], strict=False)
        return len(one[1]) == len(other[1]) and all(a == b or self._is_equal(a, b) for a, b in pairs)

    def _is_equal(self, one: str, other: str) -> bool:
        """Return whether two names are of weights with one value."""
        if one not in self.weights or other not in self.weights:
            return False
        copies = [
            onnx.TensorProto.FromString(self.weights[name].SerializeToString()) for name in (one, other)
        ]
        for each in copies:
            each.ClearField("name")
            each.ClearField("dims")  # () or (1,)
        return copies[0] == copies[1]


def _append(graph: Any, value: Any, scales: tuple[str, list[str]], weights: dict[str, Any]) -> None:
    domain, names = scales
    output, inner = value.name, f"{value.name}_quantized"
    taken = {name for node in graph.node for name in (*node.input, *node.output)} | weights.keys()
    while inner in taken:
        inner += "_"
    _rename(graph, output, inner)
    graph.node.append(onnx.helper.make_node("DequantizeLinear", [inner, *names], [output], domain=domain))
    for info in graph.value_info:
        info.name = inner if info.name == output else info.name
    scale = weights.get(names[0])
    value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT if scale is None else scale.data_type


def _rename(graph: Any, old: str, new: str) -> None:
    """Rename a value where nodes compute and read it, in branches and bodies too."""
    for node in graph.node:
        node.input[:] = [new if each == old else each for each in node.input]
        node.output[:] = [new if each == old else each for each in node.output]
        for attribute in node.attribute:
            for inner in (*([attribute.g] if attribute.HasField("g") else ()), *attribute.graphs):
                _rename(inner, old, new)
