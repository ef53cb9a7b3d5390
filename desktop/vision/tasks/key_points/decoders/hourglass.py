"""Stacked hourglasses (Newell et al. 2016, arXiv:1603.06937): the last of [1, stacks, points, height, width].

Stacks may also be an output each. Decoded as HRNet's maps, but from the cells' centers.
"""

from __future__ import annotations

from typing import Final

from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.key_points.decoders.heat_maps import IMAGENET, HeatMaps, find_maps


class Hourglass(HeatMaps):
    """Several heat maps of the same points."""

    id = "hourglass"
    title = "Stacked hourglass"
    order = 20
    within = 0.5
    preprocess = {**IMAGENET, "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)}

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `Decoder`."""
        maps = find_maps(facts)
        if maps is None:
            return None
        shapes = {output.shape for output in facts.outputs}
        stacked = len(next(iter(shapes))) == 5 or len(facts.outputs) > 1
        return super().recognize(facts) if len(shapes) == 1 and stacked else None


DECODER: Final = Hourglass()
