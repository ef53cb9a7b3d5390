"""Recognize and decode networks with suppression and separate boxes, scores and class numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.labels import is_background, metadata_names
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns

COCO: Final = 80
CATEGORIES: Final = 91
"""COCO's category numbers, 1 to 90 with gaps, for detectors with a background class 0."""
_NUMBER_NAMES: Final = ("class", "label")
_SCORE_NAMES: Final = ("score", "conf", "prob")
_COUNT_NAMES: Final = ("num",)
_MOST: Final = 10_000


@dataclass(frozen=True)
class DetectionLists:
    """Outputs: boxes [n, 4], scores and numbers [n], perhaps a count [1]; also with a batch of 1."""

    boxes: TensorInfo
    scores: TensorInfo
    numbers: TensorInfo
    count: TensorInfo | None

    @property
    def has_batch(self) -> bool:
        """The lists are those of a batch of one."""
        return len(self.boxes.shape) == 3

    def group(self, classes: int) -> AnchorGroup:
        """Return them as anchors whose classes are numbered from 0 to `classes` - 1."""
        score, box, number = (Columns(each.name, 0) for each in (self.scores, self.boxes, self.numbers))
        count = "" if self.count is None else self.count.name
        return AnchorGroup(self.boxes.shape[-2], classes, score, box, class_number=number, rows=count)


def find_lists(facts: ModelFacts) -> DetectionLists | None:
    """Return the network's lists, found by shape, type and name among its outputs; None if there are none."""
    boxes = [output for output in facts.outputs if _is_boxes(output)]
    if len(boxes) > 1:  # scores of four boxes [1, 4] may be one box without a batch
        boxes = [output for output in boxes if len(output.shape) == 3]
    if len(boxes) != 1:
        return None
    rows = [output for output in facts.outputs if _is_column(output, boxes[0])]
    rows = [output for output in rows if output.shape == boxes[0].shape[:-1]] or rows
    # In Detectron2, the image's size follows them.
    numbers = [output for output in rows if _is_integer(output)][:1]
    numbers = numbers or [output for output in rows if _named(output, _NUMBER_NAMES)]
    scores = [output for output in rows if output not in numbers and output.dtype.startswith("float")]
    if len(scores) > 1:
        scores = [output for output in scores if _named(output, _SCORE_NAMES)]
    if not len(numbers) == len(scores) == 1:
        return None
    return DetectionLists(boxes[0], scores[0], numbers[0], _count(facts, (boxes[0], numbers[0], scores[0])))


def _is_boxes(output: TensorInfo) -> bool:
    shape = output.shape
    lists = len(shape) in (2, 3) and shape[-1] == 4 and shape[:-2] in ((), (0,), (1,)) and shape[-2] <= _MOST
    return lists and output.dtype.startswith("float") and "raw" not in output.name.lower()


def _is_column(output: TensorInfo, boxes: TensorInfo) -> bool:
    """A number for each box: the boxes' shape less its last dimension, a free one standing for any."""
    wanted = boxes.shape[:-1]
    return len(output.shape) == len(wanted) and all(
        0 in (a, b) or a == b for a, b in zip(output.shape, wanted, strict=True)
    ) and not _named(output, _COUNT_NAMES)  # fmt: skip


def _is_integer(output: TensorInfo) -> bool:
    return output.dtype.startswith(("int", "uint"))


def _named(output: TensorInfo, words: tuple[str, ...]) -> bool:
    return any(word in output.name.lower() for word in words)


def _count(facts: ModelFacts, taken: tuple[TensorInfo, ...]) -> TensorInfo | None:
    left = [
        output
        for output in facts.outputs
        if output not in taken and output.shape in ((1,), (0,), (1, 1), (0, 1))
    ]
    named = [output for output in left if _named(output, _COUNT_NAMES)]
    return next(iter(named or left), None)


def counted_classes(facts: ModelFacts, usual: int = COCO, *, background: bool | None = None) -> int:
    """Return the number of classes by metadata, or `usual` without names.

    `background`: True if number 0 is the background, which the names may have, False if it is the first class
    after it, None if the names count as they are.
    """
    names = metadata_names(facts.metadata)
    if not names:
        return usual
    return len(names) if background is None else len(names) + background - is_background(names[0])


def groups_with_background(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    """Return the one group of lists whose class 0 is the background."""
    found = find_lists(facts)
    if found is None:
        raise ValueError("outputs of another family")
    return (found.group(counted_classes(facts, CATEGORIES, background=True)),)
