"""Common part of tasks that detect objects: settings, and sentences about family and surplus candidates."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import Text, plural, sentence
from desktop.vision.tasks.task import Names, Share, Word

SCORE: Final = Share(
    name="score",
    label=sentence("Minimum score"),
    help=sentence("What is less certain is not shown."),
    option="least score, 0 to 1 (default: the network's usual)",
    metavar="S",
)
IOU: Final = Share(
    name="iou",
    label=sentence("Overlap (IoU)"),
    help=sentence("Of two boxes that share more than this, the less certain one goes."),
    option="overlap above which the lower of two boxes goes, 0 to 1",
    metavar="S",
    folded=True,
)
DECODER: Final = Word(
    name="decoder",
    label=sentence("Decoder"),
    help=sentence("How the network's outputs are read, where the file does not tell it rightly."),
    live=False,
    folded=True,
    in_sidecar=True,
)
CLASSES: Final = Names(
    name="classes",
    label=sentence("Classes shown"),
    option="classes to print (default: all)",
    metavar="A,B",
)


def family_sentence(title: str, *, was_said: bool) -> Text:
    """Return a sentence on the origin of a network's family: stated, or by its outputs' shapes."""
    if was_said:
        return sentence("The chosen decoder is {title}.", title=title)
    return sentence("Its outputs are those of {title}.", title=title)


def left_out_sentence(count: int) -> str:
    """Return a sentence about surplus candidates; '' for none."""
    if not count:
        return ""
    return plural(
        count,
        "%n candidate too many, left out; raise the score.",
        "%n candidates too many, left out; raise the score.",
    )
