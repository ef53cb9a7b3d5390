"""The way to compute a convolution that is estimated to take the least time."""

from __future__ import annotations

from desktop.compute.nn.kernels import byte_matrix, columns, matrix, one_row, shares, winograd
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.normalization import normalize_after
from desktop.compute.nn.lowering.lowering import Lowering


def convolve(lowering: Lowering, convolution: Convolution) -> None:
    """Add the dispatches of the kernels that suit best, and of the normalization of rows, if any."""
    on_bytes = byte_matrix.choose(lowering, convolution)
    if on_bytes is not None:
        byte_matrix.convolve(lowering, convolution, on_bytes)
    elif one_row.pays(lowering, convolution):
        one_row.convolve(lowering, convolution)
    elif columns.pays(lowering, convolution):
        columns.convolve(lowering, convolution)
    else:
        convolution = matrix.rounded(lowering, convolution)
        shared = shares.choose(lowering, convolution)
        if winograd.pays(lowering, convolution, shared):
            winograd.convolve(lowering, convolution)
        elif shared is not None:
            shares.convolve(lowering, convolution, shared)
            return  # they normalize besides
        else:
            matrix.convolve(lowering, convolution)
    normalize_after(lowering, convolution.node)
