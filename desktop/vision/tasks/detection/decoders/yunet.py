"""YuNet (Wu et al. 2023, doi:10.1007/s11633-023-1423-y) since 2023: faces with five points.

For each stride N, 8, 16 or 32: `cls_N`, `obj_N` [1, anchors, 1] in 0..1, `bbox_N` [1, anchors, 4] as in
YOLOX, `kps_N` [1, anchors, 10], points in cells from the cell's upper left corner: right eye, left eye, nose,
corners of the mouth.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.detection.boxes import NO_POINTS, STRIDES, grid, grid_boxes, grid_boxes_shader
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.task import Size

_COLUMNS: Final = {"cls": 1, "obj": 1, "bbox": 4}
_POINTS: Final = 5


def _matches(facts: ModelFacts) -> Match | None:
    shapes = {output.name: output.shape for output in facts.outputs}
    named = all(
        len(shape := shapes.get(f"{kind}_{stride}", ())) == 3 and shape[2] == columns
        for stride in STRIDES
        for kind, columns in _COLUMNS.items()
    )
    return (
        Match(Evidence.DECLARED, sentence("outputs with the names and shapes of this family"))
        if named
        else None
    )


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    shapes = {output.name: output.shape for output in facts.outputs}
    # A trimmed network may have no points.
    has_points = all(shapes.get(f"kps_{stride}", ())[-1:] == (2 * _POINTS,) for stride in STRIDES)
    return tuple(
        AnchorGroup(
            shapes[f"cls_{s}"][1],
            1,
            *(Columns(f"{kind}_{s}", 0) for kind in ("cls", "bbox", "obj")),
            extra=Columns(f"kps_{s}", 0) if has_points else None,
            extras=2 * _POINTS if has_points else 0,
        )
        for s in STRIDES
    )


def _points(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
    cell, stride = grid(anchors, size, STRIDES)
    return np.asarray((np.tile(cell, values.shape[1] // 2) + values) * stride)


_POINT: Final = """fn point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f {
    let cell = cell_of(anchor, size);
    return (cell.xy + v) * cell.z;
}"""


def _shader(size: Size) -> str:
    return grid_boxes_shader(size).replace(NO_POINTS, _POINT)


DECODER: Final = Decoder(
    "yunet",
    "YuNet",
    _matches,
    _groups,
    grid_boxes,
    powers=(0.5, 0.5),
    preprocess={
        **{"colors": "BGR", "scale": "0..255", "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)},
        **{"resize": "letterbox", "width": 320, "height": 320},
    },
    score=0.6,
    iou=0.3,
    names=("face",),
    points=_points,
    shader=_shader,
)
