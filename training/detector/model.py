"""The detector: a small network of the project's own that finds persons and faces.

The trunk that the classifier had, so that the classifier's weights were where it began, two enlargements that
carry what the coarse maps know to the fine ones (Lin et al. 2017), and one head for each of three grids.
Boxes and scores come out raw, as the last convolutions give them (docs/model-cards/detector.md): a dispatch
that turned them into pixels would work on thousands of cells of which some ten count. A person and a face
have a box each in every cell: in a portrait both have the same middle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import torch.nn.functional as F
from torch import Tensor, nn

from training.classifier.model import (
    TINY,
    Block,
    Classifier,
    Design,
    InvertedResidual,
    convolution,
)
from training.classifier.model import (
    TRUNK as NARROW,
)

TRUNK: Final = replace(
    NARROW,
    blocks=(
        Block(192, 64),
        Block(320, 128, stride=2),
        Block(512, 128),
        Block(512, 128),
        Block(512, 128),
        Block(640, 224, stride=2),
        Block(960, 224),
    ),
)
"""A quarter to a third more hidden channels than the first classifiers' trunk, and no more dispatches."""
KINDS: Final = ("person", "face")
STRIDES: Final = (8, 16, 32)
WIDTH: Final = 416
HEIGHT: Final = 320
"""Of the picture in pixels, when it is used: 4:3 and 16:9 fill most of it. It is trained on squares; no layer
asks for a size.
"""
COLUMNS: Final = 5 * len(KINDS)
"""Of a cell: x, y, log width, log height of a person's box, as YOLOX has them, the same of a face's, and both
scores as logits.
"""
_RARE: Final = -4.6
"""The logit of 0.01, where scores begin (Lin et al. 2017, "Focal loss"): nearly every cell shows neither."""


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


class GridHead(nn.Module):
    """From a map to the `COLUMNS` of its cells."""

    def __init__(self, inputs: int, wide: int) -> None:
        super().__init__()
        self.filter = convolution(inputs, inputs, 5, groups=inputs)
        self.mix = convolution(inputs, wide, 1)
        self.last = nn.Conv2d(wide, COLUMNS, 1)
        self.activation = nn.Hardswish()
        nn.init.normal_(self.last.weight, std=0.01)
        assert self.last.bias is not None
        nn.init.zeros_(self.last.bias)
        nn.init.constant_(self.last.bias[4 * len(KINDS) :], _RARE)

    def forward(self, x: Tensor) -> Tensor:
        """(B, inputs, H, W) -> (B, COLUMNS, H, W)."""
        return self.last(self.activation(self.mix(self.activation(self.filter(x)))))


class Detector(nn.Module):
    """(B, 3, H, W) R'G'B' in -1..1, H and W multiples of 32 -> the grids of stride 8, 16 and 32, (B, COLUMNS,
    H / stride, W / stride).

    Args:
        design: of the trunk.
        wide: channels in the heads.
    """

    def __init__(self, design: Design = TRUNK, wide: int = 128) -> None:
        super().__init__()
        trunk = Classifier(design)
        del trunk.head, trunk.classify
        self.trunk = trunk
        eighth, sixteenth, last = design.maps
        self.widest = InvertedResidual(last, Block(2 * last, last))
        self.rise2 = Rise(last, sixteenth, sixteenth, 5)
        self.rise1 = Rise(sixteenth, eighth, eighth, 5)
        self.heads = nn.ModuleList(GridHead(n, wide) for n in design.maps)
        self.maps = design.maps
        for module in (*self.rise1.modules(), *self.rise2.modules()):
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight)

    def features(self, x: Tensor) -> list[Tensor]:
        """Return the maps that the heads read, at 1/8, 1/16 and 1/32 of the picture's size."""
        fine, middle, coarse = self.trunk.features(x)
        coarse = self.widest(coarse)
        middle = self.rise2(coarse, middle)
        return [self.rise1(middle, fine), middle, coarse]

    def grids(self, maps: list[Tensor]) -> list[Tensor]:
        """Return the grids of `features`."""
        return [head(x) for head, x in zip(self.heads, maps, strict=True)]

    def forward(self, x: Tensor) -> list[Tensor]:
        """Return the grids."""
        return self.grids(self.features(x))


def tiny() -> Detector:
    """Return one for tests: everything that the real one has, too small to learn much."""
    return Detector(TINY, 12)
