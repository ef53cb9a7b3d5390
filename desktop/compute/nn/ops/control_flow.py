"""If, Loop and Scan, unrolled when the session is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from desktop.compute.nn.ir.graph import Detail, Node, Value
from desktop.compute.nn.lowering.expansion import LONGEST, Builder, body_of, expands, known
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expansion,
    Operator,
    axis_of,
    refuse_unless,
    require,
)


# If: the branch that a condition chooses; the condition must be known when the session is built.
def _expand_if(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """The nodes of the chosen branch."""
    chosen = known(node, node.inputs[0], constants, "a condition")
    build = Builder(node)
    results = build.body(body_of(node, "then_branch" if chosen else "else_branch"), (), "branch")
    require(len(results) == len(node.outputs), node, "a branch with another number of results")
    for result, output in zip(results, node.outputs, strict=True):
        if output:
            build.add("Identity", result, output=output)
    return build.done()


# Loop: unrolled; the trip count and every condition must be known when the session is built.
@dataclass(frozen=True)
class _Iteration(Detail):
    """State of unrolling a loop: the next iteration, and the values for the scan outputs so far."""

    at: int
    rows: tuple[tuple[str, ...], ...]


def _expand_loop(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """The next iteration and the rest of the loop, or, at the end, the results."""
    done = node.detail(_Iteration) or _Iteration(0, ())
    at, rows = done.at, done.rows
    limit = known(node, node.inputs[0], constants, "a trip count") if node.input(0) else at + 1
    goes_on = at < limit and (not node.input(1) or known(node, node.inputs[1], constants, "a condition"))
    build = Builder(node)
    build.prefix += f":{at}"
    carried = node.inputs[2:]
    if not goes_on:
        return _results(node, build, carried, rows)
    refuse_unless(at < LONGEST, node, f"more than {LONGEST} iterations")
    condition = node.input(1) or build.constant(True, "bool")
    results = build.body(body_of(node, "body"), (build.constant(at), condition, *carried), "body")
    require(len(results) == len(node.outputs) + 1, node, "a body with another number of results")
    after = results[1 : 1 + len(carried)]
    rest = replace(node, inputs=(node.inputs[0], results[0], *after))
    build.nodes.append(rest.with_detail(_Iteration(at + 1, (*rows, results[1 + len(carried) :]))))
    return build.done()


def _results(
    node: Node, build: Builder, carried: tuple[str, ...], rows: tuple[tuple[str, ...], ...]
) -> Expansion:
    for name, output in zip(carried, node.outputs, strict=False):
        if output:
            build.add("Identity", name, output=output)
    for index, output in enumerate(node.outputs[len(carried) :]):
        if output:
            refuse_unless(bool(rows), node, "no iteration")
            build.stack([row[index] for row in rows], 0, output)
    return build.done()


# Scan: a subgraph over the slices of its inputs, unrolled; their number follows from the shapes.
def _list(node: Node, name: str, count: int) -> list[int]:
    found = [int(n) for n in node.attributes.get(name) or [0] * count]
    require(len(found) == count, node, f"'{name}' has {len(found)} entries instead of {count}")
    return found


def _expand_scan(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
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


OPERATORS: Final = (
    Operator("If", expands, expand=_expand_if, host=(0,)),
    Operator("Loop", expands, expand=_expand_loop, host=(0, 1)),
    Operator("Scan", expands, expand=_expand_scan),
)
