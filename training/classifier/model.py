"""The classifier: a small network of the project's own for the 1,000 ImageNet classes.

Inverted residuals (Sandler et al. 2018) with 5x5 depthwise filters and hard swish (Howard et al. 2019), but
few and wide: at a batch of 1 a GPU's time is mostly the number of dispatches. The first stages, where an
inverted residual would be three dispatches over the largest pictures, are dense 3x3 convolutions.
Squeeze-and-excite was left out: it adds four dispatches a block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor, nn

CLASSES: Final = 1000
SIZE: Final = 192
"""Side of the input picture in pixels: with the same multiply-adds, more channels at 192 train faster than
fewer at 224.
"""


@dataclass(frozen=True)
class Block:
    """An inverted residual: 1x1 to `wide`, depthwise 5x5 with `stride`, 1x1 to `out`; the input is added
    where the shapes agree.
    """

    wide: int
    out: int
    stride: int = 1


@dataclass(frozen=True)
class Design:
    """Channels of each part. `fused`: a dense 3x3 of stride 2 to the first number, 1x1 to the second."""

    stem: int
    second: int
    fused: tuple[int, int]
    blocks: tuple[Block, ...]
    head: int

    @property
    def maps(self) -> tuple[int, ...]:
        """Channels of `Classifier.features`."""
        channels = [self.fused[1], *(block.out for block in self.blocks)]
        ends = [i for i, block in enumerate(self.blocks) if block.stride == 2]
        return (*(channels[i] for i in ends), channels[-1])


TRUNK: Final = Design(
    stem=16,
    second=40,
    fused=(96, 64),
    blocks=(
        Block(160, 64),
        Block(256, 128, stride=2),
        Block(384, 128),
        Block(384, 128),
        Block(384, 128),
        Block(512, 224, stride=2),
        Block(768, 224),
    ),
    head=1024,
)
"""Trunk of the detector and of the first classifiers."""
DESIGN: Final = replace(
    TRUNK,
    blocks=(
        Block(192, 64),
        Block(384, 128, stride=2),
        Block(576, 128),
        Block(576, 128),
        Block(576, 128),
        Block(768, 288, stride=2),
        Block(1152, 288),
    ),
    head=1280,
)
"""The classifier in the box: `TRUNK` with half as many hidden channels again, where pictures are small and a
dispatch's fixed cost outweighs its work, and a wider last map: from 224 channels the 320 of the teacher's
last map cannot be predicted. No more dispatches; 212 million multiply-adds.
"""
TINY: Final = Design(
    stem=8, second=12, fused=(16, 12), blocks=(Block(24, 16, 2), Block(32, 16), Block(32, 24, 2)), head=48
)
"""For tests: everything that the real one has, too small to learn much."""


def convolution(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """A convolution and its batch normalization, which export folds into one."""
    conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs))


class InvertedResidual(nn.Module):
    """One `Block`."""

    def __init__(self, inputs: int, block: Block) -> None:
        super().__init__()
        self.widen = convolution(inputs, block.wide, 1)
        self.depthwise = convolution(block.wide, block.wide, 5, block.stride, groups=block.wide)
        self.narrow = convolution(block.wide, block.out, 1)
        self.residual = block.stride == 1 and inputs == block.out
        if self.residual:
            nn.init.zeros_(self.narrow[1].weight)  # a block begins as the identity (Goyal et al. 2017)
        self.activation = nn.Hardswish()

    def forward(self, x: Tensor) -> Tensor:
        """(B, inputs, H, W) -> (B, out, H / stride, W / stride)."""
        y = self.activation(self.widen(x))
        y = self.narrow(self.activation(self.depthwise(y)))
        return x + y if self.residual else y


class Classifier(nn.Module):
    """(B, 3, H, W) R'G'B' in -1..1 -> (B, 1000) logits; H and W multiples of 32, made for 192."""

    def __init__(self, design: Design = DESIGN) -> None:
        super().__init__()
        self.design = design
        self.stem = nn.Sequential(convolution(3, design.stem, 3, 2), nn.Hardswish())
        self.second = nn.Sequential(convolution(design.stem, design.second, 3, 2), nn.Hardswish())
        wide, narrow = design.fused
        self.fused = nn.Sequential(
            convolution(design.second, wide, 3, 2), nn.Hardswish(), convolution(wide, narrow, 1)
        )
        blocks, channels = [], narrow
        for block in design.blocks:
            blocks.append(InvertedResidual(channels, block))
            channels = block.out
        self.blocks = nn.ModuleList(blocks)
        self.head = nn.Sequential(convolution(channels, design.head, 1), nn.Hardswish())
        self.classify = nn.Linear(design.head, CLASSES)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(
                    module.weight
                )  # by fan in: a depthwise weight has 25, not 25 a channel
        nn.init.normal_(self.classify.weight, std=0.01)
        nn.init.zeros_(self.classify.bias)

    def features(self, x: Tensor) -> list[Tensor]:
        """Return the maps at 1/8, 1/16 and 1/32 of the picture's size, each the last one of its size."""
        x = self.fused(self.second(self.stem(x)))
        maps = []
        for block, module in zip(self.design.blocks, self.blocks, strict=True):
            if block.stride == 2:
                maps.append(x)
            x = module(x)
        return [*maps, x]

    def classified(self, last: Tensor) -> Tensor:
        """Return the logits of the last map."""
        return self.classify(self.head(last).mean(dim=(2, 3)))

    def forward(self, x: Tensor) -> Tensor:
        """Return the logits."""
        return self.classified(self.features(x)[-1])


def multiply_adds(model: nn.Module, shape: tuple[int, ...]) -> int:
    """Return the multiply-adds of the convolutions and matrix products for an input of `shape`, counted while
    it runs.
    """
    total = 0

    def count(module: nn.Module, _: object, output: Tensor) -> None:
        nonlocal total
        weight = module.weight
        places = output[0, 0].numel() if weight.dim() == 4 else 1
        if isinstance(module, nn.ConvTranspose2d):  # a weight acts once for each input
            places //= module.stride[0] * module.stride[1]
        total += weight.numel() * places

    kinds = (nn.Conv2d, nn.ConvTranspose2d, nn.Linear)
    hooks = [m.register_forward_hook(count) for m in model.modules() if isinstance(m, kinds)]
    with torch.no_grad():
        model.eval()(torch.zeros(shape))
    for hook in hooks:
        hook.remove()
    return total
