"""Loss of style transfer: the style's statistics, the photograph's content, smoothness.

Style is compared by sliced Wasserstein distance (Heitz et al. 2021, "A sliced Wasserstein loss for neural
texture synthesis"): features are projected on random directions and their sorted values compared, which sees
the whole distribution where a Gram matrix sees second moments. Three kinds of features are compared: inner
layers of SqueezeNet (a classifier without shortcuts, whose features serve styles better than MobileNet's),
7x7 pixel patches at two scales (strokes and hatching that a small classifier blurs together; cf. Elnekave and
Weiss 2022) and colors alone (the palette).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.common.onnx_torch import OnnxModule

PATCH_SCALE, PALETTE_SCALE = 3.0, 3.0  # pixels spread about a third of 0..1


SQUEEZENET_LAYERS: Final[Mapping[str, float]] = {
    "conv1_2": 1.0,
    "fire2/concat_1": 1.0,
    "fire3/concat_1": 1.0,
    "fire4/concat_1": 1.0,
    "fire6/concat_1": 1.0,
}


@dataclass(frozen=True)
class Recipe:
    """Weights of one style.

    layers: inner values of the feature network and their weights in the style loss; content_layer: the one
    that content is compared in. half: weight of the same layers seen at half size, where they span twice as
    much of the picture. patches: weights of 7x7 patches, one a scale (1, 1/2, 1/4). palette: weight of
    colors. content, variation, temporal: weights of the content loss, of total variation, of consistency
    under motion. style_size: side in pixels to which the style picture is brought; it sets how large strokes
    come out.
    """

    layers: Mapping[str, float] = field(default_factory=lambda: SQUEEZENET_LAYERS)
    content_layer: str = "fire5/concat_1"
    half: float = 0.5
    patches: tuple[float, ...] = (1.0, 2.0, 2.0)
    palette: float = 2.0
    content: float = 1.0
    variation: float = 0.05
    temporal: float = 40.0
    style_size: int = 512

    @property
    def values(self) -> tuple[str, ...]:
        """All inner values that the losses need."""
        return tuple(dict.fromkeys([*self.layers, self.content_layer]))


# Found by optimizing pictures directly and looking at them: leading and dots need less of the photograph in
# their way.
RECIPES: Final[Mapping[str, Recipe]] = {
    "ink": Recipe(),
    "glass": Recipe(content=0.6),
    "oil": Recipe(),
    "riso": Recipe(content=0.6, style_size=640),
}


class Features(nn.Module):
    """Inner values of SqueezeNet (or another network fed as it is) for RGB pictures N x 3 x H x W in 0..1; it
    wants BGR 0..255 less (104, 117, 123).
    """

    def __init__(self, path: Path, layers: tuple[str, ...]) -> None:
        super().__init__()
        self.net = OnnxModule(path, outputs=list(layers))
        self.mean: Tensor
        self.register_buffer("mean", torch.tensor([104.0, 117.0, 123.0]).view(1, 3, 1, 1))

    def forward(self, image: Tensor) -> dict[str, Tensor]:
        return self.net(image.flip(1) * 255 - self.mean)


def positions(features: Tensor, count: int) -> Tensor:
    """At most `count` random places of N x C x H x W features, the same in all N: N x count x C."""
    flat = features.flatten(2)
    chosen = torch.randint(flat.shape[2], (count,), device=features.device)
    return flat[:, :, chosen].transpose(1, 2)


def sliced_distance(ours: Tensor, style: Tensor, directions: Tensor) -> Tensor:
    """Mean squared difference of sorted projections: ours N x P x C, style 1 x P x C, directions C x K."""
    a, b = ((x @ directions).mT.contiguous().sort(2).values for x in (ours, style))
    return (a - b).square().mean()


def random_directions(channels: int, count: int, device: torch.device) -> Tensor:
    return F.normalize(torch.randn(channels, count, device=device), dim=0)


def patches(image: Tensor, count: int, side: int = 7) -> Tensor:
    """`count` random square patches of N x C x H x W, at the same places in all N: N x count x C side^2."""
    windows = image.unfold(2, side, 1).unfold(3, side, 1)  # a view: only the chosen patches are copied
    y = torch.randint(windows.shape[2], (count,), device=image.device)
    x = torch.randint(windows.shape[3], (count,), device=image.device)
    return windows[:, :, y, x].permute(0, 2, 1, 3, 4).flatten(2)


def reduced(image: Tensor, times: int) -> Tensor:
    return image if times == 1 else F.avg_pool2d(image, times)


def total_variation(image: Tensor) -> Tensor:
    return (image.diff(dim=2).abs().mean() + image.diff(dim=3).abs().mean()) / 2


class StyleLoss(nn.Module):
    """Losses against one style picture (1 x 3 x S x S, RGB 0..1). Not differentiable in the style."""

    def __init__(
        self, features: Features, style: Tensor, recipe: Recipe, samples: int = 4096, slices: int = 64
    ) -> None:
        super().__init__()
        self.features, self.recipe = features, recipe
        self.samples, self.slices = samples, slices
        size = (recipe.style_size, recipe.style_size)
        self.style: Tensor
        self.register_buffer("style", F.interpolate(style, size=size, mode="area"))
        with torch.no_grad():
            self.targets = [features(reduced(self.style, times)) for times in (1, 2)]
        # Layers differ a thousandfold in size: each is measured in its own spread over the style.
        self.scales = {name: 1 / value.std().item() for name, value in self.targets[0].items()}

    def style_loss(self, image: Tensor, features: Mapping[str, Tensor]) -> Tensor:
        """Weighted sum of sliced distances: network layers, patches, palette."""
        total = image.new_zeros(())
        views = [(1.0, features)]
        if self.recipe.half:
            views.append((self.recipe.half, self.features(reduced(image, 2))))
        for (share, found), targets in zip(views, self.targets, strict=False):
            for name, weight in self.recipe.layers.items():
                ours, theirs = (positions(x, self.samples) for x in (found[name], targets[name]))
                total = total + share * weight * self.compared(ours, theirs, self.scales[name])
        for index, weight in enumerate(self.recipe.patches):
            ours, theirs = (patches(reduced(x, 2**index), self.samples) for x in (image, self.style))
            total = total + weight * self.compared(ours, theirs, PATCH_SCALE)
        ours, theirs = (positions(reduced(x, 4), self.samples) for x in (image, self.style))
        return total + self.recipe.palette * self.compared(ours, theirs, PALETTE_SCALE)

    def compared(self, ours: Tensor, theirs: Tensor, scale: float) -> Tensor:
        """Sliced distance of points N x P x C and 1 x P x C, both times `scale`."""
        directions = random_directions(ours.shape[2], self.slices, ours.device)
        return sliced_distance(ours * scale, theirs * scale, directions)

    def content_loss(self, ours: Mapping[str, Tensor], photo: Mapping[str, Tensor]) -> Tensor:
        """Squared difference in the content layer, in units of the photograph's own mean square there."""
        a, b = ours[self.recipe.content_layer], photo[self.recipe.content_layer]
        return (a - b).square().mean() / b.square().mean()

    def forward(self, image: Tensor, photo: Tensor) -> dict[str, Tensor]:
        """Unweighted parts for styled pictures and their photographs, both N x 3 x H x W: style, content,
        variation.
        """
        with torch.no_grad():
            wanted = self.features(photo)
        found = self.features(image)
        return {
            "style": self.style_loss(image, found),
            "content": self.content_loss(found, wanted),
            "variation": total_variation(image),
        }

    def total(self, parts: Mapping[str, Tensor]) -> Tensor:
        recipe = self.recipe
        return parts["style"] + recipe.content * parts["content"] + recipe.variation * parts["variation"]
