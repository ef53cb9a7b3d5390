"""A product of one row by many weights, as in a classifier's last layer: bound by reading the weights once.

They are stored as (columns, depth), so that the threads of a workgroup read whole cache lines.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.matrix import IntegerDetail, bias_constant, dtype_of_weights
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.workgroups import ceil_div

_LEAST_WEIGHTS: Final = 1 << 17
"""Numbers: with fewer a product waits for its dispatch."""
_THREADS: Final = 64
_UNROLL: Final = 8
_FEW: Final = 8


def pays(lowering: Lowering, convolution: Convolution) -> bool:
    """True for a single row and many weights, but for a software adapter, which has no lines to wait for."""
    c = convolution
    exact = c.node.detail(IntegerDetail) is not None
    one = c.result.pixels == 1 and c.is_pointwise and not exact
    return one and c.weights.size >= _LEAST_WEIGHTS and not lowering.target.is_software


def convolve(lowering: Lowering, convolution: Convolution) -> None:
    """Add the dispatch."""
    c = convolution
    _, blocks, depth = c.extent
    slices = next(n for n in (_THREADS, 32, 16, 8) if depth >= n or n == 8)
    rounds = ceil_div(depth, slices)
    unroll = next((n for n in range(_UNROLL, 1, -1) if depth % (slices * n) == 0), min(rounds, _UNROLL))
    numbers = {
        "OUT_BLOCKS": blocks,
        "DEPTH": depth,
        "SLICES": slices,
        "BLOCKS": _THREADS // slices,
        "UNROLL": unroll,
        "FEW": _FEW,
        "OTHERS": _FEW - 1,
        "OTHER_SUMS": slices // _FEW - 1,
        "EVEN": int(depth % (slices * unroll) == 0),
    }
    weights = _packed(lowering, c.weights, blocks, depth, dtype_of_weights(lowering, c.node))
    lowering.dispatch(
        Launch(
            c.node.name,
            Kernel("one_row", numbers, own_indices=True),
            {"x": c.x},
            c.result,
            (ceil_div(blocks, _THREADS // slices), 1, 1),
            arrays={"weights": weights, "bias": bias_constant(lowering, c.bias, c.weights.shape[0])},
            epilogue=c.node.epilogue,
        )
    )


def _packed(lowering: Lowering, weights: np.ndarray, blocks: int, depth: int, dtype: str) -> tuple[int, str]:
    """Storage and WGSL element type of weights (M, C, 1...) as (M padded to 4, C padded to 4)."""
    m, c = weights.shape[:2]

    def fill(padded: np.ndarray) -> None:
        padded[:m, :c] = weights.reshape(m, c)

    storage = lowering.memory.filled((blocks * 4, depth * 4), dtype, fill)
    return storage, "vec4<f16>" if dtype == "float16" else "vec4<f32>"


__all__ = ["convolve", "pays"]
