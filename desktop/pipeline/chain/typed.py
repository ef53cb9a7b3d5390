"""Stages in the command line's notation; typed values without effect are refused, those of presets not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from desktop.base.errors import UsageError
from desktop.base.wording import joined, sentence
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.library import FilterLibrary


def typed_chain(
    library: FilterLibrary, items: Sequence[tuple[str, Mapping[str, Any]]], after: ChainSpec | None = None
) -> ChainSpec:
    """Build a chain from results of `parse_stage`, after the stages of `after`.

    Raise FilterError for unknown names or values or too many filters, UsageError for a value without effect.
    """
    chain = chain_of(library, items, after)
    for filter_id, given in items:
        _refuse_without_effect(library.get(filter_id), given)
    return chain


def _refuse_without_effect(spec: Filter, given: Mapping[str, Any]) -> None:
    values = spec.check(given)
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


def parse_stage(text: str) -> tuple[str, dict[str, str]]:
    """Parse `NAME` or `NAME:key=value,key=value`; raise UsageError for invalid syntax or a repeated key.

    A value with commas is quoted, with quotation marks in it doubled: `prompt="a cat, oil"`.
    """
    name, _, rest = text.partition(":")
    values: dict[str, str] = {}
    for item in (part for part in _pieces(rest, text) if part):
        before, equals, value = item.partition("=")
        key = before.strip()
        if not equals or not key:
            raise UsageError(
                sentence("'{item}' in the filter {text} is not of the form key=value.", item=item, text=text)
            )
        if key in values:
            raise UsageError(
                sentence("'{key}' stands twice in the filter {text}; give it once.", key=key, text=text)
            )
        values[key] = _unquoted(value.strip())
    return name, values


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
                    "The quotation mark in the filter {text} is not closed; put one behind the value.",
                    text=text,
                )
            )
        yield piece
        at = found.end() + 1


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value.startswith('"') and value.endswith('"'):
        return value[1:-1].replace('""', '"')
    return value
