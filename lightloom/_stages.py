"""Stages of chains: filters with values, and how their results are mixed in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np

from desktop.base.errors import UsageError
from desktop.pipeline.chain.spec import ChainSpec, StageSpec, chain_of
from desktop.pipeline.chain.typed_mixing import TypedPart, with_typed_mixing
from desktop.pipeline.filters.header import FILTER_SUFFIXES
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.masks.spec import JOINS, MASK_FIELDS
from desktop.pipeline.masks.spec import MaskPart as SpecPart


@dataclass(frozen=True)
class MaskPart:
    """Part of a mask.

    Attributes:
        kind: see `masks`: 'person', 'ellipse', 'luma', ...
        values: of its parameters, as of a filter.
        join: how it is joined with the parts before it; a first part that is subtracted is taken from the whole
            image.
        inverted: what the part is not.
    """

    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    _: KW_ONLY
    join: Literal["add", "subtract", "intersect"] = "add"
    inverted: bool = False


@dataclass(frozen=True)
class Stage:
    """Filter of a chain with values of its parameters, and how its result is mixed with what it was given.

        Stage("gaussian_blur", {"radius": 12}, mask="person", inverted=True, feather=1)

    Attributes:
        filter: name (see `filters`), or path of a file in WGSL or GLSL (docs/isf.md).
        values: of its parameters; the others have their defaults.
        opacity: share of the result, 0 to 1.
        blend: 'normal', 'multiply', 'screen', ...; docs/masks.md lists the blend modes.
        mask: where the result is used: one or several parts, or the command line's notation, such as
            'person+ellipse(width=30)-luma(low=80)'. None for the whole image.
        inverted: the effect is where the mask is not.
        grow: by which the mask is enlarged, or shrunk if negative, in percent of the image's height.
        feather: softness of the mask's edge, in percent of the image's height.
        refine: move the mask's edge to the edges in the image.
        if_missing: what is done while a part is not known for a frame: use the 'last' one, have the effect
            'everywhere', or give a 'black' image.
    """

    filter: str | os.PathLike[str]
    values: Mapping[str, Any] = field(default_factory=dict)
    _: KW_ONLY
    opacity: float = 1.0
    blend: str = "normal"
    mask: str | MaskPart | Iterable[MaskPart] | None = None
    inverted: bool = False
    grow: float = 0.0
    feather: float = 0.0
    refine: bool = False
    if_missing: Literal["last", "everywhere", "black"] = "last"

    def __iter__(self) -> Iterator[Any]:
        """Yield the filter and the values, as a stage without a mixing is written."""
        yield self.filter
        yield self.values


AnyStage = str | os.PathLike[str] | tuple[str | os.PathLike[str], Mapping[str, Any]] | Stage
"""A filter by its name or the path of a file, also with values of its parameters, or a `Stage`."""


def filters() -> dict[str, tuple[str, ...]]:
    """Return the filters that come with Lightloom: their names, and the names of their parameters."""
    return {
        name: tuple(param.name for param in each.params)
        for name, each in sorted(FilterLibrary().filters.items())
    }


def masks() -> dict[str, tuple[str, ...]]:
    """Return the kinds of parts of masks: their names, and the names of their parameters."""
    return {
        name: tuple(param.name for param in kind.params)
        for name, kind in sorted(FilterLibrary().masks.items())
    }


def with_stage(chain: ChainSpec, given: AnyStage, library: FilterLibrary) -> ChainSpec:
    """Return a chain with another stage at its end; add a file to the library."""
    stage = _stage(given)
    if not isinstance(stage.filter, str | os.PathLike):
        raise UsageError(
            f"A stage begins with a filter's name or the path of a shader file, not {stage.filter!r:.80}."
        )
    name = os.fspath(stage.filter)
    if isinstance(stage.filter, os.PathLike) or name.endswith(FILTER_SUFFIXES):
        name = library.take(Path(name)).id
    chain = chain_of(library, [(name, _plain(stage.values))], chain)
    return with_typed_mixing(library, chain, _mixing(stage))


def stages_of(chain: ChainSpec) -> tuple[AnyStage, ...]:
    """Return the stages of a chain that are on, those with a mixing as `Stage`.

    Parts of masks that move with a tracked object stay where they were drawn.
    """
    positions: dict[int, int] = {}
    for stage in chain.stages:
        # What reads one that is off reads the one before it.
        positions[stage.id] = max(positions.values(), default=0) + int(stage.enabled)
    return tuple(_public(stage, positions) for stage in chain.stages if stage.enabled)


def _public(stage: StageSpec, positions: Mapping[int, int]) -> AnyStage:
    values = dict(stage.values)
    if not stage.is_mixed:
        return stage.filter, values
    if stage.mask is None:
        return Stage(stage.filter, values, opacity=stage.opacity, blend=stage.blend)
    parts = (
        MaskPart(part.kind, _public_values(part, positions), join=part.join, inverted=part.inverted)
        for part in stage.mask.parts
    )
    settings: dict[str, Any] = {name: getattr(stage.mask, name) for name in MASK_FIELDS}
    return Stage(
        stage.filter, values, opacity=stage.opacity, blend=stage.blend, mask=tuple(parts), **settings
    )


def _public_values(part: SpecPart, positions: Mapping[int, int]) -> dict[str, Any]:
    if part.stage is not None:
        part = part.reading(positions.get(part.stage, 0))
    return dict(part.values)


def _stage(given: AnyStage) -> Stage:
    if isinstance(given, Stage):
        return given
    if not isinstance(given, tuple):
        return Stage(given)
    if len(given) != 2 or not isinstance(given[1], Mapping):
        raise UsageError(f"A stage is a filter's name, (name, values) or a Stage, not {given!r:.80}.")
    return Stage(*given)


def _mixing(stage: Stage) -> dict[str, Any]:
    """Return what differs from the defaults, by the command line's keys."""
    usual = {each.name: each.default for each in fields(stage) if each.kw_only}
    given = {name: _plain_value(getattr(stage, name)) for name in usual if name != "mask"}
    mixing = {name: value for name, value in given.items() if value != usual[name]}
    return mixing if stage.mask is None else mixing | {"mask": _parts(stage.mask)}


def _parts(mask: str | MaskPart | Iterable[MaskPart]) -> str | tuple[TypedPart, ...]:
    if isinstance(mask, str):
        return mask
    parts = (mask,) if isinstance(mask, MaskPart) else tuple(mask)
    for part in parts:
        if not isinstance(part, MaskPart):
            raise UsageError(f"A mask is made of MaskParts, or a text, not of {part!r:.80}.")
        if part.join not in JOINS:
            raise UsageError(
                f"A part of a mask is joined by one of {', '.join(JOINS)}, not {part.join!r:.40}."
            )
    return tuple(TypedPart(part.kind, _plain(part.values), part.join, part.inverted) for part in parts)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert values for a filter's parameters; NumPy numbers, paths and lists are accepted."""
    return {name: _plain_value(value) for name, value in values.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return tuple(map(_plain_value, value)) if isinstance(value, list | tuple | np.ndarray) else value
