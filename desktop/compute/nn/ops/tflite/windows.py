"""Convolutions and pools; quantized ones are exact integer sums, rounded as the reference kernels do."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from desktop.compute.nn.ir.grid import Grid
from desktop.compute.nn.kernels.matrix import IntegerDetail
from desktop.compute.nn.lowering.operator import refuse_unless, require
from desktop.compute.nn.ops.tflite.spelling import NONE, Spelling

_SAME: Final = 0
_UNROLLED: Final = 64
"""Taps of a window up to which sums are convolutions."""
_AXES: Final = ("D", "H", "W")


@dataclass(frozen=True)
class Windows:
    """Windows over the spatial axes (channels last); `before`, `after`: padding; `output`: result's size."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    size: tuple[int, ...]
    output: tuple[int, ...]

    @staticmethod
    def of(s: Spelling, size: Sequence[int], kernel: Sequence[int], *, dilated: bool = True) -> Windows:
        """Read strides, dilations and padding, SAME or VALID, of a node's options."""
        names = _AXES[-len(kernel) :]
        strides = tuple(int(s.option(f"Stride{name}", 1)) for name in names)
        dilations = tuple(int(s.option(f"Dilation{name}Factor", 1)) if dilated else 1 for name in names)
        dilations = tuple(max(d, 1) for d in dilations)
        in_range = all(0 < n < 1 << 20 for n in (*strides, *dilations, *kernel, *size))
        require(in_range and len(size) == len(kernel), s.node, "a window that does not fit its input")
        before, after, output = [], [], []
        for n, k, stride, dilation in zip(size, kernel, strides, dilations, strict=True):
            extent = (k - 1) * dilation + 1
            count = -(-n // stride) if s.option("Padding", 0) == _SAME else (n - extent) // stride + 1
            require(count > 0, s.node, "a window that is larger than its input")
            total = max((count - 1) * stride + extent - n, 0) if s.option("Padding", 0) == _SAME else 0
            before.append(total // 2)
            after.append(total - total // 2)
            output.append(count)
        return Windows(
            tuple(kernel), strides, dilations, tuple(before), tuple(after), tuple(size), tuple(output)
        )

    def attributes(self) -> dict[str, Any]:
        """As ONNX has them."""
        return {
            "kernel_shape": list(self.kernel),
            "strides": list(self.strides),
            "dilations": list(self.dilations),
            "pads": [*self.before, *self.after],
        }

    def counts(self) -> np.ndarray:
        """Number of elements of each window that lie inside the input, in the result's shape."""
        lengths = []
        for axis in range(len(self.size)):
            first = np.arange(self.output[axis]) * self.strides[axis] - self.before[axis]
            last = np.minimum(first + self.kernel[axis], self.size[axis])
            lengths.append(last - np.maximum(first, 0))
        return np.asarray(functools.reduce(np.multiply.outer, lengths))


def _activation(s: Spelling) -> int:
    return int(s.option("FusedActivationFunction", NONE))


# -- convolutions --------------------------------------------------------------------------------------------


def _conv_2d(s: Spelling) -> None:
    x, w = s.shape(0), s.shape(1)
    require(len(x) == 4 and len(w) == 4, s.node, "an input or a filter that has not four dimensions")
    require(0 < w[3] <= x[3] and x[3] % w[3] == 0, s.node, "a filter that does not fit its input")
    _convolve(s, Windows.of(s, x[1:3], w[1:3]), (0, 3, 1, 2), x[3] // w[3])


def _depthwise(s: Spelling) -> None:
    x, w = s.shape(0), s.shape(1)
    fits = len(x) == 4 and len(w) == 4 and w[0] == 1 and x[3] > 0 and w[3] % x[3] == 0
    require(fits, s.node, "a filter that does not fit its input")
    _convolve(s, Windows.of(s, x[1:3], w[1:3]), (3, 0, 1, 2), x[3])


def _conv_3d(s: Spelling) -> None:
    x, w = s.shape(0), s.shape(1)
    fits = len(x) == 5 and len(w) == 5 and 0 < w[3] <= x[4] and x[4] % w[3] == 0
    require(fits, s.node, "a filter that does not fit its input")
    _convolve(s, Windows.of(s, x[1:4], w[:3]), (4, 3, 0, 1, 2), x[4] // w[3])


def _convolve(s: Spelling, windows: Windows, perm: Sequence[int], group: int) -> None:
    """A convolution whose filter is turned by `perm` to (outputs, inputs of a group, spatial...)."""
    rank = len(perm)
    attributes: dict[str, Any] = {**windows.attributes(), "group": group}
    grid = s.out_grid()
    if grid is not None and is_exact(s) and _products(s) is not None:
        weights, bias, factors = integer_weights(s, perm)
        inputs = [
            s.first(s.integer_input(0), rank),
            s.constant(weights),
            *([s.constant(bias)] if bias is not None else []),
        ]
        source = s.grid(0)
        assert source is not None
        sums = s.add("Conv", *inputs, details=(IntegerDetail(source.lowest, source.highest),), **attributes)
        found = s.requantized(sums, factors, s.bounded(grid, _activation(s)), rank)
        s.give(s.last(found, rank))
        return
    inputs = [s.first(s.real(0), rank), _turned(s, 1, perm)]
    if s.has(2):
        inputs.append(s.real(2))
    found = s.last(s.add("Conv", *inputs, **attributes), rank)
    s.give_real(found, activation=_activation(s))


def _turned(s: Spelling, index: int, perm: Sequence[int]) -> str:
    """A filter as real numbers, its axes turned."""
    if s.known(index) is not None:
        return s.constant(np.ascontiguousarray(s.real_array(index).transpose(perm)))
    return s.add("Transpose", s.real(index), perm=list(perm))


def is_exact(s: Spelling) -> bool:
    """True where activations are 8-bit numbers, and filter and bias constants."""
    return (
        s.is_small(s.grid(0))
        and s.is_small(s.out_grid())
        and s.known(0) is None
        and s.known(1) is not None
        and (not s.has(2) or s.known(2) is not None)
    )


def _products(s: Spelling) -> np.ndarray | None:
    """Return the real size of a product of integers, in the output's scale: one number, or one a channel."""
    x, w, y = s.grid(0), s.scales(1), s.out_grid()
    if x is None or w is None or y is None:
        return None
    if w.scales.size == 1 and (w.dtype == "uint8" or s.node.op.endswith("FULLY_CONNECTED")):
        # These kernels take the product of the two scales in float32 (GetQuantizedConvolutionMultipler).
        return np.array([np.float64(np.float32(x.scale * w.scales.reshape(-1)[0])) / np.float64(y.scale)])
    return np.float64(x.scale) * w.scales.reshape(-1).astype(np.float64) / np.float64(y.scale)


def integer_weights(s: Spelling, perm: Sequence[int]) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Filter (outputs, inputs, spatial...) and bias as integers, and the factors of the sums."""
    stored, scales, factors = s.fixed(1), s.scales(1), _products(s)
    assert scales is not None
    assert factors is not None
    channels = stored.shape[perm[0]]
    fits = scales.scales.size in (1, channels)
    refuse_unless(fits, s.node, "scales that are not one for each output channel")
    zeros = scales.along(scales.zeros, stored.ndim)
    weights = np.ascontiguousarray((stored.astype(np.int32) - zeros).transpose(perm)).astype(np.float32)
    bias = s.fixed(2).reshape(-1) if s.has(2) else None
    require(bias is None or bias.size == channels, s.node, "a bias that does not fit its filter")
    if (
        bias is not None
    ):  # float32 holds nearly all of them; kernels that add in 32-bit integers take them from float64 as well
        bias = bias.astype(np.float32 if np.abs(bias.astype(np.int64)).max() < 1 << 24 else np.float64)
    return weights, bias, factors


def _transpose_conv(s: Spelling) -> None:
    """Inputs: the result's shape, the filter (outputs, height, width, inputs), the tensor, and a bias."""
    size = s.integers(0)
    _transposed(s, size[1:3], 1, 2, 3)


def transposed_with_bias(s: Spelling) -> None:
    """Convolution2DTransposeBias (MediaPipe) of tensor, filter and bias; SAME is input size * stride."""
    x, w = s.shape(0), s.shape(1)
    strides = [int(s.option(name, 1)) for name in ("StrideH", "StrideW")]
    require(len(x) == len(w) == 4, s.node, "an input or a filter that has not four dimensions")
    if int(s.option("Padding", 0)) == _SAME:
        size = [n * stride for n, stride in zip(x[1:3], strides, strict=True)]
    else:
        size = [(n - 1) * stride + k for n, stride, k in zip(x[1:3], strides, w[1:3], strict=True)]
    _transposed(s, size, 1, 0, 2)


def _transposed(s: Spelling, size: Sequence[int], filters: int, tensor: int, bias: int) -> None:
    x, w = s.shape(tensor), s.shape(filters)
    fits = len(x) == len(w) == 4 and len(size) == 2 and x[3] == w[3]
    require(fits, s.node, "a filter that does not fit its input")
    strides = [int(s.option(name, 1)) for name in ("StrideH", "StrideW")]
    require(all(0 < n < 1 << 16 for n in (*strides, *size)), s.node, "a size or a stride that is none")
    pads, extra = [], []
    for n, k, stride, wanted in zip(x[1:3], w[1:3], strides, size, strict=True):
        # For SAME and VALID, what reaches beyond the result is cut off, the smaller half before it.
        total = max((n - 1) * stride + k - wanted, 0)
        pads.append(total // 2)
        extra.append(wanted - ((n - 1) * stride + k - total))
    require(all(e >= 0 for e in extra), s.node, "a result that does not fit its input")
    after = [
        max((n - 1) * t + k - o, 0) - p
        for n, t, k, o, p in zip(x[1:3], strides, w[1:3], size, pads, strict=True)
    ]
    attributes: dict[str, Any] = {
        "strides": strides, "pads": [*pads, *after], "output_padding": extra, "kernel_shape": list(w[1:3]),
    }  # fmt: skip
    perm = (3, 0, 1, 2)  # ONNX: (inputs, outputs, spatial...)
    grid, source, scales = s.out_grid(), s.grid(tensor), s.scales(filters)
    has_bias = s.has(bias)
    if grid is not None and source is not None and scales is not None and s.known(filters) is not None:
        _integer_transposed(s, grid, source, (filters, tensor, bias), attributes, perm)
        return
    inputs = [s.first(s.real(tensor)), _turned(s, filters, perm)]
    found = s.add("ConvTranspose", *inputs, **attributes)
    if has_bias:  # the kernel takes a bias that is known
        found = s.add("Add", found, s.add("Reshape", s.real(bias), s.int64(1, -1, 1, 1)))
    s.give_real(s.last(found), activation=_activation(s))


def _integer_transposed(
    s: Spelling,
    grid: Grid,
    source: Grid,
    at: tuple[int, int, int],
    attributes: dict[str, Any],
    perm: Sequence[int],
) -> None:
    filters, tensor, bias = at
    stored, scales = s.fixed(filters), s.scales(filters)
    assert scales is not None
    weights = (stored.astype(np.int32) - scales.along(scales.zeros, stored.ndim)).transpose(perm)
    inputs = [s.first(s.integer_input(tensor)), s.constant(np.ascontiguousarray(weights).astype(np.float32))]
    sums = s.add("ConvTranspose", *inputs, **attributes)
    if s.has(bias):
        sums = s.add("Add", sums, s.constant(s.fixed(bias).reshape(1, -1, 1, 1), "float32"))
    factors = np.float64(source.scale) * scales.scales.reshape(-1).astype(np.float64) / np.float64(grid.scale)
    s.give(s.last(s.requantized(sums, factors, s.bounded(grid, _activation(s)))))


# -- pools ---------------------------------------------------------------------------------------------------


def _pooled(s: Spelling) -> Windows:
    require(len(s.shape(0)) == 4, s.node, "an input that has not four dimensions")
    kernel = (int(s.option("FilterHeight", 1)), int(s.option("FilterWidth", 1)))
    return Windows.of(s, s.shape(0)[1:3], kernel, dilated=False)


def _pool_attributes(windows: Windows) -> dict[str, Any]:
    return {name: value for name, value in windows.attributes().items() if name != "dilations"}


def _max_pool(s: Spelling) -> None:
    windows, grid = _pooled(s), s.out_grid()
    name = s.moved(0)
    found = s.last(s.add("MaxPool", s.first(name), **_pool_attributes(windows)))
    if grid is None:
        s.give_real(found, activation=_activation(s))
        return
    s.give(_clip(s, found, s.bounded(grid, _activation(s)), grid))


def _clip(s: Spelling, name: str, bounded: Grid, grid: Grid) -> str:
    if bounded == grid:
        return name
    low, high = (s.constant(float(n), "float32") for n in (bounded.lowest, bounded.highest))
    return s.add("Clip", name, low, high)


def _average_pool(s: Spelling) -> None:
    windows, grid, source = _pooled(s), s.out_grid(), s.grid(0)
    if grid is None or source is None or not s.is_small(source) or not s.is_small(grid):
        found = s.add("AveragePool", s.first(s.real(0)), **_pool_attributes(windows))
        s.give_real(s.last(found), activation=_activation(s))
        return
    sums, counts = _window_sums(s, windows, source)
    bounded = s.bounded(source, _activation(s))  # kernels ask for one grid of both
    bounds = {"zero": source.zero, "lowest": bounded.lowest, "highest": bounded.highest}
    found = s.internal("WholeMean", sums, s.constant(counts), **bounds)
    s.give(s.regridded(s.last(found), source, grid))


def _window_sums(s: Spelling, windows: Windows, source: Grid) -> tuple[str, np.ndarray]:
    """Exact sums over windows, channels first, and how many elements each has: one number, or one a pixel."""
    counts = windows.counts().astype(np.float32)
    same = counts.min() == counts.max()
    numbers = counts.reshape(-1)[:1].reshape(1, 1, 1, 1) if same else counts.reshape(1, 1, *windows.output)
    x, channels, area = s.first(s.integer_input(0)), s.shape(0)[3], math.prod(windows.kernel)
    if windows.kernel == windows.size and max(*windows.before, *windows.after) == 0:
        return s.add("ReduceSum", x, s.int64(2, 3), keepdims=1), numbers
    if area <= _UNROLLED:
        ones = s.constant(np.ones((channels, 1, *windows.kernel), np.float32))
        details = (IntegerDetail(source.lowest, source.highest),)
        return s.add("Conv", x, ones, details=details, group=channels, **windows.attributes()), numbers
    # A sum below 2^21 is the rounded mean * area; Conv's kernel text would have thousands of taps.
    refuse_unless(area * 255 < 1 << 21, s.node, "a window of more than 8000 elements")
    mean = s.add("AveragePool", x, count_include_pad=1, **_pool_attributes(windows))
    return s.add("Round", s.add("Mul", mean, s.constant(float(area), "float32"))), numbers


def _l2_pool(s: Spelling) -> None:
    """The root of the mean square."""
    windows = _pooled(s)
    x = s.first(s.real(0))
    mean = s.add("AveragePool", s.add("Mul", x, x), **_pool_attributes(windows))
    s.give_real(s.last(s.add("Sqrt", mean)), activation=_activation(s))


OPERATORS: Final[dict[str, Callable[[Spelling], None]]] = {
    "CONV_2D": _conv_2d,
    "DEPTHWISE_CONV_2D": _depthwise,
    "CONV_3D": _conv_3d,
    "TRANSPOSE_CONV": _transpose_conv,
    "MAX_POOL_2D": _max_pool,
    "AVERAGE_POOL_2D": _average_pool,
    "L2_POOL_2D": _l2_pool,
}
