"""The person mask: a small U-shaped network of the project's own.

Dense 3x3 convolutions where the picture is large and channels are few, inverted residuals (Sandler et al.
2018) with 5x5 depthwise filters below, and a decoder that adds the encoder's maps after bilinear enlargement
(Ronneberger et al. 2015, with sums for concatenations: a third of the traffic). A third of its teacher's
dispatches. No global pooling: the network is fully convolutional.
"""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from training.classifier.model import Block, InvertedResidual, convolution

MULTIPLE: Final = 16
LONGER: Final = 256
"""Longer side in pixels of the pictures that it is made for."""


class Rise(nn.Module):
    """From a map and the encoder's map of twice its size to the next: reduce, enlarge, add, filter."""

    def __init__(self, inputs: int, skip: int, outputs: int, kernel: int) -> None:
        super().__init__()
        self.reduce = convolution(inputs, skip, 1)
        self.filter = convolution(skip, skip, kernel, groups=skip)
        self.mix = convolution(skip, outputs, 1)
        self.activation = nn.Hardswish()

    def forward(self, x: Tensor, skip: Tensor) -> Tensor:
        """(B, inputs, H, W), (B, skip, 2 H, 2 W) -> (B, outputs, 2 H, 2 W)."""
        y = F.interpolate(self.reduce(x), scale_factor=2, mode="bilinear", align_corners=False) + skip
        return self.activation(self.mix(self.activation(self.filter(y))))


class PersonMask(nn.Module):
    """(B, 3, H, W) R'G'B' in 0..1, H and W multiples of 16 -> (B, 1, H, W) logits of 'person'.

    Args:
        wide: channels at 1/2, 1/4, 1/8 and 1/16 of the picture's size.
        deep: inverted residuals at 1/16.
    """

    def __init__(self, wide: tuple[int, int, int, int] = (16, 24, 56, 112), deep: int = 4) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth = wide
        self.wide, self.deep = wide, deep
        self.stem = nn.Sequential(convolution(3, half, 3, 2), nn.Hardswish())
        self.second = nn.Sequential(convolution(half, quarter, 3, 2), nn.Hardswish())
        self.third = nn.Sequential(
            InvertedResidual(quarter, Block(3 * quarter, eighth, 2)),
            InvertedResidual(eighth, Block(3 * eighth, eighth)),
        )
        last = [InvertedResidual(sixteenth, Block(3 * sixteenth, sixteenth)) for _ in range(deep - 1)]
        self.fourth = nn.Sequential(InvertedResidual(eighth, Block(4 * eighth, sixteenth, 2)), *last)
        self.rise3 = Rise(sixteenth, eighth, eighth, 5)
        self.rise2 = Rise(eighth, quarter, quarter, 5)
        self.rise1 = Rise(quarter, half, half, 3)
        self.last = nn.ConvTranspose2d(half, 1, 2, 2)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight)

    def forward(self, x: Tensor) -> Tensor:
        """Return the logits."""
        half = self.stem(2 * x - 1)
        quarter = self.second(half)
        eighth = self.third(quarter)
        y = self.rise3(self.fourth(eighth), eighth)
        return self.last(self.rise1(self.rise2(y, quarter), half))


def tiny() -> PersonMask:
    """Return one for tests: everything that the real one has, too small to learn much."""
    return PersonMask((9, 10, 12, 16), deep=1)


def working_size(height: int, width: int, longer: int = LONGER) -> tuple[int, int]:
    """Return the (height, width), multiples of 16, of a picture's reduction for this network."""
    ratio = longer / max(height, width)
    return tuple(max(MULTIPLE, round(n * ratio / MULTIPLE) * MULTIPLE) for n in (height, width))  # type: ignore[return-value]


def stretched(x: Tensor, size: tuple[int, int]) -> Tensor:
    """Return (B, C, H, W) resized to `size`, antialiased."""
    return F.interpolate(x, size=size, mode="bilinear", antialias=True, align_corners=False)


def mask_of(network: nn.Module, pictures: Tensor, size: tuple[int, int]) -> Tensor:
    """Return (B, 1, 256, 256) probabilities for (B, 3, 256, 256) pictures that were stretched to a square,
    computed at `size`.
    """
    logits = network(stretched(pictures, size)).float()
    return torch.sigmoid(F.interpolate(logits, size=pictures.shape[2:], mode="bilinear", align_corners=False))
