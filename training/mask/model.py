"""The person mask: a small U-shaped network of the project's own.

Dense 3x3 convolutions down to 1/8 of the picture's size, inverted residuals (Sandler et al.
2018) with 5x5 depthwise filters below, and a decoder that adds the encoder's maps after bilinear enlargement
(Ronneberger et al. 2015, with sums for concatenations: a third of the traffic). A third of its teacher's
dispatches. No global pooling: the network is fully convolutional.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Design:
    """Channels of each part.

    Attributes:
        half: at 1/2 of the picture's size.
        quarter: at 1/4.
        fused_hidden: hidden channels of the dense convolution that leads to 1/8.
        eighth: at 1/8.
        eighth_hidden: hidden channels of each inverted residual at 1/8.
        sixteenth: at 1/16.
        sixteenth_hidden: hidden channels of each inverted residual at 1/16, the first of which leads there.
        decoder: at 1/8, 1/4 and 1/2 on the way back.
    """

    half: int
    quarter: int
    fused_hidden: int
    eighth: int
    eighth_hidden: tuple[int, ...]
    sixteenth: int
    sixteenth_hidden: tuple[int, ...]
    decoder: tuple[int, int, int]


DESIGN: Final = Design(16, 40, 96, 64, (192,), 128, (320, 512, 512, 512), (64, 24, 16))
"""The bundled network's. Down to 1/16 it is the detector's trunk, so that training can begin with its weights."""
TINY: Final = Design(9, 10, 12, 12, (36,), 16, (48,), (12, 10, 9))
"""For tests: everything that the real one has, too small to learn much."""


class Fused(nn.Module):
    """A dense 3x3 convolution of stride 2, and 1x1 to the map's channels."""

    def __init__(self, inputs: int, wide: int, outputs: int) -> None:
        super().__init__()
        self.widen = convolution(inputs, wide, 3, 2)
        self.narrow = convolution(wide, outputs, 1)
        self.activation = nn.Hardswish()

    def forward(self, x: Tensor) -> Tensor:
        """(B, inputs, H, W) -> (B, outputs, H / 2, W / 2)."""
        return self.narrow(self.activation(self.widen(x)))


class PersonMask(nn.Module):
    """(B, 3, H, W) R'G'B' in 0..1, H and W multiples of 16 -> (B, 1, H, W) logits of 'person'."""

    def __init__(self, design: Design = DESIGN) -> None:
        super().__init__()
        self.design = d = design
        self.stem = nn.Sequential(convolution(3, d.half, 3, 2), nn.Hardswish())
        self.second = nn.Sequential(convolution(d.half, d.quarter, 3, 2), nn.Hardswish())
        self.third = nn.Sequential(
            Fused(d.quarter, d.fused_hidden, d.eighth),
            *(InvertedResidual(d.eighth, Block(wide, d.eighth)) for wide in d.eighth_hidden),
        )
        self.fourth = nn.Sequential(
            InvertedResidual(d.eighth, Block(d.sixteenth_hidden[0], d.sixteenth, 2)),
            *(InvertedResidual(d.sixteenth, Block(wide, d.sixteenth)) for wide in d.sixteenth_hidden[1:]),
        )
        at8, at4, at2 = d.decoder
        self.rise3 = Rise(d.sixteenth, d.eighth, at8, 5)
        self.rise2 = Rise(at8, d.quarter, at4, 5)
        self.rise1 = Rise(at4, d.half, at2, 3)
        self.last = nn.ConvTranspose2d(at2, 1, 2, 2)
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
    """Return one for tests."""
    return PersonMask(TINY)


def working_size(height: int, width: int, longer: int = LONGER, multiple: int = MULTIPLE) -> tuple[int, int]:
    """Return the (height, width), multiples of `multiple`, of a picture's reduction for this network."""
    ratio = longer / max(height, width)

    def reduced(side: int) -> int:
        return max(multiple, round(side * ratio / multiple) * multiple)

    return reduced(height), reduced(width)


def stretched(x: Tensor, size: tuple[int, int]) -> Tensor:
    """Return (B, C, H, W) resized to `size`, antialiased."""
    return F.interpolate(x, size=size, mode="bilinear", antialias=True, align_corners=False)


def mask_of(network: nn.Module, pictures: Tensor, size: tuple[int, int]) -> Tensor:
    """Return (B, 1, 256, 256) probabilities for (B, 3, 256, 256) pictures that were stretched to a square,
    computed at `size`.
    """
    logits = network(stretched(pictures, size)).float()
    return torch.sigmoid(F.interpolate(logits, size=pictures.shape[2:], mode="bilinear", align_corners=False))
