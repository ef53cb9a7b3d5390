"""Find things in a picture: a detector's outputs become boxes with names and scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from desktop.compute.backends.loader import load_session
from desktop.compute.gpu.device import Gpu
from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import sentence_of
from desktop.compute.models.model_file import Model, ModelFile
from desktop.compute.models.preprocess import Preprocess, choose_preprocess
from desktop.compute.nn.ops.non_max_suppression import selected
from desktop.compute.nn.session import Precision, Session, recordable
from desktop.compute.presets.preset import NetworkSpec
from desktop.compute.running.picture_network import PictureNetwork, Reading, Size
from desktop.compute.tasks.detection.candidates import Candidates, choose_candidates, decode_boxes
from desktop.compute.tasks.detection.decoder import AnchorGroup, Decoder
from desktop.compute.tasks.detection.decoders import DECODERS, find_decoder
from desktop.compute.tasks.detection.gpu_candidates import GpuCandidates
from desktop.compute.tasks.labels import Labels, choose_labels, coco_labels, metadata_names
from desktop.errors import LightloomError, ModelUnsupportedError, UsageError
from desktop.wording import sentence


@dataclass(frozen=True)
class Detection:
    """One thing: its class's index and name, its score in 0..1, and its box (left, top, right, bottom) in pixels of the picture."""

    index: int
    label: str
    score: float
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Detections(Reading):
    """What a detector found in one frame.

    Attributes:
        objects: best first.
        size: (width, height) of the picture that the boxes are in.
        left_out: anchors that scored high enough and were not looked at, because there were too many.
    """

    objects: tuple[Detection, ...]
    size: Size
    left_out: int = 0


@dataclass(frozen=True)
class DetectionSettings:
    """What may be changed while a detector runs.

    Attributes:
        score: the least score in 0..1; None for what is usual for the network's family.
        iou: overlap (intersection over union, 0..1) above which the lower of two boxes of a class goes; None likewise.
        classes: names of the classes that are shown; all where it is empty.
        decoder: id of the family (decoders.py); '' for the one that the outputs show. Not to be changed while it runs.
    """

    score: float | None = None
    iou: float | None = None
    classes: tuple[str, ...] = ()
    decoder: str = ""

    @staticmethod
    def of(spec: NetworkSpec) -> DetectionSettings:
        """Return the part of a `NetworkSpec` that is about detection."""
        return DetectionSettings(spec.score, spec.iou, tuple(spec.classes), spec.decoder)


class DetectionHead:
    """Candidates, boxes and their suppression; a `TaskHead`.

    Attributes:
        decoder: the network's family.
        labels: names of the classes.
        settings: in use.
    """

    def __init__(
        self,
        gpu: Gpu,
        session: Session,
        groups: tuple[AnchorGroup, ...],
        decoder: Decoder,
        labels: Labels,
        preprocess: Preprocess,
        settings: DetectionSettings,
    ) -> None:
        """Compile what the session's backend needs; `groups` are what the decoder found in the session's outputs.

        Raises:
            UsageError: a setting that is out of its range.
            ModelUnsupportedError: the GPU path does not take the outputs.
        """
        self.decoder = decoder
        self.labels = labels
        self._groups = groups
        self._preprocess = preprocess
        self._classes = max(group.classes for group in self._groups)
        self._gpu: GpuCandidates | None = None
        recorded = recordable(session)
        if recorded is not None:
            names = {c.output for g in self._groups for c in (g.scores, g.box, g.objectness) if c is not None}
            tensors = {name: recorded.tensor(name) for name in sorted(names)}
            self._gpu = GpuCandidates(gpu, tensors, self._groups, decoder.powers)
        self.adjust(settings)

    def adjust(self, settings: DetectionSettings) -> None:
        """Use other thresholds and classes from the next frame on.

        Raises:
            UsageError: a threshold is not in 0..1.
        """
        score = self.decoder.score if settings.score is None else settings.score
        iou = self.decoder.iou if settings.iou is None else settings.iou
        for name, value in (("score", score), ("overlap", iou)):
            if not 0.0 <= value <= 1.0:
                raise UsageError(
                    sentence(
                        "The {name} threshold of a detector is {value}; give 0 to 1.", name=name, value=value
                    )
                )
        wanted = {name.casefold() for name in settings.classes}
        shown = np.array(
            [not wanted or self.labels[i].casefold() in wanted for i in range(self._classes)], bool
        )
        self.settings = settings
        # One tuple, because onnxruntime's thread reads it: it sees the old settings or the new ones, never some of each.
        self._limits = (score, iou, shown)
        if self._gpu is not None:
            self._gpu.adjust(score, shown)

    @property
    def result_buffer(self) -> Any:
        """See `TaskHead`."""
        return self._gpu.result if self._gpu else None

    @property
    def result_bytes(self) -> int:
        """At most 3,456."""
        return self._gpu.result_bytes if self._gpu else 0

    def encode(self, compute_pass: Any) -> None:
        """See `TaskHead`."""
        assert self._gpu is not None
        self._gpu.encode(compute_pass)

    def decode(self, data: bytes | memoryview, size: Size) -> Detections:
        """See `TaskHead`."""
        assert self._gpu is not None
        return self._detections(self._gpu.decode(data), size, self._limits[1])

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> Detections:
        """See `TaskHead`."""
        score, iou, shown = self._limits
        found = choose_candidates(outputs, self._groups, self.decoder.powers, score, shown)
        return self._detections(found, size, iou)

    def _detections(self, found: Candidates, size: Size, iou: float) -> Detections:
        plan = self._preprocess
        boxes = decode_boxes(self.decoder, found, (plan.width, plan.height))
        boxes = to_picture(boxes, plan, size)
        alive = np.flatnonzero((boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1]))
        kept: list[int] = []
        for index in np.unique(found.classes[alive]):
            of_class = alive[found.classes[alive] == index]
            stay = selected(boxes[of_class], found.scores[of_class], len(of_class), iou, None)
            kept += [int(i) for i in of_class[stay]]
        objects = tuple(
            Detection(
                int(c := found.classes[i]), self.labels[int(c)], float(found.scores[i]), _four(boxes[i])
            )
            for i in sorted(kept)
        )
        return Detections(objects, size, found.passed - len(found.anchors))

    def close(self) -> None:
        """Release its buffers."""
        if self._gpu is not None:
            self._gpu.close()


def _four(box: np.ndarray) -> tuple[float, float, float, float]:
    left, top, right, bottom = (float(v) for v in box)
    return left, top, right, bottom


def to_picture(boxes: np.ndarray, preprocess: Preprocess, size: Size) -> np.ndarray:
    """Return corners (n, 4) in input pixels as corners in pixels of a picture of a size, cut at its edges."""
    box = preprocess.box(*size)
    scale = np.array((box.width / box.target_width, box.height / box.target_height) * 2)
    origin, target = np.array((box.x, box.y) * 2), np.array((box.target_x, box.target_y) * 2)
    return np.clip((boxes - target) * scale + origin, 0.0, np.array(size * 2, float))


def load_detector(
    gpu: Gpu,
    model: Model,
    *,
    backend: str = "auto",
    precision: Precision = "auto",
    settings: DetectionSettings | None = None,
    preset: Mapping[str, Any] | None = None,
    threads: int | None = None,
) -> PictureNetwork:
    """Load a network that finds things, infer its family and preprocessing, find its labels. Its readings are `Detections`.

    Args:
        gpu: the device, which prepares the pictures whatever the backend.
        model: an ONNX file, by its path or open.
        backend: see `load_session`.
        precision: see `load_session`.
        settings: thresholds, classes, family.
        preset: preprocessing fields that override what is inferred and the sidecar.
        threads: threads of onnxruntime.

    Raises:
        ModelInvalidError: not a readable ONNX model, or a file beside it is broken.
        ModelUnsupportedError: its outputs are of no family that is known, or no backend takes it.
        UsageError: a value that its field or the network does not take.
    """
    settings = settings or DetectionSettings()
    with ModelFile.opened(model) as file:
        path, facts = file.path, file.facts
        decoder = _choose_decoder(path, facts, settings.decoder)
        preprocess, findings = choose_preprocess(
            path, facts, preset, family=(decoder.title, decoder.preprocess)
        )
        shapes = {facts.input_name: preprocess.shape} if 0 in facts.input_shape else None
        loaded = load_session(
            file, gpu=gpu, backend=backend, precision=precision, threads=threads, input_shapes=shapes
        )
    session = loaded.session
    try:
        known = replace(facts, input_shape=preprocess.shape, outputs=session.outputs)
        groups = _groups(path, decoder, known)
        labels = _labels(decoder, groups, path, facts)
        head = DetectionHead(gpu, session, groups, decoder, labels, preprocess, settings)
        notes = [
            f"{'It was said to be' if settings.decoder else 'Its outputs are those of'} {decoder.title}.",
            *map(sentence_of, findings),
        ]
        notes += [sentence("Labels: {origin}.", origin=labels.origin), *_unknown_classes(settings, labels)]
        return PictureNetwork(gpu, loaded, preprocess, facts, head, tuple(notes))
    except LightloomError:
        session.close()
        raise


def _choose_decoder(path: Path, facts: ModelFacts, wanted: str) -> Decoder:
    if wanted:
        found = next((d for d in DECODERS if d.id == wanted), None)
        if found is None:
            raise UsageError(
                sentence(
                    "There is no decoder '{wanted}'; choose one of {names}.",
                    wanted=wanted,
                    names=", ".join(d.id for d in DECODERS),
                )
            )
        return found
    found = find_decoder(facts)
    if found is None:
        shapes = ", ".join(f"'{o.name}' {[d or 'any' for d in o.shape]}" for o in facts.outputs)
        raise ModelUnsupportedError(
            sentence(
                "{name} is no detector of a family that Lightloom decodes ({names}): its outputs are {shapes}; "
                "choose another network.",
                name=path.name,
                names=", ".join(d.title for d in DECODERS),
                shapes=shapes,
            ),
            (f"outputs {shapes}",),
        )
    return found


def _groups(path: Path, decoder: Decoder, facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    """The decoder's groups; a family that was said need not be the network's."""
    shapes = {output.name: output.shape for output in facts.outputs}
    try:
        groups = decoder.groups(facts)
        for group in groups:
            needed = [(group.box, 4), (group.scores, 1 if group.class_number else group.classes)]
            needed += [
                (columns, 1) for columns in (group.objectness, group.class_number) if columns is not None
            ]
            if group.anchors < 1 or group.classes < 1:
                raise ValueError("nothing to find")
            for columns, count in needed:
                if (columns.first + count) * group.anchors > math.prod(shapes[columns.output]):
                    raise ValueError("more columns than there are")
    except (LookupError, ValueError, AssertionError) as error:
        text = ", ".join(f"'{name}' {list(shape)}" for name, shape in shapes.items())
        raise ModelUnsupportedError(
            sentence(
                "The outputs of {name} ({text}) are not those of {title}; choose another decoder or none.",
                name=path.name,
                text=text,
                title=decoder.title,
            ),
            (f"outputs {text}",),
        ) from error
    return groups


def _labels(decoder: Decoder, groups: tuple[AnchorGroup, ...], path: Path, facts: ModelFacts) -> Labels:
    classes = max(group.classes for group in groups)
    usual = coco_labels() if classes == 80 else None
    named = metadata_names(facts.metadata)
    if len(named) == classes:  # one name too, which `choose_labels` would take for a file's
        usual = Labels(named, sentence("the model's metadata 'names'"))
    elif len(decoder.names) == classes:
        usual = Labels(decoder.names, decoder.title)
    return choose_labels(classes, model=path, metadata=facts.metadata, usual=usual)


def _unknown_classes(settings: DetectionSettings, labels: Labels) -> list[str]:
    known = {name.casefold() for name in labels.names}
    return [
        f"There is no class '{name}', so it is left out."
        for name in settings.classes
        if name.casefold() not in known
    ]
