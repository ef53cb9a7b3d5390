"""Convolutional pose machines (Wei et al. 2016, arXiv:1602.00134) and OpenPose's maps of one person.

Maps are 1/8 of the input, the background last; the input is B'G'R' / 256 - 0.5. A point is its map's greatest
cell's center, moved by HRNet's quarter, which approximates the origin's scaling of maps.
"""

from __future__ import annotations

from typing import Final

from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.key_points.decoders.heat_maps import (
    IMAGENET,
    HeatMaps,
    MapPlan,
    find_maps,
    is_named,
    without_background,
)
from desktop.vision.tasks.key_points.skeletons import Skeleton

_COUNTS: Final = (15, 16, 19, 22, 26)


class Cpm(HeatMaps):
    """Heat maps of an eighth of the input."""

    id = "cpm"
    title = "CPM"
    order = 10
    within = 0.5
    preprocess = {
        **IMAGENET,
        **{"colors": "BGR", "scale": "0..255", "mean": (128.0, 128.0, 128.0), "std": (256.0, 256.0, 256.0)},
    }

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `Decoder`: by size, map count and name; road networks at an eighth have 19 classes too."""
        maps = find_maps(facts)
        if maps is None or maps.points not in _COUNTS or not is_named(facts):
            return None
        eighth = maps.width * 8 * maps.height * 8 == _pixels(facts)
        return Evidence.DECLARED if eighth else None

    def skeleton(self, maps: MapPlan, facts: ModelFacts) -> Skeleton:
        return without_background(maps)


DECODER: Final = Cpm()


def _pixels(facts: ModelFacts) -> int:
    shape = facts.input_shape
    return shape[2] * shape[3] if shape[1] in (1, 3) else shape[1] * shape[2]
