"""Scan: a subgraph over the slices of its inputs, unrolled; their number follows from the shapes.

https://onnx.ai/onnx/operators/onnx__Scan.html
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.expansion import LONGEST, Builder, body_of, expands
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expansion,
    Operator,
    axis_of,
    refuse_unless,
    require,
)


def _list(node: Node, name: str, count: int) -> list[int]:
    found = [int(n) for n in node.attributes.get(name) or [0] * count]
    require(len(found) == count, node, f"'{name}' has {len(found)} entries instead of {count}")
    return found


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """Every step, then the states and the stacked results."""
    refuse_unless(node.version >= 9, node, "the form with batches of opset 8")
    count = int(node.attributes.get("num_scan_inputs", 0))
    states = len(node.inputs) - count
    require(count > 0 and states >= 0 and len(node.outputs) >= states, node, "num_scan_inputs does not fit")
    scanned, carried = node.inputs[states:], node.inputs[:states]
    axes = [
        axis_of(node, axis, len(values[name].shape))
        for axis, name in zip(_list(node, "scan_input_axes", count), scanned, strict=True)
    ]
    lengths = {values[name].shape[axis] for name, axis in zip(scanned, axes, strict=True)}
    require(len(lengths) == 1, node, "scanned inputs of several lengths")
    length = lengths.pop()
    refuse_unless(0 < length <= LONGEST, node, f"a length of {length}, and 1 to {LONGEST} are supported")
    backward = _list(node, "scan_input_directions", count)
    build, rows = Builder(node), []
    for step in range(length):
        slices = [
            build.add("Gather", name, build.constant(length - 1 - step if back else step), axis=axis)
            for name, axis, back in zip(scanned, axes, backward, strict=True)
        ]
        results = build.body(body_of(node, "body"), (*carried, *slices), f"step{step}")
        require(len(results) == len(node.outputs), node, "a body with another number of results")
        carried, row = results[:states], results[states:]
        rows.append(row)
    for name, output in zip(carried, node.outputs, strict=False):
        if output:
            build.add("Identity", name, output=output)
    outputs = node.outputs[states:]
    stacked = zip(
        outputs, _list(node, "scan_output_axes", len(outputs)), _list(node, "scan_output_directions", len(outputs)), strict=True
    )  # fmt: skip
    for index, (output, axis, back) in enumerate(stacked):
        if output:
            order = rows[::-1] if back else rows
            build.stack([row[index] for row in order], axis, output)
    return build.done()


OPERATOR = Operator("Scan", expands, expand=expand)
