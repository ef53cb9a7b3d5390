"""What the columns of a detector's one table are, as far as its file tells: a box, perhaps an objectness, a score for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence
from desktop.compute.models.labels import metadata_names
from desktop.compute.models.tail import Tail
from desktop.compute.nn.session import TensorInfo
from desktop.compute.tasks.common.maps import input_size
from desktop.compute.tasks.detection.boxes import fits_pyramid, table
from desktop.compute.tasks.detection.decoder import AnchorGroup, Columns
from desktop.wording import Text, sentence

_COCO: Final = 80
_NO_TAIL: Final = Tail()


@dataclass(frozen=True)
class Objectness:
    """Whether a table has a column for there being anything at all, between the box and the classes; and how that is known."""

    there: bool
    evidence: Evidence
    reason: Text


def objectness_of(facts: ModelFacts, columns: int) -> Objectness | None:
    """Return whether the first output, a table of so many columns, has an objectness; None where nothing tells."""
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
    """Return what stands behind the last convolutions on the way to the first output."""
    return facts.tails.get(facts.output_name or (facts.outputs[0].name if facts.outputs else ""), _NO_TAIL)


def tail_of(facts: ModelFacts, output: TensorInfo) -> Tail:
    """Return what stands behind the last convolutions on the way to an output."""
    return facts.tails.get(output.name, _NO_TAIL)


def is_sigmoid(facts: ModelFacts, output: TensorInfo) -> bool:
    """Tell whether a sigmoid was taken of an output, or of some of it, already."""
    return "Sigmoid" in tail_of(facts, output).operators


def cells_table(facts: ModelFacts) -> tuple[int, int] | None:
    """Return (rows, columns) of the only output where it is a table with a row for each cell of a pyramid of grids; None else."""
    found = table(facts.outputs[0]) if len(facts.outputs) == 1 else None
    size = input_size(facts)
    if found is None or not all(size) or not found[0] or not fits_pyramid(found[0], size, 1):
        return None
    return found


def weakened(evidence: Evidence, least: Evidence) -> Evidence:
    """Return evidence that is at most as good as `least`: what is known of the columns says nothing of the coordinates."""
    return max(evidence, least, key=lambda each: each.value)
