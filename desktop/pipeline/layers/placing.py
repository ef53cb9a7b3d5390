"""Computes the rectangles of layers, in whole pixels."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.pipeline.filters.param import Values
from desktop.pipeline.layers.spec import LayerPlace

Size = tuple[int, int]


@dataclass(frozen=True)
class PlacedRect:
    """A rectangle of the image in pixels, which may reach out of it, and the part of the layer drawn there.

    Attributes:
        source: left, top, width and height in pixels of the layer.
    """

    left: int
    top: int
    width: int
    height: int
    source: tuple[float, float, float, float]

    @property
    def values(self) -> Values:
        """The parameters of shaders/layers/place.wgsl."""
        x, y, width, height = self.source
        return {
            "left": self.left,
            "top": self.top,
            "width": self.width,
            "height": self.height,
            "from_x": x,
            "from_y": y,
            "from_width": width,
            "from_height": height,
        }


def placed_rect(
    place: LayerPlace, layer: Size, image: Size, *, anchor: float = 0.0, has_own_size: bool = False
) -> PlacedRect:
    """Return where a layer is drawn on an image, both of a (width, height) in pixels.

    Args:
        place: says where.
        layer: size of the layer, at least 1 x 1.
        image: size of the image.
        anchor: share of the layer's width that is left of `place.x`, if the place has no width.
        has_own_size: without a width and height it is as large as it is, instead of as large as fits.
    """
    whole = (0.0, 0.0, float(layer[0]), float(layer[1]))
    width, height = place.width * image[0], place.height * image[1]
    if not (width or height) and has_own_size:
        width, height = float(layer[0]), float(layer[1])
    elif not (width or height):
        scale = min(image[0] / layer[0], image[1] / layer[1])
        width, height = layer[0] * scale, layer[1] * scale
        # As large as fits in is also centered there, and moved by the position.
        centered = ((image[0] - width) / 2, (image[1] - height) / 2)
        return _rounded(
            centered[0] + place.x * image[0], centered[1] + place.y * image[1], width, height, whole
        )
    elif not height:
        height = width * layer[1] / layer[0]
    elif not width:
        width = height * layer[0] / layer[1]
    left = place.x * image[0] - (anchor * width if not place.width else 0.0)
    top = place.y * image[1]
    if not (place.width and place.height) or place.fit == "stretch":
        return _rounded(left, top, width, height, whole)
    ratios = (width / layer[0], height / layer[1])
    if place.fit == "cover":
        scale = max(ratios)
        across, down = width / scale, height / scale
        source = ((layer[0] - across) / 2, (layer[1] - down) / 2, across, down)
        return _rounded(left, top, width, height, source)
    scale = min(ratios)
    inner = (layer[0] * scale, layer[1] * scale)
    return _rounded(left + (width - inner[0]) / 2, top + (height - inner[1]) / 2, *inner, whole)


def _rounded(
    left: float, top: float, width: float, height: float, source: tuple[float, float, float, float]
) -> PlacedRect:
    # The edges are rounded, so that rectangles that touch do not overlap.
    x, y = round(left), round(top)
    return PlacedRect(x, y, max(1, round(left + width) - x), max(1, round(top + height) - y), source)
