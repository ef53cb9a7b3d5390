"""Masks of pictures whose persons have boxes: teachers look at each person alone, enlarged.

On a whole picture of several small persons the teachers miss most of them; on a crop around each they find
what belongs to it, and outside the boxes nobody is. The larger of both teachers' answers counts: each misses
more than it adds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from training.common.onnx_torch import OnnxModule
from training.common.people import GRAY, NO_MASK, PERSON, TAUGHT_MASK, People, seen
from training.mask.teacher import SIDE

_LOGITS: Final = "logits/semantic/BiasAdd"
"""DeepLab's answer before its enlargement, (B, 21, 33, 33)."""
_PERSON_CLASS: Final = 15
"""Of PASCAL VOC's 21 classes."""
_MARGIN: Final = 0.2
"""Of a box's side, around it in its crop."""
_NARROWEST: Final = 0.6
"""Of a crop's longer side: a standing person's crop shows what is beside it."""
_SLACK: Final = 0.04
"""Of a box's side, by which a person may leave it."""
_AT_ONCE: Final = 64


class DeepLab(nn.Module):
    """DeepLab v3 on MobileNet v2, for PASCAL VOC's classes (TensorFlow's models, Apache-2.0): (B, 3, 256,
    256) R'G'B' in 0..1 -> (B, 1, 256, 256) probabilities of 'person'.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.network = OnnxModule(path, outputs=(_LOGITS,))

    @torch.no_grad()
    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        whole = F.interpolate(x, size=(257, 257), mode="bilinear", align_corners=False)
        logits = self.network((2 * whole - 1).permute(0, 2, 3, 1))[_LOGITS]
        share = logits.float().softmax(1)[:, _PERSON_CLASS, None]
        return F.interpolate(share, size=(SIDE, SIDE), mode="bilinear", align_corners=True)


def crop_places(boxes: Tensor) -> Tensor:
    """Return the places (N, 2, 3) of the crops around (N, 4) boxes, as `Pictures.boxes` has them."""
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    sides = (boxes[:, 2:] - boxes[:, :2]) * (1 + 2 * _MARGIN)
    half = torch.maximum(sides, _NARROWEST * sides.flip(1)) / 2
    zero = torch.zeros_like(half[:, 0])
    return torch.stack([half[:, 0], zero, middle[:, 0], zero, half[:, 1], middle[:, 1]], 1).reshape(-1, 2, 3)


def placed(masks: Tensor, at: Tensor, boxes: Tensor, height: int, width: int) -> Tensor:
    """Return (N, height, width): masks (N, 1, S, S) of crops put back to their places in a picture, 0 outside
    the boxes.
    """
    y, x = torch.meshgrid(
        torch.arange(height, device=at.device) + 0.5,
        torch.arange(width, device=at.device) + 0.5,
        indexing="ij",
    )
    across = (x - at[:, 0, 2, None, None]) / at[:, 0, 0, None, None]
    down = (y - at[:, 1, 2, None, None]) / at[:, 1, 1, None, None]
    back = F.grid_sample(masks, torch.stack([across, down], -1), mode="bilinear", align_corners=False)[:, 0]
    slack = _SLACK * (boxes[:, 2:] - boxes[:, :2])
    low, high = (boxes[:, :2] - slack)[..., None, None], (boxes[:, 2:] + slack)[..., None, None]
    inside = (x > low[:, 0]) & (x < high[:, 0]) & (y > low[:, 1]) & (y < high[:, 1])
    return back * inside


def unlabeled(people: People) -> Tensor:
    """Return (N,) bool: the pictures of which all boxes are known and no mask is."""
    return people.known & (people.mask_kind == NO_MASK) & (people.flags == PERSON).any(1)


@torch.no_grad()
def label(people: People, teachers: list[nn.Module], most: int | None = None) -> People:
    """Return the people with masks where all boxes are known and no mask was: at most `most` pictures."""
    wanted = unlabeled(people)
    kinds, masks, pictures = people.mask_kind.clone(), people.masks, people.pictures
    for number in torch.nonzero(wanted)[:most, 0].tolist():
        boxes = people.boxes[number][people.flags[number] == PERSON]
        at = crop_places(boxes)
        made = torch.zeros(masks.shape[1:], device=masks.device)
        for part, mine in zip(at.split(_AT_ONCE), boxes.split(_AT_ONCE), strict=True):
            canvas = pictures.canvas[number][None].expand(len(part), -1, -1, -1)
            sizes = pictures.sizes[number][None].expand(len(part), -1)
            crops = seen(canvas, sizes, part, (SIDE, SIDE), GRAY)
            answers = [teacher(crops) for teacher in teachers]
            best = torch.stack(answers).amax(0)
            made = torch.maximum(made, placed(best, part, mine, *made.shape).amax(0))
        masks[number] = (made * 255).round().to(torch.uint8)
        kinds[number] = TAUGHT_MASK
    return People(pictures, people.boxes, people.flags, people.known, masks, kinds)
