"""Sliding windows of convolution and pooling as ONNX specifies them, auto_pad and ceil_mode included."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.lowering.operator import refuse_unless, require

_LARGEST = 1 << 20
_CROPPING = frozenset({"AveragePool", "LpPool", "MaxPool"})
"""Operators whose automatic padding may be negative (stride longer than window), as in ONNX Runtime."""


@dataclass(frozen=True)
class WindowAxis:
    """A window along one spatial dimension, with padding `before` and `after`, from `size` to `output`."""

    kernel: int
    stride: int
    dilation: int
    before: int
    after: int
    size: int
    output: int


FLAT: Final = WindowAxis(1, 1, 1, 0, 0, 1, 1)
"""Of a dimension that is not there."""


@dataclass(frozen=True)
class SlidingWindow:
    """A window of up to three dimensions; missing ones have size 1. Pairs are (height, width).

    `layers` is the window along a third dimension, before the two; `output` the result's spatial size.
    """

    kernel: tuple[int, int]
    strides: tuple[int, int]
    dilations: tuple[int, int]
    before: tuple[int, int]
    after: tuple[int, int]
    input: tuple[int, int]
    output: tuple[int, int]
    layers: WindowAxis = FLAT

    def numbers(self) -> dict[str, int]:
        """Return the kernels' unsigned constants; PAD may be negative, modulo 2^32; REACH: padded size."""
        pairs = {
            "KERNEL": self.kernel,
            "STRIDE": self.strides,
            "DILATION": self.dilations,
            "PAD": (self.before[0] % 2**32, self.before[1] % 2**32),
            "REACH": (
                self.input[0] + self.before[0] + self.after[0],
                self.input[1] + self.before[1] + self.after[1],
            ),
            "IN": self.input,
            "OUT": self.output,
        }
        found = {f"{name}_{'HW'[axis]}": pair[axis] for name, pair in pairs.items() for axis in (0, 1)}
        deep = self.layers
        return found | {
            "VOLUME": int(self.is_volume),
            "KERNEL_D": deep.kernel,
            "STRIDE_D": deep.stride,
            "DILATION_D": deep.dilation,
            "PAD_D": deep.before % 2**32,
            "IN_D": deep.size,
            "OUT_D": deep.output,
        }

    @property
    def taps(self) -> int:
        """Elements of the window."""
        return self.layers.kernel * self.kernel[0] * self.kernel[1]

    @property
    def is_volume(self) -> bool:
        """True for a window of three dimensions."""
        return self.layers != FLAT

    @property
    def is_pointwise(self) -> bool:
        """True for a 1x1 window that visits every pixel once."""
        own = self.kernel == self.strides == (1, 1) and self.before == self.after == (0, 0)
        deep = self.layers
        return own and deep.kernel == deep.stride == 1 and deep.before == deep.after == 0


def _list(node: Node, name: str, count: int, default: int) -> list[int]:
    values = [int(n) for n in node.attributes.get(name) or [default] * count]
    require(len(values) == count, node, f"'{name}' has {len(values)} entries instead of {count}")
    require(all(0 <= n <= _LARGEST for n in values), node, f"'{name}' is out of range")
    return values


def window_axes(node: Node, shape: Sequence[int], kernel: Sequence[int]) -> list[WindowAxis]:
    """Return the axes of a Conv or pooling node's window over an input (batch, channels, spatial...).

    Raises:
        ModelUnsupportedError: attributes contradict the shapes, or the window fits nowhere.
    """
    rank = len(shape) - 2
    require(rank >= 1, node, f"an input with {len(shape)} dimensions")
    require(
        len(kernel) == rank and all(1 <= k <= _LARGEST for k in kernel),
        node,
        "its kernel does not fit its input",
    )
    strides = _list(node, "strides", rank, 1)
    dilations = _list(node, "dilations", rank, 1)
    pads = _list(node, "pads", 2 * rank, 0)
    require(min(strides) > 0 and min(dilations) > 0, node, "a stride or dilation of zero")
    auto = node.attributes.get("auto_pad", "NOTSET")
    ceil = bool(node.attributes.get("ceil_mode", 0))
    axes = []
    for axis in range(rank):
        size = int(shape[2 + axis])
        extent = dilations[axis] * (int(kernel[axis]) - 1) + 1
        before, after = (pads[axis], pads[rank + axis]) if auto == "NOTSET" else (0, 0)
        if auto in ("SAME_UPPER", "SAME_LOWER"):
            total = (math.ceil(size / strides[axis]) - 1) * strides[axis] + extent - size
            if node.op not in _CROPPING:
                total = max(total, 0)
            before = int((total if auto == "SAME_UPPER" else total + 1) / 2)
            after = total - before
        room = size + before + after - extent  # less than nothing where the window is larger than all of it
        output = (-(-room // strides[axis]) if ceil else room // strides[axis]) + 1
        if ceil and (output - 1) * strides[axis] >= size + before:
            output -= 1  # a window may not start in the padding at the end (ONNX, since opset 19; every runtime before)
        require(output >= 1, node, "its kernel is larger than its padded input")
        axes.append(
            WindowAxis(int(kernel[axis]), strides[axis], dilations[axis], before, after, size, output)
        )
    return axes


def window(node: Node, shape: Sequence[int], kernel: Sequence[int]) -> SlidingWindow:
    """Return `window_axes` joined for 1 or 2 spatial dimensions; raise `ModelUnsupportedError` for more."""
    axes = window_axes(node, shape, kernel)
    refuse_unless(len(axes) <= 2, node, f"{len(axes)} spatial dimensions")
    return _joined(axes)


def volume_window(node: Node, shape: Sequence[int], kernel: Sequence[int]) -> SlidingWindow:
    """Return `window_axes` joined for up to 3 dimensions; raise `ModelUnsupportedError` for more."""
    axes = window_axes(node, shape, kernel)
    refuse_unless(len(axes) <= 3, node, f"{len(axes)} spatial dimensions")
    return _joined(axes)


def _joined(axes: list[WindowAxis]) -> SlidingWindow:
    layers, *axes = [FLAT] * (3 - len(axes)) + axes
    rows, columns = axes
    return SlidingWindow(
        (rows.kernel, columns.kernel),
        (rows.stride, columns.stride),
        (rows.dilation, columns.dilation),
        (rows.before, columns.before),
        (rows.after, columns.after),
        (rows.size, columns.size),
        (rows.output, columns.output),
        layers,
    )
