"""MaxPool in one and two dimensions.

https://onnx.ai/onnx/operators/onnx__MaxPool.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering, ceil_div
from desktop.compute.nn.operator import Constants, Operator, refuse_unless
from desktop.compute.nn.window import window


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, spatial...); the second output (indices) is refused."""
    refuse_unless(len(node.outputs) < 2 or not node.outputs[1], node, "its indices output")
    x = inputs[0].shape
    found = window(node, x, node.attributes.get("kernel_shape", ()))
    return [Value(node.outputs[0], (*x[:2], *found.output[4 - len(x) :]), inputs[0].dtype)]


def lower_pool(lowering: Lowering, node: Node, *, average: bool) -> None:
    """A dispatch with one thread for each four channels of an output pixel."""
    x, result = lowering.channels_last(node.inputs[0]), lowering.result(node.outputs[0])
    found = window(node, x.shape, node.attributes.get("kernel_shape", ()))
    groups = ceil_div(result.pixels * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {
        **found.numbers(),
        "BLOCKS": result.blocks,
        "PIXELS": result.pixels,
        "WIDTH": width * 64,
        "AVERAGE": int(average),
        "COUNT_PAD": int(node.attributes.get("count_include_pad", 0)),
        "AFTER_H": found.after[0],
        "AFTER_W": found.after[1],
    }
    lowering.dispatch(
        node.name,
        "pool",
        {"x": x},
        result,
        (width, ceil_div(groups, width), 1),
        numbers,
        epilogue=node.epilogue,
    )


def lower(lowering: Lowering, node: Node) -> None:
    """The largest value of each window; padding never wins."""
    lower_pool(lowering, node, average=False)


OPERATOR = Operator("MaxPool", infer, lower, fuses=True)
