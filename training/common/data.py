"""Pictures that live in GPU memory, and random views of them made there.

A pack is an .npz of `data` (uint8, all WebP files end to end: a third less than JPEG), `ends` (int64, where
each one ends), `names` (str) and `part` (uint8: 0 training, 1 held back, 2 left out). It is decoded once into one uint8
tensor; every view is cut, turned, colored and mixed by batched operations, with no Python a picture and no
copy from the host. Random numbers come from the generator that is passed in, so that a resumed training sees
the views that it would have seen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from desktop.base.errors import SourceDamagedError, SourceNotFoundError

TRAIN: Final = 0
HELD: Final = 1
LEFT_OUT: Final = 2
"""The parts of a pack; what is left out is neither trained nor measured."""


@dataclass(frozen=True)
class Augment:
    """Differences between views and their pictures.

    `scale`: a view's share of its picture's area. `ratio`: bound r of its aspect ratio, which is drawn from
    aspect/r..aspect*r in the logarithm; the view is then stretched to the size asked for. `turn`: largest
    rotation in degrees. `light`, `contrast`, `saturation`: largest relative change. `hue`: largest rotation
    of the color circle in radians. `gray`: share of views without color. `soften`: largest share of a blurred
    copy that is added or, to sharpen, taken away. `cutmix`, `mixup`: shares of the views that get a rectangle
    of, or are averaged with, another one.
    """

    scale: tuple[float, float] = (0.08, 1.0)
    ratio: float = 4 / 3
    aspect: float = 1.0
    turn: float = 15.0
    light: float = 0.3
    contrast: float = 0.3
    saturation: float = 0.4
    hue: float = 0.3
    gray: float = 0.05
    soften: float = 0.8
    cutmix: float = 0.45
    mixup: float = 0.25


class Pictures:
    """A pack's pictures of one part on one device.

    `canvas`: (N, 3, H, W) uint8 R'G'B', each picture in the upper left corner. `sizes`: (N, 2) float32,
    height and width in pixels. `labels`: (N,) int64, the ImageNet class index in the name, -1 where there is
    none.
    """

    def __init__(self, canvas: Tensor, sizes: Tensor, names: list[str]) -> None:
        self.canvas, self.sizes, self.names = canvas, sizes, names
        self.device = canvas.device
        self.labels = torch.tensor([label_of(name) for name in names], device=self.device)

    @classmethod
    def stacked(cls, pictures: list[np.ndarray], names: list[str], device: torch.device) -> Pictures:
        """Return the pictures of (height, width, 3) uint8 RGB arrays."""
        height = max(p.shape[0] for p in pictures)
        width = max(p.shape[1] for p in pictures)
        canvas = np.zeros((len(pictures), height, width, 3), np.uint8)
        for place, picture in zip(canvas, pictures, strict=True):
            place[: picture.shape[0], : picture.shape[1]] = picture
        sizes = torch.tensor([p.shape[:2] for p in pictures], dtype=torch.float32, device=device)
        # Turned on the device: twenty thousand pictures take a processor half a minute.
        return cls(torch.from_numpy(canvas).to(device).permute(0, 3, 1, 2).contiguous(), sizes, names)

    def __len__(self) -> int:
        """The number of pictures."""
        return len(self.names)

    def chosen(self, count: int, generator: torch.Generator) -> Tensor:
        """Return `count` (int64) indices of pictures, drawn with replacement."""
        return torch.randint(len(self), (count,), generator=generator, device=self.device)

    def views(self, index: Tensor, size: int, augment: Augment, generator: torch.Generator) -> Tensor:
        """Return (B, 3, size, size) float32 in 0..1: a random crop of each picture, turned, perhaps mirrored."""
        return sampled(self.canvas, self.sizes, index, self.boxes(index, augment, generator), size)

    def centers(self, index: Tensor, size: int, fraction: float = 0.875) -> Tensor:
        """Return (B, 3, size, size) float32 in 0..1: the largest centered square, times `fraction`."""
        sizes = self.sizes[index]
        side = sizes.min(dim=1).values * fraction
        zero = torch.zeros_like(side)
        boxes = torch.stack([side / 2, zero, sizes[:, 1] / 2, zero, side / 2, sizes[:, 0] / 2], 1)
        return sampled(self.canvas, self.sizes, index, boxes.reshape(-1, 2, 3), size)

    def stretched(self, index: Tensor, size: int) -> Tensor:
        """Return (B, 3, size, size) float32 in 0..1: each whole picture, its aspect ratio ignored."""
        half = self.sizes[index] / 2
        zero = torch.zeros_like(half[:, 0])
        boxes = torch.stack([half[:, 1], zero, half[:, 1], zero, half[:, 0], half[:, 0]], 1)
        return sampled(self.canvas, self.sizes, index, boxes.reshape(-1, 2, 3), size)

    def boxes(self, index: Tensor, augment: Augment, generator: torch.Generator) -> Tensor:
        """Return the places of random views: (B, 2, 3) float32, from (-1..1, -1..1, 1) in a view to x, y in
        pixels of the canvas.
        """
        u = torch.rand(len(index), 6, generator=generator, device=self.device)
        sizes = self.sizes[index]
        height, width = sizes[:, 0], sizes[:, 1]
        area = (augment.scale[0] + (augment.scale[1] - augment.scale[0]) * u[:, 0]) * height * width
        ratio = augment.aspect * torch.exp((2 * u[:, 1] - 1) * math.log(augment.ratio))
        w = torch.minimum((area * ratio).sqrt(), width)
        h = torch.minimum((area / ratio).sqrt(), height)
        x = w / 2 + u[:, 2] * (width - w)
        y = h / 2 + u[:, 3] * (height - h)
        mirror = torch.where(u[:, 4] < 0.5, -1.0, 1.0)
        angle = (2 * u[:, 5] - 1) * math.radians(augment.turn)
        cos, sin = angle.cos(), angle.sin()
        rows = [w / 2 * cos * mirror, -h / 2 * sin, x, w / 2 * sin * mirror, h / 2 * cos, y]
        return torch.stack(rows, 1).reshape(-1, 2, 3)


def sampled(canvas: Tensor, sizes: Tensor, index: Tensor, boxes: Tensor, size: int) -> Tensor:
    """Return (B, 3, size, size) float32 in 0..1: the views of a `Pictures` at `boxes`.

    They are read at twice their size and 2x2 averaged: a bilinear read alone would alias where a view is
    reduced. A function of tensors alone, so that it compiles: line by line its passes over memory would be a
    fifth of a training step.
    """
    steps = (torch.arange(2 * size, device=canvas.device) + 0.5) / size - 1
    y, x = torch.meshgrid(steps, steps, indexing="ij")
    # Not a matrix product: TF32 would place the pixels to a third of one.
    across, down, middle = (boxes[:, None, None, :, i] for i in range(3))
    places = x[..., None] * across + y[..., None] * down + middle
    limits = sizes[index].flip(1)[:, None, None, :] - 0.5
    places = torch.maximum(torch.minimum(places, limits), torch.full_like(limits, 0.5))
    height, width = canvas.shape[2:]
    grid = places * places.new_tensor([2 / width, 2 / height]) - 1
    shown = canvas[index].float().div_(255)
    return F.avg_pool2d(F.grid_sample(shown, grid, mode="bilinear", align_corners=False), 2)


def label_of(name: str) -> int:
    """Return the ImageNet class index in a name such as `0357_n02442845_mink` or `imagenet_0357_n...`; -1
    where there is none.
    """
    found = re.match(r"(?:imagenet_)?(\d{4})_n\d{8}_", name)
    return int(found.group(1)) if found else -1


@dataclass(frozen=True)
class Picture:
    """One picture on its way into a pack: (height, width, 3) uint8 BGR."""

    name: str
    pixels: np.ndarray
    part: int = TRAIN


def write_pack(
    path: Path, pictures: Iterable[Picture], quality: int, more: Mapping[str, Any] | None = None
) -> int:
    """Write a pack, with further arrays, and return its size in bytes. `quality`: WebP's, 1 to 100.

    Raises:
        SourceNotFoundError: there are no pictures.
    """
    files, names, parts = [], [], []
    for picture in pictures:
        done, data = cv2.imencode(".webp", picture.pixels, [cv2.IMWRITE_WEBP_QUALITY, quality])
        if done:
            files.append(data.reshape(-1))
            names.append(picture.name)
            parts.append(picture.part)
    if not files:
        raise SourceNotFoundError(f"{path.name} would hold no pictures; give more of them, or fewer parts.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        np.savez(
            file,
            data=np.concatenate(files),
            ends=np.cumsum([len(data) for data in files]).astype(np.int64),
            names=np.array(names),
            part=np.array(parts, np.uint8),
            **(more or {}),
        )
    return path.stat().st_size


def read_pack(path: Path, part: int, device: torch.device, most: int | None = None) -> Pictures:
    """Decode one part (0 training, 1 held back) of a pack, at most `most` pictures of it.

    Raises:
        SourceNotFoundError: no pack there, or nothing of this part in it.
        SourceDamagedError: a picture in it cannot be decoded.
    """
    return read_packs([path], part, device, most)


def read_packs(paths: Sequence[Path], part: int, device: torch.device, most: int | None = None) -> Pictures:
    """Decode one part of several packs, at most `most` pictures of each; raises what `read_pack` does."""
    found = [_decoded(path, part, most) for path in paths]
    names = [name for of_one, _ in found for name in of_one]
    return Pictures.stacked([picture for _, of_one in found for picture in of_one], names, device)


def _decoded(path: Path, part: int, most: int | None) -> tuple[list[str], list[np.ndarray]]:
    if not path.exists():
        raise SourceNotFoundError(f"{path} is missing; make it with 'python -m training.pack'.")
    pack = np.load(path)
    wanted = np.flatnonzero(pack["part"] == part)[:most]
    if not len(wanted):
        raise SourceNotFoundError(
            f"{path} has no pictures of part {part}; make it again with 'python -m training.pack'."
        )
    data, ends, names = pack["data"], pack["ends"], [str(pack["names"][i]) for i in wanted]

    def decoded(i: int) -> np.ndarray:
        start = int(ends[i - 1]) if i else 0
        picture = cv2.imdecode(data[start : int(ends[i])], cv2.IMREAD_COLOR)
        if picture is None:
            raise SourceDamagedError(f"{path}: picture {i} cannot be decoded; make the pack again.")
        return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)

    with ThreadPoolExecutor() as pool:
        return names, list(pool.map(decoded, wanted))


def read_folder(folder: Path, device: torch.device, side: int = 256) -> Pictures:
    """Decode a folder's pictures, their shorter sides resized to `side` (area averaging).

    Raises:
        SourceNotFoundError: no pictures there.
    """
    files = sorted(path for path in folder.glob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not files:
        raise SourceNotFoundError(f"{folder} holds no JPEG or PNG pictures; name another folder.")
    pictures = []
    for file in files:
        picture = cv2.cvtColor(cv2.imread(str(file), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        ratio = side / min(picture.shape[:2])
        size = (round(picture.shape[1] * ratio), round(picture.shape[0] * ratio))
        pictures.append(
            cv2.resize(picture, size, interpolation=cv2.INTER_AREA if ratio < 1 else cv2.INTER_LINEAR)
        )
    return Pictures.stacked(pictures, [file.stem for file in files], device)


_LUMA = (0.299, 0.587, 0.114)  # ITU-R BT.601


def drawn(count: int, generator: torch.Generator) -> Tensor:
    """Return (B, 10) numbers in 0..1 for `augmented`."""
    return torch.rand(count, 10, generator=generator, device=generator.device)


def augmented(x: Tensor, draws: Tensor, augment: Augment) -> tuple[Tensor, Tensor]:
    """Return the views recolored and mixed, and (B,) bool: which ones are not mixed.

    A function of tensors alone, so that it compiles to a few kernels.
    """
    return mixed(recolored(x, draws[:, :6], augment), draws[:, 6:], augment)


def recolored(x: Tensor, draws: Tensor, augment: Augment) -> Tensor:
    """Return (B, 3, H, W) with the light, contrast, saturation, hue and sharpness of each picture changed,
    clipped to 0..1.

    `draws`: (B, 6) in 0..1.
    """
    u = 2 * draws - 1
    x = torch.lerp(x, blurred(x), (u[:, 0] * augment.soften)[:, None, None, None])
    luma = x.new_tensor(_LUMA).expand(3, 3)
    saturation = torch.where(draws[:, 5] < augment.gray, 0.0, 1 + u[:, 1] * augment.saturation)[:, None, None]
    unit = torch.eye(3, device=x.device)
    color = (luma + saturation * (unit - luma)) @ _hue_turn(u[:, 2] * augment.hue)
    contrast = (1 + u[:, 3] * augment.contrast)[:, None, None]
    light = (1 + u[:, 4] * augment.light)[:, None, None]
    flat = x.flatten(2)
    mean = flat.mean(2, keepdim=True).mean(1, keepdim=True)
    changed = torch.bmm(color * contrast * light, flat) + mean * light * (1 - contrast)
    return changed.clamp(0, 1).reshape(x.shape)


def _hue_turn(angle: Tensor) -> Tensor:
    """Return (B, 3, 3): a rotation about the gray axis (Rodrigues' formula with the axis (1, 1, 1) / sqrt 3)."""
    cos, sin = angle.cos()[:, None, None], angle.sin()[:, None, None]
    unit = torch.eye(3, device=angle.device)
    cross = angle.new_tensor([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / math.sqrt(3)
    return cos * unit + sin * cross + (1 - cos) / 3


def blurred(x: Tensor) -> Tensor:
    """A binomial 5x5 blur of each channel."""
    row = x.new_tensor([1, 4, 6, 4, 1]) / 16
    channels = x.shape[1]
    x = F.pad(x, (2, 2, 2, 2), mode="replicate")
    x = F.conv2d(x, row.view(1, 1, 1, 5).expand(channels, 1, 1, 5), groups=channels)
    return F.conv2d(x, row.view(1, 1, 5, 1).expand(channels, 1, 5, 1), groups=channels)


def mixed(x: Tensor, draws: Tensor, augment: Augment) -> tuple[Tensor, Tensor]:
    """Return (B, 3, H, W), some views with a rectangle of another one, some averaged with one; and (B,) bool:
    neither.

    CutMix: Yun et al. 2019; mixup: Zhang et al. 2018. Both take the batch in reversed order as the others,
    and shares drawn evenly from 0..1; a teacher sees the same mix. `draws`: (B, 4) in 0..1.
    """
    height, width = x.shape[2:]
    kind, share = draws[:, 0], draws[:, 1]
    side = share.sqrt() / 2
    across = (torch.arange(width, device=x.device) + 0.5) / width
    down = (torch.arange(height, device=x.device) + 0.5) / height
    inside_x = (across - draws[:, 2:3]).abs() < side[:, None]
    inside_y = (down - draws[:, 3:4]).abs() < side[:, None]
    cut = (inside_y[:, :, None] & inside_x[:, None, :]).to(x.dtype)
    blend = share[:, None, None].expand_as(cut)
    is_cut = (kind < augment.cutmix)[:, None, None]
    is_mix = ((kind >= augment.cutmix) & (kind < augment.cutmix + augment.mixup))[:, None, None]
    weight = torch.where(is_cut, cut, torch.where(is_mix, blend, torch.zeros_like(cut)))[:, None]
    return torch.lerp(x, x.flip(0), weight), kind >= augment.cutmix + augment.mixup
