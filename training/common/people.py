"""Pictures of people with what is known of them: boxes, masks, or neither.

A pack of `training.pack people` has, beside its pictures, `boxes` (rows of picture, left, top, right, bottom
in pixels, and `PERSON` or `CROWD`), `known` (uint8 for each picture: 1 where every person has a box),
`mask_data`, `mask_ends` (image files end to end, none of length 0) and `mask_kind` (uint8 for each picture:
`NO_MASK`, `TRUE_MASK`, `TAUGHT_MASK`). A pack without them is one of pictures of which nothing is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from desktop.base.errors import SourceDamagedError
from training.common.data import Augment, Pictures, read_packs

PERSON: Final = 1
CROWD: Final = 2
"""A place where persons may be or not: no true box is learned there, neither a person nor the background."""
NO_MASK: Final = 0
TRUE_MASK: Final = 1
TAUGHT_MASK: Final = 2
"""Kinds of masks: a teacher's are wrong in places, but nearly right outside the boxes."""
GRAY: Final = 114 / 255
"""Color around a letterboxed image, of R'G'B' in 0..1, as in the program."""
_LEAST_SEEN: Final = 0.35
"""Share of a box that a view must show for it to count as a person; less is a `CROWD`."""
_LEAST_SIDE: Final = 3.0
"""Of a box in a view, in pixels; smaller ones are a `CROWD`."""


@dataclass(frozen=True)
class People:
    """Pictures with their boxes and masks, on one device.

    `boxes`: (N, M, 4) float32 corners in pixels. `flags`: (N, M) uint8: 0 no box, else `PERSON` or `CROWD`.
    `known`: (N,) bool. `masks`: (N, H, W) uint8. `mask_kind`: (N,) uint8.
    """

    pictures: Pictures
    boxes: Tensor
    flags: Tensor
    known: Tensor
    masks: Tensor
    mask_kind: Tensor

    def __len__(self) -> int:
        """The number of pictures."""
        return len(self.pictures)


@dataclass(frozen=True)
class Views:
    """Views of pictures of people.

    `pixels`: (B, 3, H, W) float32 in 0..1. `boxes`: (B, M, 4) corners in pixels of the view. `flags`: (B, M).
    `known`: (B,) bool.
    """

    pixels: Tensor
    boxes: Tensor
    flags: Tensor
    known: Tensor


@dataclass(frozen=True)
class _Truths:
    """What one pack knows of its pictures of one part."""

    boxes: list[np.ndarray]
    known: np.ndarray
    masks: list[np.ndarray | None]
    kinds: np.ndarray


def read_people(
    paths: Sequence[Path], part: int, device: torch.device, most: int | None = None, masks: bool = False
) -> People:
    """Decode one part of several packs, at most `most` pictures of each; masks only where they are wanted.

    Raises:
        SourceNotFoundError: a pack is missing, or has no pictures of this part.
        SourceDamagedError: a picture or mask cannot be decoded.
    """
    pictures = read_packs(paths, part, device, most)
    found = [_truths(path, part, most, masks) for path in paths]
    rows = [row for truths in found for row in truths.boxes]
    longest = max(1, max(len(row) for row in rows))
    boxes = np.zeros((len(rows), longest, 4), np.float32)
    flags = np.zeros((len(rows), longest), np.uint8)
    for number, row in enumerate(rows):
        boxes[number, : len(row)] = row[:, :4]
        flags[number, : len(row)] = row[:, 4]
    height, width = pictures.canvas.shape[2:] if masks else (1, 1)
    maps = np.zeros((len(rows), height, width), np.uint8)
    for number, mask in enumerate(mask for truths in found for mask in truths.masks):
        if mask is not None:
            maps[number, : mask.shape[0], : mask.shape[1]] = mask
    return People(
        pictures,
        torch.from_numpy(boxes).to(device),
        torch.from_numpy(flags).to(device),
        torch.from_numpy(np.concatenate([truths.known for truths in found])).to(device),
        torch.from_numpy(maps).to(device),
        torch.from_numpy(np.concatenate([truths.kinds for truths in found])).to(device),
    )


def _truths(path: Path, part: int, most: int | None, masks: bool) -> _Truths:
    pack = np.load(path)
    wanted = np.flatnonzero(pack["part"] == part)[:most]
    if "known" not in pack:
        empty = np.zeros((0, 5), np.float32)
        count = len(wanted)
        return _Truths([empty] * count, np.zeros(count, bool), [None] * count, np.zeros(count, np.uint8))
    rows = pack["boxes"].reshape(-1, 6)
    boxes = [rows[rows[:, 0] == number, 1:] for number in wanted]
    kinds = pack["mask_kind"][wanted]
    if not masks:
        return _Truths(boxes, pack["known"][wanted] > 0, [None] * len(wanted), kinds)
    data, ends = pack["mask_data"], pack["mask_ends"]

    def decoded(number: int) -> np.ndarray | None:
        first = int(ends[number - 1]) if number else 0
        if first == int(ends[number]):
            return None
        mask = cv2.imdecode(data[first : int(ends[number])], cv2.IMREAD_GRAYSCALE)
        if mask is None:
            raise SourceDamagedError(f"{path}: mask {number} cannot be decoded; make the pack again.")
        return mask

    with ThreadPoolExecutor() as pool:
        found = list(pool.map(decoded, wanted))
    return _Truths(boxes, pack["known"][wanted] > 0, found, kinds)


def places(
    sizes: Tensor, shape: tuple[int, int], augment: Augment, farther: float, generator: torch.Generator
) -> Tensor:
    """Return the places of random views of (height, width) `shape`, (B, 2, 3) as `Pictures.boxes` does.

    A share `farther` of the views show the whole picture, from some distance: gray is around it.
    """
    device, count = sizes.device, len(sizes)
    u = torch.rand(count, 8, generator=generator, device=device)
    height, width = sizes[:, 0], sizes[:, 1]
    aspect = shape[1] / shape[0]
    whole = u[:, 6] < farther
    stretch = torch.exp((2 * u[:, 1] - 1) * math.log(augment.ratio))
    stretch = torch.where(whole, stretch.sqrt(), stretch)
    area = (augment.scale[0] + (augment.scale[1] - augment.scale[0]) * u[:, 0]) * height * width
    w, h = (area * aspect * stretch).sqrt(), (area / (aspect * stretch)).sqrt()
    inside = torch.minimum(width / w, height / h).clamp(max=1)  # keeps the aspect ratio
    w, h = w * inside, h * inside
    around = torch.maximum(height * (aspect * stretch).sqrt(), width / (aspect * stretch).sqrt())
    around = around * (1 + 0.8 * u[:, 7] ** 2)
    w = torch.where(whole, around * (aspect * stretch).sqrt(), w)
    h = torch.where(whole, around / (aspect * stretch).sqrt(), h)
    x = w / 2 + u[:, 2] * (width - w)
    y = h / 2 + u[:, 3] * (height - h)
    mirror = torch.where(u[:, 4] < 0.5, -1.0, 1.0)
    angle = (2 * u[:, 5] - 1) * math.radians(augment.turn)
    cos, sin = angle.cos(), angle.sin()
    rows = [w / 2 * cos * mirror, -h / 2 * sin, x, w / 2 * sin * mirror, h / 2 * cos, y]
    return torch.stack(rows, 1).reshape(-1, 2, 3)


def seen(canvas: Tensor, sizes: Tensor, at: Tensor, shape: tuple[int, int], around: float) -> Tensor:
    """Return (B, C, height, width) float32 in 0..1: views at `at` of (B, C, H, W) uint8 pictures whose
    (height, width) are `sizes`; `around` is what lies outside a picture.

    They are read at twice their size and 2x2 averaged, as `data.sampled` does.
    """
    height, width = canvas.shape[2:]
    down = (torch.arange(2 * shape[0], device=canvas.device) + 0.5) / shape[0] - 1
    across = (torch.arange(2 * shape[1], device=canvas.device) + 0.5) / shape[1] - 1
    y, x = torch.meshgrid(down, across, indexing="ij")
    a, b, middle = (at[:, None, None, :, i] for i in range(3))
    point = x[..., None] * a + y[..., None] * b + middle
    limits = sizes.flip(1)[:, None, None, :]
    outside = ((point < 0) | (point > limits)).any(-1)
    point = torch.maximum(torch.minimum(point, limits - 0.5), torch.full_like(limits, 0.5))
    grid = point * point.new_tensor([2 / width, 2 / height]) - 1
    read = F.grid_sample(canvas.float().div_(255), grid, mode="bilinear", align_corners=False)
    return F.avg_pool2d(torch.where(outside[:, None], around, read), 2)


def moved(boxes: Tensor, flags: Tensor, at: Tensor, shape: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """Return (B, M, 4) boxes and (B, M) flags of pictures in views at `at`, clipped to the views."""
    matrix, middle = at[:, None, :, :2], at[:, None, :, 2]
    low, high = boxes[..., :2], boxes[..., 2:]
    center, half = (low + high) / 2, (high - low) / 2
    inverse = torch.linalg.inv_ex(matrix.float()).inverse  # without a wait for the device
    scale = boxes.new_tensor([shape[1] / 2, shape[0] / 2])
    center = ((inverse @ (center - middle)[..., None])[..., 0] + 1) * scale
    # Of an ellipse in the box, as a person is nearer to than to its corners: less growth by turning.
    half = ((inverse * half[..., None, :]).square().sum(-1).sqrt()) * scale
    full = torch.cat([center - half, center + half], -1)
    most = boxes.new_tensor([shape[1], shape[0], shape[1], shape[0]])
    clipped = torch.minimum(full.clamp(min=0), most)
    sides = clipped[..., 2:] - clipped[..., :2]
    share = sides.prod(-1) / (full[..., 2:] - full[..., :2]).prod(-1).clamp(min=1e-6)
    small = (share < _LEAST_SEEN) | (sides.amin(-1) < _LEAST_SIDE)
    shown = (flags > 0) & (sides.amin(-1) > 0.5)
    kept = torch.where(small, torch.full_like(flags, CROWD), flags)
    return clipped, torch.where(shown, kept, torch.zeros_like(flags))


def people_views(
    people: People,
    index: Tensor,
    shape: tuple[int, int],
    augment: Augment,
    farther: float,
    generator: torch.Generator,
) -> Views:
    """Return random views of pictures with their boxes."""
    pictures = people.pictures
    sizes = pictures.sizes[index]
    at = places(sizes, shape, augment, farther, generator)
    pixels = seen(pictures.canvas[index], sizes, at, shape, GRAY)
    boxes, flags = moved(people.boxes[index], people.flags[index], at, shape)
    return Views(pixels, boxes, flags, people.known[index])


def tiled(views: Views) -> Views:
    """Return mosaics of four views each, of twice their size (Bochkovskiy et al. 2020)."""
    count, (height, width) = len(views.pixels) // 4, views.pixels.shape[2:]
    quarters = views.pixels.reshape(count, 2, 2, 3, height, width)
    pixels = quarters.permute(0, 3, 1, 4, 2, 5).reshape(count, 3, 2 * height, 2 * width)
    corners = [[x, y, x, y] for y in (0, height) for x in (0, width)]
    boxes = views.boxes.reshape(count, 4, -1, 4) + views.boxes.new_tensor(corners)[None, :, None]
    known = views.known.reshape(count, 4)
    flags = views.flags.reshape(count, 4, -1)
    # A mosaic of which one part is unknown is not known.
    return Views(pixels, boxes.flatten(1, 2), flags.flatten(1, 2), known.all(1))


def overlaid(views: Views, share: float, generator: torch.Generator) -> Views:
    """Return the views, a share of them with a rectangle of the view before (CutMix: Yun et al. 2019), and with the
    visible parts of the boxes of both.
    """
    count, _, height, width = views.pixels.shape
    u = torch.rand(count, 5, generator=generator, device=views.pixels.device)
    size = views.boxes.new_tensor([width, height])
    half, middle = (0.25 + 0.5 * u[:, :2]) / 2 * size, u[:, 2:4] * size
    low = (middle - half).clamp(min=0).round()
    high = torch.minimum(middle + half, size).round()
    has = u[:, 4] < share
    high = torch.where(has[:, None], high, low)
    across = torch.arange(width, device=u.device)
    down = torch.arange(height, device=u.device)
    in_x = (across >= low[:, :1]) & (across < high[:, :1])
    in_y = (down >= low[:, 1:]) & (down < high[:, 1:])
    inside = (in_y[:, :, None] & in_x[:, None, :])[:, None]
    below, below_flags = _covered(views.boxes, views.flags, low[:, None], high[:, None])
    above, above_flags = _clipped(views.boxes.roll(1, 0), views.flags.roll(1, 0), low[:, None], high[:, None])
    return Views(
        torch.where(inside, views.pixels.roll(1, 0), views.pixels),
        torch.cat([below, above], 1),
        torch.cat([below_flags, above_flags], 1),
        views.known & (views.known.roll(1, 0) | ~has),
    )


def _clipped(boxes: Tensor, flags: Tensor, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
    """The boxes (B, M, 4) within rectangles from `low` to `high` (B, 1, 2), and their flags there."""
    first = torch.minimum(torch.maximum(boxes[..., :2], low), high)
    last = torch.minimum(torch.maximum(boxes[..., 2:], low), high)
    return _seen_boxes(boxes, torch.cat([first, last], -1), (last - first).prod(-1), flags)


def _covered(boxes: Tensor, flags: Tensor, low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
    """The boxes (B, M, 4) behind rectangles from `low` to `high` (B, 1, 2), smaller where one covers a side, and their flags."""
    first, last = boxes[..., :2], boxes[..., 2:]
    hidden = (torch.minimum(last, high) - torch.maximum(first, low)).clamp(min=0).prod(-1)
    spans = ((low <= first) & (high >= last)).flip(-1)  # the other axis is covered from end to end
    start = torch.where(spans & (low <= first), torch.maximum(first, torch.minimum(high, last)), first)
    end = torch.where(spans & (high >= last), torch.minimum(last, torch.maximum(low, start)), last)
    visible = (last - first).prod(-1) - hidden
    return _seen_boxes(boxes, torch.cat([start, end], -1), visible, flags)


def _seen_boxes(full: Tensor, shown: Tensor, area: Tensor, flags: Tensor) -> tuple[Tensor, Tensor]:
    """The visible parts of boxes, of an area each, and their flags: a person of whom little is seen is a `CROWD`."""
    share = area / (full[..., 2:] - full[..., :2]).prod(-1).clamp(min=1e-6)
    sides = (shown[..., 2:] - shown[..., :2]).amin(-1)
    small = (share < _LEAST_SEEN) | (sides < _LEAST_SIDE)
    kept = torch.where(small, torch.full_like(flags, CROWD), flags)
    is_seen = (flags > 0) & (share > 0.02) & (sides > 0.5)
    return shown, torch.where(is_seen, kept, torch.zeros_like(flags))


def fewer(views: Views, most: int) -> Views:
    """Return the views with room for `most` boxes each: the largest ones."""
    area = (views.boxes[..., 2:] - views.boxes[..., :2]).prod(-1)
    area = torch.where(views.flags > 0, area, -1.0)
    missing = most - area.shape[1]
    if missing > 0:
        return Views(
            views.pixels,
            F.pad(views.boxes, (0, 0, 0, missing)),
            F.pad(views.flags, (0, missing)),
            views.known,
        )
    place = area.topk(most, 1).indices
    boxes = views.boxes.gather(1, place[..., None].expand(-1, -1, 4))
    return Views(views.pixels, boxes, views.flags.gather(1, place), views.known)


def joined(a: Views, b: Views) -> Views:
    """Return the views of both."""
    return Views(
        torch.cat([a.pixels, b.pixels]),
        torch.cat([a.boxes, b.boxes]),
        torch.cat([a.flags, b.flags]),
        torch.cat([a.known, b.known]),
    )
