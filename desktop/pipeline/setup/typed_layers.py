"""Layers in the command line's notation (docs/layers.md).

    text:value={timecode},x=0.02,y=0.9,size=0.05
    video:path=cam2.mp4,x=0.7,y=0.7,width=0.28
    1=chroma_key:color=#00b140

The last one is a filter of the first layer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.pipeline.chain.typed import parse_stage, typed_chain
from desktop.pipeline.chain.typed_mixing import assigned
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.kind import layer_kind
from desktop.pipeline.layers.spec import (
    MIXED_FIELDS,
    PLACE_FIELDS,
    LayerPlace,
    Layers,
    LayerSpec,
    with_mixed_value,
    with_place_value,
)

_OF_LAYER: Final = re.compile(r"\s*(\d{1,3})\s*=(.*)", re.DOTALL)


def typed_layer(text: str) -> LayerSpec:
    """Parse `KIND:key=value,...`; raise LightloomError for invalid syntax, an unknown name or value."""
    name, _, rest = text.partition(":")
    kind = layer_kind(name.strip())
    texts = assigned(rest, text)
    fields = {each.name: each for each in kind.fields}
    known = (*fields, *PLACE_FIELDS, *MIXED_FIELDS)
    for key in texts:
        if key not in known:
            raise UsageError(
                sentence(
                    "'{key}' of the layer {text} is not known; there are: {names}.",
                    key=key[:40],
                    text=text,
                    names=", ".join(known),
                )
            )
    values = {key: fields[key].parse(given) for key, given in texts.items() if key in fields}
    if kind.file and not values.get(kind.file):
        raise UsageError(
            sentence("The layer {text} has no file; write {name}= and its name.", text=text, name=kind.file)
        )
    spec = LayerSpec(0, kind.id, kind.check(values), _typed_place(texts))
    for key, each in MIXED_FIELDS.items():
        if key in texts:
            spec = with_mixed_value(spec, key, each.parse(texts[key]))
    return spec


def _typed_place(texts: dict[str, str]) -> LayerPlace:
    place = LayerPlace()
    for key, each in PLACE_FIELDS.items():
        if key in texts:
            place = with_place_value(place, key, each.parse(texts[key]))
    return place


def typed_place(text: str) -> LayerPlace:
    """Parse `x=0.5,width=0.5`; raise UsageError for invalid syntax, an unknown name or an invalid value."""
    texts = assigned(text, text)
    for key in texts:
        if key not in PLACE_FIELDS:
            raise UsageError(
                sentence(
                    "'{key}' of the place {text} is not known; there are: {names}.",
                    key=key[:40],
                    text=text,
                    names=", ".join(PLACE_FIELDS),
                )
            )
    return _typed_place(texts)


def typed_layers(
    library: FilterLibrary, layers: Layers, texts: Sequence[str], filters: Sequence[str], main: str | None
) -> Layers:
    """Return layers with further ones on top, filters added to layers, and a place of the main image.

    Args:
        library: has the filters.
        layers: those of a look.
        texts: see `typed_layer`.
        filters: `N=FILTER`, with the number of a layer from 1.
        main: see `typed_place`; None leaves it.

    Raises:
        LightloomError: invalid syntax, an unknown name, an invalid value, too many layers or filters.
    """
    for text in texts:
        layers = layers.added(typed_layer(text))
    for text in filters:
        found = _OF_LAYER.fullmatch(text)
        if found is None:
            raise UsageError(
                sentence(
                    "The filter of a layer {text} does not begin with the layer's number, as in 1=sepia; write it "
                    "like that.",
                    text=text,
                )
            )
        number = int(found[1])
        if not 1 <= number <= len(layers.specs):
            raise UsageError(
                sentence(
                    "The filter {text} is of the layer {number}, and there are {count}; give another number.",
                    text=text,
                    number=number,
                    count=len(layers.specs),
                )
            )
        spec = layers.specs[number - 1]
        layers = layers.changed(spec.id, chain=typed_chain(library, [parse_stage(found[2])], spec.chain))
    return layers if main is None else replace(layers, main=typed_place(main))
