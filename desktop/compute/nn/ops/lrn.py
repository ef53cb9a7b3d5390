"""LRN: x / (bias + alpha / size * sum of squares over `size` neighbouring channels) ** beta.

https://onnx.ai/onnx/operators/onnx__LRN.html
"""

from __future__ import annotations

from desktop.compute.nn.graph import Node
from desktop.compute.nn.lowering import Lowering, ceil_div
from desktop.compute.nn.operator import Operator, require, same_as_first


def lower(lowering: Lowering, node: Node) -> None:
    """One thread for four channels of a pixel."""
    size = int(node.attributes["size"])
    require(0 < size <= 1 << 12, node, f"a size of {size}")
    x, result = lowering.channels_last(node.inputs[0]), lowering.result(node.outputs[0])
    groups = ceil_div(result.pixels * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {
        "PIXELS": result.pixels,
        "BLOCKS": result.blocks,
        "WIDTH": width * 64,
        "BEFORE": (size - 1) // 2,
        "AFTER": size - 1 - (size - 1) // 2,
    }
    floats = {
        "ALPHA": float(node.attributes.get("alpha", 1e-4)) / size,
        "BETA": float(node.attributes.get("beta", 0.75)),
        "BIAS": float(node.attributes.get("bias", 1.0)),
    }
    lowering.dispatch(
        node.name, "lrn", {"x": x}, result, (width, ceil_div(groups, width), 1), numbers,
        epilogue=node.epilogue, floats=floats, calls="is_nan()",
    )  # fmt: skip


OPERATOR = Operator("LRN", same_as_first, lower, fuses=True)
