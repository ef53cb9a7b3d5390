"""Units of a network's coordinates: pixels, fractions of the input's sides (TensorFlow Lite), or -1 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.tail import Tail
from desktop.vision.tasks.task import Word

# Factors after the convolutions: strides and anchors are larger, a division by an input's size is smaller.
_STRIDE: Final = 4.0
_SHARE: Final = 1 / 7.5
_UNITS: Final = {
    "pixels": sentence("pixels of the input"),
    "shares": sentence("shares of the input, 0 to 1"),
    "signed": sentence("-1 to 1 over the input"),
}


def units_setting(*names: str) -> Word:
    """Return the setting for coordinate units, with a task's choices of 'pixels', 'shares', 'signed'."""
    return Word(
        name="units",
        label=sentence("Coordinates"),
        help=sentence("What the network's coordinates are in, where the file does not tell it rightly."),
        option=f"what the network's coordinates are in: {', '.join(names)} (default: what the file or a trial run shows)",
        metavar="UNITS",
        known=lambda: [(name, _UNITS[name]) for name in names],
        live=False,
        folded=True,
        in_sidecar=True,
    )


def units_of_graph(facts: ModelFacts, output: str) -> Literal["pixels", "shares", ""]:
    """Return the units that the arithmetic after the convolutions shows; '' if it shows none."""
    end = facts.tails.get(output, Tail())
    if not end.is_known:
        return ""
    if any(factor <= _SHARE for factor in end.factors):
        return "shares"
    return "pixels" if any(factor >= _STRIDE for factor in end.factors) else ""


def units_of_exporter(facts: ModelFacts) -> Literal["pixels", "shares", ""]:
    """Return the units of Ultralytics' exports ('shares' in TensorFlow Lite's files); '' for others."""
    if facts.metadata.get("author") != "Ultralytics":
        return ""
    return "shares" if facts.producer.startswith("TensorFlow Lite") else "pixels"


def check_units(said: str, names: Sequence[str]) -> None:
    """Raise UsageError for units that a task does not have; '' means not stated."""
    if said and said not in names:
        raise UsageError(
            sentence(
                "There are no units '{wanted}'; choose one of {names}.", wanted=said, names=", ".join(names)
            )
        )
