"""The detector's teachers: YOLOX-nano for persons, YuNet for faces, both with one box in each cell of grids
of stride 8, 16 and 32.

The student has the same grids, so that it learns cell by cell what they answer to the same view, and nothing
has to be assigned.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from training.common.onnx_torch import OnnxModule

PERSONS: Final = Path("../shared/models/detect/yolox_nano_zoo.onnx")
FACES: Final = Path("../shared/models/face/yunet_n_dynamic.onnx")
GRIDS: Final = ("1066", "1108", "1150")
"""YOLOX-nano's grids: box, objectness and the scores of COCO's 80 classes, of which the first is 'person'."""
MAPS: Final = {"956": 64, "990": 128, "1024": 256}
"""The maps that its heads read, with their channels: all that it knows of a picture, also of the other 79
classes.
"""
_FACE_SCORES: Final = (("297", "309"), ("299", "311"), ("301", "313"))
_FACE_BOXES: Final = ("303", "305", "307")
"""YuNet's logits of 'face' and of there being anything, and its boxes."""


@dataclass(frozen=True)
class Answer:
    """Outputs of the teachers for a batch, the cells of the three grids one after the other, row by row.

    `scores`: (B, 2, cells) in 0..1, of a person and of a face. `boxes`: (B, 2, 4, cells), as in
    `model.COLUMNS`. `maps`: `MAPS`' values.
    """

    scores: Tensor
    boxes: Tensor
    maps: list[Tensor]


class Teachers(nn.Module):
    """(B, 3, H, W) R'G'B' in 0..1, H and W multiples of 32 -> (scores, boxes, maps), see `Answer`."""

    def __init__(self, persons: Path, faces: Path, dtype: torch.dtype) -> None:
        super().__init__()
        self.dtype = dtype
        self.persons = OnnxModule(persons, outputs=(*GRIDS, *MAPS), dtype=dtype)
        names = [name for pair in _FACE_SCORES for name in pair]
        self.faces = OnnxModule(faces, outputs=(*names, *_FACE_BOXES), dtype=dtype)

    @torch.no_grad()
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Return what `Answer` holds (a tuple, because it is compiled)."""
        seen = (255 * x.flip(1)).to(self.dtype).contiguous(memory_format=torch.channels_last)
        a, b = self.persons(seen), self.faces(seen)
        table = torch.cat([a[name].float().flatten(2) for name in GRIDS], 2)
        person = table[:, 4] * table[:, 5]
        face = torch.cat(
            [(b[p].float().sigmoid() * b[q].float().sigmoid()).sqrt().flatten(1) for p, q in _FACE_SCORES], 1
        )
        face_boxes = torch.cat([b[name].float().flatten(2) for name in _FACE_BOXES], 2)
        scores = torch.stack([person, face], 1)
        boxes = torch.stack([table[:, :4], face_boxes], 1)
        return scores, boxes, [a[name] for name in MAPS]


def answer(teachers: nn.Module, x: Tensor) -> Answer:
    """Return the teachers' answer to (B, 3, H, W) R'G'B' in 0..1."""
    return Answer(*teachers(x))
