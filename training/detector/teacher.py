"""The detector's teachers: YOLOX-nano for persons, YuNet for faces, both with one box in each cell of grids of
stride 8, 16 and 32; and NanoDet-Plus, which labels pictures before a training (prelabel.py).

The student has the grids of the former, so that it learns cell by cell what they answer to the same view, and nothing
has to be assigned.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from desktop.base.errors import ModelUnsupportedError
from training.common.onnx_torch import OnnxModule
from training.detector.assignment import cell_places

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
_PLUS_STRIDES: Final = (8, 16, 32, 64)
_PLUS_CLASSES: Final = 80
_PLUS_BINS: Final = 8
_PLUS_MEAN: Final = (103.53, 116.28, 123.675)
_PLUS_DEVIATION: Final = (57.375, 57.12, 58.395)
"""NanoDet-Plus's grids, columns and normalization of B'G'R' in 0..255."""


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


class NanoDet(nn.Module):
    """NanoDet-Plus of COCO: (B, 3, S, S) R'G'B' in 0..1, S the side that its file declares -> scores (B, cells) and corners
    (B, cells, 4) of persons in pixels.

    The file is what tools/export_onnx.py of RangiLyu/nanodet writes: one output (1, cells, 112) of 80 scores and four
    distributions over 8 distances, on grids of stride 8, 16, 32 and 64.

    Raises:
        ModelUnsupportedError: another export, or one that is not square.
    """

    def __init__(self, path: Path, dtype: torch.dtype) -> None:
        super().__init__()
        self.dtype, self.file, self.network = dtype, path.name, OnnxModule(path, dtype=dtype)
        self.side = self.network.input_shape[-1]
        self._require(0 < self.side == self.network.input_shape[-2])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores and corners; see the class."""
        mean, deviation = (x.new_tensor(values)[:, None, None] for values in (_PLUS_MEAN, _PLUS_DEVIATION))
        given = ((255 * x.flip(1) - mean) / deviation).to(self.dtype)
        table, *others = self.network(given.contiguous(memory_format=torch.channels_last)).values()
        cells = cell_places(self.side, self.side, x.device, _PLUS_STRIDES)
        self._require(not others and table.shape[1:] == (len(cells.x), _PLUS_CLASSES + 4 * _PLUS_BINS))
        shares = table[..., _PLUS_CLASSES:].float().unflatten(2, (4, _PLUS_BINS)).softmax(3)
        away = (shares * torch.arange(_PLUS_BINS, device=x.device)).sum(3)
        place = torch.stack([cells.x, cells.y], 1)
        boxes = torch.cat([place - away[..., :2], place + away[..., 2:]], 2) * cells.stride[:, None]
        return table[..., 0].float(), boxes

    def _require(self, fits: bool) -> None:
        if not fits:
            raise ModelUnsupportedError(
                f"{self.file} is no square NanoDet-Plus of COCO with one output; write it with its tools/export_onnx.py."
            )


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

    def __init__(self, persons: Persons, faces: Faces) -> None:
        super().__init__()
        self.persons, self.faces = persons, faces

    @torch.no_grad()
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Return scores, boxes and maps; see the class."""
        scores, boxes, maps = self.persons(x)
        face_scores, face_boxes = self.faces(x)
        return torch.stack([scores, face_scores], 1), torch.stack([boxes, face_boxes], 1), maps
