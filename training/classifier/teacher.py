"""The classifier's teacher, MobileNetV2 1.0 (224), and its inner maps that the student learns to predict."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from training.common.onnx_torch import OnnxModule

SIZE: Final = 224
LOGITS: Final = "reshape_277"
MAPS: Final = {"add_93": 32, "add_203": 96, "conv_265": 320}
"""The last linear maps at 1/8, 1/16 and 1/32 of the picture's size, with their channels. The third is the
bottleneck through which all that the teacher knows of a picture goes.
"""


class Teacher(nn.Module):
    """MobileNetV2 of TensorFlow's models: R'G'B' in -1..1, 1,001 classes of which the first is 'background'."""

    def __init__(self, path: Path, dtype: torch.dtype) -> None:
        super().__init__()
        self.dtype = dtype
        self.network = OnnxModule(path, outputs=(LOGITS, *MAPS), dtype=dtype)

    @torch.no_grad()
    def forward(self, x: Tensor) -> tuple[Tensor, list[Tensor]]:
        """(B, 3, H, W) in -1..1 -> (logits (B, 1000) float32 without the background class, maps)."""
        return self.answers(x)

    def answers(self, x: Tensor) -> tuple[Tensor, list[Tensor]]:
        """The same, differentiable in the picture."""
        values = self.network(x.to(self.dtype))
        return values[LOGITS][:, 1:].float(), [values[name] for name in MAPS]
