"""A small guided denoiser: a noisy picture, a colored sketch of it and the share of noise in; the picture
without noise out.

The noisy picture is (1 - level) * picture + level * noise, the straight path of flow matching (Lipman et al.
2023; Liu et al. 2023). The network predicts the picture itself, which a few-step sampler needs at every step
(consistency models, Song et al. 2023), and does so as k * noisy + (1 - k) * F(noisy, sketch, level), k = (1 -
level)^8: at level 0 it is the picture that came in, and from 0.3 on the noise that came in with it is nearly
left out. With k = 1 - level the network has to cancel that noise pixel by pixel, which does not fit through
its 16 channels at 1/2: after 2,300 steps grain stood in every picture.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

MULTIPLE = 16
"""Height and width of what it takes are multiples of this."""
SKETCH = 8
"""A sketch is the mean of each square of this side in pixels, enlarged again by bilinear interpolation."""
WIDTHS = (16, 32, 64, 96)


class Residual(nn.Module):
    """x + two 3x3 convolutions of x, the second of which begins at zero. No normalization: its sums cost
    passes and, in fp16, digits.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.zeros_(self.second.weight)
        assert self.second.bias is not None
        nn.init.zeros_(self.second.bias)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.second(F.relu(self.first(x)))


class Denoiser(nn.Module):
    """A U-Net from 1/2 to 1/16 of the size, most of it at 1/8 and 1/16; no layer but the last move of
    channels touches every pixel.

    widths: channels at 1/2, 1/4, 1/8 and 1/16. The share of noise enters as an offset of each channel at 1/4,
    1/8 and 1/16.
    """

    def __init__(self, widths: tuple[int, int, int, int] = WIDTHS) -> None:
        super().__init__()
        half, quarter, eighth, least = widths
        self.down2 = nn.Conv2d(6, half, 5, 2, 2)
        self.down4 = nn.Conv2d(half, quarter, 3, 2, 1)
        self.before4 = Residual(quarter)
        self.down8 = nn.Conv2d(quarter, eighth, 3, 2, 1)
        self.before8 = nn.Sequential(Residual(eighth), Residual(eighth))
        self.down16 = nn.Conv2d(eighth, least, 3, 2, 1)
        self.trunk = nn.Sequential(*(Residual(least) for _ in range(3)))
        self.up8 = nn.Conv2d(least, eighth, 3, padding=1)
        self.after8 = nn.Sequential(Residual(eighth), Residual(eighth))
        self.up4 = nn.Conv2d(eighth, quarter, 3, padding=1)
        self.after4 = Residual(quarter)
        self.up2 = nn.Conv2d(quarter, half, 3, padding=1)
        self.out = nn.Conv2d(half, 12, 3, padding=1)
        self.level_in = nn.Conv2d(1, 32, 1)
        self.level4 = nn.Conv2d(32, quarter, 1)
        self.level8 = nn.Conv2d(32, eighth, 1)
        self.level16 = nn.Conv2d(32, least, 1)
        with torch.no_grad():
            # The four pixels of a 2x2 block start equal: no checkerboard to unlearn.
            self.out.weight.copy_(self.out.weight[::4].repeat_interleave(4, 0))

    def predicted(self, noisy: Tensor, sketch: Tensor, level: Tensor) -> Tensor:
        """F: (N, 3, H, W), not bounded."""
        offsets = F.relu(self.level_in(level))
        half = F.relu(self.down2(torch.cat([noisy, sketch], 1)))
        quarter = self.before4(F.relu(self.down4(half) + self.level4(offsets)))
        eighth = self.before8(F.relu(self.down8(quarter) + self.level8(offsets)))
        x = self.trunk(F.relu(self.down16(eighth) + self.level16(offsets)))
        x = self.after8(self.up8(enlarged(x)) + eighth)
        x = self.after4(self.up4(enlarged(x)) + quarter)
        x = F.relu(self.up2(enlarged(x)) + half)
        return F.pixel_shuffle(self.out(x), 2)

    def forward(self, noisy: Tensor, sketch: Tensor, level: Tensor) -> Tensor:
        """Return the picture, (N, 3, H, W), about -1..1.

        noisy, sketch: (N, 3, H, W), RGB in -1..1 (and noise); H and W multiples of 16. level: (N, 1, 1, 1),
        0..1, the share of noise.
        """
        kept = (1 - level) ** 8
        return kept * noisy + (1 - kept) * self.predicted(noisy, sketch, level)


def enlarged(x: Tensor) -> Tensor:
    """Twice the size; the nearest pixel."""
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


def sketched(picture: Tensor, side: int = SKETCH) -> Tensor:
    """Return the colored sketch of (N, 3, H, W) pictures: the mean of each square, enlarged by bilinear
    interpolation.
    """
    return F.interpolate(
        F.avg_pool2d(picture, side), size=picture.shape[2:], mode="bilinear", align_corners=False
    )


def noised(picture: Tensor, noise: Tensor, level: Tensor) -> Tensor:
    """(1 - level) * picture + level * noise."""
    return (1 - level) * picture + level * noise


def levels(strength: float, steps: int) -> list[float]:
    """The shares of noise at which a run of `steps` steps looks: even steps from `strength` down, 0 left out."""
    return [strength * (steps - step) / steps for step in range(steps)]


def sampled(network: nn.Module, picture: Tensor, noise: Tensor, strength: float, steps: int) -> Tensor:
    """Return the pictures (N, 3, H, W) in -1..1 repainted, with the same noise before each step.

    Song et al. 2023, "Consistency Models", algorithm 1, with noise that stays: what is new in each step is
    the picture.
    """
    sketch, found = sketched(picture), picture
    for share in levels(strength, steps):
        level = picture.new_full((len(picture), 1, 1, 1), share)
        found = network(noised(found, noise, level), sketch, level).clamp(-1, 1)
    return found
