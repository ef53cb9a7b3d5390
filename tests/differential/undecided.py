"""Elements that ONNX leaves open where a number is infinite or a product overflows: they hang on how a kernel
goes about its sums.

Each function returns masks by the number of an output. The oracle changes these elements in one sample: they
and whatever follows from them are not compared.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from onnx import NodeProto

from differential.definitions import Arrays, attributes

Shapes = Sequence[tuple[int, ...]]
"""Of a node's outputs."""
Masks = dict[int, np.ndarray]
_CLOSE = 2.0**-16
"""Largest relative error that rounding is assumed to cause."""


def conv_transpose(node: NodeProto, arrays: Arrays, shapes: Shapes, opset: int) -> Masks:
    """Outputs that a tap of weight zero behind the kernel's last one would join to an infinite input, or to
    NaN.

    A kernel that is no multiple of its stride is computed by phases of equal windows, filled up with zeros
    (docs/network-engine.md), and zero times infinity is NaN.
    """
    x, kernel, shape = arrays[node.input[0]], arrays[node.input[1]].shape[2:], shapes[0]
    given = attributes(node)
    strides = given.get("strides") or [1] * len(kernel)
    is_by_phases = len(kernel) == 2 and given.get("group", 1) == 1 and max(given.get("dilations") or [1]) == 1
    unlike = ~np.isfinite(x).all(axis=1)
    if not is_by_phases or not unlike.any():
        return {}
    found = np.zeros((shape[0], *shape[2:]), bool)
    before = _cut(given, x.shape[2:], kernel, strides, shape[2:])
    taps = [range(math.ceil(k / s) * s) for k, s in zip(kernel, strides, strict=True)]
    for tap in itertools.product(*taps):
        if all(t < k for t, k in zip(tap, kernel, strict=True)):
            continue
        places = [
            np.arange(n) * s + t - b for n, s, t, b in zip(x.shape[2:], strides, tap, before, strict=True)
        ]
        inside = [
            np.flatnonzero((place >= 0) & (place < size))
            for place, size in zip(places, shape[2:], strict=True)
        ]
        rows, columns = (place[kept] for place, kept in zip(places, inside, strict=True))
        found[:, rows[:, None], columns] |= unlike[:, inside[0][:, None], inside[1]]
    return {0: np.broadcast_to(found[:, None], shape)}


def _cut(given: dict, sizes, kernel, strides, output) -> list[int]:
    """Outputs before the first one that is kept, of each axis."""
    auto = given.get("auto_pad", b"NOTSET")
    wanted = given.get("output_shape")
    if wanted is None and not auto.startswith(b"SAME"):
        return list(given.get("pads") or [0] * len(kernel))[: len(kernel)]
    extra = given.get("output_padding") or [0] * len(kernel)
    totals = [
        max(s * (n - 1) + e + k - size, 0)
        for s, n, e, k, size in zip(strides, sizes, extra, kernel, output, strict=True)
    ]
    return [total // 2 if auto == b"SAME_UPPER" else total - total // 2 for total in totals]


def reduce_prod(node: NodeProto, arrays: Arrays, shapes: Shapes, opset: int) -> Masks:
    """Products of large and small numbers that overflow, or vanish, in some orders alone."""
    x, given = arrays[node.input[0]], attributes(node)
    if x.dtype != np.float32:
        return {}
    named = arrays[node.input[1]].tolist() if len(node.input) > 1 and node.input[1] else given.get("axes")
    if not named and given.get("noop_with_empty_axes"):
        return {}
    axes = tuple(named or range(x.ndim))
    sizes = np.abs(x.astype(np.float64))
    with np.errstate(all="ignore"):
        logs = np.where(np.isfinite(sizes), np.log2(sizes), 0.0)  # of 0: minus infinity
    large, small = (part(logs, 0).sum(axis=axes).reshape(shapes[0]) for part in (np.maximum, np.minimum))
    # Half a unit for what rounding does to a product of the largest or smallest size.
    return {0: ((large > 127.5) & (small < 0)) | ((small < -125.5) & (large > 0))}


def layer_normalization(node: NodeProto, arrays: Arrays, shapes: Shapes, opset: int) -> Masks:
    """Mean and deviation of a row with an infinity: infinite by the formula, NaN where the numbers are taken
    off a mean first.
    """
    x = arrays[node.input[0]]
    axes = tuple(range(attributes(node).get("axis", -1) % x.ndim, x.ndim))
    unlike = ~np.isfinite(x).all(axis=axes, keepdims=True)
    return {i: unlike for i in range(1, len(shapes)) if shapes[i] == unlike.shape}


def power(node: NodeProto, arrays: Arrays, shapes: Shapes, opset: int) -> Masks:
    """The root of minus infinity: C's pow makes infinity of it, NumPy and PyTorch, which take a square root
    for it, NaN. And a power of a negative number by one that a rounding may have taken off a whole number.
    """
    base, exponent = (arrays[name] for name in node.input)
    if base.dtype.kind != "f" or exponent.dtype.kind != "f":
        return {}
    with np.errstate(all="ignore"):
        off = np.abs(exponent - np.rint(exponent))
        is_near = (off > 0) & (off <= _CLOSE * np.abs(exponent))
    return {0: np.broadcast_to((np.isneginf(base) & (exponent == 0.5)) | ((base < 0) & is_near), shapes[0])}


def resize(node: NodeProto, arrays: Arrays, shapes: Shapes, opset: int) -> Masks:
    """One element by cubic interpolation with PyTorch's half pixels: ONNX's text has it at place 0, onnx's
    reference and ONNX Runtime at -0.5.
    """
    given = attributes(node)
    is_half_pixel = given.get("coordinate_transformation_mode") == b"pytorch_half_pixel"
    sizes = zip(arrays[node.input[0]].shape, shapes[0], strict=True)
    is_open = is_half_pixel and given.get("mode") == b"cubic" and any(b == 1 < a for a, b in sizes)
    return {0: np.ones(shapes[0], bool)} if is_open else {}


def choice(node: NodeProto, arrays: Arrays, shapes: Shapes, opset: int) -> Masks:
    """The choice of one number of a row in which noise has made several equal ones differ. Which of five
    equal numbers is the largest is the same in all samples once in a hundred rows.
    """
    x, given = arrays[node.input[0]], attributes(node)
    if x.dtype.kind != "f" or not x.size:
        return {}
    is_hardmax = node.op_type == "Hardmax"
    axis = given.get("axis", (-1 if opset >= 13 else 1) if is_hardmax else 0) % x.ndim
    rows = x.reshape(*x.shape[:axis], -1) if is_hardmax and opset < 13 else x
    rows = -rows if node.op_type == "ArgMin" else rows
    with np.errstate(all="ignore"):
        largest = rows.max(axis=axis, keepdims=True)
        gap = largest - rows
        close = ((gap > 0) & (gap <= _CLOSE * np.abs(largest))).any(axis=axis, keepdims=True)
    if is_hardmax:
        return {0: np.broadcast_to(close, rows.shape).reshape(shapes[0])}
    return {0: close.reshape(shapes[0])}


UNDECIDED: dict[str, Callable[[NodeProto, Arrays, Shapes, int], Masks]] = {
    "ArgMax": choice,
    "ArgMin": choice,
    "ConvTranspose": conv_transpose,
    "Hardmax": choice,
    "LayerNormalization": layer_normalization,
    "Pow": power,
    "ReduceProd": reduce_prod,
    "Resize": resize,
}
