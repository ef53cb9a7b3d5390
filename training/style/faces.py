"""Faces in training views, so that a style keeps them.

YuNet (BSD, by its OpenMMLab header) is read from the shared folder; no weight of it comes into a style.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.common.onnx_torch import OnnxModule

_LOGITS: Final = (("297", "309"), ("299", "311"), ("301", "313"))
"""Logits of "face" and of there being anything, on grids of stride 8, 16 and 32."""
_STRIDES: Final = (8, 16, 32)


class Faces(nn.Module):
    """Weights of pixels that show a face, in 0..1: N x 1 x H x W for RGB pictures N x 3 x H x W in 0..1, H and W
    multiples of 32.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.network = OnnxModule(path, outputs=[name for pair in _LOGITS for name in pair])

    @torch.no_grad()
    def forward(self, image: Tensor) -> Tensor:
        """A cell's score spreads over the face that it stands for: about three of its strides in either direction."""
        found = self.network(image.flip(1) * 255)
        total = image.new_zeros(len(image), 1, *image.shape[2:])
        for stride, (face, any_object) in zip(_STRIDES, _LOGITS, strict=True):
            score = (found[face].sigmoid() * found[any_object].sigmoid()).sqrt()
            grid = score.reshape(len(image), 1, image.shape[2] // stride, image.shape[3] // stride)
            spread = F.max_pool2d((grid - 0.3).clamp(min=0) / 0.5, 3, 1, 1)
            larger = F.interpolate(spread, size=image.shape[2:], mode="bilinear", align_corners=False)
            total = torch.maximum(total, larger)
        return total.clamp(max=1)
