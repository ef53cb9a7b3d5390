"""Softmax and its relatives: rows along one axis; before opset 13 everything from `axis` on is one row."""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import axis_of
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.workgroups import ceil_div


def rows_of(node: Node, shape: Sequence[int]) -> tuple[int, int, int]:
    """(rows before, length of a row, elements from one of its elements to the next)."""
    axis = axis_of(node, int(node.attributes.get("axis", -1 if node.version >= 13 else 1)), len(shape))
    if node.version < 13:
        return math.prod(shape[:axis]), math.prod(shape[axis:]), 1
    return math.prod(shape[:axis]), math.prod(shape[axis : axis + 1]), math.prod(shape[axis + 1 :])


def add_softmax(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    rows: tuple[int, int, int],
    *,
    logarithm: bool = False,
    scale: float = 1.0,
) -> None:
    """Add a dispatch that computes softmax(scale * x), or its logarithm, of row-major operands: a workgroup a row.

    Args:
        rows: see `rows_of`.
    """
    outer, length, inner = rows
    count = outer * inner if length else 0
    width = min(count, 4096)
    threads = 256 if length > 64 and not lowering.target.is_software else 16
    numbers = {"COUNT": count, "LENGTH": length, "INNER": inner, "WIDTH": width, "THREADS": threads}
    numbers |= {"OTHERS": threads // 4 - 1, "LOG": int(logarithm)}
    code = functions_in("log_1p() special()") if logarithm else ""
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("softmax", numbers, floats={"SCALE": scale}, code=code, raw=True, own_indices=True),
            {"x": x},
            result,
            (width, ceil_div(count, max(width, 1)), 1),
        )
    )
