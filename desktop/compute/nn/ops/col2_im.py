"""Col2Im: columns of a sliding window added up to the image that they were taken from.

https://onnx.ai/onnx/operators/onnx__Col2Im.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, store
from desktop.compute.nn.kernels.indexing import address, coordinates, emit
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    integers,
    left_to_the_gpu,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW


def _window(node: Node, constants: Constants) -> tuple[list[list[int]], list[int]]:
    """Image, block, strides, dilations, pads before; and how many windows there are along each axis."""
    image, block = (integers(node, name, index, constants) for index, name in ((1, "image"), (2, "block")))
    require(image is not None and block is not None, node, "no image or block")
    assert image is not None and block is not None
    rank = len(image)
    ones, zeros = [1] * rank, [0] * rank
    strides = [int(n) for n in node.attributes.get("strides", ones)]
    dilations = [int(n) for n in node.attributes.get("dilations", ones)]
    pads = [int(n) for n in node.attributes.get("pads", zeros * 2)]
    sizes = (block, strides, dilations)
    require(
        all(len(each) == rank and min(each) > 0 for each in sizes),
        node,
        "a window that does not fit its image",
    )
    require(
        len(pads) == 2 * rank and min(image) > 0 and min(pads) >= 0, node, "pads that do not fit its image"
    )
    counts = [
        (image[i] + pads[i] + pads[i + rank] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1
        for i in range(rank)
    ]
    require(min(counts) > 0, node, "a window larger than its image")
    return [[int(n) for n in each] for each in (image, block, strides, dilations, pads[:rank])], counts


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, the image's dimensions)."""
    (image, block, *_), counts = _window(node, constants)
    shape = inputs[0].shape
    require(
        len(shape) == 3 and shape[1] % math.prod(block) == 0 and shape[2] == math.prod(counts),
        node,
        "columns that do not fit its window",
    )
    return [Value(node.outputs[0], (shape[0], shape[1] // math.prod(block), *image), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Each pixel adds up the elements of the windows that it lies in."""
    (_, block, strides, dilations, pads), counts = _window(node, lowering.graph.constants)
    refuse_unless(math.prod(block) <= 1 << 12, node, "a window of more than 4096 elements")
    x, result = source(lowering, node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    dtype = lowering.graph.values[node.inputs[0]].dtype
    body = [
        *coordinates(result.shape),
        "var sum = 0.0;",
        f"for (var k = 0u; k < {math.prod(block)}u; k++) {{",
    ]
    body += [f"  {line}" for line in coordinates(block, "k", "k")]
    column = "0u"
    for i in range(len(block)):
        body += [
            f"  let p{i} = i32(c{i + 2}) + {pads[i]} - i32(k{i}) * {dilations[i]};",
            f"  if (p{i} < 0 || p{i} % {strides[i]} != 0 || p{i} / {strides[i]} >= {counts[i]}) {{ continue; }}",
        ]
        column = f"({column}) * {counts[i]}u + u32(p{i} / {strides[i]})"
    row = f"c1 * {math.prod(block)}u + k"
    body += [
        f"  sum += {load('x', address(x, ['c0', row, column]), dtype)};",
        "}",
        f"return {store('sum', dtype)};",
    ]
    emit(lowering, node, {"x": x}, result, body)


OPERATOR = Operator("Col2Im", infer, lower, host=(1, 2), fold=left_to_the_gpu)
