"""ViTPose (Xu et al. 2022, arXiv:2204.12484): heat maps placed without bias (UDP) and refined by DARK.

As MMPose's `post_dark_udp`: the map is blurred (a Gaussian of 11 cells, deviation 2), and Newton's step on
its logarithm leads from the greatest cell to the top. The outer cells lie on the input's edges. Hugging Face
blurs by 0.8 instead, which moves a point of smooth maps by 0.15 of a cell at most.
"""

from __future__ import annotations

from typing import Final

from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.key_points.decoders.heat_maps import BLURRED, HeatMaps, MapPlan
from desktop.vision.tasks.key_points.skeletons import VITPOSE_25, Skeleton


class VitPose(HeatMaps):
    """Heat maps of a network with attention."""

    id = "vitpose"
    title = "ViTPose"
    order = 30
    refinement = BLURRED
    to_edges = True

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `Decoder`: the softmax within is the attention's."""
        return super().recognize(facts) if "Softmax" in facts.operators else None

    def skeleton(self, maps: MapPlan, facts: ModelFacts) -> Skeleton:
        return VITPOSE_25 if maps.points == VITPOSE_25.count else super().skeleton(maps, facts)


DECODER: Final = VitPose()
