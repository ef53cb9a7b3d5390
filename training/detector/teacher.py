"""The detector's teachers: YOLOX-nano or the large detector for persons, YuNet for faces, all with one box in
each cell of grids of stride 8, 16 and 32.

The student has the same grids, so that it learns cell by cell what they answer to the same view, and nothing
has to be assigned.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from training.common.onnx_torch import OnnxModule
from training.detector.large import LargeDetector
from training.detector.model import KINDS

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


class Persons(nn.Module):
    """YOLOX-nano: (B, 3, H, W) R'G'B' in 0..1, H and W multiples of 32 -> scores (B, cells) and boxes (B, 4, cells) of
    persons, and `MAPS`' values.
    """

    channels = tuple(MAPS.values())

    def __init__(self, path: Path, dtype: torch.dtype) -> None:
        super().__init__()
        self.dtype = dtype
        self.network = OnnxModule(path, outputs=(*GRIDS, *MAPS), dtype=dtype)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Return scores, boxes and maps; see the class."""
        answers = self.network(_as_opencv(x, self.dtype))
        table = torch.cat([answers[name].float().flatten(2) for name in GRIDS], 2)
        return table[:, 4] * table[:, 5], table[:, :4], [answers[name] for name in MAPS]


class LargePersons(nn.Module):
    """The large detector, which sees the mirror image too: the same outputs as those of `Persons`."""

    def __init__(self, network: LargeDetector, dtype: torch.dtype) -> None:
        super().__init__()
        self.dtype = dtype
        self.channels = network.maps
        self.network = network.to(dtype)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Return scores, boxes and maps; see `Persons`."""
        seen = (2 * x - 1).to(self.dtype).contiguous(memory_format=torch.channels_last)
        maps = self.network.features(seen)
        first = torch.cat([_persons(grid).flatten(2) for grid in self.network.grids(maps)], 2)
        second = torch.cat([_mirrored(_persons(grid)).flatten(2) for grid in self.network(seen.flip(3))], 2)
        scores = torch.stack([first[:, 4], second[:, 4]])
        share = scores / scores.sum(0).clamp(min=1e-6)
        boxes = first[:, :4] * share[0][:, None] + second[:, :4] * share[1][:, None]
        return scores.mean(0), boxes, maps


def _persons(grid: Tensor) -> Tensor:
    """(B, 5, H, W): boxes of persons and their scores in 0..1."""
    place = KINDS.index("person")
    boxes, scores = grid[:, 4 * place : 4 * place + 4], grid[:, 4 * len(KINDS) + place, None]
    return torch.cat([boxes.float(), scores.float().sigmoid()], 1)


def _mirrored(boxes: Tensor) -> Tensor:
    """Move what `_persons` returns for the mirror image to its places in the picture itself."""
    back = boxes.flip(3)
    return torch.cat([1 - back[:, :1], back[:, 1:]], 1)


class Faces(nn.Module):
    """YuNet: (B, 3, H, W) R'G'B' in 0..1, H and W multiples of 32 -> scores (B, cells) and boxes (B, 4, cells) of faces."""

    def __init__(self, path: Path, dtype: torch.dtype) -> None:
        super().__init__()
        self.dtype = dtype
        names = [name for pair in _FACE_SCORES for name in pair]
        self.network = OnnxModule(path, outputs=(*names, *_FACE_BOXES), dtype=dtype)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores and boxes; see the class."""
        answers = self.network(_as_opencv(x, self.dtype))
        scores = [
            (answers[p].float().sigmoid() * answers[q].float().sigmoid()).sqrt().flatten(1)
            for p, q in _FACE_SCORES
        ]
        boxes = [answers[name].float().flatten(2) for name in _FACE_BOXES]
        return torch.cat(scores, 1), torch.cat(boxes, 2)


def _as_opencv(x: Tensor, dtype: torch.dtype) -> Tensor:
    """B'G'R' in 0..255, as both networks of OpenCV's zoo take it."""
    return (255 * x.flip(1)).to(dtype).contiguous(memory_format=torch.channels_last)


class Teachers(nn.Module):
    """(B, 3, H, W) R'G'B' in 0..1, H and W multiples of 32 -> scores (B, 2, cells) in 0..1 of a person and of a face,
    boxes (B, 2, 4, cells) as in `model.COLUMNS`, and the maps that the heads of the persons' teacher read. The
    cells are those of the three grids one after the other, row by row.
    """

    def __init__(self, persons: Persons | LargePersons, faces: Faces) -> None:
        super().__init__()
        self.persons, self.faces = persons, faces

    @torch.no_grad()
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Return scores, boxes and maps; see the class."""
        scores, boxes, maps = self.persons(x)
        face_scores, face_boxes = self.faces(x)
        return torch.stack([scores, face_scores], 1), torch.stack([boxes, face_boxes], 1), maps
