"""Settings of redaction, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from desktop.base.fields import Field, Flag, Integer, Names, Number, Selection, with_value
from desktop.base.wording import Text, sentence

HideKind = Literal["pixelate", "blur", "fill"]
Outline = Literal["fitting", "box"]

HIDE_KINDS: Final[tuple[HideKind, ...]] = get_args(HideKind)
OUTLINES: Final[tuple[Outline, ...]] = get_args(Outline)
_MOST_CLASSES: Final = 64
_LONGEST_CLASS: Final = 80


@dataclass(frozen=True)
class AnonymizeSpec:
    """Settings of redaction (docs/anonymize.md).

    Attributes:
        classes: names of the classes to hide, case ignored; empty for all that the network detects.
        kind, blocks: 'pixelate', 'blur' (with blocks along the longer side; fewer hide more) or one gray.
        margin: enlargement of an area on each side, in its width and height.
        outline: 'fitting' hides mask pixels if available, and ellipses around faces; 'box' boxes.
        hold: seconds for which the area of an undetected object stays hidden, following its motion.
        unseen: hide the whole frame without a result: none yet, or later than `hold`.
    """

    classes: tuple[str, ...] = ()
    kind: HideKind = "pixelate"
    blocks: int = 8
    margin: float = 0.15
    outline: Outline = "fitting"
    hold: float = 1.0
    unseen: bool = True

    def wants(self, label: str) -> bool:
        """Return True if a class is hidden; secondary labels follow the class ('dog: boxer')."""
        known = label.casefold()
        return not self.classes or any(
            known == name or known.startswith(f"{name}: ") for name in map(str.casefold, self.classes)
        )

    def missing(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """Return the classes missing in a network's names, which are never hidden; none without names."""
        known = {label.casefold() for label in labels}
        return tuple(name for name in self.classes if known and name.casefold() not in known)


def hides_others(before: AnonymizeSpec | None, spec: AnonymizeSpec | None) -> bool:
    """Return True if a spec may hide what the one before did not, or did less: earlier frames may show it."""
    if before is None or spec is None:
        return spec is not None
    return (
        before.classes != spec.classes
        or before.kind != spec.kind
        or before.outline != spec.outline
        or spec.blocks < before.blocks
        or spec.margin > before.margin
        or spec.hold > before.hold
        or (spec.unseen and not before.unseen)
    )


_OFTEN: Final = ("face", "person")


def usual_for(labels: tuple[str, ...]) -> AnonymizeSpec:
    """Return the default settings for a network with these classes: hide faces, else persons, else all."""
    known = {label.casefold(): label for label in labels}
    found = next((known[name] for name in _OFTEN if name in known), None)
    return AnonymizeSpec() if found is None else AnonymizeSpec((found,))


class _Classes(Names):
    """Names of classes, each once."""

    @property
    def expects(self) -> Text:
        return sentence("names of classes")

    def convert(self, value: Any) -> tuple[str, ...]:
        names = super().convert(value)
        if len(names) > _MOST_CLASSES or not all(0 < len(name) <= _LONGEST_CLASS for name in names):
            raise ValueError
        return tuple(dict.fromkeys(names))


_FIELDS: Final[tuple[Field, ...]] = (
    _Classes(
        "classes",
        AnonymizeSpec.classes,
        label=sentence("Classes"),
        help=sentence("Names of classes with commas between them; empty for all"),
    ),
    Selection(
        "kind",
        AnonymizeSpec.kind,
        choices=HIDE_KINDS,
        titles={"pixelate": sentence("pixelate"), "blur": sentence("blur"), "fill": sentence("fill")},
        label=sentence("How"),
        help=sentence("Blocks of their mean color, the same smoothed, or one gray."),
    ),
    Integer(
        "blocks",
        AnonymizeSpec.blocks,
        2,
        32,
        label=sentence("Blocks"),
        help=sentence(
            "How many blocks the longer side of a place has; fewer hide more. A blur is as strong."
        ),
    ),
    Number(
        "margin",
        AnonymizeSpec.margin,
        step=0.05,
        label=sentence("Margin"),
        help=sentence("By how much of its size a place is enlarged on each side."),
    ),
    Selection(
        "outline",
        AnonymizeSpec.outline,
        choices=OUTLINES,
        titles={"fitting": sentence("fitting"), "box": sentence("box")},
        label=sentence("Outline"),
        help=sentence(
            "Fitting: a mask where the network gives one, an ellipse around a face; else the whole box."
        ),
    ),
    Number(
        "hold",
        AnonymizeSpec.hold,
        max=10.0,
        step=0.25,
        unit="s",
        label=sentence("Hold"),
        help=sentence(
            "How long the region of an object that is no longer detected stays hidden, following its motion."
        ),
    ),
    Flag(
        "unseen",
        AnonymizeSpec.unseen,
        label=sentence("Hide unseen"),
        help=sentence(
            "Hide the whole frame while there is no result for it: before the first inference, and where "
            "results are late."
        ),
    ),
)
ANONYMIZE_FIELDS: Final[Mapping[str, Field]] = {field.name: field for field in _FIELDS}
"""The fields of an `AnonymizeSpec` by name, in the order of the window's rows."""


def with_anonymize_value(spec: AnonymizeSpec, name: str, value: Any) -> AnonymizeSpec:
    """Return a spec with another value; raise UsageError for an unknown setting or an invalid value."""
    return with_value(spec, ANONYMIZE_FIELDS, name, value, of=sentence("redaction"))
