"""Loop: unrolled, one iteration at a time, because the condition of the next may follow from what the last one folds to.

The trip count and every condition must be known when the session is built.
https://onnx.ai/onnx/operators/onnx__Loop.html
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from desktop.compute.nn.ir.graph import Detail, Node, Value
from desktop.compute.nn.lowering.expansion import LONGEST, Builder, body_of, expands, known
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator, refuse_unless, require


@dataclass(frozen=True)
class _Iteration(Detail):
    """How far a loop is unrolled: the next iteration, and the values that each before it adds to the scan outputs."""

    at: int
    rows: tuple[tuple[str, ...], ...]


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
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


OPERATOR = Operator("Loop", expands, expand=expand, host=(0, 1))
