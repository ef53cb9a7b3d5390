"""Known motion between two frames: made from one photograph, so that the right answer is known at every
pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F


@dataclass(frozen=True)
class Motion:
    """Difference of the second frame: lengths in pixels, the rest relative to 0..1.

    shift: largest whole translation. bend: standard deviation of the smooth flow. turn: largest rotation
    (radians) and zoom. noise: largest standard deviation of the sensor's noise. gain: largest change of
    exposure. occluder: largest radius, as a share of the frame, of a piece of another picture that covers the
    second frame (0: none).
    """

    shift: int = 12
    bend: float = 2.0
    turn: float = 0.04
    noise: float = 0.03
    gain: float = 0.04
    occluder: float = 0.2


@dataclass(frozen=True)
class Pair:
    """second(p) = first(p + flow(p)) where mask is 1. Pictures N x 3 x H x W, flow N x 2 x H x W (x, y), mask
    N x 1 x H x W.
    """

    second: Tensor
    flow: Tensor
    mask: Tensor


def random_flow(count: int, height: int, width: int, motion: Motion, generator: torch.Generator) -> Tensor:
    """N x 2 x H x W, pixels: whole translations for every other picture, smooth warps for the others.

    Whole ones need no interpolation: a network that is asked to match interpolated, so blurred, frames only
    learns to blur.
    """
    device = generator.device

    def uniform(*shape: int) -> Tensor:
        return torch.rand(*shape, generator=generator, device=device) * 2 - 1

    shift = (uniform(count, 2, 1, 1) * motion.shift).round()
    coarse = torch.randn(count, 2, 4, 4, generator=generator, device=device) * motion.bend
    bend = F.interpolate(coarse, size=(height, width), mode="bicubic", align_corners=False)
    y, x = torch.meshgrid(
        torch.arange(height, device=device) - height / 2,
        torch.arange(width, device=device) - width / 2,
        indexing="ij",
    )
    turn, zoom = (uniform(2, count, 1, 1) * motion.turn).unbind(0)
    affine = torch.stack([zoom * x - turn * y, turn * x + zoom * y], 1)
    smooth = (torch.arange(count, device=device) % 2).view(-1, 1, 1, 1)
    return shift + smooth * (bend + affine)


def warped(image: Tensor, flow: Tensor) -> tuple[Tensor, Tensor]:
    """image(p + flow(p)) by bilinear interpolation, and an N x 1 x H x W mask of the places that came from
    inside.
    """
    height, width = image.shape[-2:]
    y, x = torch.meshgrid(
        torch.arange(height, device=image.device), torch.arange(width, device=image.device), indexing="ij"
    )
    at_x, at_y = x + flow[:, 0], y + flow[:, 1]
    grid = torch.stack([(at_x * 2 + 1) / width - 1, (at_y * 2 + 1) / height - 1], -1)
    inside = ((at_x >= 0) & (at_x <= width - 1) & (at_y >= 0) & (at_y <= height - 1)).unsqueeze(1)
    picture = F.grid_sample(
        image, grid.to(image.dtype), mode="bilinear", padding_mode="border", align_corners=False
    )
    return picture, inside.to(image.dtype)


def moved(first: Tensor, motion: Motion, generator: torch.Generator) -> Pair:
    """A second frame for each first one (N x 3 x H x W, 0..1)."""
    count, _, height, width = first.shape
    flow = random_flow(count, height, width, motion, generator)
    second, mask = warped(first, flow)

    def uniform(*shape: int) -> Tensor:
        return torch.rand(*shape, generator=generator, device=first.device)

    if motion.occluder:
        y, x = torch.meshgrid(
            torch.linspace(0, 1, height, device=first.device),
            torch.linspace(0, 1, width, device=first.device),
            indexing="ij",
        )
        center, radius = uniform(2, count, 1, 1), uniform(count, 1, 1) * motion.occluder
        distance = ((x - center[0]) ** 2 + (y - center[1]) ** 2).sqrt()
        second = torch.where((distance < radius).unsqueeze(1), first.roll(1, 0), second)
        # A styled picture may rightly change around what comes into view.
        mask = mask * (distance > radius + 0.08).unsqueeze(1)
    gain = 1 + (uniform(count, 1, 1, 1) * 2 - 1) * motion.gain
    noise = (
        torch.randn(first.shape, generator=generator, device=first.device)
        * uniform(count, 1, 1, 1)
        * motion.noise
    )
    return Pair((second * gain + noise).clamp(0, 1), flow, mask)


def inconsistency(first: Tensor, second: Tensor, pair: Pair, power: int = 2) -> Tensor:
    """Mean |second - warped first|^power over the mask: of two styled frames, 0 where nothing flickers."""
    expected, _ = warped(first, pair.flow)
    difference = (second - expected).abs().pow(power)
    return (difference * pair.mask).sum() / (pair.mask.sum() * first.shape[1]).clamp(min=1)
