"""Formulas of the specification for nodes where ONNX Runtime's result depends on its way of computing, with
the reason why that is not used.

Each is a formula of ONNX in NumPy, the sums in float64. It is asked before ONNX Runtime; None: ONNX Runtime's
answer is as good.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from onnx import NodeProto, helper

Arrays = Mapping[str, np.ndarray]
Definition = Callable[[NodeProto, Arrays], np.ndarray | None]


def attributes(node: NodeProto) -> dict:
    """The attributes' values by name, subgraphs left out."""
    return {a.name: helper.get_attribute_value(a) for a in node.attribute if not a.HasField("g")}


def lrn(node: NodeProto, arrays: Arrays) -> np.ndarray:
    """ONNX Runtime slides the sum of squares along the channels, so that it cancels behind a large number;
    the reference takes as many channels as the batch has pictures.
    """
    x, given = arrays[node.input[0]].astype(np.float64), attributes(node)
    size = given["size"]
    before = (size - 1) // 2
    padded = np.pad(x * x, [(0, 0), (before, size - 1 - before), *[(0, 0)] * (x.ndim - 2)])
    sums = sum(padded[:, i : i + x.shape[1]] for i in range(size))
    base = given.get("bias", 1.0) + given.get("alpha", 1e-4) / size * sums
    return (x * base ** -given.get("beta", 0.75)).astype(np.float32)


def instance_normalization(node: NodeProto, arrays: Arrays) -> np.ndarray:
    """ONNX Runtime computes x * scale + shift, which cancels where a plane is even (of one pixel: always),
    and is no number where the scale is infinite.
    """
    x, scale, bias = (arrays[name].astype(np.float64) for name in node.input)
    axes = tuple(range(2, x.ndim))
    channels = (-1, *(1 for _ in axes))
    off = x - x.mean(axis=axes, keepdims=True)
    factor = scale.reshape(channels) / np.sqrt(
        np.mean(off * off, axis=axes, keepdims=True) + attributes(node).get("epsilon", 1e-5)
    )
    return (off * factor + bias.reshape(channels)).astype(np.float32)


def mean_variance_normalization(node: NodeProto, arrays: Arrays) -> np.ndarray:
    """ONNX Runtime leaves out the 1e-9 that the specification adds to the deviation, and divides 0 by 0 where
    a plane is even.
    """
    x = arrays[node.input[0]].astype(np.float64)
    axes = tuple(attributes(node).get("axes", (0, 2, 3)))
    off = x - x.mean(axis=axes, keepdims=True)
    return (off / (np.sqrt(np.mean(off * off, axis=axes, keepdims=True)) + 1e-9)).astype(np.float32)


def lp_normalization(node: NodeProto, arrays: Arrays) -> np.ndarray:
    """ONNX Runtime adds a row up number by number in float32: of 131,073 the norm is 1.5e-5 off."""
    x, given = arrays[node.input[0]], attributes(node)
    wide, axis = x.astype(np.float64), given.get("axis", -1)
    norm = np.linalg.norm(wide, ord=given.get("p", 2), axis=axis, keepdims=True)
    with np.errstate(all="ignore"):
        return np.where(norm == 0, 0.0, wide / norm).astype(x.dtype)


def clip(node: NodeProto, arrays: Arrays) -> np.ndarray | None:
    """A bound that is left out: ONNX Runtime takes the largest finite number; the reference none, as PyTorch,
    of which such nodes come.
    """
    low, high = ([*node.input, "", ""][i] for i in (1, 2))
    x = arrays[node.input[0]]
    if x.dtype.kind != "f" or (low and high):
        return None
    if low:
        x = np.maximum(x, arrays[low])
    return np.minimum(x, arrays[high]) if high else x


def _axes(node: NodeProto, arrays: Arrays) -> tuple[int, ...] | None:
    """Which axes a reduction takes; None for all."""
    given, name = attributes(node), [*node.input, ""][1]
    axes = tuple(given.get("axes") or (arrays[name].tolist() if name else ()))
    return axes or (() if given.get("noop_with_empty_axes", 0) else None)


def reduce_log_sum_exp(node: NodeProto, arrays: Arrays) -> np.ndarray | None:
    """A sum with a NaN is NaN; ONNX Runtime's largest element passes it over where it does not come first.
    Over the axes of an input it takes exponentials as they are: of 1e12 it makes infinity.
    """
    x = arrays[node.input[0]]
    if x.dtype.kind != "f":
        return None
    given = attributes(node)
    axis, keep = _axes(node, arrays), bool(given.get("keepdims", 1))
    wide = x.astype(np.float64)
    largest = np.max(np.where(np.isnan(wide), -np.inf, wide), axis=axis, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0.0)
    sums = np.exp(wide - largest).sum(axis=axis, keepdims=True)
    found = (np.log(sums) + largest).astype(np.float32)
    return found if keep else found.squeeze(axis)


def reduce_prod(node: NodeProto, arrays: Arrays) -> np.ndarray | None:
    """Whole numbers beyond their type: ONNX leaves it open; ONNX Runtime saturates some, NumPy and WGSL wrap
    around.
    """
    x = arrays[node.input[0]]
    if x.dtype.kind == "f":
        return None
    keep = bool(attributes(node).get("keepdims", 1))
    return np.asarray(np.prod(x, axis=_axes(node, arrays), keepdims=keep, dtype=x.dtype))


def _extreme(node: NodeProto) -> np.ufunc | None:
    return {b"max": np.maximum, b"min": np.minimum}.get(attributes(node).get("reduction", b"none"))


def scatter_elements(node: NodeProto, arrays: Arrays) -> np.ndarray | None:
    """The larger or smaller of a number and NaN is NaN; in ONNX Runtime and the reference that hangs on their
    order.
    """
    join = _extreme(node)
    x, indices, updates = (arrays[name] for name in node.input)
    if join is None or not (np.isnan(x).any() or np.isnan(updates).any()):
        return None
    found, axis = x.copy(), attributes(node).get("axis", 0)
    for at in np.ndindex(indices.shape):
        place = list(at)
        place[axis] = indices[at]
        found[tuple(place)] = join(found[tuple(place)], updates[at])
    return found


def scatter_nd(node: NodeProto, arrays: Arrays) -> np.ndarray | None:
    """As `scatter_elements`."""
    join = _extreme(node)
    x, indices, updates = (arrays[name] for name in node.input)
    if join is None or not (np.isnan(x).any() or np.isnan(updates).any()):
        return None
    found = x.copy()
    for at in np.ndindex(indices.shape[:-1]):
        place = tuple(indices[at])
        found[place] = join(found[place], updates[at])
    return found


def mat_mul_integer(node: NodeProto, arrays: Arrays) -> np.ndarray:
    """On processors without VNNI ONNX Runtime adds uint8 by int8 in pairs of 16 bits, which saturate."""
    a, b, *zeros = (arrays[name].astype(np.int64) for name in node.input)
    for matrix, zero in zip((a, b), zeros, strict=False):
        matrix -= zero
    return (a @ b).astype(np.int32)


def quantize_linear(node: NodeProto, arrays: Arrays) -> np.ndarray | None:
    """What is beyond 32 bits saturates; the reference, which stands in where ONNX Runtime has no kernel of
    the opset, wraps it around.
    """
    if len(node.input) < 3 or attributes(node).get("block_size", 0):
        return None
    x, scale, zero = (arrays[name] for name in node.input)
    if zero.dtype.kind not in "iu" or zero.dtype.itemsize > 2:
        return None
    if scale.size > 1:
        axis = attributes(node).get("axis", 1) % x.ndim
        along = [-1 if i == axis else 1 for i in range(x.ndim)]
        scale, zero = scale.reshape(along), zero.reshape(along)
    quotient = x / scale
    if not (np.abs(quotient) >= 2.0**31).any():
        return None
    ends = np.iinfo(zero.dtype)
    whole = np.rint(quotient).astype(np.float64) + zero
    return np.clip(np.where(np.isnan(whole), ends.min, whole), ends.min, ends.max).astype(zero.dtype)


DEFINITIONS: dict[str, Definition] = {
    "Clip": clip,
    "InstanceNormalization": instance_normalization,
    "LRN": lrn,
    "LpNormalization": lp_normalization,
    "MatMulInteger": mat_mul_integer,
    "MeanVarianceNormalization": mean_variance_normalization,
    "QuantizeLinear": quantize_linear,
    "ReduceLogSumExp": reduce_log_sum_exp,
    "ReduceProd": reduce_prod,
    "ScatterElements": scatter_elements,
    "ScatterND": scatter_nd,
}


def definition_of(op: str, opset: int) -> Definition | None:
    """The formula of an operator; None where ONNX Runtime's answer is taken.

    Before opset 11 a bound of a Clip that is left out is the largest finite number in ONNX, too.
    """
    return None if op == "Clip" and opset < 11 else DEFINITIONS.get(op)


def _of(node: NodeProto, arrays: Arrays, index: int) -> np.ndarray:
    return arrays[node.input[index]].astype(np.float64)


def _sizes(
    x: np.ndarray, axes: tuple[int, ...], mean: np.ndarray, variance: np.ndarray, epsilon: float
) -> np.ndarray:
    """(|mean| + root of the mean square of x) / deviation over `axes`, which stay as 1: what 2^-24 of it is
    rounded off in x * factor and in mean * factor.
    """
    root = np.sqrt(np.mean(x * x, axis=axes, keepdims=True))
    return (np.abs(mean) + root) / np.sqrt(variance + epsilon)


def _own_sizes(x: np.ndarray, axes: tuple[int, ...], epsilon: float) -> np.ndarray:
    mean = x.mean(axis=axes, keepdims=True)
    return _sizes(x, axes, mean, np.mean((x - mean) ** 2, axis=axes, keepdims=True), epsilon)


def _instance_shift(node: NodeProto, arrays: Arrays) -> Shift:
    x, scale = _of(node, arrays, 0), np.abs(_of(node, arrays, 1))
    axes = tuple(range(2, x.ndim))
    size = _own_sizes(x, axes, attributes(node).get("epsilon", 1e-5)) * scale.reshape(-1, *(1 for _ in axes))
    return size, size.shape


def _batch_shift(node: NodeProto, arrays: Arrays) -> Shift:
    x = _of(node, arrays, 0)
    axes = (0, *range(2, x.ndim))
    scale, mean, variance = (
        _of(node, arrays, i).reshape(1, -1, *(1 for _ in range(2, x.ndim))) for i in (1, 3, 4)
    )
    size = _sizes(x, axes, mean, variance, attributes(node).get("epsilon", 1e-5)) * np.abs(scale)
    return size, size.shape


def _mean_variance_shift(node: NodeProto, arrays: Arrays) -> Shift:
    x = _of(node, arrays, 0)
    size = _own_sizes(x, tuple(attributes(node).get("axes", (0, 2, 3))), 1e-18)
    return size, size.shape


def _layer_shift(node: NodeProto, arrays: Arrays) -> Shift:
    x, given = _of(node, arrays, 0), attributes(node)
    axes = tuple(range(given.get("axis", -1) % x.ndim, x.ndim))
    size = _own_sizes(x, axes, given.get("epsilon", 1e-5))
    return size * np.abs(_of(node, arrays, 1)), size.shape


def _group_shift(node: NodeProto, arrays: Arrays) -> Shift:
    x, given = _of(node, arrays, 0), attributes(node)
    count = given["num_groups"]
    size = _own_sizes(x.reshape(x.shape[0], count, -1), (2,), given.get("epsilon", 1e-5))
    scale = np.abs(_of(node, arrays, 1))
    if scale.size == count != x.shape[1]:
        scale = np.repeat(scale, x.shape[1] // count)
    rest = (1,) * (x.ndim - 2)
    whole = np.repeat(size, x.shape[1] // count, axis=1).reshape(*x.shape[:2], *rest)
    # The channels of a group share their mean, but a kernel may round each one's shift.
    return whole * scale.reshape(-1, *rest), whole.shape


def _root_mean_square_shift(node: NodeProto, arrays: Arrays) -> Shift:
    """It has no mean, but one factor for a row."""
    x, given = _of(node, arrays, 0), attributes(node)
    axes = tuple(range(given.get("axis", -1) % x.ndim, x.ndim))
    factor = 1 / np.sqrt(np.mean(x * x, axis=axes, keepdims=True) + given.get("epsilon", 1e-5))
    return x * factor * _of(node, arrays, 1), factor.shape


Shift = tuple[np.ndarray, tuple[int, ...]]
"""A size that is added to the results, and the shape of the random numbers that it is multiplied by."""

SHIFTS: dict[str, Callable[[NodeProto, Arrays], Shift]] = {
    "BatchNormalization": _batch_shift,
    "GroupNormalization": _group_shift,
    "InstanceNormalization": _instance_shift,
    "LayerNormalization": _layer_shift,
    "MeanVarianceNormalization": _mean_variance_shift,
    "RMSNormalization": _root_mean_square_shift,
}
"""Functions by operator that give the error of one rounding that affects all elements of a group: a kernel
may compute x * factor + (bias - mean * factor), and a mean of the results does not average that out, as it
does the errors of single elements.
"""


def has_empty_window(node: NodeProto, shape: tuple[int, ...]) -> bool:
    """A pool's window that is wider than the padded picture, or that lies in the padding alone: it has no
    largest element and no mean.

    ONNX's formula has no place for the first; ONNX Runtime's integer division finds one. Of the second, ONNX
    Runtime makes 0 or the lowest number, and indices before the first element.
    """
    given, sizes = attributes(node), shape[2:]
    kernel = given["kernel_shape"]
    ones, zeros = [1] * len(sizes), [0] * 2 * len(sizes)
    auto = given.get("auto_pad", b"NOTSET")
    if auto.startswith(b"SAME"):
        return False  # windows overlap the picture
    pads = given.get("pads", zeros) if auto == b"NOTSET" else zeros
    dilations, strides = given.get("dilations", ones), given.get("strides", ones)
    for i, size in enumerate(sizes):
        before, after = pads[i], pads[len(sizes) + i]
        reach = dilations[i] * (kernel[i] - 1) + 1
        room = size + before + after - reach
        if room < 0:
            return True
        count = math.ceil(room / strides[i]) if given.get("ceil_mode", 0) else room // strides[i]
        taps = np.arange(count + 1)[:, None] * strides[i] - before + np.arange(kernel[i]) * dilations[i]
        inside = ((taps >= 0) & (taps < size)).any(axis=1)
        # The formula of `ceil_mode` leaves out a last window that begins in the padding behind.
        left_out = given.get("ceil_mode", 0) and count * strides[i] >= size + before
        if not inside[: count + 1 - bool(left_out)].all():
            return True
    return False


def has_close_size(node: NodeProto, arrays: Arrays) -> bool:
    """Whether a Resize's size times scale is a whole number in float32, as ONNX Runtime computes it, and not
    in float64, as the reference does: 20 * 2.6 is 52 or 51.
    """
    name = [*node.input, "", ""][2]
    if not name or not arrays[name].size:
        return False
    shape, scales = arrays[node.input[0]].shape, arrays[name]
    axes = attributes(node).get("axes") or range(len(shape))
    return any(
        math.floor(np.float32(shape[i]) * s) != math.floor(shape[i] * float(s))
        for i, s in zip(axes, scales, strict=True)
    )
