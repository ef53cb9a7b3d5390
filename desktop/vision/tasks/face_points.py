"""Points of a face by OpenSeeFace's networks (github.com/emilianavt/OpenSeeFace, BSD-2).

The input is filled by a face. [1, 198, height, width] has a heat map for each of 66 points (iBUG 300-W
without the outer corners of the mouth) and two maps of offsets: a point is its heat map's maximum, moved by
the logit of the offsets (`Tracker.landmarks`). Early files give [66, 3]: row, column, confidence.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD
from desktop.vision.tasks.common.placing import to_picture
from desktop.vision.tasks.common.reduction import GpuReduction, first_element
from desktop.vision.tasks.shapes import Points
from desktop.vision.tasks.task import (
    Features,
    Loaded,
    ReducingHead,
    RegionRule,
    Result,
    ResultTask,
    Setting,
    Share,
    Size,
    Values,
)

COUNT: Final = 66
USUAL_SCORE: Final = 0.6
# The offsets' logits are in sixteenths of the input, clamped as in the tracker to stay finite.
_LOGIT_FACTOR: Final = 16.0
_LEAST: Final = 1e-7
_SHADER: Final = "face_points.wgsl"
_PLAN: Final = "<8I"
_ENTRY: Final = np.dtype([("place", "<u4"), ("score", "<f4"), ("offsets", "<f4", 2)])


_LEFT_CORNER, _RIGHT_CORNER = 58, 62
_LINES: Final[tuple[tuple[int, ...], ...]] = (
    tuple(range(17)),  # jaw
    *(tuple(range(17, 22)), tuple(range(22, 27))),  # brows
    *(tuple(range(27, 31)), tuple(range(31, 36))),  # nose
    *((*range(36, 42), 36), (*range(42, 48), 42)),  # eyes
    (_LEFT_CORNER, *range(48, 53), _RIGHT_CORNER, *range(53, 58), _LEFT_CORNER),  # lips, around them
    (_LEFT_CORNER, *range(59, 62), _RIGHT_CORNER, *range(63, 66), _LEFT_CORNER),  # and between them
)
EDGES: Final = tuple(pair for line in _LINES for pair in itertools.pairwise(line))
"""Points that each line joins."""


@dataclass(frozen=True)
class FacePoints(Result):
    """Points of a face: (x, y, confidence in 0..1) in pixels of an image of `size`; empty without a face.

    The score is the mean confidence; 0 if a point is invalid.
    """

    points: tuple[tuple[float, float, float], ...]
    score: float
    size: Size

    def json(self) -> dict[str, Any]:
        """'points' (x, y, confidence, in pixels of the image), 'score', and the image's 'size'."""
        return {"size": list(self.size), "score": self.score, "points": [list(p) for p in self.points]}

    def lines(self) -> tuple[str, ...]:
        """Score and surroundings of the face."""
        if not self.points:
            return ("no face found; a lower score finds more",)
        across, down = [round(p[0]) for p in self.points], [round(p[1]) for p in self.points]
        return (f"{self.score:7.2%}  face  {min(across)},{min(down)} to {max(across)},{max(down)}",)

    def shapes(self) -> tuple[Points, ...]:
        """The points with the lines of the face."""
        if not self.points:
            return ()
        width, height = self.size
        places = tuple((x / width, y / height) for x, y, _ in self.points)
        return (Points("face", 0, places, EDGES, score=self.score),)

    @property
    def hint(self) -> str:
        """The reason for an empty result."""
        if self.points:
            return ""
        return sentence(
            "No face is shown: the image scores {score}, less than the minimum score.",
            score=f"{self.score:.2f}",
        )


class FacePointsTask(ResultTask):
    """66 heat maps with their offsets, or 66 points."""

    id = "face_points"
    title = sentence("Face points")
    summary = sentence("Face points: jaw, brows, nose, eyes and mouth")
    icon = "task_points"
    order = 30
    settings: ClassVar[tuple[Setting, ...]] = (
        Share(
            name="score",
            label=sentence("Minimum score"),
            help=sentence("What is less certain is not shown."),
        ),
    )

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: by unique outputs."""
        found = any(_is_maps(output.shape) or _is_points(output.shape) for output in facts.outputs)
        return (
            Match(Evidence.DECLARED, sentence("66 maps with their offsets, or 66 points")) if found else None
        )

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values]:
        return "OpenSeeFace", {
            **{"colors": "RGB", "scale": "0..1", "mean": IMAGENET_MEAN, "std": IMAGENET_STD},
            "resize": "stretch",
        }

    def head(self, loaded: Loaded, values: Values) -> FacePointsHead:
        return FacePointsHead(loaded, values)


TASK: Final = FacePointsTask()


def _is_maps(shape: tuple[int, ...]) -> bool:
    return len(shape) == 4 and shape[0] in (0, 1) and shape[1] == 3 * COUNT and all(n != 1 for n in shape[2:])


def _is_points(shape: tuple[int, ...]) -> bool:
    return shape == (COUNT, 3)


class FacePointsHead(ReducingHead):
    """The places of 66 points, in the network's maps or in its list."""

    # As the project's tracker cuts faces out; eye to eye is level.
    enlarge = 1.25
    carry = RegionRule(start=(36, 39), end=(42, 45), extent=tuple(range(COUNT)), scale=1.25)

    def __init__(self, loaded: Loaded, values: Values) -> None:
        """Find the output, and compile for the session; raise ModelUnsupportedError if there is none."""
        self._output = _choose_output(loaded)
        self._is_maps = _is_maps(self._output.shape)
        self._preprocess = loaded.preprocess
        self.features = Features(TASK.id, usual={"score": USUAL_SCORE})
        self._gpu: GpuReduction | None = None
        if loaded.on_gpu:
            tensor = loaded.tensor(self._output.name)
            size = COUNT * _ENTRY.itemsize  # 1,056
            self._gpu = GpuReduction(
                loaded.gpu, _SHADER, _plan(tensor, is_maps=self._is_maps), (tensor,), size, groups=COUNT
            )
            self.result_buffer, self.result_bytes = self._gpu.result, size
        self.adjust(values)

    def adjust(self, values: Values) -> None:
        """See `Head`: the least score."""
        score = TASK.checked(values)["score"]
        self._score = USUAL_SCORE if score is None else score

    def decode(self, data: bytes | memoryview, size: Size) -> FacePoints:
        found = np.frombuffer(bytes(data), _ENTRY, COUNT)
        offsets, scores = found["offsets"].astype(np.float64), found["score"].astype(np.float64)
        if not self._is_maps:
            return self._result(offsets, scores, size)
        return self._result(self._placed(found["place"].astype(np.int64), offsets), scores, size)

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> FacePoints:
        output = outputs[self._output.name].astype(np.float64)
        if not self._is_maps:
            return self._result(output[:, :2], output[:, 2], size)
        maps = output[0].reshape(3, COUNT, -1)
        each = np.arange(COUNT)
        place = np.nan_to_num(maps[0], nan=-np.inf).argmax(axis=1)
        offsets = np.stack((maps[1, each, place], maps[2, each, place]), axis=1)
        return self._result(self._placed(place, offsets), maps[0, each, place], size)

    def _placed(self, place: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Rows and columns (n, 2) in pixels of the input, of places in the maps and the offsets there."""
        rows, columns = self._output.shape[2:]
        share = np.clip(offsets, _LEAST, 1.0 - _LEAST)
        logit = np.log(share / (1.0 - share)) / _LOGIT_FACTOR
        at = np.stack((place // columns / (rows - 1), place % columns / (columns - 1)), axis=1)
        return np.asarray((at + logit) * (self._preprocess.height - 1, self._preprocess.width - 1))

    def _result(self, rows_columns: np.ndarray, scores: np.ndarray, size: Size) -> FacePoints:
        scores = np.clip(np.nan_to_num(scores, nan=0.0), 0.0, 1.0)
        score = float(scores.mean()) if np.isfinite(rows_columns).all() else 0.0
        if score < self._score or not score:
            return FacePoints((), score, size)
        # A pixel's center is half a pixel from its edge, and the tracker counts centers.
        placed = to_picture(rows_columns[:, ::-1] + 0.5, self._preprocess, size)
        found = ((float(x), float(y), float(s)) for (x, y), s in zip(placed, scores, strict=True))
        return FacePoints(tuple(found), score, size)


def _choose_output(loaded: Loaded) -> TensorInfo:
    outputs = loaded.session.outputs
    for output in outputs:
        if _is_maps(output.shape) or _is_points(output.shape):
            return output
    shapes = ", ".join(f"'{info.name}' {list(info.shape)}" for info in outputs)
    raise ModelUnsupportedError(
        sentence(
            "{name} gives no points of a face: its outputs are {shapes}, where [1, 198, height, width] or "
            "[66, 3] is "
            "expected; choose another network.",
            name=loaded.file.name,
            shapes=shapes,
        ),
        (f"outputs {shapes}",),
    )


def _plan(tensor: Tensor, *, is_maps: bool) -> bytes:
    """struct Plan of the shader."""
    first = first_element(tensor)
    if not is_maps:
        return struct.pack(_PLAN, COUNT, 0, first, 1, tensor.shape[1], 0, 0, 0)
    cells = tensor.shape[2] * tensor.shape[3]
    last = tensor.layout == "NHWC"
    across, down = (1, max(tensor.padded_channels, tensor.shape[1])) if last else (cells, 1)
    return struct.pack(_PLAN, COUNT, cells, first, across, down, 0, 0, 0)
