"""The style network, and Johnson's, with which it is compared.

Both map an RGB picture N x 3 x H x W in 0..1 (H and W multiples of 8) to a styled one of the same size, 0..1.
"""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional as F

NORMS = ("batch", "instance", "none")


class Layer(nn.Module):
    """Convolution, normalization, ReLU; the last two where asked for. Zero padding keeps the size (over
    stride).
    """

    def __init__(
        self, inputs: int, outputs: int, kernel: int, stride: int = 1, norm: str = "none", relu: bool = True
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=norm == "none")
        self.norm: nn.Module = nn.Identity()
        if norm == "batch":
            self.norm = nn.BatchNorm2d(outputs, momentum=0.05)
        elif norm == "instance":
            self.norm = nn.InstanceNorm2d(outputs, affine=True)
        self.relu = relu

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm(self.conv(x))
        return F.relu(x) if self.relu else x


class Residual(nn.Module):
    """x + two 3x3 layers of x."""

    def __init__(self, channels: int, norm: str) -> None:
        super().__init__()
        self.first = Layer(channels, channels, 3, norm=norm)
        self.second = Layer(channels, channels, 3, norm=norm, relu=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.second(self.first(x))


class StyleNet(nn.Module):
    """An hourglass whose work is done at 1/8 and 1/4 of the size; no layer but the last touches every pixel.

    Memory traffic at full size is most of what Johnson's network costs at batch 1, so the first convolution
    has stride 2 and the last one ends at half size in 12 channels that are moved to pixels (DepthToSpace).
    A picture's own details cross the trunk by one addition at 1/4.

    norm: "batch" is folded into the weights and leaves nothing at run time, and nothing that depends on the
    frame's statistics; "instance" normalizes in the trunk (1/8) only and costs passes; "none" has neither.
    """

    def __init__(
        self, widths: tuple[int, int, int, int] = (16, 48, 80, 24), blocks: int = 4, norm: str = "batch"
    ) -> None:
        super().__init__()
        half, quarter, eighth, last = widths
        # Outside the trunk an instance normalization would run at 4 and 16 times its pixels.
        outer = "batch" if norm == "instance" else norm
        self.down2 = Layer(3, half, 5, 2, outer)
        self.down4 = Layer(half, quarter, 3, 2, outer)
        self.before = Residual(quarter, outer)
        self.down8 = Layer(quarter, eighth, 3, 2, outer)
        self.trunk = nn.Sequential(*(Residual(eighth, norm) for _ in range(blocks)))
        self.up4 = Layer(eighth, quarter, 3, 1, outer, relu=False)
        self.after = Residual(quarter, outer)
        self.up2 = Layer(quarter, last, 3, 1, outer)
        self.out = Layer(last, 12, 3, relu=False)
        with torch.no_grad():
            # The four pixels of a 2x2 block start equal: no checkerboard to unlearn.
            self.out.conv.weight.copy_(self.out.conv.weight[::4].repeat_interleave(4, 0))

    def forward(self, image: Tensor) -> Tensor:
        quarter = self.before(self.down4(self.down2(image)))
        eighth = self.trunk(self.down8(quarter))
        quarter = self.after(self.up4(enlarged(eighth)) + quarter)
        return F.pixel_shuffle(torch.sigmoid(self.out(self.up2(enlarged(quarter)))), 2)


class Johnson(nn.Module):
    """The network of Johnson, Alahi and Fei-Fei (2016) with instance normalization: 9x9 first and last
    layers, 32-64-128 channels, five residual blocks at 1/4, reflection padding.
    """

    def __init__(self) -> None:
        super().__init__()

        def layer(inputs: int, outputs: int, kernel: int, stride: int = 1) -> list[nn.Module]:
            pad = nn.ReflectionPad2d(kernel // 2)
            norm = nn.InstanceNorm2d(outputs, affine=True)
            return [pad, nn.Conv2d(inputs, outputs, kernel, stride), norm, nn.ReLU()]

        def up(inputs: int, outputs: int) -> list[nn.Module]:
            return [nn.Upsample(scale_factor=2), *layer(inputs, outputs, 3)]

        self.enter = nn.Sequential(*layer(3, 32, 9), *layer(32, 64, 3, 2), *layer(64, 128, 3, 2))
        self.blocks = nn.ModuleList(
            nn.Sequential(*layer(128, 128, 3), *layer(128, 128, 3)[:-1]) for _ in range(5)
        )
        self.leave = nn.Sequential(*up(128, 64), *up(64, 32), nn.ReflectionPad2d(4), nn.Conv2d(32, 3, 9))

    def forward(self, image: Tensor) -> Tensor:
        x = self.enter(image)
        for block in self.blocks:
            x = x + block(x)
        return torch.sigmoid(self.leave(x))


def enlarged(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


def build(network: str, norm: str = "batch") -> nn.Module:
    """ "ours" or "johnson"; `norm` is of NORMS and for ours only. ValueError for another name."""
    if network == "ours":
        return StyleNet(norm=norm)
    if network == "johnson":
        return Johnson()
    raise ValueError(f'There is no network "{network}"; "ours" and "johnson" can be trained.')


def freeze_statistics(network: nn.Module) -> None:
    """Batch normalizations use their running statistics from now on, as they will when folded."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()


def multiply_adds(network: nn.Module, size: int) -> int:
    """Multiply-adds of all convolutions for one picture of size x size, counted on shapes alone."""
    total = 0

    def count(module: nn.Module, _: object, output: Tensor) -> None:
        nonlocal total
        assert isinstance(module, nn.Conv2d)
        total += output.numel() * module.weight[0].numel()

    meta = copy.deepcopy(network).to("meta").eval()
    for module in meta.modules():
        if isinstance(module, nn.Conv2d):
            module.register_forward_hook(count)
    meta(torch.empty(1, 3, size, size, device="meta"))
    return total
