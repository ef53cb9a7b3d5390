"""3x3 convolutions by Winograd's F(2x2, 3x3): 16 products a channel for 4 outputs instead of 36.

Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (CVPR 2016). Three dispatches: transform
of 4x4 patches, 16 matrix products (`multiply_items`), transform back. Not F(4x4, 3x3), whose factors up to 8
leave 16-bit patches two digits.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.input_map import InputMap
from desktop.compute.nn.kernels.matrix import (
    IntegerDetail,
    Products,
    bias_constant,
    dtype_of_weights,
    estimate_convolution,
    estimate_items,
    feed_of,
    items_share,
    multiply_items,
    rows_between,
    source_numbers,
    takes_half,
)
from desktop.compute.nn.kernels.shares import Shared
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.plan import BYTES, NHWC, Operand
from desktop.compute.nn.lowering.workgroups import ceil_div, spread

_ITEMS: Final = 16
_OF_WEIGHTS: Final = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], np.float32)
"""The paper's G."""

_TRANSFORM_US: Final = 3.2
_BYTES_A_US: Final = 3_000_000
"""Cost of a transform on an H100: a fixed time and bytes per microsecond."""
_BOTH_ENDS: Final = 1.25
"""Bytes that a transform reads and writes over those of the patches, or sums: a quarter of as many pixels."""
_WORTH: Final = 0.92
_FEW: Final = 48
"""Patches that fill no tile: what they are estimated to take is not reliable, and half the gain is required.
"""
_MOST_MEMORY: Final = 96 << 20
"""Bytes of patches, and of sums."""
_QUARTER: Final = 0.25
"""Sums of four 16-bit pixels are stored as means, which cannot overflow; weights are four times as large."""


def pays(lowering: Lowering, convolution: Convolution, shared: Shared | None) -> bool:
    """Return True if it is estimated to be faster than the product as it stands or in `shared` depth."""
    target, x, result, window = lowering.target, convolution.x, convolution.result, convolution.window
    own = window.kernel == (3, 3) and window.strides == window.dilations == (1, 1) and not window.is_volume
    exact = convolution.node.detail(IntegerDetail) is not None
    if not own or target.is_software or x.layout != NHWC or exact:
        return False
    dtype = dtype_of_weights(lowering, convolution.node)
    patches, sums = _sizes(convolution, dtype)
    if max(patches, sums) > min(_MOST_MEMORY, target.max_binding):
        return False
    feed = feed_of(lowering, convolution, result.blocks)
    tiles = _tiles(convolution)
    products = estimate_items(tiles, result.blocks, x.blocks, items_share(target, _ITEMS), feed is not None)
    transforms = 2 * _TRANSFORM_US + (patches + sums) * _BOTH_ENDS / _BYTES_A_US
    otherwise = estimate_convolution(convolution, target, feed) if shared is None else shared.microseconds
    if products + transforms > otherwise * (_WORTH if tiles >= _FEW else _WORTH / 2):
        return False
    return dtype == "float32" or bool(
        np.abs(convolution.weights).max(initial=0) * 9 < np.finfo(np.float16).max
    )


def _tiles(convolution: Convolution) -> int:
    height, width = convolution.window.output
    return convolution.result.batch * ceil_div(height, 2) * ceil_div(width, 2)


def _sizes(convolution: Convolution, dtype: str) -> tuple[int, int]:
    """Bytes of the patches and of the products' sums."""
    rows = _ITEMS * _tiles(convolution)
    return rows * convolution.x.blocks * 4 * BYTES[dtype], rows * convolution.result.blocks * 16


def convolve(lowering: Lowering, convolution: Convolution) -> None:
    """Add the dispatches of a convolution for which it `pays`."""
    node, x, result, window = convolution.node, convolution.x, convolution.result, convolution.window
    dtype = dtype_of_weights(lowering, node)
    half = takes_half(node, x, dtype)
    tiles = _tiles(convolution)
    numbers = {
        **window.numbers(),
        **source_numbers(node, window),
        "TILES_H": ceil_div(window.output[0], 2),
        "TILES_W": ceil_div(window.output[1], 2),
        "TILES": tiles,
    }
    items = _ITEMS * tiles
    patches = rows_between(lowering, (items, x.blocks * 4), "float16" if half else "float32")
    sums = rows_between(lowering, (items, result.blocks * 4))
    _transform(lowering, node, x, patches, numbers, half)
    products = Products(_ITEMS, tiles, half, dtype, "winograd")
    multiply_items(
        lowering, node, patches, sums, _packed(lowering, convolution.weights, dtype, half), products
    )
    width, rows = spread(tiles * result.blocks)
    lowering.dispatch(
        Launch(
            node.name,
            Kernel(
                "winograd_output",
                numbers | {"BLOCKS": result.blocks, "WIDTH": width * 64},
                own_indices=True,
            ),
            {"x": sums},
            result,
            (width, rows, 1),
            arrays={"bias": bias_constant(lowering, convolution.bias, convolution.weights.shape[0])},
            epilogue=node.epilogue,
        )
    )


def _transform(
    lowering: Lowering, node: Node, x: Operand, patches: Operand, numbers: dict[str, int], half: bool
) -> None:
    width, rows = spread(numbers["TILES"] * x.blocks)
    mapped = node.detail(InputMap)
    lowering.dispatch(
        Launch(
            node.name,
            Kernel(
                "winograd_input",
                numbers | {"BLOCKS": x.blocks, "WIDTH": width * 64},
                floats={"SCALE": _QUARTER if half else 1.0},
                code="" if mapped is None else mapped.code(),
                own_indices=True,
            ),
            {"x": x},
            patches,
            (width, rows, 1),
        )
    )


def _packed(lowering: Lowering, weights: np.ndarray, dtype: str, half: bool) -> int:
    """The storage of the transformed weights: (item, C padded to 4, M padded to 4)."""
    m, c = weights.shape[:2]

    def fill(packed: np.ndarray) -> None:
        of_both = np.kron(_OF_WEIGHTS, _OF_WEIGHTS) / (_QUARTER if half else 1.0)
        # One output channel at a time: float32 weights of all of them would be four times the packed ones.
        for channel in range(m):
            own = weights[channel].reshape(c, 9).astype(np.float32)
            packed[:, :c, channel] = of_both.astype(np.float32) @ own.T

    return lowering.memory.filled((_ITEMS, ceil_div(c, 4) * 4, ceil_div(m, 4) * 4), dtype, fill)


__all__ = ["convolve", "pays"]
