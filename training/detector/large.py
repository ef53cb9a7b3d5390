"""A large detector, which teaches the small one.

The encoder is EfficientNet-Lite2's, as that of the mask's teacher (mask/large.py), with dense convolutions
on the sums of its maps. Its grids are the small one's, so that its answers to a view are targets of the
small one's cells.
"""

from __future__ import annotations

from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from desktop.base.errors import SourceDamagedError
from training.common import checkpoint
from training.detector.model import raw_columns
from training.mask.large import TINY, Encoder


def _dense(inputs: int, outputs: int) -> nn.Sequential:
    conv = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU())


class LargeDetector(nn.Module):
    """(B, 3, H, W) R'G'B' in -1..1, H and W multiples of 32 -> the grids of `model.Detector`.

    Args:
        encoder: gives the maps at 1/2 to 1/32 of the picture's size.
        wide: channels of the maps that the heads read.
    """

    def __init__(self, encoder: Encoder, wide: int = 128) -> None:
        super().__init__()
        self.encoder = encoder
        scales = encoder.channels[-3:]
        self.lateral = nn.ModuleList(nn.Conv2d(channels, wide, 1) for channels in scales)
        self.mix = nn.ModuleList(nn.Sequential(_dense(wide, wide), _dense(wide, wide)) for _ in scales)
        self.heads = nn.ModuleList(
            nn.Sequential(_dense(wide, wide), _dense(wide, wide), raw_columns(wide)) for _ in scales
        )
        self.maps = (wide,) * len(scales)

    def features(self, x: Tensor) -> list[Tensor]:
        """Return the maps that the heads read, at 1/8, 1/16 and 1/32 of the picture's size."""
        fine, middle, coarse = (
            lateral(x) for lateral, x in zip(self.lateral, self.encoder(x)[-3:], strict=True)
        )
        coarse = self.mix[2](coarse)
        middle = self.mix[1](middle + F.interpolate(coarse, scale_factor=2, mode="bilinear"))
        fine = self.mix[0](fine + F.interpolate(middle, scale_factor=2, mode="bilinear"))
        return [fine, middle, coarse]

    def grids(self, maps: list[Tensor]) -> list[Tensor]:
        """Return the grids of `features`."""
        return [head(x) for head, x in zip(self.heads, maps, strict=True)]

    def forward(self, x: Tensor) -> list[Tensor]:
        """Return the grids."""
        return self.grids(self.features(x))


def large(is_tiny: bool = False) -> LargeDetector:
    """Return one with random weights; a tiny one, for tests, has every part and is too small to learn much."""
    return LargeDetector(Encoder(TINY.stages), 16) if is_tiny else LargeDetector(Encoder())


def trained(path: Path, device: torch.device, is_tiny: bool = False) -> LargeDetector:
    """Return the averaged network of a checkpoint, in eval mode.

    Raises:
        SourceNotFoundError: no file there.
        SourceDamagedError: not a checkpoint of the large detector.
    """
    network = large(is_tiny)
    try:
        network.load_state_dict(checkpoint.load(path, device)["average"])
    except (KeyError, RuntimeError) as error:
        raise SourceDamagedError(
            f"{path} is no checkpoint of the large detector; make one with 'training.detector.train --large'."
        ) from error
    return network.to(device, memory_format=torch.channels_last).eval().requires_grad_(False)
