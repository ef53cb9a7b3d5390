"""MediaPipe's detectors of palms (arXiv:2006.10214), faces (arXiv:1907.05047) and bodies (arXiv:2006.10204).

Two outputs: [1, anchors, 1], logits, and [1, anchors, 4 + 2 k]: offset and size of the box, then k key
points, in input pixels from the anchor's center. Anchors have no size; the grids are those of the published
graphs (`SsdAnchorsCalculatorOptions`), where layers of one stride share its cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import Grids, box_shader, corners, grid_shader, table
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.task import RegionRule, Size

# (stride, anchors a cell) of each grid.
_SMALL: Final[Grids] = ((8, 2), (16, 6))
_LARGE: Final[Grids] = ((16, 2), (32, 6))
_DEEP: Final[Grids] = ((8, 2), (16, 2), (32, 6))
_DENSE: Final[Grids] = ((4, 1),)


@dataclass(frozen=True)
class _Kind:
    """Differences between the three; `scale` is the input's range, `grids` are by the input's side."""

    id: str
    title: str
    name: str
    points: int
    scale: str
    grids: Mapping[int, Grids]
    region: RegionRule

    @property
    def decoder(self) -> Decoder:
        """The family."""
        return Decoder(
            self.id,
            self.title,
            self._matches,
            self._groups,
            self._boxes,
            powers=(0.0, 1.0),
            preprocess={
                **{"colors": "RGB", "scale": self.scale, "mean": (0.0,) * 3, "std": (1.0,) * 3},
                "resize": "letterbox",
            },
            score=0.5,
            iou=0.3,
            names=(self.name,),
            points=self._points,
            merges=True,
            region=self.region,
            shader=self._shader,
        )

    def _shader(self, size: Size) -> str:
        middle = "let cell = cell_of(anchor, size); let at = (cell.xy + 0.5) * cell.z;"
        return "\n".join(
            (
                grid_shader(self.grids[size[0]]),
                box_shader(middle, "let middle = at + v.xy;", "let extent = v.zw;"),
                f"fn point_of(anchor: u32, v: vec2f, size: vec2f) -> vec2f {{ {middle} return at + v; }}",
            )
        )

    def _matches(self, facts: ModelFacts) -> Match | None:
        found = _outputs(facts)
        size = input_size(facts)
        if found is None or found[1].shape[2] != 4 + 2 * self.points or size[0] not in self.grids:
            return None
        if found[0].shape[1] != len(_middles(self.grids[size[0]], size)):
            return None
        reason = sentence(
            "logits and boxes with {count} points, a row for each anchor of its grids", count=self.points
        )
        return Match(Evidence.DECLARED, reason)

    def _groups(self, facts: ModelFacts) -> tuple[AnchorGroup, ...]:
        found = _outputs(facts)
        if found is None:
            raise ValueError("outputs of another family")
        scores, boxes = found
        slots = (Columns(scores.name, 0), Columns(boxes.name, 0))
        extra = Columns(boxes.name, 4)
        return (
            AnchorGroup(
                scores.shape[1], 1, *slots, extra=extra, extras=2 * self.points, activation="sigmoid"
            ),
        )

    def _at(self, anchors: np.ndarray, size: Size) -> np.ndarray:
        middles = _middles(self.grids[size[0]], size)
        return np.asarray(middles[np.minimum(anchors, len(middles) - 1)])

    def _boxes(self, anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
        return corners(self._at(anchors, size) + values[:, :2], values[:, 2:4])

    def _points(self, anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
        return np.asarray(values + np.tile(self._at(anchors, size), self.points))


def _outputs(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo] | None:
    """(scores, boxes), in whichever order the file has them."""
    if len(facts.outputs) != 2:
        return None
    for scores, boxes in (facts.outputs, facts.outputs[::-1]):
        first, second = table(scores), table(boxes)
        if first and second and first[1] == 1 and first[0] == second[0] > 0 and second[1] > 4:
            return scores, boxes
    return None


def _middles(grids: Grids, size: Size) -> np.ndarray:
    """Middles of the anchors (n, 2), in pixels of the input."""
    found = []
    for stride, each in grids:
        across, down = -(-size[0] // stride), -(-size[1] // stride)
        cells = np.arange(across * down)
        middles = np.stack(((cells % across + 0.5) / across, (cells // across + 0.5) / down), axis=1)
        found.append(np.repeat(middles * size, each, axis=0))
    return np.concatenate(found)


_HAND: Final = _Kind(
    *("blazepalm", "BlazePalm", "hand", 7, "0..1"),
    {192: _SMALL, 256: _DEEP},
    # Wrist to the base of the middle finger points upwards.
    RegionRule(start=(0,), end=(2,), angle=90.0, scale=2.6, shift=(0.0, -0.5)),
)
_PALM: Final = _HAND.decoder
# Of 2020 (hand_detection of MediaPipe 0.7): its graph still made -1 to 1 of images.
_SMALL_PALM: Final = replace(
    _HAND, id="blazepalm_128", title="BlazePalm (128 pixels)", scale="-1..1", grids={128: _SMALL}
).decoder
_FACE: Final = _Kind(
    *("blazeface", "BlazeFace", "face", 6, "-1..1"),
    {128: _SMALL, 256: _LARGE, 192: _DENSE},
    # Eye to eye is level.
    RegionRule(start=(0,), end=(1,), angle=0.0, scale=1.5),
).decoder
_POSE: Final = _Kind(
    *("blazepose", "BlazePose's detector", "person", 4, "-1..1"),
    {128: _SMALL, 224: _DEEP},
    # A circle around the hips through a point above the head.
    RegionRule(start=(0,), end=(1,), angle=90.0, scale=1.25, circle=True),
).decoder
DECODERS: Final = (_PALM, _SMALL_PALM, _FACE, _POSE)
