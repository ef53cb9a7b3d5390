"""RTMO (Lu et al. 2023, arXiv:2312.07526) and MMDeploy's other one-stage exports.

`dets` [1, n, 5]: corners in pixels and score, suppressed; `keypoints` [1, n, points, 3]: pixels, confidence.
"""

from __future__ import annotations

from typing import Final

from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.key_points.decoder import KeyPointDecoder, NetworkView, PointReader
from desktop.vision.tasks.key_points.decoders.yolo_pose import PIXELS, PoseRows, RowReader
from desktop.vision.tasks.key_points.skeletons import usual_skeleton


def _rows(facts: ModelFacts) -> PoseRows | None:
    shapes = {len(output.shape): output for output in facts.outputs}
    if len(facts.outputs) != 2 or set(shapes) != {3, 4}:
        return None
    boxes, points = shapes[3], shapes[4]
    _, _, count, dimensions = points.shape
    if boxes.shape[2] != 5 or dimensions != 3 or count < 2 or boxes.shape[1] != points.shape[1]:
        return None
    return PoseRows(boxes.name, True, 1, 4, count, 3, points.name, 0, has_corners=True, is_final=True)


class Rtmo(KeyPointDecoder):
    """See the module."""

    id = "rtmo"
    title = "RTMO"
    order = 12
    preprocess = {**PIXELS, "colors": "BGR", "scale": "0..255"}
    score = 0.3

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `KeyPointDecoder`: both shapes."""
        return Evidence.DECLARED if _rows(facts) is not None else None

    def reader(self, network: NetworkView) -> PointReader:
        rows = _rows(network.facts)
        if rows is None:
            raise ValueError("no boxes with points")
        return RowReader(rows, network.size, network.skeleton or usual_skeleton(rows.points))


DECODER: Final = Rtmo()
