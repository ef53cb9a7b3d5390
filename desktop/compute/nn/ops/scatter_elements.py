"""ScatterElements: the input with the updates at the places that the indices name along an axis.

https://onnx.ai/onnx/operators/onnx__ScatterElements.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, scalar_type, store
from desktop.compute.nn.kernels.indexing import address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.scatter import (
    NOWHERE,
    Scattered,
    emit_scatter,
    is_index,
    lower_scatter,
    reduction,
)
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, require

_JOINED: Final = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def _axis(node: Node, rank: int) -> int:
    return axis_of(node, int(node.attributes.get("axis", 0)), rank)


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape."""
    require_indices(node, inputs[1])
    require(inputs[2].dtype == inputs[0].dtype, node, "updates of another type than its input's")
    shape, indices, updates = (value.shape for value in inputs)
    axis = _axis(node, len(shape))
    fits = len(indices) == len(shape) and all(
        a <= b for i, (a, b) in enumerate(zip(indices, shape, strict=True)) if i != axis
    )
    require(fits and indices == updates, node, "indices or updates that do not fit its input")
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """See `lower_scatter`."""
    lower_scatter(lowering, node, _write, _reduce)


def _write(lowering: Lowering, node: Node, scattered: Scattered) -> None:
    y, indices, updates = scattered.y, scattered.indices, scattered.updates
    axis = _axis(node, len(y.shape))
    size = y.shape[axis]
    places = [f"c{i}" for i in range(len(y.shape))]
    places[axis] = "u32(index)"
    place = [
        f"let index = select(indices[at], indices[at] + {size}, indices[at] < 0);",
        f"if (index < 0 || index >= {size}) {{ return {NOWHERE}; }}",
        *coordinates(indices.shape),
        f"return {address(y, places)};",
    ]
    reads = {"indices": indices, "updates": updates}
    emit_scatter(lowering, node, reads, y, math.prod(indices.shape), place, ["return Element(updates[at]);"])


def _reduce(lowering: Lowering, node: Node, scattered: Scattered, reduced: str) -> None:
    x, y, indices, updates = scattered.x, scattered.y, scattered.indices, scattered.updates
    dtype = scattered.dtype
    axis = _axis(node, len(y.shape))
    places = [f"c{i}" for i in range(len(y.shape))]
    within = [f"c{i} < {n}u" for i, n in enumerate(indices.shape) if i != axis and n < y.shape[i]]
    body = [
        *coordinates(y.shape),
        f"var a: {scalar_type(dtype)} = {load('x', address(x, places), dtype)};",
        f"if ({' && '.join(within) or 'true'}) {{",
        f"  for (var k = 0u; k < {indices.shape[axis]}u; k++) {{",
        f"    let from_at = {address(indices, [*places[:axis], 'k', *places[axis + 1 :]])};",
        f"    if {is_index('indices[from_at]', f'c{axis}', y.shape[axis])} {{",
        f"      let b = {load('updates', 'from_at', dtype)};",
        f"      a = {reduced};",
        "    }",
        "  }",
        "}",
        f"return {store('a', dtype)};",
    ]
    emit(lowering, node, {"x": x, "indices": indices, "updates": updates}, y, body)


def fold(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray] | None:
    """Of constants whose indices are all inside. Of a number and NaN the larger is NaN; with Python's max, as onnx's reference has it,
    that hangs on their order."""
    x, indices, updates = inputs
    reduction(node, x.dtype.name)  # checks it
    axis = _axis(node, x.ndim)
    size = x.shape[axis]
    if not ((-size <= indices) & (indices < size)).all():
        return None
    found = x.copy()
    places: list[np.ndarray] = list(np.indices(indices.shape))
    places[axis] = indices
    join = _JOINED.get(node.attributes.get("reduction", "none"))
    if join is None:
        found[tuple(places)] = updates
    else:
        with np.errstate(all="ignore"):
            join.at(found, tuple(places), updates)
    return [found]


OPERATOR = Operator("ScatterElements", infer, lower, fold=fold, carries=True)
