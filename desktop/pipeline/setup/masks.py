"""Masks as tables: `[filter.mask]` of a preset, untrusted (docs/masks.md lists its keys).

    [filter.mask]
    feather = 1.5                   # as `inverted`, `grow`, `refine` and `if_missing`: only what is not usual
    [[filter.mask.part]]
    kind = "ellipse"
    join = "subtract"               # only if it is not "add"
    inverted = true                 # only if it is
    values = { width = 30.0 }
    attachment = { identity = 7, extents = [0.1, 0.2, 0.3, 0.6] }

A part of kind 'stage' gives the effect that it reads by its position among the filters, from 1; 0 stands for one
that has been removed. A mask with an invalid part is refused as a whole, since the rest would be another mask.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.wording import Text, sentence
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import Values, number_in
from desktop.pipeline.filters.params.points import lines_of
from desktop.pipeline.masks.sources import NEEDS_RESULTS
from desktop.pipeline.masks.spec import (
    JOINS,
    MASK_FIELDS,
    MOST_PARTS,
    Attachment,
    MaskPart,
    MaskSpec,
    with_mask_value,
)
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.shapes import Extents
from desktop.vision.tracking.zones import ZoneSpec

_STAGE: Final = "stage"
_LARGEST_IDENTITY: Final = 2**31 - 1
# An object may be partly outside of the frame.
_FARTHEST: Final = 10.0


# -- writing -------------------------------------------------------------------------------------------------


def mask_table(
    mask: MaskSpec, stages: Sequence[StageSpec], values_table: Callable[[str, Values], dict[str, Any]]
) -> dict[str, Any]:
    """Return the table of a mask.

    Args:
        mask: the mask.
        stages: those of the chain, by which the effects are numbered that the mask reads.
        values_table: (kind, values of a part) -> the values as TOML has them.
    """
    positions = {stage.id: number for number, stage in enumerate(stages, 1)}
    table = {
        name: getattr(mask, name)
        for name, field in MASK_FIELDS.items()
        if getattr(mask, name) != field.default
    }
    parts = [_part_table(part, positions, values_table) for part in mask.parts]
    return table | ({"part": parts} if parts else {})


def _part_table(
    part: MaskPart, positions: Mapping[int, int], values_table: Callable[[str, Values], dict[str, Any]]
) -> dict[str, Any]:
    table: dict[str, Any] = {"kind": part.kind}
    if part.join != MaskPart.join:
        table["join"] = part.join
    if part.inverted:
        table["inverted"] = True
    table["values"] = values_table(part.kind, part.values)
    if part.stage is not None:
        table["values"][_STAGE] = positions.get(part.stage, 0)
    if part.attachment is not None:
        extents = [round(value, 5) for value in part.attachment.extents]
        table["attachment"] = {"identity": part.attachment.identity, "extents": extents}
    return table


# -- reading -------------------------------------------------------------------------------------------------


def hides(given: Any) -> bool:
    """Return whether the table of a mask, valid or not, says that nothing may be shown without the effect."""
    # What cannot be read was not meant to be the usual, which would not be written.
    return isinstance(given, dict) and given.get("if_missing", "last") != "last"


def read_mask(
    given: Any,
    library: FilterLibrary,
    stages: Sequence[int | None],
    check: Callable[[Filter, Mapping[str, Any]], Values],
    warn: Callable[[Text], None],
) -> MaskSpec:
    """Read the table of a mask; raise LightloomError if a part of it cannot be read.

    Args:
        given: the key `mask` of a filter.
        library: has the kinds of masks.
        stages: the id of each stage of the preset, None for one that was left out.
        check: (kind, given values) -> all values, checked; raises LightloomError.
        warn: called for each key that is left out.
    """
    if not isinstance(given, dict):
        raise UsageError(sentence("'mask' is not a table; write it as [filter.mask]."))
    mask, table = MaskSpec(), dict(given)
    parts = table.pop("part", [])
    for name, value in table.items():
        if name in MASK_FIELDS:
            mask = with_mask_value(mask, name, value)
        else:
            warn(sentence("'{key}' is not known and was left out.", key=f"mask.{name}"))
    if not isinstance(parts, list):
        raise UsageError(sentence("'mask.part' is not a list; write each part as [[filter.mask.part]]."))
    if len(parts) > MOST_PARTS:
        raise UsageError(
            sentence("The mask has {count} parts; give at most {most}.", count=len(parts), most=MOST_PARTS)
        )
    return MaskSpec(
        tuple(_read_part(part, library, stages, check, warn) for part in parts),
        **{name: getattr(mask, name) for name in MASK_FIELDS},
    )


def _read_part(
    given: Any,
    library: FilterLibrary,
    stages: Sequence[int | None],
    check: Callable[[Filter, Mapping[str, Any]], Values],
    warn: Callable[[Text], None],
) -> MaskPart:
    if not isinstance(given, dict) or not isinstance(given.get("kind"), str):
        raise UsageError(sentence("A part of the mask has no kind; give one, such as person."))
    table = dict(given)
    kind = library.mask(table.pop("kind"))
    values, join, inverted = table.pop("values", {}), table.pop("join", "add"), table.pop("inverted", False)
    attachment = _read_attachment(table.pop("attachment")) if "attachment" in table else None
    for key in table:
        warn(sentence("'{key}' is not known and was left out.", key=f"mask.part.{key}"))
    if not isinstance(values, dict):
        raise UsageError(
            sentence("The values of the mask '{kind}' are not a table; give names and values.", kind=kind.id)
        )
    if join not in JOINS:
        raise UsageError(
            sentence(
                "'join' of the mask '{kind}' is {value}; give one of {joins}.",
                kind=kind.id,
                value=repr(str(join)[:40]),
                joins=", ".join(JOINS),
            )
        )
    if not isinstance(inverted, bool):
        raise UsageError(
            sentence(
                "'inverted' of the mask '{kind}' is neither true nor false; give one of them.", kind=kind.id
            )
        )
    checked = check(kind, values)
    if kind.id == _STAGE:
        checked = {**checked, _STAGE: _stage_id(checked[_STAGE], stages)}
    return MaskPart(kind.id, checked, join, inverted, attachment)


def _stage_id(position: Any, stages: Sequence[int | None]) -> int:
    found = stages[position - 1] if 0 < position <= len(stages) else None
    if found is None:
        raise UsageError(
            sentence(
                "The mask reads the effect {number}, which is not there; give the position of another.",
                number=position,
            )
        )
    return found


def _read_attachment(given: Any) -> Attachment:
    identity = given.get("identity") if isinstance(given, dict) else None
    extents = _extents_of(given.get("extents")) if isinstance(given, dict) else None
    if type(identity) is int and 1 <= identity <= _LARGEST_IDENTITY and extents is not None:
        return Attachment(identity, extents)
    raise UsageError(
        sentence(
            "The attachment of a mask is invalid; give an identity from 1 on, and the extents of a box in "
            "the frame."
        )
    )


def _extents_of(given: Any) -> Extents | None:
    """Return the box of a list of left, top, right and bottom; None if it is invalid."""
    if not isinstance(given, list) or len(given) != 4:
        return None
    # A comparison, as a whole number of TOML may be one that no float can hold.
    if not all(type(v) in (int, float) and -_FARTHEST <= v <= _FARTHEST for v in given):
        return None
    left, top, right, bottom = (float(v) for v in given)
    return (left, top, right, bottom) if left < right and top < bottom else None


# -- what masks need -----------------------------------------------------------------------------------------


def mask_kinds(setup: Setup) -> frozenset[str]:
    """Return the kinds of the parts of all masks in use."""
    masks = (stage.mask for stage in setup.chain.stages if stage.enabled and stage.mask is not None)
    return frozenset(part.kind for mask in masks for part in mask.parts)


def _fault_of_values(stage: StageSpec, before: Collection[int], library: FilterLibrary) -> Text | None:
    """Return a sentence about the first part of a stage's mask whose values make it cover nothing.

    `before` has the ids of the stages before it.
    """
    for part in stage.mask.parts if stage.mask is not None and stage.enabled else ():
        values, name = library.mask(part.kind).defaults | dict(part.values), stage.filter
        if part.kind == _STAGE and part.stage not in before:
            return sentence(
                "The mask of '{filter}' reads an effect that does not stand before it; move one of them, or choose "
                "another.",
                filter=name,
            )
        if part.kind == "brush" and not values["strokes"]:
            return sentence("The mask of '{filter}' has no stroke; paint one.", filter=name)
        lines = lines_of(str(values["points"])) if part.kind == "polygon" else ((0, 0, 0),)
        if not any(len(line) >= 3 for line in lines):
            return sentence(
                "The mask of '{filter}' has a polygon with fewer than three points; give more.", filter=name
            )
        if part.kind == "luma" and number_in(values, "low") > number_in(values, "high"):
            return sentence(
                "The mask of '{filter}' has a range of brightness from {low} to {high}; exchange them.",
                filter=name,
                low=values["low"],
                high=values["high"],
            )
        if part.kind == "depth" and number_in(values, "near") < number_in(values, "far"):
            return sentence(
                "The mask of '{filter}' has a range of distances from {near} to {far}, and {near} is farther; exchange "
                "them.",
                filter=name,
                near=values["near"],
                far=values["far"],
            )
    return None


def mask_fault(setup: Setup, library: FilterLibrary) -> Text | None:
    """Return a sentence about the first mask in use that can never be made with a setup; None without one."""
    zones = [zone.name for zone in setup.scene.zones if isinstance(zone, ZoneSpec)]
    before: set[int] = set()
    for stage in setup.chain.stages:
        if (fault := _fault_of_values(stage, before, library)) is not None:
            return fault
        before.add(stage.id)
        for part in stage.mask.parts if stage.mask is not None and stage.enabled else ():
            given = library.mask(part.kind).given
            source = given.source if given is not None else ""
            follows = source == "track" or part.attachment is not None
            if (source in NEEDS_RESULTS or follows) and setup.analysis is None:
                return sentence(
                    "The mask of '{filter}' uses what an analysis network finds, and there is none; choose "
                    "one (--model).",
                    filter=stage.filter,
                )
            if follows and setup.scene.track is None:
                return sentence(
                    "The mask of '{filter}' follows a tracked object, and tracking is off; switch it on "
                    "(--track).",
                    filter=stage.filter,
                )
            if source == "zone" and not zones:
                return sentence(
                    "The mask of '{filter}' is a zone, and there is none; draw one, or load zones (--zones).",
                    filter=stage.filter,
                )
            if source == "zone" and part.values["zone"] not in ("", *zones):
                return sentence(
                    "The mask of '{filter}' is the zone '{zone}', which does not exist; there are: {zones}.",
                    filter=stage.filter,
                    zone=part.values["zone"],
                    zones=", ".join(zones),
                )
    return None
