"""Stages in the command line's notation; typed values without effect are refused, those of presets not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.wording import joined, sentence
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.chain.typed_mixing import MIXING_KEYS, parse_mixing, unquoted, with_typed_mixing
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.former import take_strength
from desktop.pipeline.filters.header import FILTER_SUFFIXES
from desktop.pipeline.filters.library import FilterLibrary


@dataclass(frozen=True)
class TypedStage:
    """A stage as it is typed: texts, or values of the parameters' types.

    Attributes:
        mixing: its opacity, blend mode and mask by MIXING_KEYS.
    """

    filter: str
    values: Mapping[str, Any] = field(default_factory=dict)
    mixing: Mapping[str, Any] = field(default_factory=dict)


def typed_chain(
    library: FilterLibrary, stages: Sequence[TypedStage], after: ChainSpec | None = None
) -> ChainSpec:
    """Build a chain from stages, after the stages of `after`.

    Raise FilterError for unknown names or values or too many filters, UsageError for a value without effect,
    or a mixing that is invalid.
    """
    chain = after or ChainSpec()
    for stage in stages:
        item = _filter(library, stage.filter)
        chain = chain_of(library, [(item.id, stage.values)], chain)
        _refuse_without_effect(item, stage.values)
        chain = with_typed_mixing(library, chain, stage.mixing)
    return chain


def _filter(library: FilterLibrary, name: str) -> Filter:
    """Return a filter by its name or its file; one in the library goes first."""
    if name.lower().endswith(FILTER_SUFFIXES) and name not in library.filters:
        return library.take(Path(name))
    return library.get(name)


def _refuse_without_effect(spec: Filter, given: Mapping[str, Any]) -> None:
    values = spec.check(take_strength(spec, given)[0])
    acting = spec.acting(values)
    for param in spec.params:
        if param.name not in given or param.name in acting:
            continue
        asked = [(spec.param(name), wanted) for name, wanted in param.when]
        if not all(other.is_known(values[other.name]) for other, _ in asked):
            continue  # a network that is not there, of which its stage will say so
        raise UsageError(
            sentence(
                "'{name}' of the filter '{filter}' has no effect unless {wanted}; choose that, or leave "
                "'{name}' out.",
                name=param.name,
                filter=spec.id,
                wanted=joined(", ", (other.typed_condition(wanted) for other, wanted in asked)),
            )
        )


def parse_stage(text: str) -> TypedStage:
    """Parse `NAME` or `NAME:key=value,key=value`, NAME also being a file, with `@key=value,...` behind it for how it is mixed.

    A value with commas is quoted, with quotation marks in it doubled: `prompt="a cat, oil"`. Raise UsageError for
    invalid syntax, a repeated key, or an unknown one behind the @.
    """
    stage, mixing = _divided(text)
    drive = stage[:2] if _DRIVE.match(stage) else ""
    name, _, rest = stage.removeprefix(drive).partition(":")
    name = drive + name
    values: dict[str, str] = {}
    for item in (part for part in _pieces(rest, text) if part):
        before, equals, value = item.partition("=")
        key = before.strip()
        if not equals or not key:
            raise UsageError(
                sentence("'{item}' in {text} is not of the form key=value.", item=item, text=text)
            )
        if key in values:
            raise UsageError(sentence("'{key}' stands twice in {text}; give it once.", key=key, text=text))
        values[key] = unquoted(value.strip())
    return TypedStage(name, values, parse_mixing(mixing, text))


_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
# An @ that a known key follows; another one belongs to a file name.
_MIXING: Final = re.compile(rf"@(?=\s*(?:{'|'.join(MIXING_KEYS)})\s*=)")
_QUOTED: Final = re.compile(r'[^,="]*=\s*"(?:[^"]|"")*("?)')


def _divided(text: str) -> tuple[str, str]:
    """Return the texts of a stage and of its mixing, which begins at the first such @ that is not quoted."""
    for found in _MIXING.finditer(text):
        if not _ends_quoted(text[: found.start()]):
            return text[: found.start()], text[found.end() :]
    return text, ""


def _ends_quoted(text: str) -> bool:
    at = text.find(":") + 1
    while 0 < at <= len(text):
        quoted = _QUOTED.match(text, at)
        if quoted is not None and not quoted[1]:
            return True
        at = text.find(",", at if quoted is None else quoted.end()) + 1
    return False


# `key=` with a quoted value, or anything up to a comma: a later quotation mark belongs to a file name.
_PIECE: Final = re.compile(r'[^,="]*=\s*"(?:[^"]|"")*"\s*(?=,|$)|[^,]*')
_OPENED: Final = re.compile(r'[^,="]*=\s*"')


def _pieces(rest: str, text: str) -> Iterator[str]:
    at = 0
    while at <= len(rest):
        found = _PIECE.match(rest, at)
        assert found is not None
        piece = found.group()
        if _OPENED.match(piece) and not piece.rstrip().endswith('"'):
            raise UsageError(
                sentence(
                    "The quotation mark in {text} is not closed; put one behind the value.",
                    text=text,
                )
            )
        yield piece
        at = found.end() + 1
