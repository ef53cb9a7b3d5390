"""GridSample: an image or volume read at the places that a grid gives.

https://onnx.ai/onnx/operators/onnx__GridSample.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, left_to_the_gpu, refuse_unless, require
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.lowering.workgroups import spread

_MODES = {"bilinear": "linear", "bicubic": "cubic"}  # their names before opset 20
_ACROSS = {"nearest": 1, "linear": 2, "cubic": 4}


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, the grid's spatial dimensions)."""
    shape, grid = inputs[0].shape, inputs[1].shape
    require(
        len(shape) == len(grid) >= 3 and grid[-1] == len(shape) - 2,
        node,
        "a grid that does not fit its input",
    )
    require(shape[0] == grid[0] and min(shape[2:]) > 0, node, "a grid that does not fit its input")
    refuse_unless(len(shape) <= 5, node, f"{len(shape) - 2} spatial dimensions")
    return [Value(node.outputs[0], (*shape[:2], *grid[1:-1]), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Each thread mixes four channels of the 1, 2 or 4 nearest elements along each axis."""
    mode = node.attributes.get("mode", "linear")
    mode = _MODES.get(mode, mode)
    padding = node.attributes.get("padding_mode", "zeros")
    require(mode in _ACROSS and padding in ("zeros", "border", "reflection"), node, f"{mode} with {padding}")
    x, grid = lowering.nhwc(node.inputs[0]), lowering.nchw(node.inputs[1])
    result = lowering.values.result(node.outputs[0])
    sizes, across = x.spatial[::-1], _ACROSS[mode]
    width, rows = spread(result.pixels * result.blocks)
    numbers = {
        "PIXELS": result.pixels, "BLOCKS": result.blocks, "WIDTH": width * 64, "IN_PLANE": x.plane, "OUT_PLANE": result.plane,
        "DIMENSIONS": len(sizes), "ACROSS": across, "TAPS": across ** len(sizes), "ALIGN": int(node.attributes.get("align_corners", 0)),
        "NEAREST": int(mode == "nearest"), "CUBIC": int(mode == "cubic"), "ZEROS": int(padding == "zeros"),
        "BORDER": int(padding == "border"),
    }  # fmt: skip
    for d, size in enumerate(sizes):
        numbers |= {f"SIZE_{d}": size, f"STRIDE_{d}": math.prod(sizes[:d]), f"STEP_{d}": across**d}
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("grid_sample", numbers, code=f"const BEFORE = {int(mode == 'cubic')}i;"),
            {"x": x, "grid": grid},
            result,
            (width, rows, 1),
            epilogue=node.epilogue,
        )
    )


OPERATOR = Operator("GridSample", infer, lower, fuses=True, layout=NHWC, fold=left_to_the_gpu, places=(1,))
