"""Opacity, blend mode and mask in the command line's notation (docs/masks.md).

    opacity=0.5,blend=screen,mask=person+ellipse(width=30)-!luma(low=80),feather=2

A mask is parts joined with + (add), - (subtract) and & (intersect), each a kind with values in parentheses and, with
a ! before it, inverted. A first - subtracts from the whole frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from desktop.base.errors import FilterError, UsageError
from desktop.base.wording import sentence
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.blending import BLEND, OPACITY
from desktop.pipeline.masks.spec import MASK_FIELDS, MOST_PARTS, Join, MaskPart, MaskSpec, with_mask_value

MIXING_KEYS: Final = (OPACITY.name, BLEND.name, "mask", *MASK_FIELDS)
"""Keys of a stage's mixing, as they are typed."""

_JOINS: Final[Mapping[str, Join]] = {"+": "add", "-": "subtract", "&": "intersect"}
_TERM: Final = re.compile(r"\s*(!?)\s*(\w+)\s*(?:\((.*)\)\s*)?", re.DOTALL)


@dataclass(frozen=True)
class TypedPart:
    """A part of a mask as it is typed, its values as texts."""

    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    join: Join = "add"
    inverted: bool = False


# -- texts ---------------------------------------------------------------------------------------------------


def _pieces(text: str, separators: str, whole: str) -> Iterator[tuple[str, str]]:
    """Yield (separator, piece) of a text, ('', first piece) first, split outside of quotes and parentheses.

    A quotation mark opens a quoted value behind an equals sign; another one belongs to a file name. Raise
    UsageError, with `whole` for what was typed, where one or a parenthesis is not closed.
    """
    separator, begin, depth, quoted, last = "", 0, 0, False, ""
    for at, letter in enumerate(text):
        if quoted:
            # A doubled mark closes and opens it again.
            quoted = letter != '"'
        elif letter == '"' and last in ("=", '"'):
            quoted = True
        elif letter in "()":
            depth += 1 if letter == "(" else -1
            if depth < 0:
                break
        elif depth == 0 and letter in separators:
            yield separator, text[begin:at]
            separator, begin = letter, at + 1
        last = letter if not letter.isspace() else last
    if quoted:
        raise UsageError(
            sentence("The quotation mark in {text} is not closed; put one behind the value.", text=whole)
        )
    if depth:
        raise UsageError(sentence("The parentheses in {text} do not match; close each once.", text=whole))
    yield separator, text[begin:]


def assigned(text: str, whole: str) -> dict[str, str]:
    """Parse `key=value` with commas between; raise UsageError for invalid syntax or a repeated key."""
    values: dict[str, str] = {}
    for _, item in _pieces(text, ",", whole):
        if not item.strip():
            continue
        before, equals, value = item.partition("=")
        key = before.strip()
        if not equals or not key:
            raise UsageError(
                sentence(
                    "'{item}' in {text} is not of the form key=value.",
                    item=item.strip(),
                    text=whole,
                )
            )
        if key in values:
            raise UsageError(sentence("'{key}' stands twice in {text}; give it once.", key=key, text=whole))
        values[key] = unquoted(value.strip())
    return values


def unquoted(value: str) -> str:
    """Return a value without the quotation marks around it, those in it halved."""
    if len(value) >= 2 and value.startswith('"') and value.endswith('"'):
        return value[1:-1].replace('""', '"')
    return value


def parse_mixing(text: str, whole: str) -> dict[str, Any]:
    """Parse what follows the @ of the stage `whole`, the mask into its parts.

    Raise UsageError for invalid syntax or an unknown key.
    """
    mixing: dict[str, Any] = dict(assigned(text, whole))
    for key in mixing:
        if key not in MIXING_KEYS:
            raise UsageError(
                sentence(
                    "'{key}' behind the @ of the filter {text} is not known; there are: {keys}.",
                    key=key[:40],
                    text=whole,
                    keys=", ".join(MIXING_KEYS),
                )
            )
    if "mask" in mixing:
        mixing["mask"] = parse_mask(mixing["mask"], whole)
    return mixing


def parse_mask(text: str, whole: str) -> tuple[TypedPart, ...]:
    """Parse the parts of a mask of the stage `whole`; raise UsageError for invalid syntax."""
    parts: list[TypedPart] = []
    for separator, term in _pieces(text, "+-&", whole):
        if not separator and not term.strip():
            continue  # before a first sign
        if not parts and separator == "&":
            raise UsageError(
                sentence(
                    "The mask in the filter {text} begins with {sign}; put a kind before it.",
                    sign=separator,
                    text=whole,
                )
            )
        found = _TERM.fullmatch(term)
        if found is None:
            raise UsageError(
                sentence(
                    "'{term}' in the mask of the filter {text} is not a kind, with values in parentheses "
                    "such as ellipse(width=30).",
                    term=term.strip(),
                    text=whole,
                )
            )
        values = assigned(found[3] or "", whole)
        parts.append(TypedPart(found[2], values, _JOINS.get(separator, "add"), bool(found[1])))
    if not parts:
        raise UsageError(
            sentence("The mask in the filter {text} has no part; give a kind, such as person.", text=whole)
        )
    return tuple(parts)


# -- values --------------------------------------------------------------------------------------------------


def with_typed_mixing(library: FilterLibrary, chain: ChainSpec, mixing: Mapping[str, Any]) -> ChainSpec:
    """Return a chain whose last stage has an opacity, a blend mode and a mask.

    `mixing` has texts or values by MIXING_KEYS, the mask as a text or as parts. Raise UsageError for an unknown
    name, an invalid value, or one without effect.
    """
    stage = chain.stages[-1]
    changed: dict[str, Any] = {
        each.name: each.parse(mixing[each.name]) for each in (OPACITY, BLEND) if each.name in mixing
    }
    settings = {name: mixing[name] for name in MASK_FIELDS if name in mixing}
    if "mask" in mixing:
        given = mixing["mask"]
        typed = parse_mask(given, given) if isinstance(given, str) else tuple(given)
        mask = MaskSpec(_checked_parts(library, chain, typed))
        for name, value in settings.items():
            mask = with_mask_value(
                mask, name, MASK_FIELDS[name].parse(value) if isinstance(value, str) else value
            )
        changed["mask"] = mask
    elif settings:
        raise UsageError(
            sentence(
                "'{key}' of the filter '{filter}' has no effect without a mask; add mask=, or leave '{key}' "
                "out.",
                key=next(iter(settings)),
                filter=stage.filter,
            )
        )
    return chain.with_mixing(stage.id, **changed) if changed else chain


def _checked_parts(
    library: FilterLibrary, chain: ChainSpec, typed: tuple[TypedPart, ...]
) -> tuple[MaskPart, ...]:
    if len(typed) > MOST_PARTS:
        raise UsageError(
            sentence("The mask has {count} parts; give at most {most}.", count=len(typed), most=MOST_PARTS)
        )
    return tuple(_checked_part(library, chain, part) for part in typed)


def _checked_part(library: FilterLibrary, chain: ChainSpec, typed: TypedPart) -> MaskPart:
    try:
        kind = library.mask(typed.kind)
        for name in typed.values:
            if all(name != param.name for param in kind.params):
                raise UsageError(
                    sentence(
                        "The mask '{kind}' has no '{name}'; it has: {names}.",
                        kind=kind.id,
                        name=name[:40],
                        names=", ".join(param.name for param in kind.params),
                    )
                )
        values = kind.check(typed.values)
    except FilterError as error:
        raise UsageError(*error.args) from error
    if kind.id == "stage":
        values["stage"] = _stage_id(chain, values["stage"])
    return MaskPart(kind.id, values, typed.join, typed.inverted)


def _stage_id(chain: ChainSpec, position: Any) -> int:
    """Return the id of the effect at a position, from 1; a mask reads only those before its own."""
    own = len(chain.stages)
    if position >= own:
        raise UsageError(
            sentence(
                "The mask of the filter '{filter}' reads the effect {number}, which does not stand before it.",
                filter=chain.stages[-1].filter,
                number=position,
            )
        )
    return chain.stages[position - 1].id
