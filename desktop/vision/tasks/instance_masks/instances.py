"""Find objects and their pixels: boxes with names, scores and masks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import counted, sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.mask_ring import MaskRing, mask_pixels
from desktop.vision.tasks.common.object_settings import CLASSES, IOU, SCORE, left_out_sentence
from desktop.vision.tasks.common.placing import to_picture
from desktop.vision.tasks.detection.candidates import Candidates, choose_candidates, decode_boxes, rows
from desktop.vision.tasks.detection.detector import (
    DetectionLimits,
    checked_groups,
    class_labels,
    corners_of,
    family_class_names,
    suppressed,
    unknown_classes,
    with_names,
)
from desktop.vision.tasks.instance_masks.forms import Instances, find_instances
from desktop.vision.tasks.instance_masks.gpu_instances import MOST, GpuInstances
from desktop.vision.tasks.shapes import Mask
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

# Logits are clipped to this magnitude, as in the shader; the mask stays the same.
_LARGEST: Final = 1e4
# A mask is where its logit is above this: a probability of more than 0.5.
_EDGE: Final = 0.0


@dataclass(frozen=True)
class Instance:
    """One object: class, score in 0..1, box in image pixels; its mask's fraction of the image."""

    index: int
    label: str
    score: float
    box: tuple[float, float, float, float]
    area: float


@dataclass(frozen=True)
class InstanceMasks(Result):
    """A frame's objects, best first, each with a mask and a box in an image of `size` in pixels."""

    objects: tuple[Instance, ...]
    masks: tuple[Mask, ...] = field(repr=False)
    size: Size
    left_out: int = 0

    def json(self) -> dict[str, Any]:
        """Return it as for detection, with each mask's 'area', a fraction of the image."""
        objects = [asdict(item) for item in self.objects]
        return {"size": list(self.size), "objects": objects, "left_out": self.left_out}

    def lines(self) -> tuple[str, ...]:
        """Score, name, box and covered fraction of each object."""
        found = []
        for item in self.objects:
            left, top, right, bottom = (round(v) for v in item.box)
            found.append(
                f"{item.score:7.2%}  {item.label:16} {left},{top} to {right},{bottom}  covers {item.area:.2%}"
            )
        if self.left_out:
            found.append(f"not processed: {counted(self.left_out, 'more candidate')}; raise --score")
        return tuple(found) or ("nothing found; a lower --score finds more",)

    def shapes(self) -> tuple[Mask, ...]:
        """A mask an object, whose extents are its box."""
        return self.masks

    @property
    def hint(self) -> str:
        """Sentence on candidates beyond the limit."""
        return left_out_sentence(self.left_out)


class InstanceMasksTask(ResultTask):
    """Boxes with masks, in a form of forms.py."""

    id = "instance_masks"
    title = sentence("Instance masks")
    summary = sentence("Instance masks: objects and their pixels")
    icon = "task_mask"
    page = "segmentation.md"
    order = 15
    names_classes = True
    settings: ClassVar[tuple[Setting, ...]] = (SCORE, IOU, CLASSES)

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: a table with coefficients, and prototypes."""
        if find_instances(facts) is None:
            return None
        return Match(
            Evidence.DECLARED, sentence("a table of boxes with coefficients, and prototypes of masks")
        )

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values]:
        decoder = _instances_of(file.name, file.facts).decoder
        return decoder.title, decoder.preprocess

    def class_names(self, file: ModelFile, values: Values) -> tuple[str, ...]:
        """See `ResultTask`."""
        facts = file.facts
        decoder = _instances_of(file.name, facts).decoder
        with suppress(LookupError, ValueError):  # with free dimensions
            decoder = _instances_of(file.name, with_names(file, facts, decoder.groups(facts))).decoder
        return family_class_names(decoder, file) or super().class_names(file, values)

    def head(self, loaded: Loaded, values: Values) -> InstanceMasksHead:
        return InstanceMasksHead(loaded, values)


TASK: Final = InstanceMasksTask()


def _instances_of(name: str, facts: ModelFacts) -> Instances:
    found = find_instances(facts)
    if found is None:
        shapes = ", ".join(f"'{o.name}' {[d or 'any' for d in o.shape]}" for o in facts.outputs)
        raise ModelUnsupportedError(
            sentence(
                "{name} gives no boxes with mask coefficients and prototypes as YOLO networks for "
                "segmentation do: its outputs are "
                "{shapes}; choose another task.",
                name=name,
                shapes=shapes,
            ),
            (f"outputs {shapes}",),
        )
    return found


class InstanceMasksHead(ReducingHead):
    """Candidates, suppression and masks; computed on the GPU within the frame if the outputs are there.

    There the prototypes exist only until the next inference; choosing on the CPU later would mean storing
    3 MB a frame.
    """

    def __init__(self, loaded: Loaded, values: Values) -> None:
        """Compile for the outputs; raise ModelUnsupportedError if unfit, UsageError for a bad setting."""
        file, plan = loaded.file, loaded.preprocess
        known = replace(file.facts, input_shape=plan.shape, outputs=loaded.session.outputs)
        unnamed = _instances_of(file.name, known).decoder
        known = with_names(file, known, checked_groups(file.name, unnamed, known))
        self._form = _instances_of(file.name, known)
        self._decoder = self._form.decoder
        self._group = checked_groups(file.name, self._decoder, known)[0]
        self.labels = class_labels(self._decoder, (self._group,), file)
        usual = {"score": self._decoder.score, "iou": self._decoder.iou}
        self.features = Features(TASK.id, self.labels.names, usual)
        self.notes = (
            sentence("Its outputs are those of {title}.", title=self._decoder.title),
            sentence("Labels: {origin}.", origin=self.labels.origin),
            *unknown_classes(values["classes"], self.labels, self._group.numbers),
        )
        self._preprocess = plan
        self._ring = MaskRing(loaded.gpu, self._form.extent, min(MOST, self._group.anchors))
        self._gpu: GpuInstances | None = None
        if loaded.on_gpu:
            tensors = {info.name: loaded.tensor(info.name) for info in loaded.session.outputs}
            size = (plan.width, plan.height)
            self._gpu = GpuInstances(loaded.gpu, tensors, self._group, self._form, self._ring, size)
            self.result_buffer, self.result_bytes = self._gpu.result, self._gpu.result_bytes
        self.adjust(values)

    def adjust(self, values: Values) -> None:
        """See `Head`: thresholds and classes."""
        # One value, because onnxruntime's thread reads it.
        limits = DetectionLimits.of(TASK.checked(values), self._decoder, self.labels, self._group.numbers)
        self._limits = limits
        if self._gpu is not None:
            self._gpu.adjust(limits.score, limits.iou, limits.shown)

    def decode(self, data: bytes | memoryview, size: Size) -> InstanceMasks:
        assert self._gpu is not None
        found, areas, left_out, turn = self._gpu.decode(data)
        boxes = decode_boxes(self._decoder, found, (self._preprocess.width, self._preprocess.height))

        def reader(number: int) -> np.ndarray | None:
            layers = self._ring.fetch(turn)
            return None if layers is None else layers[number]

        return self._result(found, boxes, areas, turn, reader, size, left_out)

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> InstanceMasks:
        limits, form = self._limits, self._form
        found = choose_candidates(outputs, (self._group,), self._decoder.powers, limits.score, limits.shown)
        boxes = decode_boxes(self._decoder, found, (self._preprocess.width, self._preprocess.height))
        stay = suppressed(boxes, found, limits.iou)
        kept = stay[: self._ring.layers]
        left_out = len(stay) - len(kept) + found.passed - len(found.anchors)
        chosen = Candidates(
            found.anchors[kept], found.classes[kept], found.scores[kept], found.values[kept], found.passed
        )
        table = rows(outputs[form.coefficients.output], form.coefficients, form.count, self._group.anchors)
        prototypes = outputs[form.prototypes][0]
        planes = np.moveaxis(prototypes, -1, 0) if form.are_last else prototypes
        logits = mask_logits(table[chosen.anchors], planes)
        areas = self._areas(logits, boxes[kept])
        slot = self._ring.take()
        if len(logits):
            self._ring.put(slot, logits)

        def reader(number: int) -> np.ndarray:
            return logits[number]

        turn = self._ring.turn(slot)
        return self._result(chosen, boxes[kept], areas, turn, reader, size, left_out)

    def _areas(self, logits: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        """Return the texels of each mask in its box, int (instances,); boxes (n, 4) in input pixels."""
        height, width = logits.shape[1:]
        x = (np.arange(width) + 0.5) * self._preprocess.width / width
        y = (np.arange(height) + 0.5) * self._preprocess.height / height
        across = (x > boxes[:, :1]) & (x < boxes[:, 2:3])
        down = (y > boxes[:, 1:2]) & (y < boxes[:, 3:])
        inside = down[:, :, None] & across[:, None, :]
        return np.asarray((inside & (logits > _EDGE)).sum(axis=(1, 2)))

    def _result(
        self,
        found: Candidates,
        boxes: np.ndarray,
        areas: np.ndarray,
        turn: int,
        reader: Callable[[int], np.ndarray | None],
        size: Size,
        left_out: int,
    ) -> InstanceMasks:
        plan = self._preprocess
        seen = plan.box(*size)
        least = np.array((seen.target_x, seen.target_y) * 2, float)
        greatest = least + np.array((seen.target_width, seen.target_height) * 2)
        within = np.clip(boxes, least, greatest)
        placed = np.clip(to_picture(within, plan, size), 0.0, np.array(size * 2, float))
        parts = within / np.array((plan.width, plan.height) * 2, float)
        texels = seen.target_width / plan.width * seen.target_height / plan.height * np.prod(self._ring.size)
        # The part of the image in the input: all of it, except for a crop.
        share = min(1.0, seen.width * seen.height / (size[0] * size[1]))
        texture = self._ring.textures[turn % len(self._ring.textures)]
        objects, masks = [], []
        for number, (box, part) in enumerate(zip(placed, parts, strict=True)):
            left, top, right, bottom = corners_of(box)
            if not (right > left and bottom > top):
                continue
            index, score = int(found.classes[number]), float(found.scores[number])
            area = min(1.0, float(areas[number] / texels) * share)
            objects.append(Instance(index, self.labels[index], score, (left, top, right, bottom), area))
            place = (left / size[0], top / size[1], right / size[0], bottom / size[1])
            masks.append(
                Mask(
                    *(self.labels[index], index, texture, *place),
                    score=score,
                    layer=number,
                    part=corners_of(part),
                    level=_EDGE,
                    reader=_pixels(reader, number, corners_of(part), place, size),
                )
            )
        return InstanceMasks(tuple(objects), tuple(masks), size, left_out)


def _pixels(
    reader: Callable[[int], np.ndarray | None],
    number: int,
    part: tuple[float, float, float, float],
    place: tuple[float, float, float, float],
    size: Size,
) -> Callable[[], np.ndarray | None]:
    def read() -> np.ndarray | None:
        values = reader(number)
        return None if values is None else mask_pixels(values, part, place, size, _EDGE)

    return read


def mask_logits(coefficients: np.ndarray, prototypes: np.ndarray) -> np.ndarray:
    """Return mask logits, float32 (instances, height, width), clipped to +-1e4; NaN becomes -1e4, outside.

    They are coefficients (instances, n) times prototypes (n, height, width).
    """
    flat = prototypes.reshape(len(prototypes), -1).astype(np.float32)
    with np.errstate(all="ignore"):  # an untrusted network may give anything
        sums = coefficients.astype(np.float32) @ flat
    sums = np.clip(np.nan_to_num(sums, nan=-_LARGEST, posinf=_LARGEST, neginf=-_LARGEST), -_LARGEST, _LARGEST)
    return sums.reshape(-1, *prototypes.shape[1:])
