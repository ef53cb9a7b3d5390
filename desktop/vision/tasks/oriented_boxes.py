"""Detect objects at any angle, as in aerial images: boxes with a direction (YOLOv8-obb, 11 and later).

A detector's table with the angle last, [1, 4 + classes + 1, anchors], or [1, boxes, 7] with suppression;
center and sides in input pixels, the first side turned clockwise from x. Recognized by metadata (task 'obb')
or the user's statement, as its shape is that of a detector with one more class. Suppression is by ProbIoU
(arXiv:2106.06072): 1 less the Hellinger distance of normal distributions with the boxes' covariance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import counted, sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Match
from desktop.vision.models.labels import metadata_names
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.object_settings import CLASSES, IOU, SCORE, left_out_sentence
from desktop.vision.tasks.common.placing import to_picture
from desktop.vision.tasks.common.units import check_units, units_of_exporter, units_of_graph, units_setting
from desktop.vision.tasks.detection.boxes import table
from desktop.vision.tasks.detection.candidates import Candidates, choose_candidates, most_candidates
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.vision.tasks.detection.decoders import end_to_end, yolov8
from desktop.vision.tasks.detection.detector import (
    DetectionLimits,
    checked_groups,
    class_labels,
    family_class_names,
    unknown_classes,
    with_names,
)
from desktop.vision.tasks.detection.gpu_candidates import GpuCandidates
from desktop.vision.tasks.detection.reading import UNITS
from desktop.vision.tasks.shapes import Polygon
from desktop.vision.tasks.task import (
    Features,
    Loaded,
    ReducingHead,
    Result,
    ResultTask,
    Setting,
    Size,
    Values,
)

_DECLARED: Final = "obb"
_LISTED: Final = 7
_DOTA: Final = 15  # classes of DOTA 1.0, which such networks are mostly trained on
# Sides beyond this are no sides; their squares must stay numbers.
_LONGEST: Final = 1e6
# In input pixels: corners closer than float64 resolves near a coordinate are no box.
_SHORTEST: Final = 1e-6


@dataclass(frozen=True)
class OrientedBox:
    """One object; score in 0..1; center, sides and corners, in turn, in image pixels, also outside it.

    `angle` is of the first side from the x axis, clockwise, in degrees from 0 to 90.
    """

    index: int
    label: str
    score: float
    corners: tuple[tuple[float, float], ...]
    center: tuple[float, float]
    size: tuple[float, float]
    angle: float


@dataclass(frozen=True)
class OrientedBoxes(Result):
    """A frame's result: objects, best first, the image's (width, height), and how many were left out."""

    objects: tuple[OrientedBox, ...]
    size: Size
    left_out: int = 0

    def json(self) -> dict[str, Any]:
        """'objects' with corners, center, size and angle, the image's 'size', and 'left_out'."""
        objects = [asdict(item) for item in self.objects]
        return {"size": list(self.size), "objects": objects, "left_out": self.left_out}

    def lines(self) -> tuple[str, ...]:
        """Score, name, center, sides and angle of each object."""
        found = []
        for item in self.objects:
            (x, y), (w, h) = item.center, item.size
            found.append(
                f"{item.score:7.2%}  {item.label:16} {w:.0f} x {h:.0f} at {x:.0f},{y:.0f}, "
                f"{item.angle:.0f} degrees"
            )
        if self.left_out:
            found.append(f"not processed: {counted(self.left_out, 'more candidate')}; raise --score")
        return tuple(found) or ("nothing found; a lower --score finds more",)

    def shapes(self) -> tuple[Polygon, ...]:
        """An outline an object."""
        width, height = self.size
        return tuple(
            Polygon(o.label, o.index, tuple((x / width, y / height) for x, y in o.corners), score=o.score)
            for o in self.objects
        )

    @property
    def hint(self) -> str:
        """Sentence on candidates beyond the limit."""
        return left_out_sentence(self.left_out)


class OrientedBoxesTask(ResultTask):
    """Boxes with a direction."""

    id = "oriented_boxes"
    title = sentence("Oriented boxes")
    summary = sentence("Oriented boxes: objects at any angle")
    icon = "task_boxes"
    page = "detection.md"
    order = 25
    declared_as = (_DECLARED,)
    names_classes = True
    settings: ClassVar[tuple[Setting, ...]] = (SCORE, IOU, CLASSES, units_setting(*UNITS))

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: by the metadata alone, which is read before this."""
        return None

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values]:
        decoder = _decoder(file.name, file.facts)
        return decoder.title, decoder.preprocess

    def class_names(self, file: ModelFile, values: Values) -> tuple[str, ...]:
        """See `ResultTask`."""
        return family_class_names(_decoder(file.name, file.facts), file) or super().class_names(file, values)

    def head(self, loaded: Loaded, values: Values) -> OrientedBoxesHead:
        return OrientedBoxesHead(loaded, values)


TASK: Final = OrientedBoxesTask()


def _decoder(name: str, facts: ModelFacts) -> Decoder:
    """The detector that the network is but for its last column."""
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 else None
    if found is not None and found[1] == _LISTED and found[0] > _LISTED:
        return replace(end_to_end.DECODER, title="YOLO-obb with its own suppression", groups=_list)
    if found is not None and (found[0] > 5 or not found[0]) and (not found[1] or found[0] < found[1]):
        return replace(yolov8.DECODER, title="YOLOv8-obb", groups=_table)
    shapes = ", ".join(f"'{o.name}' {[d or 'any' for d in o.shape]}" for o in facts.outputs)
    raise ModelUnsupportedError(
        sentence(
            "{name} gives no oriented boxes as YOLO networks do: its outputs are {shapes}; choose another "
            "task.",
            name=name,
            shapes=shapes,
        ),
        (f"outputs {shapes}",),
    )


def _table(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    name, (rows, anchors) = output.name, output.shape[1:]
    scores, box, angle = (Columns(name, first, False) for first in (4, 0, rows - 1))
    return (AnchorGroup(anchors, rows - 5, scores, box, extra=angle, extras=1),)


def _list(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    output = facts.outputs[0]
    classes = len(metadata_names(facts.metadata)) or _DOTA
    box, score, number, angle = (Columns(output.name, first) for first in (0, 4, 5, 6))
    return (AnchorGroup(output.shape[1], classes, score, box, class_number=number, extra=angle, extras=1),)


class OrientedBoxesHead(ReducingHead):
    """Candidates, their angles, and their suppression."""

    def __init__(self, loaded: Loaded, values: Values) -> None:
        """Compile for the outputs; raise ModelUnsupportedError if unfit, UsageError for a bad setting."""
        file = loaded.file
        known = replace(file.facts, input_shape=loaded.preprocess.shape, outputs=loaded.session.outputs)
        self._decoder = _decoder(file.name, known)
        known = with_names(file, known, checked_groups(file.name, self._decoder, known))
        self._groups = checked_groups(file.name, self._decoder, known)
        self.labels = class_labels(self._decoder, self._groups, file)
        usual = {"score": self._decoder.score, "iou": self._decoder.iou}
        self.features = Features(TASK.id, self.labels.names, usual)
        self.notes = (
            sentence("Its outputs are those of {title}.", title=self._decoder.title),
            sentence("Labels: {origin}.", origin=self.labels.origin),
            *unknown_classes(values["classes"], self.labels, self._groups[0].numbers),
        )
        self._preprocess = loaded.preprocess
        box = self._groups[0].box.output
        check_units(values["units"], UNITS)
        units = values["units"] or units_of_graph(file.facts, box) or units_of_exporter(file.facts)
        size = (loaded.preprocess.width, loaded.preprocess.height)
        self._scale = np.array((*size * 2, 1) if units == "shares" else (1,) * 5, float)
        self._gpu: GpuCandidates | None = None
        if loaded.on_gpu:
            name = self._groups[0].box.output
            tensors = {name: loaded.tensor(name)}
            self._gpu = GpuCandidates(loaded.gpu, tensors, self._groups, self._decoder.powers)
            self.result_buffer, self.result_bytes = self._gpu.result, self._gpu.result_bytes
        self.adjust(values)

    def adjust(self, values: Values) -> None:
        """See `Head`: thresholds and classes."""
        # One value, because onnxruntime's thread reads it.
        classes = self._groups[0].numbers
        self._limits = DetectionLimits.of(TASK.checked(values), self._decoder, self.labels, classes)
        if self._gpu is not None:
            self._gpu.adjust(self._limits.score, self._limits.shown)

    def decode(self, data: bytes | memoryview, size: Size) -> OrientedBoxes:
        assert self._gpu is not None
        return self._result(self._gpu.decode(data), size)

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> OrientedBoxes:
        limits, most = self._limits, most_candidates(self._groups)
        powers = self._decoder.powers
        found = choose_candidates(outputs, self._groups, powers, limits.score, limits.shown, most)
        return self._result(found, size)

    def _result(self, found: Candidates, size: Size) -> OrientedBoxes:
        boxes = np.concatenate((found.values, found.extras), axis=1) * self._scale
        with np.errstate(all="ignore"):  # an untrusted network may give anything
            sound = np.isfinite(boxes).all(axis=1) & (np.abs(boxes) < _LONGEST).all(axis=1)
            alive = np.flatnonzero(sound & (boxes[:, 2:4] > _SHORTEST).all(axis=1))
        kept = alive[unlike_betters(boxes[alive], found.classes[alive], self._limits.iou)]
        corners = to_picture(corners_of(boxes[kept]).reshape(-1, 8), self._preprocess, size)
        objects = tuple(
            self._object(int(found.classes[number]), float(found.scores[number]), four)
            for number, four in zip(kept, corners.reshape(-1, 4, 2), strict=True)
        )
        return OrientedBoxes(objects, size, found.passed - len(found.anchors))

    def _object(self, index: int, score: float, corners: np.ndarray) -> OrientedBox:
        center, across, down = corners.mean(axis=0), corners[1] - corners[0], corners[3] - corners[0]
        sides = (math.hypot(*across), math.hypot(*down))
        # A box that is turned by a quarter is one with its sides exchanged.
        angle = math.degrees(math.atan2(across[1], across[0])) % 180.0
        if angle >= 90.0:
            angle, sides = angle - 90.0, sides[::-1]
        return OrientedBox(
            index,
            self.labels[index],
            score,
            tuple((float(x), float(y)) for x, y in corners),
            (float(center[0]), float(center[1])),
            sides,
            angle,
        )


def corners_of(boxes: np.ndarray) -> np.ndarray:
    """Return corners (n, 4, 2), in turn, of boxes (n, 5): center, sides, angle in radians."""
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    across = np.stack((cos, sin), 1) * boxes[:, 2:3] / 2
    down = np.stack((-sin, cos), 1) * boxes[:, 3:4] / 2
    middle = boxes[:, :2]
    turns = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.stack([middle + x * across + y * down for x, y in turns], axis=1)


def prob_iou(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the ProbIoU of boxes (n, 5) and (m, 5): 1 less the Hellinger distance, (n, m) in 0..1."""
    first, second = (_covariances(each) for each in (boxes, others))
    both = (first[:, None] + second[None]) / 2
    apart = boxes[:, None, :2] - others[None, :, :2]
    determinant = _determinant(both)
    # d' S^-1 d for the 2 x 2 matrix [[a, c], [c, b]].
    a, b, c = both[..., 0], both[..., 1], both[..., 2]
    x, y = apart[..., 0], apart[..., 1]
    distance = (b * x * x - 2 * c * x * y + a * y * y) / determinant / 8
    spread = np.sqrt(_determinant(first)[:, None] * _determinant(second)[None])
    bhattacharyya = distance + np.log(np.maximum(determinant / spread, 1.0)) / 2
    return np.asarray(1 - np.sqrt(1 - np.exp(-np.maximum(bhattacharyya, 0.0))))


def _covariances(boxes: np.ndarray) -> np.ndarray:
    """(n, 3): a, b, c of [[a, c], [c, b]]; a uniform box of side w has the variance w^2 / 12."""
    across, down = np.maximum(boxes[:, 2] ** 2 / 12, 1e-6), np.maximum(boxes[:, 3] ** 2 / 12, 1e-6)
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    return np.stack(
        (
            across * cos**2 + down * sin**2,
            across * sin**2 + down * cos**2,
            (across - down) * cos * sin,
        ),
        axis=1,
    )


def _determinant(matrices: np.ndarray) -> np.ndarray:
    # For long thin boxes the two products are nearly equal: their difference must not be 0.
    a, b, c = matrices[..., 0], matrices[..., 1], matrices[..., 2]
    return np.maximum(a * b - c * c, 1e-12)


def unlike_betters(boxes: np.ndarray, classes: np.ndarray, iou: float) -> np.ndarray:
    """Return the boxes (n, 5) less similar than `iou` to all better ones of a class, suppressed or not."""
    if iou >= 1.0:
        return np.arange(len(boxes))
    alike = prob_iou(boxes, boxes) >= iou
    better = np.triu(np.ones((len(boxes), len(boxes)), bool), 1)
    return np.flatnonzero(~(alike & better & (classes[:, None] == classes[None])).any(axis=0))
