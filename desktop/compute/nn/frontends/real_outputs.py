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
    **{"QLinearGlobalAveragePool": (3, 4)},
}
"""Inputs of an operator that are its result's scale and zero point, of ONNX and of onnxruntime's own domain."""
_SAME: Final = frozenset(
    {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Gather", "Split"}
)
"""Operators of which the results are elements of their first input."""
_MOST_STEPS: Final = 16


def dequantize_outputs(model: Any) -> bool:
    """Append DequantizeLinear to the quantized outputs of an `onnx.ModelProto`; return False if there are none.

    Outputs keep their names; integers that nothing quantizes, such as numbers of classes, stay as they are.
    """
    graph = model.graph
    makers = {name: node for node in graph.node for name in node.output}
    weights = {tensor.name: tensor for tensor in graph.initializer}
    found = [(value, _quantized_by(value, makers, weights)) for value in graph.output]
    quantized = [(value, scales) for value, scales in found if scales is not None]
    for value, scales in quantized:
        _append(graph, value, scales, weights)
    return bool(quantized)


def _quantized_by(
    value: Any, makers: dict[str, Any], weights: dict[str, Any]
) -> tuple[str, list[str]] | None:
    """Return the domain of an output's quantization and its [scale, zero point]; None for any other output."""
    node = makers.get(value.name) if value.type.tensor_type.elem_type in _INTEGERS else None
    for _ in range(_MOST_STEPS):
        if node is None or node.op_type not in _SAME or node.domain not in _STANDARD or not node.input:
            break
        node = makers.get(node.input[0])
    places = _SCALES.get(node.op_type) if node is not None else None
    if node is None or places is None or node.domain not in (*_STANDARD, _MICROSOFT):
        return None
    names = [node.input[at] for at in places if at < len(node.input) and node.input[at]]
    # A scale for each channel would have to follow what was moved; outputs do not have them in practice.
    if not names or any(math.prod(weights[name].dims) != 1 for name in names if name in weights):
        return None
    own = node.domain == _MICROSOFT and node.op_type == "QuantizeLinear"
    return (_MICROSOFT if own else ""), names


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
