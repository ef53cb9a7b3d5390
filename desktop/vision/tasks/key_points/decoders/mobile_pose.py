"""PoseEstimationForMobile (github.com/edvardHua/PoseEstimationForMobile): CPM and hourglass with 14 points.

[1, height, width, 14] of half or a quarter of the input, which is B'G'R' in 0..255.
"""

from __future__ import annotations

from typing import Final

from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.key_points.decoders.heat_maps import IMAGENET, HeatMaps, find_maps, is_named

_POINTS: Final = 14


class MobilePose(HeatMaps):
    """14 heat maps with the channels last."""

    id = "mobile_pose"
    title = "PoseEstimationForMobile"
    order = 8
    preprocess = {
        **IMAGENET,
        **{"colors": "BGR", "scale": "0..255", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
    }

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `Decoder`."""
        maps = find_maps(facts)
        if (
            maps is None
            or maps.points != _POINTS
            or maps.axes[0] != len(maps.axes)
            or facts.last_operator == "Softmax"
        ):
            return None
        return Evidence.DECLARED if is_named(facts) else Evidence.OBSERVED


DECODER: Final = MobilePose()
