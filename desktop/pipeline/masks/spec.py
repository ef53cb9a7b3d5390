"""A mask as a value: the parts that it is made of, and what is done to their sum (docs/masks.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args

from desktop.base.fields import Field, Flag, Number, Selection, with_value
from desktop.base.wording import sentence
from desktop.pipeline.filters.param import Values, number_in
from desktop.vision.tasks.shapes import Extents

Join = Literal["add", "subtract", "intersect"]
IfMissing = Literal["last", "everywhere", "black"]

JOINS: Final[tuple[Join, ...]] = get_args(Join)
IF_MISSING: Final[tuple[IfMissing, ...]] = get_args(IfMissing)
MOST_PARTS: Final = 8

# The kind of part that reads another stage, and its parameter.
_STAGE: Final = "stage"


@dataclass(frozen=True)
class Attachment:
    """The tracked object that a drawn part moves with.

    Attributes:
        identity: of the track.
        extents: the object's box where the part was drawn, in fractions of the frame. The part moves and is
            scaled as the box is.
    """

    identity: int
    extents: Extents


@dataclass(frozen=True)
class MaskPart:
    """A part of a mask.

    Attributes:
        kind: name of a file in shaders/masks.
        values: its checked parameters.
        join: how it is joined with the parts before it. A first part that is subtracted is taken from the
            whole frame.
    """

    kind: str
    values: Values = field(default_factory=dict)
    join: Join = "add"
    inverted: bool = False
    attachment: Attachment | None = None

    @property
    def stage(self) -> int | None:
        """The id of the stage whose result a part of the kind 'stage' reads; None for other kinds."""
        return int(number_in(self.values, _STAGE)) if self.kind == _STAGE and _STAGE in self.values else None

    def reading(self, stage: int) -> MaskPart:
        """Return the part with another stage to read."""
        return replace(self, values={**self.values, _STAGE: stage})


@dataclass(frozen=True)
class MaskSpec:
    """A mask. Lengths are in percent of the frame's height, so that a mask fits any size.

    Attributes:
        parts: joined in order.
        inverted: the effect is where the parts are not.
        grow: enlarges the mask by this distance, or shrinks it if negative; the edge becomes a hard one.
        feather: standard deviation of the blur of its edge.
        refine: move the edge to the image's own edges (guided filter).
        if_missing: what is done while a part is not known for a frame (a network loads, is late or failed):
            'last' uses the last one, and no effect without one; 'everywhere' has the effect on the whole
            frame; 'black' shows a black frame. With the latter two the frame is also black if the effect
            itself cannot be computed.
    """

    parts: tuple[MaskPart, ...] = ()
    inverted: bool = False
    grow: float = 0.0
    feather: float = 0.0
    refine: bool = False
    if_missing: IfMissing = "last"

    @property
    def hides(self) -> bool:
        """True if nothing that the mask covers may be shown without the effect."""
        return self.if_missing != "last"

    def renumbered(self, numbers: Mapping[int, int]) -> MaskSpec:
        """Return the mask with parts that read the stages that `numbers` gives for theirs; others stay."""
        return replace(
            self,
            parts=tuple(
                part if part.stage is None else part.reading(numbers.get(part.stage, part.stage))
                for part in self.parts
            ),
        )


_FIELDS: Final[tuple[Field, ...]] = (
    Flag(
        "inverted",
        MaskSpec.inverted,
        label=sentence("Invert"),
        help=sentence("Have the effect where the mask is not."),
    ),
    Number(
        "grow",
        MaskSpec.grow,
        -10.0,
        10.0,
        step=0.1,
        unit="%",
        label=sentence("Grow"),
        help=sentence("Enlarge the mask, or shrink it; in percent of the frame's height."),
    ),
    Number(
        "feather",
        MaskSpec.feather,
        0.0,
        10.0,
        step=0.1,
        unit="%",
        label=sentence("Feather"),
        help=sentence("Softness of the mask's edge; in percent of the frame's height."),
    ),
    Flag(
        "refine",
        MaskSpec.refine,
        label=sentence("Follow edges"),
        help=sentence("Move the mask's edge to the nearest edges in the image, such as hair."),
    ),
    Selection(
        "if_missing",
        MaskSpec.if_missing,
        choices=IF_MISSING,
        titles={
            "last": sentence("the last mask"),
            "everywhere": sentence("effect everywhere"),
            "black": sentence("black frame"),
        },
        label=sentence("If the mask is missing"),
        help=sentence(
            "What is shown while a network has no mask for a frame. To hide something, choose the effect "
            "everywhere or a black frame."
        ),
    ),
)
MASK_FIELDS: Final[Mapping[str, Field]] = {each.name: each for each in _FIELDS}
"""The fields of a `MaskSpec` besides its parts, by name, in the order of the window's rows."""


def with_mask_value(spec: MaskSpec, name: str, value: Any) -> MaskSpec:
    """Return a mask with another value; raise UsageError for an unknown name or an invalid value."""
    return with_value(spec, MASK_FIELDS, name, value, of=sentence("the mask"))


def with_part(spec: MaskSpec, index: int, part: MaskPart | None) -> MaskSpec:
    """Return a mask with another part at `index`, or without that part."""
    parts = list(spec.parts)
    parts[index : index + 1] = [] if part is None else [part]
    return replace(spec, parts=tuple(parts))
