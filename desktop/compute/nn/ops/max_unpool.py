"""MaxUnpool: pooled maxima put back where MaxPool found them, zeros elsewhere.

https://onnx.ai/onnx/operators/onnx__MaxUnpool.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.scatter import NOWHERE, emit_scatter
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, integers, left_to_the_gpu, require
from desktop.compute.nn.lowering.plan import NCHW


def _indexed(node: Node, shape: Sequence[int]) -> list[int]:
    """The shape in which the indices count: what the window, its strides and pads say, whatever `output_shape` does."""
    kernel = [int(n) for n in node.attributes.get("kernel_shape", ())]
    rank = len(shape) - 2
    strides = [int(n) for n in node.attributes.get("strides", [1] * rank)]
    pads = [int(n) for n in node.attributes.get("pads", [0] * 2 * rank)]
    require(
        len(kernel) == len(strides) == rank >= 1 and len(pads) == 2 * rank,
        node,
        "a window that does not fit its input",
    )
    spatial = [(n - 1) * strides[i] - pads[i] - pads[i + rank] + kernel[i] for i, n in enumerate(shape[2:])]
    require(min(spatial) > 0, node, "pads larger than its result")
    return [*shape[:2], *spatial]


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """What the window says, or `output_shape`."""
    shape = inputs[0].shape
    require_indices(node, inputs[1])
    require(inputs[1].shape == shape, node, "indices that do not fit its input")
    found = _indexed(node, shape)
    if node.input(2):
        stated = integers(node, "output_shape", 2, constants)
        require(
            stated is not None and len(stated) == len(shape) and min(stated) > 0,
            node,
            "an output_shape that does not fit",
        )
        assert stated is not None
        found = [int(n) for n in stated]
    return [Value(node.outputs[0], tuple(found), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Zeros, then a write for each element of the input."""
    x, indices = source(lowering, node.inputs[0]), lowering.nchw(node.inputs[1])
    result = lowering.values.result(node.outputs[0], NCHW)
    indexed = _indexed(node, x.shape)
    emit(lowering, node, {}, result, ["return Element(0);"])
    inside = " && ".join(f"p{i} < {n}u" for i, n in enumerate(result.shape))
    places = [f"p{i}" for i in range(len(result.shape))]
    place = [
        "let index = indices[at];",
        f"if (index < 0 || index >= {math.prod(indexed)}) {{ return {NOWHERE}; }}",
        "let whole = u32(index);",
        *coordinates(indexed, "whole", "p"),
        f"if (!({inside})) {{ return {NOWHERE}; }}",
        f"return {address(result, places)};",
    ]
    value = [
        *coordinates(x.shape),
        f"return Element(x[{address(x, [f'c{i}' for i in range(len(x.shape))])}]);",
    ]
    emit_scatter(lowering, node, {"x": x, "indices": indices}, result, math.prod(x.shape), place, value)


OPERATOR = Operator("MaxUnpool", infer, lower, host=(2,), fold=left_to_the_gpu)
