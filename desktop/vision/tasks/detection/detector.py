"""Find objects in an image: a detector's outputs become boxes with names and scores."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import numpy as np

from desktop.base.errors import Choice, ModelUnsupportedError
from desktop.base.wording import counted, sentence
from desktop.compute.nn.suppression import selected
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Match
from desktop.vision.models.labels import (
    Labels,
    choose_labels,
    coco_category_labels,
    coco_labels,
    metadata_labels,
    read_labels,
    sidecar_labels,
    with_background,
)
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.object_settings import CLASSES, DECODER, IOU, SCORE, left_out_sentence
from desktop.vision.tasks.common.placing import to_picture
from desktop.vision.tasks.common.units import units_setting
from desktop.vision.tasks.detection.candidates import (
    Candidates,
    choose_candidates,
    decode_boxes,
    decode_points,
    merged,
    most_candidates,
)
from desktop.vision.tasks.detection.decoder import AnchorGroup, Decoder
from desktop.vision.tasks.detection.decoders import all_decoders, matching
from desktop.vision.tasks.detection.gpu_candidates import GpuCandidates
from desktop.vision.tasks.detection.gpu_regions import GpuRegions
from desktop.vision.tasks.detection.reading import UNITS, OutputReading, assumed, choices, readings, tried
from desktop.vision.tasks.detection.tiles import TILES, frame_and_tiles, is_complete
from desktop.vision.tasks.shapes import Box
from desktop.vision.tasks.task import (
    Features,
    Loaded,
    ReducingHead,
    RegionRule,
    Result,
    ResultTask,
    Setting,
    Size,
    Trial,
    Tried,
    Values,
)

if TYPE_CHECKING:
    import wgpu

# Coordinates of points, in pixels of the image.
_FARTHEST: Final = 1e6


@dataclass(frozen=True)
class Detection:
    """One object: number and name of its class, score in 0..1, box and key points.

    The box is (left, top, right, bottom), a point (x, y), both in pixels of the image.
    """

    index: int
    label: str
    score: float
    box: tuple[float, float, float, float]
    points: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Detections(Result):
    """A frame's result: objects, best first, in pixels of `size` (width, height); number left out."""

    objects: tuple[Detection, ...]
    size: Size
    left_out: int = 0

    def json(self) -> dict[str, Any]:
        """Return 'objects' with 'points', if any, and boxes in image pixels, the 'size', and 'left_out'."""
        objects = [asdict(item) for item in self.objects]
        for item in objects:
            if not item["points"]:
                del item["points"]
        return {"size": list(self.size), "objects": objects, "left_out": self.left_out}

    def lines(self) -> tuple[str, ...]:
        """Score, name and box of each object, and which option finds more or leaves out less."""
        if not self.objects:
            return ("nothing found; a lower --score finds more",)
        found = []
        for item in self.objects:
            left, top, right, bottom = (round(v) for v in item.box)
            found.append(f"{item.score:7.2%}  {item.label:16} {left},{top} to {right},{bottom}")
        if self.left_out:
            found.append(f"not processed: {counted(self.left_out, 'more candidate')}; raise --score")
        return tuple(found)

    def shapes(self) -> tuple[Box, ...]:
        """A box an object."""
        width, height = self.size
        found = []
        for item in self.objects:
            left, top, right, bottom = item.box
            place = (left / width, top / height, right / width, bottom / height)
            points = tuple((x / width, y / height) for x, y in item.points)
            found.append(Box(item.label, item.index, *place, score=item.score, points=points))
        return tuple(found)

    @property
    def hint(self) -> str:
        """Sentence on candidates beyond the limit."""
        return left_out_sentence(self.left_out)


@dataclass(frozen=True)
class DetectionLimits:
    """Limits: least score, overlap at which the lower is suppressed, and shown classes, bool (classes,)."""

    score: float
    iou: float
    shown: np.ndarray

    @classmethod
    def of(cls, checked: Values, decoder: Decoder, labels: Labels, classes: int) -> Self:
        """Return the limits of checked settings; the family's defaults for unset ones."""
        wanted = {name.casefold() for name in checked["classes"]}
        shown = np.array([not wanted or labels[i].casefold() in wanted for i in range(classes)], bool)
        score, iou = (
            usual if given is None else given
            for given, usual in ((checked["score"], decoder.score), (checked["iou"], decoder.iou))
        )
        return cls(score, iou, shown)


class DetectionTask(ResultTask):
    """Boxes with names and scores, of a family with a decoder."""

    id = "detection"
    title = sentence("Object detection")
    short_title = sentence("Detection")
    summary = sentence("Object detection: boxes around objects")
    icon = "task_boxes"
    order = 20
    names_classes = True
    command = "detect"
    command_help = "Detect objects in images and videos: name, score and box of each."
    command_model = "detector"
    settings: ClassVar[tuple[Setting, ...]] = (
        SCORE,
        IOU,
        CLASSES,
        TILES,
        replace(DECODER, known=lambda: [(decoder.id, decoder.title) for decoder in all_decoders()]),
        units_setting(*UNITS),
    )

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: outputs of a family's shapes."""
        found = matching(facts)
        if not found:
            return None
        families = ", ".join(decoder.title for decoder, _ in found)
        return Match(found[0][1].evidence, sentence("outputs of {title}", title=families))

    def fixed_inputs(self, facts: ModelFacts, size: Size) -> Mapping[str, np.ndarray]:
        """See `Task`: those of the family that has such inputs."""
        given = (d.fixed_inputs(facts, size) for d in all_decoders() if d.fixed_inputs is not None)
        return next((values for values in given if values), {})

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values]:
        decoder = readings(file.name, file.facts, values)[0].family
        return decoder.title, decoder.preprocess

    def class_names(self, file: ModelFile, values: Values) -> tuple[str, ...]:
        """See `ResultTask`: those of the one family that it can be of."""
        families = {each.family.id: each.family for each in readings(file.name, file.facts, values)}
        if len(families) == 1:
            (family,) = families.values()
            if names := family_class_names(family, file):
                return names
        return super().class_names(file, values)

    def needs_trial(self, file: ModelFile, values: Values) -> bool:
        """See `ResultTask`: several families, or boxes in unknown units."""
        return len(readings(file.name, file.facts, values)) > 1

    def choices(self, file: ModelFile, values: Values) -> tuple[Choice, ...]:
        return choices(readings(file.name, file.facts, values))

    def tried(self, file: ModelFile, values: Values, trial: Trial) -> Tried:
        return tried(readings(file.name, file.facts, values), trial)

    def parts(self, preprocess: Preprocess, values: Values) -> tuple[Preprocess, ...]:
        return frame_and_tiles(preprocess, values["tiles"])

    def head(self, loaded: Loaded, values: Values) -> DetectionHead:
        return DetectionHead(loaded, _reading(loaded, values), values)


TASK: Final = DetectionTask()


class DetectionHead(ReducingHead):
    """Candidates, boxes and their suppression."""

    def __init__(self, loaded: Loaded, reading: OutputReading, values: Values) -> None:
        """Compile for the outputs; raise ModelUnsupportedError if unfit, UsageError for a bad setting."""
        file, session = loaded.file, loaded.session
        known = replace(file.facts, input_shape=loaded.preprocess.shape, outputs=session.outputs)
        self.decoder = decoder = reading.decoder
        self.region = decoder.region
        self._facts = with_names(file, known, checked_groups(file.name, decoder, known))
        self._groups = checked_groups(file.name, decoder, self._facts)
        self.labels = class_labels(decoder, self._groups, file)
        usual = {"score": decoder.score, "iou": decoder.iou, "decoder": decoder.id, "units": reading.units}
        self.features = Features(TASK.id, self.labels.names, usual)
        numbers = max(group.numbers for group in self._groups)
        self.notes = (
            *reading.notes,
            sentence("Labels: {origin}.", origin=self.labels.origin),
            *unknown_classes(values["classes"], self.labels, numbers),
        )
        self._preprocess, self._device = loaded.preprocess, loaded.gpu
        self._classes = max(group.numbers for group in self._groups)
        self._gpu: GpuCandidates | None = None
        if loaded.on_gpu:
            names = {name for group in self._groups for name in group.outputs}
            tensors = {name: loaded.tensor(name) for name in sorted(names)}
            self._gpu = GpuCandidates(loaded.gpu, tensors, self._groups, decoder.powers)
            self.result_buffer, self.result_bytes = self._gpu.result, self._gpu.result_bytes  # at most 3,456
        self.adjust(values)

    def adjust(self, values: Values) -> None:
        """See `Head`: thresholds and classes."""
        # One value, so that onnxruntime's thread never reads a mix of old and new settings.
        self._limits = DetectionLimits.of(TASK.checked(values), self.decoder, self.labels, self._classes)
        if self._gpu is not None:
            self._gpu.adjust(self._limits.score, self._limits.shown)

    @property
    def has_region_finder(self) -> bool:
        return self._gpu is not None and self.decoder.shader is not None

    def region_finder(self, regions: wgpu.GPUBuffer, rule: RegionRule, aspect: float) -> GpuRegions | None:
        if not self.has_region_finder or rule.extent:
            return None
        assert self._gpu is not None
        return GpuRegions(
            self._device,
            self._gpu,
            self.decoder,
            self._preprocess,
            regions,
            rule,
            aspect,
            lambda: self._limits.iou,
        )

    def decode(self, data: bytes | memoryview, size: Size) -> Detections:
        assert self._gpu is not None
        return self._detections(self._gpu.decode(data), size, self._limits.iou)

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> Detections:
        limits = self._limits
        return self._detections(self._candidates(outputs, limits), size, limits.iou)

    def read_parts(
        self, outputs: Sequence[Mapping[str, np.ndarray]], parts: Sequence[Preprocess], size: Size
    ) -> Detections:
        """See `Head`. What an inner edge of a tile cuts off is left to the other parts."""
        limits = self._limits
        read = []
        for each, part in zip(outputs, parts, strict=True):
            found = self._candidates(each, limits)
            boxes, points = self._placed(found, part, size)
            kept = np.flatnonzero(is_complete(boxes, part, size))
            read.append((found.at(kept), boxes[kept], points[kept]))
        every = Candidates.joined([found for found, _, _ in read])
        order = np.argsort(-every.scores, kind="stable")
        boxes, points = np.concatenate([row[1] for row in read]), np.concatenate([row[2] for row in read])
        return self._suppressed(every.at(order), boxes[order], points[order], size, limits.iou)

    def _candidates(self, outputs: Mapping[str, np.ndarray], limits: DetectionLimits) -> Candidates:
        groups = self._groups_of(outputs)
        most = most_candidates(groups)
        return choose_candidates(outputs, groups, self.decoder.powers, limits.score, limits.shown, most)

    def _groups_of(self, outputs: Mapping[str, np.ndarray]) -> tuple[AnchorGroup, ...]:
        """Return the groups of a run; with built-in suppression the number of rows differs between images."""
        if all(outputs[info.name].shape == info.shape for info in self._facts.outputs):
            return self._groups
        infos = (replace(info, shape=outputs[info.name].shape) for info in self._facts.outputs)
        return self.decoder.groups(replace(self._facts, outputs=tuple(infos)))

    def _detections(self, found: Candidates, size: Size, iou: float) -> Detections:
        return self._suppressed(found, *self._placed(found, self._preprocess, size), size, iou)

    def _placed(self, found: Candidates, preprocess: Preprocess, size: Size) -> tuple[np.ndarray, np.ndarray]:
        """Return boxes (n, 4) and points (n, 2 k) of candidates, in pixels of an image of a size."""
        inner = (preprocess.width, preprocess.height)
        boxes = in_picture(decode_boxes(self.decoder, found, inner), preprocess, size)
        return boxes, to_picture(decode_points(self.decoder, found, inner), preprocess, size)

    def _suppressed(
        self, found: Candidates, boxes: np.ndarray, points: np.ndarray, size: Size, iou: float
    ) -> Detections:
        kept = suppressed(boxes, found, iou)
        if self.decoder.merges:
            both = merged(np.hstack((boxes, points)), found, kept, iou)
            boxes, points = both[:, :4], both[:, 4:]
        objects = tuple(
            Detection(
                int(c := found.classes[i]),
                self.labels[int(c)],
                float(found.scores[i]),
                corners_of(boxes[i]),
                _pairs(points[i]),
            )
            for i in kept
        )
        return Detections(objects, size, found.passed - len(found.anchors))


def suppressed(boxes: np.ndarray, found: Candidates, iou: float) -> list[int]:
    """Return indices of the candidates kept by suppression within each class, best first.

    Args:
        boxes: corners (n, 4): left, top, right, bottom. Boxes without area are left out.
        found: the boxes' candidates, best first.
    """
    alive = np.flatnonzero((boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1]))
    kept: list[int] = []
    for index in np.unique(found.classes[alive]):
        of_class = alive[found.classes[alive] == index]
        stay = selected(boxes[of_class], found.scores[of_class], len(of_class), iou, None)
        kept += [int(i) for i in of_class[stay]]
    return sorted(kept)


def corners_of(box: np.ndarray) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom as plain numbers."""
    left, top, right, bottom = (float(v) for v in box)
    return left, top, right, bottom


def _pairs(row: np.ndarray) -> tuple[tuple[float, float], ...]:
    # If one is NaN or too far away, which can be neither drawn nor written, the object loses all its points.
    if not (np.abs(row) < _FARTHEST).all():
        return ()
    return tuple((float(x), float(y)) for x, y in row.reshape(-1, 2))


def in_picture(boxes: np.ndarray, preprocess: Preprocess, size: Size) -> np.ndarray:
    """Return corners (n, 4) in input pixels as corners in pixels of an image of a size, cut at its edges."""
    return np.clip(to_picture(boxes, preprocess, size), 0.0, np.array(size * 2, float))


def _reading(loaded: Loaded, values: Values) -> OutputReading:
    """The reading: as stated, as shown by the file or a trial run, or the default."""
    file, known = loaded.file, loaded.tried
    found = assumed(file.name, readings(file.name, file.facts, {**values, **known.values}))
    return replace(found, notes=known.notes) if known.notes else found


def checked_groups(name: str, decoder: Decoder, facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    """Return the decoder's groups; raise ModelUnsupportedError if the (stated) family is wrong."""
    shapes = {output.name: output.shape for output in facts.outputs}
    try:
        groups = decoder.groups(facts)
        for group in groups:
            scores = 1 if group.class_number else group.classes + group.others
            needed = [(group.box, group.box_columns), (group.scores, scores)]
            if group.extra is not None:
                needed.append((group.extra, group.extras))
            if group.rest is not None:
                needed.append((group.rest, 2))
            needed += [
                (columns, 1) for columns in (group.objectness, group.class_number) if columns is not None
            ]
            # A network with free rows may have none for the trial image.
            if group.classes < 1:
                raise ValueError("nothing to find")
            for columns, count in needed:
                if (columns.first + count) * group.anchors > math.prod(shapes[columns.output]):
                    raise ValueError("more columns than there are")
    except (LookupError, ValueError) as error:
        text = ", ".join(f"'{output}' {list(shape)}" for output, shape in shapes.items())
        raise ModelUnsupportedError(
            sentence(
                "The outputs of {name} ({text}) are not those of {title}; choose another decoder or none.",
                name=name,
                text=text,
                title=decoder.title,
            ),
            (f"outputs {text}",),
        ) from error
    return groups


def with_names(file: ModelFile, known: ModelFacts, groups: tuple[AnchorGroup, ...]) -> ModelFacts:
    """Return the facts with the names of the label file or the metadata if all groups have `class_number`.

    Raises ModelInvalidError if the file is unreadable.
    """
    if any(group.class_number is None for group in groups):
        return known
    path = sidecar_labels(file.path)
    found = read_labels(path) if path is not None else metadata_labels(known.metadata, may_be_one=True)
    if found is None:
        return known
    return replace(known, metadata={**known.metadata, "names": json.dumps(found.names)})


def class_labels(decoder: Decoder, groups: tuple[AnchorGroup, ...], file: ModelFile) -> Labels:
    """Return the names of a detector's classes: its file's, its family's, COCO's for 80, 90 and 91 classes, of lists
    for 81 too.

    Raises ModelInvalidError if its label file is unreadable.
    """
    classes = max(group.classes for group in groups)
    known = {80: coco_labels, 90: lambda: coco_category_labels(background=False), 91: coco_category_labels}
    usual = known.get(classes, lambda: None)()
    are_listed = all(group.class_number is not None for group in groups)
    if are_listed and classes == len(coco_labels()) + 1:
        usual = with_background(coco_labels())
    if usual is not None and are_listed:
        usual = Labels(usual.names, _assumed_origin(usual, file))
    named = metadata_labels(file.facts.metadata, may_be_one=True)
    if named is not None and len(named) == classes:  # also one name, which `choose_labels` leaves out
        usual = named
    elif named is not None and len(named) == classes - 1 and are_listed:
        usual = with_background(named)
    elif len(decoder.names) == classes:
        usual = Labels(decoder.names, decoder.title)
    return choose_labels(
        classes, model=file.path, input_name=file.facts.input_name, metadata=file.facts.metadata, usual=usual
    )


def _assumed_origin(usual: Labels, file: ModelFile) -> str:
    return sentence(
        "{names}, assumed because the file lists numbers of classes without names; write other names, one a line, "
        "into {labels}",
        names=usual.origin,
        labels=f"{file.path.stem}.labels.txt",
    )


def family_class_names(decoder: Decoder, file: ModelFile) -> tuple[str, ...]:
    """Return the names of the classes of a family's network; () where its file leaves their number open.

    Raises ModelInvalidError if its label file is unreadable.
    """
    try:
        groups = decoder.groups(file.facts)
        groups = decoder.groups(with_names(file, file.facts, groups))
    except (LookupError, ValueError):  # with free dimensions, or of another family than stated
        return ()
    return class_labels(decoder, groups, file).names if max(group.classes for group in groups) > 0 else ()


def unknown_classes(wanted: tuple[str, ...], labels: Labels, numbers: int = 0) -> list[str]:
    """Return a sentence for each wanted class that the network cannot give; `numbers`: of its classes."""
    known = {name.casefold() for name in labels.names}
    known |= {labels[number].casefold() for number in range(len(labels), numbers)}
    return [
        f"There is no class '{name}', so it is left out." for name in wanted if name.casefold() not in known
    ]
