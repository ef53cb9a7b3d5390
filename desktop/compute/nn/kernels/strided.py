"""Strided copies between tensors of either layout: Transpose, Slice, Split, Concat, Expand, Tile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import NHWC, Operand
from desktop.compute.nn.lowering.workgroups import spread


def source(lowering: Lowering, name: str) -> Operand:
    """Return a tensor in its own layout, with its shape in the graph; constants are row-major."""
    return lowering.nchw(name) if name in lowering.graph.constants else lowering.values.any(name)


def merged_axes(
    shape: Sequence[int], x_strides: Sequence[int], y_strides: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Return (size, step in x, step in y) of the fewest axes of the same box, the fastest in y first."""
    axes = [axis for axis in zip(shape, x_strides, y_strides, strict=True) if axis[0] != 1]
    merged: list[tuple[int, int, int]] = []
    for size, x_step, y_step in sorted(axes, key=lambda axis: abs(axis[2])):
        if merged:
            inner, inner_x, inner_y = merged[-1]
            if (x_step, y_step) == (inner_x * inner, inner_y * inner):
                merged[-1] = (inner * size, inner_x, inner_y)
                continue
        merged.append((size, x_step, y_step))
    return merged


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
    """Add a dispatch that copies a box of `shape`, none if it is empty.

    Strides and first positions count numbers and leave out an operand's `start`.
    """
    # The threads run along the result, whose writes then join; each merged axis saves them a division.
    axes = merged_axes(shape, x_strides, y_strides)
    x_first, y_first = x.start * 4 + x_first, y.start * 4 + y_first
    vector = is_float(x.dtype) and _is_vectorizable(axes, x_first, y_first)
    if vector:
        x, y = (replace(each, layout=NHWC) for each in (x, y))  # only the type of the arrays hangs on it
        (inner, _, _), *rest = axes
        axes = [(inner // 4, 1, 1), *((size, x_step // 4, y_step // 4) for size, x_step, y_step in rest)]
        x_first, y_first = x_first // 4, y_first // 4
    count = math.prod(size for size, _, _ in axes)
    width, rows = spread(count)
    numbers = {
        "COUNT": count,
        "WIDTH": width * 64,
        "RANK": len(axes),
        "X_FIRST": x_first % 2**32,
        "Y_FIRST": y_first % 2**32,
        "VECTOR": int(vector),
        "LANES": 0,
    }
    if y.layout == NHWC and y.channels % 4 and not vector:
        numbers |= {"LANES": -y.channels % 4, "ROW": y.stride * 4, "LAST": y.start * 4 + y.channels - 1}
    for at, (size, x_step, y_step) in enumerate(axes):
        numbers |= {f"SIZE_{at}": size, f"X_{at}": x_step % 2**32, f"Y_{at}": y_step % 2**32}
    lowering.dispatch(
        Launch(node.name, Kernel("strided", numbers, raw=not vector), {"x": x}, y, (width, rows, 1))
    )


def _is_vectorizable(axes: Sequence[tuple[int, int, int]], x_first: int, y_first: int) -> bool:
    """True where the box is made of vec4s in both tensors."""
    if not axes or axes[0][1:] != (1, 1) or axes[0][0] % 4:
        return False
    steps = [step for _, x_step, y_step in axes[1:] for step in (x_step, y_step)]
    return all(n % 4 == 0 for n in (x_first, y_first, *steps))
