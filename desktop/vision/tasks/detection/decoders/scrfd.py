"""SCRFD (Guo et al. 2021, arXiv:2105.04714; github.com/deepinsight/insightface): faces with five points.

For each grid (strides 8, 16, 32 with two anchors a cell, or 8 to 128 with one), in strides: scores [anchors,
1] in 0..1, distances from the cell's upper left corner to the sides [anchors, 4], and optionally points
[anchors, 10]. Order: scores, boxes, points, each by rising stride.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.priors import Priors, distance_boxes, distance_shader, point_shader
from desktop.vision.tasks.task import Size

_POINTS: Final = 5
_NO_SIZE: Final = (0.0, 0.0)
_TWO: Final = Priors(tuple((stride, (_NO_SIZE, _NO_SIZE)) for stride in (8, 16, 32)))
_ONE: Final = Priors(tuple((stride, (_NO_SIZE,)) for stride in (8, 16, 32, 64, 128)))


def _parts(facts: ModelFacts, priors: Priors) -> dict[int, list[TensorInfo]] | None:
    """Return the outputs by their columns, 1, 4 and 10, each by rising stride; None for other families."""
    found: dict[int, list[TensorInfo]] = {}
    for output in facts.outputs:
        if len(output.shape) not in (2, 3) or (len(output.shape) == 3 and output.shape[0] not in (0, 1)):
            return None
        found.setdefault(output.shape[-1], []).append(output)
    columns = found.keys() - {2 * _POINTS}
    if columns != {1, 4} or any(len(each) != len(priors) for each in found.values()):
        return None
    # Rows fall with the stride; a file may list its outputs in any order.
    return {width: sorted(each, key=_rows, reverse=True) for width, each in found.items()}


def _rows(output: TensorInfo) -> int:
    return output.shape[-2]


def _match(facts: ModelFacts, priors: Priors) -> Match | None:
    found = _parts(facts, priors)
    if found is None:
        return None
    size, reason = input_size(facts), sentence("scores, boxes and points of faces for each of its grids")
    rows = [tuple(map(_rows, each)) for each in found.values()]
    if all(size) and all(map(all, rows)):
        wanted = priors.counts(size)
        return Match(Evidence.DECLARED, reason) if all(each == wanted for each in rows) else None
    # Without row numbers, boxes and one score may be another one-class family's; five points are rare.
    return Match(Evidence.OBSERVED if 2 * _POINTS in found else Evidence.CUSTOMARY, reason)


def _groups(facts: ModelFacts, priors: Priors) -> tuple[AnchorGroup, ...]:
    found = _parts(facts, priors)
    if found is None:
        raise ValueError("outputs of another family")
    points = found.get(2 * _POINTS)
    return tuple(
        AnchorGroup(
            _rows(scores),
            1,
            Columns(scores.name, 0),
            Columns(boxes.name, 0),
            extra=None if points is None else Columns(points[level].name, 0),
            extras=0 if points is None else 2 * _POINTS,
        )
        for level, (scores, boxes) in enumerate(zip(found[1], found[4], strict=True))
    )


def _decoder(id_: str, title: str, priors: Priors) -> Decoder:
    def boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
        prior = priors.of(anchors, size)
        return distance_boxes(prior.cell * prior.stride, values * prior.stride)

    def points(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
        prior = priors.of(anchors, size)
        count = values.shape[1] // 2
        return np.asarray((np.tile(prior.cell, count) + values) * prior.stride)

    def shader(size: Size) -> str:
        point = point_shader("(p.cell + v) * p.stride")
        return f"{priors.shader()}\n{distance_shader('p.cell * p.stride', 'v * p.stride', point)}"

    return Decoder(
        id_,
        title,
        lambda facts: _match(facts, priors),
        lambda facts: _groups(facts, priors),
        boxes,
        powers=(0.0, 1.0),
        # As insightface's code: read by OpenCV, colors swapped, at the upper left of a black input.
        preprocess={
            **{"colors": "RGB", "scale": "0..255", "mean": (127.5,) * 3, "std": (128.0,) * 3},
            **{"resize": "letterbox", "pad": 0.0, "width": 640, "height": 640},
        },
        score=0.5,
        iou=0.4,
        names=("face",),
        points=points,
        shader=shader,
    )


DECODERS: Final = (_decoder("scrfd", "SCRFD", _TWO), _decoder("scrfd_5", "SCRFD (five grids)", _ONE))
