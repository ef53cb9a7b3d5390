"""LRN: x / (bias + alpha / size * sum of squares over `size` neighboring channels) ** beta.

https://onnx.ai/onnx/operators/onnx__LRN.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu, require, same_as_first
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.lowering.workgroups import ceil_div


def lower(lowering: Lowering, node: Node) -> None:
    """One thread for four channels of a pixel."""
    size = int(node.attributes["size"])
    require(0 < size <= 1 << 12, node, f"a size of {size}")
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
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
        Launch(
            node.name,
            Kernel("lrn", numbers, floats=floats, calls="is_nan()", own_indices=True),
            {"x": x},
            result,
            (width, ceil_div(groups, width), 1),
            epilogue=node.epilogue,
        )
    )


OPERATOR = Operator("LRN", same_as_first, lower, fuses=True, layout=NHWC, fold=left_to_the_gpu)
