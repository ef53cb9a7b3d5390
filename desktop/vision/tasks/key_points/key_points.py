"""Detect points of persons, hands, faces: positions in the image and confidences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError, UsageError
from desktop.base.wording import counted, sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Match
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.object_settings import DECODER, IOU, family_sentence, left_out_sentence
from desktop.vision.tasks.common.placing import to_picture
from desktop.vision.tasks.common.units import check_units, units_setting
from desktop.vision.tasks.key_points.decoder import (
    KeyPointDecoder,
    KeyPointDetections,
    NetworkView,
    PointLimits,
    PointReader,
)
from desktop.vision.tasks.key_points.decoders import all_decoders, decoder_named, find_decoder
from desktop.vision.tasks.key_points.decoders.landmarks import UNITS
from desktop.vision.tasks.key_points.gpu_points import MOST, GpuPoints
from desktop.vision.tasks.key_points.region_tracking import carry_rule
from desktop.vision.tasks.key_points.skeletons import SKELETONS, Skeleton, skeleton_named
from desktop.vision.tasks.shapes import Box, Points, Shape
from desktop.vision.tasks.task import (
    Features,
    Integer,
    Loaded,
    ReducingHead,
    Result,
    ResultTask,
    Setting,
    Share,
    Size,
    Values,
    Word,
)

# Of a box, as networks for one object are trained: mmpose's `GetBBoxCenterScale` has the same padding.
_SURROUNDINGS: Final = 1.25

KeyPoint = tuple[float, float, float]
"""(x, y, confidence in 0..1)"""


@dataclass(frozen=True)
class KeyPointObject:
    """One object with points (x and y in image pixels, confidence), in the order of the skeleton.

    The score is in 0..1; the box left, top, right, bottom in image pixels, None if the network gives none.
    """

    index: int
    label: str
    score: float
    points: tuple[KeyPoint, ...]
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class KeyPoints(Result):
    """A frame's objects with points, best first, in pixels of an image of `size` (width, height).

    Points below the confidence `least` are not shown; `left_out` is the number of objects not processed.
    """

    objects: tuple[KeyPointObject, ...]
    size: Size
    skeleton: Skeleton
    least: float = 0.0
    left_out: int = 0

    def json(self) -> dict[str, Any]:
        """Return 'objects' with 'points' (x, y in image pixels, confidence); see docs/key-points.md."""
        objects = [
            {
                "index": item.index,
                "label": item.label,
                "score": item.score,
                "box": None if item.box is None else list(item.box),
                "points": [list(point) for point in item.points],
            }
            for item in self.objects
        ]
        return {
            "size": list(self.size),
            "skeleton": self.skeleton.id,
            "names": list(self.skeleton.names),
            "objects": objects,
            "left_out": self.left_out,
        }

    def lines(self) -> tuple[str, ...]:
        """Score, name, and the points' number and surroundings of each object."""
        if not self.objects:
            return ("nothing found; a lower --score finds more",)
        found = []
        for item in self.objects:
            shown = self._shown(item)
            where = "" if not shown else f"  {_surroundings(shown)}"
            found.append(
                f"{item.score:7.2%}  {item.label:16} {len(shown)} of "
                f"{counted(len(item.points), 'point')}{where}"
            )
        if self.left_out:
            found.append(f"not processed: {counted(self.left_out, 'more candidate')}; raise --score")
        return tuple(found)

    def shapes(self) -> tuple[Shape, ...]:
        """Return each object's points with lines, and its box if any; points not shown have confidence 0."""
        width, height = self.size
        found: list[Shape] = []
        for number, item in enumerate(self.objects):
            boxed = item.box is not None
            if item.box is not None:
                left, top, right, bottom = item.box
                place = (left / width, top / height, right / width, bottom / height)
                found.append(Box(item.label, item.index, *place, score=item.score, thing=number))
            points = Points(
                "" if boxed else item.label,
                item.index,
                tuple((x / width, y / height) for x, y, _ in item.points),
                self.skeleton.edges,
                score=None if boxed else item.score,
                thing=number,
                confidences=tuple(s if s >= self.least else 0.0 for _, _, s in item.points),
            )
            if any(points.confidences):
                found.append(points)
        return tuple(found)

    @property
    def hint(self) -> str:
        """Sentence on candidates beyond the limit."""
        return left_out_sentence(self.left_out)

    def _shown(self, item: KeyPointObject) -> list[KeyPoint]:
        return [point for point in item.points if point[2] > 0.0 and point[2] >= self.least]


def _surroundings(points: list[KeyPoint]) -> str:
    across, down = [round(p[0]) for p in points], [round(p[1]) for p in points]
    return f"{min(across)},{min(down)} to {max(across)},{max(down)}"


class KeyPointsTask(ResultTask):
    """Points of objects, of a family with a decoder."""

    id = "key_points"
    title = sentence("Key points")
    summary = sentence("Key points: the joints of bodies, hands, faces")
    icon = "task_points"
    order = 12
    declared_as = ("pose",)
    command = "keypoints"
    command_help = "Find the joints of bodies, hands and faces in images and videos."
    settings: ClassVar[tuple[Setting, ...]] = (
        Share(
            name="score",
            label=sentence("Minimum score"),
            help=sentence("What is less certain is not shown."),
            option="minimum score of an object, 0 to 1 (default: depends on the network)",
            metavar="S",
        ),
        Share(
            name="point",
            label=sentence("Minimum of a point"),
            help=sentence("A point that is less certain is not shown, nor the lines to it."),
            option="least confidence of a point that counts, 0 to 1 (default: the network's usual)",
            metavar="S",
        ),
        Integer(
            name="most",
            min=1,
            max=MOST,
            default=20,
            label=sentence("At most"),
            help=sentence("How many objects are shown, the most certain first."),
            option=f"objects at most, 1 to {MOST}",
            metavar="N",
            folded=True,
        ),
        IOU,
        replace(DECODER, known=lambda: [(decoder.id, decoder.title) for decoder in all_decoders()]),
        units_setting(*UNITS),
        Word(
            name="skeleton",
            label=sentence("Skeleton"),
            help=sentence("What the points are, where the file does not tell it."),
            known=lambda: [(skeleton.id, skeleton.id) for skeleton in SKELETONS],
            live=False,
            folded=True,
            in_sidecar=True,
        ),
    )

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: outputs of a family's shapes and names."""
        found = find_decoder(facts)
        if found is None:
            return None
        return Match(found[1], sentence("outputs of {title}", title=found[0].title))

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values]:
        decoder = _choose_decoder(file, values["decoder"])
        return decoder.title, decoder.family(file.facts)

    def head(self, loaded: Loaded, values: Values) -> KeyPointsHead:
        return KeyPointsHead(loaded, _choose_decoder(loaded.file, values["decoder"]), values)


TASK: Final = KeyPointsTask()


class KeyPointsHead(ReducingHead):
    """A reader's results, converted to the image."""

    def __init__(self, loaded: Loaded, decoder: KeyPointDecoder, values: Values) -> None:
        """Compile for the outputs; raise ModelUnsupportedError if unfit, UsageError for a bad setting."""
        self.decoder = decoder
        self._preprocess = loaded.preprocess
        self._reader = _reader(loaded, decoder, values)
        self.skeleton = self._reader.skeleton
        self.carry = carry_rule(self.skeleton) if self._reader.is_single else None
        self.enlarge = _SURROUNDINGS
        usual = {"score": decoder.score, "point": decoder.point, "iou": decoder.iou, "decoder": decoder.id}
        self.features = Features(TASK.id, usual=usual)
        self.notes = (
            family_sentence(decoder.title, was_said=bool(values["decoder"])),
            sentence("Points: {name}.", name=self.skeleton.id or str(self.skeleton.count)),
        )
        self._gpu: GpuPoints | None = None
        if loaded.on_gpu:
            tensors = {name: loaded.tensor(name) for name in self._reader.outputs()}
            try:
                program = self._reader.program(tensors)
            except (LookupError, ValueError, TypeError) as error:
                raise _unlike(loaded, decoder) from error
            self._gpu = GpuPoints(loaded.gpu, program, self._reader)
            self.result_buffer, self.result_bytes = self._gpu.result, self._gpu.result_bytes  # at most 3,456
        self.adjust(values)

    def adjust(self, values: Values) -> None:
        """See `Head`: thresholds and the number of objects."""
        checked = TASK.checked(values)
        usual = self.features.usual
        score, point, iou = (
            usual[name] if checked[name] is None else checked[name] for name in ("score", "point", "iou")
        )
        # One tuple, so that onnxruntime's thread never reads a mix of old and new settings.
        self._limits = (PointLimits(score, iou, checked["most"]), point)
        if self._gpu is not None:
            self._gpu.adjust(self._limits[0])

    def decode(self, data: bytes | memoryview, size: Size) -> KeyPoints:
        assert self._gpu is not None
        return self._result(self._gpu.decode(data), size)

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> KeyPoints:
        try:
            found = self._reader.read(outputs, self._limits[0])
        except (LookupError, ValueError) as error:
            # A backend may determine the outputs' shapes only now.
            raise ModelUnsupportedError(_sentence_unlike(outputs, self.decoder)) from error
        return self._result(found, size)

    def _result(self, found: KeyPointDetections, size: Size) -> KeyPoints:
        limits, least = self._limits
        found = self._reader.finished(found)
        found = found.part(np.flatnonzero((found.scores >= limits.score) & (found.scores > 0))[: limits.most])
        seen = np.array((self._preprocess.width, self._preprocess.height), float)
        count = len(found.scores)
        flat = (found.points * seen).reshape(count, 2 * self.skeleton.count)
        placed = to_picture(flat, self._preprocess, size).reshape(found.points.shape)
        points = np.concatenate((placed, found.confidences[..., None]), axis=2)
        boxes: list[Any] = [None] * count
        if found.boxes is not None:
            corners = to_picture(found.boxes * np.tile(seen, 2), self._preprocess, size)
            boxes = [tuple(box) for box in np.clip(corners, 0.0, np.array(size * 2, float)).tolist()]
        labels = self._reader.labels
        things = tuple(
            KeyPointObject(
                index := int(found.classes[i]),
                labels[index] if index < len(labels) else self.skeleton.label,
                float(found.scores[i]),
                tuple((x, y, c) for x, y, c in points[i].tolist()),
                boxes[i],
            )
            for i in range(count)
        )
        return KeyPoints(things, size, self.skeleton, least, found.left_out)


def _choose_decoder(file: ModelFile, wanted: str) -> KeyPointDecoder:
    if wanted:
        decoder = decoder_named(wanted)
        if decoder is None:
            raise UsageError(
                sentence(
                    "There is no decoder '{wanted}'; choose one of {names}.",
                    wanted=wanted,
                    names=", ".join(d.id for d in all_decoders()),
                )
            )
        return decoder
    found = find_decoder(file.facts)
    if found is None:
        shapes = ", ".join(f"'{o.name}' {[d or 'any' for d in o.shape]}" for o in file.facts.outputs)
        raise ModelUnsupportedError(
            sentence(
                "{name} gives no key points of a family that Lightloom decodes ({names}): its outputs are "
                "{shapes}; "
                "choose another network, or state a decoder beside it.",
                name=file.name,
                names=", ".join(d.title for d in all_decoders()),
                shapes=shapes,
            ),
            (f"outputs {shapes}",),
        )
    return found[0]


def _reader(loaded: Loaded, decoder: KeyPointDecoder, values: Values) -> PointReader:
    """Return the decoder's reader; the user may have stated a wrong family."""
    plan, file = loaded.preprocess, loaded.file
    facts = replace(file.facts, input_shape=plan.shape, outputs=loaded.session.outputs)
    skeleton, units = _stated(values["skeleton"]), values["units"]
    check_units(units, UNITS)
    try:
        return decoder.reader(NetworkView(facts, (plan.width, plan.height), skeleton, units))
    except (LookupError, ValueError, TypeError) as error:
        raise _unlike(loaded, decoder) from error


def _stated(name: str) -> Skeleton | None:
    if not name:
        return None
    found = skeleton_named(name)
    if found is None:
        raise UsageError(
            sentence(
                "There is no skeleton '{wanted}'; choose one of {names}.",
                wanted=name,
                names=", ".join(s.id for s in SKELETONS),
            )
        )
    return found


def _unlike(loaded: Loaded, decoder: KeyPointDecoder) -> ModelUnsupportedError:
    shapes = ", ".join(f"'{o.name}' {list(o.shape)}" for o in loaded.session.outputs)
    return ModelUnsupportedError(
        sentence(
            "The outputs of {name} ({text}) are not those of {title}; choose another decoder or none.",
            name=loaded.file.name,
            text=shapes,
            title=decoder.title,
        ),
        (f"outputs {shapes}",),
    )


def _sentence_unlike(outputs: Mapping[str, np.ndarray], decoder: KeyPointDecoder) -> str:
    return sentence(
        "The network's outputs ({text}) are not those of {title}; choose another decoder or none.",
        text=", ".join(f"'{name}' {list(array.shape)}" for name, array in outputs.items()),
        title=decoder.title,
    )
