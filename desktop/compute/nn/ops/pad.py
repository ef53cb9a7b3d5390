"""Pad: constant, reflect, edge or wrap; negative pads crop. Pads as an attribute (before opset 11) or as an input.

https://onnx.ai/onnx/operators/onnx__Pad.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering, ceil_div
from desktop.compute.nn.operator import (
    Constants,
    Operator,
    axis_of,
    constant_input,
    integers,
    refuse_unless,
    require,
)

_LARGEST = 1 << 20


def _pads(node: Node, shape: Sequence[int], constants: Constants) -> list[tuple[int, int]]:
    """(before, after) of each dimension."""
    given = integers(node, "pads", 1, constants) or ()
    axes = constant_input(node, 3, constants)
    at = [axis_of(node, int(a), len(shape)) for a in axes] if axes is not None else list(range(len(shape)))
    require(
        len(given) == 2 * len(at) and all(abs(n) <= _LARGEST for n in given),
        node,
        "pads that do not fit its input",
    )
    pads = [(0, 0)] * len(shape)
    for index, axis in enumerate(at):
        pads[axis] = (given[index], given[len(at) + index])
    mode = node.attributes.get("mode", "constant")
    refuse_unless(mode in ("constant", "reflect", "edge", "wrap"), node, f"mode {mode}")
    # The specification leaves open whether wrapping sees what cropping removes.
    refuse_unless(mode != "wrap" or all(min(p) >= 0 for p in pads), node, "wrapping and cropping at once")
    reach = {"reflect": 1, "wrap": 0}.get(mode)
    if reach is not None:
        require(
            all(max(p) <= n - reach for p, n in zip(pads, shape, strict=True)),
            node,
            "padding larger than its input",
        )
    return pads


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Each dimension grows by its pads."""
    shape = inputs[0].shape
    grown = tuple(
        n + before + after for n, (before, after) in zip(shape, _pads(node, shape, constants), strict=True)
    )
    require(all(n > 0 for n in grown), node, f"a result of shape {grown}")
    return [Value(node.outputs[0], grown, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """Batch and spatial dimensions; each thread fetches four channels from the place that the mode names."""
    constants = lowering.graph.constants
    shape = lowering.graph.shape(node.inputs[0])
    pads = _pads(node, shape, constants)
    refuse_unless(
        len(shape) == 4 and pads[0] == pads[1] == (0, 0), node, "padding off the two spatial dimensions"
    )
    value = constant_input(node, 2, constants)
    fill = (
        float(value.reshape(()))
        if value is not None and value.size
        else float(node.attributes.get("value", 0.0))
    )
    mode = node.attributes.get("mode", "constant")
    x, result = lowering.channels_last(node.inputs[0]), lowering.result(node.outputs[0])
    groups = ceil_div(result.pixels * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {
        "PIXELS": result.pixels, "BLOCKS": result.blocks, "WIDTH": width * 64, "OUT_H": result.shape[2], "OUT_W": result.shape[3],
        "BEFORE_H": pads[2][0] % 2**32, "BEFORE_W": pads[3][0] % 2**32, "IN_H": shape[2], "IN_W": shape[3],
        "CONSTANT": int(mode == "constant"), "REFLECT": int(mode == "reflect"), "WRAP": int(mode == "wrap"),
    }  # fmt: skip
    lowering.dispatch(
        node.name, "pad", {"x": x}, result, (width, ceil_div(groups, width), 1), numbers,
        epilogue=node.epilogue, floats={"FILL": fill},
    )  # fmt: skip


OPERATOR = Operator("Pad", infer, lower, fuses=True, host=(1, 3))
