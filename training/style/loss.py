"""Loss of style transfer: the style's statistics, the photograph's content, smoothness.

Style is compared by sliced Wasserstein distance (Heitz et al. 2021, "A sliced Wasserstein loss for neural
texture synthesis"): features are projected on random directions and their sorted values compared, which sees
the whole distribution where a Gram matrix sees second moments. Three kinds of features are compared: inner
layers of SqueezeNet (a classifier without shortcuts, whose features serve styles better than MobileNet's),
7x7 pixel patches at two scales (strokes and hatching that a small classifier blurs together; cf. Elnekave and
Weiss 2022) and colors alone (the palette).

A distribution that every picture must match lays the same texture over a face and a lawn. A recipe with
`nearest` therefore compares distributions over the whole batch, and asks of each place that its features have a
near neighbor anywhere in the style (the relaxed earth mover's distance of Kolkin et al. 2019, "Style transfer by
relaxed optimal transport and self-similarity"): a flat place finds flat ones. Content is then also the pattern of
similarities between the places of a picture, which a change of palette leaves alone, and weighs more in faces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
    under motion. style_size: shorter side in pixels to which the style picture is brought; it sets how large
    strokes come out. nearest: weight of the relaxed earth mover's distance; above 0, the distributions are those
    of a batch. spread: share of it that asks that every place of the style be met, not only the best one.
    similarity: weight of the self-similarity. faces: how much more a face counts in the content, and how much
    its edges count.
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
    nearest: float = 0.0
    spread: float = 0.3
    similarity: float = 0.0
    faces: float = 0.0

    @property
    def values(self) -> tuple[str, ...]:
        """All inner values that the losses need."""
        return tuple(dict.fromkeys([*self.layers, self.content_layer]))


_KEPT: Final = Recipe(
    patches=(2.0, 4.0, 4.0),
    palette=3.0,
    half=1.0,
    content=1.0,
    nearest=2.0,
    similarity=2.0,
    faces=3.0,
    style_size=576,
    layers=dict.fromkeys(SQUEEZENET_LAYERS, 2.0),
)
"""Strokes where the painting has a likeness of the place, and faces kept."""

RECIPES: Final[Mapping[str, Recipe]] = {
    "ink": _KEPT,
    "oil": Recipe(content=1.3),
    "wave": replace(_KEPT, content=1.3),
    "starry": _KEPT,
    "scream": replace(_KEPT, content=1.2),
    "abstract": replace(_KEPT, content=1.2),
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


def random_places(count: int, device: torch.device) -> Tensor:
    """Random places of a picture of any size: count x 2 in -1..1, x and y."""
    return torch.rand(count, 2, device=device) * 2 - 1


def at_places(x: Tensor, places: Tensor) -> Tensor:
    """Values of N x C x H x W at places P x 2 in -1..1, bilinear: N x P x C."""
    grid = places[None, None].expand(len(x), -1, -1, -1)
    return F.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=False)[:, :, 0].mT


def hypercolumns(
    features: Mapping[str, Tensor], layers: Mapping[str, float], scales: Mapping[str, float], places: Tensor
) -> Tensor:
    """All layers' values at the same places, one after the other, each in its own spread and by the square
    root of its number of channels: N x P x C.
    """
    columns = []
    for name, weight in layers.items():
        value = at_places(features[name], places)
        columns.append(value * (weight * scales[name] / value.shape[2] ** 0.5))
    return torch.cat(columns, 2)


def cosine_distances(a: Tensor, b: Tensor) -> Tensor:
    """1 - cosine of the angle between points N x P x C and 1 or N x Q x C: N x P x Q."""
    return 1 - F.normalize(a, dim=2) @ F.normalize(b, dim=2).mT


def relaxed(distances: Tensor, spread: float) -> Tensor:
    """Mean over N x P x Q distances of the nearest style place of each of our places, and, times `spread`, of the
    nearest of our places, in the whole batch, of each style place.
    """
    return distances.amin(2).mean() + spread * distances.amin((0, 1)).mean()


def relaxed_distance(ours: Tensor, style: Tensor, spread: float) -> Tensor:
    """Relaxed earth mover's distance of features N x P x C and 1 x Q x C."""
    return relaxed(cosine_distances(ours, style), spread)


def relaxed_colors(ours: Tensor, style: Tensor, spread: float) -> Tensor:
    """The same of colors N x P x 3 and 1 x Q x 3, by Euclidean distance."""
    return relaxed(torch.cdist(ours, style.expand(len(ours), -1, -1)), spread)


def similarities(columns: Tensor) -> Tensor:
    """Cosine distances between the places of a picture, each row in units of its sum: N x P x P."""
    distances = cosine_distances(columns, columns).clamp(min=0)
    return distances / distances.sum(2, keepdim=True).clamp(min=1e-6)


def lost_edges(image: Tensor, photo: Tensor, faces: Tensor) -> Tensor:
    """Mean absolute difference of the lightness gradients of two pictures, in faces (N x 1 x H x W, 0..1)."""
    total = image.new_zeros(())
    for times in (1, 2):
        a, b, w = (
            reduced(x, times) for x in (image.mean(1, keepdim=True), photo.mean(1, keepdim=True), faces)
        )
        for dim in (2, 3):
            inside = w.narrow(dim, 0, w.shape[dim] - 1)
            difference = (a.diff(dim=dim) - b.diff(dim=dim)).abs() * inside
            total = total + difference.sum() / inside.sum().clamp(min=64)
    return total


class StyleLoss(nn.Module):
    """Losses against one style picture (1 x 3 x S x S, RGB 0..1). Not differentiable in the style."""

    def __init__(
        self, features: Features, style: Tensor, recipe: Recipe, samples: int = 4096, slices: int = 64
    ) -> None:
        super().__init__()
        self.features, self.recipe = features, recipe
        self.samples, self.slices = samples, slices
        ratio = recipe.style_size / min(style.shape[2:])
        size = [round(side * ratio) for side in style.shape[2:]]
        self.style: Tensor
        self.register_buffer("style", F.interpolate(style, size=size, mode="area"))
        with torch.no_grad():
            self.targets = [features(reduced(self.style, times)) for times in (1, 2)]
        # Layers differ a thousandfold in size: each is measured in its own spread over the style.
        self.scales = {name: 1 / value.std().item() for name, value in self.targets[0].items()}

    def style_loss(self, image: Tensor, features: Mapping[str, Tensor]) -> Tensor:
        """Weighted sum of distances: network layers, patches, palette; nearest neighbors."""
        total = image.new_zeros(())
        half = self.features(reduced(image, 2)) if self.recipe.half or self.recipe.nearest else {}
        if self.recipe.nearest:
            total = total + self.recipe.nearest * self.nearest_loss(image, features, half)
        views = [(1.0, features)]
        if self.recipe.half:
            views.append((self.recipe.half, half))
        for (share, found), targets in zip(views, self.targets, strict=False):
            for name, weight in self.recipe.layers.items():
                ours, theirs = (positions(x, self.samples) for x in (found[name], targets[name]))
                total = total + share * weight * self.compared(ours, theirs, self.scales[name])
        for index, weight in enumerate(self.recipe.patches):
            ours, theirs = (patches(reduced(x, 2**index), self.samples) for x in (image, self.style))
            total = total + weight * self.compared(ours, theirs, PATCH_SCALE)
        ours, theirs = (positions(reduced(x, 4), self.samples) for x in (image, self.style))
        return total + self.recipe.palette * self.compared(ours, theirs, PALETTE_SCALE)

    def nearest_loss(
        self, image: Tensor, features: Mapping[str, Tensor], half: Mapping[str, Tensor]
    ) -> Tensor:
        """Relaxed earth mover's distance of the places of all layers together, at full and half size, and of
        their colors.
        """
        total = image.new_zeros(())
        views = (
            (image, self.style, features, self.targets[0]),
            (reduced(image, 2), reduced(self.style, 2), half, self.targets[1]),
        )
        for ours, style, found, targets in views:
            here = random_places(self.samples // 4, image.device)
            there = random_places(self.samples // 2, image.device)
            columns = hypercolumns(found, self.recipe.layers, self.scales, here)
            wanted = hypercolumns(targets, self.recipe.layers, self.scales, there)
            total = total + relaxed_distance(columns, wanted, self.recipe.spread)
            total = total + relaxed_colors(at_places(ours, here), at_places(style, there), self.recipe.spread)
        return total / len(views)

    def compared(self, ours: Tensor, theirs: Tensor, scale: float) -> Tensor:
        """Sliced distance of points N x P x C and 1 x P x C, both times `scale`; with `nearest`, of all N
        together.
        """
        if self.recipe.nearest:
            few = torch.randint(ours.shape[0] * ours.shape[1], (theirs.shape[1],), device=ours.device)
            ours = ours.flatten(0, 1)[few][None]
        directions = random_directions(ours.shape[2], self.slices, ours.device)
        return sliced_distance(ours * scale, theirs * scale, directions)

    def content_loss(
        self, ours: Mapping[str, Tensor], photo: Mapping[str, Tensor], faces: Tensor | None = None
    ) -> Tensor:
        """Squared difference in the content layer, in units of the photograph's own mean square there; `faces`:
        N x 1 x H x W in 0..1, where it counts more.
        """
        a, b = ours[self.recipe.content_layer], photo[self.recipe.content_layer]
        difference = (a - b).square()
        if faces is not None:
            difference = difference * (1 + self.recipe.faces * F.adaptive_avg_pool2d(faces, a.shape[2:]))
        total = difference.mean() / b.square().mean()
        if self.recipe.similarity:
            places = random_places(self.samples // 4, a.device)
            one, other = (
                similarities(hypercolumns(x, self.recipe.layers, self.scales, places)) for x in (ours, photo)
            )
            total = total + self.recipe.similarity * (one - other).abs().sum(2).mean()
        return total

    def forward(self, image: Tensor, photo: Tensor, faces: Tensor | None = None) -> dict[str, Tensor]:
        """Unweighted parts for styled pictures and their photographs, both N x 3 x H x W: style, content,
        variation; with `faces`, also edges.
        """
        with torch.no_grad():
            wanted = self.features(photo)
        found = self.features(image)
        parts = {
            "style": self.style_loss(image, found),
            "content": self.content_loss(found, wanted, faces),
            "variation": total_variation(image),
        }
        if faces is not None:
            parts["edges"] = lost_edges(image, photo, faces)
        return parts

    def total(self, parts: Mapping[str, Tensor]) -> Tensor:
        recipe = self.recipe
        total = parts["style"] + recipe.content * parts["content"] + recipe.variation * parts["variation"]
        return total + recipe.faces * parts["edges"] if "edges" in parts else total
