"""MoveNet (tfhub.dev/google/movenet): 17 points of one person, [1, 1, 17, 3], or of six, [1, 6, 56].

y, x in fractions; each of the six has points, box (top, left, bottom, right) and score. R'G'B' in 0..255.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.key_points.decoder import KeyPointDecoder, NetworkView, PointReader
from desktop.vision.tasks.key_points.decoders.landmarks import ListKind, ListReader
from desktop.vision.tasks.key_points.decoders.yolo_pose import PoseRows, RowReader
from desktop.vision.tasks.key_points.skeletons import COCO_17

_ONE: Final = ListKind((51,), 3, COCO_17, "shares", visibility=2, visibility_is_logit=False, rows_first=True)


def _of_one(facts: ModelFacts) -> bool:
    return len(facts.outputs) == 1 and facts.outputs[0].shape in ((1, 1, 17, 3), (0, 1, 17, 3))


def _of_several(facts: ModelFacts) -> PoseRows | None:
    if len(facts.outputs) != 1 or facts.outputs[0].shape not in ((1, 6, 56), (0, 6, 56)):
        return None
    name = facts.outputs[0].name
    rows = PoseRows(name, True, 1, 55, COCO_17.count, 3, name, 0, box=51)
    return replace(rows, has_corners=True, is_final=True, rows_first=True, is_shares=True)


class MoveNet(KeyPointDecoder):
    """See the module."""

    id = "movenet"
    title = "MoveNet"
    order = 4
    preprocess = {
        **{"colors": "RGB", "scale": "0..255", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "pad": 0.0, "width": 256, "height": 256},
    }
    score = 0.25

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `KeyPointDecoder`: by unique shapes."""
        return Evidence.DECLARED if _of_one(facts) or _of_several(facts) is not None else None

    def reader(self, network: NetworkView) -> PointReader:
        rows = _of_several(network.facts)
        if rows is not None:
            return RowReader(rows, network.size, network.skeleton or COCO_17)
        if not _of_one(network.facts):
            raise ValueError("neither one person nor six")
        return ListReader(_ONE, network)


DECODER: Final = MoveNet()
