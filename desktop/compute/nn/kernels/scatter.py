"""Lower the Scatter operators: writes by index, and reductions of updates with the same index.

Without a reduction each update writes into a copy of the input. With one, each element loops over its updates
in order, which has no races and is deterministic (WGSL has no atomic additions of floats).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import require
from desktop.compute.nn.lowering.plan import NCHW, Operand
from desktop.compute.nn.lowering.workgroups import spread

_REDUCTIONS: Final = {"add": "a + b", "mul": "a * b", "max": "max(a, b)", "min": "min(a, b)"}
_OF_FLOATS: Final = {"add": "a + b", "mul": "a * b", "max": "most(a, b)", "min": "least(a, b)"}
_OF_BOOLS: Final = {"add": "a || b", "mul": "a && b", "max": "a || b", "min": "a && b"}

NOWHERE: Final = "0xffffffffu"
"""Index of an item that is not written."""


@dataclass(frozen=True)
class Scattered:
    """Input, result, indices and updates of a node, in their stored layouts; `dtype` is the input's."""

    x: Operand
    y: Operand
    indices: Operand
    updates: Operand
    dtype: str


def lower_scatter(
    lowering: Lowering,
    node: Node,
    write: Callable[[Lowering, Node, Scattered], None],
    reduce: Callable[[Lowering, Node, Scattered, str], None],
) -> None:
    """Add a copy and the `write` of updated elements, or for a reduction `reduce`, a loop over updates."""
    x, y = source(lowering, node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    dtype = lowering.graph.values[node.inputs[0]].dtype
    scattered = Scattered(x, y, lowering.nchw(node.inputs[1]), lowering.nchw(node.inputs[2]), dtype)
    reduced = reduction(node, dtype)
    if reduced is None:
        copy_box(lowering, node, x, y, y.shape, x.strides, y.strides)
        write(lowering, node, scattered)
    else:
        reduce(lowering, node, scattered, reduced)


def reduction(node: Node, dtype: str) -> str | None:
    """Return WGSL that reduces a, the value so far, and the update b; None if the update replaces a."""
    kind = node.attributes.get("reduction", "none")
    require(kind == "none" or kind in _REDUCTIONS, node, f"reduction {kind}")
    kinds = _OF_BOOLS if dtype == "bool" else _OF_FLOATS if is_float(dtype) else _REDUCTIONS
    return kinds.get(kind)


def is_index(index: str, wanted: str, size: int) -> str:
    """Return WGSL: the i32 `index`, which may be negative to count from `size`, equals the u32 `wanted`."""
    return f"({index} == i32({wanted}) || {index} + {size} == i32({wanted}))"


def emit_scatter(
    lowering: Lowering,
    node: Node,
    reads: Mapping[str, Operand],
    result: Operand,
    count: int,
    place: Sequence[str],
    compute: Sequence[str],
    code: str = "",
) -> None:
    """Add a dispatch that writes one number for each of `count` items into `result`, whose others stay.

    Args:
        place: statements that return the index to which item `at` is written, `NOWHERE` to drop it.
        compute: statements that return its `Element`.
    """
    width, rows = spread(count)
    functions = [
        code,
        "fn place(at: u32) -> u32 {",
        *(f"  {line}" for line in place),
        "}",
        "fn compute(at: u32) -> Element {",
        *(f"  {line}" for line in compute),
        "}",
    ]
    numbers = {"COUNT": count, "WIDTH": width * 64, "SIZE": math.prod(result.shape)}
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("scatter", numbers, code="\n".join(functions), raw=True),
            reads,
            result,
            (width, rows, 1),
        )
    )
