"""Copies between tensors that step through both in constant strides: Transpose, Slice, Split, Concat, Expand, constant Pad.

Both layouts are strided, so that none of them needs a conversion first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop.compute.nn.graph import Node
from desktop.compute.nn.lowering import Lowering, ceil_div
from desktop.compute.nn.plan import Operand


def copy_box(
    lowering: Lowering,
    node: Node,
    x: Operand,
    y: Operand,
    shape: Sequence[int],
    x_strides: Sequence[int],
    y_strides: Sequence[int],
    x_first: int = 0,
    y_first: int = 0,
) -> None:
    """Add a dispatch that copies a box of `shape`; strides and first positions count numbers and leave out an operand's `start`."""
    count = math.prod(shape)
    groups = ceil_div(count, 64)
    width = min(groups, 4096)
    # The innermost loop of the threads runs along the result, whose writes then join.
    order = sorted(range(len(shape)), key=lambda axis: abs(y_strides[axis]), reverse=True)
    numbers = {
        "COUNT": count,
        "WIDTH": width * 64,
        "RANK": len(shape),
        "X_FIRST": (x.start * 4 + x_first) % 2**32,
        "Y_FIRST": (y.start * 4 + y_first) % 2**32,
    }
    for at, axis in enumerate(reversed(order)):
        numbers |= {
            f"SIZE_{at}": shape[axis],
            f"X_{at}": x_strides[axis] % 2**32,
            f"Y_{at}": y_strides[axis] % 2**32,
        }
    lowering.dispatch(
        node.name, "strided", {"x": x}, y, (width, ceil_div(groups, width), 1), numbers, raw=True
    )
