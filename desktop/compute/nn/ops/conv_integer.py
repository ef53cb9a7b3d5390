"""ConvInteger: the exact int32 convolution of 8-bit tensors less their zero points; one and two dimensions.

https://onnx.ai/onnx/operators/onnx__ConvInteger.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import coordinates, emit
from desktop.compute.nn.kernels.window import SlidingWindow, window
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, left_to_the_gpu, refuse_unless, require
from desktop.compute.nn.lowering.plan import NCHW
from desktop.compute.nn.ops.conv import multiply_adds


def _window(node: Node, x: Sequence[int], w: Sequence[int]) -> SlidingWindow:
    refuse_unless(len(x) in (3, 4), node, f"a tensor of {len(x)} dimensions")
    group = int(node.attributes.get("group", 1))
    fits = len(w) == len(x) and group > 0 and w[0] % group == 0 and x[1] == w[1] * group
    require(fits, node, "weights that do not fit its input")
    kernel = tuple(node.attributes.get("kernel_shape", w[2:]))
    require(kernel == tuple(w[2:]), node, "kernel_shape differs from its weights")
    return window(node, x, w[2:])


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, output channels, spatial...), int32."""
    x, w = inputs[:2]
    require(x.dtype in ("int8", "uint8") and w.dtype in ("int8", "uint8"), node, "inputs that are not 8-bit")
    found = _window(node, x.shape, w.shape)
    require(not node.input(2) or inputs[2].size == 1, node, "several zero points of its input")
    require(
        not node.input(3) or inputs[3].size in (1, w.shape[0]),
        node,
        "zero points that do not fit its channels",
    )
    return [Value(node.outputs[0], (x.shape[0], w.shape[0], *found.output[4 - len(x.shape) :]), "int32")]


def lower(lowering: Lowering, node: Node) -> None:
    """A thread a result: padding is the zero point, so it adds nothing."""
    graph = lowering.graph
    x, w = (graph.shape(name) for name in node.inputs[:2])
    found = _window(node, x, w)
    group = int(node.attributes.get("group", 1))
    result = lowering.values.result(node.outputs[0], NCHW)
    reads = {"x": lowering.nchw(node.inputs[0]), "w": lowering.nchw(node.inputs[1])}
    zeros = ["0", "0"]
    for index, name in ((2, "zero_x"), (3, "zero_w")):
        if node.input(index):
            reads[name] = lowering.nchw(node.inputs[index])
            zeros[index - 2] = f"{name}[{'0u' if graph.values[node.inputs[index]].size == 1 else 'c1'}]"
    shape = (x[0], w[0], *found.output)
    names = " ".join(f"const {name} = {value}u;" for name, value in found.numbers().items())
    body = [
        *coordinates(shape),
        "var sum = 0;",
        f"for (var c = 0u; c < {w[1]}u; c++) {{",
        f"let plane = (c0 * {x[1]}u + c1 / {w[0] // group}u * {w[1]}u + c) * IN_H * IN_W;",
        "for (var i = 0u; i < KERNEL_H; i++) { for (var j = 0u; j < KERNEL_W; j++) {",
        "let row = c2 * STRIDE_H + i * DILATION_H; let column = c3 * STRIDE_W + j * DILATION_W;",
        "if (row >= PAD_H && row < IN_H + PAD_H && column >= PAD_W && column < IN_W + PAD_W) {",
        f"sum += (x[plane + (row - PAD_H) * IN_W + column - PAD_W] - {zeros[0]})",
        f"* (w[((c1 * {w[1]}u + c) * KERNEL_H + i) * KERNEL_W + j] - {zeros[1]});",
        "} } } }",
        "return sum;",
    ]
    emit(lowering, node, reads, result, body, code=names)


OPERATOR = Operator("ConvInteger", infer, lower, fold=left_to_the_gpu, multiply_adds=multiply_adds)
