"""Identify the columns of a detector's single table: a box, perhaps an objectness, a score for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.base.wording import Text, sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.models.labels import metadata_names
from desktop.vision.models.tail import Tail
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.detection.boxes import fits_pyramid, table
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns

_COCO: Final = 80
_NO_TAIL: Final = Tail()


@dataclass(frozen=True)
class Objectness:
    """Presence of an objectness column between the box and the classes, with the evidence."""

    there: bool
    evidence: Evidence
    reason: Text


def objectness_of(facts: ModelFacts, columns: int) -> Objectness | None:
    """Return True if the first output, a table of this many columns, has an objectness; None if unknown."""
    named = len(metadata_names(facts.metadata))
    channels = tail(facts).channels
    for there, classes in ((True, columns - 5), (False, columns - 4)):
        if classes == named > 0:
            return Objectness(there, Evidence.DECLARED, sentence("{count} names of classes", count=named))
    for there, classes in ((True, columns - 5), (False, columns - 4)):
        if classes in channels:
            reason = sentence("convolutions with {count} channels for the classes", count=classes)
            return Objectness(there, Evidence.OBSERVED, reason)
    for there, classes in ((True, columns - 5), (False, columns - 4)):
        if classes == _COCO:
            return Objectness(
                there, Evidence.CUSTOMARY, sentence("columns for COCO's {count} classes", count=classes)
            )
    return None


def groups_with_objectness(facts: ModelFacts) -> tuple[AnchorGroup, ...]:
    """Return the one group of a table [1, anchors, 5 + classes] of boxes, objectness and scores."""
    output = facts.outputs[0]
    anchors, columns = output.shape[1:]
    name = output.name
    return (AnchorGroup(anchors, columns - 5, Columns(name, 5), Columns(name, 0), Columns(name, 4)),)


def tail(facts: ModelFacts) -> Tail:
    """Return the operators after the last convolutions before the first output."""
    return facts.tails.get(facts.output_name or (facts.outputs[0].name if facts.outputs else ""), _NO_TAIL)


def tail_of(facts: ModelFacts, output: TensorInfo) -> Tail:
    """Return the operators after the last convolutions before an output."""
    return facts.tails.get(output.name, _NO_TAIL)


def is_sigmoid(facts: ModelFacts, output: TensorInfo) -> bool:
    """Return True if a sigmoid was already applied to an output, or to a part of it."""
    return "Sigmoid" in tail_of(facts, output).operators


def cells_table(facts: ModelFacts) -> tuple[int, int] | None:
    """Return (rows, columns) of an only output with a row for each cell of a pyramid of grids, or None."""
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 else None
    size = input_size(facts)
    if found is None or not all(size) or not found[0] or not fits_pyramid(found[0], size, 1):
        return None
    return found


def weakened(evidence: Evidence, least: Evidence) -> Evidence:
    """Return evidence of at most `least`: facts about the columns are no evidence of the coordinates."""
    return max(evidence, least, key=lambda each: each.value)
