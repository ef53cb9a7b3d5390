"""Determine bounds of an output from the last operators of a graph."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from desktop.vision.models.preprocess import Scale

Bounds = tuple[float, float]
"""(least, greatest)"""

_LONGEST_WALK: Final = 24
# Operators whose results are some of their first input's values, or means of them.
_SAME: Final = frozenset(
    {"Identity", "Cast", "Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "DepthToSpace", "Slice"}
    | {"Crop", "Resize", "Upsample", "Dropout", "Split", "AveragePool", "MaxPool"}
)
_BOUNDED: Final[dict[str, Bounds]] = {
    "Sigmoid": (0.0, 1.0),
    "HardSigmoid": (0.0, 1.0),
    "Softmax": (0.0, 1.0),
    "Tanh": (-1.0, 1.0),
}
_COMPUTED: Final = _SAME | {"Concat", "Relu", "Clip", "Affine", "Min", "Max", "Add", "Sub", "Mul", "Div"}
_NOTHING: Final[Bounds] = (-math.inf, math.inf)


@dataclass
class _Ends:
    """End of a graph: constants by name, each value's node, and the bounds found so far."""

    constants: dict[str, np.ndarray] = field(default_factory=dict)
    makers: dict[str, Any] = field(default_factory=dict)
    known: dict[str, Bounds] = field(default_factory=dict)


def output_bounds(model: Any, name: str) -> Bounds | None:
    """Return the (least, greatest) value of the output `name`, by its last operators; None if unbounded."""
    ends = _Ends()
    for tensor in model.graph.initializer:
        _note_constant(ends, tensor.name, tensor)
    for node in model.graph.node:
        if node.op_type == "Constant":
            value = next((a.t for a in node.attribute if a.name == "value"), None)
            if value is not None and node.output:
                _note_constant(ends, node.output[0], value)
        else:
            ends.makers |= dict.fromkeys(node.output, node)
    low, high = _bounds(ends, name, _LONGEST_WALK)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _note_constant(ends: _Ends, name: str, tensor: Any) -> None:
    from onnx import numpy_helper

    # At most a value a channel: scales and bounds are constants of that size.
    if tensor.data_location != 1 and math.prod(tensor.dims) <= 4:
        try:
            ends.constants[name] = np.asarray(numpy_helper.to_array(tensor), np.float64)
        except (KeyError, TypeError, ValueError):  # a damaged or unusual tensor: no evidence
            return


def _bounds(ends: _Ends, name: str, steps: int) -> Bounds:
    # Each value once, as a node may double the paths; one in progress is unbounded, so that cycles end.
    if name not in ends.known:
        ends.known[name] = _NOTHING
        ends.known[name] = _inferred_bounds(ends, name, steps)
    return ends.known[name]


def _inferred_bounds(ends: _Ends, name: str, steps: int) -> Bounds:
    constant = ends.constants.get(name)
    if constant is not None and constant.size:
        return float(constant.min()), float(constant.max())
    node = ends.makers.get(name)
    if node is None or steps == 0 or not node.input:
        return _NOTHING
    if node.op_type in _BOUNDED:
        return _BOUNDED[node.op_type]
    if node.op_type not in _COMPUTED:
        return _NOTHING
    inputs = list(node.input)[:1] if node.op_type in _SAME else list(node.input)
    known = [_bounds(ends, value, steps - 1) if value else _NOTHING for value in inputs]
    attributes = {a.name: (a.f if a.type == 1 else a.i) for a in node.attribute}
    try:
        low, high = _step(node.op_type, known, attributes)
    except (IndexError, OverflowError):
        return _NOTHING
    return _NOTHING if math.isnan(low) or math.isnan(high) else (low, high)


def _step(op: str, known: list[Bounds], attributes: Mapping[str, float]) -> Bounds:
    (low, high), rest = known[0], known[1:]
    if op in _SAME:
        return low, high
    if op == "Concat":
        return min(k[0] for k in known), max(k[1] for k in known)
    if op == "Relu":
        return max(low, 0.0), max(high, 0.0)
    if op == "Clip":
        least = rest[0][0] if rest else attributes.get("min", -math.inf)
        greatest = rest[1][1] if len(rest) > 1 else attributes.get("max", math.inf)
        return max(low, least), min(high, greatest)
    if op == "Affine":
        ends = [v * attributes.get("alpha", 1.0) + attributes.get("beta", 0.0) for v in (low, high)]
        return min(ends), max(ends)
    if op == "Min":
        return min(k[0] for k in known), min(k[1] for k in known)
    if op == "Max":
        return max(k[0] for k in known), max(k[1] for k in known)
    return _arithmetic(op, (low, high), rest[0])


def _arithmetic(op: str, a: Bounds, b: Bounds) -> Bounds:
    if op == "Add":
        return a[0] + b[0], a[1] + b[1]
    if op == "Sub":
        return a[0] - b[1], a[1] - b[0]
    if op == "Div":
        if b[0] * b[1] <= 0 or math.isinf(b[0]) or math.isinf(b[1]):
            return _NOTHING
        b = (1.0 / b[1], 1.0 / b[0])
    products = [x * y for x in a for y in b]
    # 0 * inf is NaN: no evidence.
    return _NOTHING if any(math.isnan(p) for p in products) else (min(products), max(products))


def scale_of(low: float, high: float) -> Scale:
    """Return the range that fits `low` to `high`; bounds of 0..255 and -1..1 are often exceeded."""
    if max(high, -low) > 8.0:
        return "0..255"
    return "-1..1" if low < -0.25 else "0..1"
