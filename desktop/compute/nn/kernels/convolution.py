"""A convolution with one group and constant weights; a product is one with a window of 1x1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.input_map import InputMap
from desktop.compute.nn.kernels.window import SlidingWindow
from desktop.compute.nn.lowering.plan import Operand


@dataclass(frozen=True)
class Convolution:
    """A convolution of `x` by a window, whose last dispatch applies the epilogue of `node`.

    Attributes:
        x, result: channels last, except images of up to four channels.
        weights: (M, C, taps...).
        bias: (M,).
    """

    node: Node
    x: Operand
    result: Operand
    window: SlidingWindow
    weights: np.ndarray
    bias: np.ndarray | None = None

    @property
    def extent(self) -> tuple[int, int, int]:
        """Rows, vec4s of columns and vec4s of depth of the product that it is."""
        return self.result.pixels, self.result.blocks, self.window.taps * self.x.blocks

    @property
    def is_mapped(self) -> bool:
        """True where pixels are found by the functions of the node's `InputMap`."""
        return self.node.detail(InputMap) is not None

    @property
    def is_pointwise(self) -> bool:
        """True where a row of `x` is a row of the product."""
        return self.window.is_pointwise and not self.is_mapped
