"""YuNet (Wu, Peng, Yu 2023, doi:10.1007/s11633-023-1423-y) of 2023 and later: faces, grids of stride 8, 16, 32, four outputs for each.

`cls_N` and `obj_N` are [1, anchors, 1] in 0..1, `bbox_N` is [1, anchors, 4] as YOLOX has it, `kps_N` (five points of the face) is not used.
"""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence, Match
from desktop.compute.tasks.detection.boxes import STRIDES, grid_boxes, grid_boxes_shader
from desktop.compute.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.wording import sentence

_COLUMNS: Final = {"cls": 1, "obj": 1, "bbox": 4}


def _matches(facts: ModelFacts) -> Match | None:
    shapes = {output.name: output.shape for output in facts.outputs}
    named = all(
        len(shape := shapes.get(f"{kind}_{stride}", ())) == 3 and shape[2] == columns
        for stride in STRIDES
        for kind, columns in _COLUMNS.items()
    )
    return Match(Evidence.DECLARED, sentence("outputs with its names and shapes")) if named else None


def _groups(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    anchors = {output.name: output.shape[1] for output in facts.outputs}
    return tuple(
        AnchorGroup(anchors[f"cls_{s}"], 1, *(Columns(f"{kind}_{s}", 0) for kind in ("cls", "bbox", "obj")))
        for s in STRIDES
    )


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
    shader=grid_boxes_shader,
)
