"""WGSL for operators whose results are found by index: Gather, Scatter, Pad, OneHot and the like.

The kernel is `map.wgsl` with `compute(at: u32) -> Element`, `at` being the row-major place in the result.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import require
from desktop.compute.nn.lowering.plan import BYTES, NCHW, Operand
from desktop.compute.nn.lowering.workgroups import spread

FILL: Final = -1
"""In a table of sources: no element, but the value that fills."""

LARGEST_TABLE: Final = 1 << 24
"""Entries of a table of sources or weights; axes that would need a longer one are refused."""

WRAP: Final = """fn wrap(index: i32, size: i32) -> u32 {
  return u32(clamp(select(index, index + size, index < 0), 0, size - 1));
}"""
"""WGSL function that wraps a negative index; one outside the axis (invalid ONNX) is clamped to it."""


def require_indices(node: Node, value: Value) -> None:
    """Refuse indices of a type that the specification does not have."""
    require(value.dtype in ("int32", "int64"), node, f"indices of type {value.dtype or 'unknown'}")


def coordinates(shape: Sequence[int], at: str = "at", name: str = "c") -> list[str]:
    """WGSL statements that split a row-major index of a tensor of `shape` into `<name>0`, `<name>1`, ..."""
    lines, below = [], 1
    for axis in range(len(shape) - 1, -1, -1):
        index = at if below == 1 else f"{at} / {below}u"
        lines.append(f"let {name}{axis} = {index if axis == 0 else f'{index} % {shape[axis]}u'};")
        below *= shape[axis]
    return lines


def address(x: Operand, indices: Sequence[str]) -> str:
    """WGSL expression of where the element at `indices` (a u32 expression for each dimension) lies in `x`."""
    terms = [f"({i}) * {step}u" for i, step in zip(indices, x.strides, strict=True) if step]
    return " + ".join([f"{x.start * 4}u", *terms])


def emit(
    lowering: Lowering,
    node: Node,
    reads: Mapping[str, Operand],
    result: Operand,
    body: Sequence[str],
    *,
    code: str = "",
    constants: Mapping[str, tuple[int, str]] | None = None,
) -> None:
    """Add a dispatch that computes the row-major `result` element by element.

    `reads` are bound as arrays of numbers; `body`: statements of `compute`, which return an `Element`.
    """
    count = math.prod(result.shape)
    width, rows = spread(count)
    compute = "\n".join(["fn compute(at: u32) -> Element {", *(f"  {line}" for line in body), "}"])
    lowering.dispatch(
        Launch(
            node.name,
            Kernel(
                "map",
                {"COUNT": count, "WIDTH": width * 64},
                code=f"{functions_in(code + compute)}\n{code}\n{compute}",
                raw=True,
            ),
            reads,
            result,
            (width, rows, 1),
            arrays=constants or {},
        )
    )


def unfused(lowering: Lowering, node: Node) -> Operand:
    """Return row-major memory for a result that the kernel cannot fuse; `finish` then takes it."""
    result = lowering.values.result(node.outputs[0])
    if result.layout == NCHW and not node.epilogue:
        return result
    storage = lowering.memory.reserve(math.prod(result.shape) * BYTES[result.dtype])
    return Operand(storage, result.shape, result.dtype, NCHW)


def finish(lowering: Lowering, node: Node, rows: Operand) -> None:
    """Apply the node's epilogue to `rows` and put the result where and how it has to lie."""
    result = lowering.values.result(node.outputs[0])
    if rows != result:
        lowering.copy(node, rows, result)


def pick(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    sources: Mapping[int, np.ndarray],
    fill: Operand | None = None,
) -> None:
    """Add a dispatch that fetches each element from where a table for each axis says.

    `sources`: axis -> the index in `x`, or `FILL`, for each index in `result`; other axes stay unchanged.
    """
    body = coordinates(result.shape)
    indices = [f"c{axis}" for axis in range(len(result.shape))]
    tables, first = [], 0
    for axis, table in sources.items():
        indices[axis] = f"s{axis}"
        body.append(f"let s{axis} = table[{first}u + c{axis}];")
        if (table == FILL).any():
            value = "Element(0)" if fill is None else "Element(fill[0])"
            body.append(f"if (s{axis} == 0xffffffffu) {{ return {value}; }}")
        tables.append(table)
        first += table.size
    body.append(f"return Element(x[{address(x, indices)}]);")
    reads = {"x": x} if fill is None else {"x": x, "fill": fill}
    constants = None
    if tables:
        joined = np.concatenate(tables).astype(np.int64) % 2**32
        constants = {"table": (lowering.memory.constant(joined, dtype="uint32"), "u32")}
    emit(lowering, node, reads, result, body, constants=constants)


def slice_address(number: str, shape: Sequence[int], depth: int) -> str:
    """Return WGSL of the first element that index tuple `number`, of length `depth`, selects in `shape`."""
    terms = [
        f"wrap(indices[{number} * {depth}u + {i}u], {shape[i]}) * {math.prod(shape[i + 1 :])}u"
        for i in range(depth)
    ]
    return " + ".join(terms) or "0u"
