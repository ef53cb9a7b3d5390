"""A transposed convolution as a convolution that computes the phases of its result.

Outputs o with the same remainder r = o mod stride, a phase, are a convolution by the taps r, r + stride, ...
The phases are channels of one product. Vaidyanathan, "Multirate Systems and Filter Banks", 1993; Shi et al.,
"Is the deconvolution layer the same as a convolutional layer?", 2016.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.convolution import Convolution
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.plan import Operand, Phased
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div

_MOST_WASTE: Final = 2.3
"""Computed over needed products: 1.8 for 3x3 with stride 2, but 5 to 10 times as fast as gathering."""
_MOST_WASTE_OF_SOFTWARE: Final = 1.3
"""llvmpipe took 0.26 to 0.9 of the time where nothing is wasted, and 1.6 times as long for that 3x3 kernel.
"""


@dataclass(frozen=True)
class PhaseAxis:
    """One axis of a transposed convolution.

    Attributes:
        cut: outputs before the first one that is kept.
        size, output: elements of the input and of the result.
    """

    kernel: int
    stride: int
    cut: int
    size: int
    output: int

    @property
    def window(self) -> int:
        """Taps of a phase."""
        return ceil_div(self.kernel, self.stride)

    @property
    def first(self) -> int:
        """First computed row of the product: the first kept one, or an earlier one without padding."""
        return min(self.cut // self.stride, self.window - 1)

    @property
    def count(self) -> int:
        """The product's rows."""
        return ceil_div(self.output + self.cut, self.stride) - self.first

    @property
    def before(self) -> int:
        """Zeros before the input."""
        return self.window - 1 - self.first

    @property
    def after(self) -> int:
        """Zeros behind the input; less than nothing where its last elements reach no output."""
        return self.count + self.first - self.size

    @property
    def taps(self) -> np.ndarray:
        """(stride, window): the tap of a phase at a place of the window; `kernel` where there is none."""
        places = self.stride * np.arange(self.window)[::-1] + np.arange(self.stride)[:, None]
        return np.minimum(places, self.kernel)


_MOST_PHASES: Final = 1024
"""FCN-32s has as many. Far more would be more workgroups side by side than adapters take in a row."""


def pays(rows: PhaseAxis, columns: PhaseAxis, target: Target) -> bool:
    """True where few enough products are by zeros."""
    if rows.stride * columns.stride > _MOST_PHASES:
        return False
    most = _MOST_WASTE_OF_SOFTWARE if target.is_software else _MOST_WASTE
    return math.prod(each.stride * each.window / each.kernel for each in (rows, columns)) <= most


def convolution_of(
    node: Node,
    x: Operand,
    result: Operand,
    axes: tuple[PhaseAxis, PhaseAxis],
    weights: np.ndarray,
    bias: np.ndarray | None,
) -> Convolution:
    """Return the convolution that computes `result` of rows and columns `axes`.

    `weights`: (C, M, kernel of the rows, kernel of the columns); `bias`: (M,).
    """
    rows, columns = axes
    phases, padded = rows.stride * columns.stride, result.blocks * 4
    window = SlidingWindow(
        (rows.window, columns.window),
        (1, 1),
        (1, 1),
        (rows.before, columns.before),
        (rows.after, columns.after),
        (rows.size, columns.size),
        (rows.count, columns.count),
    )
    phased = Phased(
        result.storage,
        (result.batch, phases * padded, rows.count, columns.count),
        result.dtype,
        result.layout,
        result.stride,
        result.start,
        whole=result,
        steps=(rows.stride, columns.stride),
        cut=(rows.cut - rows.stride * rows.first, columns.cut - columns.stride * columns.first),
    )
    biases = None if bias is None else np.tile(_padded(bias, 0, padded), phases)
    return Convolution(node, x, phased, window, _of_phases(weights, rows, columns, padded), biases)


def _of_phases(weights: np.ndarray, rows: PhaseAxis, columns: PhaseAxis, padded: int) -> np.ndarray:
    """Return weights (phases x `padded` channels, C, 1, window), with zeros where a phase has no tap."""
    with_none = np.pad(weights, ((0, 0), (0, 0), (0, 1), (0, 1)))
    taken = with_none[:, :, rows.taps[:, None, :, None], columns.taps[None, :, None, :]]
    of_phases = _padded(taken, 1, padded).transpose(2, 3, 1, 0, 4, 5)
    return of_phases.reshape(-1, weights.shape[0], 1, rows.window, columns.window)


def _padded(array: np.ndarray, axis: int, count: int) -> np.ndarray:
    """With zeros behind along an axis."""
    missing = [(0, 0)] * array.ndim
    missing[axis] = (0, count - array.shape[axis])
    return np.pad(array, missing)


__all__ = ["PhaseAxis", "convolution_of", "pays"]
