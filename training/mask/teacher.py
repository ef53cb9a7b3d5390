"""The mask's teacher: what it takes, and how much of a picture it finds to be a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import onnxruntime
import torch
from torch import Tensor, nn

from training.common.onnx_torch import OnnxModule

SIDE: Final = 256
"""The teacher's input: (1, 256, 256, 3) float32 R'G'B' in 0..1, stretched; its output (1, 256, 256, 1) is the
person's share.
"""


def coverage(path: Path) -> Callable[[np.ndarray], float]:
    """Return a function from a (height, width, 3) uint8 BGR picture to the share of it that the teacher takes
    for a person.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def share(pixels: np.ndarray) -> float:
        x = cv2.resize(pixels, (SIDE, SIDE), interpolation=cv2.INTER_AREA)[None, ..., ::-1]
        return float(session.run(None, {name: x.astype(np.float32) / 255})[0].mean())

    return share


class Teacher(nn.Module):
    """obs-backgroundremoval's selfie segmentation (MediaPipe's): R'G'B' in 0..1, stretched to 256x256."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.network = OnnxModule(path)

    @torch.no_grad()
    def forward(self, x: Tensor) -> Tensor:
        """(B, 3, 256, 256) in 0..1 -> (B, 1, 256, 256) probabilities."""
        (mask,) = self.network(x.permute(0, 2, 3, 1)).values()
        return mask.reshape(len(x), 1, SIDE, SIDE).float()
