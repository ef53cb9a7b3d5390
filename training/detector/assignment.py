"""True boxes as targets of cells.

A box is given to the cells whose answers fit it best, by score and overlap together (Feng et al. 2021,
"TOOD"), and their target is how well they fit. A box that nothing fits yet is given to the cells around its
middle in the grid of its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor

from training.common.people import CROWD, PERSON, Views
from training.detector.model import STRIDES

_CELLS: Final = 10
"""Cells that a box is given to, at most."""
_SHARP: Final = 4.0
"""Power of the overlap in how well a cell fits."""
_NEAR: Final = 0.3
"""Largest share of a cell's fit that its nearness to the middle of the box adds, in units of overlap (IoU)."""
_LEAST: Final = 0.05
"""A teacher's score below which it says that nothing is there."""
_SAME: Final = 0.4
"""Overlap with a true box from which a teacher's box is one of it."""


@dataclass(frozen=True)
class Cells:
    """The cells of all grids, (cells,) each: column, row and stride."""

    x: Tensor
    y: Tensor
    stride: Tensor


@dataclass(frozen=True)
class Assigned:
    """Targets of the cells. `scores`, `weights`: (B, cells). `boxes`: (B, cells, 4) corners in pixels."""

    scores: Tensor
    boxes: Tensor
    weights: Tensor


def cell_places(width: int, height: int, device: torch.device, strides: Sequence[int] = STRIDES) -> Cells:
    """Return the cells of the grids of a picture of this size."""
    parts = []
    for stride in strides:
        y, x = torch.meshgrid(
            torch.arange(height // stride, device=device),
            torch.arange(width // stride, device=device),
            indexing="ij",
        )
        parts.append(torch.stack([x.flatten(), y.flatten(), torch.full_like(x.flatten(), stride)]))
    x, y, stride = torch.cat(parts, 1).float()
    return Cells(x, y, stride)


def corners(raw: Tensor, cells: Cells) -> Tensor:
    """Return (B, cells, 4) corners in pixels of (B, 4, cells) raw boxes."""
    middle = torch.stack([(raw[:, 0] + cells.x) * cells.stride, (raw[:, 1] + cells.y) * cells.stride], -1)
    half = raw[:, 2:].clamp(max=6).exp().transpose(1, 2) * cells.stride[:, None] / 2
    return torch.cat([middle - half, middle + half], -1)


def overlaps(a: Tensor, b: Tensor) -> Tensor:
    """Return (B, M, N) intersections over unions of (B, M, 4) and (B, N, 4) corners."""
    low = torch.maximum(a[:, :, None, :2], b[:, None, :, :2])
    inside = (torch.minimum(a[:, :, None, 2:], b[:, None, :, 2:]) - low).clamp(min=0).prod(-1)
    first, second = (a[..., 2:] - a[..., :2]).prod(-1), (b[..., 2:] - b[..., :2]).prod(-1)
    return inside / (first[:, :, None] + second[:, None] - inside).clamp(min=1e-6)


def nearness(boxes: Tensor, cells: Cells) -> Tensor:
    """Return (B, M, cells) in 0..1: how near a cell is to the middle of a box (B, M, 4), 0 in grids that are
    not of the box's size.
    """
    size = boxes[..., 2:] - boxes[..., :2]
    middle = (boxes[..., 2:] + boxes[..., :2]) / 2
    at = torch.stack([(cells.x + 0.5) * cells.stride, (cells.y + 0.5) * cells.stride], -1)
    away = (at[None, None] - middle[:, :, None]).abs()
    reach = size[:, :, None] / 2 + cells.stride[:, None] / 2
    near = (1 - (away / reach).amax(-1)).clamp(min=0)
    wide = size.clamp(min=1).prod(-1).sqrt()[..., None] / cells.stride
    fits = (wide < 8) & ((wide > 1.5) | (cells.stride == STRIDES[0]))
    largest = (wide >= 8) & (cells.stride == STRIDES[-1])
    return torch.where(fits | largest, near, 0.0)


def assignment(logits: Tensor, raw: Tensor, views: Views, cells: Cells) -> Assigned:
    """Return the targets for (B, cells) logits and (B, 4, cells) boxes of persons in `views`.

    Views of which not every person is known have weights of 0, and so have the cells of a crowd that are no
    person's.
    """
    found = corners(raw.float(), cells)
    is_person = views.flags == PERSON
    shared = overlaps(views.boxes, found)
    near = nearness(views.boxes, cells)
    fit = torch.maximum(shared, _NEAR * near) * (near > 0) * is_person[..., None]
    metric = logits.float().sigmoid().sqrt()[:, None] * fit**_SHARP
    best, place = metric.topk(min(_CELLS, metric.shape[2]), 2)
    chosen = torch.zeros_like(metric).scatter_(2, place, (best > 1e-12).to(metric.dtype))
    # A cell of several boxes is that one's which it fits best.
    owned = fit * chosen
    share, owner = owned.max(1)
    mine = chosen * (torch.arange(metric.shape[1], device=metric.device)[None, :, None] == owner[:, None])
    top = (metric * mine).amax(2, keepdim=True).clamp(min=1e-12)
    reach = (fit * mine).amax(2, keepdim=True)
    scores = (metric * mine / top * reach).amax(1) * (share > 0)
    boxes = views.boxes.gather(1, owner[..., None].expand(-1, -1, 4))
    crowd = (views.flags == CROWD)[..., None] & (_inside(views.boxes, cells) > 0)
    unclear = crowd.any(1) & (scores == 0)
    weights = views.known[:, None].to(scores.dtype) * (~unclear)
    return Assigned(scores * weights, boxes, weights)


def _inside(boxes: Tensor, cells: Cells) -> Tensor:
    """(B, M, cells): whether a cell's middle is in a box."""
    x, y = (cells.x + 0.5) * cells.stride, (cells.y + 0.5) * cells.stride
    left, top, right, bottom = (boxes[..., n, None] for n in range(4))
    return (x >= left) & (x <= right) & (y >= top) & (y <= bottom)


def true_losses(logits: Tensor, raw: Tensor, assigned: Assigned, cells: Cells) -> dict[str, Tensor]:
    """Return the losses of (B, cells) logits and (B, 4, cells) boxes beside their targets, weighted as the
    teachers' are (detector/train.py).
    """
    probability = logits.detach().sigmoid()
    cross = F.binary_cross_entropy_with_logits(logits, assigned.scores, reduction="none")
    cross = cross * (assigned.scores - probability).abs().square() * assigned.weights
    amount = assigned.scores.sum().clamp(min=1.0)
    score = cross.sum() / amount
    away = 1 - _generalized_iou(corners(raw, cells), assigned.boxes)
    box = (away * assigned.scores).sum() / amount
    return {"loss": 4 * score + box, "score": score, "box": box}


def _generalized_iou(a: Tensor, b: Tensor) -> Tensor:
    inside = (torch.minimum(a[..., 2:], b[..., 2:]) - torch.maximum(a[..., :2], b[..., :2])).clamp(min=0)
    around = torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])
    both, hull = inside.prod(-1), around.prod(-1)
    union = (a[..., 2:] - a[..., :2]).prod(-1) + (b[..., 2:] - b[..., :2]).prod(-1) - both
    return both / (union + 1e-7) - (hull - union) / (hull + 1e-7)


def trusted(scores: Tensor, boxes: Tensor, views: Views, cells: Cells, doubt: float) -> Tensor:
    """Return (B, 2, cells) weights of the teachers' answers: 1 for faces, and for persons where not every
    person is known; else `doubt`, and 0 where a box that the teacher sees is none of the true ones, and within
    a true one that it has missed. A crowd counts as a true box: where the teacher sees a person that fits it, its
    answer has the weight `doubt`.
    """
    found = corners(boxes[:, 0].float(), cells)
    fits = (overlaps(views.boxes, found) > _SAME) & (views.flags > 0)[..., None]
    is_seen = scores[:, 0] >= _LEAST
    is_missed = (views.flags > 0) & ~(fits & is_seen[:, None]).any(2)
    in_missed = (_inside(views.boxes, cells) & is_missed[..., None]).any(1)
    right = (~is_seen | fits.any(1)) & ~in_missed
    weight = torch.where(views.known[:, None], doubt * right.to(scores.dtype), 1.0)
    return torch.stack([weight, torch.ones_like(weight)], 1)
